"""A journal that cannot be written stops a run, loudly; what it holds stays readable and no engine is left."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from specui.journal import wishes
from tests.processes.driving import SPECUI, is_alive, until

if TYPE_CHECKING:
    from tests.processes.driving import Ended, Machine

LIMITED = """
import os, resource, sys
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[1]),) * 2)
os.environ["PYTHONDONTWRITEBYTECODE"] = "1"  # half a module would be left in the checkout
os.execv(sys.argv[2], sys.argv[2:])
"""


def full_at(size_bytes: int) -> tuple[str, ...]:
    """Words that start a command none of whose files can grow beyond a size."""
    return (sys.executable, "-S", "-E", "-c", LIMITED, str(size_bytes))


def ensure_loud(machine: Machine, ended: Ended) -> None:
    """The reason and the table are there, the exit code says failure, the journal is read, no engine lives."""
    assert ended.code == 1
    (said,) = [line for line in ended.err.splitlines() if "the run broke off" in line]
    assert f"{ended.folder}/journal.jsonl cannot be written: File too large" in said
    assert "Traceback" not in ended.err
    assert ended.out.startswith("## model")
    until(lambda: not any(map(is_alive, ended.engine_pids())), "the engine is gone", within_s=2)
    assert "run-finished" not in ended.kinds
    machine.before = ()
    assert machine.verb("report", "last").returncode == 0
    assert machine.verb("export", "last").returncode == 0


def test_a_disk_that_is_full_in_mid_answer(machine: Machine) -> None:
    """The answer so far is kept."""
    usual = machine.usual(machine.engine(tokens=400, step_s=0.005))
    machine.before = full_at(8000)
    ended = machine.run(*usual, "--max-tokens", "400")
    assert "steps-decoded" in ended.kinds
    ensure_loud(machine, ended)


def test_a_disk_that_is_full_while_loading(machine: Machine) -> None:
    """Even a load that never ends is ended where a wish can no longer be written down."""
    usual = machine.usual(machine.engine(load_s=-1))
    machine.before = full_at(4000)
    running = machine.start(*usual)
    journal = running.journal
    journal.wait_for("server-starting")
    for number in range(30):
        wishes.put(journal.folder / "inbox", wishes.Wish("mark", "test", "x" * 200), f"{number:04d}")
    ended = running.ended()
    assert "marked" in ended.kinds
    ensure_loud(machine, ended)


def test_a_disk_that_is_full_from_the_start(machine: Machine) -> None:
    """Nothing is started where not even the beginning can be written; the sentence names the journal."""
    engine = machine.engine()
    usual = machine.usual(engine)
    machine.before = full_at(700)
    ended = machine.run(*usual)
    assert ended.code == 1
    assert "Traceback" not in ended.err
    assert "journal.jsonl cannot be written" in ended.err
    assert [] == machine.noted(engine, "pid")


def test_a_result_that_cannot_be_written_is_said(machine: Machine) -> None:
    """`specui list > FILE` on a full disk ends in one sentence."""
    with Path("/dev/full").open("wb") as full:
        told = subprocess.run(
            [*SPECUI, "list", "--json"], stdout=full, stderr=subprocess.PIPE, text=True, env=machine.env, timeout=40
        )
    assert (told.returncode, len(told.stderr.splitlines())) == (1, 1)
    assert "cannot be written to standard output: No space left on device" in told.stderr


def test_a_home_that_is_no_folder_is_said(machine: Machine) -> None:
    """Before anything is started, with the way out."""
    engine = machine.engine()
    usual = machine.usual(engine)
    ended = machine.run(*usual, SPECUI_HOME=usual[1])
    assert (ended.code, len(ended.err.splitlines())) == (2, 1)
    assert "set SPECUI_HOME to another folder" in ended.err
    assert [] == machine.noted(engine, "pid")


def test_an_output_that_vanishes_costs_neither_table_nor_session(machine: Machine) -> None:
    """Its folder is gone at the end: that is said, the table is printed, and the session lies with the run."""
    (machine.home / "results").mkdir()
    usual = machine.usual(machine.engine(step_s=0.02))
    running = machine.start(*usual, "--output", "results/mine.toml")
    running.journal.wait_for("server-ready")
    (machine.home / "results").rmdir()
    ended = running.ended()
    assert ended.code == 1
    assert "results/mine.toml" in ended.err
    assert ended.out.startswith("## model")
    ended.ensure_whole()
