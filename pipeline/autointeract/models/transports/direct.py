"""The direct transport: OpenAI-compatible servers (vLLM, SGLang, llama.cpp, hosted APIs) over one pooled HTTP client.

One aiohttp session for all endpoints, opened on first use on the running loop. Bodies are not streamed: the deadline is
for the whole request, so a slow drip ends too. Proxies come from the usual environment variables; .netrc is not read.
"""

import time
import urllib.request
from urllib.parse import urlsplit

import aiohttp
import orjson

from autointeract.models.reading import read_answer
from autointeract.models.transports.base import Completion, TransportError, WireRequest

_LONGEST = 256 * 2**20
_OPTIONS = orjson.OPT_NON_STR_KEYS
_IDLE_S = 15.0
"""Idle connections are dropped after this long, before most servers drop them."""


class DirectTransport:
    """Sends through one pooled session."""

    def __init__(self) -> None:
        self._session: aiohttp.ClientSession | None = None
        self._timeouts: dict[tuple[float, float], aiohttp.ClientTimeout] = {}
        self._proxies: dict[str, str | None] = {}

    async def send(self, request: WireRequest) -> Completion:
        """See `Transport.send`."""
        session = self._session
        if session is None:
            session = self._open()
        headers = {"Content-Type": "application/json"}
        if request.key is not None:
            headers["Authorization"] = f"Bearer {request.key}"
        body = orjson.dumps(request.payload(), option=_OPTIONS)
        try:
            async with session.post(
                f"{request.base}/chat/completions", data=body, headers=headers, allow_redirects=False,
                timeout=self._timeout(request), proxy=self._proxy(request.base),
            ) as response:  # fmt: skip
                answer = await _whole(response)
        except aiohttp.ConnectionTimeoutError:
            raise TransportError("connection", f"no connection within {request.connect_timeout_s:g} s") from None
        except TimeoutError:
            raise TransportError("timeout", f"no answer within {request.timeout_s:g} s") from None
        except aiohttp.ClientConnectorCertificateError as error:
            raise TransportError("request", f"the server's certificate is not valid: {error}") from None
        except aiohttp.InvalidURL as error:
            raise TransportError("request", f"not a URL: {error}") from None
        except (aiohttp.ClientError, OSError, ValueError) as error:
            # ValueError: a status line or header that is no HTTP.
            raise TransportError("connection", f"{type(error).__name__}: {error}") from None
        return read_answer(response.status, response.headers, answer, time.time())

    async def close(self) -> None:
        """Closes the pool."""
        if self._session is not None:
            await self._session.close()
            self._session = None

    def _open(self) -> aiohttp.ClientSession:
        # The limiter bounds what is in flight; a second bound here would only hide it.
        connector = aiohttp.TCPConnector(limit=0, keepalive_timeout=_IDLE_S, ttl_dns_cache=60)
        self._session = aiohttp.ClientSession(connector=connector, cookie_jar=aiohttp.DummyCookieJar())
        return self._session

    def _timeout(self, request: WireRequest) -> aiohttp.ClientTimeout:
        name = (request.connect_timeout_s, request.timeout_s)
        found = self._timeouts.get(name)
        if found is None:
            found = aiohttp.ClientTimeout(total=request.timeout_s, sock_connect=request.connect_timeout_s)
            self._timeouts[name] = found
        return found

    def _proxy(self, base: str) -> str | None:
        if base not in self._proxies:
            parts = urlsplit(base)
            host = parts.hostname or ""
            local = host in ("localhost", "127.0.0.1", "::1") or urllib.request.proxy_bypass(host)
            self._proxies[base] = None if local else urllib.request.getproxies().get(parts.scheme)
        return self._proxies[base]


def make() -> DirectTransport:
    """The transport (called by the door)."""
    return DirectTransport()


async def _whole(response: aiohttp.ClientResponse) -> bytes:
    length = response.content_length
    if length is not None and length <= _LONGEST:
        return await response.read()
    parts, size = [], 0
    async for part in response.content.iter_any():
        parts.append(part)
        size += len(part)
        if size > _LONGEST:
            raise TransportError("request", f"the answer is longer than {_LONGEST >> 20} MiB", response.status)
    return b"".join(parts)
