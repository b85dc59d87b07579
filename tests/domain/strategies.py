"""Facts and events of every kind, made up by hypothesis from the types of their fields."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypothesis import strategies as st

from specui.domain.events import KNOWN_FACTS, Event, Fact, Unknown

if TYPE_CHECKING:
    from specui.domain.units import JsonValue

finite = st.floats(allow_nan=False, allow_infinity=False)

json_values: st.SearchStrategy[JsonValue] = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | finite | st.text(st.characters(), max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)

records = st.dictionaries(st.text(max_size=6), json_values, max_size=3)

st.register_type_strategy(int, st.integers(-(2**62), 2**62))
st.register_type_strategy(float, finite)
st.register_type_strategy(str, st.text(st.characters(), max_size=12))
st.register_type_strategy(dict, records)
st.register_type_strategy(object, json_values)

facts: st.SearchStrategy[Fact] = st.one_of(*(st.builds(kind) for kind in KNOWN_FACTS))

unknown_facts: st.SearchStrategy[Fact] = st.builds(
    Unknown,
    st.text(min_size=1, max_size=8).map(lambda s: f"new-{s}"),
    records.map(lambda r: {k: v for k, v in r.items() if k not in ("seq", "t", "kind")}),
)

events = st.builds(Event, st.integers(1, 10**9), st.floats(0, 1e9), facts | unknown_facts)
