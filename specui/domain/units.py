"""Names for plain numbers, so that a signature says what is counted or measured."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

Seconds: TypeAlias = float
"""Seconds; in the journal, since the start of the run."""

Milliseconds: TypeAlias = float

Tokens: TypeAlias = int

TokensPerSecond: TypeAlias = float

Ratio: TypeAlias = float
"""A share from 0 to 1; percent exists on screen only."""

Bytes: TypeAlias = int

if TYPE_CHECKING:
    JsonValue: TypeAlias = bool | int | float | str | list["JsonValue"] | dict[str, "JsonValue"] | None
    """What a line of a journal can hold."""
    Record: TypeAlias = dict[str, JsonValue]
    """One JSON object."""
else:  # the codec reads annotations at run time, where a type cannot name itself
    JsonValue = object
    Record = dict
