"""Whatever kills a runner, at whatever moment: the journal holds every event that was written."""

from __future__ import annotations

import os
import random
import select
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from specui.domain.run import fold
from specui.journal import lock, session
from specui.journal.folder import RunFolder
from specui.journal.lines import LineReader
from specui.journal.session import Session

PROGRAM = Path(__file__).parents[1] / "programs" / "scripted_runner.py"
DEADLINE_S = 20.0


@pytest.mark.parametrize("seed", range(50))
def test_a_killed_runner_loses_no_whole_event(seed: int, tmp_path: Path) -> None:
    """KILL at a random moment: every event the runner knew to be written is read back, and can be exported."""
    moment_s = random.Random(seed).uniform(0.0, 0.4)
    folder = RunFolder(tmp_path)
    with subprocess.Popen([sys.executable, PROGRAM, tmp_path], stdout=subprocess.PIPE) as runner:
        assert runner.stdout is not None
        safe = runner.stdout.readline()
        end = time.monotonic() + moment_s
        while (left := end - time.monotonic()) > 0:
            if select.select([runner.stdout], [], [], left)[0]:
                safe += os.read(runner.stdout.fileno(), 65536)
        runner.kill()
        safe += runner.stdout.read()

    numbers = [int(word) for word in safe.split()]
    lines = LineReader()
    events = lines.feed(folder.journal.read_bytes())
    assert list(range(1, len(events) + 1)) == [e.seq for e in events]
    assert len(events) >= numbers[-1]
    assert 0 == lines.damaged
    assert not lock.is_held(folder.journal)
    session.save(Session(lines.header or {}, tuple(events)), folder.session)
    assert fold(events).as_record() == session.load(folder.session).run().as_record()


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
def test_a_journal_is_read_while_it_is_written(number: signal.Signals, tmp_path: Path) -> None:
    """Whoever looks at any moment sees whole events without gaps, and a lock that tells that the run lives."""
    folder = RunFolder(tmp_path)
    with subprocess.Popen([sys.executable, PROGRAM, tmp_path], stdout=subprocess.DEVNULL) as runner:
        seen: list[int] = []
        end = time.monotonic() + DEADLINE_S
        while (not seen or seen[-1] < 150) and time.monotonic() < end:
            if folder.journal.exists():
                seen = [e.seq for e in LineReader().feed(folder.journal.read_bytes())]
                assert list(range(1, len(seen) + 1)) == seen
        assert lock.is_held(folder.journal)
        runner.send_signal(number)
        runner.wait(DEADLINE_S)

    assert not lock.is_held(folder.journal)
    assert len(seen) >= 150
