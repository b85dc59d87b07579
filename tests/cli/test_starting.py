"""Runs that are started from within the screens."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from specui.cli import starting
from specui.cli.starting import Starter
from specui.domain.errors import SpecuiError

if TYPE_CHECKING:
    from pathlib import Path


def test_what_is_started_keeps_the_priority_from_before() -> None:
    """The screens give way to an engine; the engine that they start does not."""
    program = (
        "import os, subprocess, sys\n"
        "from specui.cli import starting\n"
        "starter = starting.Starter()\n"
        "os.nice(5)\n"
        "done = starter._thread.submit(subprocess.run, [sys.executable, '-c', 'import os; print(os.nice(0))'], "
        "stdout=subprocess.PIPE).result()\n"
        "print(os.nice(0), done.stdout.decode().strip())\n"
    )
    before = os.nice(0)
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=60)
    assert f"{before + 5} {before}" == done.stdout.strip()


def test_a_run_that_does_not_start_says_its_own_words() -> None:
    """The last line of what it complained of, without our name before it."""
    with pytest.raises(SpecuiError, match=r"^there is no verb 'dance'"):
        asyncio.run(Starter().start(["dance"]))


def test_a_run_that_ends_without_a_word_is_told_as_such(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is made up."""
    silent = subprocess.CompletedProcess[str]([], 1, "", "")
    monkeypatch.setattr(starting._Start, "carried_out", lambda _: silent)
    with pytest.raises(SpecuiError, match="without a word"):
        asyncio.run(Starter().start(["demo"]))


def test_signals_are_left_to_the_screens_and_to_what_is_started() -> None:
    """The thread holds every signal back, for whoever ends the screens; a run that it starts can be ended."""
    program = (
        "import os, signal, subprocess, sys\n"
        "from specui.cli import starting\n"
        "starter = starting.Starter()\n"
        "held = starter._thread.submit(signal.pthread_sigmask, signal.SIG_BLOCK, ()).result()\n"
        "print(signal.SIGTERM in held, signal.pthread_sigmask(signal.SIG_BLOCK, ()))\n"
        "def popen(*_, **__):\n"
        "    print(signal.pthread_sigmask(signal.SIG_BLOCK, ()))\n"
        "    raise OSError\n"
        "starting.subprocess.Popen = popen\n"
        "starter._thread.submit(starting._Start([]).carried_out).exception()\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=60)
    assert done.stdout.splitlines() == ["True set()", "set()"]


@pytest.mark.engine
def test_a_start_that_is_left_leaves_no_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever quits while the demo is being started has started nothing."""
    pytest.importorskip("xllamacpp", reason="the embedded engine is not installed")
    monkeypatch.setenv("SPECUI_HOME", str(tmp_path))
    starter = Starter()

    async def left() -> None:
        start = asyncio.create_task(starter.start(["demo", "--detach"]))
        async with asyncio.timeout(60):
            while not (tmp_path / "cache" / "toys" / "lock").exists():  # noqa: ASYNC110 - another process makes it
                await asyncio.sleep(0)
        start.cancel()
        with pytest.raises(asyncio.CancelledError):
            await start

    asyncio.run(left())
    starter._thread.submit(int).result()
    assert [] == list(tmp_path.glob("runs/*"))
