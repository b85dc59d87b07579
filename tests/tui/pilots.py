"""What the tests of screens share: an app over journals of the tests, and its screen as text."""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from specui.domain.errors import SpecuiError
from specui.journal.folder import RunFolder
from specui.journal.lines import LineReader
from specui.journal.wishes import What
from specui.journal.writer import JournalWriter
from specui.tui.app import SpecuiApp
from specui.tui.feeds import ReplayFeed
from specui.tui.screens.live import LiveScreen
from specui.tui.services import Opened, Services

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterator

    from textual.pilot import Pilot
    from textual.widget import Widget

    from specui.domain.events import Event
    from specui.domain.units import Record

JOURNALS = Path(__file__).parent.parent / "journals"
THEMES = Path(__file__).parent.parent.parent / "themes"
ANSWER_S = 10.0
RUN = "2026-01-01T00-00-00-a-run"


@dataclass(slots=True)
class World:
    """The folder of runs of one test, and what the screens asked for."""

    runs: Path
    wishes: list[tuple[str, What, str]] = field(default_factory=list)
    refuses: SpecuiError | None = None

    def services(self, **more: object) -> Services:
        """Callables that only write down."""
        return Services(
            runs=self.runs, wish=self._wish, start_demo=self._start_demo, refresh_hz=10.0, theme_folders=(THEMES,),
            **more,  # type: ignore[arg-type]  # whatever a test sets
        )  # fmt: skip

    def app(self, opened: Opened | None = None, **more: object) -> SpecuiApp:
        """The application over this world."""
        return SpecuiApp(self.services(**more), opened)

    def run(self, name: str, story: str = "normal", until: int | None = None) -> Opened:
        """An ended run that tells a golden story, or its first `until` events."""
        folder = self.folder(name)
        lines = (JOURNALS / f"{story}.jsonl").read_bytes().splitlines(keepends=True)
        folder.journal.write_bytes(b"".join(lines[: None if until is None else until + 1]))
        return Opened(folder.journal, folder, at_end=True)

    def folder(self, name: str) -> RunFolder:
        """The folder of a new run."""
        path = self.runs / name
        (path / "inbox").mkdir(parents=True)
        return RunFolder(path)

    def living(self, name: str) -> tuple[Opened, JournalWriter]:
        """A run that lives as long as its writer is open."""
        folder = self.folder(name)
        writer = JournalWriter(folder.journal, {"format": 1, "id": name, "title": name})
        return Opened(folder.journal, folder, is_living=True), writer

    def _wish(self, folder: RunFolder, what: What, label: str) -> None:
        self.wishes.append((folder.id, what, label))

    async def _start_demo(self) -> RunFolder:
        if self.refuses is not None:
            raise self.refuses
        opened, writer = self.living("2026-01-02T00-00-00-demo")
        for event in story_events("normal")[:40]:
            writer.append(event)
        assert opened.folder is not None
        return opened.folder


def story_events(story: str) -> list[Event]:
    """The events of a golden journal."""
    return LineReader().feed((JOURNALS / f"{story}.jsonl").read_bytes())


def story_header(story: str) -> Record:
    """Its first line."""
    reader = LineReader()
    reader.feed((JOURNALS / f"{story}.jsonl").read_bytes())
    return reader.header or {}


async def until(pilot: Pilot[None], holds: Callable[[], bool]) -> None:
    """Wait until something holds, or fail."""
    deadline = time.monotonic() + ANSWER_S
    while not holds():
        assert time.monotonic() < deadline, text_of(pilot.app.screen)
        await pilot.pause()
        await asyncio.sleep(0.01)


def live_screen(pilot: Pilot[None]) -> LiveScreen:
    """The Live screen, whatever lies above it."""
    found = [s for s in pilot.app.screen_stack if isinstance(s, LiveScreen)]
    return found[0]


def text_of(screen: Widget) -> str:
    """All that a screen shows, row by row."""
    return "\n".join(rows_of(screen))


def rows_of(screen: Widget) -> Iterator[str]:
    """The rows that a screen shows, without blanks at their ends."""
    for strip in screen.app.screen._compositor.render_strips():
        yield "".join(segment.text for segment in strip).rstrip()


def part(screen: LiveScreen, name: str) -> str:
    """What one widget of the Live screen shows."""
    widget = screen.query_one(f"#{name}")
    return "\n".join(
        "".join(segment.text for segment in widget.render_line(y)).rstrip() for y in range(widget.size.height)
    )


def on_replay(world: World, check: Callable[[Pilot[None], ReplayFeed], Awaitable[None]], story: str = "normal") -> None:
    """Check something on a saved run that is wholly read and stands at its end."""

    async def go() -> None:
        async with world.app(world.run(RUN, story)).run_test(size=(120, 40), notifications=True) as pilot:
            feed = live_screen(pilot)._feed
            assert isinstance(feed, ReplayFeed)
            await until(pilot, lambda: feed.replay.is_whole and "/" in part(live_screen(pilot), "transport"))
            await check(pilot, feed)

    asyncio.run(go())
