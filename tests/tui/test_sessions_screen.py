"""The list of runs: the demo on top, the newest first, and what opening one does."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from textual.widgets import DataTable

from specui.domain.errors import SpecuiError
from specui.tui.feeds import ReplayFeed, TailFeed
from specui.tui.keymap import EVERYWHERE, SESSIONS
from specui.tui.screens.live import LiveScreen
from specui.tui.screens.sessions import SessionsScreen
from tests.tui.pilots import World, live_screen, rows_of, story_events, text_of, until

if TYPE_CHECKING:
    from pathlib import Path


def test_the_list_begins_with_the_demo_then_the_newest_run(tmp_path: Path) -> None:
    """Each row tells state, start and length; the one under the cursor its folder."""
    world = World(tmp_path / "runs")
    world.run("2026-01-01T00-00-00-older")
    world.run("2026-01-02T00-00-00-newer", "stopped")

    async def go() -> list[str]:
        async with world.app().run_test(size=(120, 40)) as pilot:
            await until(pilot, lambda: "2 runs" in text_of(pilot.app.screen))
            await pilot.press("down")
            await until(pilot, lambda: "2026-01-02T00-00-00-newer" in text_of(pilot.app.screen))
            return list(rows_of(pilot.app.screen))

    rows = asyncio.run(go())
    assert "the demo" in rows[2]
    assert rows[3].strip().startswith("■ stopped")
    assert rows[4].strip().startswith("✓ finished")
    assert "00:11" in rows[4]


def test_enter_opens_an_ended_run_at_its_end(tmp_path: Path) -> None:
    """The Live screen shows its last picture, and 4 leads back to the same row."""
    world = World(tmp_path / "runs")
    world.run("2026-01-01T00-00-00-one")

    async def go() -> None:
        async with world.app().run_test(size=(120, 40)) as pilot:
            await until(pilot, lambda: "1 run" in text_of(pilot.app.screen))
            await pilot.press("down", "enter")
            await until(pilot, lambda: isinstance(pilot.app.screen, LiveScreen))
            await until(pilot, lambda: "at the end" in text_of(pilot.app.screen))
            assert isinstance(live_screen(pilot)._feed, ReplayFeed)
            await pilot.press("4")
            await until(pilot, lambda: isinstance(pilot.app.screen, SessionsScreen))
            assert pilot.app.screen.query_one(DataTable).cursor_row == 1

    asyncio.run(go())


def test_enter_opens_a_living_run_as_it_happens(tmp_path: Path) -> None:
    """It is followed, not replayed."""
    world = World(tmp_path / "runs")
    _, writer = world.living("2026-01-01T00-00-00-one")
    for event in story_events("normal")[:50]:
        writer.append(event)

    async def go() -> None:
        async with world.app().run_test(size=(120, 40)) as pilot:
            await until(pilot, lambda: "● running" in text_of(pilot.app.screen))
            await pilot.press("down", "enter")
            await until(pilot, lambda: isinstance(pilot.app.screen, LiveScreen))
            await until(pilot, lambda: live_screen(pilot).run_state.seq == 50)
            assert isinstance(live_screen(pilot)._feed, TailFeed)

    asyncio.run(go())
    writer.close()


def test_a_living_run_changes_its_state_in_the_list(tmp_path: Path) -> None:
    """Once its writer is gone without a last word it broke off; new runs appear by themselves."""
    world = World(tmp_path / "runs")
    _, writer = world.living("2026-01-01T00-00-00-one")

    async def go() -> None:
        async with world.app().run_test(size=(120, 40)) as pilot:
            await until(pilot, lambda: "● running" in text_of(pilot.app.screen))
            writer.close()
            await until(pilot, lambda: "✗ broke off" in text_of(pilot.app.screen))
            world.run("2026-01-02T00-00-00-two")
            await until(pilot, lambda: "2 runs" in text_of(pilot.app.screen))

    asyncio.run(go())


def test_the_filter_narrows_the_list(tmp_path: Path) -> None:
    """Only runs that hold every word of it stay; the demo makes way."""
    world = World(tmp_path / "runs")
    world.run("2026-01-01T00-00-00-apple-tart")
    world.run("2026-01-02T00-00-00-apple-pie")

    async def go() -> None:
        async with world.app().run_test(size=(120, 40)) as pilot:
            await until(pilot, lambda: "2 runs" in text_of(pilot.app.screen))
            await pilot.press("slash", *"pie apple")
            await until(pilot, lambda: "1 run" in text_of(pilot.app.screen))
            assert "the demo" not in text_of(pilot.app.screen)
            await pilot.press("enter", "enter")
            await until(pilot, lambda: isinstance(pilot.app.screen, LiveScreen))

    asyncio.run(go())


def test_the_demo_starts_and_is_watched(tmp_path: Path) -> None:
    """d hands it to a runner and opens the run that comes of it."""
    world = World(tmp_path / "runs")

    async def go() -> None:
        async with world.app().run_test(size=(120, 40)) as pilot:
            await until(pilot, lambda: "the demo" in text_of(pilot.app.screen))
            await pilot.press("d")
            await until(pilot, lambda: isinstance(pilot.app.screen, LiveScreen))
            await until(pilot, lambda: live_screen(pilot).run_state.seq == 40)

    asyncio.run(go())


def test_a_demo_that_does_not_start_says_why(tmp_path: Path) -> None:
    """The list stays, with the reason."""
    world = World(tmp_path / "runs", refuses=SpecuiError("the package xllamacpp is not installed"))

    async def go() -> None:
        async with world.app().run_test(size=(120, 40), notifications=True) as pilot:
            await until(pilot, lambda: "the demo" in text_of(pilot.app.screen))
            await pilot.press("enter")
            await until(pilot, lambda: "xllamacpp is not installed" in text_of(pilot.app.screen))
            assert isinstance(pilot.app.screen, SessionsScreen)

    asyncio.run(go())


def test_an_empty_live_screen_says_where_runs_are(tmp_path: Path) -> None:
    """2 without a run open is no dead end."""
    world = World(tmp_path / "runs")

    async def go() -> None:
        async with world.app().run_test(size=(120, 40), notifications=True) as pilot:
            await pilot.press("2")
            await until(pilot, lambda: "choose one in Sessions (4)" in text_of(pilot.app.screen))
            await pilot.press("n")
            await until(pilot, lambda: "No run is open" in text_of(pilot.app.screen))

    asyncio.run(go())


def test_the_theme_changes_and_keys_can_be_others(tmp_path: Path) -> None:
    """t goes through the themes; a key of the user's takes the place of ours."""
    world = World(tmp_path / "runs")

    async def go() -> None:
        app = world.app(theme="dark", keys={"app.theme": "f5"})
        async with app.run_test(size=(120, 40)) as pilot:
            assert app.theme == "dark"
            await pilot.press("t")
            assert app.theme == "dark"
            await pilot.press("f5")
            await until(pilot, lambda: app.theme == "light")
            await pilot.press("f5")
            await until(pilot, lambda: app.theme == "ansi")

    asyncio.run(go())


def test_a_theme_that_does_not_exist_is_told(tmp_path: Path) -> None:
    """The screens begin with the usual one all the same."""

    async def go() -> None:
        app = World(tmp_path / "runs").app(theme="nope")
        async with app.run_test(size=(120, 40), notifications=True) as pilot:
            await until(pilot, lambda: "no theme is called 'nope'" in text_of(pilot.app.screen))
            assert app.theme in {"dark", "ansi"}

    asyncio.run(go())


def test_the_help_names_ids_and_enter(tmp_path: Path) -> None:
    """Those that config.toml takes; a key of the user's stands in the place of ours; narrow terminals, too."""

    async def go(width: int) -> str:
        app = World(tmp_path / "runs").app(keys={"app.quit": "q,f10"})
        async with app.run_test(size=(width, 40)) as pilot:
            await pilot.press("question_mark")
            await until(pilot, lambda: "config.toml" in text_of(pilot.app.screen))
            return text_of(pilot.app.screen)

    for width in (80, 120):
        shown = asyncio.run(go(width))
        assert [] == [command.id for command in (*EVERYWHERE, *SESSIONS) if command.id not in shown]
        assert "⏎" in shown
        assert "q f10" in shown


def test_a_second_run_beside_a_living_one_is_asked_about(tmp_path: Path) -> None:
    """Two runs on one machine spoil each other's numbers: nothing starts unless that is meant."""
    world = World(tmp_path / "runs")
    _, writer = world.living("2026-01-01T00-00-00-first")

    async def go() -> None:
        async with world.app().run_test(size=(120, 40)) as pilot:
            await until(pilot, lambda: "1 run" in text_of(pilot.app.screen))
            await pilot.press("d")
            await until(pilot, lambda: "Another run is going on" in text_of(pilot.app.screen))
            await pilot.press("escape")
            await until(pilot, lambda: isinstance(pilot.app.screen, SessionsScreen))
            assert not (tmp_path / "runs" / "2026-01-02T00-00-00-demo").exists()
            await pilot.press("d")
            await until(pilot, lambda: "Another run is going on" in text_of(pilot.app.screen))
            await pilot.press("s")
            await until(pilot, lambda: isinstance(pilot.app.screen, LiveScreen))

    asyncio.run(go())
    writer.close()
