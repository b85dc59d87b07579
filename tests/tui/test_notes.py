"""What a reader of the numbers should know is on the screen, not only in the report."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from specui.domain import events as ev
from specui.domain.errors import UsageError
from specui.domain.events import Event
from specui.domain.run import fold
from specui.tui.pictures.headline import so_far
from specui.tui.pictures.notes import note_line, notes
from specui.tui.services import Opened
from tests.domain.runs import PLAN, answered, case, finished, run_of
from tests.tui.pilots import RUN, World, live_screen, on_replay, part, story_events, text_of, until

if TYPE_CHECKING:
    from pathlib import Path

    from textual.pilot import Pilot

    from specui.journal.folder import RunFolder
    from specui.journal.wishes import What
    from specui.tui.feeds import ReplayFeed


@pytest.fixture
def world(tmp_path: Path) -> World:
    """A folder of runs of this test's own."""
    return World(tmp_path / "runs")


def test_a_failure_is_told_in_full(world: World) -> None:
    """Its reason stands on a row of its own, and w shows all of it."""

    async def check(pilot: Pilot[None], _: ReplayFeed) -> None:
        assert "failed:" in part(live_screen(pilot), "note")
        await pilot.press("w")
        await until(pilot, lambda: type(pilot.app.screen).__name__ == "Noted")
        await pilot.press("escape")
        await until(pilot, lambda: pilot.app.screen is live_screen(pilot))

    on_replay(world, check, "server-fails")


def test_lost_lines_are_told(world: World) -> None:
    """A damaged journal says so on the screen."""

    async def check(pilot: Pilot[None], _: ReplayFeed) -> None:
        assert "missing or damaged" in part(live_screen(pilot), "note")

    on_replay(world, check, "damaged")


def test_a_run_without_anything_to_note_has_no_row_for_it(world: World) -> None:
    """And w says that there is nothing."""

    async def check(pilot: Pilot[None], _: ReplayFeed) -> None:
        assert not live_screen(pilot).has_class("-noted")
        await pilot.press("w")
        await until(pilot, lambda: "nothing to note" in text_of(pilot.app.screen))

    on_replay(world, check)


def test_the_same_warning_is_told_once() -> None:
    """Of each case once, and the newest stands on the row."""
    warned = ev.Warned("other-run", "another run lives")
    run = run_of([case()], warned, warned, ev.Warned("x", "the disk is nearly full"))
    assert ["another run lives", "the disk is nearly full"] == [text for _, text in notes(run)]
    row = "".join(text for _, text in note_line(run, 60))
    assert row.startswith("! the disk is nearly full")
    assert "all 2" in row


def test_the_plans_own_note_is_told() -> None:
    """Whoever started the run may have written down why it is as it is."""
    run = fold([Event(1, 0.0, ev.RunStarted(replace(PLAN, note="on battery"), {}, {}))])
    assert [("text", "on battery")] == notes(run)


@pytest.mark.parametrize("data", [b"", b"\x00\xff" * 500, b"no journal\n"])
def test_a_file_without_a_line_of_a_journal_is_refused(data: bytes, world: World) -> None:
    """One sentence, and nothing is shown that was never measured."""
    folder = world.folder(RUN)
    folder.journal.write_bytes(data)

    async def go() -> str:
        app = world.app(Opened(folder.journal, folder, at_end=True))
        async with app.run_test(size=(120, 40)) as pilot:
            await until(pilot, lambda: app.failure is not None)
        return str(app.failure)

    assert "no line of a journal" in asyncio.run(go())


def test_leaving_a_run_that_ends_meanwhile_is_no_crash(tmp_path: Path) -> None:
    """The question stood open while the run ended: stopping it is done, keeping it means nothing any more."""

    class Ended(World):
        def _wish(self, folder: RunFolder, what: What, label: str) -> None:
            raise UsageError("the run has ended")

    async def go(key: str, name: str) -> bool:
        world = Ended(tmp_path / name)
        opened, writer = world.living(RUN)
        for event in story_events("normal")[:60]:
            writer.append(event)
        app = world.app(opened)
        async with app.run_test(size=(120, 40)) as pilot:
            await until(pilot, lambda: live_screen(pilot).run_state.seq >= 60)
            await pilot.press("q")
            await until(pilot, lambda: "goes on without this window" in text_of(pilot.app.screen))
            writer.append(Event(61, 20.0, ev.RunFinished("finished")))
            writer.close()
            await until(pilot, lambda: live_screen(pilot)._has_ended)
            await pilot.press(key)
            await until(pilot, lambda: app._exit)
        return app.leaves_running

    assert asyncio.run(go("s", "stop")) is False
    assert asyncio.run(go("k", "keep")) is False


def test_the_fastest_case_is_never_left_out() -> None:
    """Where not all cases fit, the first, the fastest and the current one stand, and a sign says that more were run."""
    cases = [case("none"), *(case("draft-mtp", n) for n in range(1, 12))]
    facts: list[ev.Fact] = []
    for number in range(1, 13):
        facts += answered(number, number, end=finished(number, 101, 1000.0 if number == 4 else 2000.0))
    run = run_of(cases, *facts)
    narrow = "".join(text for _, text in so_far(run, 50))
    assert "mtp n3 100.0" in narrow
    assert len(narrow) <= 50
    row = "".join(text for _, text in so_far(run, 80))
    assert "none" in row
    assert "mtp n3 100.0" in row
    assert "mtp n11" in row
    assert "…" in row
    assert len(row) <= 80
