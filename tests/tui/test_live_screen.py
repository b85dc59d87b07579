"""The Live screen: what its keys do, and what it says where they cannot."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import pytest

from specui.domain.errors import UsageError
from specui.tui.feeds import ReplayFeed
from specui.tui.services import Opened
from specui.tui.widgets.answer import AnswerText
from tests.tui.pilots import RUN, World, live_screen, on_replay, part, story_events, text_of, until

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable
    from pathlib import Path

    from textual.pilot import Pilot

    from specui.journal.writer import JournalWriter


@pytest.fixture
def world(tmp_path: Path) -> World:
    """A folder of runs of this test's own."""
    return World(tmp_path / "runs")


def on_living(
    world: World, check: Callable[[Pilot[None], JournalWriter], Awaitable[None]], events: int = 60, **more: Any
) -> None:  # Any: whatever the services take
    """Check something on a run that lives and has come so far."""

    async def go() -> None:
        opened, writer = world.living(RUN)
        for event in story_events("normal")[:events]:
            writer.append(event)
        try:
            async with world.app(opened, **more).run_test(size=(120, 40), notifications=True) as pilot:
                await until(pilot, lambda: live_screen(pilot).run_state.seq >= events)
                await check(pilot, writer)
        finally:
            writer.close()

    asyncio.run(go())


def test_a_living_run_shows_what_it_does(world: World) -> None:
    """Model, case, repeat, state, and what the engine did after loading stand at the top."""

    async def check(pilot: Pilot[None], _: JournalWriter) -> None:
        head = part(live_screen(pilot), "head")
        for words in ("Made-Up-7B", "● running", "case 1/2", "33/33 layers on GPU", "ctx 8192", "speculation", "b0"):
            assert words in head

    on_living(world, check)


def test_space_freezes_the_picture_and_loses_nothing(world: World) -> None:
    """A frozen screen stays while the run goes on, and shows all of it afterwards."""

    async def check(pilot: Pilot[None], writer: JournalWriter) -> None:
        await pilot.press("space")
        await until(pilot, lambda: "◇ frozen" in text_of(pilot.app.screen))
        frozen = part(live_screen(pilot), "answer")
        for event in story_events("normal")[60:]:
            writer.append(event)
        await until(pilot, lambda: live_screen(pilot)._latest.seq >= 110)
        assert frozen == part(live_screen(pilot), "answer")
        await pilot.press("space")
        await until(pilot, lambda: "✓ finished" in text_of(pilot.app.screen))

    on_living(world, check)


def test_the_keys_of_a_living_run_leave_wishes(world: World) -> None:
    """n skips, x stops after asking, m marks with the label that was typed."""

    async def check(pilot: Pilot[None], _: JournalWriter) -> None:
        await pilot.press("n")
        await until(pilot, lambda: world.wishes == [(RUN, "skip", "")])
        await pilot.press("x")
        await until(pilot, lambda: "End this run?" in text_of(pilot.app.screen))
        await pilot.press("escape")
        await until(pilot, lambda: "End this run?" not in text_of(pilot.app.screen))
        assert len(world.wishes) == 1
        await pilot.press("x")
        await until(pilot, lambda: "End this run?" in text_of(pilot.app.screen))
        await pilot.press("s")
        await until(pilot, lambda: world.wishes[1:] == [(RUN, "stop", "")])
        await pilot.press("m")
        await until(pilot, lambda: "A marker here" in text_of(pilot.app.screen))
        await pilot.press(*"fan on", "enter")
        await until(pilot, lambda: world.wishes[2:] == [(RUN, "mark", "fan on")])

    on_living(world, check)


def test_leaving_a_living_run_asks_once(world: World) -> None:
    """q offers to keep it running, to stop it, or to stay; keeping it leaves it alone."""

    async def check(pilot: Pilot[None], _: JournalWriter) -> None:
        await pilot.press("q")
        await until(pilot, lambda: "goes on without this window" in text_of(pilot.app.screen))
        await pilot.press("escape")
        await until(pilot, lambda: "goes on without" not in text_of(pilot.app.screen))
        await pilot.press("q")
        await until(pilot, lambda: "goes on without this window" in text_of(pilot.app.screen))
        await pilot.press("k")
        await until(pilot, lambda: not pilot.app.is_running or pilot.app._exit)
        assert world.wishes == []
        assert getattr(pilot.app, "leaves_running", False)

    on_living(world, check)


def test_a_wish_that_cannot_be_left_is_told(tmp_path: Path) -> None:
    """The reason is shown, and the screen goes on."""

    class Refusing(World):
        def _wish(self, *_: object) -> None:
            raise UsageError("the run has ended: there is nothing to skip")

    async def check(pilot: Pilot[None], _: JournalWriter) -> None:
        await pilot.press("n")
        await until(pilot, lambda: "nothing to skip" in text_of(pilot.app.screen))

    on_living(Refusing(tmp_path / "runs"), check)


def test_a_run_that_ends_says_so_and_can_be_looked_at_again(world: World) -> None:
    """Its state changes; skipping has no meaning any more; space makes a replay of it."""

    async def check(pilot: Pilot[None], writer: JournalWriter) -> None:
        for event in story_events("normal")[60:]:
            writer.append(event)
        writer.close()
        await until(pilot, lambda: live_screen(pilot)._has_ended)
        await pilot.press("n")
        await until(pilot, lambda: "The run has ended" in text_of(pilot.app.screen))
        assert world.wishes == []
        await pilot.press("space")
        await until(pilot, lambda: isinstance(live_screen(pilot)._feed, ReplayFeed))
        await until(pilot, lambda: "×1 plays" in part(live_screen(pilot), "transport"))

    on_living(world, check)


def test_a_run_whose_runner_vanished_is_not_shown_as_running(world: World) -> None:
    """A journal without a last word and without a writer broke off."""

    async def check(pilot: Pilot[None], writer: JournalWriter) -> None:
        writer.close()
        await until(pilot, lambda: "✗ broke off" in text_of(pilot.app.screen))

    on_living(world, check)


@pytest.mark.parametrize(("key", "reason"), [("n", "saved run"), ("x", "saved run"), ("m", "saved run")])
def test_a_key_that_cannot_be_used_says_why(world: World, key: str, reason: str) -> None:
    """A replay skips, stops and marks nothing."""

    async def check(pilot: Pilot[None], _: ReplayFeed) -> None:
        await pilot.press(key)
        await until(pilot, lambda: reason in text_of(pilot.app.screen))
        assert world.wishes == []

    on_replay(world, check)


def test_the_lens_is_switched(world: World) -> None:
    """o shades the answer by who made each token, or not; the words stay."""

    async def check(pilot: Pilot[None], _: ReplayFeed) -> None:
        answer = live_screen(pilot).query_one(AnswerText)
        words = part(live_screen(pilot), "answer")
        shaded = {name for line in answer._flow.lines for name, _ in line.spans}
        assert {"origin-draft", "origin-target"} <= shaded
        await pilot.press("o")
        await pilot.pause()
        assert {name for line in answer._flow.lines for name, _ in line.spans} == {"text"}
        assert words == part(live_screen(pilot), "answer")

    on_replay(world, check)


def test_the_answer_can_be_selected(world: World) -> None:
    """What the mouse marks is what is copied."""

    async def check(pilot: Pilot[None], _: ReplayFeed) -> None:
        answer = live_screen(pilot).query_one(AnswerText)
        first = answer._flow.lines[0].text
        await pilot.mouse_down(answer, offset=(0, 0))
        await pilot.hover(answer, offset=(8, 0))
        await pilot.mouse_up(answer, offset=(8, 0))
        assert pilot.app.screen.get_selected_text() == first[:9]

    on_replay(world, check)


def test_markdown_is_laid_out_once_the_answer_is_complete(world: World) -> None:
    """v shows it on a sheet of its own; escape leaves it."""

    async def check(pilot: Pilot[None], _: ReplayFeed) -> None:
        await pilot.press("v")
        await until(pilot, lambda: type(pilot.app.screen).__name__ == "Formatted")
        await pilot.press("escape")
        await until(pilot, lambda: pilot.app.screen is live_screen(pilot))

    on_replay(world, check)


def test_the_command_is_copied(world: World) -> None:
    """y puts the engine's command line on the clipboard and shows it."""

    async def check(pilot: Pilot[None], _: ReplayFeed) -> None:
        await pilot.press("y")
        await until(pilot, lambda: pilot.app.clipboard.startswith("scripted"))

    on_replay(world, check)


def test_help_lists_every_key_with_its_reason(world: World) -> None:
    """What a key does, and why it cannot be used now."""

    async def check(pilot: Pilot[None], _: JournalWriter) -> None:
        await pilot.press("question_mark")
        await until(pilot, lambda: "skip" in text_of(pilot.app.screen))
        assert "not now: The answer is not complete yet" in text_of(pilot.app.screen)

    on_living(world, check)


def test_a_file_that_is_no_session_ends_with_its_reason(world: World, tmp_path: Path) -> None:
    """The app leaves at once and carries the sentence out."""
    path = tmp_path / "broken.toml"
    path.write_text("format = 1\n[session]\nid = 'x'\n")

    async def go() -> str:
        app = world.app(Opened(path))
        async with app.run_test(size=(120, 40)) as pilot:
            await until(pilot, lambda: app.failure is not None)
        return str(app.failure)

    assert "holds no [events]" in asyncio.run(go())


def test_behind_a_window_the_picture_stands_still(world: World) -> None:
    """A window would be drawn whole for every row behind it; what happened is shown once it is left."""

    async def check(pilot: Pilot[None], writer: JournalWriter) -> None:
        screen = live_screen(pilot)
        await pilot.press("question_mark")
        await until(pilot, lambda: pilot.app.screen is not screen)
        shown = screen.run_state.seq
        for event in story_events("normal")[60:90]:
            writer.append(event)
        await until(pilot, lambda: screen._latest.seq == 90)
        assert shown == screen.run_state.seq
        await pilot.press("escape")
        await until(pilot, lambda: screen.run_state.seq == 90)

    on_living(world, check)
