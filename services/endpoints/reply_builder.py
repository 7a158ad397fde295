"""A reply in the making: what has arrived, and the usage in the session format's words."""

from typing import Any

from model.json_text import JsonObject
from services.endpoints.exchange import ModelReply, OnText, StopReason


class ReplyBuilder:
    """Collects the pieces of one reply and passes its text on as it arrives."""

    def __init__(self, on_text: OnText) -> None:
        self._on_text = on_text
        self._texts: list[str] = []
        self.has_thinking = False
        self.has_tool_call = False
        self.stop_reason: StopReason | None = None
        self.detail = ""
        self.usage: JsonObject | None = None

    @property
    def text(self) -> str:
        """The text so far."""
        return "".join(self._texts)

    def add_text(self, text: Any) -> None:
        """Take in more text; anything but a non-empty string is ignored."""
        if isinstance(text, str) and text:
            self._texts.append(text)
            self._on_text(text)

    def stop(self, reason: Any, known: dict[str, StopReason]) -> None:
        """Note why the model stopped; a reason that isn't `known` counts as a refusal."""
        if isinstance(reason, str) and reason:
            self.detail = reason
            self.stop_reason = known.get(reason, "refused")

    def reply(self, stop_reason: StopReason | None = None) -> ModelReply:
        """Return the complete reply."""
        return ModelReply(
            text=self.text,
            stop_reason=self.stop_reason or stop_reason or "stop",
            usage=self.usage,
            has_thinking=self.has_thinking,
            has_tool_call=self.has_tool_call,
            detail=self.detail,
        )


def usage_record(
    *,
    prompt: Any,
    output: Any,
    cache_read: Any = 0,
    cache_write: Any = 0,
    reasoning: Any = None,
    cost: Any = None,
) -> JsonObject:
    """Return a usage record (SF-5.3). `prompt` excludes what was read from or written to a cache; counts are tokens.

    `cost` is in the provider's currency, where it reports one; the parts of a cost are never reported.
    """
    counts = [count(value) for value in (prompt, output, cache_read, cache_write)]
    record: JsonObject = dict(zip(("input", "output", "cacheRead", "cacheWrite"), counts, strict=True))
    if reasoning is not None:
        record["reasoning"] = count(reasoning)
    record["totalTokens"] = sum(counts)
    total = cost if isinstance(cost, int | float) and not isinstance(cost, bool) and cost >= 0 else 0
    record["cost"] = {"input": 0, "output": 0, "cacheRead": 0, "cacheWrite": 0, "total": total}
    return record


def count(value: Any) -> int:
    """Return `value` as a token count; 0 for anything that is none."""
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else 0


def part(value: Any, *keys: str | int) -> Any:
    """Return what is found in `value` under `keys`, one after the other; None where the shape is another."""
    for key in keys:
        if isinstance(value, dict) and isinstance(key, str):
            value = value.get(key)
        elif isinstance(value, list) and isinstance(key, int) and len(value) > key:
            value = value[key]
        else:
            return None
    return value
