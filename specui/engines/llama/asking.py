"""Questions to a loaded llama-server, and every fact that an answer yields."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

from specui.domain.errors import RequestFailed
from specui.domain.events import CountersRead, Fact, ServerWordRead, StepCostsRead
from specui.domain.request_facts import FirstToken, RequestFinished, RequestSent, StepsDecoded
from specui.domain.units import Seconds
from specui.engines.base import Answer, Emit, Question
from specui.engines.llama import logs
from specui.engines.llama.client import LlamaClient, chat_body
from specui.engines.llama.counters import read_counters
from specui.engines.llama.gathering import gathered
from specui.engines.llama.stream import ChatStream
from specui.engines.llama.words import Words

AFTER_END_S: Seconds = 1.0
"""How long a server may take to close a stream after its end mark."""

LOG_WAIT_S: Seconds = 0.3
_POLL_S: Seconds = 0.02


@dataclass(slots=True)
class LlamaServer:
    """One loaded server. `bound` is the most tokens that a draft of its case can hold.

    `why_broken` tells how the engine died where an answer broke off; None where it lives.
    """

    number: int
    client: LlamaClient
    words: Words
    emit: Emit
    bound: int
    why_broken: Callable[[], Awaitable[str | None]]
    _drafting: dict[str, logs.DraftStatistics] = field(default_factory=dict)
    _has_speed_lines: bool = True

    async def ask(self, question: Question) -> Answer:
        """Stream the answer; every failure of the request is in the answer, and in the journal."""
        sent = RequestSent(
            question.request, question.case, question.repeat, question.turn, question.prompt_id, question.purpose,
            question.prompt,
        )  # fmt: skip
        stream = ChatStream(question.request, self.bound, question.workload.max_tokens)
        heard = _Heard()
        self.words.new_lines()
        self.emit(sent)
        error = await self._streamed(question, stream, heard)
        if error is not None:
            error = await self.why_broken() or error
        finished = self._emit_all(stream.end(heard.span_ms(), error), heard)
        await self._read_log(question.request)
        await self._read_counters(question.request)
        return heard.answer(finished)

    async def _streamed(self, question: Question, stream: ChatStream, heard: _Heard) -> str | None:
        """Read to the end; what went wrong, in words. Cancelling closes the stream before it travels on."""
        limits = question.limits
        is_ending = False
        try:
            async with (
                asyncio.timeout(limits.request_s) as limit,
                self.client.chat(chat_body(question), limits.stall_s) as pieces,
            ):
                async for piece in gathered(pieces, lambda: stream.is_server_timed and not stream.is_done):
                    self._emit_all(stream.feed(piece), heard)
                    if stream.is_over:
                        return f"the server went on beyond max_tokens ({question.workload.max_tokens}), so it was cut"
                    if stream.is_done and not is_ending:
                        is_ending = True
                        limit.reschedule(asyncio.get_running_loop().time() + AFTER_END_S)
        except RequestFailed as error:
            return None if stream.is_done else str(error)
        except TimeoutError:
            return None if stream.is_done else f"the answer took over {limits.request_s:g} s, so it was cut"
        except asyncio.CancelledError:
            self._emit_all(stream.end(heard.span_ms(), "cancelled"), heard)
            raise
        return None

    def _emit_all(self, facts: list[Fact], heard: _Heard) -> RequestFinished | None:
        finished = None
        for fact in facts:
            now = self.emit(fact)
            match fact:
                case FirstToken():
                    heard.first = heard.last = now
                case StepsDecoded():
                    heard.take(fact, now)
                case RequestFinished():
                    finished = fact
                case _:
                    pass
        return finished

    async def _read_log(self, request: int) -> None:
        """The engine's own speed and drafting time, which it prints just after the stream ends."""
        lines = self.words.new_lines()
        facts = [logs.read_line(line) for line in lines]
        waited: Seconds = 0.0
        while self._has_speed_lines and not any(isinstance(f, logs.EvalTime) for f in facts):
            if waited >= LOG_WAIT_S:
                self._has_speed_lines = False
                break
            await asyncio.sleep(_POLL_S)
            waited += _POLL_S
            facts += [logs.read_line(line) for line in self.words.new_lines()]
        for fact in facts:
            match fact:
                case logs.EvalTime(tok_per_s=speed):
                    self.emit(ServerWordRead(request, speed))
                case logs.DraftStatistics():
                    self._emit_costs(request, fact)
                case _:
                    pass

    def _emit_costs(self, request: int, now: logs.DraftStatistics) -> None:
        before = self._drafting.get(now.method)
        self._drafting[now.method] = now
        spent = now.draft_ms
        if spent is not None and before is not None and before.draft_ms is not None:
            spent = round(spent - before.draft_ms, 6)
        calls = now.calls_generate - (before.calls_generate if before else 0)
        drafts = now.gen_drafts - (before.gen_drafts if before else 0)
        self.emit(StepCostsRead(request, now.method, spent, calls, drafts))

    async def _read_counters(self, request: int) -> None:
        text = await self.client.metrics()
        if text is None:
            return
        read = read_counters(text)
        self.emit(
            CountersRead(
                self.number, request, read.drafts, read.drafted, read.accepted, read.per_position, read.decodes
            )
        )


@dataclass(slots=True)
class _Heard:
    """What has come of an answer, by our own clock."""

    first: Seconds | None = None
    last: Seconds | None = None
    words: list[str] = field(default_factory=list)
    thoughts: list[str] = field(default_factory=list)

    def take(self, fact: StepsDecoded, now: Seconds) -> None:
        if fact.text:
            self.last = now
        for _, _, channel, text in fact.text:
            (self.words if channel == "answer" else self.thoughts).append(text)

    def span_ms(self) -> float | None:
        """From the first text to the last."""
        return None if self.first is None or self.last is None else round(1000 * (self.last - self.first), 3)

    def answer(self, finished: RequestFinished | None) -> Answer:
        return Answer(
            "".join(self.words),
            "".join(self.thoughts),
            finished.predicted_n if finished else None,
            finished.draft_n if finished else None,
            finished.stop_reason if finished else None,
            finished.error if finished else "no end",
        )
