"""One reading a second, of the engine that lives and of no other."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import pytest

from specui.domain.errors import JournalError
from specui.domain.events import Fact, FirstToken, HostSampled, RunFinished, ServerExited, ServerReady, ServerStarting
from specui.domain.plan import Case, EngineChoice, Model, Plan, Prompt, Workload
from specui.engines.scripted import Script, ScriptedEngine
from specui.probes.process import Usage
from specui.runner.runner import Runner
from specui.runner.sampling import PERIOD_S, Sampling

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine

USAGE = Usage(1.5, 1.25, 1000, 2000)
EXITED = ServerExited(1, 0, None, True, None)


def starting(pid: int, case: int = 1) -> ServerStarting:
    """An engine's process exists."""
    return ServerStarting(case, pid, 5.0, ())


def ready(case: int = 1) -> ServerReady:
    """An engine has loaded."""
    return ServerReady(case, None, None, None, None, None, None, None, None)


@dataclass
class Told:
    """What was recorded, and which processes were read at which moments."""

    facts: list[Fact] = field(default_factory=list)
    readers: list[tuple[int, float | None]] = field(default_factory=list)
    moments: list[float] = field(default_factory=list)
    is_full: bool = False
    """Whether samples fail from the first token on."""
    fails: bool = False
    breaks: bool = False
    moment: float = 1.0

    def record(self, fact: Fact) -> float:
        """Take a fact, if the disk has room for samples."""
        if self.fails and isinstance(fact, HostSampled):
            raise JournalError("disk full")
        self.facts.append(fact)
        return self.now()

    def now(self) -> float:
        """The moment."""
        return self.moment

    def reader_for(self, pid: int, started_at: float | None) -> Told:
        """This, which reads every process alike."""
        self.readers.append((pid, started_at))
        return self

    def read(self, moment: float) -> Usage:
        """The same every time."""
        if self.breaks:
            raise ZeroDivisionError("oops")
        self.moments.append(moment)
        return USAGE

    @property
    def samples(self) -> list[int | None]:
        """The cases that were sampled, in order."""
        return [f.case for f in self.facts if isinstance(f, HostSampled)]


@dataclass
class Second:
    """Passes when it is told to."""

    told: Told

    waits: list[float] = field(default_factory=list)
    _passed: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(0))

    async def sleep(self, seconds: float) -> None:
        """Wait until it has passed."""
        self.waits.append(seconds)
        await self._passed.acquire()

    async def passes(self) -> None:
        """Let it pass, and let everything that waits for it happen."""
        self.told.moment += 1
        self._passed.release()
        await settled()


async def settled() -> None:
    """Everything that can go on without time has gone on."""
    for _ in range(10):
        await asyncio.sleep(0)


def played(act: Callable[[Sampling, Second], Coroutine[Any, Any, None]]) -> Told:  # Any: asyncio's own affair
    """What a sampling tells while something happens."""
    told = Told()

    async def play() -> None:
        second = Second(told)
        sampling = Sampling(told.record, told.now, told.reader_for, second.sleep)
        task = asyncio.create_task(sampling.carry_on())
        await settled()
        await act(sampling, second)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(play())
    return told


def test_a_living_engine_is_sampled_at_its_start_and_every_second() -> None:
    """Its number and its start go to the reader, the recorder's moment too; facts bear its case."""

    async def act(sampling: Sampling, second: Second) -> None:
        assert 1.0 == sampling.emit(starting(77, 3))
        await settled()
        await second.passes()
        await second.passes()
        assert [PERIOD_S] * 3 == second.waits

    told = played(act)
    sample = HostSampled(cpu=1.5, rss_bytes=1000, available_bytes=2000, case=3, engine_cpu=1.25)
    assert [starting(77, 3), *[sample] * 3] == told.facts
    assert [(77, 5.0)] == told.readers
    assert [1.0, 2.0, 3.0] == told.moments


def test_an_engine_that_has_loaded_is_sampled() -> None:
    """No request runs then; the reading of the second that ends just after is left out."""

    async def act(sampling: Sampling, second: Second) -> None:
        sampling.emit(starting(77))
        await settled()
        second.told.moment += 0.75
        sampling.emit(ready())
        second.told.moment -= 0.75
        await second.passes()
        await second.passes()

    told = played(act)
    assert [1.0, 1.75, 3.0] == told.moments
    assert ready() == told.facts[2]


def test_nothing_is_sampled_while_no_engine_lives() -> None:
    """Not before the first, not after one has ended; the next one is sampled again."""

    async def act(sampling: Sampling, second: Second) -> None:
        sampling.emit(ready())
        await settled()
        sampling.emit(starting(77))
        await settled()
        sampling.emit(EXITED)
        for _ in range(3):
            await second.passes()
        sampling.emit(starting(78, 2))
        await settled()
        await second.passes()

    told = played(act)
    assert [1, 2, 2] == told.samples
    assert [(77, 5.0), (78, 5.0)] == told.readers


@pytest.mark.parametrize("pid", [0, -1])
def test_an_engine_without_a_process_is_not_sampled(pid: int) -> None:
    """A made-up engine has no process, and 0 would be something else."""

    async def act(sampling: Sampling, second: Second) -> None:
        sampling.emit(starting(pid))
        sampling.emit(ready())
        await settled()

    told = played(act)
    assert ([], []) == (told.samples, told.readers)


def test_the_end_of_another_case_ends_nothing() -> None:
    """What an earlier engine says late is not about this one."""

    async def act(sampling: Sampling, second: Second) -> None:
        sampling.emit(starting(77, 2))
        await settled()
        sampling.emit(EXITED)
        await second.passes()

    assert [2, 2] == played(act).samples


def test_a_fault_of_ours_costs_the_samples_alone(caplog: pytest.LogCaptureFixture) -> None:
    """It stands in the runner's log, and the run goes on."""

    async def act(sampling: Sampling, second: Second) -> None:
        second.told.breaks = True
        sampling.emit(starting(77))
        sampling.emit(ready())
        await settled()

    told = played(act)
    assert [starting(77), ready()] == told.facts
    assert ["case 1 is sampled no more"] == [r.message for r in caplog.records]


MODEL, CHOICE = Model("m", "m", "/m"), EngineChoice("scripted", "scripted")


def carried_out(told: Told, script: Script) -> None:
    """A run of a scripted engine that says it were a process, and whose every wait but the last is over at once."""
    plan = Plan("t", "t", (Prompt("p", ("a",)),), Workload(max_tokens=20), cases=(Case(MODEL, CHOICE),))

    async def run() -> None:
        second = Second(told)
        sampling = Sampling(told.record, told.now, told.reader_for, second.sleep)

        def emit(fact: Fact) -> float:
            if isinstance(fact, FirstToken):
                told.fails = told.is_full
                asyncio.get_running_loop().create_task(second.passes())
            return sampling.emit(starting(77) if isinstance(fact, ServerStarting) else fact)

        await Runner(
            plan, {}, {}, emit, lambda case: ScriptedEngine(script), tuple, beside=sampling.carry_on
        ).carry_out()

    asyncio.run(run())


def test_a_run_samples_its_engine() -> None:
    """Also while it answers, and no more when the run has ended."""
    told = Told()
    carried_out(told, Script())

    assert len(told.samples) > 2
    assert RunFinished("finished") == told.facts[-1]


def test_a_sample_that_cannot_be_written_stops_the_run() -> None:
    """Whatever the engine does meanwhile, and it is stopped."""
    told = Told(is_full=True)
    with pytest.raises(JournalError, match="disk full"):
        carried_out(told, Script(pace=1000.0))

    assert [EXITED] == [f for f in told.facts if isinstance(f, ServerExited)]
