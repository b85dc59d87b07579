"""Streamed answers as servers send them, put together by hand, and what is heard of them."""

from __future__ import annotations

import json
from itertools import pairwise
from typing import TYPE_CHECKING

from specui.domain.request_facts import Channel, RequestFinished, StepsDecoded, TextSpan
from specui.domain.steps import Step
from specui.engines.llama.stream import ChatStream

if TYPE_CHECKING:
    from collections.abc import Iterable

    from specui.domain.events import Fact

DONE = b"data: [DONE]\n\n"


def event(value: object) -> bytes:
    """One server-sent event with JSON data."""
    return b"data: " + json.dumps(value).encode("ascii") + b"\n\n"


def said(content: object = None, *, finish: object = None, delta: object = None, **more: object) -> bytes:
    """A chunk with some text; `more` stands beside the choices (`timings`, `usage`)."""
    piece = {"content": content} if delta is None else delta
    return event({"choices": [{"index": 0, "delta": piece, "finish_reason": finish}], **more})


def timings(predicted_n: int, predicted_ms: float, drafted: int | None = None, accepted: int | None = None) -> object:
    """Cumulative timings; the counts of drafts are absent where nothing was drafted, as llama.cpp has it."""
    drafts = {"draft_n": drafted, "draft_n_accepted": accepted}
    told = {k: v for k, v in drafts.items() if v is not None}
    return {
        "cache_n": 0,
        "prompt_n": 20,
        "prompt_ms": 10.0,
        "predicted_n": predicted_n,
        "predicted_ms": predicted_ms,
    } | told


STOP = said(finish="stop")
WHOLE = STOP + DONE
"""The end of a whole answer."""


def cut(data: bytes, places: Iterable[int]) -> list[bytes]:
    """The data in pieces that end at these places, as a network may deliver it."""
    bounds = [0, *sorted(place for place in places if place < len(data)), len(data)]
    return [data[begin:end] for begin, end in pairwise(bounds)]


def heard(
    *pieces: bytes, bound: int = 3, max_tokens: int = 4096, client_ms: float | None = None, error: str | None = None
) -> list[Fact]:
    """Every fact of a stream that came in these pieces."""
    stream = ChatStream(1, bound, max_tokens)
    facts = [fact for piece in pieces for fact in stream.feed(piece)]
    return facts + stream.end(client_ms, error)


def end_of(facts: Iterable[Fact]) -> RequestFinished:
    """The one end that every stream has."""
    (finished,) = [fact for fact in facts if isinstance(fact, RequestFinished)]
    return finished


def decoded(facts: Iterable[Fact]) -> list[StepsDecoded]:
    """The facts about steps and text."""
    return [fact for fact in facts if isinstance(fact, StepsDecoded)]


def steps_of(facts: Iterable[Fact]) -> list[Step]:
    """The rows of all of them."""
    return [
        Step(*row)
        for fact in decoded(facts)
        for row in zip(fact.ms, fact.tokens, fact.drafted, fact.accepted, strict=True)
    ]


def spans_of(facts: Iterable[Fact]) -> list[TextSpan]:
    """The text, neighbours of one step, origin and channel joined."""
    out: list[TextSpan] = []
    for span in (span for fact in decoded(facts) for span in fact.text):
        if out and out[-1][:3] == span[:3]:
            out[-1] = (*span[:3], out[-1][3] + span[3])
        else:
            out.append(span)
    return out


def text_of(facts: Iterable[Fact], channel: Channel = "answer") -> str:
    """All text of a channel."""
    return "".join(words for _, _, on, words in spans_of(facts) if on == channel)
