"""What a model, a name, a path or a log says is shown as it is and acts on nothing; any size of terminal will do."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from specui.domain import events as ev
from specui.domain.plan import Case, EngineChoice, Model, Plan, Prompt, Speculation
from specui.domain.request_facts import FirstToken, RequestSent, StepsDecoded
from specui.journal.writer import JournalWriter
from specui.tui.feeds import ReplayFeed
from specui.tui.screens.sessions import SessionsScreen
from specui.tui.services import Opened
from tests.tui.pilots import World, live_screen, text_of, until

if TYPE_CHECKING:
    from pathlib import Path

    from specui.domain.events import Fact

MARKUP = (
    "[/]", "[/red]", "[link=file:///etc/passwd]x[/link]", "<think>\n[/]", "[00]", "a[i]",
    "[@click=app.action_leave]click me[/]", "[bold", "\\[x]", "$name",
)  # fmt: skip
CONTROLS = (
    "\x1b[2J", "\x1b[6n", "\x1b[?1049l", "\x1b]0;title\x1b\\", "\x1b]52;c;QUFB\x07", "\x9b31m", "\x00", "\u202e",
    "\x7f",
)  # fmt: skip


def story(text: str) -> list[Fact]:
    """A run in which everything that comes from outside is one text."""
    model = Model(text, text, f"/models/{text}")
    cases = tuple(
        Case(model, EngineChoice(text, "scripted"), s, device=text)
        for s in (Speculation(), Speculation("draft-mtp", 3))
    )
    plan = Plan(text, text, (Prompt("p", (text,)),), cases=cases)
    return [
        ev.RunStarted(plan.without_cases(), {"os": text}, {}),
        *(ev.CaseAdded(n, case) for n, case in enumerate(cases, 1)),
        ev.CaseStarted(1, (text, text), 1),
        ev.CaseFailed(1, text),
        ev.CaseStarted(2, (text, text), 1),
        ev.ServerLoading(2, text, 0.5),
        ev.ServerReady(2, 1.0, text, 8192, text, True, 3, 3, False),
        ev.Warned("x", text, 2),
        RequestSent(1, 2, 1, 1, text, "measure", text),
        FirstToken(1),
        StepsDecoded(1, None, None, None, None, text=((0, "target", "thinking", text), (0, "target", "answer", text))),
        StepsDecoded(1, 4, 400.0, 3, 2, (400.0,), (3,), (3,), (2,), ((1, "draft", "answer", text),)),
        ev.Marked(text),
    ]  # fmt: skip


def written(world: World, name: str, facts: list[Fact]) -> Opened:
    """An ended run of some facts."""
    folder = world.folder(name)
    with JournalWriter(folder.journal, {"format": 1, "id": name, "title": name}) as writer:
        for number, fact in enumerate(facts, 1):
            writer.append(ev.Event(number, number / 4, fact))
    return Opened(folder.journal, folder, at_end=True)


async def shown(world: World, opened: Opened, size: tuple[int, int] = (200, 50)) -> str:
    """The whole screen at the end of a run, after every key that shows or copies text was pressed."""
    async with world.app(opened).run_test(size=size, notifications=True) as pilot:
        screen = live_screen(pilot)
        feed = screen._feed
        assert isinstance(feed, ReplayFeed)
        await until(pilot, lambda: feed.replay.is_whole and screen.run_state.seq > 10)
        text = text_of(pilot.app.screen)
        await pilot.press("y")
        await until(pilot, lambda: bool(pilot.app.clipboard))
        await pilot.press("question_mark")
        await pilot.pause()
        text_of(pilot.app.screen)
        await pilot.press("escape", "o")
        await pilot.pause()
        for place in range(0, 120, 30):
            await pilot.click(offset=(place, size[1] // 2))
        assert pilot.app.is_running
        return text


@pytest.mark.parametrize("text", MARKUP)
def test_markup_is_shown_literally(text: str, tmp_path: Path) -> None:
    """C101: as model, engine, device, path, prompt, answer, error, stage and marker it stands letter by letter."""
    picture = asyncio.run(shown(World(tmp_path / "runs"), written(World(tmp_path / "runs"), "a", story(text))))
    line = " ".join(text.split())
    assert picture.count(line) >= 3
    assert text.split("\n")[-1] in picture.splitlines()[-8:][0] or line in picture


@pytest.mark.parametrize("text", CONTROLS)
def test_control_sequences_are_made_visible(text: str, tmp_path: Path) -> None:
    """C102: nothing that a terminal would obey is in the picture, and what was said still shows."""
    world = World(tmp_path / "runs")
    picture = asyncio.run(shown(world, written(world, "a", story(f"say {text} now"))))
    assert not [sign for sign in picture if ord(sign) < 32 and sign != "\n"]
    assert not any(sign in picture for sign in ("\x7f", "\x9b", "\u202e"))
    assert "say " in picture
    assert " now" in picture


def test_hostile_titles_stand_in_the_list(tmp_path: Path) -> None:
    """A run's title is data in the table, too."""
    world = World(tmp_path / "runs")
    for number, text in enumerate((*MARKUP, *CONTROLS)):
        folder = world.folder(f"2026-01-01T00-00-{number:02}-run")
        with JournalWriter(folder.journal, {"format": 1, "id": folder.id, "title": f"<{text}>"}):
            pass

    async def go() -> str:
        async with world.app().run_test(size=(120, 40)) as pilot:
            assert isinstance(pilot.app.screen, SessionsScreen)
            await until(pilot, lambda: "19 runs" in text_of(pilot.app.screen))
            return text_of(pilot.app.screen)

    picture = asyncio.run(go())
    for text in ("[/]", "[/red]", "[@click=app.action_leave]click me[/]", "a[i]"):
        assert f"<{text}>" in picture
    assert not [sign for sign in picture if ord(sign) < 32 and sign != "\n"]


@pytest.mark.parametrize("size", [(80, 24), (60, 20), (59, 19), (20, 5), (1, 1), (300, 80)])
def test_every_size_is_survived(size: tuple[int, int], tmp_path: Path) -> None:
    """C78: from one cell to a wall; below 60×20 one sentence, as far as it fits."""
    world = World(tmp_path / "runs")

    async def go() -> str:
        async with world.app(world.run("a")).run_test(size=size) as pilot:
            screen = live_screen(pilot)
            await until(pilot, lambda: screen.run_state.seq > 100)
            return text_of(pilot.app.screen)

    picture = asyncio.run(go())
    if size >= (60, 20):
        assert "╭ Thr" in picture
        assert "✓ finished" in picture
    else:
        assert "specui needs 60×20"[: size[0]].split()[0] in picture or size[0] == 1


def test_a_storm_of_sizes_loses_nothing(tmp_path: Path) -> None:
    """C78: after fifty changes the picture is the one that the last size would have had from the start."""
    world = World(tmp_path / "runs")
    opened = world.run("a")

    async def go() -> tuple[str, str]:
        async with world.app(opened).run_test(size=(120, 40)) as pilot:
            screen = live_screen(pilot)
            await until(pilot, lambda: screen.run_state.seq > 100)
            before = text_of(pilot.app.screen)
            for number in range(50):
                await pilot.resize_terminal(1 + number * 37 % 200, 1 + number * 23 % 60)
            await pilot.resize_terminal(120, 40)
            await pilot.pause()
            return before, text_of(pilot.app.screen)

    before, after = asyncio.run(go())
    assert before == after


def test_a_wall_of_text_without_spaces_is_laid_out(tmp_path: Path) -> None:
    """C75: one line of 50 kB costs no more than any other text, and its end is shown."""
    world = World(tmp_path / "runs")
    facts = story("x")
    wall = "\u4e2d" * 25_000 + "END"
    steps = next(f for f in facts if isinstance(f, StepsDecoded) and f.predicted_n)
    facts[facts.index(steps)] = replace(steps, text=((1, "draft", "answer", wall),))
    picture = asyncio.run(shown(world, written(world, "a", facts), (120, 40)))
    assert "END" in picture
