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

EXACT_S: Seconds = 1.0
"""So long a stream is read as it comes: the first token and the end of a short answer are seen on time."""

GULP_S: Seconds = 0.2
"""Pause before the next look: a little shorter than a screen's tick."""

WAITED_S: Seconds = 0.001
"""A piece that took longer had not been there yet, so nothing else is waiting."""


async def gathered(pieces: AsyncIterator[bytes], may_rest: Callable[[], bool]) -> AsyncIterator[bytes]:
    """The pieces as they come; with a pause, while `may_rest`, whenever all that had arrived has been given.

    The end of a long stream is noticed up to `GULP_S` late.
    """
    loop = asyncio.get_running_loop()
    began = asked = loop.time()
    async for piece in pieces:
        had_to_wait = loop.time() - asked > WAITED_S
        yield piece
        if had_to_wait and loop.time() - began > EXACT_S and may_rest():
            await asyncio.sleep(GULP_S)
        asked = loop.time()
