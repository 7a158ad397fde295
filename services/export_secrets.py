"""Likely secrets in the entries of an export: found, or masked, text by text.

Source: the same rules as for what is sent to a model (`secrets_scan`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from model.json_text import JsonObject
from model.sentences import Sentence
from model.session_export import replaced_values
from services.errors import ServiceError
from services.secrets_scan import Secret, counted_kinds, find_secrets, masked


@dataclass(frozen=True, slots=True)
class FoundSecret:
    """A likely secret and the entry that it stands in, None for the session's header."""

    entry_id: str | None
    secret: Secret


class ExportHeldBack(ServiceError):
    """Likely secrets were found and nothing was decided about them, so nothing was written."""

    def __init__(self, found: Sequence[FoundSecret]) -> None:
        kinds = counted_kinds(each.secret for each in found)
        places = tuple(dict.fromkeys(each.entry_id or Sentence("the header") for each in found))
        named = Sentence("{0} and {1} more", places[:3], len(places) - 3) if len(places) > 3 else places
        super().__init__(
            Sentence("The export would hold what looks like secrets ({0}; in {1}); nothing was written.", kinds, named)
        )
        self.found = tuple(found)


def secrets_in(value: JsonObject) -> list[Secret]:
    """Return the likely secrets in the texts of a JSON object; data of images is not looked at."""
    texts: list[tuple[str, str]] = []

    def note(key: str, text: str) -> str:
        texts.append((key, text))
        return text

    replaced_values(value, note)
    # A look at all texts at once costs much less than one at each, and nearly always finds nothing.
    if not find_secrets("\n".join(f"{key}: {text}" for key, text in texts)):
        return []
    return [secret for key, text in texts for secret in _secrets(key, text)]


def without_secrets(value: JsonObject) -> JsonObject:
    """Return a copy of a JSON object with a note in place of each likely secret."""

    def mask(key: str, text: str) -> str:
        secrets = _secrets(key, text)
        return masked(text, secrets) if secrets else text

    return replaced_values(value, mask)


def _secrets(key: str, text: str) -> list[Secret]:
    """The secrets in a text. The key that it stands under counts as written in front of it: {"password": "…"}."""
    secrets = find_secrets(text)
    if secrets or not key or " " in text:
        return secrets
    lead = f"{key}: "
    return [
        Secret(secret.kind, secret.start - len(lead), secret.end - len(lead), secret.preview)
        for secret in find_secrets(lead + text)
        if secret.start >= len(lead)
    ]
