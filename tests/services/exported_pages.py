"""Exports for the tests: a session in which everything that can be text is hostile, and a strict look at a page."""

from __future__ import annotations

import base64
import hashlib
import re
from html.parser import HTMLParser
from pathlib import Path

from tests.services.sessions import figure, message, write_session

EVIL = '"><img src=x onerror=alert(1)><script>location="https://evil.example"</script>'


class Page(HTMLParser):
    """The elements and attributes of a page, and its text. Each element has to be closed where it was opened."""

    VOID = frozenset({"meta", "img", "br", "link", "input"})

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str, str]] = []
        self._texts: list[str] = []
        self.open: list[str] = []
        self.deepest = 0
        self.style = ""
        self._in_style = False
        self.feed(text)
        self.close()
        assert not self.open, f"not closed: {self.open}"
        self.text = "".join(self._texts)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += [(tag, name, value or "") for name, value in attrs]
        self._in_style = tag == "style"
        if tag not in self.VOID:
            self.open.append(tag)
            self.deepest = max(self.deepest, len(self.open))

    def handle_endtag(self, tag: str) -> None:
        self._in_style = False
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self._in_style:
            self.style += data
        else:
            self._texts.append(data)

    def values(self, name: str) -> list[str]:
        return [value for _, attribute, value in self.attributes if attribute == name]


def assert_inert(page: Page) -> None:
    """Nothing in the page runs, loads or sends anything, and its policy would not let it."""
    allowed = {
        "html", "head", "meta", "title", "style", "body", "main", "nav", "section", "article", "header", "h1", "h2",
        "h3", "a", "p", "div", "span", "bdi", "b", "code", "pre", "details", "summary", "time", "ol", "li", "dl", "dt",
        "dd", "img",
    }  # fmt: skip
    assert set(page.tags) <= allowed
    assert all(re.fullmatch(r"#(e\d+|b\d+|tree)", value) for value in page.values("href"))
    assert all(value.startswith("data:image/") for value in page.values("src"))
    assert not [name for _, name, _ in page.attributes if name.startswith("on") or name == "style"]
    assert page.tags.count("style") == 1
    policy = next(value for value in page.values("content") if "default-src" in value)
    digest = base64.b64encode(hashlib.sha256(page.style.encode()).digest()).decode()
    assert policy == (
        f"default-src 'none'; style-src 'sha256-{digest}'; img-src data:; base-uri 'none'; form-action 'none'"
    )
    assert "url(" not in page.style
    assert "@import" not in page.style
    assert set(page.values("http-equiv")) == {"Content-Security-Policy"}


def hostile_session(folder: Path) -> Path:
    """A session in which everything that can be text is hostile."""
    header = {**figure()[0], "id": EVIL, "cwd": EVIL, "title": EVIL, "timestamp": EVIL}
    prose = f"{EVIL}\n`{EVIL}`\n![x](https://evil.example/i.png)\n[a](javascript:alert(1))\n```{EVIL}\n{EVIL}\n"
    call = {"type": "toolCall", "id": EVIL, "name": EVIL, "arguments": {EVIL: EVIL}}
    answer = message("2", EVIL, "assistant", prose, stopReason="error", errorMessage=EVIL, model=EVIL)
    answer["message"]["content"] += [call, {"type": "thinking", "thinking": EVIL}, {"type": EVIL, "x": EVIL}]
    result = message("3", "2", "toolResult", prose, toolName=EVIL, toolCallId=EVIL)
    more = [
        {"type": "custom_message", "customType": EVIL, "content": EVIL, "display": True},
        {"type": "compaction", "summary": prose, "firstKeptEntryId": EVIL, "details": {EVIL: EVIL}},
        {"type": "branch_summary", "summary": EVIL, "fromId": EVIL, "details": {"readFiles": [EVIL]}},
        {"type": "model_change", "provider": EVIL, "modelId": EVIL},
        {"type": "label", "targetId": "2", "label": EVIL},
        {"type": EVIL, "name": EVIL},
    ]
    entries = [message(EVIL, None, "user", prose), answer, result, message("4", "3", EVIL, EVIL)]
    for number, entry in enumerate(more, start=5):
        entries.append({**entry, "id": str(number), "parentId": str(number - 1), "timestamp": EVIL})
    return write_session(folder / "s.jsonl", [header, *entries])
