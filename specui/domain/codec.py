"""Facts and lines: each event is one line of JSON, and every line comes back as it went.

A line of an unknown kind, or of a known kind in an unknown shape, becomes `Unknown` and is kept whole.
Fields that are `None` are left out: absent means unknown.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, cast

from specui.domain.events import KNOWN_FACTS, Event, Fact, Unknown
from specui.domain.records import LARGEST, as_record, field_names, from_record, nested_names

if TYPE_CHECKING:
    from specui.domain.units import JsonValue, Record

FORMAT = 1
"""Number of the journal's and the session's format; a newer one is read as far as it is understood."""

_PLACE = frozenset({"seq", "t", "kind"})
"""What every line has; no fact has a field of these names."""

KINDS: dict[str, type[Fact]] = {cast("Any", known).KIND: known for known in KNOWN_FACTS}


def kind_of(fact: Fact) -> str:
    """The word that names a fact's kind in the journal."""
    return fact.kind if isinstance(fact, Unknown) else fact.KIND


def encode(event: Event) -> bytes:
    """One line, newline included, in ASCII. Raises ValueError where a number is not finite."""
    fact = event.fact
    body = dict(fact.fields) if isinstance(fact, Unknown) else as_record(fact)
    line = {"seq": event.seq, "t": event.t, "kind": kind_of(fact), **body, **dict(event.extra)}
    return json.dumps(line, separators=(",", ":"), allow_nan=False).encode("ascii") + b"\n"


def decode(line: bytes | str) -> Event | None:
    """The event of one line; None where the line is damaged, that is no object with `seq`, `t` and `kind`."""
    try:
        record = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return event_from_record(record) if isinstance(record, dict) else None


def event_from_record(record: Record) -> Event | None:
    """The event that one JSON object describes; None where `seq`, `t` or `kind` is missing or wrong."""
    seq, t, kind = record.get("seq"), record.get("t"), record.get("kind")
    if not (isinstance(seq, int) and not isinstance(seq, bool) and isinstance(kind, str)):
        return None
    if not isinstance(t, int | float) or isinstance(t, bool) or not -LARGEST < t < LARGEST or abs(seq) >= LARGEST:
        return None
    known = KINDS.get(kind)
    if known is not None:
        try:
            fact = from_record(known, record)
            return Event(seq, float(t), fact, _unread(known, fact, record))
        except (ValueError, TypeError, OverflowError):
            pass
    return Event(seq, float(t), Unknown(kind, {k: v for k, v in record.items() if k not in _PLACE}))


def _unread(known: type[Fact], fact: Fact, record: Record) -> tuple[tuple[str, JsonValue], ...]:
    """What `fact` does not hold of `record`: keys it has no field for, and nested objects with such keys."""
    kind = cast("Any", known)  # mypy takes a class whose values are unhashable for unhashable itself
    names, nested = field_names(kind), nested_names(kind)
    unread = record.keys() - names - _PLACE
    if nested:
        again = as_record(fact)
        unread |= {k for k in nested & record.keys() if again.get(k) != record[k]}
    return tuple((k, record[k]) for k in record if k in unread) if unread else ()
