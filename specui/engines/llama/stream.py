"""A streamed chat answer, byte by byte, into facts.

Chunks of one decode pass carry the same cumulative `predicted_ms` (llama.cpp b11434, b11669); a pass is
complete when the next one shows. Text is passed on at once, the pass's numbers when it is complete. A chunk
is never taken for a token.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from specui.domain.request_facts import (
    FirstToken,
    Origin,
    PromptProgressed,
    RequestFinished,
    StepsDecoded,
    TextSpan,
)
from specui.domain.steps import FIRST_TOKEN, Step, Totals, step_between
from specui.domain.text import joined_surrogates
from specui.engines.llama.chunks import Chunk, Timings, Usage, body_error, read_chunk, stray_error
from specui.engines.llama.sse import SseReader
from specui.engines.llama.thinking import ThinkingSplitter

if TYPE_CHECKING:
    from specui.domain.events import Fact

SLACK_TOKENS = 64
"""How far a server may overrun `max_tokens` before the stream is cut."""

MOST_CHUNKS_A_TOKEN = 8
"""A count of tokens is not believed beyond this: a token may come in several chunks, but not in ever so many."""


@dataclass(slots=True)
class ChatStream:
    """Reads one answer. `bound` is the most tokens one draft can hold."""

    request: int
    bound: int
    max_tokens: int
    error: str | None = None
    """What went wrong inside the stream, in the server's words."""
    has_text: bool = False
    is_done: bool = False
    """Whether the end mark came: what follows it does not matter."""
    _sse: SseReader = field(default_factory=SseReader)
    _splitter: ThinkingSplitter = field(default_factory=ThinkingSplitter)
    _timings: Timings | None = None
    _usage: Usage | None = None
    _stop_reason: str | None = None
    _has_total: bool = False
    _closed: Totals = field(default_factory=Totals)
    _open: Totals | None = None
    _steps: int = 0
    """Passes closed so far."""
    _chunks: int = 0
    """Chunks with text so far."""
    _chunks_at_first: int = 0
    """How many of them came at once with the first."""
    _surrogate: dict[str, str] = field(default_factory=dict)
    _rows: list[Step] = field(default_factory=list)
    _spans: list[TextSpan] = field(default_factory=list)

    @property
    def is_server_timed(self) -> bool:
        """Whether the first text came and the server tells its own times, so that ours matter no more."""
        return self.has_text and self._timings is not None

    @property
    def is_over(self) -> bool:
        """Whether the server runs on beyond what was asked for."""
        limit = self.max_tokens + max(self.bound, SLACK_TOKENS)
        known = self._open.predicted_n if self._open else self._chunks
        return known > limit or self._chunks > MOST_CHUNKS_A_TOKEN * limit

    def feed(self, data: bytes) -> list[Fact]:
        """The facts that some more bytes tell. Raises RequestFailed where they can be no stream."""
        facts: list[Fact] = []
        for event in self._sse.feed(data):
            self._take(read_chunk(event), facts)
        self._chunks_at_first = self._chunks_at_first or self._chunks
        return facts + self._decoded()

    def end(self, client_ms: float | None, error: str | None = None) -> list[Fact]:
        """The last facts; `client_ms` is the time from the first text to the last by our clock.

        It stands in for the server's where the server tells none.
        """
        facts: list[Fact] = []
        for event in self._sse.end():
            self._take(read_chunk(event), facts)
        if self._sse.stray and self.error is None:
            self.error = stray_error(self._sse.stray)
            if self.error is None and not self.has_text:
                self.error = body_error("\n".join(self._sse.stray), "", 200)
        if self._surrogate.pop("thinking", None):
            self._spans.append((None, None, "thinking", "\ufffd"))
        if self._surrogate.pop("answer", None):
            self._spans += self._splitter.split(None, None, "\ufffd")
        self._spans += self._splitter.end()
        self._close()
        return [*facts, *self._decoded(), self._finished(client_ms, error or self.error or self._shortfall())]

    def _take(self, chunk: Chunk, facts: list[Fact]) -> None:
        if chunk.error is not None:
            self.error = self.error or chunk.error
            return
        if chunk.progress is not None:
            facts.append(PromptProgressed(self.request, *chunk.progress))
        before = self._open or self._closed
        if chunk.timings is not None:
            self._timings = chunk.timings.after(self._timings)
            self._advance(self._timings)
        if chunk.usage is not None:
            self._usage = chunk.usage.after(self._usage)
        self._stop_reason = chunk.stop_reason or self._stop_reason
        self._has_total |= chunk.is_total
        self.is_done |= chunk.is_done
        if chunk.answer or chunk.thinking:
            self._chunks += 1
            if not self.has_text:
                self.has_text = True
                facts.append(FirstToken(self.request))
            self._hear(chunk, before)

    def _advance(self, timings: Timings) -> None:
        if not timings.predicted_n or timings.predicted_ms is None:
            return
        now = Totals(timings.predicted_n, timings.predicted_ms, timings.draft_n or 0, timings.draft_n_accepted or 0)
        if self._open is not None and now.predicted_ms != self._open.predicted_ms:
            self._close()
        self._open = now

    def _close(self) -> None:
        """Count the open pass; the token of the prompt pass alone is none."""
        if self._open is None:
            return
        if self._open.predicted_n > FIRST_TOKEN or self._open.draft_n:
            step = step_between(self._closed, self._open)
            if step.tokens or step.drafted:
                self._rows.append(step)
                self._steps += 1
            self._closed = self._open
        self._open = None

    def _hear(self, chunk: Chunk, before: Totals) -> None:
        step, origin = self._place(before) if chunk.timings is not None else (None, None)
        if chunk.thinking:
            text = self._whole("thinking", chunk.thinking)
            if text:
                self._spans.append((step, origin, "thinking", text))
        if chunk.answer:
            text = self._whole("answer", chunk.answer)
            self._spans += self._splitter.split(step, origin, text) if text else []

    def _place(self, before: Totals) -> tuple[int | None, Origin | None]:
        """Which pass the newest chunk's text came from, and whether the drafter or the target made it."""
        now = self._open
        if now is None:
            return None, None
        if now.predicted_n <= FIRST_TOKEN and not now.draft_n:
            return 0, "target"
        step = self._steps + 1
        passed = step_between(self._closed, now)
        if passed.drafted > self.bound or passed.tokens > passed.accepted + 1:
            return step, None
        begun = max(before.predicted_n, self._closed.predicted_n) - self._closed.predicted_n
        if passed.tokens <= passed.accepted:
            return step, "draft"
        return step, "target" if begun >= passed.accepted else None

    def _whole(self, channel: str, text: str) -> str:
        """The text with surrogate pairs joined, one that waits for its other half held back."""
        text = self._surrogate.pop(channel, "") + text
        if "\ud800" <= text[-1] <= "\udbff":
            self._surrogate[channel] = text[-1]
            text = text[:-1]
        return joined_surrogates(text)

    def _decoded(self) -> list[Fact]:
        rows, spans = self._rows, self._spans
        if not rows and not spans:
            return []
        self._rows, self._spans = [], []
        text = _joined(spans)
        if not rows:
            return [StepsDecoded(self.request, None, None, None, None, text=text)]
        done = self._closed
        return [
            StepsDecoded(
                self.request,
                done.predicted_n,
                done.predicted_ms,
                done.draft_n,
                done.draft_n_accepted,
                tuple([r.ms for r in rows]),
                tuple([r.tokens for r in rows]),
                tuple([r.drafted for r in rows]),
                tuple([r.accepted for r in rows]),
                text,
            )
        ]

    def _shortfall(self) -> str | None:
        """Why the answer is not whole, though the stream was closed in order; None where it is."""
        if not (self.has_text or self._stop_reason or self._timings or self._usage):
            return "the server closed the stream without a word"
        if self.is_done or self._has_total or self._stop_reason is not None:
            return None
        return "the server closed the stream before the end of the answer"

    def _finished(self, client_ms: float | None, error: str | None) -> RequestFinished:
        timings, usage = self._timings, self._usage
        if timings is not None and timings.predicted_n is not None and timings.predicted_ms is not None:
            return RequestFinished(
                self.request, timings.prompt_n, timings.prompt_ms, timings.cache_n, timings.predicted_n,
                timings.predicted_ms, timings.draft_n, timings.draft_n_accepted, "server", timings.tok_per_s,
                self._stop_reason, error,
            )  # fmt: skip
        predicted = usage.completion_tokens if usage else None
        client_ms = self._generation_ms(predicted, client_ms)
        cached = usage.cached_tokens if usage else None
        asked = usage.prompt_tokens if usage else None
        fresh = asked - (cached or 0) if asked is not None and asked >= (cached or 0) else None
        return RequestFinished(
            self.request, fresh, None, cached, predicted, client_ms, None, None,
            "client" if predicted is not None and client_ms is not None else None, None, self._stop_reason, error,
        )  # fmt: skip

    def _generation_ms(self, predicted: int | None, span_ms: float | None) -> float | None:
        """The time of every token but the first, by our clock.

        The span has no time of the tokens that came at once with the first text: their share is as that of the rest.
        """
        later = self._chunks - self._chunks_at_first
        if span_ms is None or predicted is None or predicted < 2 or not later:
            return span_ms
        return round(span_ms * (predicted - 1) / predicted * self._chunks / later, 3)


def _joined(spans: list[TextSpan]) -> tuple[TextSpan, ...]:
    """Neighbours of the same step, origin and channel as one span."""
    out: list[TextSpan] = []
    for span in spans:
        if out and out[-1][:3] == span[:3]:
            out[-1] = (*span[:3], out[-1][3] + span[3])
        else:
            out.append(span)
    return tuple(out)
