"""The client gives the server's own words, whatever answers in its place, and sends what the workload asks for."""

from __future__ import annotations

import asyncio
import gzip
import json
from typing import TYPE_CHECKING

import pytest

from specui.domain.errors import RequestFailed
from specui.domain.plan import Limits, Workload
from specui.engines.base import Question
from specui.engines.llama.client import CHAT_PATH, LlamaClient, chat_body
from specui.engines.llama.http import httpx
from tests.engines.answers import WHOLE, said

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable

    from specui.domain.units import JsonValue

STREAM = {"content-type": "text/event-stream"}
TOO_LONG = {
    "error": {
        "code": 400,
        "message": "request (3031 tokens) exceeds the available context size (512 tokens), try increasing it",
        "type": "exceed_context_size_error",
        "n_prompt_tokens": 3031,
        "n_ctx": 512,
    }
}
PAGE = "<html><head><title>502 Bad Gateway</title></head>\r\n<body><center><h1>Bad Gateway</h1></center></body></html>"


class Pieces(httpx.AsyncByteStream):
    """A body that comes in pieces and may break off."""

    def __init__(self, *pieces: bytes, breaks: Exception | None = None) -> None:
        self.pieces, self.breaks, self.is_closed = pieces, breaks, False

    async def __aiter__(self) -> AsyncIterator[bytes]:
        for piece in self.pieces:
            yield piece
        if self.breaks is not None:
            raise self.breaks

    async def aclose(self) -> None:
        """Note that the body was closed."""
        self.is_closed = True


def read(respond: Callable[[httpx.Request], httpx.Response]) -> bytes:
    """The bytes of a streamed answer from a server that responds like this."""

    async def reading() -> bytes:
        client = LlamaClient("http://box", transport=httpx.MockTransport(respond))
        async with client.chat({}, 5.0) as pieces:
            got = b"".join([piece async for piece in pieces])
        await client.close()
        return got

    return asyncio.run(reading())


def test_a_stream_comes_byte_by_byte() -> None:
    """What the server sends is passed on as it is."""
    body = said("a") + WHOLE

    assert body == read(lambda _: httpx.Response(200, headers=STREAM, stream=Pieces(body[:9], body[9:])))


REFUSALS: list[tuple[int, str, bytes, tuple[str, ...]]] = [
    (400, "application/json; charset=utf-8", json.dumps(TOO_LONG).encode(), ("3031", "512", "slots", "--ctx")),
    (
        400,
        "application/json",
        b'{"error":{"message":"too long","n_prompt_tokens":9,"n_ctx":8}}',
        ("too long", "9", "8"),
    ),
    (401, "application/json", b'{"error":{"code":401,"message":"Invalid API Key","type":"x"}}', ("Invalid API Key",)),
    (404, "application/json", b'{"detail":"Not Found"}', ("Not Found",)),
    (500, "application/json", b'{"error":"out of memory"}', ("out of memory",)),
    (500, "text/plain", b"Internal Server Error", ("HTTP 500", "Internal Server Error")),
    (502, "text/html", PAGE.encode(), ("HTTP 502", "web page", "proxy", "Bad Gateway")),
    (200, "text/html; charset=utf-8", PAGE.encode(), ("web page", "Bad Gateway")),
    (503, "", b"", ("HTTP 503", "empty")),
    (302, "", b"", ("HTTP 302",)),
    (200, "application/json", b'{"error":{"message":"quota exceeded"}}', ("quota exceeded",)),
    (200, "application/json", b'{"choices":[{"message":{"content":"hi"}}]}', ("no stream", "hi")),
    (400, "application/json", b"\xff\xfe{not json", ("HTTP 400", "not json")),
    (400, "application/json", b"[" * 50_000, ("HTTP 400",)),
    (400, "application/json", b"[]", ("HTTP 400",)),
    (400, "application/json", b'[{"error":{"message":"in a list"}}]', ("in a list",)),
    (500, "text/plain", b"a\x1b[31mb\r\nc" + b"x" * 500_000, ("a\u241b[31mb c",)),
]


@pytest.mark.parametrize(("status", "kind", "body", "words"), REFUSALS, ids=range(len(REFUSALS)))
def test_what_is_no_stream_is_told_in_one_line(status: int, kind: str, body: bytes, words: tuple[str, ...]) -> None:
    """C23, C24: the body of a refusal is read, and both sizes of a prompt that is too long are shown."""
    stream = Pieces(body[:7], body[7:])

    with pytest.raises(RequestFailed) as caught:
        read(lambda _: httpx.Response(status, headers={"content-type": kind}, stream=stream))

    assert [] == [word for word in words if word not in str(caught.value)]
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 700
    assert stream.is_closed


BREAKS: list[tuple[Exception, str]] = [
    (httpx.RemoteProtocolError("peer closed connection without sending complete message body"), "peer closed"),
    (httpx.ReadError(""), "ReadError"),
    (httpx.ReadTimeout(""), "nothing for 5 s"),
    (httpx.ConnectError("All connection attempts failed"), "All connection attempts failed"),
    (httpx.PoolTimeout(""), "PoolTimeout"),
]


@pytest.mark.parametrize(("error", "says"), BREAKS)
@pytest.mark.parametrize("when", ["before", "within"])
def test_a_connection_that_breaks_is_told(error: Exception, says: str, when: str) -> None:
    """C31: whether it never came about or broke in mid-stream; with a silence, its length."""

    def respond(_: httpx.Request) -> httpx.Response:
        if when == "before":
            raise error
        return httpx.Response(200, headers=STREAM, stream=Pieces(said("a"), breaks=error))

    with pytest.raises(RequestFailed, match=says):
        read(respond)


def test_leaving_early_closes_the_stream() -> None:
    """C33: that is what cancels the request on the server."""
    stream = Pieces(*[said("a")] * 1000)

    async def reading() -> None:
        transport = httpx.MockTransport(lambda _: httpx.Response(200, headers=STREAM, stream=stream))
        client = LlamaClient("http://box", transport=transport)
        async with client.chat({}, 5.0) as pieces:
            await anext(pieces)
            assert not stream.is_closed
        assert stream.is_closed
        await client.close()

    asyncio.run(reading())


def test_a_stream_that_was_packed_on_the_way_is_unpacked() -> None:
    """The client asks for none of that; a proxy may do it nevertheless."""
    asked: list[str] = []

    def respond(request: httpx.Request) -> httpx.Response:
        asked.append(request.headers["accept-encoding"])
        return httpx.Response(200, headers=STREAM | {"content-encoding": "gzip"}, stream=Pieces(gzip.compress(WHOLE)))

    assert WHOLE == read(respond)
    assert ["identity"] == asked


def gives(answer: httpx.Response | Exception) -> LlamaClient:
    """A client of a server that says the same to everything."""

    def respond(_: httpx.Request) -> httpx.Response:
        if isinstance(answer, Exception):
            raise answer
        return answer

    return LlamaClient("http://box", transport=httpx.MockTransport(respond))


@pytest.mark.parametrize(
    ("answer", "health", "value", "metrics"),
    [
        (httpx.Response(200, text='{"status":"ok"}'), "ready", {"status": "ok"}, '{"status":"ok"}'),
        (httpx.Response(503, text='{"error":{}}'), "loading", None, None),
        (httpx.Response(501, text='{"error":{"code":501}}'), "other", None, None),
        (httpx.Response(401, text="{}"), "other", None, None),
        (httpx.Response(200, text="<html>"), "ready", None, "<html>"),
        (httpx.Response(200, content=b'"\xff'), "ready", None, '"\ufffd'),
        (httpx.Response(200, text="[" * 50_000), "ready", None, "[" * 50_000),
        (httpx.Response(200, text="x", headers={"content-type": "text/plain; charset=nope"}), "ready", None, "x"),
        (httpx.ConnectError("refused"), "silent", None, None),
        (httpx.ReadTimeout(""), "silent", None, None),
    ],
    ids=range(10),
)
def test_what_a_server_says_of_itself(
    answer: httpx.Response | Exception, health: str, value: JsonValue, metrics: str | None
) -> None:
    """Missing, switched off, locked, no JSON: nothing is known, and nothing raises."""
    client = gives(answer)

    assert (health, value, metrics) == (
        asyncio.run(client.health()), asyncio.run(client.json("/props")), asyncio.run(client.metrics()),
    )  # fmt: skip


def sent_by(client_key: str | None) -> httpx.Request:
    """The request that a chat sends."""
    seen: list[httpx.Request] = []

    def respond(request: httpx.Request) -> httpx.Response:
        seen.append(request)
        return httpx.Response(200, headers=STREAM, content=WHOLE)

    async def asking() -> None:
        client = LlamaClient("http://box", client_key, httpx.MockTransport(respond))
        async with client.chat({"max_tokens": 5}, 5.0):
            pass
        await client.close()

    asyncio.run(asking())
    return seen[0]


@pytest.mark.parametrize(("key", "header"), [("secret", "Bearer secret"), (None, None)])
def test_the_key_goes_with_the_request(key: str | None, header: str | None) -> None:
    """And nothing of it where there is none."""
    request = sent_by(key)

    assert (CHAT_PATH, header, {"max_tokens": 5}) == (
        request.url.path, request.headers.get("authorization"), json.loads(request.content),
    )  # fmt: skip


def question(workload: Workload, *earlier: tuple[str, str]) -> Question:
    """A question with this workload."""
    return Question(1, 1, 1, 1, "p", "measure", "Well?", earlier, workload, Limits())


def test_a_question_asks_for_everything_that_can_be_counted() -> None:
    """Times on every chunk, progress, usage; the cache only where an answer stands before."""
    body = chat_body(question(Workload(max_tokens=64)))

    assert {
        "messages": [{"role": "user", "content": "Well?"}],
        "stream": True,
        "stream_options": {"include_usage": True},
        "timings_per_token": True,
        "return_progress": True,
        "max_tokens": 64,
        "cache_prompt": False,
    } == body
    later = chat_body(question(Workload(), ("system", "Be brief."), ("user", "Hello?"), ("assistant", "Hi.")))
    assert True is later["cache_prompt"]
    assert False is chat_body(question(Workload(), ("system", "Be brief.")))["cache_prompt"]


@pytest.mark.parametrize(
    ("workload", "expected"),
    [
        (Workload(temperature=0.0, seed=0), {"temperature": 0.0, "seed": 0}),
        (Workload(top_k=1, top_p=0.9, min_p=0.1), {"top_k": 1, "top_p": 0.9, "min_p": 0.1}),
        (Workload(mode="lab"), {"temperature": 0.0, "ignore_eos": True}),
        (Workload(mode="lab", temperature=0.7), {"temperature": 0.7, "ignore_eos": True}),
        (Workload(thinking="off"), {"chat_template_kwargs": {"enable_thinking": False}}),
        (
            Workload(thinking="on", ignore_eos=True),
            {"chat_template_kwargs": {"enable_thinking": True}, "ignore_eos": True},
        ),
    ],
)
def test_a_workload_sends_what_it_names_and_nothing_else(workload: Workload, expected: dict[str, JsonValue]) -> None:
    """What is left to the model is absent."""
    plain = chat_body(question(Workload()))

    assert plain | expected == chat_body(question(workload))
