"""Formulas against hand-worked rows and published ones."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from specui.domain import metrics


def test_speed_leaves_the_first_token_out() -> None:
    """60 tokens in 14927.759 ms are 3.952 tok/s: the first comes out of the prompt pass (field case C45)."""
    assert pytest.approx(3.952, abs=5e-4) == metrics.generation_speed(60, 14927.759)


@pytest.mark.parametrize(("n", "ms"), [(1, 0.001), (0, 0.0), (1, 500.0), (5, 0.0)])
def test_no_speed_without_a_second_token_or_without_time(n: int, ms: float) -> None:
    """A first chunk of 1 token in 0.001 ms is no million tokens a second (C45)."""
    assert metrics.generation_speed(n, ms) is None


def test_a_cached_turn_has_no_prompt_speed() -> None:
    """One new token beside 33 cached ones says nothing about the prompt (C46)."""
    assert metrics.prompt_speed(1, 382.5) is None
    assert pytest.approx(100.0) == metrics.prompt_speed(50, 500.0)


def test_nothing_drafted_is_no_acceptance() -> None:
    """0 of 0 is unknown, neither 0 % nor 100 % (C42)."""
    assert metrics.acceptance(0, 0) is None
    assert metrics.mean_length(0, 0) is None
    assert metrics.acceptance_at((), 0) is None


def test_more_kept_than_drafted_is_no_share() -> None:
    """120 of 100 cannot be: unknown, neither 120 % nor a silent 100 % (C39)."""
    assert metrics.acceptance(120, 100) is None
    assert 1.0 == metrics.acceptance(100, 100)


def test_mean_length_counts_the_own_token() -> None:
    """167 of 87 drafts kept are 2.92 tokens a verification (C40)."""
    assert pytest.approx(2.92, abs=0.005) == metrics.mean_length(167, 87)
    assert pytest.approx(1.2326, abs=5e-5) == metrics.mean_length(10, 43)


def test_a_worked_trace() -> None:
    """The 20 steps of the facts' first test vector: per position 12/11/9/6, mean length 2.90, 47.5 %."""
    at = metrics.acceptance_at((12, 11, 9, 6), 20)

    assert at == (0.6, 0.55, 0.45, 0.3)
    assert pytest.approx([0.6, 0.917, 0.818, 0.667], abs=1e-3) == list(metrics.conditional_acceptance(at))
    assert pytest.approx(2.90) == metrics.mean_length(38, 20)
    assert pytest.approx(0.475) == metrics.acceptance(38, 80)
    assert pytest.approx(59 / 21) == metrics.tokens_per_step(60, 21)
    assert 21 == metrics.steps_from_totals(60, 38)


@given(st.floats(0.0, 1.0), st.integers(1, 16))
def test_alpha_solves_its_equation(chance: float, n_max: int) -> None:
    """Property 8: the found chance gives the mean back to 1e-9."""
    mean = sum(chance**i for i in range(1, n_max + 1))

    found = metrics.alpha(min(mean, n_max), n_max)

    assert found is not None
    assert abs(sum(found**i for i in range(1, n_max + 1)) - min(mean, n_max)) < 1e-9


@given(st.floats(0.01, 1e6), st.floats(0.01, 1e6))
def test_speedups_are_reciprocal(a: float, b: float) -> None:
    """Property 12: two speeds compared in either order."""
    forth, back = metrics.speedup(a, b), metrics.speedup(b, a)

    assert forth is not None
    assert back is not None
    assert pytest.approx(1.0) == forth * back


def test_speed_of_several_is_weighted_by_tokens() -> None:
    """Two answers of 101 tokens, 1 s and 3 s: 200 tokens in 4 s, not the mean of 100 and 33."""
    assert pytest.approx(50.0) == metrics.weighted_speed([(101, 1000.0), (101, 3000.0), (1, 0.001)])


def test_the_expected_speedup_is_leviathans() -> None:
    """Chance 0.8, 5 drafts, a draft for 0.1 of a pass: 3.69 tokens in 1.5 passes; certain drafts give n + 1."""
    assert pytest.approx((1 - 0.8**6) / 0.2 / 1.5) == metrics.expected_speedup(0.8, 5, 0.1)
    assert pytest.approx(6.0) == metrics.expected_speedup(1.0, 5, 0.0)
