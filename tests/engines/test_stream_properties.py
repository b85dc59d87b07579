"""What holds for every stream: of an honest engine that holds text back, and of a server that sends anything."""

from __future__ import annotations

import json
import tomllib
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from hypothesis import example, given, settings
from hypothesis import strategies as st

from specui.domain.codec import decode, encode
from specui.domain.errors import RequestFailed
from specui.domain.events import CaseAdded, Event
from specui.domain.request_facts import CountersRead, PromptProgressed
from specui.domain.summary import case_summary
from specui.engines.llama.stream import ChatStream
from specui.journal.session import Session, to_toml
from specui.reports.markdown import markdown
from specui.reports.table import report
from tests.domain.runs import case, only_request, run_of, sent
from tests.engines.answers import DONE, STOP, cut, decoded, end_of, event, said, steps_of, text_of, timings

if TYPE_CHECKING:
    from specui.domain.events import Fact
    from specui.domain.request import RequestState

BOUND = 4


@dataclass(frozen=True)
class Generation:
    """What an engine did: passes as (drafted, kept), tokens whose chunk waits for the next, an end in a kept draft."""

    passes: list[tuple[int, int]]
    held: list[bool]
    dropped: int

    def pieces(self) -> list[bytes]:
        """Its stream: a chunk for every token that is not held back, and the last word of the engine."""
        out, n, ms, drafted, accepted, waiting = [], 0, 0.001, 0, 0, ""
        for number, (offered, kept) in enumerate([(0, 0), *self.passes]):
            ms, drafted, accepted = ms + 5.0 * (number > 0), drafted + offered, accepted + kept
            is_last = number == len(self.passes)
            for _ in range(kept + 1 - (self.dropped if is_last else 0)):
                n += 1
                waiting += f"{n} "
                if not self.held[n % len(self.held)]:
                    out.append(said(waiting, timings=timings(n, ms, drafted or None, accepted if drafted else None)))
                    waiting = ""
        end = timings(n, ms, drafted or None, accepted if drafted else None)
        return [*out, said(waiting, finish="stop"), event({"choices": [], "timings": end}), DONE]

    def counters(self) -> CountersRead:
        """What the engine counted, its one prompt batch included."""
        drafts = [kept for offered, kept in self.passes if offered]
        rows = tuple(sum(kept > place for kept in drafts) for place in range(BOUND)) if drafts else None
        drafted = sum(offered for offered, _ in self.passes)
        return CountersRead(1, 1, len(drafts), drafted, sum(drafts), rows, 1 + len(self.passes))

    def request(self, with_counters: bool) -> RequestState:
        """The request, folded from the facts of its stream."""
        begun: list[Fact] = [CountersRead(1, None, 0, 0, 0, None, 0), sent()]
        begun += [PromptProgressed(1, 20, 0, done, float(done)) for done in (0, 20)]
        read = [self.counters()] if with_counters else []
        return only_request(run_of([case(n_max=BOUND)], *begun, *told(self.pieces()), *read))


def told(pieces: list[bytes]) -> list[Fact]:
    """The facts of a stream, its end included, whether it can be read to the end or not."""
    stream, facts, error = ChatStream(1, BOUND, 4096), [], None
    try:
        for piece in pieces:
            facts += stream.feed(piece)
    except RequestFailed as refused:
        error = str(refused)
    return facts + stream.end(5.0, error)


passes = st.lists(
    st.integers(0, BOUND).flatmap(lambda n: st.tuples(st.just(n), st.integers(0, n))), min_size=1, max_size=12
)
mostly_shown = st.lists(st.sampled_from([False, False, False, True]), min_size=1, max_size=9)


@st.composite
def generations(draw: st.DrawFn, may_hold: bool = True, may_drop: bool = True) -> Generation:
    """Any honest engine."""
    done = draw(passes)
    dropped = draw(st.integers(0, done[-1][1])) if may_drop else 0
    return Generation(done, draw(mostly_shown) if may_hold else [False], dropped)


held_or_cut = generations(may_drop=False) | generations(may_hold=False)
"""Both at once can look like a whole pass; no engine's numbers tell that apart."""


@settings(deadline=None)
@given(held_or_cut)
def test_with_counters_everything_is_known(made: Generation) -> None:
    """Whether text was held back or an end cut a kept draft: books that balance, the engine's own positions."""
    request, counted = made.request(with_counters=True), made.counters()
    books = request.accounting()

    if request.steps:
        assert books is not None
        assert (0, counted.drafts) == (books.difference(), books.drafts)
    assert counted.drafts == request.drafts
    if counted.per_position is not None:
        assert counted.per_position == request.accepted_per_position


@settings(deadline=None)
@example(Generation([(2, 1), (2, 2), (0, 0)], [False, False, True, True, False, False, True], 0))
@given(held_or_cut)
def test_without_counters_nothing_is_made_up(made: Generation) -> None:
    """From the steps alone comes the truth or nothing."""
    request, counted = made.request(with_counters=False), made.counters()
    books = request.accounting()

    assert books is None or books.difference() == 0
    assert request.drafts in (None, counted.drafts)
    assert request.accepted_per_position in (None, counted.per_position or (0,) * BOUND)
    if made.held == [False] and not made.dropped:
        assert made.passes == [(s.drafted, s.accepted) for s in request.steps]


@settings(deadline=None)
@given(held_or_cut, st.booleans())
def test_an_honest_engine_gives_figures_in_their_ranges(made: Generation, with_counters: bool) -> None:
    """Property 8: acceptance from 0 to 1, length from 1 to n_max + 1, positions that never rise."""
    begun: list[Fact] = [CountersRead(1, None, 0, 0, 0, None, 0), sent()]
    read = [made.counters()] if with_counters else []

    summary = case_summary(run_of([case(n_max=BOUND)], *begun, *told(made.pieces()), *read), 1)

    assert summary.acceptance is None or 0 <= summary.acceptance <= 1
    assert summary.mean_length is None or 1 <= summary.mean_length <= BOUND + 1
    assert summary.tokens_per_step is None or 0 < summary.tokens_per_step <= BOUND + 1
    assert all(a >= b for a, b in pairwise((1.0, *(summary.acceptance_at or ()), 0.0)))


@settings(deadline=None)
@given(generations(), st.lists(st.integers(0, 5000), max_size=10))
def test_totals_never_fall_and_nothing_is_lost(made: Generation, places: list[int]) -> None:
    """All text comes through, in order, however it is cut; totals only grow."""
    facts = told(cut(b"".join(made.pieces()), places))
    totals = [(f.predicted_n, f.predicted_ms, f.draft_n, f.draft_n_accepted) for f in decoded(facts) if f.ms]
    generated = end_of(facts).predicted_n

    assert generated is not None
    assert "".join(f"{n} " for n in range(1, generated + 1)) == text_of(facts)
    assert all(
        x <= y for a, b in pairwise(totals) for x, y in zip(a, b, strict=True) if x is not None and y is not None
    )
    assert generated - 1 == sum(s.tokens for s in steps_of(facts))


odd = st.one_of(
    st.none(), st.booleans(), st.integers(-3, 12), st.sampled_from([2**53, 2**64, 10**400, 1e308, 1e-310, -0.0, 0.001]),
    st.floats(0, 100), st.floats(), st.text(st.characters(), max_size=4), st.just([]), st.just({}),
)  # fmt: skip
some_timings = st.dictionaries(
    st.sampled_from(
        [
            "prompt_n",
            "prompt_ms",
            "cache_n",
            "predicted_n",
            "predicted_ms",
            "draft_n",
            "draft_n_accepted",
            "predicted_per_second",
        ]
    ),
    st.integers(0, 12) | odd,
    max_size=8,
)
words = st.sampled_from(["a", "<think>", "</think>", "\ud83d", "\ude00", "|\n", "\x1b[0m"]) | odd
some_chunks = st.fixed_dictionaries(
    {},
    optional={
        "choices": odd
        | st.lists(
            st.fixed_dictionaries(
                {},
                optional={
                    "index": odd,
                    "delta": odd | st.fixed_dictionaries({}, optional={"content": words, "reasoning": words}),
                    "finish_reason": odd,
                },
            ),
            max_size=2,
        ),
        "timings": odd | some_timings,
        "usage": odd | st.fixed_dictionaries({}, optional={"completion_tokens": odd, "prompt_tokens": odd}),
        "prompt_progress": odd | st.dictionaries(st.sampled_from(["total", "cache", "processed", "time_ms"]), odd),
        "error": odd,
    },
)
anything = (
    st.binary(max_size=30) | some_chunks.map(event) | st.sampled_from([DONE, STOP, b":\n\n", b"data: {", b"<html>\n"])
)


@settings(max_examples=200, deadline=None)
@example([said("x", timings=timings(7, 9.0, 2, 5))])
@example([said("x", timings=timings(10**400, 9.0, -1, 10**400))])
@given(st.lists(anything, max_size=12))
def test_whatever_is_sent_there_is_one_end(pieces: list[bytes]) -> None:
    """Any bytes: nothing but RequestFailed is raised, one end comes, and all of it can be kept and reported."""
    facts = told(pieces)
    happened = [
        Event(seq, float(seq), fact) for seq, fact in enumerate([CaseAdded(1, case(n_max=BOUND)), sent(), *facts], 1)
    ]
    run = run_of([case(n_max=BOUND)], sent(), *facts)
    summary = case_summary(run, 1)

    assert end_of(facts) == facts[-1]
    assert happened == [decode(encode(event)) for event in happened]
    tomllib.loads(to_toml(Session({"id": "x"}, tuple(happened))))
    json.dumps(report([run]), allow_nan=False)
    assert "\x1b" not in markdown(report([run]))
    assert summary.acceptance is None or 0 <= summary.acceptance <= 1
    assert summary.mean_length is None or 1 <= summary.mean_length
    assert all(a >= b for a, b in pairwise((1.0, *(summary.acceptance_at or ()), 0.0)))
    assert all(s.ms >= 0 and s.tokens >= 0 and s.drafted >= 0 and s.accepted >= 0 for s in steps_of(facts))
