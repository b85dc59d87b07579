"""Starts runs from within the screens: by a process of its own, for a loop and its threads cannot be forked."""

from __future__ import annotations

import asyncio
import sys
from typing import TYPE_CHECKING

from specui.cli.demo import WATCHED_REPEATS
from specui.cli.places import places
from specui.domain.errors import SpecuiError
from specui.domain.text import one_line
from specui.journal import store

if TYPE_CHECKING:
    from specui.journal.folder import RunFolder


async def start_demo() -> RunFolder:
    """The demo as a run of its own. Raises SpecuiError with its words where it does not start."""
    return await start(["demo", "--detach", "--repeats", str(WATCHED_REPEATS)])


async def start(words: list[str]) -> RunFolder:
    """A run by our own command line, which must print its id. Raises SpecuiError with the last line it says."""
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "specui", *words,
        stdin=asyncio.subprocess.DEVNULL, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE,
    )  # fmt: skip
    said, complained = await process.communicate()
    if process.returncode != 0:
        lines = complained.decode("utf-8", "replace").splitlines() or ["it ended without a word"]
        raise SpecuiError(one_line(lines[-1].removeprefix("specui: ")))
    return store.find(places().runs, said.decode("utf-8", "replace").split()[-1])
