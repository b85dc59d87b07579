"""A runner as a process of its own session, which no closed terminal and no dead parent can end."""

from __future__ import annotations

import contextlib
import json
import logging
import os
import signal
from collections.abc import Callable, Mapping
from pathlib import Path

from specui.domain.errors import SpecuiError, UsageError
from specui.journal.folder import RunFolder

Answer = Callable[[Mapping[str, str]], None]
"""Tells the waiting parent, once, the run's `path` or an `error`."""

NAME = b"specui-runner"
_BROKEN = 70

log = logging.getLogger(__name__)


def start(work: Callable[[Answer], int]) -> RunFolder:
    """Run `work` in a process of its own and wait until its run has a folder.

    The process is forked from this one, so nothing is loaded twice: call it before there are threads or an event loop.
    It keeps no file of ours open. Raises UsageError with the runner's own words, SpecuiError where it ends without any.
    """
    reading, writing = os.pipe()
    try:
        pid = os.fork()
    except OSError as error:
        raise SpecuiError(f"the runner cannot be started: {error.strerror}") from error
    if pid == 0:
        _become_runner(work, writing)
    os.close(writing)
    with os.fdopen(reading, "rb") as answers:
        said = answers.readline()
    if not said:
        _, status = os.waitpid(pid, 0)
        raise SpecuiError(f"the runner ended before it had a run (exit code {os.waitstatus_to_exitcode(status)})")
    answer = json.loads(said)
    if "error" in answer:
        os.waitpid(pid, 0)
        raise UsageError(answer["error"])
    return RunFolder(Path(answer["path"]))


def _become_runner(work: Callable[[Answer], int], writing: int) -> None:
    """In the child: leave the terminal and the parent's files behind, work, and end without the parent's clean-up."""
    code = _BROKEN
    try:
        os.setsid()
        signal.signal(signal.SIGHUP, signal.SIG_IGN)
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})  # an engine would inherit it
        _let_go(writing)
        code = work(lambda answer: _tell(writing, answer))
    except SpecuiError as error:
        log.error("%s", error)
    except BaseException:  # whatever it is, it must not reach the parent's code: this is the end of the process
        log.exception("the runner broke off")
    finally:
        os._exit(code)


def _let_go(kept: int) -> None:
    """Close every file but one, and put standard input, output and error nowhere."""
    nowhere = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1, 2):
        os.dup2(nowhere, descriptor)
    highest = os.sysconf("SC_OPEN_MAX")
    os.closerange(3, kept)
    os.closerange(kept + 1, min(highest, 65536))
    with contextlib.suppress(OSError):
        Path("/proc/self/comm").write_bytes(NAME)


def _tell(writing: int, answer: Mapping[str, str]) -> None:
    """One line to the parent, who may be gone already."""
    with contextlib.suppress(OSError):
        os.write(writing, json.dumps(dict(answer)).encode("ascii") + b"\n")
    os.close(writing)
