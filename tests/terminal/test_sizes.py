"""Windows of every size, dragged at will, and lines that stall: nothing breaks, nothing is lost (C78 C81)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from specui.journal import wishes
from tests.terminal.terminal import SPECUI, Terminal

if TYPE_CHECKING:
    from tests.terminal.desk import Desk

AT_ONCE_S = 2.0
"""What a person waits for a key; a busy machine is granted the second half."""
SIZES = [(80, 24), (60, 20), (20, 5), (1, 1), (300, 80), (59, 19), (120, 40), (80, 19), (200, 60), (2, 50)]


@pytest.mark.parametrize("size", [(80, 24), (60, 20), (300, 80)], ids=str)
def test_a_size_that_is_enough(desk: Desk, size: tuple[int, int]) -> None:
    """Every part that the size has room for stands there, from the first row to the last."""
    desk.finished_run()
    terminal = desk.open("watch", size=size)
    terminal.shows("✓ finished")
    terminal.shows("? help")
    assert "✓ finished" in terminal.rows[0]
    assert "? help" in terminal.rows[-1]
    assert "╭ Thr" in terminal.text
    assert "specui needs" not in terminal.text
    terminal.press("q")
    assert terminal.ended() == 0


@pytest.mark.parametrize("size", [(59, 19), (59, 24), (80, 19), (20, 5)], ids=str)
def test_a_size_that_is_too_small(desk: Desk, size: tuple[int, int]) -> None:
    """One sentence says how much is needed, and q leaves."""
    desk.finished_run()
    terminal = desk.open("watch", size=size)
    terminal.shows("specui needs 60×20")
    assert "Throughput" not in terminal.text
    terminal.press("q")
    assert terminal.ended() == 0
    assert terminal.not_undone == []


@pytest.mark.parametrize("words", [(), ("watch",)], ids=["list", "live"])
def test_a_single_cell(desk: Desk, words: tuple[str, ...]) -> None:
    """Nothing fits, nothing breaks, and q leaves; grown back, the picture is whole."""
    desk.finished_run()
    terminal = desk.open(*words, size=(1, 1))
    terminal.until(lambda: b"\x1b[?2004h" in terminal.raw, "the terminal is taken")
    terminal.wait(0.5)
    terminal.resize(80, 24)
    terminal.shows("✓ finished")
    terminal.resize(1, 1)
    terminal.wait(0.5)
    terminal.press("q")
    assert terminal.ended() == 0
    assert terminal.not_undone == []


def test_a_terminal_that_tells_its_size_itself(desk: Desk) -> None:
    """One that answers the question for sizes in band and for whole pictures: both are used, and taken back."""
    desk.finished_run()
    terminal = desk.open("watch")
    terminal.until(lambda: b"\x1b[?2048$p" in terminal.raw, "it is asked")
    terminal.press("\x1b[?2026;2$y\x1b[?2048;2$y")
    terminal.until(lambda: b"\x1b[?2048h" in terminal.raw, "it is used")
    terminal.resize(100, 30)
    terminal.press("\x1b[48;30;100;600;1000t")
    terminal.until(lambda: "✓ finished" in terminal.rows[0] and "? help" in terminal.rows[-1], "the picture is whole")
    terminal.press("q")
    assert terminal.ended() == 0
    assert terminal.not_undone == []
    assert b"\x1b[?2048l" in terminal.raw


def test_a_size_that_is_unknown(desk: Desk) -> None:
    """A serial console says 0×0: the picture is one for 80×24."""
    desk.finished_run()
    terminal = desk.open("watch", size=(0, 0))
    terminal.shows("✓ finished")
    assert "? help" in terminal.rows[-1]
    terminal.press("q")
    assert terminal.ended() == 0


def test_an_ended_run_sends_nothing(desk: Desk) -> None:
    """Once its picture stands, not a byte goes to the terminal."""
    desk.finished_run()
    terminal = desk.open("watch")
    terminal.shows("? help")
    terminal.shows("✓ finished")
    terminal.wait(0.7)
    before = len(terminal.raw)
    terminal.wait(1)
    assert before == len(terminal.raw)


def test_the_first_picture_on_a_line_that_stalls(desk: Desk) -> None:
    """An ended run changes no more: its picture comes as soon as the terminal takes it."""
    desk.finished_run()
    terminal = desk.open("watch", size=(300, 80))
    terminal.stalls()
    terminal.shows("✓ finished", within_s=4)


def test_standard_output_in_a_file(desk: Desk) -> None:
    """The picture has the size of its terminal all the same, and follows it."""
    desk.finished_run()
    with (desk.home / "out").open("wb") as out:
        words = [*SPECUI, "watch"]
        terminal = Terminal(words, desk.environment(), desk.home, stdout=out.fileno(), size=(120, 40))
    desk.started(terminal)
    for size in ((120, 40), (70, 21)):
        terminal.resize(*size)
        terminal.until(lambda: "✓ finished" in terminal.rows[0] and "? help" in terminal.rows[-1], f"it fills {size}")
    terminal.press("q")
    assert terminal.ended() == 0
    assert b"" == (desk.home / "out").read_bytes()


@pytest.mark.slow
def test_fifty_sizes_in_three_seconds(desk: Desk) -> None:
    """A living run goes on being shown through all of them; in the last one the picture is whole."""
    desk.living_run()
    terminal = desk.open("watch")
    terminal.shows("● running")
    for number in range(50):
        terminal.resize(*SIZES[number % len(SIZES)])
        terminal.wait(0.06)
    terminal.resize(100, 32)
    terminal.until(lambda: "● running" in terminal.rows[0] and "? help" in terminal.rows[-1], "the picture is whole")
    for title in ("Throughput", "Acceptance", "Q", "so far"):
        terminal.shows(title)
    terminal.press("q")
    terminal.shows("What about it?")
    terminal.press("k")
    assert terminal.ended() == 0
    assert terminal.not_undone == []
    assert not (desk.home / "screens.log").read_bytes()


@pytest.mark.slow
def test_a_line_that_stalls(desk: Desk) -> None:
    """After four seconds without reading no queue of old pictures comes, a key works at once, and no token is lost."""
    run = desk.living_run()
    terminal = desk.open("watch", size=(120, 40))
    terminal.shows("● running")
    terminal.wait(4, reads=False)
    asked, count = run.all("request-sent")[-1]["request"], run.tokens
    terminal.press("q")
    terminal.shows("What about it?", within_s=AT_ONCE_S)
    terminal.press("\x1b")
    terminal.until(
        lambda: run.all("request-sent")[-1]["request"] != asked or terminal.answer_tokens() >= count,
        "the picture catches up", AT_ONCE_S,
    )  # fmt: skip
    wishes.put(run.folder / "inbox", wishes.Wish("stop", ""), "1")
    assert run.wait_for("run-finished")["outcome"] == "stopped"
    terminal.shows("■ stopped")
    terminal.until(lambda: terminal.answer_tokens() == run.tokens, f"the screen counts {run.tokens} tokens, too")
    terminal.press("q")
    assert terminal.ended(within_s=AT_ONCE_S) == 0
