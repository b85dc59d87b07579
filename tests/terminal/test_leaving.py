"""However the screens are left, the terminal is what it was before, and a watched run goes on (C73)."""

from __future__ import annotations

import signal
from typing import TYPE_CHECKING

import pytest

from tests.terminal.terminal import LEFT

if TYPE_CHECKING:
    from tests.terminal.desk import Desk

BREAKS = """
import os, sys
from specui.cli.main import main
from specui.tui.screens.live import LiveScreen

shown, show = [], LiveScreen._show

def broken(self, **options):
    shown.append(1)
    if len(shown) > int(os.environ["LOOKS"]):
        raise RuntimeError("made to fail")
    show(self, **options)

LiveScreen._show = broken
sys.exit(main(sys.argv[1:]))
"""
"""The command with a fault in what is done at every look after the first LOOKS."""


@pytest.mark.parametrize(("words", "shown"), [((), "story"), (("watch",), "✓ finished"), (("replay", "last"), "×1")])
def test_q_leaves_the_terminal_as_it_was(desk: Desk, words: tuple[str, ...], shown: str) -> None:
    """Modes of mouse, paste and keyboard are off, the cursor and the other screen back, the settings the same."""
    desk.finished_run()
    terminal = desk.open(*words)
    terminal.shows(shown)
    terminal.press("q")
    assert terminal.ended() == 0
    assert terminal.not_undone == []
    assert terminal.has_settings_back


def test_nothing_is_drawn_after_the_screens_are_left(desk: Desk) -> None:
    """What comes behind the last picture only switches modes off."""
    desk.finished_run()
    terminal = desk.open("watch")
    terminal.shows("✓ finished")
    terminal.press("q")
    terminal.ended()
    behind = bytes(terminal.raw[terminal.raw.rindex(LEFT) + len(LEFT) :])
    assert b"" == behind.translate(None, b"\x1b[?;0123456789hl")


def test_no_mouse_leaves_the_mouse_to_the_terminal(desk: Desk) -> None:
    """With --no-mouse no mode of the mouse is switched, on or off."""
    desk.finished_run()
    terminal = desk.open("watch", "--no-mouse")
    terminal.shows("✓ finished")
    terminal.press("q")
    assert terminal.ended() == 0
    assert [] == [mode for mode in (b"?1000", b"?1003", b"?1006") if mode in terminal.raw]


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP], ids=lambda number: number.name)
def test_a_signal_ends_the_screens_and_not_the_run(desk: Desk, number: signal.Signals) -> None:
    """The terminal is restored, the exit code is no success, one line says which signal it was; the run goes on."""
    run = desk.living_run()
    terminal = desk.open("watch")
    terminal.shows("● running")
    terminal.signal(number)
    assert terminal.ended() != 0
    assert terminal.not_undone == []
    assert terminal.has_settings_back
    assert f"specui: ended by {number.name}" in terminal.raw.decode()
    run.grows()


def test_a_signal_before_the_first_picture(desk: Desk) -> None:
    """As soon as the terminal is changed a signal restores it, too."""
    desk.finished_run()
    terminal = desk.open("watch")
    terminal.until(lambda: b"\x1b[?25l" in terminal.raw, "the terminal is taken")
    terminal.signal(signal.SIGTERM)
    assert terminal.ended() != 0
    assert terminal.not_undone == []
    assert terminal.has_settings_back


@pytest.mark.slow
def test_a_signal_ends_it_where_the_terminal_reads_nothing(desk: Desk) -> None:
    """Nothing can be said to such a terminal any more, but the process is gone and the settings are back."""
    run = desk.living_run()
    terminal = desk.open("watch", size=(200, 60))
    terminal.shows("● running")
    terminal.press("tttttt")
    terminal.stalls()
    terminal.signal(signal.SIGTERM)
    assert terminal.ended(within_s=6, reads=False) != 0
    assert terminal.has_settings_back
    run.grows()


def test_a_closed_window_ends_the_screens_and_not_the_run(desk: Desk) -> None:
    """The terminal is gone altogether: so is the process, soon after; the run goes on."""
    run = desk.living_run()
    terminal = desk.open("watch")
    terminal.shows("● running")
    terminal.close()
    assert terminal.ended(within_s=6) != 0
    run.grows()


@pytest.mark.parametrize("how", ["key", "signal"])
def test_suspended_and_back(desk: Desk, how: str) -> None:
    """While it is stopped the terminal is the shell's; after `fg` the picture is back, moves on and can be left."""
    run = desk.living_run()
    terminal = desk.open("watch")
    terminal.shows("● running")
    if how == "key":
        terminal.press("\x1a")
    else:
        terminal.signal(signal.SIGTSTP)
    terminal.suspended()
    assert terminal.not_undone == []
    assert terminal.has_settings_back
    run.grows()
    terminal.bring_back()
    terminal.shows("● running")
    count = terminal.answer_tokens()
    terminal.until(lambda: terminal.answer_tokens() != count, "the picture moves on")
    terminal.press("q")
    terminal.shows("What about it?")
    terminal.press("k")
    assert terminal.ended() == 0
    assert terminal.not_undone == []
    assert terminal.has_settings_back


def test_a_signal_while_suspended(desk: Desk) -> None:
    """`kill %1` in the shell: it ends as it comes back, and the terminal is restored."""
    desk.finished_run()
    terminal = desk.open("watch")
    terminal.shows("✓ finished")
    terminal.press("\x1a")
    terminal.suspended()
    terminal.signal(signal.SIGTERM)
    terminal.bring_back()
    assert terminal.ended() != 0
    assert terminal.not_undone == []
    assert terminal.has_settings_back


@pytest.mark.parametrize(
    "key", ["\x03", "\x1b[99;5u", "\x1b[113;;113u"], ids=["ctrl+c", "ctrl+c of kitty", "q of kitty"]
)
def test_keys_that_leave(desk: Desk, key: str) -> None:
    """Where nothing goes on that could be lost, Ctrl+C is the same as q; both as kitty's protocol sends them, too."""
    desk.finished_run()
    terminal = desk.open("watch")
    terminal.shows("✓ finished")
    terminal.press(key)
    assert terminal.ended() == 0
    assert terminal.not_undone == []
    assert terminal.has_settings_back


@pytest.mark.parametrize("key", ["q", "\x03", "\x11"], ids=["q", "ctrl+c", "ctrl+q"])
def test_leaving_a_living_run_asks(desk: Desk, key: str) -> None:
    """Escape stays; k leaves, the run goes on, and one line says how to come back."""
    run = desk.living_run()
    terminal = desk.open("watch")
    terminal.shows("● running")
    terminal.press(key)
    terminal.shows("What about it?")
    terminal.press("\x1b")
    terminal.hides("What about it?")
    terminal.shows("● running")
    terminal.press(key)
    terminal.shows("What about it?")
    terminal.press("k")
    assert terminal.ended() == 0
    assert f"`specui watch {run.folder.name}` shows it" in terminal.raw.decode()
    run.grows()


def test_leaving_a_living_run_can_stop_it(desk: Desk) -> None:
    """S leaves a wish that the runner carries out."""
    run = desk.living_run()
    terminal = desk.open("watch")
    terminal.shows("● running")
    terminal.press("q")
    terminal.shows("What about it?")
    terminal.press("s")
    assert terminal.ended() == 0
    assert run.wait_for("run-finished")["outcome"] == "stopped"


def test_pasted_text_is_no_key(desk: Desk) -> None:
    """A q that is pasted does not leave."""
    desk.finished_run()
    terminal = desk.open("watch")
    terminal.shows("✓ finished")
    terminal.press("\x1b[200~q and more\x1b[201~")
    terminal.wait(0.5)
    terminal.press("q")
    assert terminal.ended() == 0


def test_an_interrupt_from_outside(desk: Desk) -> None:
    """`kill -INT` restores the terminal and is no success."""
    desk.finished_run()
    terminal = desk.open("watch")
    terminal.shows("✓ finished")
    terminal.signal(signal.SIGINT)
    assert terminal.ended() not in (0, -signal.SIGINT)
    assert terminal.not_undone == []
    assert terminal.has_settings_back


@pytest.mark.parametrize(
    "looks",
    [
        pytest.param(0, id="at the first look"),
        pytest.param(4, id="later"),
    ],
)
def test_a_fault_of_ours(desk: Desk, looks: int) -> None:
    """The terminal is restored, the exit code is no success, one sentence names the log, and there it stands."""
    desk.living_run()
    terminal = desk.open("watch", program=BREAKS, env={"LOOKS": str(looks)})
    assert terminal.ended(within_s=5) != 0
    assert terminal.not_undone == []
    assert terminal.has_settings_back
    log = desk.home / "screens.log"
    assert f"specui: the screens broke; what happened stands in {log}" in terminal.raw.decode()
    assert "made to fail" in log.read_text(encoding="utf-8")
