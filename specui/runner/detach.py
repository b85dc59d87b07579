"""A runner as a process of its own session, which no closed terminal and no dead parent can end."""

from __future__ import annotations

import contextlib
import json
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from specui.domain.errors import SpecuiError, UsageError
from specui.journal.store import RunFolder

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from specui.domain.units import Record


def start(order: Record, words: Sequence[str], env: Mapping[str, str]) -> RunFolder:
    """Start `specui WORDS` as a runner, hand it the order, and wait until its run has a folder.

    The runner answers with one line of JSON: the folder's `path`, or an `error`.
    Raises UsageError with the runner's own words.
    """
    try:
        process = subprocess.Popen(
            [sys.executable, "-P", "-m", "specui", *words],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
            env=dict(env),
        )
    except OSError as error:
        raise SpecuiError(f"the runner cannot be started: {error.strerror}") from error
    assert process.stdin is not None
    assert process.stdout is not None
    with process.stdout as answers:
        with contextlib.suppress(BrokenPipeError), process.stdin as orders:
            orders.write(json.dumps(order).encode("ascii"))
        said = answers.readline()
    return _folder(said, None if said else process.wait())


def _folder(said: bytes, code: int | None) -> RunFolder:
    try:
        answer = json.loads(said)
    except ValueError:
        answer = None
    if isinstance(answer, dict) and isinstance(answer.get("path"), str):
        return RunFolder(Path(answer["path"]))
    if isinstance(answer, dict) and isinstance(answer.get("error"), str):
        raise UsageError(answer["error"])
    raise SpecuiError(
        f"the runner ended before it had a run (exit code {code}); try again, or look at the system's log"
    )
