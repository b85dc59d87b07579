"""Dataclasses and JSON objects: one becomes the other by the types of its fields, and nothing else passes."""

from __future__ import annotations

import math
import types
from collections.abc import Callable, Sequence
from dataclasses import MISSING, fields, is_dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, Literal, TypeVar, Union, cast, get_args, get_origin, get_type_hints

if TYPE_CHECKING:
    from specui.domain.units import JsonValue, Record

LARGEST = 1 << 63
"""Whole numbers from here on count nothing, and no float holds them all: they are damage."""

T = TypeVar("T")

Reader = Callable[[Any], Any]  # Any: whatever json gave, checked by the reader itself
"""Turns a JSON value into a field's value, or raises ValueError."""

ColumnReader = Callable[[Sequence[Any]], Sequence[Any]]  # Any: as above
"""Does so to many values at once: a line of steps holds dozens, and a call for each costs more than its JSON."""


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
    values = []
    for name, reader, default in _shape(cast("Any", cls)):
        if name in record:
            values.append(reader(record[name]))
        elif default is MISSING:
            raise ValueError(f"{name} is missing")
        else:
            values.append(default() if callable(default) else default)
    return cls(*values)


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
def field_names(cls: type[Any]) -> frozenset[str]:  # Any: any dataclass of the domain
    """The names of a dataclass's fields."""
    return frozenset(f.name for f in fields(cls))


@cache
def nested_names(cls: type[Any]) -> frozenset[str]:  # Any: any dataclass of the domain
    """The fields that hold dataclasses themselves."""
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
        return _one_of(args)
    if origin is Literal:
        return _among(args)
    if origin is tuple and len(args) == 2 and args[1] is Ellipsis:
        return _many(_column(args[0]))
    if origin is tuple:
        return _row(tuple(_reader(a) for a in args))
    if is_dataclass(hint):
        record = _exactly(dict)
        return lambda value: from_record(cast("type[Any]", hint), record(value))
    return _SIMPLE[hint]


def _exactly(kind: type[object]) -> Reader:
    def read(value: object) -> object:
        if type(value) is not kind:
            raise ValueError(f"{value!r} is no {kind.__name__}")
        return value

    return read


def _whole(value: object) -> int:
    if type(value) is not int or abs(value) >= LARGEST:
        raise ValueError(f"{value!r:.40} is no whole number that counts anything")
    return value


def _number(value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not -math.inf < value < math.inf:
        raise ValueError(f"{value!r} is no finite number")
    return float(value)


def _one_of(hints: tuple[Any, ...]) -> Reader:  # Any: type annotations
    readers = tuple(_reader(h) for h in hints if h is not type(None))
    inner = readers[0] if len(readers) == 1 else _first_of(readers)
    if len(readers) == len(hints):
        return inner
    return lambda value: None if value is None else inner(value)


def _first_of(readers: tuple[Reader, ...]) -> Reader:
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


def _many(column: ColumnReader) -> Reader:
    def read(value: object) -> object:
        if type(value) is not list:
            raise ValueError(f"{value!r} is no list")
        return tuple(column(value)) if value else ()

    return read


def _row(readers: tuple[Reader, ...]) -> Reader:
    items = _exactly(list)
    return lambda value: tuple(reader(v) for reader, v in zip(readers, items(value), strict=True))


def _column(hint: Any) -> ColumnReader:  # Any: a type annotation
    origin, args = get_origin(hint), get_args(hint)
    if origin is tuple and Ellipsis not in args:
        return _rows(tuple(_column(a) for a in args))
    optional = type(None) in args
    inner = next(a for a in args if a is not type(None)) if optional and len(args) == 2 else hint
    if get_origin(inner) is Literal:
        return _all_among(frozenset(get_args(inner)) | ({None} if optional else set()))
    if inner in (int, str, bool):
        return _all_exactly(frozenset({inner, type(None)} if optional else {inner}))
    return _numbers if hint is float else _each(_reader(hint))


def _each(reader: Reader) -> ColumnReader:
    return lambda values: [reader(v) for v in values]


def _numbers(values: Sequence[object]) -> Sequence[object]:
    if set(map(type, values)) == {float} and all(map(math.isfinite, cast("Sequence[float]", values))):
        return values
    return [_number(v) for v in values]


def _all_exactly(kinds: frozenset[type[object]]) -> ColumnReader:
    def read(values: Sequence[object]) -> Sequence[object]:
        if not kinds.issuperset(map(type, values)):
            raise ValueError(f"{values!r} are not all {kinds}")
        if int in kinds:
            for value in values:
                if value is not None:
                    _whole(value)
        return values

    return read


def _all_among(words: frozenset[object]) -> ColumnReader:
    def read(values: Sequence[object]) -> Sequence[object]:
        try:
            if words.issuperset(values):
                return values
        except TypeError:  # a list or an object is no word
            pass
        raise ValueError(f"{values!r} are not all among {words}")

    return read


def _rows(columns: tuple[ColumnReader, ...]) -> ColumnReader:
    def read(values: Sequence[Any]) -> Sequence[object]:  # Any: each is checked to be a list
        if {list} != set(map(type, values)):
            raise ValueError(f"{values!r} are not all lists")
        turned = zip(*values, strict=True)
        return tuple(zip(*[column(c) for column, c in zip(columns, turned, strict=True)], strict=True))

    return read


_SIMPLE: dict[object, Reader] = {
    int: _whole,
    str: _exactly(str),
    bool: _exactly(bool),
    float: _number,
    dict: _exactly(dict),
    object: lambda value: value,
    type(None): _exactly(type(None)),
}
