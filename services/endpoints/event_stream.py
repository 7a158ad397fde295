"""Server-sent events, taken apart as their bytes arrive. Source: the HTML standard, "Server-sent events"."""

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class ServerEvent:
    """One event: its name ("message" when the server gave none) and its data lines joined by newlines."""

    name: str
    data: str


@dataclass(slots=True)
class EventStreamParser:
    """Feed it bytes, take events. An event counts once the blank line after it has arrived."""

    _pending: bytes = b""
    _name: str = ""
    _data: list[str] = field(default_factory=list)
    _after_return: bool = False
    _started: bool = False

    def feed(self, chunk: bytes) -> list[ServerEvent]:
        """Return the events completed by `chunk`. Bytes that aren't UTF-8 become U+FFFD."""
        cut_in_two = self._after_return and chunk.startswith(b"\n")  # CR LF, of which CR has ended the line already
        self._after_return = chunk.endswith(b"\r")
        chunk = chunk[cut_in_two:]
        *lines, self._pending = (self._pending + chunk).replace(b"\r\n", b"\n").replace(b"\r", b"\n").split(b"\n")
        return [event for line in lines if (event := self._take(line.decode("utf-8", "replace")))]

    @property
    def buffered(self) -> int:
        """Number of bytes and characters held back for an event that isn't complete."""
        return len(self._pending) + sum(map(len, self._data))

    def _take(self, line: str) -> ServerEvent | None:
        if not self._started:
            line, self._started = line.removeprefix("\ufeff"), True
        if not line:
            event = ServerEvent(self._name or "message", "\n".join(self._data)) if self._data else None
            self._name, self._data = "", []
            return event
        name, _, value = line.partition(":")
        value = value.removeprefix(" ")
        if name == "data":
            self._data.append(value)
        elif name == "event":
            self._name = value
        elif name == "error":  # llama.cpp reports a failure in mid-stream in a field of this name
            self._name = "error"
            self._data.append(value)
        return None
