"""Carries out a plan: cases, repeats, prompts, turns; whatever fails becomes a fact and the next case runs."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator, Callable, Coroutine, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from specui.domain.errors import EngineError, JournalError, RequestFailed
from specui.domain.events import (
    CaseAdded,
    CaseFailed,
    CaseFinished,
    CaseSkipped,
    CaseStarted,
    Marked,
    Outcome,
    Purpose,
    Requested,
    RunFinished,
    RunStarted,
    Warned,
)
from specui.domain.plan import Case, Plan, Prompt, Workload
from specui.domain.text import one_line
from specui.domain.units import Record, Seconds
from specui.engines.base import Answer, Emit, Engine, Message, Question, Server
from specui.journal.wishes import Wish

PROBE_TOKENS = 8
WARM_UP_TOKENS = 32
POLL_S: Seconds = 0.2

EngineFor = Callable[[Case], Engine]
TakeWishes = Callable[[], Sequence[Wish]]

log = logging.getLogger(__name__)


class Stopped(Exception):
    """The run was asked to end."""


class Skipped(Exception):
    """The current case was asked to end."""


@dataclass(slots=True)
class Runner:
    """One run. `take_wishes` is asked a few times a second, whatever the engine does meanwhile."""

    plan: Plan
    host: Record
    versions: Record
    emit: Emit
    engine_for: EngineFor
    take_wishes: TakeWishes
    warnings: tuple[Warned, ...] = ()
    """What is known to disturb the run before it begins."""
    beside: Callable[[], Coroutine[Any, Any, None]] | None = None  # Any: what a task sends is asyncio's own affair
    """What goes on for as long as the cases do; it may emit facts of its own."""
    _requests: int = 0
    _stop: bool = False
    _wanted: asyncio.Event = field(default_factory=asyncio.Event)

    async def carry_out(self) -> Outcome:
        """Everything, from `run-started` to `run-finished`."""
        self.emit(RunStarted(self.plan.without_cases(), self.host, self.versions))
        for number, case in enumerate(self.plan.cases, 1):
            self.emit(CaseAdded(number, case))
        for warning in self.warnings:
            self.emit(warning)
        failures = 0
        async with self._alongside(self._watch_inbox()), self._alongside(self._beside()):
            for number, case in enumerate(self.plan.cases, 1):
                if self._stop:
                    break
                failures += not await self._case(number, case)
        self._heed_last_wishes()
        outcome: Outcome = "stopped" if self._stop else "failed" if failures else "finished"
        self.emit(RunFinished(outcome))
        return outcome

    def stop(self, by: str) -> None:
        """End the run as soon as the current request is closed."""
        self._heed(Wish("stop", by))

    @contextlib.asynccontextmanager
    async def _alongside(
        self, work: Coroutine[Any, Any, None]
    ) -> AsyncIterator[None]:  # Any: what a task sends is asyncio's own affair
        """Do some work meanwhile; cancelled and awaited at the end, and what it failed of is raised then."""
        task = asyncio.create_task(work)
        try:
            yield
        finally:
            task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await task

    async def _beside(self) -> None:
        if self.beside is None:
            return
        try:
            await self.beside()
        except JournalError:
            self._end()  # whatever the engine does meanwhile: a run that cannot be written down is over
            raise

    async def _watch_inbox(self) -> None:
        while True:
            for wish in self.take_wishes():
                self._heed(wish)
            await asyncio.sleep(POLL_S)

    def _heed_last_wishes(self) -> None:
        """A mark that was left while the last case ended is kept; anything else comes too late."""
        for wish in self.take_wishes():
            if wish.what == "mark":
                self._heed(wish)

    def _heed(self, wish: Wish) -> None:
        try:
            self.emit(Requested(wish.what, wish.by))
            if wish.what == "mark":
                self.emit(Marked(wish.label))
                return
        except JournalError:
            self._end()  # whatever the engine does meanwhile: a run that cannot be written down is over
            raise
        if wish.what == "stop":
            self._end()
        else:
            self._wanted.set()

    def _end(self) -> None:
        self._stop = True
        self._wanted.set()

    async def _case(self, number: int, case: Case) -> bool:
        """One case to its end; whether it went well. Skipped counts as well."""
        self._wanted.clear()
        try:
            engine = self.engine_for(case)
            self.emit(CaseStarted(number, engine.command(case), 1))
            await self._unless_wanted(self._measured(number, case, engine))
        except (Skipped, Stopped):
            self.emit(CaseSkipped(number))
        except EngineError as error:
            self.emit(CaseFailed(number, one_line(str(error), 600)))
            return False
        except JournalError:
            raise
        except Exception as error:  # a fault of ours costs one case, with its trace in the log, not the run
            log.exception("case %d", number)
            self.emit(CaseFailed(number, f"specui itself failed: {type(error).__name__}: {one_line(str(error))}"))
            return False
        else:
            self.emit(CaseFinished(number))
        return True

    async def _unless_wanted(
        self, work: Coroutine[Any, Any, None]
    ) -> None:  # Any: what a task sends is asyncio's own affair
        """Do the work, or end it cleanly once somebody wants the case or the run to end."""
        task = asyncio.create_task(work)
        wanted = asyncio.create_task(self._wanted.wait())
        try:
            await asyncio.wait({task, wanted}, return_when=asyncio.FIRST_COMPLETED)
            if not task.done():
                task.cancel()
                with contextlib.suppress(asyncio.CancelledError):
                    await task
                raise Stopped if self._stop else Skipped
            await task
        finally:
            wanted.cancel()
            if not task.done():
                task.cancel()
                with contextlib.suppress(asyncio.CancelledError):
                    await task

    async def _measured(self, number: int, case: Case, engine: Engine) -> None:
        async with engine.serving(number, case, self.emit) as server:
            await self._probe(number, case, server)
            await self._warm_up(number, server)
            drafted = 0
            for repeat in range(1, self.plan.repeats + 1):
                for prompt in self.plan.prompts:
                    drafted += await self._conversation(number, server, prompt, repeat)
            if case.speculation.method != "none" and not drafted:
                text = (
                    f"{case.speculation.method} is on, yet nothing was drafted: it costs time and brings nothing here"
                )
                self.emit(Warned("nothing-drafted", text, number))

    async def _probe(self, number: int, case: Case, server: Server) -> None:
        """A few tokens that show whether the pair works at all, and whether anything is drafted."""
        workload = Workload(
            max_tokens=PROBE_TOKENS, temperature=0.0, ignore_eos=True, seed=1, thinking=self.plan.workload.thinking
        )
        answer = await self._asked(number, server, self.plan.prompts[0].turns[0], "probe", "probe", (), workload)
        self._ensure_answered(answer, "the probe request failed")
        if any(m.startswith("draft-") for m in case.speculation.methods()) and not answer.draft_n:
            text = f"{case.speculation.method} drafted nothing for {PROBE_TOKENS} tokens of the probe"
            self.emit(Warned("probe-drafted-nothing", text, number))

    async def _warm_up(self, number: int, server: Server) -> None:
        workload = replace(self.plan.workload, max_tokens=min(WARM_UP_TOKENS, self.plan.workload.max_tokens))
        answer = await self._asked(number, server, self.plan.prompts[0].turns[0], "warm-up", "warm-up", (), workload)
        self._ensure_answered(answer, "the warm-up request failed")

    async def _conversation(self, number: int, server: Server, prompt: Prompt, repeat: int) -> int:
        """Every turn of a prompt, each with the answers before it; gives the tokens drafted."""
        earlier: tuple[Message, ...] = ()
        if self.plan.workload.system:
            earlier = (("system", self.plan.workload.system),)
        drafted = 0
        for turn, words in enumerate(prompt.turns, 1):
            answer = await self._asked(
                number, server, words, prompt.id, "measure", earlier, self.plan.workload, turn, repeat
            )
            self._ensure_answered(answer, f"{prompt.id}, turn {turn}")
            drafted += answer.draft_n or 0
            self._note_silence(number, answer)
            earlier = (*earlier, ("user", words), ("assistant", answer.text))
        return drafted

    async def _asked(
        self,
        number: int,
        server: Server,
        words: str,
        prompt_id: str,
        purpose: Purpose,
        earlier: tuple[Message, ...],
        workload: Workload,
        turn: int = 1,
        repeat: int = 1,
    ) -> Answer:
        self._requests += 1
        question = Question(
            self._requests, number, repeat, turn, prompt_id, purpose, words, earlier, workload, self.plan.limits
        )
        return await server.ask(question)

    def _ensure_answered(self, answer: Answer, what: str) -> None:
        if answer.error is not None:
            far = f", after {answer.predicted_n} tokens" if answer.predicted_n else ""
            raise RequestFailed(f"{what}{far}: {answer.error}")

    def _note_silence(self, number: int, answer: Answer) -> None:
        asked, got = self.plan.workload.max_tokens, answer.predicted_n
        if self.plan.workload.mode == "lab" and got is not None and got < asked:
            text = f"an answer of fixed length ended after {got} of {asked} tokens: is the context full?"
            self.emit(Warned("cut-short", text, number, self._requests))
        if answer.text.strip():
            return
        if answer.thinking and answer.stop_reason == "length":
            text = "the token limit was reached inside thinking, so there is no answer: raise it, or use --thinking off"
            self.emit(Warned("no-answer", text, number, self._requests))
        else:
            self.emit(Warned("empty-answer", "the answer is empty", number, self._requests))
