"""`specui tail`: the journal's lines as they come; what a watcher reads through a pipe."""

from __future__ import annotations

import asyncio
import json
import sys
from typing import TYPE_CHECKING

from specui.cli.places import places
from specui.domain.codec import encode
from specui.domain.errors import JournalError
from specui.journal import store
from specui.journal.lines import write_header
from specui.journal.tail import Tail

if TYPE_CHECKING:
    import argparse

    from specui.journal.folder import RunFolder

POLL_S = 0.1


def configure(parser: argparse.ArgumentParser) -> None:
    """The options of `tail`."""
    parser.add_argument("run", metavar="RUN", help="an id, a unique beginning of one, or last")
    parser.add_argument(
        "--after", type=int, dest="after_seq", metavar="SEQ", help="only events after this one, no header"
    )
    parser.add_argument(
        "--heartbeat", type=float, default=None, metavar="S", help="a sign of life every S seconds of silence"
    )


def run(options: argparse.Namespace) -> int:
    """Print until the run has ended and every line is out."""
    folder = store.find(places().runs, options.run)
    try:
        asyncio.run(_follow(folder, options.after_seq, options.heartbeat))
    except OSError as error:
        if isinstance(error, BrokenPipeError):
            raise
        raise JournalError(f"the journal {folder.journal} cannot be read: {error.strerror}") from error
    return 0


async def _follow(folder: RunFolder, after: int | None, heartbeat_s: float | None) -> None:
    tail = Tail(folder.journal, after or 0, POLL_S)
    is_headed = after is not None
    silent_polls = 0
    async for batch in tail.batches():
        if not is_headed and tail.header is not None:
            is_headed = True
            _out(write_header(tail.header))
        for event in batch:
            _out(encode(event))
        silent_polls = 0 if batch else silent_polls + 1
        if heartbeat_s and silent_polls * POLL_S >= heartbeat_s:
            silent_polls = 0
            _out(json.dumps({"tail": "alive"}).encode() + b"\n")
        sys.stdout.buffer.flush()
    if heartbeat_s:
        _out(json.dumps({"tail": "ended"}).encode() + b"\n")
        sys.stdout.buffer.flush()


def _out(line: bytes) -> None:
    sys.stdout.buffer.write(line)
