"""The order of what a runner does, and that nothing which fails stops it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

import pytest

from specui.domain.errors import EngineUnusable, JournalError
from specui.domain.events import (
    CaseFailed,
    CaseFinished,
    CaseSkipped,
    CaseStarted,
    Fact,
    Marked,
    Requested,
    RequestFinished,
    RequestSent,
    RunFinished,
    ServerExited,
    StepsDecoded,
    Warned,
)
from specui.domain.plan import Case, EngineChoice, Model, Plan, Prompt, Speculation, Workload
from specui.engines.scripted import Script, ScriptedEngine
from specui.journal.wishes import Wish
from specui.runner.runner import Runner

MODEL, ENGINE = Model("m", "m", "/m"), EngineChoice("scripted", "scripted")
QUICK = Script()
NONE, MTP = Case(MODEL, ENGINE), Case(MODEL, ENGINE, Speculation("draft-mtp", 3))


@dataclass
class Told:
    """A place for facts in which each is worth a hundredth of a second; wishes come when a fact asks for them."""

    facts: list[Fact] = field(default_factory=list)
    wishes: list[Wish] = field(default_factory=list)
    on: Callable[[Fact], Sequence[Wish]] = lambda fact: ()

    def emit(self, fact: Fact) -> float:
        """Take a fact."""
        self.facts.append(fact)
        self.wishes += self.on(fact)
        return len(self.facts) / 100

    def take(self) -> list[Wish]:
        """Give the wishes."""
        taken, self.wishes = self.wishes, []
        return taken

    def of(self, *kinds: type[Fact]) -> list[Fact]:
        """The facts of some kinds, in order."""
        return [f for f in self.facts if isinstance(f, kinds)]


def plan(*cases: Case, repeats: int = 1) -> Plan:
    """Two prompts, one of them with two turns."""
    prompts = (Prompt("two", ("first", "second")), Prompt("one", ("only",)))
    return Plan("t", "t", prompts, Workload(max_tokens=20), repeats, cases=cases)


def carried_out(a_plan: Plan, script: Script = QUICK, told: Told | None = None) -> Told:
    """What a runner tells of a plan."""
    heard = told or Told()
    engine = ScriptedEngine(script)
    runner = Runner(a_plan, {}, {}, heard.emit, lambda case: engine, heard.take)
    asyncio.run(runner.carry_out())
    return heard


def test_the_order_of_a_run() -> None:
    """Plan, cases; then per case: start, probe, warm-up, every repeat of every prompt and turn, end."""
    told = carried_out(plan(NONE, MTP, repeats=2))

    asked = [(f.case, f.purpose, f.repeat, f.prompt_id, f.turn) for f in told.facts if isinstance(f, RequestSent)]
    per_pass = [("two", 1), ("two", 2), ("one", 1)]
    of_case = [("probe", 1, "probe", 1), ("warm-up", 1, "warm-up", 1)]
    of_case += [("measure", repeat, prompt, turn) for repeat in (1, 2) for prompt, turn in per_pass]
    assert [(case, *rest) for case in (1, 2) for rest in of_case] == asked
    assert ["RunStarted", "CaseAdded", "CaseAdded", "CaseStarted"] == [type(f).__name__ for f in told.facts[:4]]
    assert RunFinished("finished") == told.facts[-1]
    assert list(range(1, 17)) == [f.request for f in told.facts if isinstance(f, RequestSent)]


def test_an_engine_that_does_not_start_fails_its_case_alone() -> None:
    """The next case runs; the run says that one failed."""
    heard = Told()
    engines = {"none": ScriptedEngine(Script(fails_to_load="out of memory")), "draft-mtp": ScriptedEngine()}
    runner = Runner(plan(NONE, MTP), {}, {}, heard.emit, lambda c: engines[c.speculation.method], heard.take)

    asyncio.run(runner.carry_out())

    assert [CaseFailed(1, "out of memory"), CaseFinished(2)] == heard.of(CaseFailed, CaseFinished)
    assert RunFinished("failed") == heard.facts[-1]


def test_a_program_that_cannot_run_fails_its_case_in_words() -> None:
    """Also where there is no engine at all."""
    heard = Told()

    def none_fits(case: Case) -> ScriptedEngine:
        raise EngineUnusable("killed by SIGILL: built for another CPU")

    asyncio.run(Runner(plan(NONE), {}, {}, heard.emit, none_fits, heard.take).carry_out())

    assert [CaseFailed(1, "killed by SIGILL: built for another CPU")] == heard.of(CaseFailed)


def test_a_broken_request_ends_its_case_and_keeps_what_came() -> None:
    """C31: the request is there with its error, the case failed, the server was stopped."""
    told = carried_out(plan(MTP), Script(breaks_at_step=2))

    broken = [f for f in told.facts if isinstance(f, RequestFinished) and f.error]
    assert 1 == len(broken)
    assert [CaseFailed(1, "two, turn 1, after 6 tokens: the connection broke")] == told.of(CaseFailed)
    assert 1 == len(told.of(ServerExited))


def test_a_fault_of_ours_costs_one_case() -> None:
    """A bug in an adapter is a fact, and the next case runs."""
    heard = Told()

    def broken(case: Case) -> ScriptedEngine:
        if case == NONE:
            raise ZeroDivisionError("oops")
        return ScriptedEngine()

    asyncio.run(Runner(plan(NONE, MTP), {}, {}, heard.emit, broken, heard.take).carry_out())

    assert [CaseFailed(1, "specui itself failed: ZeroDivisionError: oops"), CaseFinished(2)] == heard.of(
        CaseFailed, CaseFinished
    )


def test_a_journal_that_cannot_be_written_stops_the_run() -> None:
    """That alone ends everything, loudly, and the engine is stopped."""
    heard = Told()

    def emit(fact: Fact) -> float:
        if isinstance(fact, StepsDecoded):
            raise JournalError("disk full")
        return heard.emit(fact)

    with pytest.raises(JournalError, match="disk full"):
        asyncio.run(Runner(plan(NONE), {}, {}, emit, lambda c: ScriptedEngine(), heard.take).carry_out())
    assert 1 == len(heard.of(ServerExited))


def on_request(number: int, wish: Wish) -> Callable[[Fact], Sequence[Wish]]:
    """A wish that comes when a request goes out."""
    return lambda fact: (wish,) if isinstance(fact, RequestSent) and fact.request == number else ()


def test_a_skip_leaves_the_case_and_the_next_one_runs() -> None:
    """The wish is a fact, the engine is stopped, the case says that it was skipped."""
    told = carried_out(plan(NONE, MTP), Script(pace=2.0, tokens=20), Told(on=on_request(2, Wish("skip", "me"))))

    assert [Requested("skip", "me")] == told.of(Requested)
    assert [CaseStarted, CaseSkipped, CaseStarted, CaseFinished] == [
        type(f) for f in told.of(CaseStarted, CaseSkipped, CaseFinished)
    ]
    assert 2 == len(told.of(ServerExited))
    assert RunFinished("finished") == told.facts[-1]


def test_a_stop_ends_the_run() -> None:
    """Nothing more is started, and the last word says why."""
    told = carried_out(plan(NONE, MTP), Script(pace=2.0, tokens=20), Told(on=on_request(2, Wish("stop", "me"))))

    assert 1 == len(told.of(CaseStarted))
    assert [CaseSkipped(1), RunFinished("stopped")] == told.of(CaseSkipped, RunFinished)


def test_a_mark_disturbs_nothing() -> None:
    """It stands in the journal where it came."""
    told = carried_out(plan(NONE), Script(pace=1.0, tokens=20), Told(on=on_request(2, Wish("mark", "me", "here"))))

    assert [Marked("here")] == told.of(Marked)
    assert [CaseFinished(1)] == told.of(CaseFinished)


def test_a_method_that_drafts_nothing_is_noted() -> None:
    """C42: speculation is on and 0 are drafted: the probe says so, and so does the end of the case."""
    told = carried_out(plan(replace(MTP, speculation=Speculation("ngram-mod", 1))), Script(tokens=1))

    assert ["nothing-drafted"] == [f.code for f in told.facts if isinstance(f, Warned)]
