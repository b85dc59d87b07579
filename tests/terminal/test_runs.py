"""A run that is begun on the screens: left, it goes on; watched to its end, its table is printed."""

from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING

import pytest

from tests.processes.driving import Journal
from tests.terminal.terminal import SPECUI, Terminal

if TYPE_CHECKING:
    from tests.terminal.desk import Desk


def begun(desk: Desk, *words: str) -> tuple[Terminal, Journal]:
    """`specui WORDS` in a terminal, its standard output in the file `out`, and the run that it began."""
    with (desk.home / "out").open("wb") as out:
        terminal = Terminal([*SPECUI, *words], desk.environment(), desk.home, stdout=out.fileno(), size=(100, 32))
    desk.started(terminal)
    (path,) = terminal.until(lambda: list(desk.home.glob("runs/*/journal.jsonl")), "a run")
    return terminal, Journal(path.parent)


def left(terminal: Terminal, key: str) -> int:
    """Leave the screens, answer what is asked then, and give the exit code."""
    terminal.press("q")
    terminal.shows("What about it?")
    terminal.press(key)
    return terminal.ended()


def test_a_watched_run_goes_on_without_the_screens(desk: Desk) -> None:
    """Its id alone is printed on standard output; at its end the session is there."""
    machine = desk.machine
    terminal, journal = begun(desk, "run", "--watch", *machine.usual(machine.engine(step_s=0.05)))
    terminal.shows("● running")
    assert left(terminal, "k") == 0
    assert f"{journal.folder.name}\n" == (desk.home / "out").read_text()
    assert terminal.not_undone == []
    assert journal.wait_for("run-finished")["outcome"] == "finished"
    terminal.until((journal.folder / "session.toml").is_file, "the session")


def test_a_watched_run_that_is_stopped(desk: Desk) -> None:
    """The exit code says so, and what was measured is saved."""
    machine = desk.machine
    words = machine.usual(machine.engine(step_s=0.05, tokens=400))
    terminal, journal = begun(desk, "run", "--watch", *words, "--max-tokens", "400")
    terminal.shows("● running")
    assert left(terminal, "s") == 130
    assert journal.one("run-finished")["outcome"] == "stopped"
    assert (journal.folder / "session.toml").is_file()


def test_a_run_watched_to_its_end(desk: Desk) -> None:
    """Nothing is asked; its table stands on standard output, and none of it came through the picture."""
    machine = desk.machine
    terminal, journal = begun(desk, "run", "--watch", *machine.usual(machine.engine()))
    terminal.shows("✓ finished")
    terminal.press("q")
    assert terminal.ended() == 0
    assert terminal.not_undone == []
    title, *_, saved = (desk.home / "out").read_text().splitlines()
    assert "## model" == title
    assert str(journal.folder / "session.toml") == saved


@pytest.mark.engine
def test_the_demo_on_the_screens(desk: Desk) -> None:
    """The toys answer on the true engine; left alone, the demo goes on until it is stopped, and has its session."""
    pytest.importorskip("xllamacpp", reason="the embedded engine is not installed")
    terminal, journal = begun(desk, "demo", "--repeats", "1")
    terminal.until(lambda: "● running" in terminal.text and terminal.answer_tokens() > 5, "an answer grows")
    assert left(terminal, "k") == 0
    assert f"{journal.folder.name}\n" == (desk.home / "out").read_text()
    journal.wait_for("request-finished", len(journal.all("request-finished")) + 1, within_s=90)
    subprocess.run([*SPECUI, "stop", "last"], env=desk.environment(), check=True, capture_output=True)
    assert journal.wait_for("run-finished", within_s=90)["outcome"] == "stopped"
    terminal.until((journal.folder / "session.toml").is_file, "the session")
