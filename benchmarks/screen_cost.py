"""Measures what the screens cost: CPU, bytes to the terminal, memory, start, and how they bear a terminal that stalls.

A scripted engine writes a true journal at about 100 tokens a second in a process of its own; only `specui watch` and
`specui replay` are measured, in a real pseudo-terminal, by the tool `ptycost.py` (its path is an argument):

    python -m benchmarks.screen_cost ../shared/tools/ptycost.py [--only live] [--runs 3]
"""

from __future__ import annotations

import argparse
import asyncio
import importlib.util
import os
import shlex
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchmarks.open_hour import an_hour
from specui.journal.writer import JournalWriter

if TYPE_CHECKING:
    from types import ModuleType

SPECUI = [sys.executable, "-m", "specui"]
FEED_S = 240.0
LENS_OFF = "@2 o"


@dataclass(frozen=True, slots=True)
class Scenario:
    """One row of the table: how it is started, and what is allowed."""

    name: str
    words: tuple[str, ...]
    size: tuple[int, int] = (120, 40)
    keys: str = ""
    most_ms: float | None = None
    most_kb: float | None = None


LIVE: tuple[Scenario, ...] = (
    Scenario("live 4 Hz, 120x40, no lens", ("watch", "--refresh", "4"), keys=LENS_OFF, most_ms=40, most_kb=16),
    Scenario("live 4 Hz, 120x40, lens", ("watch", "--refresh", "4"), most_ms=40, most_kb=24),
    Scenario("live 4 Hz, 200x60, no lens", ("watch", "--refresh", "4"), (200, 60), LENS_OFF, 50, 28),
    Scenario("live 4 Hz, 200x60, lens", ("watch", "--refresh", "4"), (200, 60), "", 50, 36),
    Scenario("live 2 Hz, 120x40, lens", ("watch", "--refresh", "2"), most_ms=25),
    Scenario("live 4 Hz, 80x24, lens", ("watch", "--refresh", "4"), (80, 24)),
    Scenario("live, under another screen", ("watch", "--refresh", "4"), keys="@2 4", most_ms=8, most_kb=0),
)


def main() -> int:
    """Run what was asked for and print a table in Markdown."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0] if __doc__ else None)
    parser.add_argument("ptycost", type=Path, nargs="?")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=10.0)
    parser.add_argument("--only", default="", help="only scenarios whose name holds this")
    parser.add_argument("--feed", metavar="HOME", help=argparse.SUPPRESS)
    parser.add_argument("--gap", metavar="FILE", help=argparse.SUPPRESS)
    parser.add_argument("words", nargs="*", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.feed:
        return _feed(options.feed)
    if options.gap:
        return _with_gap(Path(options.gap), [str(options.ptycost), *options.words])
    ptycost = _module(options.ptycost)
    print(f"calibration {ptycost.calibrate():.0f} ms (40-47 on the machine of the bars)\n")
    if options.only in "hour":
        _hour(ptycost)
        if options.only:
            return 0
    with tempfile.TemporaryDirectory() as home:
        os.environ["SPECUI_HOME"] = home
        os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # a start without compiled modules is no start
        # Not our child: the tool ends every descendant of ours that outlives its window.
        words = shlex.join([sys.executable, "-m", "benchmarks.screen_cost", "--feed", home])
        subprocess.run(["sh", "-c", f"setsid {words} & echo $! > {home}/pid"], check=True)
        try:
            _await_journal(Path(home))
            _rows(ptycost, [s for s in LIVE if options.only in s.name], options)
            if options.only in "stall":
                _stall(ptycost, Path(home))
        finally:
            os.kill(int((Path(home) / "pid").read_text()), signal.SIGTERM)
            time.sleep(1)
        if options.only in "finished":
            _finished(ptycost, options)
    return 0


def _rows(ptycost: ModuleType, scenarios: list[Scenario], options: argparse.Namespace) -> None:
    print("| scenario | CPU ms/s | bar | kB/s | bar | RSS MiB | first paint CPU ms |")
    print("| --- | --: | --: | --: | --: | --: | --: |")
    for scenario in scenarios:
        told = [
            ptycost.run(
                [*SPECUI, *scenario.words], size=scenario.size, warmup=5.0, seconds=options.seconds,
                keys=scenario.keys, quit_keys="q/0.1 k/0.7", until="Throughput",
            )
            for _ in range(options.runs)
        ]  # fmt: skip
        _row(scenario, told)


def _row(scenario: Scenario, told: list[dict[str, Any]]) -> None:  # Any: the tool's own shape
    ms = statistics.median(t["cpu_ms_per_s"] for t in told)
    kb = statistics.median(t["bytes_per_s"] for t in told) / 1000
    rss = max(t["peak_rss_mib"] for t in told)
    paint = statistics.median(t["first_until_cpu_ms"] for t in told)
    bars = [f"{bar:g}" if bar is not None else "" for bar in (scenario.most_ms, scenario.most_kb)]
    print(f"| {scenario.name} | {ms:.1f} | {bars[0]} | {kb:.1f} | {bars[1]} | {rss:.0f} | {paint:.0f} |", flush=True)


def _stall(ptycost: ModuleType, home: Path) -> None:
    """A terminal that reads nothing for four seconds."""
    gaps = home / "gaps"
    told = ptycost.run(
        [sys.executable, "-m", "benchmarks.screen_cost", "--gap", str(gaps), "watch", "--", "--refresh", "4"],
        warmup=4.0, seconds=8.0, stall=(5.0, 4.0), quit_keys="q/0.1 k/0.7",
    )  # fmt: skip
    print(f"\nterminal stalled for 4 s: longest gap of the loop {gaps.read_text()} s (bar 0.3); exit {told['exit']}")


def _finished(ptycost: ModuleType, options: argparse.Namespace) -> None:
    """The run is over: nothing moves any more."""
    print()
    _rows(ptycost, [Scenario("finished, idle", ("watch",), most_ms=3, most_kb=0)], options)


def _hour(ptycost: ModuleType) -> None:
    """A journal of an hour: how long until its model is named on the screen, and what a seek takes to be seen."""
    for tokens, what in ((2000, "answers of 2 000 tokens"), (200_000, "one answer")):
        with tempfile.TemporaryDirectory() as home:
            os.environ["SPECUI_HOME"] = home
            folder = Path(home) / "runs" / "2026-01-01T00-00-00-hour"
            folder.mkdir(parents=True)
            with JournalWriter(folder / "journal.jsonl", {"format": 1, "id": folder.name}) as writer:
                for event in an_hour(36_000, tokens):
                    writer.append(event)
            words = [*SPECUI, "replay", "last"]
            opened = ptycost.run(words, warmup=6.0, seconds=1.0, until="Qwen3.6", exit_on_until=True, quit_keys="q")
            keys = "@9 G " + " ".join(["left*7/0.35", "g", "right*9/0.35", "G"] * 2)
            sought = ptycost.run(words, warmup=9.0, seconds=16.0, keys=keys, quit_keys="q")
            told = sought["keys"]
            print(
                f"an hour, {what}: first picture {opened['first_until_s']:.2f} s (bar 1); a seek is answered after "
                f"{told['first_reply_ms_median']:.0f} ms, {told['cpu_ms_per_key_median']:.0f} ms of CPU (bar 50); "
                f"RSS {sought['peak_rss_mib']:.0f} MiB"
            )


def _with_gap(out: Path, words: list[str]) -> int:
    """The command line with a callback of 20 Hz on its loop; writes the longest time between two of them."""
    from specui.cli.main import main as specui
    from specui.tui.app import SpecuiApp

    longest = 0.0

    async def beat() -> None:
        nonlocal longest
        await asyncio.sleep(3)
        before = time.monotonic()
        while True:
            await asyncio.sleep(0.05)
            now = time.monotonic()
            longest, before = max(longest, now - before - 0.05), now

    original = SpecuiApp.on_mount
    tasks = []

    async def on_mount(self: SpecuiApp) -> None:
        tasks.append(asyncio.create_task(beat()))
        await original(self)

    SpecuiApp.on_mount = on_mount  # type: ignore[method-assign]  # only to look inside
    code = specui([word for word in words if word != "--"])
    out.write_text(f"{longest:.3f}")
    return code


def _feed(home: str) -> int:
    """A scripted run at about 100 tokens a second, with this process's own use of the machine as the engine's."""
    from specui.domain.plan import Case, EngineChoice, Model, Plan, Prompt, Speculation
    from specui.engines.scripted import Script, ScriptedEngine
    from specui.journal import store, wishes
    from specui.journal.writer import JournalWriter
    from specui.runner.recorder import Recorder
    from specui.runner.runner import Runner

    model = Model("Made-Up-7B-Q8_0", "made", "/models/Made-Up-7B-Q8_0.gguf")
    engine = EngineChoice("scripted", "scripted")
    cases = tuple(Case(model, engine, s) for s in (Speculation(), Speculation("draft-mtp", 3)))
    plan = Plan("fed", "two", (Prompt("p", ("Tell me of the sea.", "And of the land?")),), repeats=200, cases=cases)
    folder = store.create(Path(home) / "runs", "fed", "2026-01-01T00-00-00")
    with JournalWriter(folder.journal, {"format": 1, "id": folder.id, "title": "fed"}) as writer:
        recorder = Recorder(writer)
        scripts = {
            "none": Script(tokens=300, step_ms=9.5, pace=1.0),
            "draft-mtp": Script(tokens=600, step_ms=16.0, pace=1.0),
        }
        runner = Runner(
            plan, {}, {}, recorder.emit, lambda case: ScriptedEngine(scripts[case.speculation.method]),
            lambda: wishes.take(folder.inbox),
        )  # fmt: skip

        async def carried() -> None:
            sampling = asyncio.create_task(_sampled(recorder))
            skip = asyncio.get_running_loop().call_later(
                8.0, lambda: wishes.put(folder.inbox, wishes.Wish("skip", ""), "1")
            )
            try:
                async with asyncio.timeout(FEED_S):
                    await runner.carry_out()
            except TimeoutError:
                pass
            finally:
                skip.cancel()
                sampling.cancel()

        asyncio.run(carried())
    return 0


async def _sampled(recorder: Any) -> None:  # Any: imported where it is used
    from specui.domain.events import HostSampled

    before = time.process_time()
    while True:
        await asyncio.sleep(1.0)
        now = time.process_time()
        recorder.emit(HostSampled(1.0, 50 << 20, 8 << 30, 1, now - before))
        before = now


def _await_journal(home: Path) -> None:
    deadline = time.monotonic() + 20
    while time.monotonic() < deadline:
        found = list((home / "runs").glob("*/journal.jsonl")) if (home / "runs").is_dir() else []
        if found and found[0].stat().st_size > 20000:
            time.sleep(10)
            return
        time.sleep(0.2)
    raise SystemExit("the feeder wrote nothing")


def _module(path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location("ptycost", path)
    if spec is None or spec.loader is None:
        raise SystemExit(f"{path} cannot be loaded")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


if __name__ == "__main__":
    raise SystemExit(main())
