"""From a started process to a server that answers questions, and to its end."""

from __future__ import annotations

from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from specui.domain.events import ServerExited, Warned
from specui.engines.llama.asking import LlamaServer
from specui.engines.llama.client import LlamaClient
from specui.engines.llama.command import HOST
from specui.engines.llama.deaths import death, how_it_ended, last_words
from specui.engines.llama.readiness import PortTaken, Start, until_ready, verified

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from specui.domain.plan import Case
    from specui.domain.units import Seconds
    from specui.engines.base import Emit
    from specui.engines.llama.capabilities import Capabilities
    from specui.engines.llama.launching import Launched

DEATH_S: Seconds = 0.3
"""How long after a broken answer the engine may take to be gone: its connections close first."""

__all__ = ["PortTaken", "note_port", "tended"]


@asynccontextmanager
async def tended(
    new: Launched, number: int, case: Case, can: Capabilities, api_key: str | None, emit: Emit
) -> AsyncIterator[LlamaServer]:
    """A loaded server that speculates as the case asks; gone when the context is left.

    Raises PortTaken, LaunchFailed or SpeculationOff.
    """
    client = LlamaClient(f"http://{HOST}:{new.port}", api_key)
    start = Start(number, case, can, new.port, new.alias, new.words, new.since)

    async def why_broken() -> str | None:
        ended = await new.process.wait(DEATH_S)
        return None if ended is None else death(case, ended, new.words)

    server = LlamaServer(number, client, new.words, emit, case.speculation.draft_bound(), why_broken)
    is_serving = False
    try:
        await until_ready(start, new.process, client, emit)
        is_serving = True
        await verified(start, client, emit)
        yield server
    finally:
        await _stop(new, number, client, emit, is_serving)


def note_port(error: PortTaken, number: int, emit: Emit) -> None:
    """Say that a port was taken and that another is tried."""
    emit(Warned("port-taken", f"{error}: trying another port", number))


async def _stop(new: Launched, number: int, client: LlamaClient, emit: Emit, is_serving: bool) -> None:
    """Close our streams, end the process, say how it ended. A death that we asked for is no failure."""
    ended = new.process.exit()
    died = ended is not None
    if is_serving and not died:
        await client.settled()
    await client.close()
    ended = ended or await new.process.stop(is_serving=is_serving)
    reason = None
    if died:
        last = last_words(new.words)
        reason = how_it_ended(ended) + (f"; its last words: {last}" if last else "")
    emit(ServerExited(number, ended.code, ended.signal, not died, reason))
