"""Answers recorded from llama-server b11669: steps, counters and log tell one story."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from specui.domain.plan import Speculation
from specui.domain.request_facts import CountersRead
from specui.domain.summary import case_summary
from specui.engines.llama import logs
from specui.engines.llama.counters import read_counters
from tests.domain.runs import case, only_request, run_of, sent
from tests.engines.answers import cut, end_of, heard, spans_of, steps_of, text_of

if TYPE_CHECKING:
    from specui.domain.events import Fact
    from specui.domain.request import RequestState

STREAMS = Path(__file__).parent.parent / "data" / "streams"
DRAFTING = ["draft-simple", "draft-eagle3", "draft-mtp", "draft-dflash", "draft-dspark"]
PLAIN = ["ngram-mod", "none"]
DRAFT_LENGTH = 4
NONE_YET = CountersRead(1, None, 0, 0, 0, None, 0)

every_stream = pytest.mark.parametrize("method", [*DRAFTING, *PLAIN])


@cache
def recorded(method: str) -> bytes:
    return (STREAMS / f"b11669-{method}.sse").read_bytes()


def counters(method: str) -> CountersRead:
    """What `/metrics` said after the answer, the only one of its server."""
    read = read_counters((STREAMS / f"b11669-{method}.metrics.txt").read_text(encoding="utf-8"))
    return CountersRead(1, 1, read.drafts, read.drafted, read.accepted, read.per_position, read.decodes)


def bound(method: str) -> int:
    return Speculation(method, None if method in PLAIN else DRAFT_LENGTH).draft_bound()


def request(method: str, with_counters: bool = True) -> RequestState:
    """The recorded request, folded."""
    facts = heard(recorded(method), bound=bound(method))
    read = [counters(method)] if with_counters else []
    return only_request(run_of([case(method, DRAFT_LENGTH)], NONE_YET, sent(), *facts, *read))


@every_stream
@pytest.mark.parametrize("with_counters", [True, False])
def test_the_books_balance(method: str, with_counters: bool) -> None:
    """The accounting identity, from the steps alone, and with the passes that the engine counted."""
    books = request(method, with_counters).accounting()

    assert books is not None
    assert 0 == books.difference()
    assert (0, 0) == (books.replayed, books.dropped)
    assert counters(method).drafts == books.drafts


@every_stream
def test_steps_and_counters_agree(method: str) -> None:
    """Totals, drafts, and the tokens kept at each place: from the chunks as `/metrics` has them."""
    mine, theirs = request(method, with_counters=False), counters(method)
    finished = mine.finished

    assert finished is not None
    assert (finished.draft_n or 0, finished.draft_n_accepted or 0) == (theirs.drafted, theirs.accepted)
    assert (120, "server", "length", None) == (
        finished.predicted_n, finished.timed_by, finished.stop_reason, finished.error,
    )  # fmt: skip
    assert mine.drafts == theirs.drafts
    if theirs.per_position is not None:
        assert mine.accepted_per_position == theirs.per_position
    assert not mine.has_merged_groups


@every_stream
def test_speed_and_mean_length_agree_with_the_log(method: str) -> None:
    """Our rate lies within 0.5 % of what the engine prints, and its acceptance line says what we compute."""
    lines = (STREAMS / f"b11669-{method}.log.txt").read_text(encoding="utf-8").splitlines()
    told = {type(fact): fact for line in lines if (fact := logs.read_line(line)) is not None}
    summary = case_summary(run_of([case(method, DRAFT_LENGTH)], NONE_YET, sent(), *_facts(method)), 1)
    speed, acceptance = told[logs.EvalTime], told.get(logs.DraftAcceptance)

    assert isinstance(speed, logs.EvalTime)
    assert pytest.approx(speed.tok_per_s, rel=0.005) == summary.speed
    assert pytest.approx(speed.tok_per_s, rel=0.005) == summary.server_speed
    if isinstance(acceptance, logs.DraftAcceptance):
        assert pytest.approx(acceptance.rate, abs=5e-6) == summary.acceptance
        assert pytest.approx(acceptance.mean_len, abs=0.005) == summary.mean_length
    else:
        assert (None, None, None, 1.0) == (
            summary.acceptance, summary.mean_length, summary.acceptance_at, summary.tokens_per_step,
        )  # fmt: skip


def _facts(method: str) -> list[Fact]:
    return [*heard(recorded(method), bound=bound(method)), counters(method)]


@every_stream
def test_one_pass_is_one_step(method: str) -> None:
    """Every pass shows: as many as the engine decoded less its prompt batches, and their times add up."""
    facts = heard(recorded(method), bound=bound(method))
    steps = steps_of(facts)
    state = request(method)

    assert state.batches is not None
    assert counters(method).decodes == state.batches + len(steps)
    assert 119 == sum(s.tokens for s in steps)
    assert pytest.approx(end_of(facts).predicted_ms, abs=1e-5) == sum(s.ms for s in steps)
    assert text_of(facts).startswith("Many years ago")
    assert all(origin is not None for _, origin, _, _ in spans_of(facts))


@every_stream
def test_one_byte_at_a_time_reads_the_same(method: str) -> None:
    """The hardest cut of all."""
    stream = recorded(method)

    assert _told(method, [stream]) == _told(method, [bytes([byte]) for byte in stream])


@settings(max_examples=25, deadline=None)
@given(st.sampled_from([*DRAFTING, *PLAIN]), st.lists(st.integers(0, 66_000), max_size=60))
def test_any_cut_reads_the_same(method: str, places: list[int]) -> None:
    """Property 3: rows, text, spans and totals do not depend on the network's pieces."""
    stream = recorded(method)

    assert _told(method, [stream]) == _told(method, cut(stream, places))


@settings(max_examples=25, deadline=None)
@given(st.sampled_from(DRAFTING), st.integers(1, 64_000))
def test_a_stream_that_breaks_anywhere_is_interrupted(method: str, length: int) -> None:
    """C31: cut short at any byte before its end, an answer is no result, and what came is a beginning of it."""
    facts = heard(recorded(method)[:length], bound=DRAFT_LENGTH)

    assert end_of(facts).error is not None
    assert text_of(heard(recorded(method), bound=DRAFT_LENGTH)).startswith(text_of(facts))
    assert 119 >= sum(s.tokens for s in steps_of(facts))


def _told(method: str, pieces: list[bytes]) -> tuple[object, ...]:
    facts = heard(*pieces, bound=bound(method))
    return steps_of(facts), spans_of(facts), end_of(facts)
