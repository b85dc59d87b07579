"""Whatever a server streams becomes the right facts: text, steps, totals, and why it ended."""

from __future__ import annotations

import pytest

from specui.domain.request_facts import FirstToken, PromptProgressed, RequestFinished
from specui.domain.steps import Step
from tests.engines.answers import (
    DONE,
    STOP,
    WHOLE,
    decoded,
    end_of,
    event,
    heard,
    said,
    spans_of,
    steps_of,
    text_of,
    timings,
)

USAGE = event({"choices": [], "usage": {"completion_tokens": 40, "prompt_tokens": 34}})


NOTHING = [
    b":\n\n", b": keepalive\n\n", b"data:\n\n", b"data:  \n\n", b"event: ping\ndata: {}\n\n",
    b"event: ping\ndata: ping\n\n", b"id: 1\nretry: 5\n\n",
    b"data: {}\n\n", b"data: null\n\n", b"data: []\n\n", b"data: 7\n\n", b'data: "x"\n\n',
    said(None), said(""), said(delta={"role": "assistant", "content": None}), said(delta=[]), said(delta="x"),
    event({"choices": []}), event({"choices": None}), event({"choices": {}}), event({"choices": ["x"]}),
    event({"id": "a"}), said({"text": "x"}),
    event({"choices": [], "usage": None, "timings": None}), event({"choices": [], "usage": {}, "timings": {}}),
    event({"choices": [{"index": 1, "delta": {"content": "other"}}]}), event({"choices": [], "error": None}),
    event({"choices": [{}], "usage": [], "timings": "x", "prompt_progress": 3}), said(5), said(["x"]),
]  # fmt: skip


@pytest.mark.parametrize("nothing", NOTHING)
def test_chunks_that_say_nothing_change_nothing(nothing: bytes) -> None:
    """C21, C25: neither a token nor a first token, neither an error nor an end, wherever they stand."""
    parts = [said("a", timings=timings(1, 0.001)), said("b", timings=timings(2, 8.0)), WHOLE]
    expected = heard(b"".join(parts))

    assert expected == heard(nothing + nothing.join(parts) + nothing)
    assert not any(isinstance(fact, FirstToken) for fact in heard(nothing, nothing))
    assert end_of(heard(nothing)).error is not None


def test_a_chunk_with_progress_is_no_token() -> None:
    """Prompt progress comes with empty text and timings of zeros."""
    progress = said(
        None,
        timings=timings(0, 0.0),
        prompt_progress={"total": 20, "cache": 4, "processed": 16, "time_ms": 6},
    )

    facts = heard(progress, said("a", timings=timings(1, 0.001)), WHOLE)

    assert [PromptProgressed(1, 20, 4, 16, 6.0), FirstToken(1)] == facts[:2]


def test_counts_are_taken_from_any_chunk_and_the_last_wins() -> None:
    """C25: timings on a chunk without choices; usage that grows in every chunk; an empty one at the end."""
    last = event({"choices": [], "usage": {"completion_tokens": 3}, "timings": timings(3, 20.0)})
    grown = [said("a", usage={"completion_tokens": n, "prompt_tokens": 5}) for n in (1, 2, 3)]

    assert (3, 20.0, "server") == _counted(end_of(heard(said("abc"), STOP, last, DONE)))
    assert (3, 20.0, "server") == _counted(end_of(heard(said("abc"), last, event({"timings": {}}), DONE)))
    assert (3, None, None) == _counted(end_of(heard(*grown, WHOLE)))
    assert (3, None, None) == _counted(end_of(heard(*grown, event({"choices": [], "usage": {}}), WHOLE)))
    assert 5 == end_of(heard(*grown, WHOLE)).prompt_n


def _counted(finished: RequestFinished) -> tuple[int | None, float | None, str | None]:
    return finished.predicted_n, finished.predicted_ms, finished.timed_by


@pytest.mark.parametrize(("read_in_first", "chunks"), [(1, 10), (1, 40), (4, 40), (1, 20)])
def test_a_chunk_is_no_token(read_in_first: int, chunks: int) -> None:
    """C27: 40 tokens at one pace by usage are 40 tok/s, in chunks of any size and however many come at once."""
    pieces = [said("a b c d ")] * chunks
    interval_ms = 1000 / chunks
    span_ms = interval_ms * (chunks - read_in_first)

    facts = heard(b"".join(pieces[:read_in_first]), *pieces[read_in_first:], USAGE, DONE, client_ms=span_ms)

    finished = end_of(facts)
    assert (40, "client") == (finished.predicted_n, finished.timed_by)
    assert finished.predicted_ms is not None
    assert pytest.approx(40.0, rel=1e-4) == 1000 * 39 / finished.predicted_ms
    assert [] == steps_of(facts)


def test_without_any_count_a_chunk_is_still_no_token() -> None:
    """C27: no usage, no timings: the text is there, the number of tokens is unknown."""
    assert (None, 900.0, None) == _counted(end_of(heard(*[said("a b")] * 10, WHOLE, client_ms=900.0)))


@pytest.mark.parametrize("count", [-1, 1.5, "7", True, None, 1e400, float("nan"), [], 10**400, 2**60], ids=range(10))
def test_a_count_that_cannot_be_is_unknown(count: object) -> None:
    """Numbers of another kind, beyond all bounds or no numbers at all are no numbers."""
    odd = said("a", timings={"predicted_n": count, "predicted_ms": 5.0}, usage={"completion_tokens": count})

    assert (None, None) == _counted(end_of(heard(odd, WHOLE)))[::2]


@pytest.mark.parametrize(
    ("pieces", "expected"),
    [
        ([said("\ud83d"), said("\ude00!")], "😀!"),
        ([said("a\ud83d"), said("b")], "a\ufffdb"),
        ([said("a\ud83d")], "a\ufffd"),
        ([said("\ude00a")], "\ufffda"),
        ([said("\ud83d"), said("\ud83d"), said("\ude00")], "\ufffd😀"),
        ([said("a\ufffdb")], "a\ufffdb"),
        ([said("\ud83d\ude00")], "😀"),
        ([said("\ud83d"), said(delta={"reasoning_content": "x"}), said("\ude00")], "😀"),
    ],
)
def test_halves_of_characters_are_joined_or_replaced(pieces: list[bytes], expected: str) -> None:
    """C29, C84: lone surrogates are valid JSON and must reach no file."""
    assert expected == text_of(heard(*pieces, WHOLE))


def test_a_half_at_the_end_of_inline_thinking_is_thought() -> None:
    """C29: an answer that is cut by its limit inside an emoji inside a thought that never closes."""
    assert "why\ufffd" == text_of(heard(said("<think>why\ud83d"), said(finish="length"), DONE), "thinking")


def test_of_two_choices_the_first_is_read() -> None:
    """C32: an index may be missing; another choice is another answer."""
    two = event({"choices": [{"index": 1, "delta": {"content": "x"}}, {"delta": {"content": "a"}}]})

    assert "aa" == text_of(heard(two, two, WHOLE))


@pytest.mark.parametrize(
    ("drafts", "expected"),
    [({}, (None, None)), ({"draft_n": 0, "draft_n_accepted": 0}, (0, 0)), ({"draft_n": 5}, (5, None))],
)
def test_nothing_drafted_has_three_shapes(drafts: dict[str, int], expected: tuple[int | None, int | None]) -> None:
    """C42: absent, zero, or without the accepted: told as it came."""
    finished = end_of(heard(said("ab", timings={"predicted_n": 2, "predicted_ms": 9.0} | drafts), WHOLE))

    assert expected == (finished.draft_n, finished.draft_n_accepted)


def test_rates_of_the_server_are_only_quoted() -> None:
    """C45: `null`, a rate of an older formula, one of 0.0; the counts and times are what matters."""
    old = {"predicted_n": 200, "predicted_ms": 11082.606, "predicted_per_second": 18.05}
    none = {"prompt_n": 0, "prompt_ms": 0.0, "prompt_per_token_ms": None, "predicted_n": 1, "predicted_ms": 0.001}

    assert (200, 11082.606) == _counted(end_of(heard(said("a", timings=old), WHOLE)))[:2]
    assert 18.05 == end_of(heard(said("a", timings=old), WHOLE)).server_tok_per_s
    facts = heard(said("a", timings=none | {"predicted_per_second": 0.0}), WHOLE)
    assert ((1, 0.001, "server"), []) == (_counted(end_of(facts)), steps_of(facts))


def test_passes_are_told_apart_by_their_time() -> None:
    """Chunks of one pass share `predicted_ms`; who made a piece of text follows from its place in the pass."""
    first = said("a", timings=timings(1, 0.001))
    one = [said(c, timings=timings(n, 10.0, 3, 2)) for n, c in enumerate("bcd", 2)]
    two = [said(c, timings=timings(n, 18.0, 6, 2)) for n, c in enumerate("e", 5)]
    plain = [said("f", timings=timings(6, 20.0, 6, 2))]

    facts = heard(first, *one, *two, *plain, WHOLE)

    assert [Step(10.0, 3, 3, 2), Step(8.0, 1, 3, 0), Step(2.0, 1, 0, 0)] == steps_of(facts)
    assert [
        (0, "target", "answer", "a"),
        (1, "draft", "answer", "bc"),
        (1, "target", "answer", "d"),
        (2, "target", "answer", "e"),
        (3, "target", "answer", "f"),
    ] == spans_of(facts)


def test_totals_that_fall_are_not_believed() -> None:
    """A chunk with less than was told before adds nothing and takes nothing away."""
    chunks = [(1, 0.001, 0, 0), (4, 10.0, 3, 2), (3, 9.0, 2, 1), (5, 20.0, None, None), (7, 30.0, 6, 3)]

    facts = heard(*(said("x", timings=timings(*chunk)) for chunk in chunks), WHOLE)

    totals = [(f.predicted_n, f.predicted_ms, f.draft_n, f.draft_n_accepted) for f in decoded(facts) if f.ms]
    assert [(4, 10.0, 3, 2), (5, 20.0, 3, 2), (7, 30.0, 6, 3)] == totals
    assert (7, 30.0, "server") == _counted(end_of(facts))


def test_text_without_times_belongs_to_no_step() -> None:
    """A chunk that has no timings is not given to the pass of an earlier one."""
    facts = heard(said("a", timings=timings(2, 10.0)), said("b"), WHOLE)

    assert [(1, "target", "answer", "a"), (None, None, "answer", "b")] == spans_of(facts)
