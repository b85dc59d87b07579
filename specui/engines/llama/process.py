"""An engine as a process that cannot outlive its runner, with its words kept in a file.

Output goes straight to the file, so a full pipe never holds the engine up. Standard input is a pipe that
stays open: its end of file ends a llama-server, also inside a wrapper that the kernel's signal does not reach.
"""

from __future__ import annotations

import asyncio
import contextlib
import ctypes
import os
import signal
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from specui.domain.errors import EngineUnusable

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from specui.domain.units import Seconds

_PR_SET_PDEATHSIG = 1
_EXIT_LINE = b"cmd_router_to_child:exit\n"
_LIBC = ctypes.CDLL(None, use_errno=True)

EXIT_LINE_S: Seconds = 1.5
TERM_S: Seconds = 5.0
_POLL_S: Seconds = 0.02


@dataclass(frozen=True, slots=True)
class Exit:
    """How a process ended: with a code, or by a signal."""

    code: int | None
    signal: int | None


class EngineProcess:
    """A running engine. Must be started on the main thread: it is killed when its starting thread ends."""

    def __init__(self, argv: Sequence[str], env: Mapping[str, str], log: Path) -> None:
        """Start it. Raises EngineUnusable where the program cannot be started at all."""
        descriptor = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o600)
        parent = os.getpid()
        try:
            self._process = subprocess.Popen(
                argv,
                stdin=subprocess.PIPE,
                stdout=descriptor,
                stderr=descriptor,
                env=dict(env),
                start_new_session=True,
                preexec_fn=lambda: _die_with(parent),
            )
        except OSError as error:
            raise EngineUnusable(f"{argv[0]} cannot be started: {error.strerror}") from error
        finally:
            os.close(descriptor)
        self._exit: Exit | None = None

    @property
    def pid(self) -> int:
        """Its process number, and that of its session and group."""
        return self._process.pid

    def started_at(self) -> Seconds | None:
        """When the kernel started it, in seconds since boot."""
        try:
            fields = Path(f"/proc/{self.pid}/stat").read_text(errors="replace").rsplit(")", 1)[1].split()
            return int(fields[19]) / os.sysconf("SC_CLK_TCK")
        except (OSError, IndexError, ValueError):
            return None

    def exit(self) -> Exit | None:
        """How it ended; None while it runs. What it left behind in its group is killed."""
        if self._exit is None:
            ended = os.waitid(os.P_PID, self.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT)
            if ended is None:
                return None
            self._kill_group()
            self._process.wait()
            self._close_stdin()
            code = self._process.returncode
            self._exit = Exit(None, -code) if code < 0 else Exit(code, None)
        return self._exit

    async def wait(self, limit_s: Seconds) -> Exit | None:
        """How it ended, waiting up to a limit; None where it still runs then."""
        for _ in range(max(1, round(limit_s / _POLL_S))):
            if (ended := self.exit()) is not None:
                return ended
            await asyncio.sleep(_POLL_S)
        return self.exit()

    async def stop(self, *, is_serving: bool = True) -> Exit:
        """End it: by its own exit line, else by TERM, else by KILL; gone when this returns.

        Streams to it must be closed before: with one open, a llama-server does not end. One that loads heeds no line.
        """
        if (ended := self.exit()) is not None:
            return ended
        self._write_exit_line()
        if is_serving and (ended := await self.wait(EXIT_LINE_S)) is not None:
            return ended
        with contextlib.suppress(ProcessLookupError):
            os.kill(self.pid, signal.SIGTERM)
        if (ended := await self.wait(TERM_S)) is not None:
            return ended
        return self.kill()

    def kill(self) -> Exit:
        """End it and its group at once."""
        self._kill_group()
        os.waitid(os.P_PID, self.pid, os.WEXITED | os.WNOWAIT)
        ended = self.exit()
        assert ended is not None
        return ended

    def _write_exit_line(self) -> None:
        if self._process.stdin is not None:
            with contextlib.suppress(OSError, ValueError):
                os.set_blocking(self._process.stdin.fileno(), False)
                os.write(self._process.stdin.fileno(), _EXIT_LINE)

    def _kill_group(self) -> None:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self.pid, signal.SIGKILL)

    def _close_stdin(self) -> None:
        if self._process.stdin is not None:
            with contextlib.suppress(OSError):
                self._process.stdin.close()


def _die_with(parent: int) -> None:
    """Runs in the child before it becomes the engine: the kernel kills it when `parent` is gone."""
    _LIBC.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    if os.getppid() != parent:
        os._exit(1)
