"""A run is the fold of its facts: the golden stories, and what must hold for any of them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from specui.domain.events import Event
from specui.domain.request_facts import StepsDecoded
from specui.domain.run import Run, fold
from specui.domain.series import Series
from specui.domain.summary import case_summary
from specui.journal.lines import LineReader
from tests.domain.strategies import events

STORIES = sorted((Path(__file__).parents[1] / "journals").glob("*.jsonl"))


def story(path: Path) -> list[Event]:
    """The events of a golden journal."""
    return LineReader().feed(path.read_bytes())


@pytest.mark.parametrize("path", STORIES, ids=lambda p: p.stem)
def test_a_story_folds_to_what_is_expected(path: Path) -> None:
    """Each golden journal gives its golden state."""
    expected = json.loads(path.with_suffix(".expected.json").read_text(encoding="ascii"))

    assert expected == json.loads(json.dumps(fold(story(path)).as_record()))


def test_there_is_a_story_of_each_kind() -> None:
    """The stories that must not be lost."""
    kinds = {
        "normal",
        "no-draft",
        "request-breaks",
        "server-fails",
        "stopped",
        "damaged",
        "later-version",
        "two-devices",
    }

    assert kinds | {"clock-gap"} == {p.stem for p in STORIES}


@pytest.mark.parametrize("path", STORIES, ids=lambda p: p.stem)
def test_folding_in_parts_is_folding_at_once(path: Path) -> None:
    """Property 2: live equals replay equals watch, wherever the cut falls; old states stay as they were."""
    happened = story(path)
    whole = fold(happened).as_record()
    halves = [fold(happened[:cut]) for cut in range(len(happened))]
    before = [half.as_record() for half in halves]

    assert [whole] * len(halves) == [fold(happened[cut:], half).as_record() for cut, half in enumerate(halves)]
    assert before == [half.as_record() for half in halves]


@settings(max_examples=150, deadline=None)
@given(st.lists(events, max_size=12), st.integers(0, 12))
def test_any_events_fold(happened: list[Event], cut: int) -> None:
    """Whatever facts come in whatever order, the fold does not raise, and parts give the whole."""
    ordered = [Event(n, e.t, e.fact, e.extra) for n, e in enumerate(happened, 1)]

    whole = fold(ordered)

    assert whole.as_record() == fold(ordered[cut:], fold(ordered[:cut])).as_record()
    assert len(ordered) == whole.seq


def test_an_event_that_comes_again_changes_nothing() -> None:
    """A watcher that was cut off and hears some events twice shows the same run."""
    happened = story(STORIES[0])

    assert fold(happened).as_record() == fold([*happened[:20], *happened[10:]]).as_record()


def test_lost_lines_are_counted_and_their_steps_recovered() -> None:
    """A missing batch of steps costs its detail, not its sum: totals put one merged group in its place."""
    path = next(p for p in STORIES if p.stem == "normal")
    happened = story(path)
    batches = [e for e in happened if isinstance(e.fact, StepsDecoded) and e.fact.ms]
    lost = batches[len(batches) // 2 - 1]

    whole, holed = fold(happened), fold([e for e in happened if e is not lost])

    assert 1 == holed.lost
    assert [r.predicted_n for r in whole.requests] == [r.predicted_n for r in holed.requests]
    assert [sum(s.tokens for s in r.steps) for r in whole.requests] == [
        sum(s.tokens for s in r.steps) for r in holed.requests
    ]


@pytest.mark.parametrize("path", STORIES, ids=lambda p: p.stem)
def test_figures_stay_within_their_ranges(path: Path) -> None:
    """Property 8: shares within 0 … 1, positions never rise, a mean length within 1 … n_max + 1."""
    run = fold(story(path))
    for state in run.cases:
        bound = state.case.speculation.draft_bound()
        figures = case_summary(run, state.number)
        at = figures.acceptance_at or ()

        assert figures.acceptance is None or 0 <= figures.acceptance <= 1
        assert list(at) == sorted(at, reverse=True)
        assert figures.mean_length is None or 1 <= figures.mean_length <= bound + 1


@pytest.mark.parametrize("path", STORIES, ids=lambda p: p.stem)
def test_the_books_balance(path: Path) -> None:
    """The accounting identity holds for every finished request of every story."""
    books = [r.accounting() for r in fold(story(path)).requests]

    assert [] == [b for b in books if b is not None and b.difference()]


@given(st.lists(st.integers(), max_size=10), st.lists(st.integers(), max_size=5), st.lists(st.integers(), max_size=5))
def test_forks_of_a_series_do_not_meet(base: list[int], left: list[int], right: list[int]) -> None:
    """Property 5: two states grown from one never see each other's items."""
    root = Series[int]().extended(base)
    one, other = root.extended(left), root.extended(right)

    assert (base, base + left, base + right) == (list(root), list(one), list(other))
    assert (len(base), base) == (len(root), root[:])


def test_an_empty_run_is_a_run() -> None:
    """Before the first event there is nothing, and nothing raises."""
    assert Run().as_record()["cases"] == []
