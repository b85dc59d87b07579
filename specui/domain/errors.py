"""The drawn tree of errors: what can go wrong, and who is told.

SpecuiError
├── UsageError            what was asked cannot be done as written (exit code 2)
│   ├── PlanError         a plan, prompt set or option is wrong; carries every problem
│   ├── UnreadableFile    a session, journal or model file cannot be read
│   └── NotKept           a file that is needed cannot be written where it is kept
├── EngineError           an engine did not do what it was asked (a fact in the journal)
│   ├── EngineUnusable    the program does not run here, or lacks what the case needs
│   ├── LaunchFailed      it started and ended, or never became ready
│   ├── SpeculationOff    it is ready, but does not speculate as asked
│   └── RequestFailed     one request got no usable answer
└── JournalError          a journal cannot be written, locked or found; stops a run loudly
"""

from __future__ import annotations


class SpecuiError(Exception):
    """Root of all errors of this program. Its text is one sentence: what, where, what to do."""


class UsageError(SpecuiError):
    """What was asked cannot be done as it is written."""


class PlanError(UsageError):
    """A plan is wrong; `problems` holds every finding, one sentence each."""

    def __init__(self, problems: list[str]) -> None:
        super().__init__("; ".join(problems))
        self.problems = tuple(problems)


class UnreadableFile(UsageError):
    """A file cannot be read as what it should be."""


class NotKept(UsageError):
    """A file that specui makes for itself cannot be written where it is kept."""


class EngineError(SpecuiError):
    """An engine did not do what it was asked."""


class EngineUnusable(EngineError):
    """The engine's program does not run on this machine, or cannot do what the case needs."""


class LaunchFailed(EngineError):
    """The engine was started and did not become ready."""


class SpeculationOff(EngineError):
    """The engine is ready, but without the speculation that was asked for."""


class RequestFailed(EngineError):
    """One request ended without a usable answer."""


class JournalError(SpecuiError):
    """A journal cannot be written, locked or found."""
