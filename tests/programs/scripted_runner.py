"""A runner of the scripted engine in a process of its own: `scripted_runner.py FOLDER`.

Prints the number of every event after it is written, so that a test that kills it knows what must be there.
"""

from __future__ import annotations

import asyncio
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from specui.domain.plan import Case, EngineChoice, Model, Plan, Prompt, Speculation, Workload
from specui.engines.scripted import Script, ScriptedEngine
from specui.journal import wishes
from specui.journal.folder import RunFolder
from specui.journal.writer import JournalWriter
from specui.runner.recorder import Recorder
from specui.runner.runner import Runner

if TYPE_CHECKING:
    from specui.domain.events import Event


def say(event: Event) -> None:
    """Tell the parent that an event is safe."""
    os.write(1, b"%d\n" % event.seq)


def main() -> None:
    """Carry out a plan that takes some seconds."""
    folder = RunFolder(Path(sys.argv[1]))
    folder.inbox.mkdir(exist_ok=True)
    model, engine = Model("m", "m", "/m"), EngineChoice("scripted", "scripted")
    cases = tuple(Case(model, engine, s) for s in (Speculation(), Speculation("draft-mtp", 3)) * 20)
    plan = Plan("t", "t", (Prompt("p", ("a", "b")),), Workload(max_tokens=60), repeats=3, cases=cases)
    with JournalWriter(folder.journal, {"format": 1}) as writer:
        recorder = Recorder(writer, written=say)
        scripted = ScriptedEngine(Script(pace=0.05))
        runner = Runner(plan, {}, {}, recorder.emit, lambda case: scripted, lambda: wishes.take(folder.inbox))
        asyncio.run(runner.carry_out())


if __name__ == "__main__":
    main()
