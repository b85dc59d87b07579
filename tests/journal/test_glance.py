"""A list tells of each run what a fold of it would tell, and reads only its ends."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from specui.domain.codec import encode
from specui.domain.events import (
    CaseAdded,
    CaseFinished,
    CaseStarted,
    Event,
    Fact,
    Marked,
    Outcome,
    RunFinished,
    RunHeld,
    RunPaused,
    RunResumed,
)
from specui.domain.run import fold
from specui.journal.folder import RunFolder
from specui.journal.glance import Glance, glance
from specui.journal.lines import LineReader, write_header
from specui.journal.store import state_of
from specui.journal.writer import JournalWriter
from tests.domain.runs import case

if TYPE_CHECKING:
    from specui.domain.units import Record

JOURNALS = Path(__file__).parents[1] / "journals"
STORIES = sorted(path.stem for path in JOURNALS.glob("*.jsonl"))
HEADER: Record = {"format": 1, "id": "x", "title": "A title", "created": "2026-12-01T09:58:12+00:00"}


def of(data: bytes) -> Glance:
    """A run whose journal holds these bytes, and whose writer is gone."""
    folder = RunFolder(Path("2026-12-01T09-58-12-story"))
    folder.path.mkdir(exist_ok=True)
    folder.journal.write_bytes(data)
    return glance(folder)


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Runs lie in the test's own folder."""
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize("story", STORIES)
def test_a_glance_says_what_the_fold_says(story: str) -> None:
    """State and length, wherever the journal of a run that is over breaks off."""
    lines = (JOURNALS / f"{story}.jsonl").read_bytes().splitlines(keepends=True)
    for count in (*range(2, len(lines), 7), len(lines)):
        told, run = of(b"".join(lines[:count])), fold(LineReader().feed(b"".join(lines[:count])))

        assert (state_of(run, is_live=False), run.t) == (told.state, told.length_s)
        assert ("story", "2026-12-01T09:58:12+00:00", False) == (told.title, told.created, told.is_living)


turns: st.SearchStrategy[Fact] = st.sampled_from(
    [
        RunHeld(), RunPaused(), RunResumed("2026-12-01T10:01:00+00:00", 1.0), CaseStarted(1, (), 1), CaseFinished(1),
        Marked("x"), RunFinished("finished"), RunFinished("failed"), RunFinished("stopped"),
    ]
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Written:
    """The journal of a run, closed or still open."""

    facts: tuple[Fact, ...]
    is_live: bool

    def told(self) -> Glance:
        """What a list shows of it."""
        folder = RunFolder(Path("run"))
        folder.path.mkdir(exist_ok=True)
        folder.journal.unlink(missing_ok=True)
        with JournalWriter(folder.journal, dict(HEADER)) as writer:
            for event in self.events():
                writer.append(event)
            if self.is_live:
                return glance(folder)
        return glance(folder)

    def events(self) -> list[Event]:
        """A tenth of a second apart."""
        return [Event(seq, seq / 10, fact) for seq, fact in enumerate([CaseAdded(1, case()), *self.facts], 1)]


@settings(max_examples=60, deadline=None)
@given(st.lists(turns, max_size=6), st.booleans())
def test_any_course_of_a_run_is_told_as_the_fold_tells_it(facts: list[Fact], is_live: bool) -> None:
    """Held, paused, resumed, ended and begun again: a living one and one whose writer is gone."""
    written = Written(tuple(facts), is_live)

    assert state_of(fold(written.events()), is_live) == written.told().state


@pytest.mark.parametrize(
    ("facts", "expected"),
    [
        ((), ("running", "crashed")),
        ((RunHeld(),), ("held", "crashed")),
        ((RunPaused(),), ("paused", "crashed")),
        ((RunPaused(), RunResumed("", 0.0)), ("running", "crashed")),
        ((RunHeld(), CaseStarted(1, (), 1)), ("running", "crashed")),
        ((RunFinished("stopped"),), ("stopped", "stopped")),
        ((RunFinished("failed"), Marked("x")), ("failed", "failed")),
    ],
)
def test_states_of_a_living_run_and_of_one_that_is_left(facts: tuple[Fact, ...], expected: tuple[str, str]) -> None:
    """A run that goes on after a pause runs; one whose writer is gone without a last word broke off."""
    living, left = Written(facts, is_live=True).told(), Written(facts, is_live=False).told()

    assert expected == (living.state, left.state)
    assert (expected[0] in ("running", "held", "paused"), False) == (living.is_living, left.is_living)


def test_only_the_ends_of_a_long_journal_are_read() -> None:
    """What lies between changes nothing."""
    middle = b"".join(encode(Event(n, n / 10, Marked("x" * 90))) for n in range(1, 2000))
    outcome: Outcome = "stopped"
    last = encode(Event(2000, 250.0, RunFinished(outcome)))

    told = of(write_header(dict(HEADER)) + middle + last)

    assert ("A title", outcome, 250.0) == (told.title, told.state, told.length_s)


@pytest.mark.parametrize(
    ("data", "title", "created"),
    [
        (b"", "2026-12-01T09-58-12-story", ""),
        (b"\x00\xff\n{}\n", "2026-12-01T09-58-12-story", ""),
        (b'{"format":1,"title":', "2026-12-01T09-58-12-story", ""),
        (b'{"format":1,"id":"x","title":7,"created":null}\n', "2026-12-01T09-58-12-story", ""),
        (write_header(dict(HEADER)), "A title", "2026-12-01T09:58:12+00:00"),
        (write_header({**HEADER, "title": "x" * 20_000}), "2026-12-01T09-58-12-story", ""),
    ],
    ids=["empty", "damaged", "cut", "wrong", "header alone", "a header too long"],
)
def test_what_cannot_be_read_is_left_open(data: bytes, title: str, created: str) -> None:
    """The run is listed by its folder's name; no event, no length."""
    told = of(data)

    assert (title, created, "crashed", None) == (told.title, told.created, told.state, told.length_s)


def test_a_journal_that_is_gone_is_listed_all_the_same() -> None:
    """Somebody took it away between the look at the folder and the look at the run."""
    told = glance(RunFolder(Path("gone")))

    assert ("gone", "", "crashed", None) == (told.title, told.created, told.state, told.length_s)
