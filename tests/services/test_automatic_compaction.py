"""Automatic compaction: candidates in their order, failures as events and never raised."""

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from services.agent_session import AgentSession
from services.cancellation import CancellationToken, run_until_cancelled
from services.compaction import AutomaticReason, compact_automatically
from services.keys import KeyStore
from services.model_catalog import KnownProvider, ModelCatalog, ModelSize, model_catalog
from services.operations import CompactionResult
from services.session_events import CompactionEnded, Event, Notice, PhaseChanged, RetryScheduled
from services.summarizers.candidates import automatic_candidates
from tests.services.loopback_server import LoopbackServer, Script, chat, json_answer, silent
from tests.services.sessions import Events, NoKeyring, open_session, write_session
from tests.services.test_compaction import long_session, with_remote
from tests.services.test_hooks import hooks_of, noting, plugin

Change = Callable[[Any], Any]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return write_session(tmp_path / "long.jsonl", long_session())


def small_keep(given: Any) -> Any:
    return given.replaced(
        compaction=given.compaction.replaced(keep_recent_tokens=150, adapt_keep_recent=False),
        retry=given.retry.replaced(max_retries=1, base_delay_ms=1),
    )


def run(session: AgentSession, reason: AutomaticReason, emit: Callable[[Event], None]) -> CompactionResult | None:
    return asyncio.run(compact_automatically(session, reason, CancellationToken(), emit))


def catalog_of(servers: dict[str, LoopbackServer], **windows: int) -> ModelCatalog:
    """A catalog whose providers are loopback servers, with the windows of their models."""
    providers = {
        name: KnownProvider(name, name, "openai-compatible", server.url, (f"{name.upper()}_KEY",))
        for name, server in servers.items()
    }
    return ModelCatalog(providers, {name: ModelSize(window, 1000) for name, window in windows.items()})


@pytest.mark.spec("CP-2", "CP-20", "O-178", "O-060", "O-059")
@pytest.mark.parametrize(("reason", "will_retry"), [("threshold", False), ("overflow", True)])
def test_it_saves_one_entry_and_says_what_comes_next(reason: Any, will_retry: bool, path: Path) -> None:
    before: list[Any] = []
    after: list[Any] = []
    hooks = hooks_of(plugin(session_before_compact=noting(before), session_compact=noting(after)))
    session = open_session(path, small_keep, hooks=hooks)
    events = Events()
    result = run(session, reason, events)
    assert result is not None
    assert session.leaf_id == result.entry_id
    [end] = events.of(CompactionEnded)
    assert (end.reason, end.will_retry, end.error_message, end.skipped) == (reason, will_retry, None, None)
    assert (before[0].reason, before[0].will_retry) == (reason, will_retry)
    assert (after[0].reason, after[0].will_retry) == (reason, will_retry)


@pytest.mark.spec("CP-22", "HK-8", "O-182", "O-183")
@pytest.mark.parametrize(
    ("reason", "prefix"),
    [("threshold", "Auto-compaction failed: "), ("overflow", "Context overflow recovery failed: ")],
)
def test_a_failure_is_an_event_and_changes_nothing(reason: Any, prefix: str, path: Path) -> None:
    told: list[Any] = []
    before = path.read_bytes()
    with LoopbackServer(json_answer({"text": "no summary"})) as server:
        settings = with_remote(server.url)
        session = open_session(
            path, lambda given: settings(small_keep(given)), hooks=hooks_of(plugin(session_compact_failed=noting(told)))
        )
        events = Events()
        assert run(session, reason, events) is None
    [end] = events.of(CompactionEnded)
    assert end.error_message.startswith(prefix + "127.0.0.1")
    assert (end.will_retry, end.aborted) == (False, False)
    assert told[0].error_message == end.error_message
    assert (path.read_bytes(), session.leaf_id, session.busy) == (before, "a2", False)


@pytest.mark.spec("CP-10", "CP-20")
def test_nothing_to_do_is_skipped_without_an_error(path: Path) -> None:
    events = Events()
    assert run(open_session(path), "threshold", events) is None
    [end] = events.of(CompactionEnded)
    assert end.as_json() == {
        "type": "compaction_end",
        "reason": "threshold",
        "action": "context-full",
        "aborted": False,
        "willRetry": False,
        "skipped": True,
    }


@pytest.mark.spec("CP-24")
def test_it_is_dropped_while_another_operation_runs(path: Path) -> None:
    session = open_session(path, small_keep)
    events = Events()
    with session.operation(CancellationToken()):
        assert run(session, "threshold", events) is None
    assert list(events) == []


@pytest.mark.spec("CP-23", "O-177")
def test_an_abort_ends_it_without_a_failure(path: Path) -> None:
    token = CancellationToken()
    events = Events()

    def emit(event: Event) -> None:
        events.append(event)
        if isinstance(event, PhaseChanged) and event.phase == "connecting":
            token.cancel()

    with LoopbackServer(silent) as server:
        settings = with_remote(server.url)
        session = open_session(path, lambda given: settings(small_keep(given)))
        work = compact_automatically(session, "threshold", token, emit)
        assert asyncio.run(run_until_cancelled(token, work)) is None
    [end] = events.of(CompactionEnded)
    assert (end.aborted, end.error_message) == (True, None)


def test_an_unexpected_error_is_no_crash(path: Path, monkeypatch: pytest.MonkeyPatch, caplog: Any) -> None:
    def broken(*_args: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr("services.compaction_run.path_context", broken)
    events = Events()
    assert run(open_session(path, small_keep), "threshold", events) is None
    assert "unexpected ZeroDivisionError" in events.of(CompactionEnded)[0].error_message
    assert "ZeroDivisionError" in caplog.text


# --- Candidates (CP-21.2) --------------------------------------------------------------------------------------------


def roles(**named: str) -> Change:
    return lambda given: small_keep(given).replaced(model_roles=named)


def with_keys(catalog: ModelCatalog, *providers: str) -> dict[str, Any]:
    """The catalog, and a key for each of the named providers."""
    environ = {f"{name.upper()}_KEY": f"key-of-{name}" for name in providers}
    return {"catalog": catalog, "keys": KeyStore(environ, NoKeyring(), catalog)}


def candidate_names(session: AgentSession) -> list[str]:
    found = asyncio.run(automatic_candidates(session.summarizer_choice()))
    return [summarizer.info.name.split(" ")[0] for summarizer in found]


@pytest.mark.spec("CP-21", "O-179")
def test_the_roles_give_the_order_and_the_largest_window_comes_last(path: Path) -> None:
    with LoopbackServer(silent) as one, LoopbackServer(silent) as two, LoopbackServer(silent) as three:
        catalog = catalog_of({"one": one, "two": two, "three": three}, big=900_000, small=1000)
        change = roles(
            slow="two/small", default="one/m", custom="three/big", vision="one/m", smol="nobody/m", task="two"
        )
        session = open_session(path, change, **with_keys(catalog, "one", "two", "three"))
        assert candidate_names(session) == ["m", "small", "big"]
        session = open_session(path, roles(slow="two/small", default="one/m"), **with_keys(catalog, "two"))
        assert candidate_names(session) == ["small"]


def test_without_a_named_model_the_digest_writes_it(path: Path) -> None:
    assert candidate_names(open_session(path, small_keep)) == ["Offline"]


def test_named_models_without_keys_are_an_error_not_a_digest(path: Path) -> None:
    with LoopbackServer(silent) as server:
        session = open_session(path, roles(default="one/m"), **with_keys(catalog_of({"one": server})))
        events = Events()
        assert run(session, "threshold", events) is None
    assert "No model is available for compaction" in events.of(CompactionEnded)[0].error_message


@pytest.mark.spec("CP-21", "O-179")
@pytest.mark.parametrize(
    ("first", "requests"),
    [
        (json_answer({"error": {"message": "no"}}, "401 Unauthorized"), 1),
        (json_answer({"error": {"message": "busy"}}, "503 Service Unavailable"), 2),
        (json_answer({"error": {"message": "wait"}}, "429 Too Many Requests", "retry-after: 31"), 1),
        (chat("", finish="length"), 1),
    ],
)
def test_the_next_candidate_is_tried_and_long_waits_are_not_waited(first: Script, requests: int, path: Path) -> None:
    with LoopbackServer(first) as one, LoopbackServer(chat("From the second.")) as two:
        catalog = catalog_of({"one": one, "two": two}, m=200_000)
        session = open_session(path, roles(default="one/m", slow="two/n"), **with_keys(catalog, "one", "two"))
        events = Events()
        result = run(session, "threshold", events)
    assert result is not None
    assert result.summary == "From the second."
    assert (len(one.requests), len(two.requests)) == (requests, 1)
    assert two.requests[0].headers["authorization"] == "Bearer key-of-two"
    assert "The next model is tried." in events.of(Notice)[0].text
    assert len(events.of(RetryScheduled)) == requests - 1


@pytest.mark.spec("CP-21")
def test_when_all_fail_the_last_error_counts(path: Path) -> None:
    failing = json_answer({"error": {"message": "first"}}, "401 Unauthorized")
    last = json_answer({"error": {"message": "last"}}, "401 Unauthorized")
    with LoopbackServer(failing) as one, LoopbackServer(last) as two:
        catalog = catalog_of({"one": one, "two": two})
        session = open_session(path, roles(default="one/m", slow="two/n"), **with_keys(catalog, "one", "two"))
        events = Events()
        assert run(session, "overflow", events) is None
    assert "last" in events.of(CompactionEnded)[0].error_message


# --- Keys and catalog ------------------------------------------------------------------------------------------------


class FakeKeyring:
    """A keyring in memory, or one that fails."""

    def __init__(self, *, broken: bool = False) -> None:
        self.entries: dict[tuple[str, str], str] = {}
        self.broken = broken

    def _check(self) -> None:
        if self.broken:
            raise RuntimeError("locked")

    def get_password(self, service: str, username: str) -> str | None:
        self._check()
        return self.entries.get((service, username))

    def set_password(self, service: str, username: str, password: str) -> None:
        self._check()
        self.entries[service, username] = password

    def delete_password(self, service: str, username: str) -> None:
        self._check()
        del self.entries[service, username]


def test_a_key_goes_only_to_the_host_of_its_provider() -> None:
    keys = KeyStore({"OPENAI_API_KEY": " key-1 ", "MY_KEY": "key-2"}, FakeKeyring())
    found = asyncio.run(keys.find("api.openai.com"))
    assert found is not None
    assert (found.value, found.source) == ("key-1", "environment variable OPENAI_API_KEY")
    assert "key-1" not in repr(found)
    assert asyncio.run(keys.find("elsewhere.example")) is None
    named = asyncio.run(keys.find("elsewhere.example", "MY_KEY"))
    assert named is not None
    assert named.value == "key-2"
    assert asyncio.run(keys.find("api.openai.com", "NOT_SET")) is None


def test_a_key_is_held_in_memory_where_there_is_no_keyring() -> None:
    held: dict[str, str] = {}
    keys = KeyStore({"OPENAI_API_KEY": "of-the-environment"}, FakeKeyring(broken=True), held=held)
    keys.hold("host.example", " secret ")
    keys.hold("api.openai.com", "held")
    other = KeyStore({}, FakeKeyring(), held=held)  # what is held counts for the whole program
    found = asyncio.run(other.find("host.example"))
    assert found is not None
    assert (found.value, found.is_removable) == ("secret", True)
    named = asyncio.run(keys.find("api.openai.com"))
    assert named is not None
    assert (named.value, named.is_removable) == ("of-the-environment", False)
    asyncio.run(keys.delete("host.example"))
    assert asyncio.run(other.find("host.example")) is None
    asyncio.run(other.save("api.openai.com", "kept"))
    assert held == {}


def test_keys_are_kept_in_the_keyring_by_host() -> None:
    keyring = FakeKeyring()
    keys = KeyStore({}, keyring)
    asyncio.run(keys.save("host.example", " secret "))
    assert keyring.entries == {("branchwork", "host.example"): "secret"}
    found = asyncio.run(keys.find("host.example"))
    assert found is not None
    assert (found.value, found.source) == ("secret", "system keyring")
    asyncio.run(keys.delete("host.example"))
    assert asyncio.run(keys.find("host.example")) is None


def test_a_keyring_that_does_not_work_counts_as_empty(caplog: pytest.LogCaptureFixture) -> None:
    keys = KeyStore({}, FakeKeyring(broken=True))
    assert asyncio.run(keys.find("host.example")) is None
    assert "RuntimeError" in caplog.text
    with pytest.raises(Exception, match="environment variable instead"):
        asyncio.run(keys.save("host.example", "secret"))


@pytest.mark.parametrize(
    ("model_id", "window"),
    [
        ("claude-sonnet-4-5", 200_000),
        ("claude-sonnet-4-5-20250929", 200_000),
        ("anthropic/claude-sonnet-4-5", 200_000),
        ("gpt-4o-mini-2024-07-18", 128_000),
        ("gemini-2.5-flash-lite", 1_048_576),
        ("unknown-model", None),
        ("gpt", None),
        ("", None),
    ],
)
def test_sizes_of_dated_and_routed_models_are_known(model_id: str, window: int | None) -> None:
    assert model_catalog().size(model_id).context_window == window


def test_the_catalog_is_sound() -> None:
    catalog = model_catalog()
    assert {provider.api for provider in catalog.providers.values()} <= {"openai-compatible", "anthropic", "google"}
    for provider in catalog.providers.values():
        assert provider.base_url.startswith("https://") or "127.0.0.1" in provider.base_url
        assert catalog.provider_at(provider.host) == provider
    for size in catalog.models.values():
        assert size.context_window
        assert size.max_output
        assert size.max_output < size.context_window
