"""Whatever goes wrong with a question is in its answer and in the journal, and the stream is closed."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from specui.domain.errors import JournalError
from specui.domain.plan import Limits
from specui.domain.request_facts import FirstToken, RequestSent, StepsDecoded
from specui.engines.llama import asking
from specui.engines.llama.http import httpx
from tests.engines.answers import WHOLE, event, said, timings
from tests.engines.boxes import QUESTION, Box

if TYPE_CHECKING:
    from pathlib import Path

    from specui.domain.events import Fact

FOR_EVER: None = None


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody waits for a log that is not written, nor for a server after its end mark."""
    monkeypatch.setattr(asking, "LOG_WAIT_S", 0.0)
    monkeypatch.setattr(asking, "AFTER_END_S", 0.01)


@pytest.fixture
def box(tmp_path: Path) -> Box:
    """A server that says nothing yet."""
    return Box(tmp_path / "server.log")


TEXT = said("Some text", timings=timings(7, 60.0))
FAILURES: list[tuple[tuple[bytes | Exception | None, ...], int, str]] = [
    ((TEXT, httpx.RemoteProtocolError("peer closed connection without sending")), 200, "peer closed"),
    ((TEXT, httpx.ReadTimeout("")), 200, "nothing for 300 s"),
    ((TEXT,), 200, "before the end"),
    ((TEXT, event({"error": {"message": "Compute error."}})), 200, "Compute error."),
    ((b'{"error":{"code":400,"message":"no way"}}',), 200, "no way"),
    ((b'{"error":{"code":503,"message":"Loading model"}}',), 503, "Loading model"),
    ((), 200, "without a word"),
    ((b"data: [DONE]\n\n",), 200, "without a word"),
]


@pytest.mark.parametrize(("pieces", "status", "says"), FAILURES, ids=range(len(FAILURES)))
def test_a_failure_is_in_the_answer_and_in_the_journal(
    box: Box, pieces: tuple[bytes | Exception | None, ...], status: int, says: str
) -> None:
    """C23, C31: in the server's words, with what came before it; such an answer is no result and has no speed."""
    box.pieces, box.status, box.metrics = pieces, status, ""

    answer = box.ask()

    assert answer.error is not None
    assert says in answer.error
    assert answer.error == box.end().error
    assert (0, None) == (box.row()["requests"], box.row()["speed_tok_per_s"])
    assert says in str(box.row()["notes"])
    if TEXT in pieces:
        assert ("Some text", 7) == (answer.text, answer.predicted_n)


def test_the_engine_s_death_stands_before_what_it_did_to_the_stream(box: Box) -> None:
    """C31: with the signal that ended the child."""
    box.pieces, box.why_broken = (TEXT, httpx.ReadError("")), "the engine was killed by SIGKILL"

    assert "the engine was killed by SIGKILL" == box.ask().error


@pytest.mark.parametrize("chunk", [said("x"), said(delta={"reasoning": "hm"}), said("x", timings=timings(500, 9.0))])
def test_an_endless_answer_is_cut(box: Box, chunk: bytes) -> None:
    """C33: beyond `max_tokens` the connection is closed, which cancels on the server, and the answer is no result."""
    box.pieces = (chunk,) * 2000

    answer = box.ask()

    assert answer.error is not None
    assert "max_tokens (120)" in answer.error
    assert box.is_closed
    assert len(box.facts) < 400


@pytest.mark.parametrize("pieces", [(FOR_EVER,), (TEXT, FOR_EVER), (b":\n\n", FOR_EVER)])
def test_a_silent_answer_is_given_up(box: Box, pieces: tuple[bytes | None, ...]) -> None:
    """C33: after the time that a request may take, with what came so far."""
    box.pieces = pieces

    answer = box.ask(replace(QUESTION, limits=Limits(request_s=0.01)))

    assert "the answer took over 0.01 s, so it was cut" == answer.error
    assert box.is_closed


@pytest.mark.parametrize(
    "after", [FOR_EVER, httpx.ReadError(""), httpx.ReadTimeout("")], ids=["silence", "break", "stall"]
)
def test_what_happens_after_the_end_mark_does_not_matter(box: Box, after: Exception | None) -> None:
    """A server may keep the connection open, or break it: the answer is whole."""
    box.pieces = (said("a", timings=timings(5, 10.0)) + WHOLE, after)

    answer = box.ask()

    assert ("a", None, None) == (answer.text, answer.error, box.end().error)
    assert box.is_closed


@pytest.mark.parametrize("at", [FirstToken, RequestSent, StepsDecoded])
def test_cancelling_closes_the_stream_first(box: Box, at: type[Fact]) -> None:
    """C33: a wish to stop reaches the server at any time; the journal knows how the request ended."""
    box.pieces = (b":\n\n", TEXT, FOR_EVER)

    async def cancelled() -> None:
        reached = asyncio.Event()
        box.on = lambda fact: reached.set() if isinstance(fact, at) else None
        task = asyncio.create_task(box.server().ask(QUESTION))
        await reached.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(cancelled())

    assert "cancelled" == box.end().error
    assert box.is_closed or at is RequestSent


def test_a_journal_that_cannot_be_written_ends_the_request(box: Box) -> None:
    """The stream is closed, and the error travels on."""

    def full(fact: Fact) -> None:
        if isinstance(fact, FirstToken):
            raise JournalError("no space left")

    box.pieces, box.on = (TEXT, FOR_EVER), full

    with pytest.raises(JournalError):
        box.ask()

    assert box.is_closed
