"""CPU that `specui run` takes before its engine starts: the command and its runner together.

    python benchmarks/start_cost.py [--times 10] [--engine PATH]

Reads /proc/PID/schedstat (nanoseconds) of both processes at the moment the journal says `server-starting`.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path


def main() -> None:
    """Measure several starts and print them as a line of a Markdown table."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--times", type=int, default=10)
    parser.add_argument("--engine", default="embedded")
    options = parser.parse_args()
    starts = [one_start(options.engine) for _ in range(options.times)]
    command = statistics.median(c for c, _ in starts)
    runner = statistics.median(r for _, r in starts)
    both = [c + r for c, r in starts]
    print("| engine | command ms CPU | runner ms CPU | both, median (min … max) |")
    print("|---|---:|---:|---:|")
    print(
        f"| {options.engine} | {command:.0f} | {runner:.0f} "
        f"| {statistics.median(both):.0f} ({min(both):.0f} … {max(both):.0f}) |"
    )


def one_start(engine: str) -> tuple[float, float]:
    """CPU milliseconds of the command and of its runner when the engine's process appears."""
    with tempfile.TemporaryDirectory() as home:
        env = {**os.environ, "SPECUI_HOME": home}
        words = ["run", "-m", "builtin", "--method", "none", "--engine", engine, "--max-tokens", "8"]
        command = subprocess.Popen(
            [sys.executable, "-P", "-m", "specui", *words],
            env=env,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        runner = 0
        while True:
            runner = runner or next((pid for pid in children(command.pid) if is_runner(pid)), 0)
            journals = list(Path(home).glob("runs/*/journal.jsonl"))
            if journals and b'"server-starting"' in journals[0].read_bytes():
                break
            if command.poll() is not None:
                raise SystemExit("the run ended before its engine started")
            time.sleep(0.001)
        costs = cpu_ms(command.pid), cpu_ms(runner)
        command.wait()
        return costs


def cpu_ms(pid: int) -> float:
    """CPU time of a process so far, all its threads, in milliseconds."""
    ns = [int((task / "schedstat").read_text().split()[0]) for task in Path(f"/proc/{pid}/task").iterdir()]
    return sum(ns) / 1e6


def is_runner(pid: int) -> bool:
    """Whether a process carries out a run; one that is gone does not."""
    with contextlib.suppress(OSError):
        return Path(f"/proc/{pid}/comm").read_bytes().strip() == b"specui-runner"
    return False


def children(pid: int) -> list[int]:
    """The direct children of a process."""
    text = Path(f"/proc/{pid}/task/{pid}/children").read_text()
    return [int(word) for word in text.split()]


if __name__ == "__main__":
    main()
