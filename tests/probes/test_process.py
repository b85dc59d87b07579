"""What an engine takes, read from real processes that do what an engine does."""

from __future__ import annotations

import subprocess
import sys
import time
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from specui.probes.process import SHORTEST_S, EngineUsage, Usage

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

DEADLINE_S = 20.0
BURNS = "import os, threading; threading.Thread(target=lambda: (os.read(0, 1), os._exit(0))).start()\nwhile True: pass"
"""Takes a core until its standard input ends."""

WAITS = "import os; os.read(0, 1)"
PYTHON = f"'{sys.executable}' -S -E -c"
LEAST_BYTES = 4 << 20
"""More than a shell is, less than a Python."""


@contextmanager
def started(*argv: str) -> Iterator[subprocess.Popen[bytes]]:
    """A process that ends when its standard input is closed."""
    with subprocess.Popen(argv, stdin=subprocess.PIPE) as process:
        try:
            yield process
        finally:
            assert process.stdin is not None
            process.stdin.close()
            process.wait(DEADLINE_S)


def until(engine: EngineUsage, holds: Callable[[Usage], bool]) -> list[Usage]:
    """Readings, until one is as it should be."""
    read = [engine.read(time.monotonic())]
    end = time.monotonic() + DEADLINE_S
    while not holds(read[-1]):
        assert time.monotonic() < end, read[-1]
        time.sleep(SHORTEST_S)
        read.append(engine.read(time.monotonic()))
    return read


def is_busy(usage: Usage) -> bool:
    """Whether a good part of a core is taken, by something as large as a Python."""
    return (usage.engine_cpu or 0) > 0.1 and (usage.rss_bytes or 0) > LEAST_BYTES


def started_at(pid: int) -> float:
    """When the kernel started a process, in seconds since boot."""
    return int(Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[19]) / 100


def test_an_engine_that_works_takes_cores_and_memory() -> None:
    """Busy cores need two readings; the machine is at least as busy as the engine, within a clock tick or two."""
    with started(sys.executable, "-S", "-E", "-c", BURNS) as engine:
        first, *_, last = until(EngineUsage(engine.pid, started_at(engine.pid)), is_busy)

    assert (None, None) == (first.cpu, first.engine_cpu)
    assert (first.rss_bytes or 0) > 0
    assert (first.available_bytes or 0) > 0
    assert (last.cpu or 0) > 0


@pytest.mark.parametrize("lists_children", [True, False])
def test_an_engine_behind_a_script_is_found(
    lists_children: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The wrapper's child is the engine, also where the kernel lists no children and every process is looked at."""
    if not lists_children:
        monkeypatch.setattr("specui.probes.process.PROC", tmp_path)
        monkeypatch.setattr("specui.probes.process.THOROUGH_EVERY", 2)
    with started("/bin/sh", "-c", f'{PYTHON} "{BURNS}"; true') as wrapper:
        until(EngineUsage(wrapper.pid, None), is_busy)


def test_a_child_that_ends_is_no_work_undone() -> None:
    """Busy cores never fall below zero, and the wrapper that is left is small and idle."""
    script = f'{PYTHON} "import time; end = time.process_time() + 0.3\nwhile time.process_time() < end: pass"; read x'
    with started("/bin/sh", "-c", script) as wrapper:
        engine = EngineUsage(wrapper.pid, None)
        read = until(engine, lambda usage: (usage.rss_bytes or 0) > LEAST_BYTES)
        read += until(engine, lambda usage: (usage.rss_bytes or LEAST_BYTES) < LEAST_BYTES)

    assert [] == [usage for usage in read if usage.engine_cpu is not None and not 0 <= usage.engine_cpu < 3]
    assert (read[-1].rss_bytes or 0) > 0


def test_an_engine_that_is_gone_gives_nothing() -> None:
    """Neither does one that nobody has waited for; the machine is read on."""
    with subprocess.Popen([sys.executable, "-S", "-E", "-c", WAITS], stdin=subprocess.PIPE) as process:
        engine = EngineUsage(process.pid, None)
        assert (engine.read(1.0).rss_bytes or 0) > 0
        process.kill()
        zombie = until(engine, lambda usage: usage.rss_bytes is None)[-1]
    gone = engine.read(time.monotonic() + 1)
    never = EngineUsage(process.pid, None).read(1.0)

    for usage in (zombie, gone, never):
        assert (None, None) == (usage.engine_cpu, usage.rss_bytes)
        assert (usage.available_bytes or 0) > 0
    assert gone.cpu is not None


def test_a_later_process_of_the_same_number_is_not_read() -> None:
    """The start time is that of another process."""
    with started(sys.executable, "-S", "-E", "-c", WAITS) as process:
        ours = EngineUsage(process.pid, started_at(process.pid)).read(1.0)
        other = EngineUsage(process.pid, started_at(process.pid) - 100).read(1.0)

    assert ours.rss_bytes is not None
    assert (None, None) == (other.engine_cpu, other.rss_bytes)


def test_too_little_time_between_two_readings_tells_nothing() -> None:
    """Busy cores are unknown then, and over a span in which the kernel's clock hardly ticks."""
    with started(sys.executable, "-S", "-E", "-c", WAITS) as process:
        engine = EngineUsage(process.pid, None)
        engine.read(1.0)
        at_once, soon, late = engine.read(1.0), engine.read(1.05), engine.read(2.05)

    assert [(None, None)] * 2 == [(usage.cpu, usage.engine_cpu) for usage in (at_once, soon)]
    assert late.engine_cpu is not None


def test_a_runner_starts_without_psutil() -> None:
    """It is imported with the first reading."""
    words = "import sys, specui.cli.carry_out; print('psutil' in sys.modules)"
    said = subprocess.run([sys.executable, "-c", words], capture_output=True, text=True, check=True).stdout

    assert "False" == said.strip()
