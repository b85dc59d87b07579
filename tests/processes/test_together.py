"""Several processes around one run, and several runs at once: wishes, watchers, detached runs."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from typing import TYPE_CHECKING

import pytest

from tests.processes.driving import SPECUI, Journal, is_alive, until

if TYPE_CHECKING:
    from tests.processes.driving import Machine

MARKS = """
import os, sys
from specui.cli import mark
from specui.cli.main import main
children = []
for number in range(50):
    if (pid := os.fork()) == 0:
        os._exit(main(["mark", sys.argv[1], f"mark {number}"]))
    children.append(pid)
sys.exit(any([os.waitpid(pid, 0)[1] for pid in children]))
"""


def test_two_runs_at_once_do_not_disturb_each_other(machine: Machine) -> None:
    """Of one title, begun in the same second: each has its folder, its port, its own numbers."""
    first, second = machine.engine("a/llama-server", step_s=0.01), machine.engine("b/llama-server", tokens=12)
    both = [machine.start(*machine.usual(engine), "--title", "x", "--json") for engine in (first, second)]
    ended = [running.process.wait(40) for running in both]
    assert [0, 0] == ended
    journals = [Journal(path.parent) for path in machine.home.glob("runs/*/journal.jsonl")]
    assert 2 == len(journals)
    ports = {j.one("server-starting")["argv"][j.one("server-starting")["argv"].index("--port") + 1] for j in journals}
    assert 2 == len(ports)
    for running in both:
        document = json.loads(running.out.read_text())
        journal = Journal(machine.home / "runs" / document["id"])
        wanted = 24 if str(first) in journal.one("server-starting")["argv"] else 12
        assert wanted == document["report"]["models"][0]["cases"][0]["tokens"]
        journal.ensure_whole()


def test_fifty_marks_at_once_all_land(machine: Machine) -> None:
    """None is lost, none is torn, each counts once; also while the engine loads."""
    running = machine.start(*machine.usual(machine.engine(load_s=-1)))
    journal = running.journal
    journal.wait_for("server-starting")
    marked = subprocess.run(
        [sys.executable, "-c", MARKS, journal.folder.name], env=machine.env, capture_output=True, timeout=40
    )
    assert marked.returncode == 0
    journal.wait_for("marked", 50)
    assert sorted(f"mark {n}" for n in range(50)) == sorted(event["label"] for event in journal.all("marked"))
    assert machine.verb("stop", "last").returncode == 0
    ended = running.ended()
    assert 51 == len(ended.all("requested"))
    assert [] == list((ended.folder / "inbox").iterdir())
    ended.ensure_whole()


def test_skip_leaves_the_case_and_the_next_one_runs(machine: Machine) -> None:
    """A skipped case is no failure; its label and every later command are as ever."""
    slow, quick = machine.engine("slow/llama-server", load_s=-1), machine.engine("quick/other")
    running = machine.start(*machine.usual(slow), "--engine", f"{slow},{quick}")
    running.journal.wait_for("server-starting")
    assert [row["state"] for row in json.loads(machine.verb("list", "--json").stdout)] == ["running"]
    assert machine.verb("mark", "last", "\x1b[31mred\nline").returncode == 0
    assert machine.verb("skip").returncode == 0
    ended = running.ended()
    assert ended.code == 0
    assert [1] == [event["case"] for event in ended.all("case-skipped")]
    assert [2] == [event["case"] for event in ended.all("case-finished")]
    assert "\x1b" not in ended.err
    assert "(skipped)" in ended.out
    ended.ensure_whole()
    for words in (["stop"], ["skip", "last"], ["mark", "last", "late"]):
        too_late = machine.verb(*words)
        assert (too_late.returncode, "has ended" in too_late.stderr) == (2, True)


def test_tail_gives_the_header_and_every_event(machine: Machine) -> None:
    """Begun while the run lives it ends with it, exit code 0; what it printed is the journal, line by line."""
    running = machine.start(*machine.usual(machine.engine(step_s=0.02)))
    running.journal.wait_for("server-starting")
    whole = machine.verb("tail", "last")
    ended = running.ended()
    rest = machine.verb("tail", "last", "--after", "5")
    assert [(0, ""), (0, "")] == [(tailed.returncode, tailed.stderr) for tailed in (whole, rest)]
    lines = (ended.folder / "journal.jsonl").read_text().splitlines()
    assert lines == whole.stdout.splitlines()
    assert lines[6:] == rest.stdout.splitlines()
    ended.ensure_whole()


def test_a_reader_that_goes_away_ends_tail_quietly(machine: Machine) -> None:
    """`specui tail last | head -1` leaves no trace of Python."""
    running = machine.start(*machine.usual(machine.engine(step_s=0.05)))
    running.journal.wait_for("server-ready")
    piped = subprocess.run(
        ["/bin/sh", "-c", '"$@" | head -1', "sh", *SPECUI, "tail", "last"],
        env=machine.env, capture_output=True, text=True, timeout=40,
    )  # fmt: skip
    assert (len(piped.stdout.splitlines()), piped.stderr) == (1, "")
    assert running.ended().code == 0


def test_detach_leaves_nothing_open(machine: Machine) -> None:
    """The id comes at once, though the engine loads for ever: nothing of the run holds the pipes of whoever asked."""
    begun = time.monotonic()
    asked = machine.verb("run", *machine.usual(machine.engine(load_s=-1)), "--detach")
    assert time.monotonic() - begun < 10
    assert (asked.returncode, asked.stderr) == (0, "")
    journal = Journal(machine.home / "runs" / asked.stdout.strip())
    (pid,) = until(journal.engine_pids, "an engine")
    assert is_alive(pid)
    assert machine.verb("stop", asked.stdout.strip()[:-1]).returncode == 0
    journal.wait_for("run-finished", within_s=5)
    until(lambda: (journal.folder / "session.toml").is_file(), "the session")
    journal.ensure_whole()


@pytest.mark.parametrize("closed", ["2>&-", "<&- >&- 2>&-"])
def test_closed_standard_files_do_not_disturb_a_run(machine: Machine, closed: str) -> None:
    """A run begun without a standard input, output or error is carried out all the same."""
    words = [*SPECUI, "run", *machine.usual(machine.engine())]
    ran = subprocess.run(["/bin/sh", "-c", f'"$@" {closed}', "sh", *words], env=machine.env, timeout=40, check=False)
    assert ran.returncode == 0
    (path,) = machine.home.glob("runs/*/journal.jsonl")
    Journal(path.parent).ensure_whole()
