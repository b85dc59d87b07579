"""One HTTP client for a llama-server: what it says of itself, and streamed answers."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Literal, TypeAlias

from specui.domain.errors import RequestFailed
from specui.domain.text import one_line
from specui.engines.llama.chunks import body_error
from specui.engines.llama.http import httpx

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from specui.domain.plan import Workload
    from specui.domain.units import JsonValue, Record, Seconds
    from specui.engines.base import Question

Health: TypeAlias = Literal["ready", "loading", "silent", "other"]

CHAT_PATH = "/v1/chat/completions"
_QUICK_S = 5.0
_HEALTH_S = 1.0
_FRESH = httpx.Limits(max_connections=4, max_keepalive_connections=0)
"""A connection of its own for every request: llama-server closes kept ones at moments of its choosing."""

_SETTLE_TRIES = 30
_SETTLE_POLL_S = 0.1
_LARGEST_ERROR_BYTES = 1 << 16


class LlamaClient:
    """Talks to one server. Proxies of the environment are never used: the server is on this machine."""

    def __init__(
        self, base_url: str, api_key: str | None = None, transport: httpx.AsyncBaseTransport | None = None
    ) -> None:
        headers = {"Accept-Encoding": "identity"} | (_authorization(api_key) if api_key else {})
        self._http = httpx.AsyncClient(
            base_url=base_url,
            headers=headers,
            trust_env=False,
            timeout=_QUICK_S,
            transport=transport or httpx.AsyncHTTPTransport(trust_env=False, verify=False, limits=_FRESH),
        )

    async def close(self) -> None:
        """Close every connection; an open stream is cancelled on the server by that."""
        await self._http.aclose()

    async def settled(self) -> None:
        """Wait until no slot works any more, for a few seconds at most: a busy server does not stop."""
        for _ in range(_SETTLE_TRIES):
            slots = await self.json("/slots")
            rows = [s for s in slots if isinstance(s, dict)] if isinstance(slots, list) else []
            if not any(row.get("is_processing") is True for row in rows):
                return
            await asyncio.sleep(_SETTLE_POLL_S)

    async def health(self) -> Health:
        """Whether it answers yet: nobody listens (`silent`), `loading`, `ready`, or something `other` is there."""
        try:
            answer = await self._http.get("/health", timeout=_HEALTH_S)
        except httpx.HTTPError:
            return "silent"
        if answer.status_code == 503:
            return "loading"
        return "ready" if answer.status_code == 200 else "other"

    async def json(self, path: str, within_s: Seconds = _QUICK_S) -> JsonValue:
        """What a path says; None where it says nothing of use (switched off, missing, no JSON, too slow)."""
        try:
            answer = await self._http.get(path, timeout=within_s)
            value: JsonValue = answer.json() if answer.status_code == 200 else None
        except (httpx.HTTPError, ValueError, RecursionError):
            return None
        return value

    async def metrics(self) -> str | None:
        """The Prometheus text of the server's counters; None where they are switched off."""
        try:
            answer = await self._http.get("/metrics")
        except httpx.HTTPError:
            return None
        return answer.text if answer.status_code == 200 else None

    @asynccontextmanager
    async def chat(self, body: Record, stall_s: Seconds) -> AsyncIterator[AsyncIterator[bytes]]:
        """The bytes of a streamed answer. Leaving the context closes the stream, read or not.

        Raises RequestFailed, in the server's words, where there is no stream or it breaks off.
        """
        timeout = httpx.Timeout(_QUICK_S, read=stall_s)
        try:
            async with self._http.stream("POST", CHAT_PATH, json=body, timeout=timeout) as answer:
                kind = answer.headers.get("content-type", "")
                if answer.status_code != 200 or "html" in kind or "application/json" in kind:
                    raise RequestFailed(body_error(await _beginning(answer), kind, answer.status_code))
                yield _bytes(answer)
        except httpx.ReadTimeout as error:
            raise RequestFailed(f"the server sent nothing for {stall_s:g} s") from error
        except httpx.HTTPError as error:
            raise RequestFailed(f"the connection broke: {one_line(str(error)) or type(error).__name__}") from error


def _authorization(api_key: str) -> dict[str, str]:
    """The header for a key; of several keys that a server takes, the first."""
    return {"Authorization": f"Bearer {api_key.partition(',')[0]}"}


def chat_body(question: Question) -> Record:
    """The request for a question: streamed, with the engine's own times on every chunk."""
    workload = question.workload
    messages: list[JsonValue] = [{"role": role, "content": words} for role, words in question.earlier]
    messages.append({"role": "user", "content": question.prompt})
    body: Record = {
        "messages": messages,
        "stream": True,
        "stream_options": {"include_usage": True},
        "timings_per_token": True,
        "return_progress": True,
        "max_tokens": workload.max_tokens,
        "cache_prompt": any(role == "assistant" for role, _ in question.earlier),
    }
    return body | _sampling(workload)


def _sampling(workload: Workload) -> Record:
    chosen: Record = {
        "temperature": workload.temperature,
        "top_k": workload.top_k,
        "top_p": workload.top_p,
        "min_p": workload.min_p,
        "seed": workload.seed,
    }
    if workload.mode == "lab" and workload.temperature is None:
        chosen["temperature"] = 0.0
    if workload.ignore_eos or workload.mode == "lab":
        chosen["ignore_eos"] = True
    if workload.thinking != "model":
        chosen["chat_template_kwargs"] = {"enable_thinking": workload.thinking == "on"}
    return {k: v for k, v in chosen.items() if v is not None}


async def _bytes(answer: httpx.Response) -> AsyncIterator[bytes]:
    is_packed = "content-encoding" in answer.headers  # by a proxy that does so unasked
    async for piece in answer.aiter_bytes() if is_packed else answer.aiter_raw():
        yield piece


async def _beginning(answer: httpx.Response) -> str:
    """The first part of a body, however long it is."""
    parts: list[bytes] = []
    async for piece in answer.aiter_bytes():
        parts.append(piece)
        if sum(map(len, parts)) > _LARGEST_ERROR_BYTES:
            break
    return b"".join(parts).decode("utf-8", "replace")
