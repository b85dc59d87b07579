"""A word for what a run does, and a sentence for every key that cannot be used."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, get_args

import pytest

from specui.domain.events import CaseFinished, CaseStarted, Event, RunFinished, RunHeld, RunPaused
from specui.domain.run import Run, RunProgress, fold
from specui.journal.folder import RunFolder
from specui.tui.feeds import ReplayFeed, TailFeed
from specui.tui.keymap import LIVE, REPLAY, name_of
from specui.tui.watching import WORDS, reason_against, state_word
from tests.domain.runs import answered, case, finished, run_of, sent

if TYPE_CHECKING:
    from specui.domain.events import Fact
    from specui.tui.feeds import Feed

TAIL = TailFeed(RunFolder(Path("run")), 0.25)
ACTIONS = sorted({name_of(command.action) for command in (*LIVE, *REPLAY)})


def replay(*, position_s: float = 0.0, is_whole: bool = True) -> ReplayFeed:
    """A replay of ten seconds, read to its end or not."""
    feed = ReplayFeed(Path("journal.jsonl"), 0.25)
    feed.replay.is_whole = is_whole
    feed.playhead = feed.playhead.ending(10.0).sought(position_s)
    return feed


def word(run: Run, feed: Feed | None, *, is_living: bool = False, is_frozen: bool = False) -> str:
    """What the top line says."""
    return state_word(run, is_living=is_living, is_frozen=is_frozen, feed=feed)


def test_every_state_has_a_sign_of_its_own() -> None:
    """And a word: colours carry no meaning alone."""
    assert set(get_args(RunProgress)) == set(WORDS)
    assert len({told[0] for told in WORDS.values()}) == len(WORDS)
    assert {name: told[2:] for name, told in WORDS.items()} == {name: name for name in WORDS}


@pytest.mark.parametrize(
    ("fact", "expected"),
    [(RunHeld(), "◆ held"), (RunPaused(), "‖ paused"), (RunFinished("stopped"), "■ stopped"),
     (RunFinished("failed"), "✗ failed"), (RunFinished("finished"), "✓ finished"), (CaseFinished(1), "● running")],
)  # fmt: skip
def test_a_living_run_says_what_it_does(fact: Fact, expected: str) -> None:
    """By its own facts; a frozen picture says that it stands, and nothing is said where nothing is open."""
    run = run_of([case()], fact)

    assert [expected, "◇ frozen", ""] == [
        word(run, TAIL, is_living=True), word(run, TAIL, is_living=True, is_frozen=True), word(run, None),
    ]  # fmt: skip


def test_a_run_whose_writer_is_gone_broke_off() -> None:
    """At its end: a replay shows at every moment what it did then."""
    run = run_of([case()])

    assert ["✗ broke off", "✗ broke off", "● running", "● running"] == [
        word(run, TAIL), word(run, replay(position_s=10.0)), word(run, replay(position_s=9.0)),
        word(run, replay(position_s=10.0, is_whole=False)),
    ]  # fmt: skip
    assert "✓ finished" == word(run_of([case()], RunFinished("finished")), replay(position_s=10.0))


STARTED: list[Fact] = [CaseStarted(1, ("llama-server",), 1)]
AT_WORK = run_of([case()], *STARTED, sent(1))
ANSWERED = run_of([case()], *STARTED, *answered(1))
OVER = run_of([case()], *STARTED, *answered(1), CaseFinished(1), RunFinished("finished"))


def usable(run: Run, feed: Feed | None, *, is_living: bool = False) -> set[str]:
    """The actions against which there is no reason."""
    return {action for action in ACTIONS if reason_against(action, run, feed, is_living=is_living) is None}


SEEKING = {"seek", "jump", "faster", "slower", "seek_to"}
WISHES = {"skip", "stop", "mark"}
ALWAYS = {"hold", "origin"}


def test_nothing_can_be_done_where_nothing_is_open() -> None:
    """Every key says where to choose a run."""
    told = {reason_against(action, Run(), None, is_living=False) for action in ACTIONS}

    assert {"No run is open: choose one in Sessions (4)."} == told


@pytest.mark.parametrize(
    ("run", "feed", "is_living", "expected"),
    [
        (Run(), TAIL, True, ALWAYS | WISHES - {"skip"}),
        (AT_WORK, TAIL, True, ALWAYS | WISHES | {"copy_command"}),
        (ANSWERED, TAIL, True, ALWAYS | WISHES | {"copy_command", "formatted"}),
        (OVER, TAIL, True, ALWAYS | WISHES - {"skip"} | {"copy_command", "formatted"}),
        (OVER, TAIL, False, ALWAYS | {"copy_command", "formatted"}),
        (AT_WORK, replay(), False, ALWAYS | SEEKING | {"copy_command"}),
        (ANSWERED, replay(), False, ALWAYS | SEEKING | {"copy_command", "formatted"}),
        (Run(), replay(), False, ALWAYS | SEEKING),
    ],
    ids=[
        "begun",
        "at work",
        "answered",
        "over and held",
        "ended",
        "replayed",
        "replayed at an answer",
        "replayed start",
    ],
)
def test_keys_that_can_be_used(run: Run, feed: Feed, is_living: bool, expected: set[str]) -> None:
    """Wishes go to a living run, a saved one is moved through, and the rest depends on what there is to show."""
    assert expected == usable(run, feed, is_living=is_living)


@pytest.mark.parametrize("feed", [None, TAIL, replay()], ids=["nothing", "watched", "replayed"])
@pytest.mark.parametrize("is_living", [True, False])
def test_a_reason_is_one_sentence(feed: Feed | None, is_living: bool) -> None:
    """It begins like one and ends like one."""
    for run in (Run(), AT_WORK, ANSWERED, OVER):
        for action in ACTIONS:
            reason = reason_against(action, run, feed, is_living=is_living)
            assert reason is None or (reason[0].isupper() and reason.endswith(".") and "\n" not in reason)


def test_an_answer_without_an_end_is_not_complete() -> None:
    """A broken one is: nothing more will come of it."""
    broken = fold([Event(AT_WORK.seq + 1, 9.0, finished(1, error="it broke"))], AT_WORK)

    assert "formatted" in usable(broken, TAIL)
    assert "formatted" not in usable(AT_WORK, TAIL)
