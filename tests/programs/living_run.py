"""A run of the scripted engine at its true pace, in a folder that is given: `living_run.py FOLDER`.

About a hundred tokens a second until it is ended or a wish stops it.
"""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

from specui.domain.plan import Case, EngineChoice, Model, Plan, Prompt, Speculation, Workload
from specui.engines.scripted import Script, ScriptedEngine
from specui.journal import wishes
from specui.journal.folder import RunFolder
from specui.journal.writer import JournalWriter
from specui.runner.recorder import Recorder
from specui.runner.runner import Runner


def main() -> None:
    """Answer the same two questions again and again."""
    folder = RunFolder(Path(sys.argv[1]))
    folder.inbox.mkdir(parents=True)
    model, engine = Model("Made-Up-7B", "made", "/m"), EngineChoice("scripted", "scripted")
    case = Case(model, engine, Speculation("draft-mtp", 3))
    prompts = (Prompt("p", ("Tell me of the sea.", "And of the land?")),)
    plan = Plan("living", "two", prompts, Workload(max_tokens=400), repeats=200, cases=(case,))
    with JournalWriter(folder.journal, {"format": 1, "id": folder.id, "title": "living"}) as writer:
        scripted = ScriptedEngine(Script(tokens=400, step_ms=16.0, pace=1.0))
        emit, inbox = Recorder(writer).emit, folder.inbox
        asyncio.run(Runner(plan, {}, {}, emit, lambda case: scripted, lambda: wishes.take(inbox)).carry_out())


if __name__ == "__main__":
    main()
