"""Every fact survives its line, and every line is something."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from specui.domain.codec import KINDS, decode, encode
from specui.domain.events import KNOWN_FACTS, Event, Fact, FirstToken, Marked, ServerLoading, StepsDecoded, Unknown
from tests.domain.strategies import events, facts, json_values

if TYPE_CHECKING:
    from specui.domain.units import JsonValue


@settings(max_examples=300, deadline=None)
@given(events)
def test_an_event_comes_back_as_it_went(event: Event) -> None:
    """Property 1: decoding an encoded event gives the event, for every kind and for unknown ones."""
    assert event == decode(encode(event))


@settings(max_examples=100, deadline=None)
@given(facts)
def test_a_line_is_one_line_of_ascii(fact: Fact) -> None:
    """Whatever text a fact holds, its line has one line end, at the end, and no byte above 127."""
    line = encode(Event(1, 0.0, fact))

    assert line.endswith(b"\n")
    assert line.count(b"\n") == 1
    assert line.isascii()


@settings(max_examples=200, deadline=None)
@given(st.binary(max_size=200) | st.text(max_size=200).map(lambda s: s.encode("utf-8", "surrogatepass")))
def test_any_bytes_are_an_event_or_damaged(line: bytes) -> None:
    """No line makes the reader raise."""
    assert decode(line) is None or isinstance(decode(line), Event)


def test_every_kind_is_known_by_its_word() -> None:
    """No two facts share a word."""
    assert len(KNOWN_FACTS) == len(KINDS)


def test_a_known_kind_in_another_shape_is_kept_as_unknown() -> None:
    """A field of another type hides the whole fact, and nothing is lost."""
    line = b'{"seq":3,"t":1.5,"kind":"marked","label":[1,2]}'

    event = decode(line)

    assert Event(3, 1.5, Unknown("marked", {"label": [1, 2]})) == event
    assert event is not None
    assert json.loads(line) == json.loads(encode(event))


@settings(max_examples=200, deadline=None)
@given(
    st.sampled_from(["ms", "tokens", "drafted", "accepted", "text", "request", "predicted_n", "later"]),
    json_values.filter(lambda value: value is not None)
    | st.lists(st.integers(0, 9) | json_values, max_size=4)
    | st.lists(st.tuples(st.none() | st.integers(0, 9), json_values, st.just("answer"), st.text(max_size=3)).map(list)),
)
def test_whatever_stands_in_a_field_the_line_comes_back(name: str, value: JsonValue) -> None:
    """A line of steps of any shape is a fact or unknown, and nothing of it is lost or turned into something else."""
    whole = {"seq": 3, "t": 1.5, "kind": "steps-decoded", "request": 1, "predicted_n": 4, "ms": [1.5], "tokens": [2]}
    line = json.dumps({**whole, "drafted": [1], "accepted": [1], "text": [[1, "draft", "answer", "a"]], name: value})

    event = decode(line)

    assert event is not None
    assert json.loads(line) == json.loads(encode(event))
    assert isinstance(event.fact, StepsDecoded | Unknown)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("tokens", "[1,true]"),
        ("tokens", "[1.0]"),
        ("ms", "[1e999]"),
        ("ms", '["1"]'),
        ("ms", "{}"),
        ("text", '[[1,"draft","answer"]]'),
        ("text", '[[1,"draft","answer","a","b"]]'),
        ("text", '[[1,"draft","answer","a"],[1]]'),
        ("text", '[[1,"drafter","answer","a"]]'),
        ("text", '[[1,[],"answer","a"]]'),
        ("text", '["abcd"]'),
        ("text", "[[]]"),
    ],
)
def test_a_column_of_another_shape_makes_the_fact_unknown(name: str, value: str) -> None:
    """One value of another type, one word that is none of the known ones, or a row of another length is enough."""
    event = decode(f'{{"seq":3,"t":1.5,"kind":"steps-decoded","request":1,"{name}":{value}}}')

    assert event is not None
    assert isinstance(event.fact, Unknown)


def test_whole_milliseconds_are_read_as_milliseconds() -> None:
    """JSON does not tell 2 from 2.0."""
    event = decode('{"seq":3,"t":1.5,"kind":"steps-decoded","request":1,"ms":[2,1.5]}')

    assert event is not None
    assert isinstance(event.fact, StepsDecoded)
    assert (2.0, 1.5) == event.fact.ms
    assert [float, float] == [type(ms) for ms in event.fact.ms]


def test_keys_of_a_later_version_are_kept() -> None:
    """A key that this version does not know goes through it unharmed."""
    line = b'{"seq":3,"t":1.5,"kind":"marked","label":"here","colour":"red"}'

    event = decode(line)

    assert event is not None
    assert Marked("here") == event.fact
    assert json.loads(line) == json.loads(encode(event))


def test_nested_keys_of_a_later_version_are_kept() -> None:
    """Also a key inside the plan of a run goes through unharmed."""
    line = (
        b'{"seq":1,"t":0.0,"kind":"run-started","plan":{"title":"t","prompt_set":"s","prompts":[],"later":7},'
        b'"host":{},"versions":{}}'
    )

    event = decode(line)

    assert event is not None
    assert 7 == json.loads(encode(event))["plan"]["later"]


@pytest.mark.parametrize("t", ["NaN", "Infinity", "1e999", '"1"', "true", "null"])
def test_a_time_that_is_none_damages_the_line(t: str) -> None:
    """An event happens at a finite moment."""
    assert decode(f'{{"seq":1,"t":{t},"kind":"first-token","request":1}}') is None


def test_a_number_that_is_not_finite_is_never_written() -> None:
    """A fault of ours shows at once, not when somebody reads the journal."""
    with pytest.raises(ValueError, match="finite"):
        encode(Event(1, 0.0, ServerLoading(1, "x", float("nan"))))


def test_every_kind_stands_in_the_docs() -> None:
    """docs/journal.md lists each kind of event."""
    text = (Path(__file__).parents[2] / "docs" / "journal.md").read_text(encoding="utf-8")

    assert [] == [kind for kind in KINDS if f"`{kind}`" not in text]


def test_a_fact_without_fields_but_a_request_is_short() -> None:
    """What is unknown is absent from the line."""
    assert b'{"seq":1,"t":0.5,"kind":"first-token","request":7}\n' == encode(Event(1, 0.5, FirstToken(7)))


@pytest.mark.parametrize(
    "line",
    [
        b'{"seq":1,"t":1' + b"0" * 400 + b',"kind":"run-held"}',
        b'{"seq":1' + b"0" * 400 + b',"t":1,"kind":"run-held"}',
        b'{"seq":1,"t":1e999,"kind":"run-held"}',
    ],
)
def test_a_line_with_a_place_beyond_all_counting_is_damaged(line: bytes) -> None:
    """Neither the number of an event nor its moment can be so large."""
    assert decode(line) is None


def test_a_count_beyond_all_counting_makes_a_fact_unknown() -> None:
    """It is kept as it came, and nobody computes with it."""
    event = decode(b'{"seq":1,"t":1,"kind":"first-token","request":1' + b"0" * 400 + b"}")
    assert event is not None
    assert isinstance(event.fact, Unknown)
