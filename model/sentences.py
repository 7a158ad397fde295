"""Sentences for a person that are made far from the window: English text that can still be said in another language.

A `Sentence` is its English text, so that logs, files and the command line need to know nothing about it. It also keeps
how it was made, which lets the window find its translation (`gui.translation.shown`). Templates have to be literals:
`tests/sentences.py` collects them for the translators from the calls in the sources.
"""

from __future__ import annotations

from typing import Any, Self, TypeAlias

Value: TypeAlias = "str | int | tuple[str, ...]"
"""What a sentence tells: a text or another `Sentence`, a count, or a list. A number that is a name is given as text."""


class Sentence(str):
    """The English text of `template` with its `values` at the places `{0}`, `{1}` …

    A count is written with separators, a list with commas. Without values nothing is a placeholder.
    """

    __slots__ = ("template", "values")
    template: str
    values: tuple[Value, ...]

    def __new__(cls, template: str, *values: Value) -> Self:
        """Return the sentence; IndexError when the template has a place for more values."""
        text = template.format(*map(_english, values)) if values else template
        made = super().__new__(cls, text)
        made.template = template
        made.values = values
        return made

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.template, *self.values)


def sentences(*parts: str) -> Sentence:
    """Return what is said one after the other, as one sentence."""
    said = [part for part in parts if part]
    return Sentence(" ".join(f"{{{number}}}" for number in range(len(said))), *said)


def told(error: BaseException) -> str:
    """Return what an exception tells: the sentence that it was made with, else its text."""
    first = error.args[0] if error.args else None
    return first if isinstance(first, Sentence) else str(error)


def packed(text: Value) -> Any:
    """Return a text as a JSON value that `unpacked` makes the same sentence of, to keep it in a file."""
    if isinstance(text, Sentence):
        return {"template": text.template, "values": [packed(value) for value in text.values]}
    return [packed(value) for value in text] if isinstance(text, tuple) else text


def unpacked(value: Any) -> Any:
    """Return what `packed` was given. Whatever it never returned is returned as it is."""
    if isinstance(value, list):
        return tuple(unpacked(item) for item in value)
    if isinstance(value, dict) and isinstance(value.get("template"), str) and isinstance(value.get("values"), list):
        try:
            return Sentence(value["template"], *(unpacked(item) for item in value["values"]))
        except (IndexError, KeyError, ValueError):
            return value["template"]
    return value


def _english(value: Value) -> str:
    if isinstance(value, tuple):
        return ", ".join(value)
    return f"{value:,}" if isinstance(value, int) else str(value)
