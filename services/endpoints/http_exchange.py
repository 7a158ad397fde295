"""The HTTP of all endpoints: one POST with a streamed answer, bounded in time and size, to one host only."""

import asyncio
import importlib
import ipaddress
import sys
import time
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import SplitResult, urlsplit

from model import json_text
from model.json_text import JsonObject
from model.sentences import Sentence
from services.endpoints.event_stream import EventStreamParser, ServerEvent
from services.endpoints.exchange import EndpointError, OutOfTime
from services.endpoints.failures import status_error
from services.errors import ServiceError

if TYPE_CHECKING:  # httpx takes 70 ms to import: only operations that use the network pay for it
    import ssl

    import httpx

MAX_ANSWER_BYTES: Final = 8_000_000
MAX_FAILURE_BYTES: Final = 64_000
_MAX_REDIRECTS: Final = 3


@dataclass(frozen=True, slots=True)
class Limits:
    """Bounds of one request, in seconds: to connect, between two pieces of the answer, and in all."""

    connect_s: float = 15.0
    idle_s: float = 120.0
    total_s: float = 900.0


class PlainHttpRefused(ServiceError):
    """An http address that isn't on this machine, without the user's explicit consent."""

    def __init__(self, host: str) -> None:
        super().__init__(
            Sentence(
                "{0} would be reached without encryption, so anybody on the way could read the session. "
                "Use an https address, or allow plain http for this endpoint in the settings.",
                host,
            )
        )


@dataclass(frozen=True, slots=True)
class HttpTarget:
    """Where requests of one endpoint go, and with what headers. Secret header values never appear in messages."""

    base_url: str
    headers: Mapping[str, str]
    limits: Limits = Limits()
    allow_plain_http: bool = False

    def __post_init__(self) -> None:
        """Check the address. Raises ServiceError when it's no http(s) address or needs a consent that's missing."""
        parts = checked_url(self.base_url)
        if parts.scheme == "http" and not self.allow_plain_http and not is_loopback(parts.hostname or ""):
            raise PlainHttpRefused(self.host)

    @property
    def host(self) -> str:
        """Host, with the port where the address names one."""
        parts = urlsplit(self.base_url)
        host = f"[{parts.hostname}]" if ":" in (parts.hostname or "") else (parts.hostname or "")
        return f"{host}:{parts.port}" if parts.port else host

    @asynccontextmanager
    async def answer(
        self, path: str, body: JsonObject | None, headers: Mapping[str, str] | None = None
    ) -> AsyncIterator["httpx.Response"]:
        """Send `body` as JSON by POST (None: GET) and yield the successful answer before its body is read.

        Raises EndpointError for everything that isn't a complete exchange, also inside the `async with` block.
        """
        if "httpx" not in sys.modules:  # its import takes tenths of a second, during which a stop must be heard
            await asyncio.to_thread(importlib.import_module, "httpx")
        import httpx

        url = self.base_url.rstrip("/") + path
        content = None if body is None else json_text.stringify(body).encode("utf-8", "replace")
        sent = {"content-type": "application/json", "accept-encoding": "identity", **self.headers, **(headers or {})}
        timeout = httpx.Timeout(self.limits.idle_s, connect=self.limits.connect_s)
        parts = urlsplit(url)
        tls = _tls_context() if parts.scheme == "https" else False
        proxies = not is_loopback(parts.hostname or "")
        try:
            async with (
                asyncio.timeout(self.limits.total_s),
                httpx.AsyncClient(verify=tls, timeout=timeout, trust_env=proxies, follow_redirects=False) as client,
            ):
                response = await self._send(client, url, content, sent)
                try:
                    yield response
                finally:
                    await response.aclose()
        except TimeoutError:
            message = Sentence("{0} had not finished after {1} seconds.", self.host, round(self.limits.total_s))
            raise OutOfTime(message, transient=True) from None
        except httpx.ConnectTimeout:
            raise EndpointError(
                Sentence("{0} could not be reached within {1} seconds.", self.host, round(self.limits.connect_s)),
                transient=True,
            ) from None
        except httpx.TimeoutException:
            raise EndpointError(
                Sentence("{0} sent nothing for {1} seconds.", self.host, round(self.limits.idle_s)), transient=True
            ) from None
        except httpx.ConnectError as error:
            raise EndpointError(
                Sentence(
                    "{0} could not be reached ({1}). Is it running, and is the address right?",
                    self.host,
                    self.masked(str(error)),
                ),
                transient=True,
            ) from None
        except (httpx.HTTPError, httpx.InvalidURL, httpx.StreamError) as error:
            words = self.masked(str(error)) or type(error).__name__
            message = Sentence("The connection to {0} broke off ({1}).", self.host, words)
            raise EndpointError(message, transient=True) from None

    async def _send(self, client: "httpx.AsyncClient", url: str, content: bytes | None, headers: dict[str, str]) -> Any:
        for _ in range(_MAX_REDIRECTS + 1):
            method = "GET" if content is None else "POST"
            response = await client.send(
                client.build_request(method, url, content=content, headers=headers), stream=True
            )
            if response.is_success:
                return response
            try:
                if not response.is_redirect:
                    failure = await read_limited(response, MAX_FAILURE_BYTES, self.host, whole=False)
                    raise status_error(
                        self.host, response.status_code, response.headers, failure, time.time(), self.masked
                    )
                url = self._redirected(url, response)
            finally:
                await response.aclose()
        raise EndpointError(Sentence("{0} redirects in a circle.", self.host))

    def _redirected(self, url: str, response: "httpx.Response") -> str:
        target = response.next_request.url if response.next_request else None
        here = urlsplit(url)
        if target is None or (target.scheme, target.netloc.decode()) != (here.scheme, here.netloc):
            where = str(target.host) if target else Sentence("an unreadable address")
            raise EndpointError(
                Sentence(
                    "{0} redirects to {1}, which was refused: a session is only sent to the configured host.",
                    self.host,
                    where,
                )
            )
        if response.status_code not in (307, 308):
            raise EndpointError(Sentence("{0} answered with a redirect that doesn't repeat the request.", self.host))
        return str(target)

    def masked(self, text: str) -> str:
        """Return `text` without any secret that was sent: servers quote keys in their error messages."""
        for value in self.headers.values():
            secret = value.removeprefix("Bearer ").strip()
            if len(secret) >= 6 and secret in text:
                text = text.replace(secret, "***")
        return text


@cache
def _tls_context() -> "ssl.SSLContext":
    """The trust of httpx, made once: loading the certificates takes tens of milliseconds."""
    import httpx

    return httpx.create_ssl_context()


def checked_url(url: str) -> SplitResult:
    """Return the parts of an absolute http or https address. Raises ServiceError for anything else."""
    try:
        parts = urlsplit(url)
        valid = parts.scheme in ("http", "https") and bool(parts.hostname) and (parts.port or 1) > 0
    except ValueError:
        valid = False
    if not valid:
        raise ServiceError(Sentence("{0} isn't an http or https address.", repr(url)))
    if parts.username or parts.password:
        raise ServiceError(
            Sentence("An address must not contain a user name or password; keys belong in the key field.")
        )
    return parts


def is_loopback(host: str) -> bool:
    """Whether `host` is this machine itself."""
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _too_long(host: str, limit: int) -> EndpointError:
    return EndpointError(Sentence("{0} sent an answer of more than {1} bytes, which can't be a summary.", host, limit))


async def read_limited(response: "httpx.Response", limit: int, host: str, *, whole: bool = True) -> bytes:
    """Return the body, at most `limit` bytes. With `whole`, raises EndpointError when there is more."""
    body = bytearray()
    async for chunk in response.aiter_bytes():
        body += chunk
        if len(body) > limit:
            if whole:
                raise _too_long(host, limit)
            break
    return bytes(body[:limit])


async def read_json(response: "httpx.Response", host: str) -> Any:
    """Return the JSON value of the body. Raises EndpointError when it's none."""
    body = await read_limited(response, MAX_ANSWER_BYTES, host)
    try:
        return json_text.parse(body)
    except ValueError:
        start = " ".join(body[:80].decode("utf-8", "replace").split())
        start = start or Sentence("nothing at all")
        raise EndpointError(Sentence("{0} sent something that isn't JSON: {1}", host, start)) from None


async def server_events(response: "httpx.Response", host: str) -> AsyncIterator[ServerEvent]:
    """Yield the server-sent events of the body. Raises EndpointError when the answer is too large."""
    parser, received = EventStreamParser(), 0
    async for chunk in response.aiter_bytes():
        received += len(chunk)
        if received > MAX_ANSWER_BYTES:
            raise _too_long(host, MAX_ANSWER_BYTES)
        for event in parser.feed(chunk):
            yield event


def is_event_stream(response: "httpx.Response") -> bool:
    """Whether the server streams; some answer in one piece although streaming was asked for."""
    return bool(response.headers.get("content-type", "").lower().startswith("text/event-stream"))
