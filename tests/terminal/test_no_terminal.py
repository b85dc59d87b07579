"""Where no screens can be drawn it is said in a sentence, and nothing of a screen is sent (C76)."""

from __future__ import annotations

import os
import subprocess
from typing import TYPE_CHECKING

import pytest

from tests.terminal.terminal import DEADLINE_S, SPECUI, Terminal

if TYPE_CHECKING:
    from tests.terminal.desk import Desk

VERBS = ["", "watch", "replay last", "run --watch"]
HEADLESS = "`specui run` and `specui demo --headless` measure without one"


def words_of(desk: Desk, verb: str) -> list[str]:
    """The words of a verb on a home with a finished run and an engine."""
    desk.finished_run()
    machine = desk.machine
    return [*verb.split(), *(machine.usual(machine.engine()) if verb.startswith("run") else [])]


@pytest.mark.parametrize("verb", VERBS, ids=lambda verb: verb or "bare")
def test_a_dumb_terminal(desk: Desk, verb: str) -> None:
    """TERM=dumb: one sentence names verbs that need no screens; exit code 2, not a single escape sequence."""
    terminal = desk.open(*words_of(desk, verb), env={"TERM": "dumb"})
    assert terminal.ended() == 2
    assert HEADLESS in terminal.raw.decode().replace("\r\n", " ")
    assert b"\x1b" not in terminal.raw


@pytest.mark.parametrize("missing", ["stdin", "stderr"])
@pytest.mark.parametrize("verb", VERBS, ids=lambda verb: verb or "bare")
def test_a_pipe_in_the_place_of_the_terminal(desk: Desk, verb: str, missing: str) -> None:
    """Standard input or error is a pipe: the same, although the rest is a terminal."""
    inside, outside = os.pipe()
    stdin, stderr = (inside, None) if missing == "stdin" else (None, outside)
    words = [*SPECUI, *words_of(desk, verb)]
    terminal = desk.started(Terminal(words, desk.environment(), desk.home, stdin=stdin, stderr=stderr))
    os.close(outside)
    code = terminal.ended()
    told = bytes(terminal.raw)
    with os.fdopen(inside, "rb") as pipe:
        told += pipe.read() if missing == "stderr" else b""
    assert code == 2
    assert HEADLESS in told.decode().replace("\r\n", " ")
    assert b"\x1b" not in told


@pytest.mark.parametrize("verb", VERBS, ids=lambda verb: verb or "bare")
def test_no_terminal_at_all(desk: Desk, verb: str) -> None:
    """As under cron: the same, and nothing was started."""
    ended = subprocess.run(
        [*SPECUI, *words_of(desk, verb)], env=desk.environment(), cwd=desk.home, stdin=subprocess.DEVNULL,
        capture_output=True, timeout=DEADLINE_S,
    )  # fmt: skip
    assert ended.returncode == 2
    assert ended.stdout == b""
    assert HEADLESS in ended.stderr.decode()
    assert b"\x1b" not in ended.stderr
    assert len(list((desk.home / "runs").iterdir())) == 1
