"""The figures of a case so far: once it is over they are those of its report."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from specui.domain import live
from specui.domain.events import CaseFailed, CaseFinished, CaseSkipped
from specui.domain.live import Figures
from specui.domain.request_facts import (
    CountersRead,
    FirstToken,
    RequestFinished,
    StepCostsRead,
    StepsDecoded,
)
from specui.domain.run import Run, fold
from specui.domain.summary import case_summary
from specui.journal.lines import LineReader
from tests.domain.runs import answered, case, finished, run_of, sent

if TYPE_CHECKING:
    from specui.domain.events import Fact
    from specui.domain.request_facts import Purpose

JOURNALS = sorted((Path(__file__).parents[1] / "journals").glob("*.jsonl"))


def told_by_both(run: Run, number: int) -> list[tuple[object, object]]:
    """What the figures and the summary of a case say, side by side."""
    here, summed = live.figures(run, number), case_summary(run, number)
    return [
        (summed.requests, here.requests),
        (summed.speed, here.speed),
        (summed.acceptance, here.acceptance),
        (summed.acceptance_at, here.acceptance_at),
        (summed.tokens_per_step, here.tokens_per_step),
        (summed.step_ms, here.step_ms),
    ]


def assert_figures_are_the_summary(run: Run) -> None:
    """Of every case that is not at work."""
    for state in run.cases:
        if state.progress not in ("running", "waiting"):
            for expected, actual in told_by_both(run, state.number):
                assert expected == actual


@pytest.mark.parametrize("journal", JOURNALS, ids=lambda path: path.stem)
def test_the_figures_of_a_told_story_are_those_of_its_report(journal: Path) -> None:
    """Speed, acceptance, positions, tokens and time a step: the screen ends with what the report says."""
    assert_figures_are_the_summary(fold(LineReader().feed(journal.read_bytes())))


PURPOSES: tuple[Purpose, ...] = ("measure", "measure", "ask", "probe", "warm-up")
counts = st.none() | st.integers(0, 40)
times = st.none() | st.floats(0, 5000)


@st.composite
def requests(draw: st.DrawFn, number: int) -> list[Fact]:
    """A request with any steps and any end, or none, and what the counters and the log said behind it."""
    purpose = draw(st.sampled_from(PURPOSES))
    facts: list[Fact] = [sent(number, draw(st.integers(1, 2)), purpose=purpose), FirstToken(number)]
    n, ms, drafted, accepted = 1, 0.0, 0, 0
    for offered, kept, took in draw(
        st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4), st.floats(0, 90)), max_size=5)
    ):
        kept = min(kept, offered)
        n, ms, drafted, accepted = n + kept + 1, ms + took, drafted + offered, accepted + kept
        facts.append(StepsDecoded(number, n, ms, drafted, accepted, (took,), (kept + 1,), (offered,), (kept,)))
    ends = st.sampled_from([finished(number, n, ms, drafted, accepted), finished(number, 1, 0.0, 0, 0)])
    made_up = st.builds(
        RequestFinished, st.just(number), counts, times, counts, counts, times, counts, counts,
        st.sampled_from(["server", "client", None]), st.none(), st.just("stop"), st.none() | st.just("it broke"),
    )  # fmt: skip
    facts += draw(st.lists(ends | made_up, max_size=1))
    rises = st.builds(
        CountersRead, st.integers(1, 2), st.just(number), counts, counts, counts,
        st.none() | st.lists(st.integers(0, 9), max_size=4).map(tuple), counts,
    )  # fmt: skip
    costs = st.builds(StepCostsRead, st.just(number), st.just("draft-mtp"), times, st.just(3), st.just(3))
    return facts + draw(st.lists(rises | costs, max_size=2))


runs = st.integers(0, 4).flatmap(lambda n: st.tuples(*(requests(number) for number in range(1, n + 1))))


@settings(max_examples=30, deadline=None)
@given(runs, st.sampled_from([CaseFinished, CaseSkipped]))
def test_the_figures_of_any_case_that_is_over_are_those_of_its_report(
    told: tuple[list[Fact], ...], end: type[CaseFinished | CaseSkipped]
) -> None:
    """Whatever engines say, and whatever they leave out."""
    facts = [fact for request in told for fact in request]

    assert_figures_are_the_summary(run_of([case(), case("none")], *facts, end(1), end(2)))


@settings(max_examples=25, deadline=None)
@given(runs)
def test_shares_are_shares(told: tuple[list[Fact], ...]) -> None:
    """Property 8: 0 … 1 while it runs, too; positions never rise."""
    facts = [fact for request in told for fact in request]
    for length in range(len(facts) + 1):
        run = run_of([case(), case("none")], *facts[:length])
        for here in (live.figures(run, 1), live.figures(run, 2)):
            at = here.acceptance_at or ()
            shares = (here.acceptance or 0.0, here.draft_share or 0.0, *at)
            assert all(0 <= share <= 1 for share in shares)
            assert sorted(at, reverse=True) == list(at)
        now = live.gauge(live.current_request(run))
        assert now is None or 0 <= (now.acceptance or 0.0) <= 1


def test_an_answer_that_is_being_generated_counts_with_those_before() -> None:
    """100 tokens in 1 s and so far 20 in 0.4 s, 10 of 20 drafted ones kept: 120 tokens in 1.4 s, 110 passes."""
    going = StepsDecoded(2, 21, 400.0, 20, 10, (40.0,) * 10, (2,) * 10, (2,) * 10, (1,) * 10)
    here = live.figures(run_of([case()], *answered(1), sent(2), going), 1)

    assert (1, 0.5) == (here.requests, here.acceptance)
    assert pytest.approx((1000 * 120 / 1400, 120 / 110, 1400 / 110)) == (here.speed, here.tokens_per_step, here.step_ms)
    assert ((1.0, 0.0, 0.0), 3.0) == (here.acceptance_at, here.width)


@pytest.mark.parametrize("end", [CaseFinished(1), CaseSkipped(1), CaseFailed(1, "it broke")])
def test_a_lost_answer_does_not_count_once_its_case_is_over(end: Fact) -> None:
    """An answer without an end is no result: neither a case that is over nor a later answer takes it in."""
    steps = StepsDecoded(1, 21, 400.0, None, None, (40.0,) * 10, (2,) * 10)

    assert Figures() == live.figures(run_of([case()], sent(1), steps, end), 1)
    assert 100.0 == live.figures(run_of([case()], sent(1), steps, *answered(2)), 1).speed


def test_the_share_of_drafting_needs_the_log_of_every_answer() -> None:
    """250 of 1000 ms; unknown where one answer's is; never more than all."""
    costs = [StepCostsRead(n, "draft-mtp", 250.0, 10, 10) for n in (1, 2)]
    facts: list[Fact] = [*answered(1), costs[0], *answered(2)]

    assert live.figures(run_of([case()], *facts), 1).draft_share is None
    assert 0.25 == live.figures(run_of([case()], *facts, costs[1]), 1).draft_share
    assert 1.0 == live.figures(run_of([case()], *answered(1), replace(costs[0], draft_ms=1e9)), 1).draft_share


@pytest.mark.parametrize(
    "end", [finished(2, 50, 0.0), finished(2, 50, 10.0, 5, None), finished(2, 50, 10.0, 4, 9), finished(2, 1, 0.0)]
)
def test_odd_ends_count_as_in_the_report(end: RequestFinished) -> None:
    """An answer in no time has no speed; half a story, or one that cannot be, hides acceptance and positions."""
    steps = StepsDecoded(2, 3, 9.0, 3, 1, (9.0,), (2,), (3,), (1,))

    assert_figures_are_the_summary(run_of([case()], *answered(1), sent(2), steps, end, CaseFinished(1)))
