"""Signals, hang-ups and closed terminals: what ends a run, what does not, and that no engine outlives it (C07)."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from tests.processes.driving import SPECUI, Journal, Machine, Running, is_alive, parent_of, until

if TYPE_CHECKING:
    from pathlib import Path

LOGGED_IN = "import os, sys; os.login_tty(int(sys.argv[1])); os.execv(sys.argv[2], sys.argv[2:])"
"""Starts a command on a terminal of its own, whose number is given."""

LOADING = {"load_s": -1}
STREAMING = {"tokens": 400, "step_s": 0.05}


def living(machine: Machine, engine: Path) -> tuple[Running, Journal, int, int]:
    """A run whose engine is there: itself, its journal, its runner and its engine."""
    running = machine.start(*machine.usual(engine), "--max-tokens", "400")
    journal = running.journal
    pid = journal.wait_for("server-starting")["pid"]
    return running, journal, parent_of(pid), pid


@pytest.mark.parametrize("where", [LOADING, STREAMING], ids=["loading", "streaming"])
def test_term_ends_a_run_well(machine: Machine, where: dict[str, float]) -> None:
    """The journal ends on run-finished, what was measured stays, the engine is gone."""
    running, journal, runner, _ = living(machine, machine.engine(**where))
    if where is STREAMING:
        journal.wait_for("steps-decoded", 6)
    os.kill(runner, signal.SIGTERM)
    ended = running.ended(within_s=10)
    assert ended.code == 130
    assert ended.one("run-finished")["outcome"] == "stopped"
    assert ended.one("requested")["by"] == "SIGTERM"
    ended.ensure_whole()


def test_hang_up_does_not_end_a_run(machine: Machine) -> None:
    """The runner has left the terminal: it does not even notice, and neither does its engine."""
    running, journal, runner, pid = living(machine, machine.engine(step_s=0.02))
    journal.wait_for("server-ready")
    os.kill(runner, signal.SIGHUP)
    running.process.send_signal(signal.SIGHUP)
    assert running.process.wait(10) == -signal.SIGHUP
    journal.wait_for("run-finished")
    until(lambda: not is_alive(runner), "the runner ends")
    assert not is_alive(pid)
    assert journal.one("run-finished")["outcome"] == "finished"
    journal.ensure_whole()


@pytest.mark.parametrize(
    ("where", "wrapped"),
    [
        pytest.param(LOADING, False, id="loading"),
        pytest.param(STREAMING, False, id="streaming"),
        pytest.param(STREAMING, True, id="streaming behind a shell"),  # while loading it does not heed its input
    ],
)
def test_a_killed_runner_takes_its_engine_along(machine: Machine, where: dict[str, float], wrapped: bool) -> None:
    """Within two seconds; the journal is read to its last whole line, the run counts as crashed, and it is said."""
    engine = machine.engine(**where)
    if wrapped:
        (machine.home / "wrapper").write_text(f"#!/bin/sh\n'{engine}' \"$@\"\nexit $?\n")
        (machine.home / "wrapper").chmod(0o755)
    running, journal, runner, pid = living(machine, machine.home / "wrapper" if wrapped else engine)
    (start,) = until(lambda: machine.noted(engine, "pid"), "the engine has started")
    if where is STREAMING:
        journal.wait_for("steps-decoded", 6)
    os.kill(runner, signal.SIGKILL)
    until(lambda: not is_alive(pid) and not is_alive(start["pid"]), "the engine is gone", within_s=2)
    ended = running.ended(within_s=10)
    assert ended.code == 1
    assert "specui: the run broke off" in ended.err
    assert "its runner ended without a word, as one does that is killed" in ended.err
    (row,) = json.loads(machine.verb("list", "--json").stdout)
    assert row["state"] == "crashed"
    assert machine.verb("report", "last").returncode == 0
    tailed = machine.verb("tail", "last")
    assert (tailed.returncode, len(tailed.stdout.splitlines())) == (0, len(ended.events) + 1)


@pytest.mark.parametrize("how", ["close the terminal", "kill the shell"])
def test_a_closed_terminal_does_not_end_a_run(machine: Machine, how: str) -> None:
    """As when a window is closed or an SSH connection drops: the run goes on to its end by itself."""
    terminal, inside = os.openpty()
    words = [*SPECUI, "run", *machine.usual(machine.engine(step_s=0.05))]
    login = [sys.executable, "-S", "-E", "-c", LOGGED_IN, str(inside)]
    shell = subprocess.Popen(
        [*login, "/bin/sh", "-c", '"$@"; exit $?', "sh", *words], env=machine.env, cwd=machine.home, pass_fds=[inside]
    )
    os.close(inside)
    with shell:
        (folder,) = until(lambda: list(machine.home.glob("runs/*/journal.jsonl")), "a run")
        journal = Journal(folder.parent)
        journal.wait_for("server-ready")
        if how == "kill the shell":
            shell.kill()
        os.close(terminal)
        shell.wait(10)
        journal.wait_for("run-finished")
        until(lambda: (journal.folder / "session.toml").is_file(), "the session")
    assert journal.one("run-finished")["outcome"] == "finished"
    until(lambda: not any(map(is_alive, journal.engine_pids())), "the engine is gone")
    journal.ensure_whole()


@pytest.mark.parametrize("moment", ["at once", "loading", "streaming"])
def test_ctrl_c_stops_the_run(machine: Machine, moment: str) -> None:
    """Whenever it comes after the line that offers it: exit code 130 within three seconds, and all is tidy."""
    running = machine.start(*machine.usual(machine.engine(**(STREAMING if moment == "streaming" else LOADING))))
    running.says("Ctrl+C stops it")
    if moment == "loading":
        running.journal.wait_for("server-starting")
    elif moment == "streaming":
        running.journal.wait_for("steps-decoded", 6)
    running.process.send_signal(signal.SIGINT)
    ended = running.ended(within_s=3)
    assert ended.code == 130
    assert "stopping" in ended.err
    assert "Traceback" not in ended.err
    assert ended.one("run-finished")["outcome"] == "stopped"
    assert str(ended.folder / "session.toml") == ended.out.splitlines()[-1]
    ended.ensure_whole()


def test_ctrl_c_twice_leaves_the_run_to_itself(machine: Machine) -> None:
    """An engine that will not end is waited for by the runner, not by the person; then it is killed."""
    running = machine.start(*machine.usual(machine.engine(ignores_term=True, **LOADING)))
    journal = running.journal
    journal.wait_for("server-starting")
    for words in ("once more to leave at once", ""):
        running.process.send_signal(signal.SIGINT)
        running.says(words)
    ended = running.ended(within_s=3)
    assert ended.code == 130
    until(lambda: not is_alive(journal.engine_pids()[0]), "the engine is gone", within_s=10)
    assert journal.wait_for("run-finished")["outcome"] == "stopped"
