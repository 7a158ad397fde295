"""A real HTTP server on loopback whose answers are scripts over the raw connection, well-behaved or not."""

import json
import socket
import threading
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Self


@dataclass
class Request:
    """A request as it arrived."""

    method: str
    path: str
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)


@dataclass
class Connection:
    """One accepted connection. A script writes to it; `gone` is set once the client has closed it."""

    socket: socket.socket
    server: "LoopbackServer"
    gone: threading.Event = field(default_factory=threading.Event)

    def send(self, data: bytes) -> None:
        with suppress(OSError):
            self.socket.sendall(data)

    def wait_until_gone(self, limit_s: float = 20.0) -> None:
        """Answer nothing more until the client goes away or the test is over."""
        deadline = time.monotonic() + limit_s
        while not self.is_closed_by_client() and time.monotonic() < deadline and not self.server.closing.is_set():
            time.sleep(0.005)

    def is_closed_by_client(self) -> bool:
        try:
            self.socket.settimeout(0.005)
            if self.socket.recv(1) == b"":
                self.gone.set()
        except TimeoutError:
            pass
        except OSError:
            self.gone.set()
        return self.gone.is_set()


Script = Callable[[Connection, Request], None]


class LoopbackServer:
    """Answers each request by the next script; the last one is repeated. Use as a context manager."""

    def __init__(self, *scripts: Script) -> None:
        self.scripts = list(scripts)
        self.requests: list[Request] = []
        self.connections: list[Connection] = []
        self.closing = threading.Event()
        self.arrived = threading.Semaphore(0)
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._listener.settimeout(0.05)
        self._threads: list[threading.Thread] = []
        self.port = self._listener.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}"

    def __enter__(self) -> Self:
        self._start(self._accept)
        return self

    def __exit__(self, *exc: object) -> None:
        self.closing.set()
        self._listener.close()
        for connection in self.connections:
            connection.socket.close()
        for thread in self._threads:
            thread.join(5)
            assert not thread.is_alive()

    def all_gone(self, limit_s: float = 2.0) -> bool:
        """Whether every client has closed its connection within the time."""
        deadline = time.monotonic() + limit_s
        return all(connection.gone.wait(max(0.0, deadline - time.monotonic())) for connection in self.connections)

    def _start(self, target: Callable[..., None], *args: object) -> None:
        thread = threading.Thread(target=target, args=args, daemon=True)
        self._threads.append(thread)
        thread.start()

    def _accept(self) -> None:
        while not self.closing.is_set():
            try:
                client, _ = self._listener.accept()
            except TimeoutError:
                continue
            except OSError:
                return
            client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            connection = Connection(client, self)
            self.connections.append(connection)
            self._start(self._serve, connection)

    def _serve(self, connection: Connection) -> None:
        request = _read_request(connection.socket)
        if request is not None:
            self.requests.append(request)
            script = self.scripts[min(len(self.requests), len(self.scripts)) - 1]
            self.arrived.release()
            script(connection, request)
            with suppress(OSError):
                connection.socket.shutdown(socket.SHUT_WR)
        connection.wait_until_gone(2.0)
        connection.socket.close()


def _read_request(client: socket.socket) -> Request | None:
    data = b""
    with suppress(OSError):  # also when the test is over before the request is read
        client.settimeout(5)
        while b"\r\n\r\n" not in data:
            if not (chunk := client.recv(65536)):
                return None
            data += chunk
        head, _, body = data.partition(b"\r\n\r\n")
        first, *lines = head.decode("latin-1").split("\r\n")
        headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
        while len(body) < int(headers.get("content-length", 0)):
            if not (chunk := client.recv(65536)):
                return None
            body += chunk
        method, path, _ = first.split(" ", 2)
        return Request(method, path, headers, body)
    return None


# --- Scripts ---------------------------------------------------------------------------------------------------------


def head(status: str, content_type: str, *lines: str) -> bytes:
    """Status line and headers of an answer that ends when the connection is closed."""
    return "\r\n".join(
        [f"HTTP/1.1 {status}", f"content-type: {content_type}", "connection: close", *lines, "", ""]
    ).encode()


def answer(body: bytes | str, content_type: str = "application/json", status: str = "200 OK", *lines: str) -> Script:
    """A complete answer with a length."""
    data = body.encode() if isinstance(body, str) else body

    def script(connection: Connection, _request: Request) -> None:
        connection.send(head(status, content_type, f"content-length: {len(data)}", *lines) + data)

    return script


def json_answer(value: Any, status: str = "200 OK", *lines: str) -> Script:
    return answer(json.dumps(value), "application/json", status, *lines)


def stream(
    pieces: Iterable[str | bytes],
    *,
    pause_s: float = 0.0,
    then: Callable[[Connection], None] | None = None,
    content_type: str = "text/event-stream",
) -> Script:
    """A chunked answer, piece by piece; `then` runs before the end, which is left out when it closed the socket."""
    chunks = [piece.encode() if isinstance(piece, str) else piece for piece in pieces]

    def script(connection: Connection, _request: Request) -> None:
        connection.send(head("200 OK", content_type, "transfer-encoding: chunked"))
        for chunk in chunks:
            if connection.server.closing.is_set() or (pause_s and connection.is_closed_by_client()):
                return
            connection.send(b"%x\r\n%s\r\n" % (len(chunk), chunk))
            time.sleep(pause_s)
        if then:
            then(connection)
            return
        connection.send(b"0\r\n\r\n")

    return script


def silent(connection: Connection, _request: Request) -> None:
    """Accepts the request and never answers."""
    connection.wait_until_gone()


def silent_after_head(connection: Connection, _request: Request) -> None:
    """Begins a stream and sends nothing."""
    connection.send(head("200 OK", "text/event-stream", "transfer-encoding: chunked"))
    connection.wait_until_gone()


def close_at_once(connection: Connection, _request: Request) -> None:
    """Closes the connection instead of answering."""
    connection.socket.close()


def stay_open(connection: Connection) -> None:
    """For `then`: go silent in the middle of a stream."""
    connection.wait_until_gone()


def cut_off(connection: Connection) -> None:
    """For `then`: close the connection in the middle of a chunked body."""
    connection.socket.close()


def redirect(location: str, status: str = "302 Found") -> Script:
    return answer("", "text/plain", status, f"location: {location}")


# --- Chat completions ------------------------------------------------------------------------------------------------


def chat_piece(text: str | None = None, finish: str | None = None, **delta: Any) -> str:
    """One chunk of a chat completion stream."""
    content = {"content": text} if text is not None else {}
    choice = {"index": 0, "delta": {**content, **delta}, "finish_reason": finish}
    return f"data: {json.dumps({'object': 'chat.completion.chunk', 'choices': [choice]})}\n\n"


DONE = "data: [DONE]\n\n"


def chat_usage(prompt: int, completion: int, **more: Any) -> str:
    usage = {"prompt_tokens": prompt, "completion_tokens": completion, "total_tokens": prompt + completion, **more}
    return f"data: {json.dumps({'choices': [], 'usage': usage})}\n\n"


def chat(*texts: str, finish: str = "stop", pause_s: float = 0.0) -> Script:
    """A complete chat completion stream of the given pieces."""
    return stream([*map(chat_piece, texts), chat_piece(finish=finish), DONE], pause_s=pause_s)
