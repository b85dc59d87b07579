"""A stream is read in gulps once it may be, and nothing of it is lost or late by more than a gulp."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import TYPE_CHECKING

from specui.engines.llama import gathering
from specui.engines.llama.gathering import GULP_S, gathered

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    import pytest


async def paced(count: int, pause_s: float) -> AsyncIterator[bytes]:
    """Numbered pieces, one every so often."""
    for n in range(count):
        await asyncio.sleep(pause_s)
        yield b"%d " % n


def test_every_piece_comes_in_order() -> None:
    """Resting loses nothing."""

    async def read() -> bytes:
        return b"".join([piece async for piece in gathered(paced(20, 0.002), lambda: True)])

    assert b"".join(b"%d " % n for n in range(20)) == asyncio.run(read())


def test_a_reader_that_may_not_rest_does_not(monkeypatch: pytest.MonkeyPatch) -> None:
    """Before the first text, and where our clock is the only one, every piece is taken as it comes."""
    assert [] == rests(monkeypatch, may_rest=False)


def test_a_rest_is_a_share_of_the_stream_so_far(monkeypatch: pytest.MonkeyPatch) -> None:
    """It grows with the answer up to a gulp, so the end of a short one is not missed for long."""
    taken = rests(monkeypatch, may_rest=True)

    assert sorted(taken) == taken
    assert 0 < taken[0] < taken[-1] <= GULP_S


def rests(monkeypatch: pytest.MonkeyPatch, *, may_rest: bool) -> list[float]:
    """The pauses that reading ten slow pieces asks for."""
    asked: list[float] = []

    async def sleep(seconds: float) -> None:
        asked.append(seconds)

    async def read() -> None:
        pieces = paced(10, 0.003)
        async for _ in gathered(pieces, lambda: may_rest):
            pass

    monkeypatch.setattr(gathering, "asyncio", SimpleNamespace(sleep=sleep, get_running_loop=asyncio.get_running_loop))
    asyncio.run(read())
    return asked
