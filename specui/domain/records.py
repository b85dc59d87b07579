"""Dataclasses and JSON objects: one becomes the other by the types of its fields, and nothing else passes."""

from __future__ import annotations

import math
import types
from collections.abc import Callable
from dataclasses import MISSING, fields, is_dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, Literal, TypeVar, Union, cast, get_args, get_origin, get_type_hints

if TYPE_CHECKING:
    from specui.domain.units import JsonValue, Record

T = TypeVar("T")

Reader = Callable[[Any], Any]  # Any: whatever json gave, checked by the reader itself
"""Turns a JSON value into a field's value, or raises ValueError."""


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
