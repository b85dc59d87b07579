"""Runs that are started from within the screens."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys

import pytest

from specui.cli import starting
from specui.cli.starting import Starter
from specui.domain.errors import SpecuiError


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
    monkeypatch.setattr(starting, "_carried_out", lambda _: silent)
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
        "starting.subprocess.run = lambda words, **_: signal.pthread_sigmask(signal.SIG_BLOCK, ())\n"
        "print(starter._thread.submit(starting._carried_out, []).result())\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=60)
    assert done.stdout.splitlines() == ["True set()", "set()"]
