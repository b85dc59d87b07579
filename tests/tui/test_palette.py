"""The palette finds what keys can do now and the themes, and nothing of Textual's own that would lose something."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from textual.app import App
from textual.binding import Binding
from textual.command import CommandList, CommandPalette

from specui.tui.app import SpecuiApp
from specui.tui.keymap import EVERYWHERE
from tests.tui.pilots import RUN, World, live_screen, on_replay, story_events, text_of, until

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable
    from pathlib import Path

    from textual.pilot import Pilot

    from specui.journal.writer import JournalWriter
    from specui.tui.feeds import ReplayFeed

THEMES_LAST = ["Theme: ansi", "Theme: dark", "Theme: light"]
ALWAYS = {"Sessions", "Live", "Help", "Theme", "Quit", "Copy or quit", "Suspend", *THEMES_LAST}


def titles(pilot: Pilot[None]) -> list[str]:
    """What the palette would list."""
    return [entry.title for entry in pilot.app.get_system_commands(pilot.app.screen)]


async def choose(pilot: Pilot[None], title: str) -> None:
    """Find something in the palette and take it."""
    await pilot.press("ctrl+p", *title)
    await until(pilot, lambda: isinstance(pilot.app.screen, CommandPalette))
    listed = pilot.app.screen.query_one(CommandList)
    await until(pilot, lambda: title in [str(option.prompt).partition("\n")[0] for option in listed.options])
    listed.highlighted = [str(option.prompt).partition("\n")[0] for option in listed.options].index(title)
    await pilot.press("enter")


def on_list(tmp_path: Path, check: Callable[[Pilot[None]], Awaitable[None]]) -> None:
    """Check something on the list of runs."""

    async def go() -> None:
        async with World(tmp_path / "runs").app(theme="dark").run_test(size=(120, 40), notifications=True) as pilot:
            await until(pilot, lambda: "the demo" in text_of(pilot.app.screen))
            await check(pilot)

    asyncio.run(go())


def test_the_list_offers_what_it_can_do(tmp_path: Path) -> None:
    """Ours, each once, with a capital letter; not Textual's Keys, Screenshot, Maximize."""

    async def check(pilot: Pilot[None]) -> None:
        found = titles(pilot)
        assert ALWAYS | {"Run the demo", "Open", "Filter", "Refresh"} == set(found)
        assert len(set(found)) == len(found)

    on_list(tmp_path, check)


def test_a_replay_offers_no_skip_and_a_living_run_no_seek(tmp_path: Path) -> None:
    """What is out of place here is left out, and so is what has a reason against it."""

    async def saved(pilot: Pilot[None], _: ReplayFeed) -> None:
        found = titles(pilot)
        assert {"Five seconds back", "Step", "Faster"} <= set(found)
        assert not {"Skip", "Skip case", "Stop", "Mark", "Run the demo"} & set(found)
        assert all(title[0].isupper() for title in found)
        assert len(set(found)) == len(found)

    async def living() -> None:
        world = World(tmp_path / "runs")
        opened, writer = world.living("2026-01-03T00-00-00-living")
        append(writer)
        async with world.app(opened).run_test(size=(120, 40)) as pilot:
            await until(pilot, lambda: live_screen(pilot).run_state.seq == 60)
            found = titles(pilot)
            assert {"Stop", "Mark"} <= set(found)
            assert not {"Step", "Faster", "Formatted"} & set(found)
        writer.close()

    on_replay(World(tmp_path / "saved"), saved)
    asyncio.run(living())


def append(writer: JournalWriter) -> None:
    """The beginning of a story."""
    for event in story_events("normal")[:60]:
        writer.append(event)


def test_a_question_has_its_own_keys_alone(tmp_path: Path) -> None:
    """Above a window only the themes can be had."""

    async def check(pilot: Pilot[None]) -> None:
        await pilot.press("question_mark")
        await until(pilot, lambda: "config.toml" in text_of(pilot.app.screen))
        assert THEMES_LAST == titles(pilot)

    on_list(tmp_path, check)


def test_what_is_chosen_happens(tmp_path: Path) -> None:
    """An action of the app, one of the screen, and a theme."""

    async def check(pilot: Pilot[None]) -> None:
        await choose(pilot, "Theme: light")
        await until(pilot, lambda: pilot.app.theme == "light")
        await choose(pilot, "Filter")
        await until(pilot, lambda: bool(pilot.app.screen.query_one("#filter").display))
        await pilot.press("enter")
        await choose(pilot, "Help")
        await until(pilot, lambda: "sessions.open" in text_of(pilot.app.screen))

    on_list(tmp_path, check)


def test_quit_of_the_palette_asks_for_a_living_run(tmp_path: Path) -> None:
    """As the key does."""

    async def go() -> None:
        world = World(tmp_path / "runs")
        opened, writer = world.living(RUN)
        append(writer)
        async with world.app(opened).run_test(size=(120, 40)) as pilot:
            await until(pilot, lambda: live_screen(pilot).run_state.seq == 60)
            await choose(pilot, "Quit")
            await until(pilot, lambda: "goes on without this window" in text_of(pilot.app.screen))
        writer.close()

    asyncio.run(go())


def test_no_key_of_textuals_own_leaves_unasked(tmp_path: Path) -> None:
    """Each that its App binds is ours here, and does nothing where the user gave ours another."""
    textuals = {key for each in App.BINDINGS if isinstance(each, Binding) for key in each.key.split(",")}
    ours = {command.id for command in EVERYWHERE}
    bound = SpecuiApp(World(tmp_path / "runs").services())._bindings.key_to_bindings

    assert {"ctrl+q", "ctrl+c"} <= textuals
    assert [] == [key for key in textuals for binding in bound[key] if binding.id not in ours]

    async def go() -> None:
        app = World(tmp_path / "runs").app(keys={"app.quit": "f10", "app.interrupt": "f9"})
        async with app.run_test(size=(120, 40)) as pilot:
            await pilot.press("ctrl+q", "ctrl+c", "q")
            await pilot.pause()
            assert not app._exit
            await pilot.press("f10")
            await until(pilot, lambda: app._exit)

    asyncio.run(go())
