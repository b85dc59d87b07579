"""A recording shows the run as it was at any moment, however it was opened and wherever one came from."""

from __future__ import annotations

import asyncio
from bisect import bisect_right
from functools import cache
from itertools import accumulate, pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from specui.domain.codec import encode
from specui.domain.errors import UnreadableFile
from specui.domain.events import Event, Marked
from specui.domain.request_facts import RequestSent
from specui.domain.run import Run, fold
from specui.journal import replay, session
from specui.journal.lines import LineReader, write_header
from specui.journal.playhead import Playhead
from specui.journal.recording import Recording
from specui.journal.replay import Replay, last_moment

if TYPE_CHECKING:
    from specui.domain.units import Record, Seconds

JOURNALS = Path(__file__).parents[1] / "journals"
STORIES = ("normal", "clock-gap", "damaged", "stopped")
FEW = 7
"""Events between checkpoints, so that a short story has many."""


@cache
def story(name: str) -> tuple[Event, ...]:
    """The events of a golden journal, with two markers behind it."""
    events = list(LineReader().feed((JOURNALS / f"{name}.jsonl").read_bytes()))
    events += [Event(events[-1].seq + n, events[-1].t + n, Marked(f"mark {n}")) for n in (1, 2)]
    return tuple(events)


@cache
def moments(name: str) -> tuple[Seconds, ...]:
    """When each event of a story counts: at its own time, or at that of a later one that came before it."""
    return tuple(accumulate((e.t for e in story(name)), max))


@cache
def expected(name: str, count: int) -> Record:
    """The record of the run after the first `count` events, folded from nothing."""
    return fold(story(name)[:count]).as_record()


class Replayed(RuleBasedStateMachine):
    """Property 7: whatever is played, sought and stepped, the picture is the fold of what happened by then."""

    @initialize(name=st.sampled_from(STORIES), read=st.integers(0, 60))
    def open(self, name: str, read: int) -> None:
        """A view opens a recording of which only a part has been read."""
        self.name = name
        self.read = 0
        self.recording = Recording(checkpoint_events=FEW)
        self.head = Playhead(end_s=moments(name)[-1])
        self.seen: list[tuple[Run, Record]] = []
        self.read_on(read)

    @rule(more=st.integers(1, 40))
    def read_on(self, more: int) -> None:
        """Another slice arrives."""
        self.recording.extend(story(self.name)[self.read : self.read + more])
        self.read = len(self.recording)

    @rule(dt_s=st.floats(0, 0.4))
    def play(self, dt_s: float) -> None:
        """Time passes."""
        self.head = self.head.resumed().advanced(dt_s)

    @rule()
    def pause(self) -> None:
        """The picture stands."""
        self.head = self.head.paused().advanced(1.0)

    @rule(is_faster=st.booleans())
    def change_speed(self, is_faster: bool) -> None:
        """Speeds change the way, never the picture."""
        self.head = self.head.faster() if is_faster else self.head.slower()

    @rule(share=st.floats(-0.1, 1.1))
    def seek(self, share: float) -> None:
        """Anywhere, also past both ends."""
        self.head = self.head.sought(share * self.head.end_s)

    @rule(
        where=st.sampled_from(
            ["next_event", "previous_event", "next_request", "previous_request", "next_marker", "previous_marker"]
        )
    )
    def step(self, where: str) -> None:
        """To a neighbour, where there is one."""
        t = getattr(self.recording, where)(self.head.position_s)
        self.head = self.head if t is None else self.head.sought(t)

    @invariant()
    def the_picture_is_the_fold(self) -> None:
        """By the plain values of the run."""
        run = self.recording.at(self.head.position_s)
        count = min(self.read, bisect_right(moments(self.name), self.head.position_s))

        assert expected(self.name, count) == run.as_record()
        self.seen.append((run, expected(self.name, count)))

    def teardown(self) -> None:
        """Property 5: no state that was shown has changed since."""
        assert [record for _, record in self.seen] == [run.as_record() for run, _ in self.seen]


Replayed.TestCase.settings = settings(max_examples=100, stateful_step_count=25, deadline=None)
test_any_way_through_a_recording: Any = Replayed.TestCase  # Any: hypothesis makes the class


@settings(max_examples=30, deadline=None)
@given(st.sampled_from(STORIES), st.lists(st.integers(0, 100), max_size=8))
def test_any_slices_give_the_same(name: str, cuts: list[int]) -> None:
    """How a recording was read does not matter, nor that some events came twice."""
    happened, recording = story(name), Recording(checkpoint_events=FEW)
    places = [0, *sorted(min(c, len(happened)) for c in cuts), len(happened)]

    for begin, end in pairwise(places):
        recording.extend(happened[max(0, begin - 3) : end])

    assert len(happened) == len(recording)
    assert expected(name, len(happened)) == recording.whole.as_record()
    assert [expected(name, bisect_right(moments(name), t)) for t in moments(name)[::9]] == [
        recording.at(t).as_record() for t in moments(name)[::9]
    ]


def test_a_moment_includes_all_that_happens_at_it() -> None:
    """Events of one moment are seen together, and none before its time."""
    recording = Recording([Event(1, 1.0, Marked("a")), Event(2, 1.0, Marked("b")), Event(3, 2.0, Marked("c"))])

    assert [0, 2, 2, 3] == [recording.at(t).seq for t in (0.9, 1.0, 1.9, 2.0)]


def test_an_event_of_a_clock_that_was_set_back_counts_with_its_forerunner() -> None:
    """The order of the journal is the order of the run."""
    recording = Recording([Event(1, 5.0, Marked("a")), Event(2, 3.0, Marked("b")), Event(3, 6.0, Marked("c"))])

    assert [0, 2, 3] == [recording.at(t).seq for t in (4.0, 5.0, 6.0)]
    assert [(5.0, "a"), (5.0, "b"), (6.0, "c")] == list(recording.markers)


def test_single_steps_go_through_every_state() -> None:
    """Forth and back, from moment to moment; beyond the ends there is nothing."""
    recording = Recording(story("normal"))
    distinct = sorted(set(moments("normal")))
    forth, back = [recording.next_event(-1.0)], [recording.previous_event(recording.end_s + 9)]
    while forth[-1] is not None:
        forth.append(recording.next_event(forth[-1]))
    while back[-1] is not None:
        back.append(recording.previous_event(back[-1]))

    assert [*distinct, None] == forth
    assert [*distinct[-2::-1], None] == back


def test_a_step_back_from_between_two_events_undoes_the_one_that_is_seen() -> None:
    """Otherwise the key would seem to do nothing."""
    recording = Recording([Event(n, float(n), Marked(str(n))) for n in (1, 2, 3)])

    assert 1.0 == recording.previous_event(2.5)
    assert recording.previous_event(0.5) is None


def test_requests_are_those_that_count() -> None:
    """Probes and warm-ups are passed over; before the first and after the last there is none."""
    recording = Recording(story("normal"))
    starts = [
        t
        for t, e in zip(moments("normal"), story("normal"), strict=True)
        if isinstance(e.fact, RequestSent) and e.fact.purpose == "measure"
    ]

    assert starts == list(recording.request_starts)
    assert starts[1] == recording.next_request(starts[0]) == recording.previous_request(starts[1] + 0.01)
    assert recording.previous_request(starts[0]) is None
    assert recording.next_request(starts[-1]) is None


def test_markers_are_found_both_ways() -> None:
    """From the beginning forth, from the end back."""
    recording = Recording(story("normal"))
    (first, _), (last, _) = recording.markers

    assert (first, last) == (recording.next_marker(0.0), recording.next_marker(first))
    assert (first, None) == (recording.previous_marker(last), recording.previous_marker(first))


def test_an_empty_recording_shows_an_empty_run() -> None:
    """Before the first line is read there is a picture, too."""
    assert Run().as_record() == Recording().at(5.0).as_record()
    assert 0.0 == Recording().end_s


def written(path: Path, name: str) -> Path:
    """A story as a journal."""
    path.write_bytes(write_header({"format": 1, "id": "x"}) + b"".join(map(encode, story(name))))
    return path


async def opened(path: Path) -> tuple[Replay, list[Event]]:
    """A replay that was read to its end, and what it gave."""
    opening = Replay(path)
    return opening, [event async for batch in opening.batches() for event in batch]


def test_a_journal_opens_in_slices(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every event, in pieces that end anywhere, and the header of the first line."""
    monkeypatch.setattr(replay, "SLICE_BYTES", 333)

    opening, events = asyncio.run(opened(written(tmp_path / "journal.jsonl", "normal")))

    assert list(story("normal")) == events
    assert fold(events).as_record() == opening.recording.whole.as_record()
    assert opening.is_whole
    assert {"format": 1, "id": "x"} == opening.header


def test_a_session_opens_as_its_journal_does(tmp_path: Path) -> None:
    """The TOML alone is enough."""
    path = tmp_path / "session.toml"
    session.save(session.Session({"id": "x"}, story("normal")), path)

    opening, events = asyncio.run(opened(path))

    assert list(story("normal")) == events
    assert opening.header is not None
    assert "x" == opening.header["id"]
    assert opening.is_whole


def test_the_loop_runs_between_slices(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A view draws while the rest is read."""
    monkeypatch.setattr(replay, "SLICE_BYTES", 1000)
    path = written(tmp_path / "journal.jsonl", "normal")
    seen: list[int] = []

    async def look() -> None:
        reading = asyncio.create_task(opened(path))
        while not reading.done():
            seen.append(len(seen))
            await asyncio.sleep(0)

    asyncio.run(look())

    assert len(seen) > path.stat().st_size / 1000


@pytest.mark.parametrize("name", ["absent.jsonl", "absent.toml"])
def test_a_file_that_cannot_be_read_is_named(tmp_path: Path, name: str) -> None:
    """One sentence, whichever file it is."""
    with pytest.raises(UnreadableFile, match="absent"):
        asyncio.run(opened(tmp_path / name))


@pytest.mark.parametrize("name", STORIES)
def test_the_end_is_known_from_the_last_lines(tmp_path: Path, name: str) -> None:
    """Also where the very last line is cut."""
    path = written(tmp_path / "journal.jsonl", name)
    with path.open("ab") as file:
        file.write(b'{"seq":9999,"t":1e')

    assert story(name)[-1].t == last_moment(path)


def test_the_end_is_found_behind_a_very_long_line(tmp_path: Path) -> None:
    """The last whole line may be longer than what is read at first."""
    path = tmp_path / "journal.jsonl"
    path.write_bytes(write_header({"format": 1}) + encode(Event(1, 4.5, Marked("x" * 300_000))) + b"{")

    assert 4.5 == last_moment(path)


def test_a_journal_without_events_has_no_end(tmp_path: Path) -> None:
    """The header alone tells no time."""
    path = tmp_path / "journal.jsonl"
    path.write_bytes(write_header({"format": 1}))

    assert last_moment(path) is None
