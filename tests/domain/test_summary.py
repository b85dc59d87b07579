"""The figures of a case: what counts, what is unknown, and what no engine can be right about."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from specui.domain.degenerate import is_degenerate
from specui.domain.request_facts import CountersRead, RequestFinished, StepCostsRead, StepsDecoded
from specui.domain.summary import CaseSummary, baseline_number, best_speed, case_summary
from tests.domain.runs import answered, case, finished, run_of, sent

if TYPE_CHECKING:
    from specui.domain.events import Fact
    from specui.domain.request_facts import Purpose


def summary(*facts: Fact, method: str = "draft-mtp") -> CaseSummary:
    """The only case of a run."""
    return case_summary(run_of([case(method)], *facts), 1)


def test_figures_are_weighted_by_tokens() -> None:
    """Two answers of 101 tokens in 1 s and 3 s: 200 tokens in 4 s, whatever the order."""
    facts = [*answered(1), *answered(2, turn=2, end=finished(2, predicted_ms=3000.0))]

    told = summary(*facts)

    assert (2, 1, 202) == (told.requests, told.prompts, told.tokens)
    assert pytest.approx(50.0) == told.speed
    assert [(1, 101, 100.0), (2, 101, pytest.approx(33.333, abs=1e-3))] == [
        (t.turn, t.tokens, t.speed) for t in told.turns
    ]


@pytest.mark.parametrize("purpose", ["probe", "warm-up", "sentinel"])
def test_only_results_count(purpose: Purpose) -> None:
    """Probes, warm-ups and broken answers leave every figure as it was."""
    other: list[Fact] = [sent(8, purpose=purpose), finished(8, 500, 1.0, 90, 1)]
    broken: list[Fact] = [sent(9, prompt="p9"), finished(9, 500, 1.0, 90, 1, error="the connection broke")]

    assert summary(*answered(1)) == summary(*other, *answered(1), *broken)


def test_nothing_measured_is_nothing_known() -> None:
    """No request, or only broken ones: no speed, no acceptance, no time; never 0 tok/s (C23)."""
    nothing: list[list[Fact]] = [[], [sent()], [sent(), finished(error="x")]]
    for facts in nothing:
        told = summary(*facts)
        assert (0, 0, ()) == (told.requests, told.tokens, told.turns)
        assert {None} == {
            told.speed, told.prompt_speed, told.acceptance, told.acceptance_at, told.mean_length, told.tokens_per_step,
            told.step_ms, told.draft_ms, told.ttft_ms, told.server_speed,
        }  # fmt: skip
        assert (False, False) == (told.client_timed, told.degenerate)


@pytest.mark.parametrize(
    ("draft_n", "accepted", "expected"),
    [
        (None, None, (0, 0, None, None)),
        (0, 0, (0, 0, None, None)),
        (5, None, (5, None, None, None)),
        (100, 120, (100, None, None, None)),
        (None, 3, (0, None, None, None)),
        (10, 0, (10, 0, 0.0, None)),
        (10, 10, (10, 10, 1.0, None)),
    ],
)
def test_acceptance_is_a_share_or_unknown(
    draft_n: int | None, accepted: int | None, expected: tuple[object, ...]
) -> None:
    """C42, C39: nothing drafted, half a story, more kept than drafted: no share; none kept is a share of 0."""
    told = summary(*answered(end=finished(1, 101, 1000.0, draft_n, accepted)))

    assert expected == (told.drafted, told.accepted, told.acceptance, told.mean_length)


def test_a_count_that_is_half_told_gives_no_positions() -> None:
    """C42: `draft_n` alone does not say that nothing was kept."""
    steps = StepsDecoded(1, 2, 9.0, 3, 0, (9.0,), (1,), (3,), (0,))

    assert summary(sent(), steps, finished(1, 2, 9.0, 3, None)).acceptance_at is None
    assert (0.0, 0.0, 0.0) == summary(sent(), steps, finished(1, 2, 9.0, 3, 0)).acceptance_at


def test_a_plain_answer_beside_a_drafted_one_hides_nothing() -> None:
    """An answer of one token has no pass; the lengths of the others are known all the same."""
    steps = StepsDecoded(1, 7, 20.0, 6, 4, (10.0, 10.0), (3, 3), (3, 3), (2, 2))
    facts = [sent(), steps, finished(1, 7, 20.0, 6, 4), *answered(2, end=finished(2, 1, 0.001))]

    told = summary(*facts)

    assert (3.0, (1.0, 1.0, 0.0), 3.0, 10.0) == (
        told.mean_length, told.acceptance_at, told.tokens_per_step, told.step_ms,
    )  # fmt: skip


def test_a_plain_case_takes_one_pass_a_token() -> None:
    """Tokens per step are exactly 1 without speculation, and a step is the time of a token."""
    told = summary(*answered(), method="none")

    assert (1.0, 10.0, None, None) == (told.tokens_per_step, told.step_ms, told.mean_length, told.acceptance_at)


@pytest.mark.parametrize(
    ("decodes", "expected"), [(104, 1.0), (130, 1.0), (None, 1.0)], ids=["own", "with another client's", "not told"]
)
def test_passes_of_another_client_are_not_counted(decodes: int | None, expected: float) -> None:
    """Books that do not balance are not used: a plain case has one token a step, whatever else the server did."""
    steps = StepsDecoded(1, 101, 1000.0, None, None, (10.0,) * 100, (1,) * 100, (0,) * 100, (0,) * 100)
    read = [CountersRead(1, None, 0, 0, 0, None, 4), CountersRead(1, 1, 0, 0, 0, None, decodes)]

    told = summary(read[0], sent(), steps, finished(), read[1], method="none")

    assert expected == told.tokens_per_step


@pytest.mark.parametrize(("n", "ms"), [(1, 0.001), (1, 500.0), (0, 0.0), (2, 0.0)])
def test_an_answer_of_one_token_has_no_speed(n: int, ms: float) -> None:
    """C45: 1 token in 0.001 ms is no million tokens a second."""
    assert summary(*answered(end=finished(1, n, ms))).speed is None


def test_one_rule_for_engines_of_every_age() -> None:
    """C45: 200 in 11082.606 ms and 60 in 14927.759 ms by (n - 1) / ms, whatever the engines print."""
    old = finished(1, 200, 11082.606)
    new = finished(1, 60, 14927.759)

    assert pytest.approx(199 / 11.082606) == summary(*answered(end=replace(old, server_tok_per_s=18.05))).speed
    assert pytest.approx(3.952, abs=5e-4) == summary(*answered(end=new)).speed
    assert pytest.approx(18.05) == summary(*answered(end=replace(old, server_tok_per_s=18.05))).server_speed


def test_a_cached_prompt_has_no_speed() -> None:
    """C46: 33 cached and 1 new in 382.5 ms; with 50 new ones beside it, theirs alone."""
    cached = answered(2, turn=2, end=finished(2, prompt=(1, 382.5, 33)))

    assert summary(*cached).prompt_speed is None
    assert 500.0 == summary(*answered(1), *cached).prompt_speed
    assert summary(*answered(end=finished(1, prompt=(0, None, None)))).prompt_speed is None


def test_times_by_our_own_clock_are_marked() -> None:
    """C27: such a speed is known, drafts and passes are not."""
    ours = RequestFinished(1, None, None, None, 40, 975.0, None, None, "client", None, "stop")

    told = summary(*answered(end=ours))

    assert (True, None, None, None) == (told.client_timed, told.drafted, told.acceptance, told.tokens_per_step)
    assert pytest.approx(40.0) == told.speed


def test_drafting_time_is_that_of_one_call() -> None:
    """Over all results, where the log tells."""
    costs = [StepCostsRead(1, "draft-mtp", 50.0, 10, 10), StepCostsRead(2, "draft-mtp", 150.0, 10, 10)]

    assert 10.0 == summary(*answered(1), costs[0], *answered(2), costs[1]).draft_ms
    assert summary(*answered(1), StepCostsRead(1, "draft-mtp", None, 10, 10)).draft_ms is None


def test_the_baseline_is_the_case_without_speculation() -> None:
    """Its own baseline too; None where there is none, or no such case."""
    run = run_of([case("none"), case(), case("draft-mtp", 6)])

    assert [1, 1, 1, None] == [baseline_number(run, number) for number in (1, 2, 3, 4)]
    assert baseline_number(run_of([case()]), 1) is None
    assert best_speed([]) is None
    assert 100.0 == best_speed([summary(*answered()), summary()])


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("ha" * 500, True),
        ("0" * 200, True),
        ("A start that is no loop. " + "and so on " * 60, True),
        ("x" * 240 + "The quick drafter guesses, and it is right. " * 7, True),
        ("line\n" * 60 + "\n \n", True),
        (("word " * 20 + "\n") * 8, True),
        ("ha" * 99, False),
        ("", False),
        (" " * 5000, False),
        ("".join(f"{n} squared is {n * n}.\n" for n in range(100)), False),
        ("".join(chr(97 + n**3 % 101 % 26) for n in range(101)) * 3, False),
        ("".join(f"Sentence number {n} says something new. " for n in range(200)) + "so " * 50, False),
    ],
)
def test_an_answer_in_a_loop_is_noticed(text: str, expected: bool) -> None:
    """At least half of it is one short piece over and over; short answers and counting are no loop."""
    assert expected is is_degenerate(text)


def test_a_loop_in_the_thinking_counts_too() -> None:
    """Where the answer is fine but the thought ran in circles, the speed says as little."""
    loop = StepsDecoded(1, None, None, None, None, text=((None, None, "thinking", "hm, " * 100),))

    assert summary(sent(), loop, finished()).degenerate
    assert not summary(*answered()).degenerate
