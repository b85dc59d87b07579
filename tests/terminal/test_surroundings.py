"""Terminals of every kind, locales without UTF-8, libraries that talk: the picture is the same (C72 C76 C77)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.terminal.desk import Desk

NOISY = """
import os, sys, threading
from specui.cli.main import main

over = threading.Event()

def noise():
    while not over.wait(0.05):
        os.write(2, b"amdgpu: os_same_file_description couldn't determine if two DRM fds are the same\\n")

threading.Thread(target=noise, daemon=True).start()
code = main(sys.argv[1:])
over.set()
sys.exit(code)
"""
"""The command in a process where a C library writes to descriptor 2 twenty times a second."""

TERMS: list[dict[str, str | None]] = [
    {"TERM": None},
    {"TERM": ""},
    {"TERM": "linux"},
    {"TERM": "screen"},
    {"TERM": "tmux-256colop"},
    {"TERM": "xterm-kitty"},
    {"NO_COLOR": "1"},
    {"COLORTERM": "truecolor"},
]
LOCALES: list[dict[str, str | None]] = [
    {"LANG": "C"},
    {"LANG": None},
    {"LC_ALL": "POSIX", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0"},
    {"PYTHONIOENCODING": "ascii"},
    {"LC_ALL": "en_US.ISO-8859-1"},
    {"LC_ALL": "en_US.ISO-8859-1", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
]


def named(variables: dict[str, str | None]) -> str:
    """The variables as they would be typed."""
    return " ".join(f"{name}={value}" if value is not None else f"no {name}" for name, value in variables.items())


@pytest.mark.parametrize("variables", TERMS, ids=named)
def test_a_kind_of_terminal(desk: Desk, variables: dict[str, str | None]) -> None:
    """What the run does stands there as a sign and a word, whatever the colours; q leaves cleanly."""
    desk.finished_run()
    terminal = desk.open("watch", env=variables)
    is_poor = variables.get("TERM") == "linux"
    terminal.shows("+ finished" if is_poor else "✓ finished")
    terminal.shows("none 47.5 > mtp n3 90.1 (1.89x)" if is_poor else "none 47.5 → mtp n3 90.1 (1.89×)")
    terminal.press("q")
    assert terminal.ended() == 0
    assert terminal.not_undone == []
    assert (b"38;2;" in terminal.raw) == ("COLORTERM" in variables)


@pytest.mark.parametrize("variables", LOCALES, ids=named)
def test_a_locale(desk: Desk, variables: dict[str, str | None]) -> None:
    """The picture arrives as UTF-8 with an answer in Chinese and emoji; exit code 0."""
    desk.finished_run({"drafter ": "你好世界 🚀 ", "Sweet.": "再见 👋."})
    terminal = desk.open("watch", env=variables)
    terminal.shows("你好世界 🚀 guesses")
    terminal.shows("再见 👋.")
    terminal.shows("✓ finished")
    terminal.press("q")
    assert terminal.ended() == 0
    assert terminal.not_undone == []


def test_what_libraries_write_goes_to_the_log(desk: Desk) -> None:
    """Nothing of it comes between entering the screens and leaving them; all of it can be read afterwards."""
    desk.finished_run()
    terminal = desk.open("watch", program=NOISY)
    terminal.shows("✓ finished")
    log = desk.home / "screens.log"
    terminal.until(lambda: log.read_bytes().count(b"DRM fds are the same\n") > 10, "the log holds the noise")
    terminal.press("q")
    assert terminal.ended() == 0
    assert b"amdgpu" not in terminal.within
    assert terminal.not_undone == []
