"""A seeded engine that makes its answers up: for tests and pictures, never offered as a result.

Its facts have the shapes and the books of a real one: the same seed gives the same facts.
"""

from __future__ import annotations

import asyncio
import random
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from specui.domain.errors import LaunchFailed
from specui.domain.events import CountersRead, ServerExited, ServerLoading, ServerReady, ServerStarting
from specui.domain.plan import Case
from specui.domain.request_facts import (
    FirstToken,
    Origin,
    PromptProgressed,
    RequestFinished,
    RequestSent,
    StepsDecoded,
    TextSpan,
)
from specui.engines.base import Answer, Emit, Question

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

WORDS = ("the ", "quick ", "drafter ", "guesses ", "what ", "a ", "target ", "would ", "say ", "next. ")


@dataclass(frozen=True, slots=True)
class Script:
    """How the made-up engine behaves. Times are in milliseconds."""

    seed: int = 1
    tokens: int = 60
    step_ms: float = 20.0
    draft_ms: float = 4.0
    kept: float = 0.8
    """Chance that a drafted token is kept, given the ones before."""
    pace: float = 0.0
    """Share of the time that really passes: 1 is as slow as it says, 0 at once."""
    fails_to_load: str | None = None
    breaks_at_step: int | None = None
    """Where measured requests break off."""


@dataclass(frozen=True, slots=True)
class ScriptedEngine:
    """Serves every case from one script."""

    script: Script = Script()

    def command(self, case: Case) -> tuple[str, ...]:
        """Words for the record; nothing is started."""
        return ("scripted", case.model.name)

    @asynccontextmanager
    async def serving(self, number: int, case: Case, emit: Emit) -> AsyncIterator[ScriptedServer]:
        """A made-up server. Raises LaunchFailed where the script says so."""
        emit(ServerStarting(number, 0, None, self.command(case)))
        for fraction in (0.5, 1.0):
            emit(ServerLoading(number, "text_model", fraction))
        if self.script.fails_to_load is not None:
            emit(ServerExited(number, 1, None, False, self.script.fails_to_load))
            raise LaunchFailed(self.script.fails_to_load)
        speculates = case.speculation.method != "none"
        emit(ServerReady(number, 1200.0, "b0", 8192, "scripted", speculates, 33, 33, False))
        try:
            yield ScriptedServer(number, case, self.script, emit, random.Random(f"{self.script.seed}-{number}"))
        finally:
            emit(ServerExited(number, 0, None, True, None))


@dataclass(slots=True)
class ScriptedServer:
    """Answers with words from a short list, a step at a time."""

    number: int
    case: Case
    script: Script
    emit: Emit
    chance: random.Random
    _drafts: int = 0
    _drafted: int = 0
    _accepted: int = 0
    _decodes: int = 0
    _positions: list[int] = field(default_factory=list)

    async def ask(self, question: Question) -> Answer:
        """One made-up answer, with its facts."""
        request, prompt_n = question.request, 20 + len(question.prompt)
        self.emit(
            RequestSent(
                request, question.case, question.repeat, question.turn, question.prompt_id, question.purpose,
                question.prompt,
            )
        )  # fmt: skip
        for done in (0, prompt_n):
            self.emit(PromptProgressed(request, prompt_n, 0, done, done * 1.0))
        self._decodes += 1
        limit = min(question.workload.max_tokens, self.script.tokens)
        words = [WORDS[0]]
        self.emit(FirstToken(request))
        self.emit(StepsDecoded(request, None, None, None, None, text=((0, "target", "answer", WORDS[0]),)))
        n, ms, drafted, accepted, steps = 1, 0.0, 0, 0, 0
        while n < limit:
            steps += 1
            offered, kept = self._drawn(limit - n)
            took = round(self.script.step_ms * (1 + 0.1 * self.chance.random()) + offered * self.script.draft_ms, 3)
            await asyncio.sleep(self.script.pace * took / 1000)
            text = [WORDS[(n + i) % len(WORDS)] for i in range(kept + 1)]
            n, ms, drafted, accepted = n + kept + 1, round(ms + took, 3), drafted + offered, accepted + kept
            words += text
            spans = tuple(_span(steps, "draft" if i < kept else "target", word) for i, word in enumerate(text))
            self.emit(
                StepsDecoded(
                    request, n, ms, drafted or None, accepted if drafted else None, (took,), (kept + 1,), (offered,),
                    (kept,), spans,
                )
            )  # fmt: skip
            if steps == self.script.breaks_at_step and question.purpose == "measure":
                return self._ended(request, prompt_n, n, ms, drafted, accepted, words, "the connection broke")
        return self._ended(request, prompt_n, n, ms, drafted, accepted, words, None)

    def _drawn(self, room: int) -> tuple[int, int]:
        """How many tokens the next draft offers and how many are kept."""
        offered = min(self.case.speculation.draft_bound(), room - 1)
        kept = 0
        while kept < offered and self.chance.random() < self.script.kept:
            kept += 1
        self._decodes += 1
        if offered:
            self._drafts += 1
            self._drafted += offered
            self._accepted += kept
            self._positions += [0] * (offered - len(self._positions))
            for position in range(kept):
                self._positions[position] += 1
        return offered, kept

    def _ended(
        self,
        request: int,
        prompt_n: int,
        n: int,
        ms: float,
        drafted: int,
        accepted: int,
        words: list[str],
        error: str | None,
    ) -> Answer:
        speed = round(1000 * (n - 1) / ms, 3) if ms else None
        stop = "length" if error is None else None
        self.emit(
            RequestFinished(
                request, prompt_n, float(prompt_n), 0, n, ms, drafted or None, accepted if drafted else None, "server",
                speed, stop, error,
            )
        )  # fmt: skip
        positions = tuple(self._positions) or None
        self.emit(
            CountersRead(self.number, request, self._drafts, self._drafted, self._accepted, positions, self._decodes)
        )
        return Answer("".join(words), "", n, drafted or None, stop, error)


def _span(step: int, origin: Origin, word: str) -> TextSpan:
    return step, origin, "answer", word
