"""Writes the golden journals again: `python -m tests.journals.make`. Look at every difference before keeping it.

Each story is a journal and, beside it, what the fold of it must say. The engine is the scripted one, so nothing in
here was measured; the clock counts in steps of its own.
"""

from __future__ import annotations

import asyncio
import json
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from specui.domain import events as ev
from specui.domain.codec import encode
from specui.domain.events import Event
from specui.domain.plan import Case, EngineChoice, Model, Plan, Prompt, Speculation, Workload
from specui.domain.run import fold
from specui.engines.scripted import Script, ScriptedEngine
from specui.journal.lines import LineReader, write_header
from specui.journal.writer import JournalWriter
from specui.runner.recorder import Recorder
from specui.runner.runner import Runner

if TYPE_CHECKING:
    from collections.abc import Callable

    from specui.domain.units import Record

HERE = Path(__file__).parent
MODEL = Model("Made-Up-7B", "made", "/models/Made-Up-7B-Q8_0.gguf", 7_000_000_000, "0123456789abcdef")
ENGINE = EngineChoice("scripted", "scripted")
HEADER: Record = {
    "format": 1,
    "id": "2026-12-01T09-58-12-story",
    "title": "story",
    "created": "2026-12-01T09:58:12+00:00",
}
PROMPTS = (Prompt("two", ("Hey, who are you?", "Sweet. How good are you at coding?"), "chat"),)


def plan_of(*speculations: Speculation, tokens: int = 24) -> Plan:
    """A plan of one model with these speculations."""
    cases = tuple(Case(MODEL, ENGINE, s) for s in speculations)
    return Plan("story", "two", PROMPTS, Workload(max_tokens=tokens, temperature=0.0, seed=1), cases=cases)


def recorded(plan: Plan, script: Script, path: Path) -> list[Event]:
    """The events of a run of the scripted engine, on a clock that counts 0.05 s at every look."""
    looks = iter(range(10**9))
    path.unlink(missing_ok=True)
    with JournalWriter(path, dict(HEADER)) as writer:
        recorder = Recorder(writer, clock=lambda: next(looks) * 0.05)
        host: Record = {"os": "Story Linux", "cpu": "none"}
        runner = Runner(plan, host, {"specui": "0"}, recorder.emit, lambda case: ScriptedEngine(script), tuple)
        asyncio.run(runner.carry_out())
    return LineReader().feed(path.read_bytes())


def renumbered(events: list[Event]) -> list[Event]:
    """The events with their numbers without gaps."""
    return [replace(e, seq=n) for n, e in enumerate(events, 1)]


def written(name: str, lines: list[bytes]) -> None:
    """The journal of a story, and what it folds to."""
    data = b"".join([write_header(dict(HEADER)), *lines])
    (HERE / f"{name}.jsonl").write_bytes(data)
    record = fold(LineReader().feed(data)).as_record()
    (HERE / f"{name}.expected.json").write_text(
        json.dumps(record, indent=1, ensure_ascii=True) + "\n", encoding="ascii"
    )


def main() -> None:
    """Every story."""
    spare = HERE / "spare.jsonl"
    normal = recorded(plan_of(Speculation(), Speculation("draft-mtp", 3)), Script(seed=7), spare)
    plain = recorded(plan_of(Speculation()), Script(seed=3), spare)
    dies = recorded(plan_of(Speculation("draft-dflash", 6, draft_model="/d")), Script(seed=5, breaks_at_step=3), spare)
    fails = recorded(
        plan_of(Speculation("draft-mtp", 3)), Script(fails_to_load="unknown model architecture: 'new'"), spare
    )
    spare.unlink()
    lines = [encode(e) for e in normal]
    stories: dict[str, Callable[[], list[bytes]]] = {
        "normal": lambda: lines,
        "no-draft": lambda: [encode(e) for e in plain],
        "request-breaks": lambda: [encode(e) for e in dies],
        "server-fails": lambda: [encode(e) for e in fails],
        "stopped": lambda: stopped(normal),
        "damaged": lambda: damaged(lines, next(n for n, e in enumerate(normal) if n > 20 and is_batch(e))),
        "later-version": lambda: later_version(lines),
        "two-devices": lambda: two_devices(plain),
        "clock-gap": lambda: clock_gap(plain),
    }
    for name, story in stories.items():
        written(name, story())


def is_batch(event: Event) -> bool:
    """Whether it is a line of steps."""
    return isinstance(event.fact, ev.StepsDecoded) and bool(event.fact.ms)


def damaged(lines: list[bytes], cut: int) -> list[bytes]:
    """A line of steps is half lost, and zeros of a power cut stand in between."""
    return [*lines[:cut], lines[cut][:30] + b"\n", *lines[cut + 1 : 30], b"\x00" * 16 + b"\n", *lines[30:]]


def stopped(events: list[Event]) -> list[bytes]:
    """A stop comes in the middle of the second case."""
    cut = next(i for i, e in enumerate(events) if isinstance(e.fact, ev.CaseStarted) and e.fact.case == 2) + 8
    t = events[cut - 1].t
    ends: list[ev.Fact] = [
        ev.Requested("stop", "me"),
        ev.ServerExited(2, 0, None, True, None),
        ev.CaseSkipped(2),
    ]
    facts = [*ends, ev.RunFinished("stopped")]
    return [encode(e) for e in [*events[:cut], *(Event(cut + n, t + n, fact) for n, fact in enumerate(facts, 1))]]


def later_version(lines: list[bytes]) -> list[bytes]:
    """A kind, a key and a shape that this version does not know."""
    new = b'{"seq":%d,"t":2.0,"kind":"moon-phase-read","phase":0.25}\n' % (len(lines) + 1)
    odd = b'{"seq":%d,"t":2.1,"kind":"marked","label":{"text":"here","colour":"red"}}\n' % (len(lines) + 2)
    key = b'{"seq":%d,"t":2.2,"kind":"marked","label":"there","colour":"red"}\n' % (len(lines) + 3)
    return [*lines, new, odd, key]


def two_devices(events: list[Event]) -> list[bytes]:
    """Two cards are sampled while a request runs; one of them tells little."""
    cut = 12
    samples: list[ev.Fact] = [
        ev.GpuSampled("0000:03:00.0", 0.97, 19_400_000_000, 100_000_000, 287.0, 62.0, 2.4e9),
        ev.GpuSampled("0000:04:00.0", None, None, None, None, None, None),
        ev.HostSampled(1.5, 2_000_000_000, None),
    ]
    t = events[cut - 1].t
    extra = [Event(0, t, s) for s in samples]
    return [encode(e) for e in renumbered([*events[:cut], *extra, *events[cut:]])]


def clock_gap(events: list[Event]) -> list[bytes]:
    """The run was paused for two minutes and went on in another process."""
    cut = 25
    t = events[cut - 1].t
    pause = [Event(0, t, ev.RunPaused()), Event(0, t + 120, ev.RunResumed("2026-12-01T10:01:00+00:00", t + 120))]
    later = [replace(e, t=round(e.t + 120, 6)) for e in events[cut:]]
    return [encode(e) for e in renumbered([*events[:cut], *pause, *later])]


if __name__ == "__main__":
    main()
