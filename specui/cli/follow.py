"""A living run told in lines on standard error, until it ends."""

from __future__ import annotations

import asyncio
import signal
from dataclasses import dataclass, field

from specui.cli.output import note
from specui.domain import events as ev
from specui.domain.metrics import acceptance, generation_speed
from specui.domain.run import Run, fold
from specui.domain.text import number, one_line, percent
from specui.journal import wishes
from specui.journal.folder import RunFolder
from specui.journal.tail import Tail

SLOW_LOAD_POLLS = 50
"""Polls (of 0.1 s) without a word while loading, after which the wait is explained."""


@dataclass(slots=True)
class Followed:
    """How a followed run ended."""

    run: Run
    interrupted: bool


async def follow(folder: RunFolder, *, tells: bool = True) -> Followed:
    """Tell what happens, if at all, until the run has ended. Ctrl+C stops the run; once more leaves it to itself."""
    teller = _Teller(folder)
    interrupts = 0
    leave = asyncio.Event()

    def interrupted() -> None:
        nonlocal interrupts
        interrupts += 1
        if interrupts == 1:
            note("stopping: what is measured stays; once more to leave at once")
            wishes.put(folder.inbox, wishes.Wish("stop", "ctrl+c"), f"{interrupts:04d}")
        else:
            leave.set()

    asyncio.get_running_loop().add_signal_handler(signal.SIGINT, interrupted)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    run = Run()
    async for batch in Tail(folder.journal).batches():
        run = fold(batch, run)
        if tells:
            teller.tell(run, batch)
        if leave.is_set():
            break
    return Followed(run, interrupts > 0)


@dataclass(slots=True)
class _Teller:
    folder: RunFolder
    polls: int = 0
    is_loading: bool = False
    told: set[str] = field(default_factory=set)

    def tell(self, run: Run, batch: list[ev.Event]) -> None:
        if not batch and self.is_loading:
            self.polls += 1
            if self.polls % SLOW_LOAD_POLLS == 0:
                note(f"  still loading after {self.polls // 10} s: {self._last_words(run)} (Ctrl+C stops)")
        for event in batch:
            self._tell(run, event.fact)

    def _tell(self, run: Run, fact: ev.Fact) -> None:
        match fact:
            case ev.CaseStarted():
                state = run.case(fact.case)
                label = state.case.label() if state else "?"
                name = state.case.model.name if state else "?"
                note(f"case {fact.case}/{len(run.cases)}  {label}  ({name})")
                self.is_loading, self.polls = True, 0
            case ev.ServerReady():
                self.is_loading = False
                note(f"  {_after_load(fact)}")
            case ev.RequestFinished():
                self._tell_request(run, fact)
            case ev.Warned():
                if fact.text not in self.told:
                    self.told.add(fact.text)
                    note(f"  note: {fact.text}")
            case ev.ServerExited(asked=False):
                self.is_loading = False
            case ev.CaseFailed():
                note(f"  failed: {fact.reason}")
            case ev.CaseSkipped():
                note("  skipped")
            case ev.Marked():
                note(f"  marked: {fact.label}")
            case ev.RunFinished():
                note(f"run {fact.outcome}")
            case _:
                pass

    def _tell_request(self, run: Run, fact: ev.RequestFinished) -> None:
        request = run.request(fact.request)
        if request is None or request.purpose not in ev.RESULT_PURPOSES:
            return
        n, ms = fact.predicted_n, fact.predicted_ms
        speed = generation_speed(n, ms) if n is not None and ms is not None else None
        share = acceptance(fact.draft_n_accepted, fact.draft_n or 0) if fact.draft_n_accepted is not None else None
        kept = f"  {percent(share)} accepted" if share is not None else ""
        place = f"{request.prompt_id} Q{request.turn}" + (f" ×{request.repeat}" if request.repeat > 1 else "")
        ended = "  interrupted" if fact.error else ""  # why is said of the case, which fails by it
        note(f"  {place:18} {number(speed):>8} tok/s  {n if n is not None else '–':>5} tokens{kept}{ended}")

    def _last_words(self, run: Run) -> str:
        running = [c.number for c in run.cases if c.progress == "running"]
        try:
            with self.folder.server_log(running[-1]).open("rb") as file:
                file.seek(max(0, file.seek(0, 2) - 4096))
                lines = file.read().decode("utf-8", "replace").splitlines()
        except (OSError, IndexError):
            return "the engine has said nothing yet"
        return one_line(lines[-1], 120) if lines else "the engine has said nothing yet"


def _after_load(ready: ev.ServerReady) -> str:
    """What the engine really did: `ready in 0.3 s · b11669 · CPU · 0/9 layers on GPU · ctx 2048 · speculation on`."""
    parts = [f"ready in {ready.load_ms / 1000:.1f} s" if ready.load_ms is not None else "ready"]
    parts += [part for part in (ready.build, ready.device) if part]
    if ready.layers is not None and ready.layers_on_gpu is not None:
        parts.append(f"{ready.layers_on_gpu}/{ready.layers} layers on GPU")
    if ready.n_ctx is not None:
        parts.append(f"ctx {ready.n_ctx}")
    if ready.speculative is not None:
        parts.append(f"speculation {'on' if ready.speculative else 'off'}")
    return " · ".join(parts)
