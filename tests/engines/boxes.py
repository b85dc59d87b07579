"""A server behind a mock transport that streams, breaks and falls silent as it is told."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from specui.domain.events import Fact
from specui.domain.plan import Limits, Workload
from specui.domain.request_facts import RequestFinished
from specui.engines.base import Answer, Question
from specui.engines.llama.asking import LlamaServer
from specui.engines.llama.client import CHAT_PATH, LlamaClient
from specui.engines.llama.http import httpx
from specui.engines.llama.words import Words
from specui.reports.table import report
from tests.domain.runs import case, run_of

Row = dict[str, Any]  # Any: a case of the report's document

QUESTION = Question(1, 1, 1, 1, "p1", "measure", "Well?", (), Workload(max_tokens=120), Limits())


@dataclass
class Box(httpx.AsyncByteStream):
    """A server behind a mock transport, the log it writes, and the journal with a clock that it moves itself."""

    log: Path
    pieces: tuple[bytes | Exception | None, ...] = ()
    """What it streams: bytes, an error that breaks the connection, None for a silence without end."""
    metrics: str | None = None
    lines: str = ""
    piece_s: float = 0.0
    """How long each piece takes by the clock that stamps facts."""
    status: int = 200
    facts: list[Fact] = field(default_factory=list)
    now: float = 0.0
    is_closed: bool = False
    on: Callable[[Fact], None] = lambda fact: None
    why_broken: str | None = None

    async def __aiter__(self) -> AsyncIterator[bytes]:
        for piece in self.pieces:
            self.now += self.piece_s
            if piece is None:
                await asyncio.Event().wait()
            elif isinstance(piece, Exception):
                raise piece
            else:
                yield piece
        with self.log.open("a", encoding="utf-8") as log:
            log.write(self.lines)

    async def aclose(self) -> None:
        """Note that the stream was closed."""
        self.is_closed = True

    def emit(self, fact: Fact) -> float:
        """Take a fact into the journal."""
        self.facts.append(fact)
        self.on(fact)
        return self.now

    def respond(self, request: httpx.Request) -> httpx.Response:
        """Answer a chat with the stream, `/metrics` with its text."""
        if request.url.path == CHAT_PATH:
            return httpx.Response(self.status, headers={"content-type": "text/event-stream"}, stream=self)
        return httpx.Response(501) if self.metrics is None else httpx.Response(200, text=self.metrics)

    def server(self, bound: int = 4) -> LlamaServer:
        """The loaded server, as an engine gives it."""
        client = LlamaClient("http://box", transport=httpx.MockTransport(self.respond))

        async def why_broken() -> str | None:
            return self.why_broken

        return LlamaServer(1, client, Words(self.log), self.emit, bound, why_broken)

    def ask(self, question: Question = QUESTION) -> Answer:
        """One question to it."""
        return asyncio.run(self.server().ask(question))

    def end(self) -> RequestFinished:
        """The one end of the one request."""
        (finished,) = [fact for fact in self.facts if isinstance(fact, RequestFinished)]
        return finished

    def row(self, method: str = "draft-mtp") -> Row:
        """The report's row of the only case."""
        document: Any = report([run_of([case(method, 4)], *self.facts)])
        (model,) = document["models"]
        (row,) = model["cases"]
        return dict(row)
