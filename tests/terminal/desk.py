"""Where a person sits: a home with runs in it, living and ended, and terminals to look at them."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from tests.processes.driving import Journal, Machine, until
from tests.terminal.terminal import SPECUI, Terminal

if TYPE_CHECKING:
    from collections.abc import Mapping

TESTS = Path(__file__).resolve().parent.parent
FINISHED = "2026-12-01T09-58-12-story"
LIVING = "2026-12-01T10-00-00-living"
USUAL = {"TERM": "xterm-256color", "LANG": "C.UTF-8"}


@dataclass(frozen=True)
class LivingRun(Journal):
    """A run that goes on in a process of its own."""

    process: subprocess.Popen[bytes]

    @property
    def tokens(self) -> int:
        """How many tokens the request has that answers now, or answered last."""
        steps = self.all("steps-decoded")
        return max(event.get("predicted_n") or 0 for event in steps if event["request"] == steps[-1]["request"])

    def grows(self) -> None:
        """Wait for a good piece more of it."""
        size = (self.folder / "journal.jsonl").stat().st_size
        until(lambda: (self.folder / "journal.jsonl").stat().st_size > size + 500, "the journal grows on")


@dataclass
class Desk:
    """Everything a test starts; `home` holds the runs."""

    home: Path
    terminals: list[Terminal] = field(default_factory=list)
    processes: list[subprocess.Popen[bytes]] = field(default_factory=list)

    @property
    def machine(self) -> Machine:
        """The same home with fake engines."""
        return Machine(self.home, self.environment())

    def finished_run(self, words: Mapping[str, str] | None = None) -> str:
        """A run of long ago, in whose answers some words are replaced; gives its id."""
        lines = (TESTS / "journals" / "normal.jsonl").read_text(encoding="utf-8")
        for old, new in (words or {}).items():
            assert old in lines
            lines = lines.replace(json.dumps(old)[1:-1], new)
        folder = self.home / "runs" / FINISHED
        folder.mkdir(parents=True)
        (folder / "journal.jsonl").write_text(lines, encoding="utf-8")
        return FINISHED

    def living_run(self) -> LivingRun:
        """A run that answers at this moment, about a hundred tokens a second."""
        folder = self.home / "runs" / LIVING
        program = TESTS / "programs" / "living_run.py"
        env = {"PYTHONPATH": str(TESTS.parent), "PATH": os.environ["PATH"]}
        process = subprocess.Popen([sys.executable, "-P", str(program), str(folder)], env=env)
        self.processes.append(process)
        until((folder / "journal.jsonl").exists, "the living run has begun")
        run = LivingRun(folder, process)
        run.wait_for("steps-decoded", 3)
        return run

    def environment(self, **changes: str | None) -> dict[str, str]:
        """A plain environment with changes; None takes a variable away."""
        env = {"PATH": os.environ["PATH"], "HOME": str(self.home), "SPECUI_HOME": str(self.home), **USUAL}
        return {name: value for name, value in (env | changes).items() if value is not None}

    def open(
        self,
        *words: str,
        size: tuple[int, int] = (80, 24),
        program: str | None = None,
        env: Mapping[str, str | None] | None = None,
    ) -> Terminal:
        """A terminal with `specui WORDS` in it, or with a program that calls it."""
        start = SPECUI if program is None else (sys.executable, "-P", "-c", program)
        return self.started(Terminal([*start, *words], self.environment(**env or {}), self.home, size=size))

    def started(self, terminal: Terminal) -> Terminal:
        """One that is ended with the test."""
        self.terminals.append(terminal)
        return terminal

    def end_all(self) -> None:
        """Terminals first, then the runs."""
        for terminal in self.terminals:
            terminal.end()
        self.machine.end_all()
        for process in self.processes:
            process.send_signal(signal.SIGKILL)
            process.wait()
