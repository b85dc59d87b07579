"""Starts runs from within the screens: by a process of its own, for a loop and its threads cannot be forked."""

from __future__ import annotations

import asyncio
import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

from specui.cli.places import places
from specui.cli.wish import leave_in
from specui.domain.errors import SpecuiError
from specui.domain.text import one_line
from specui.journal import store

if TYPE_CHECKING:
    from specui.journal.folder import RunFolder

WATCHED_REPEATS = 2
"""Passes of the demo on the screens: each case lasts long enough to be watched."""


class Starter:
    """A thread that keeps the priority it was made with, and hands it on to what it starts.

    The screens lower their own, and no process can raise it again: an engine must not inherit that.
    """

    def __init__(self) -> None:
        self._thread = ThreadPoolExecutor(1, "specui-starter")
        # A signal goes to any thread that does not hold it back: this one must leave them to the screens.
        held = signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())
        self._thread.submit(int).result()  # it exists from now on
        signal.pthread_sigmask(signal.SIG_SETMASK, held)

    async def start_demo(self) -> RunFolder:
        """The demo as a run of its own. Raises SpecuiError with its words where it does not start."""
        return await self.start(["demo", "--detach", "--repeats", str(WATCHED_REPEATS)])

    async def start(self, words: list[str]) -> RunFolder:
        """A run by our own command line, which must print its id.

        Raises SpecuiError with the last line it says. Cancelled, it leaves no run behind.
        """
        start = _Start(words)
        try:
            done = await asyncio.get_running_loop().run_in_executor(self._thread, start.carried_out)
        except asyncio.CancelledError:  # the screens are being left: nobody would see what was started
            start.give_up()
            raise
        if done.returncode != 0:
            lines = done.stderr.splitlines() or ["it ended without a word"]
            raise SpecuiError(one_line(lines[-1].removeprefix("specui: ")))
        return store.find(places().runs, done.stdout.split()[-1])


class _Start:
    """One command that starts a run, carried out by a thread and given up by another."""

    def __init__(self, words: list[str]) -> None:
        self._words = words
        self._process: subprocess.Popen[str] | None = None
        self._is_given_up = False

    def carried_out(self) -> subprocess.CompletedProcess[str]:
        """Run the command to its end."""
        signal.pthread_sigmask(signal.SIG_SETMASK, ())  # what is started inherits this, and must be able to be ended
        with subprocess.Popen(
            [sys.executable, "-m", "specui", *self._words],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            encoding="utf-8", errors="replace",
        ) as process:  # fmt: skip
            self._process = process
            if self._is_given_up:
                process.terminate()
            said, complained = process.communicate()
        if self._is_given_up and said.split():
            leave_in(store.find(places().runs, said.split()[-1]), "stop", "")
        return subprocess.CompletedProcess(self._words, process.returncode, said, complained)

    def give_up(self) -> None:
        """End the command, and what it has started."""
        self._is_given_up = True
        if self._process is not None:
            self._process.terminate()
