"""The folder of one run, and what lies where in it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class RunFolder:
    """The folder of one run; its name is the run's id."""

    path: Path

    @property
    def id(self) -> str:
        """The run's id."""
        return self.path.name

    @property
    def journal(self) -> Path:
        """The facts."""
        return self.path / "journal.jsonl"

    @property
    def inbox(self) -> Path:
        """Where wishes are put, one file each."""
        return self.path / "inbox"

    @property
    def session(self) -> Path:
        """The journal laid out to keep and to send."""
        return self.path / "session.toml"

    @property
    def log(self) -> Path:
        """What the runner itself has to say."""
        return self.path / "runner.log"

    def server_log(self, case: int) -> Path:
        """The engine's own words while it served a case."""
        return self.path / f"server-{case}.log"
