"""The pictures in screenshots/: real screens over a journal that a real run of a toy model left.

`python -m tests.tui.screenshots` draws them anew; a test compares them, so they cannot go stale.
"""

from __future__ import annotations

import asyncio
import os
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from specui.domain.events import Event, Marked, RunFinished
from specui.journal.lines import LineReader
from specui.journal.writer import JournalWriter
from specui.tui.feeds import ReplayFeed
from specui.tui.services import Opened
from tests.tui.pilots import World, live_screen, until

if TYPE_CHECKING:
    from textual.pilot import Pilot

    from specui.journal.folder import RunFolder

FOLDER = Path(__file__).parent.parent.parent / "screenshots"
JOURNAL = Path(__file__).parent.parent / "data" / "toy-run.jsonl"
"""Recorded by specui with the embedded engine; see tests/data/README.md."""

NAME = "2026-12-01T12-00-00-demo"


@dataclass(frozen=True, slots=True)
class Picture:
    """One file: which screen, how large, in which theme, and the keys that lead to it."""

    name: str
    what: str
    size: tuple[int, int] = (120, 40)
    theme: str = "dark"
    share: float = 0.5835
    """How far the run has come."""
    keys: tuple[str, ...] = ()


PICTURES: tuple[Picture, ...] = (
    Picture("live", "living"),
    Picture("live-80x24", "living", (80, 24)),
    Picture("live-200x60", "living", (200, 60), share=0.9),
    Picture("live-light", "living", theme="light"),
    Picture("live-ansi", "living", theme="ansi"),
    Picture("replay", "replayed", share=0.79),
    Picture("sessions", "listed", (100, 24)),
    Picture("help", "living", keys=("question_mark",)),
)


def events() -> list[Event]:
    """The recorded run."""
    read = LineReader().feed(JOURNAL.read_bytes())
    last = read[-1]
    assert isinstance(last.fact, RunFinished)
    return read


async def drawn(picture: Picture, folder: Path) -> str:
    """The picture as SVG."""
    os.environ["HOME"] = str(folder)
    world = World(folder / ".local/state/specui/runs")
    taken = events()
    count = next(n for n, e in enumerate(taken) if e.t >= picture.share * taken[-1].t)
    if picture.what == "living":
        opened, writer = world.living(NAME)
        for event in taken[:count]:
            writer.append(event)
        async with world.app(opened, theme=picture.theme).run_test(size=picture.size) as pilot:
            await until(pilot, lambda: live_screen(pilot).run_state.seq == taken[count - 1].seq)
            svg = await exported(pilot, picture)
        writer.close()
        return svg
    run = world.folder(NAME)
    with JournalWriter(run.journal, {"format": 1, "id": NAME, "title": "demo", "created": NAME[:19]}) as writer:
        half = len(taken) // 2
        for event in taken[:half]:
            writer.append(event)
        writer.append(Event(taken[half].seq, taken[half].t, Marked("window closed")))
        for event in taken[half:]:
            writer.append(Event(event.seq + 1, event.t, event.fact))
    return await (
        _replayed(world, run, picture, taken[count].t) if picture.what == "replayed" else _listed(world, picture)
    )


async def exported(pilot: Pilot[None], picture: Picture) -> str:
    """The screen as it stands, after its keys."""
    await pilot.press(*picture.keys)
    await pilot.pause()
    await pilot.pause()
    return pilot.app.export_screenshot(title="specui")


async def _replayed(world: World, run: RunFolder, picture: Picture, t: float) -> str:
    opened = Opened(run.journal, run, at_end=True)
    async with world.app(opened, theme=picture.theme).run_test(size=picture.size) as pilot:
        screen = live_screen(pilot)
        feed = screen._feed
        assert isinstance(feed, ReplayFeed)
        await until(pilot, lambda: feed.replay.is_whole)
        feed.put(feed.playhead.sought(t))
        await until(pilot, lambda: screen.run_state.seq == feed.replay.recording.at(t).seq)
        return await exported(pilot, picture)


async def _listed(world: World, picture: Picture) -> str:
    for number, story in enumerate(("normal", "stopped", "server-fails"), 1):
        world.run(f"2026-11-{10 + number}T20-15-00-made-up", story)
    async with world.app(theme=picture.theme).run_test(size=picture.size) as pilot:
        await pilot.press("down")
        await pilot.pause()
        return await exported(pilot, picture)


def main() -> None:
    """Write every picture."""
    FOLDER.mkdir(exist_ok=True)
    os.environ.pop("NO_COLOR", None)
    for picture in PICTURES:
        with tempfile.TemporaryDirectory() as folder:
            path = FOLDER / f"{picture.name}.svg"
            path.write_text(asyncio.run(drawn(picture, Path(folder))), encoding="utf-8")
            print(path.name)


if __name__ == "__main__":
    main()
