"""Facts and lines: each event is one line of JSON, and every line comes back as it went.

A line of an unknown kind, or of a known kind in an unknown shape, becomes `Unknown` and is kept whole.
Fields that are `None` are left out: absent means unknown.
"""

from __future__ import annotations

import json
import math
import types
from collections.abc import Callable
from dataclasses import MISSING, fields, is_dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, Literal, TypeVar, Union, cast, get_args, get_origin, get_type_hints

from specui.domain.events import KNOWN_FACTS, Event, Fact, Unknown

if TYPE_CHECKING:
    from specui.domain.units import JsonValue, Record

FORMAT = 1
"""Number of the journal's and the session's format; a newer one is read as far as it is understood."""

KINDS: dict[str, type[Fact]] = {cast("Any", known).KIND: known for known in KNOWN_FACTS}

T = TypeVar("T")

Reader = Callable[[Any], Any]  # Any: whatever json gave, checked by the reader itself
"""Turns a JSON value into a field's value, or raises ValueError."""


def kind_of(fact: Fact) -> str:
    """The word that names a fact's kind in the journal."""
    return fact.kind if isinstance(fact, Unknown) else fact.KIND


def as_record(value: object) -> Record:
    """A dataclass as a JSON object, fields that are None left out.

    Raises ValueError where a number is not finite.
    """
    return {
        f.name: _plain(v)
        for f in fields(cast("Any", value))
        if (v := getattr(value, f.name)) is not None or not _has_none(cast("Any", type(value)), f.name)
    }


def from_record(cls: type[T], record: Record) -> T:
    """The dataclass that `as_record` wrote; unknown keys are ignored.

    Raises ValueError where a field is missing or has another shape.
    """
    return cls(**{name: _field(record, name, reader, default) for name, reader, default in _shape(cast("Any", cls))})


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
    if not isinstance(t, int | float) or isinstance(t, bool) or not math.isfinite(t):
        return None
    body = {k: v for k, v in record.items() if k not in ("seq", "t", "kind")}
    known = KINDS.get(kind)
    if known is None:
        return Event(seq, float(t), Unknown(kind, body))
    try:
        fact = from_record(known, body)
    except (ValueError, TypeError, OverflowError):
        return Event(seq, float(t), Unknown(kind, body))
    return Event(seq, float(t), fact, _unread(known, fact, body))


def _unread(known: type[Fact], fact: Fact, body: Record) -> tuple[tuple[str, JsonValue], ...]:
    """What `fact` does not hold of `body`: keys it has no field for, and nested objects with such keys."""
    kind = cast("Any", known)  # mypy takes a class whose values are unhashable for unhashable itself
    names, nested = _field_names(kind), _nested_names(kind)
    again = as_record(fact) if nested & body.keys() else {}
    return tuple((k, v) for k, v in body.items() if k not in names or (k in nested and again.get(k) != v))


def _field(record: Record, name: str, reader: Reader, default: object) -> Any:  # Any: the reader's own type
    if name not in record:
        if default is MISSING:
            raise ValueError(f"{name} is missing")
        return default() if callable(default) else default
    return reader(record[name])


def _plain(value: Any) -> JsonValue:  # Any: a field's value, of any of the shapes below
    if value is None or isinstance(value, str | int):
        return cast("JsonValue", value)
    if isinstance(value, float):
        if not math.isfinite(value):
            raise ValueError(f"{value} is not a finite number")
        return value
    if isinstance(value, tuple | list):
        return [_plain(v) for v in value]
    if isinstance(value, dict):
        return {str(k): _plain(v) for k, v in value.items()}
    return as_record(value)


@cache
def _shape(cls: type[Any]) -> tuple[tuple[str, Reader, object], ...]:  # Any: any dataclass of the domain
    hints = get_type_hints(cls)
    return tuple((f.name, _reader(hints[f.name]), _default(f, hints[f.name])) for f in fields(cls))


@cache
def _field_names(cls: type[Any]) -> frozenset[str]:  # Any: any dataclass of the domain
    return frozenset(f.name for f in fields(cls))


@cache
def _nested_names(cls: type[Any]) -> frozenset[str]:  # Any: any dataclass of the domain
    return frozenset(name for name, hint in get_type_hints(cls).items() if is_dataclass(hint))


@cache
def _has_none(cls: type[Any], name: str) -> bool:  # Any: any dataclass of the domain
    return type(None) in get_args(get_type_hints(cls)[name])


def _default(field: Any, hint: Any) -> object:  # Any: typing has no name for a dataclass field's hint
    if field.default_factory is not MISSING:
        return field.default_factory
    if field.default is not MISSING:
        return field.default
    return None if type(None) in get_args(hint) else MISSING


def _reader(hint: Any) -> Reader:  # Any: a type annotation
    origin, args = get_origin(hint), get_args(hint)
    if origin in (Union, types.UnionType):
        return _one_of(tuple(_reader(a) for a in args))
    if origin is Literal:
        return _among(args)
    if origin is tuple and len(args) == 2 and args[1] is Ellipsis:
        return _many(_reader(args[0]))
    if origin is tuple:
        return _row(tuple(_reader(a) for a in args))
    if is_dataclass(hint):
        return lambda value: from_record(cast("type[Any]", hint), _exactly(dict, value))
    return _SIMPLE[hint]


def _exactly(kind: type[T], value: object) -> T:
    if type(value) is not kind:
        raise ValueError(f"{value!r} is no {kind.__name__}")
    return value


def _number(value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise ValueError(f"{value!r} is no finite number")
    return float(value)


def _one_of(readers: tuple[Reader, ...]) -> Reader:
    def read(value: object) -> object:
        for reader in readers:
            try:
                return reader(value)
            except ValueError:
                continue
        raise ValueError(f"{value!r} has none of the expected shapes")

    return read


def _among(words: tuple[object, ...]) -> Reader:
    def read(value: object) -> object:
        if not isinstance(value, str) or value not in words:
            raise ValueError(f"{value!r} is none of {words}")
        return value

    return read


def _many(item: Reader) -> Reader:
    return lambda value: tuple(item(v) for v in _exactly(list, value))


def _row(items: tuple[Reader, ...]) -> Reader:
    return lambda value: tuple(item(v) for item, v in zip(items, _exactly(list, value), strict=True))


_SIMPLE: dict[object, Reader] = {
    int: lambda value: _exactly(int, value),
    str: lambda value: _exactly(str, value),
    bool: lambda value: _exactly(bool, value),
    float: _number,
    dict: lambda value: _exactly(dict, value),
    object: lambda value: value,
    type(None): lambda value: _exactly(type(None), value),
}
