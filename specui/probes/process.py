"""What an engine takes of the machine: busy cores and memory of its process with all its children.

An engine may be a script whose child is the real one, so the whole tree is read. What runs in a container that
another process started is no child and is not seen.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from specui.domain.units import Bytes

if TYPE_CHECKING:
    import psutil

    from specui.domain.units import Seconds

PROC = Path("/proc")

THOROUGH_EVERY = 10
"""Every so many readings everything that may have a child is asked for it; in between, what costs little."""

FEW_THREADS = 16
"""A process of more threads is asked for the children of its first thread only: each thread is a file."""

SHORTEST_S: Seconds = 0.1
"""Over less than this, busy cores are unknown: the kernel counts in hundredths of a second."""

RECYCLED_S: Seconds = 2.0
"""Start times that differ by more belong to two processes; the wall clock may be set between two looks at it."""


@dataclass(frozen=True, slots=True)
class Usage:
    """One reading; None where something could not be read, and for busy cores where too little time has passed."""

    cpu: float | None
    """Busy cores of the whole machine."""
    engine_cpu: float | None
    """Busy cores of the engine."""
    rss_bytes: Bytes | None
    """Resident memory of the engine; what several of its processes share counts for each."""
    available_bytes: Bytes | None
    """Memory that the machine can still give."""


class EngineUsage:
    """Reads one engine by its pid; `started_at` (seconds since boot) tells it from a later process of that number.

    A process counts from its second reading on and never after its end, so nothing is counted twice or falls
    below zero; what a child burns between its last reading and its end is lost.
    """

    def __init__(self, pid: int, started_at: Seconds | None) -> None:
        self._pid = pid
        self._started_at = started_at
        self._known: dict[int, psutil.Process] = {}
        self._readings = 0
        self._moment: Seconds | None = None
        self._machine_s: Seconds | None = None
        self._spent_s: dict[int, Seconds] = {}

    def read(self, moment: Seconds) -> Usage:
        """The engine's usage now; busy cores are those since the reading before, at an earlier `moment`.

        Raises nothing: an engine that is gone gives None.
        """
        span_s = None if self._moment is None else moment - self._moment
        before_s, self._machine_s = self._machine_s, _machine_busy_s()
        machine_s = None if before_s is None or self._machine_s is None else self._machine_s - before_s
        burnt_s, rss_bytes = self._engine()
        self._moment = moment
        self._readings += 1
        return Usage(_cores(machine_s, span_s), _cores(burnt_s, span_s), rss_bytes, _available_bytes())

    def _engine(self) -> tuple[Seconds | None, Bytes | None]:
        """Processor time since the last reading and resident memory, over all processes that can be read."""
        before, self._spent_s = self._spent_s, {}
        resident: list[Bytes] = []
        for process in self._tree():
            if (read := _read(process)) is not None:
                self._spent_s[process.pid] = read[0]
                resident.append(read[1])
        burnt = [max(0.0, spent - before[pid]) for pid, spent in self._spent_s.items() if pid in before]
        return sum(burnt) if burnt else None, sum(resident) if resident else None

    def _tree(self) -> list[psutil.Process]:
        """The engine's process and everything below it; empty where it is gone."""
        root = self._root()
        if root is None:
            return []
        thoroughly = self._readings % THOROUGH_EVERY == 0
        if not (PROC / "thread-self/children").exists():
            self._known = _scanned(root) if thoroughly else self._known
            return list(self._known.values())
        found = {root.pid: root}
        todo = [root.pid]
        while todo:
            for pid in _children(todo.pop(), thoroughly=thoroughly):
                process = self._known.get(pid) or _process(pid)
                if process is not None and pid not in found:
                    found[pid] = process
                    todo.append(pid)
        self._known = found
        return list(found.values())

    def _root(self) -> psutil.Process | None:
        """The engine's own process, if it is still that one."""
        known = self._known.get(self._pid)
        if known is not None:
            return known if known.is_running() else None
        return _process(self._pid, self._started_at) if self._readings == 0 else None


def _process(pid: int, started_at: Seconds | None = None) -> psutil.Process | None:
    """The process of a number, unless it is gone or was started at another time."""
    import psutil  # costs as much as fifty readings, and most processes of specui start no engine

    try:
        process = psutil.Process(pid)
        if started_at is None or abs(process.create_time() - psutil.boot_time() - started_at) <= RECYCLED_S:
            return process
    except (psutil.Error, OSError, ValueError):
        pass
    return None


def _read(process: psutil.Process) -> tuple[Seconds, Bytes] | None:
    """Processor time so far and resident memory; None where the process has ended or cannot be read."""
    import psutil  # as above

    try:
        with process.oneshot():
            if process.status() == psutil.STATUS_ZOMBIE:
                return None
            times = process.cpu_times()
            return times.user + times.system, process.memory_info().rss
    except (psutil.Error, OSError, ValueError):
        return None


def _scanned(root: psutil.Process) -> dict[int, psutil.Process]:
    """The same tree from a look at every process of the machine, where the kernel lists no children."""
    import psutil  # as above

    try:
        return {p.pid: p for p in (root, *root.children(recursive=True))}
    except (psutil.Error, OSError, ValueError):
        return {root.pid: root}


def _children(pid: int, *, thoroughly: bool) -> list[int]:
    """Processes that a process has started, as far as the threads that are asked know."""
    try:
        threads = list((PROC / str(pid) / "task").iterdir())
        if len(threads) > FEW_THREADS and not thoroughly:
            threads = [PROC / str(pid) / "task" / str(pid)]
        return [int(word) for thread in threads for word in (thread / "children").read_bytes().split()]
    except (OSError, ValueError):
        return []


def _machine_busy_s() -> Seconds | None:
    """Seconds that all cores together have worked since boot."""
    import psutil  # as above

    try:
        times = psutil.cpu_times()
        return times.user + times.nice + times.system + times.irq + times.softirq
    except (psutil.Error, OSError, ValueError, AttributeError):
        return None


def _available_bytes() -> Bytes | None:
    import psutil  # as above

    try:
        return psutil.virtual_memory().available
    except (psutil.Error, OSError, ValueError):
        return None


def _cores(busy_s: Seconds | None, span_s: Seconds | None) -> float | None:
    """Busy cores over a span, to a thousandth."""
    if busy_s is None or span_s is None or span_s < SHORTEST_S:
        return None
    return round(max(0.0, busy_s) / span_s, 3)
