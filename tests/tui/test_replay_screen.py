"""A replay on the Live screen: every key that steers it."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest

from specui.domain.events import Event, Marked, RunFinished
from specui.journal.writer import JournalWriter
from specui.tui.feeds import ReplayFeed
from tests.tui.pilots import RUN, World, live_screen, on_replay, part, story_events, until

if TYPE_CHECKING:
    from pathlib import Path

    from textual.pilot import Pilot


@pytest.fixture
def world(tmp_path: Path) -> World:
    """A folder of runs of this test's own."""
    return World(tmp_path / "runs")


def test_a_replay_is_steered(world: World) -> None:
    """Ends, seconds, requests, single events and speed each have a key."""

    async def check(pilot: Pilot[None], feed: ReplayFeed) -> None:
        end = feed.playhead.end_s
        assert end == feed.playhead.position_s
        await pilot.press("left")
        assert end - 5 == pytest.approx(feed.playhead.position_s)
        await pilot.press("g")
        assert feed.playhead.position_s == 0.0
        await pilot.press("right", "right")
        assert feed.playhead.position_s == pytest.approx(min(10.0, end))
        await pilot.press("g", "shift+right")
        starts = feed.replay.recording.request_starts
        assert starts[0] == feed.playhead.position_s
        await pilot.press("right_square_bracket", "shift+left")
        assert starts[0] == feed.playhead.position_s
        await pilot.press("full_stop")
        assert feed.playhead.position_s == feed.replay.recording.next_event(starts[0])
        await pilot.press("comma")
        assert starts[0] == feed.playhead.position_s
        await pilot.press("plus", "plus", "minus")
        assert feed.playhead.speed == 2.0
        await pilot.press("space")
        await until(pilot, lambda: "plays" in part(live_screen(pilot), "transport"))
        await pilot.press("space", "G")
        await until(pilot, lambda: "at the end" in part(live_screen(pilot), "transport"))

    on_replay(world, check)


def test_a_replay_jumps_between_markers(world: World) -> None:
    """`<` and `>` go to the markers before and behind."""
    opened = world.run(RUN)
    events = story_events("normal")
    last = events[-1]
    assert opened.folder is not None
    opened.folder.journal.unlink()
    with JournalWriter(opened.folder.journal, {"format": 1, "id": RUN}) as writer:
        for event in events[:-1]:
            writer.append(event)
        writer.append(Event(last.seq, last.t, Marked("fan on")))
        writer.append(Event(last.seq + 1, last.t + 3, Marked("fan off")))
        writer.append(Event(last.seq + 2, last.t + 5, RunFinished("finished")))

    async def go() -> None:
        async with world.app(opened).run_test(size=(120, 40)) as pilot:
            feed = live_screen(pilot)._feed
            assert isinstance(feed, ReplayFeed)
            await until(pilot, lambda: feed.replay.is_whole and "▲ fan off" in part(live_screen(pilot), "transport"))
            await pilot.press("less_than_sign")
            assert feed.playhead.position_s == last.t + 3
            await pilot.press("less_than_sign")
            await until(pilot, lambda: "▲ fan on" in part(live_screen(pilot), "transport"))
            await pilot.press("greater_than_sign")
            assert feed.playhead.position_s == last.t + 3

    asyncio.run(go())
