"""Steps out of totals, and the books that must balance."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from specui.domain import metrics
from specui.domain.request_facts import CountersRead, PromptProgressed, StepsDecoded
from specui.domain.steps import Accounting, Step, Tally, Totals, account, step_between
from specui.domain.summary import case_summary
from tests.domain.runs import case, finished, only_request, run_of, sent

if TYPE_CHECKING:
    from specui.domain.events import Fact

BOUND = 4
KEPT = (4, 4, 4, 0, 2, 0, 0, 0, 3, 0, 4, 2, 4, 0, 3, 0, 0, 1, 4, 3)
STEP_MS = (
    80.9, 73.5, 72.8, 72.8, 72.6, 74.6, 79.6, 85.8, 87.3, 108.0, 86.4, 90.8,
    89.1, 90.2, 93.5, 89.5, 89.2, 93.8, 89.7, 89.2,
)  # fmt: skip
PLAIN_MS = 18.6
TRACE = (*(Step(ms, a + 1, 4, a) for a, ms in zip(KEPT, STEP_MS, strict=True)), Step(PLAIN_MS, 1, 0, 0))
TOTALS = Totals(60, round(sum(STEP_MS) + PLAIN_MS, 6), 80, 38)


def totals_after(steps: tuple[Step, ...]) -> Totals:
    return Totals(
        1 + sum(s.tokens for s in steps),
        round(sum(s.ms for s in steps), 6),
        sum(s.drafted for s in steps),
        sum(s.accepted for s in steps),
    )


def test_the_published_trace() -> None:
    """The facts' first test vector: D 20, A 38, P 1, 12/11/9/6, mean length 2.90, 47.5 %, 34.15 tok/s."""
    books = account(TOTALS, TRACE, BOUND, None, None)

    assert Accounting(60, drafts=20, accepted=38, plain=1, replayed=0, dropped=0) == books
    assert books is not None
    assert 0 == books.difference()
    assert (12, 11, 9, 6) == Tally().extended(TRACE, BOUND).accepted_per_position(BOUND)
    assert pytest.approx(2.90) == metrics.mean_length(38, 20)
    assert pytest.approx(0.475) == metrics.acceptance(38, 80)
    assert pytest.approx(34.15, abs=0.005) == metrics.generation_speed(TOTALS.predicted_n, TOTALS.predicted_ms)
    assert TOTALS == totals_after(TRACE)


def test_the_published_trace_with_counters() -> None:
    """22 decodes with the prompt's: 1 + 20 + 1, and the same books."""
    assert account(TOTALS, TRACE, BOUND, 20, 21) == account(TOTALS, TRACE, BOUND, None, None)


def test_the_published_trace_through_a_run() -> None:
    """The same figures by way of the journal's facts."""
    columns = StepsDecoded(
        1, 60, TOTALS.predicted_ms, 80, 38,
        tuple(s.ms for s in TRACE), tuple(s.tokens for s in TRACE),
        tuple(s.drafted for s in TRACE), tuple(s.accepted for s in TRACE),
    )  # fmt: skip
    end = finished(1, 60, TOTALS.predicted_ms, 80, 38)

    summary = case_summary(run_of([case(n_max=4)], sent(), columns, end), 1)

    assert (0.6, 0.55, 0.45, 0.3) == summary.acceptance_at
    assert pytest.approx((2.90, 0.475, 59 / 21)) == (summary.mean_length, summary.acceptance, summary.tokens_per_step)


def test_a_step_is_a_difference_of_totals() -> None:
    """Milliseconds to a nanosecond, so that sums of steps stay what the engine said."""
    assert Step(7.1, 3, 4, 2) == step_between(Totals(5, 10.2, 4, 3), Totals(8, 17.3, 8, 5))


MERGED = [
    (Step(9.0, 3, 12, 8), "a first chunk with predicted_n 4 and draft_n 12"),
    (Step(9.0, 6, 4, 4), "text held back until the next pass: 6 tokens of 4 kept"),
    (Step(9.0, 1, 4, 4), "the pass that it was held back from: 1 token of 4 kept"),
    (Step(9.0, 4, 4, 2), "a replay after a checkpoint: tokens less kept are 2"),
    (Step(9.0, 2, 4, 3), "an end inside an accepted block"),
    (Step(9.0, 2, 0, 0), "two plain passes"),
    (Step(9.0, 0, 4, 0), "a draft of which nothing shows"),
    (Step(9.0, 4, 2, 3), "more kept than drafted"),
    (Step(9.0, 6, 5, 5), "more drafted than a draft can hold"),
]


@pytest.mark.parametrize(("step", "why"), MERGED, ids=[why for _, why in MERGED])
def test_groups_that_may_be_several_passes_are_marked(step: Step, why: str) -> None:
    """Where a step is marked, positions are unknown by the steps alone: its tokens may be those of a neighbour."""
    assert step.is_merged(BOUND), why
    assert Tally().extended([*TRACE, step], BOUND).accepted_per_position(BOUND) is None


@pytest.mark.parametrize("step", [Step(9.0, 5, 4, 4), Step(9.0, 1, 4, 0), Step(9.0, 1, 0, 0), Step(9.0, 2, 1, 1)])
def test_a_pass_that_stands_alone_is_not_marked(step: Step) -> None:
    """One more token than was kept, and no more drafted than a draft holds."""
    assert not step.is_merged(BOUND)


@pytest.mark.parametrize(("step", "why"), MERGED[:4], ids=[why for _, why in MERGED[:4]])
def test_a_marked_group_needs_the_counters(step: Step, why: str) -> None:
    """Without them a term is open and no books are made up; with them the books balance."""
    steps = (*TRACE, step, Step(5.0, 1, 0, 0))
    totals = totals_after(steps)
    decodes = totals.predicted_n - 1 - totals.draft_n_accepted

    assert account(totals, steps, BOUND, None, None) is None, why
    assert account(totals, steps, BOUND, 23, None) is None
    books = account(totals, steps, BOUND, 20, decodes)

    assert books is not None
    assert (0, 20, decodes - 20) == (books.difference(), books.drafts, books.plain + books.replayed)


def test_an_end_inside_a_kept_draft_is_in_the_books() -> None:
    """Kept tokens that were never emitted are the dropped ones, with counters and without."""
    steps = (*TRACE, Step(9.0, 2, 4, 4))
    totals = totals_after(steps)
    expected = Accounting(totals.predicted_n, 21, 42, 1, 0, 3)

    assert expected == account(totals, steps, BOUND, None, None)
    assert expected == account(totals, steps, BOUND, 21, 22)
    assert 0 == expected.difference()


def test_books_that_do_not_balance_show_it() -> None:
    """Steps and counters check each other: a pass that one of them lacks is a difference."""
    books = account(TOTALS, TRACE, BOUND, 20, 25)

    assert books is not None
    assert 0 != books.difference()


def test_plain_passes_that_are_merged_kept_nothing() -> None:
    """Where nothing was drafted at all, merged groups hide nothing."""
    assert (0, 0, 0, 0) == Tally().extended([Step(9.0, 2, 0, 0), Step(5.0, 1, 0, 0)], BOUND).accepted_per_position(
        BOUND
    )


@pytest.mark.parametrize(("steps", "bound"), [((), 0), ((Step(1.0, 1, 0, 0),), 0)])
def test_where_nothing_can_be_drafted_there_are_no_positions(steps: tuple[Step, ...], bound: int) -> None:
    """No zeros are made up for a case without speculation."""
    assert Tally().extended(steps, bound).accepted_per_position(bound) is None


@pytest.mark.parametrize("reading", [None, 0, 1], ids=["no counters", "counters", "counters of someone else too"])
def test_positions_of_merged_groups_come_from_the_counters_only(reading: int | None) -> None:
    """And only where their rise can be this request's doing: 12 drafted, 8 kept, in three drafts."""
    progress = [PromptProgressed(1, 20, 0, n, float(n)) for n in (0, 20)]
    steps = StepsDecoded(1, 12, 40.0, 12, 8, (40.0,), (11,), (12,), (8,))
    before, after = CountersRead(1, None, 5, 20, 9, (5, 3, 1), 9), CountersRead(1, 1, 8, 32, 17, (8, 6, 3), 13)
    if reading == 1:
        after = CountersRead(1, 1, 9, 36, 18, (9, 6, 3), 15)
    facts: list[Fact] = [before, sent(), *progress, steps, finished(1, 12, 40.0, 12, 8)]

    request = only_request(run_of([case(n_max=4)], *facts, *([after] if reading is not None else [])))

    expected = (3, (3, 3, 2)) if reading == 0 else (None, None)
    assert expected == (request.drafts, request.accepted_per_position)
    assert request.has_merged_groups
    assert (reading == 0) == (request.accounting() is not None)
