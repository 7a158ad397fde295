"""Likely secrets: found by their form, not in ordinary text, and never sent to another machine unasked."""

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import hypothesis
import pytest
from hypothesis import strategies

from services import secrets_scan
from services.cancellation import CancellationToken, OperationCancelled
from services.errors import ServiceError
from services.operations import DraftSummary, NavigationOptions
from services.questions import Question, SecretsFound, ask_about_secrets, review_by_question
from services.secrets_scan import find_secrets, masked
from services.session_events import Event
from services.summarizers.secret_gate import SecretGate
from tests.services.loopback_server import LoopbackServer, chat
from tests.services.sessions import Events, figure, open_session, with_model, write_session

# Made up, and put together here so that no scanner takes this file for a leak.
LETTERS = "aB3dE5gH7jK9mN1pQ2sT4vW6xY8zA0cD5fG7hJ9kL1nP3qR5tV7w"
SECRETS = {
    "Anthropic key": "sk-" + "ant-api03-" + LETTERS,
    "OpenRouter key": "sk-" + "or-v1-" + LETTERS,
    "OpenAI key": "sk-" + "proj-" + LETTERS,
    "AWS access key": "AKIA" + "ABCDEFGH234567QR",
    "GitHub token": "ghp_" + LETTERS[:36],
    "GitLab token": "glpat-" + LETTERS[:20],
    "Google API key": "AIza" + LETTERS[:35],
    "Groq key": "gsk_" + LETTERS,
    "Hugging Face token": "hf_" + LETTERS[:34],
    "npm token": "npm_" + LETTERS[:36],
    "Slack token": "xoxb-" + "123456789012-" + LETTERS[:24],
    "Stripe key": "sk_" + "live_" + LETTERS[:24],
    "Telegram bot token": "1234567890:AA" + LETTERS[:33],
    "JSON web token": "eyJ" + LETTERS[:20] + ".eyJ" + LETTERS[:30] + "." + LETTERS[:40],
    "private key": "-----BEGIN RSA PRIVATE " + "KEY-----\n" + LETTERS * 4 + "\n-----END RSA PRIVATE KEY-----",
    "password in an address": "hunter2hunter2",
    "value of DB_PASSWORD": "Tr0ub4dor9Zebra",
    "value of api_key": LETTERS[:24],
    "authorization": LETTERS,
    "value of AccountKey": LETTERS + "aB3dE5gH7jK9mN1pQ2sT4vW6xY8zA0==",
    "password of a command": "S3cretPass!",
}
FRAMES = {
    "password in an address": "postgres://admin:{0}@db.internal:5432/app",
    "value of DB_PASSWORD": 'export DB_PASSWORD="{0}"',
    "value of api_key": "'api_key': '{0}',",
    "authorization": "curl -H 'Authorization: Bearer {0}' https://x",
    "value of AccountKey": "DefaultEndpointsProtocol=https;AccountName=box;AccountKey={0};EndpointSuffix=core.net",
    "password of a command": "$ curl -sS -u admin:{0} https://box.internal/api",
}


@pytest.mark.parametrize("kind", SECRETS)
def test_each_kind_is_found_and_masked(kind: str) -> None:
    secret = SECRETS[kind]
    text = f"before 漢字\n{FRAMES.get(kind, '{0}').format(secret)}\nafter"
    [found] = find_secrets(text)
    assert found.kind == kind
    assert text[found.start : found.end] == secret
    assert secret not in found.preview
    clean = masked(text, [found])
    assert secret not in clean
    assert f"[{kind} removed]" in clean
    assert clean.startswith("before 漢字\n")
    assert clean.endswith("\nafter")
    assert find_secrets(clean) == []


@pytest.mark.parametrize(
    ("text", "secret"),
    [
        ('password="hunter2hunter2"', "hunter2hunter2"),
        ("password: correcthorse9", "correcthorse9"),
        ("DB_PASSWD=letmein1", "letmein1"),
        ("pwd: 123456", "123456"),
        ("passphrase => 'swordfish'", "swordfish"),
        ('{"password": "monkey!"}', "monkey!"),
        ('{\\"password\\": \\"hunter22\\"}', "hunter22"),
        ("**Password:** `admin123`", "admin123"),
        ("client_secret = 'tops3cret'", "tops3cret"),
        ("password=p@ssword", "p@ssword"),
        ("$ mysqldump --user=root --password=Winter2024 app", "Winter2024"),
        ("curl --user 'admin:winter-is-here' https://x", "winter-is-here"),
        ("curl https://x -u admin:letmein", "letmein"),
        ("sshpass -p 'winter' ssh box", "winter"),
        ("redis://:hunter2@cache:6379", "hunter2"),
        ("Kennwort: password:Ünïcode1", "Ünïcode1"),
    ],
)
def test_what_people_think_up_is_found(text: str, secret: str) -> None:
    assert [text[found.start : found.end] for found in find_secrets(text)] == [secret]
    assert secret not in masked(text, find_secrets(text))


@pytest.mark.parametrize(
    "text",
    [
        '"password": "***"',
        '"password": "********"',
        "password: <password>",
        "password=your-password1",
        "password: your_password_2",
        "PASSWORD=${DB_PASSWORD_1}",
        "PASSWORD=$DB_PASSWORD_1",
        "password=$(cat /run/secret1)",
        'password = os.environ["APP_PASSWORD_1"]',
        "password = process.env.PASSWORD1",
        "password = hash2password(plain)",
        "password: Uint8Array,",
        "input AuthInput { email: String! password: String! }",
        "password: string",
        '"password": {"type": "string"}',
        '"password": "string"',
        "password: 'required'",
        '"password": "Password"',
        '"password": "Passwort"',
        '"password": "changeme"',
        '"password": "password"',
        "password_hash: sha256",
        "password: sha256",
        "PWD=/home/ada/project2",
        "OLDPWD=/home/ada/project2",
        "pwd: ~/project2",
        "secret: app-tls-2",
        "secretKeyRef: { name: db-2, key: password2 }",
        "secret: 1234567890",
        'if password == "hunter22":',
        "password={password1}",
        'f"password={self.password2}"',
        "password=%s&user=%s",
        "password: must have 8 characters",
        "password = user1.password",
        "docker run -u 1000:1000 image",
        "docker run -u node:node image",
        'curl -u "$USER:$PASSWORD" https://x',
        "curl -u user:password https://x",
        "curl -u <user>:<password> https://x",
        "curl -o out.html -A agent https://x:8080/path",
        "https://user:password@example.com",
        "https://user:<password>@example.com",
        "postgres://user:${PASSWORD}@db/app",
        "https://user:***@example.com",
        "AccountKey=<account-key>",
        "sshpass -p $SSHPASS ssh box",
    ],
)
def test_what_stands_in_place_of_a_password_is_none(text: str) -> None:
    assert find_secrets(text) == []


@pytest.mark.parametrize(
    "text",
    [
        "password: the user must enter it",
        "const token = await getAccessToken(session)",
        "token: options.credentials.accessToken,",
        'api_key = os.environ["ANTHROPIC_API_KEY"]',
        "API_KEY=${SECRET_FROM_VAULT}",
        "secret: <your-secret-here>",
        'password="xxxxxxxxxxxx"',
        "tokens: 1234567890",
        "max_tokens=100000000000",
        "commit 4f2f2d6164a7b68eb1c3ebb2d45573b444a85ca6",
        "sha256:4f2f2d6164a7b68eb1c3ebb2d45573b444a85ca696fec809fe18e912fa7e5306",
        "https://user@example.com/path",
        "sk-learn is a library, so is sk-image",
        "The Authorization header is missing; see Bearer authentication",
        "toolu_000000000000000000000367",
        "ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAABgQ",
    ],
)
def test_ordinary_text_is_left_alone(text: str) -> None:
    assert find_secrets(text) == []


@pytest.mark.parametrize("name", ["real-v3-before-compaction.jsonl", "real-v3-large.jsonl", "real-v3-branched.jsonl"])
def test_real_sessions_give_no_false_alarm(name: str) -> None:
    text = (Path(__file__).parent.parent / "sessions" / name).read_text(encoding="utf-8").replace("\\n", "\n")
    assert [(found.kind, text[found.start - 30 : found.end]) for found in find_secrets(text)] == []


def test_overlapping_finds_count_once() -> None:
    text = f"OPENAI_API_KEY={SECRETS['OpenAI key']}"
    assert len(find_secrets(text)) == 1
    assert LETTERS not in masked(text, find_secrets(text))


def plainly_found(text: str) -> list[tuple[str, int, int]]:
    """What the patterns find when each is tried everywhere, without anything looked for before."""
    found: list[tuple[str, int, int]] = []
    for rule in secrets_scan._RULES:
        group = "value" if "value" in rule.pattern.groupindex else 0
        found += [
            (rule.kind, *match.span(group))
            for match in rule.pattern.finditer(text)
            if not group or not secrets_scan._stands_for_password(match["value"])
        ]
    for match in secrets_scan._PASSWORD.finditer(text):
        if secrets_scan._is_password(match):
            found.append((f"value of {secrets_scan._name(text, match)}", *secrets_scan._password_span(match)))
    for kind, pattern in (("value of {0}", secrets_scan._NAMED), ("authorization", secrets_scan._BEARER)):
        for match in pattern.finditer(text):
            if secrets_scan._looks_random(match["value"]):
                found.append((kind.format(secrets_scan._name(text, match)), *match.span("value")))
    kept: list[tuple[str, int, int]] = []
    for kind, start, end in sorted(found, key=lambda each: (each[1], -each[2])):
        if not kept or start >= kept[-1][2]:
            kept.append((kind, start, end))
    return kept


NAMES = (
    "account-key AccountKey pwd password passwd PassWord passphrase secret SECRET token Token api_key apikey Api-Key "
    "access_key private-key"
)
PIECES = [
    *SECRETS.values(),
    *(frame.format(SECRETS[kind]) for kind, frame in FRAMES.items()),
    *NAMES.split(),
    *(
        "credential",
        "credentials",
        "auth",
        "pa\u017f\u017fword",
        "\u212aey",
        "api_\u212aey",
        "bas\u0130c",
        "Bas\u0131c",
    ),
    *("curl ", " -u ", "sshpass -p", "hunter2", "letmein1", "**", "\\", '\\"', "admin:", "(", "["),
    *("Bearer", "basic", "TOKEN", "key", "sk-", "eyJ", "://", "PRIVATE KEY", "hf_", "task-"),
    *(":", "=", ":=", "=>", '"', "'", "`", " ", "  ", "   ", "\n", "\t", "\x1c", "\xa0", "\u2003", "\u3000", "\x85"),
    *(LETTERS[:9], LETTERS[:10], LETTERS[:11], LETTERS[:20], "=" + LETTERS[:9], ">" + LETTERS[:9], "漢字" * 5 + "aB3"),
    *("x", "_", "-", ",", ";", "{", "}", "é", "\ud800", "😀"),
]


@hypothesis.settings(max_examples=1500)
@hypothesis.given(strategies.lists(strategies.sampled_from(PIECES), max_size=14).map("".join))
def test_looking_for_clues_first_finds_the_same(text: str) -> None:
    assert [(found.kind, found.start, found.end) for found in find_secrets(text)] == plainly_found(text)


# --- The gate --------------------------------------------------------------------------------------------------------


def passing(gate: SecretGate, text: str, host: str = "api.example.com") -> str:
    return asyncio.run(gate.passed(text, host, Events()))


def test_nothing_is_asked_about_text_without_secrets_or_for_this_machine() -> None:
    gate = SecretGate()
    assert passing(gate, "harmless") == "harmless"
    for host in ("localhost:11434", "127.0.0.1:8080", "[::1]:8080", "127.0.0.1", "localhost"):
        assert passing(gate, SECRETS["OpenAI key"], host) == SECRETS["OpenAI key"]


def test_without_anybody_to_ask_nothing_is_sent() -> None:
    with pytest.raises(ServiceError, match=r"api\.example\.com.*1 × OpenAI key.*nothing was sent") as caught:
        passing(SecretGate(), SECRETS["OpenAI key"])
    assert SECRETS["OpenAI key"] not in str(caught.value)


@pytest.mark.parametrize("answer", ["send", "mask", "stop"])
def test_the_answer_holds_for_the_host(answer: Any) -> None:
    asked: list[SecretsFound] = []

    async def ask(found: SecretsFound, _emit: object) -> Any:
        asked.append(found)
        return answer

    gate, text = SecretGate(ask), f"a {SECRETS['OpenAI key']} b"
    if answer == "stop":
        for _ in range(2):
            with pytest.raises(OperationCancelled):
                passing(gate, text)
        assert len(asked) == 2, "stopping decides nothing for the next time"
        return
    expected = text if answer == "send" else "a [OpenAI key removed] b"
    assert [passing(gate, text), passing(gate, text)] == [expected, expected]
    assert [found.host for found in asked] == ["api.example.com"]
    passing(gate, text, "elsewhere.example.com")
    assert [found.host for found in asked] == ["api.example.com", "elsewhere.example.com"]


@pytest.fixture
def leaky(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A session with a secret in it, and a loopback server that counts as another machine."""
    monkeypatch.setattr("services.summarizers.secret_gate.is_loopback", lambda _host: False)
    records = figure()
    records[-1]["message"]["content"][0]["text"] = f"The key is {SECRETS['GitHub token']}."
    return write_session(tmp_path / "s.jsonl", records)


def answering(value: str) -> Callable[[Event], None]:
    """A user who answers each question at once."""

    def emit(event: Event) -> None:
        if isinstance(event, Question):
            event.answer(value)
            event.answer("too late")

    return emit


@pytest.mark.parametrize(("answer", "sent"), [("send", True), ("mask", False)])
def test_a_request_waits_for_the_answer(answer: str, sent: bool, leaky: Path) -> None:
    before = leaky.read_bytes()
    with LoopbackServer(chat("fine")) as server:
        session = open_session(leaky, with_model(server.url), ask_about_secrets=ask_about_secrets)
        options = NavigationOptions(summarize=True)
        asyncio.run(session.navigate_tree("f0000000", options, CancellationToken(), answering(answer)))
    assert (SECRETS["GitHub token"] in server.requests[0].body.decode()) is sent
    assert leaky.read_bytes().startswith(before), "the file itself is untouched"


def test_a_stop_at_the_question_is_an_abort(leaky: Path) -> None:
    before = leaky.read_bytes()
    with LoopbackServer(chat("fine")) as server:
        session = open_session(leaky, with_model(server.url), ask_about_secrets=ask_about_secrets)
        options = NavigationOptions(summarize=True)
        result = asyncio.run(session.navigate_tree("f0000000", options, CancellationToken(), answering("stop")))
    assert result.aborted
    assert server.requests == []
    assert leaky.read_bytes() == before


def test_a_review_can_be_a_question(tmp_path: Path) -> None:
    path = write_session(tmp_path / "s.jsonl", figure())
    drafts: list[DraftSummary] = []

    def emit(event: Event) -> None:
        if isinstance(event, Question):
            assert isinstance(event.subject, DraftSummary)
            assert event.as_json() == {"type": "question", "subject": "DraftSummary"}
            drafts.append(event.subject)
            event.answer("Edited.")

    options = NavigationOptions(summarize=True, review=review_by_question(emit))
    session = open_session(path)
    result = asyncio.run(session.navigate_tree("f0000000", options, CancellationToken(), emit))
    assert result.summary_entry
    assert result.summary_entry["summary"] == "Edited."
    assert len(drafts) == 1
