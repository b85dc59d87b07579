"""Live, watched and replayed, a journal is the same picture: they all draw the fold of the same facts."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest

from specui.tui.feeds import ReplayFeed
from specui.tui.services import Opened
from tests.tui.pilots import JOURNALS, World, live_screen, part, story_events, text_of, until

if TYPE_CHECKING:
    from pathlib import Path

    from specui.domain.events import Event

PARTS = ("throughput", "acceptance", "step-cost", "machine", "question", "answer", "so-far")
STORIES = sorted(path.stem for path in JOURNALS.glob("*.jsonl"))
SIZE = (120, 40)


def stops(story: str) -> list[int]:
    """Numbers of events after which time passes, spread over a story: a replay can stand there."""
    events = story_events(story)
    high = 0.0
    apart = []
    for index, event in enumerate(events[:-1]):
        high = max(high, event.t)
        if events[index + 1].t > high:
            apart.append(index + 1)
    return [apart[len(apart) * n // 4] for n in range(4)] + [len(events)]


async def watched(world: World, name: str, events: list[Event], pieces: int) -> dict[str, str]:
    """The parts of the screen on a living run after events that came in so many pieces."""
    opened, writer = world.living(name)
    async with world.app(opened).run_test(size=SIZE) as pilot:
        screen = live_screen(pilot)
        size = -(-len(events) // pieces)
        for start in range(0, len(events), size):
            for event in events[start : start + size]:
                writer.append(event)
            last = events[min(start + size, len(events)) - 1].seq
            await until(pilot, lambda last=last: screen.run_state.seq >= last)  # type: ignore[misc]  # the loop's value
        await pilot.pause()
        shown = {name: part(screen, name) for name in PARTS}
        writer.close()
    return shown


async def replayed(world: World, name: str, story: str, t: float, wander: list[float]) -> dict[str, str]:
    """The parts of the screen on a saved run at a moment, after visits to others."""
    opened = world.run(name, story)
    height = SIZE[1] + 1  # the line of the replay
    async with world.app(opened).run_test(size=(SIZE[0], height)) as pilot:
        screen = live_screen(pilot)
        feed = screen._feed
        assert isinstance(feed, ReplayFeed)
        await until(pilot, lambda: feed.replay.is_whole)
        for place in [*wander, t]:
            feed.put(feed.playhead.sought(place))
            want = feed.replay.recording.at(feed.playhead.position_s).seq
            await until(pilot, lambda want=want: screen.run_state.seq == want)  # type: ignore[misc]  # as above
        await pilot.pause()
        return {name: part(screen, name) for name in PARTS}


@pytest.mark.parametrize("story", STORIES)
def test_a_watched_and_a_replayed_run_are_the_same_picture(story: str, tmp_path: Path) -> None:
    """At five moments of every golden journal: followed in one go, followed in pieces, sought to from elsewhere."""
    world = World(tmp_path / "runs")
    events = story_events(story)
    for number, count in enumerate(stops(story)):
        t = max(e.t for e in events[:count])
        wander = [events[-1].t, 0.0, t / 2]

        async def pictures(
            number: int = number, count: int = count, t: float = t, wander: list[float] = wander
        ) -> None:
            at_once = await watched(world, f"a{number}", events[:count], 1)
            in_pieces = await watched(world, f"b{number}", events[:count], 5)
            sought = await replayed(world, f"c{number}", story, t, wander)
            assert at_once == in_pieces
            assert at_once == sought

        asyncio.run(pictures())


def test_a_session_file_is_the_same_picture_as_its_journal(tmp_path: Path) -> None:
    """What was saved as TOML looks as the journal did."""
    from specui.journal import session, store

    world = World(tmp_path / "runs")
    opened = world.run("2026-01-01T00-00-00-normal")
    assert opened.folder is not None
    read = store.read(opened.folder)
    path = tmp_path / "kept.toml"
    session.save(session.Session(read.header, read.events), path)

    async def texts() -> list[str]:
        out = []
        for one in (opened, Opened(path, at_end=True)):
            async with world.app(one).run_test(size=SIZE) as pilot:
                screen = live_screen(pilot)
                await until(pilot, lambda: "finished" in text_of(screen))  # noqa: B023 (used before the loop goes on)
                await pilot.pause()
                out.append(text_of(screen))
        return out

    journal, toml = asyncio.run(texts())
    assert journal == toml
