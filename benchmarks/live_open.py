"""The Live screen open on a journal, in a pseudo-terminal that reads whatever comes: for benchmarks beside it."""

from __future__ import annotations

import contextlib
import fcntl
import os
import pty
import signal
import struct
import sys
import termios
import threading
import time
from typing import TYPE_CHECKING

from specui.domain.events import CaseAdded, CaseStarted, RunStarted, ServerReady
from specui.domain.plan import Case, EngineChoice, Model, Plan, Prompt
from specui.journal import store
from specui.journal.writer import JournalWriter
from specui.runner.recorder import Recorder

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

SHOWN_WITHIN_S = 20.0


class LiveScreen:
    """`specui watch` at 120x40; it can be halted, so that another client has the machine to itself."""

    def __init__(self, home: Path) -> None:
        environment = {**os.environ, "SPECUI_HOME": str(home), "TERM": "xterm-256color", "COLORTERM": "truecolor"}
        self.pid, self._terminal = pty.fork()
        if self.pid == 0:
            os.execve(sys.executable, [sys.executable, "-m", "specui", "watch"], environment)
        fcntl.ioctl(self._terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 120, 0, 0))
        self._is_shown = threading.Event()
        self.received_bytes = 0
        threading.Thread(target=self._read, daemon=True).start()
        if not self._is_shown.wait(SHOWN_WITHIN_S):
            raise SystemExit("the Live screen did not appear")

    @contextlib.contextmanager
    def halted(self) -> Iterator[None]:
        """Let it take nothing of the machine."""
        os.kill(self.pid, signal.SIGSTOP)
        try:
            yield
        finally:
            os.kill(self.pid, signal.SIGCONT)
            time.sleep(0.3)  # it looks at the journal again before anything is measured

    def stop(self) -> None:
        """End it."""
        os.kill(self.pid, signal.SIGTERM)
        os.waitpid(self.pid, 0)

    def _read(self) -> None:
        seen = b""
        with contextlib.suppress(OSError):
            while data := os.read(self._terminal, 65536):
                self.received_bytes += len(data)
                seen = (seen + data)[-(1 << 17) :]
                if b"Throughput" in seen:
                    self._is_shown.set()


def watched_recorder(home: Path, model: str) -> Recorder:
    """A recorder whose journal `specui watch` finds: a run of one case that never ends."""
    case = Case(Model(model, "toy", model, toy=True), EngineChoice("stock", "binary"))
    plan = Plan("beside Live", "bench", (Prompt("bench", ("",)),), cases=(case,))
    folder = store.create(home / "runs", "beside-live", "2026-01-01T00-00-00")
    recorder = Recorder(JournalWriter(folder.journal, {"format": 1, "id": folder.id, "title": plan.title}))
    recorder.emit(RunStarted(plan.without_cases(), {}, {}))
    recorder.emit(CaseAdded(1, case))
    recorder.emit(CaseStarted(1, (), 1))
    recorder.emit(ServerReady(1, 1.0, None, 2048, "CPU", False, None, None, False))  # as after a real start: 2 Hz then
    return recorder
