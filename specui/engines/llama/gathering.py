"""A stream read in gulps instead of token by token, where nothing is lost by that.

Waking up for every token costs more than reading it: at 100 tok/s several percent of a core, next to an engine that
computes on the same cores. The engine's own clock times the tokens, and the kernel keeps them meanwhile.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable

    from specui.domain.units import Seconds

GULP_S: Seconds = 0.2
"""Longest pause before the next look: a little shorter than a screen's tick."""

GULP_SHARE = 0.2
"""A pause is at most this share of the stream so far, so the end of a short answer is not missed for long."""

WAITED_S: Seconds = 0.001
"""A piece that took longer had not been there yet, so nothing else is waiting."""


async def gathered(pieces: AsyncIterator[bytes], may_rest: Callable[[], bool]) -> AsyncIterator[bytes]:
    """The pieces as they come; with a pause, once `may_rest`, whenever all that had arrived has been given.

    The end of a stream is noticed late by a pause at most.
    """
    loop = asyncio.get_running_loop()
    asked, began = loop.time(), None
    async for piece in pieces:
        had_to_wait = loop.time() - asked > WAITED_S
        yield piece
        if had_to_wait and may_rest():
            began = asked if began is None else began
            await asyncio.sleep(min(GULP_S, GULP_SHARE * (loop.time() - began)))
        asked = loop.time()
