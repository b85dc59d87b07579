"""Makes a watchable target of the toy: feed-forward layers padded with zeros, which are really multiplied.

The text stays what it was, each token costs more. The zeros need no room on a disk that can hold holes.
"""

from __future__ import annotations

import re
import struct
from dataclasses import dataclass, replace
from math import prod
from typing import TYPE_CHECKING

from specui.domain.errors import UnreadableFile
from specui.domain.units import Bytes

if TYPE_CHECKING:
    from pathlib import Path

_MAGIC = b"GGUF"
_VERSION = 3
_ALIGNMENT = 32
_MOST_SIDES = 4
_ELEMENT_BYTES = {0: 4, 1: 2}
"""Of the kinds F32 and F16; others are not padded."""

_VALUE_BYTES = {0: 1, 1: 1, 2: 2, 3: 2, 4: 4, 5: 4, 6: 4, 7: 1, 10: 8, 11: 8, 12: 8}
_STRING, _ARRAY, _UINT32 = 8, 9, 4
_ROWS_GROW = re.compile(r"\.ffn_(gate|up)\.weight$")
_COLUMNS_GROW = re.compile(r"\.ffn_down\.weight$")


@dataclass(frozen=True, slots=True)
class Tensor:
    """One matrix as a GGUF file lists it."""

    name: str
    sides: tuple[int, ...]
    """Elements a row, rows, …"""
    kind: int
    offset: Bytes
    """From the beginning of the data."""
    listed_at: Bytes
    """Where in the file its sides stand."""

    def row_bytes(self) -> Bytes:
        """Length of one row."""
        return self.sides[0] * _ELEMENT_BYTES[self.kind]

    def rows(self) -> int:
        """Number of rows."""
        return prod(self.sides[1:])


@dataclass(frozen=True, slots=True)
class Header:
    """What a GGUF file says before its data."""

    tensors: tuple[Tensor, ...]
    ffn_width: int
    ffn_width_at: Bytes
    data_at: Bytes


def widened(original: bytes, source: Path, ffn_width: int) -> tuple[list[tuple[Bytes, bytes]], Bytes]:
    """Every part of the new file that is not zero, as (place, bytes), and the file's size.

    Raises UnreadableFile where `original`, read from `source`, is no dense model, and ValueError for a smaller width.
    """
    try:
        header = read_header(original)
    except (struct.error, KeyError, IndexError, ValueError, OverflowError) as error:
        raise UnreadableFile(f"{source} is no GGUF file of a dense model that can be widened") from error
    if ffn_width < header.ffn_width:
        raise ValueError(f"{ffn_width} is narrower than the {header.ffn_width} of {source}")
    head = bytearray(original[: header.data_at])
    struct.pack_into("<I", head, header.ffn_width_at, ffn_width)
    pieces: list[tuple[Bytes, bytes]] = []
    end = header.data_at
    for tensor in header.tensors:
        wide = replace(tensor, sides=_grown(tensor, header.ffn_width, ffn_width), offset=end - header.data_at)
        struct.pack_into(f"<{len(wide.sides)}Q", head, wide.listed_at, *wide.sides)
        struct.pack_into("<Q", head, wide.listed_at + 8 * len(wide.sides) + 4, wide.offset)
        begin = header.data_at + tensor.offset
        narrow, broad = tensor.row_bytes(), wide.row_bytes()
        if narrow == broad:
            pieces.append((end, original[begin : begin + narrow * tensor.rows()]))
        else:
            for row in range(tensor.rows()):
                at = begin + row * narrow
                pieces.append((end + row * broad, original[at : at + narrow]))
        end = _aligned(end + broad * wide.rows())
    return [(0, bytes(head)), *pieces], end


def read_header(raw: bytes) -> Header:
    """The header of a GGUF file.

    Raises ValueError, KeyError, IndexError, OverflowError or struct.error where it is none that can be widened.
    """
    magic, version, tensors, keys = struct.unpack_from("<4sIQQ", raw)
    if magic != _MAGIC or version != _VERSION:
        raise ValueError("no GGUF file of version 3")
    at = 24
    width: tuple[int, int] | None = None
    for _ in range(keys):
        name, at = _string(raw, at)
        (kind,) = struct.unpack_from("<I", raw, at)
        at += 4
        # The width of experts has a longer name of the same ending, and a dot before it only in ours.
        if name.split(".", 1)[-1] == "feed_forward_length" and kind == _UINT32:
            width = (struct.unpack_from("<I", raw, at)[0], at)
        at = _after_value(raw, at, kind)
    if width is None:
        raise ValueError("it has no feed-forward width")
    listed = []
    for _ in range(tensors):
        name, at = _string(raw, at)
        (count,) = struct.unpack_from("<I", raw, at)
        if count > _MOST_SIDES:
            raise ValueError("a tensor has too many sides")
        sides = struct.unpack_from(f"<{count}Q", raw, at + 4)
        kind, offset = struct.unpack_from("<IQ", raw, at + 4 + 8 * count)
        listed.append(Tensor(name, sides, kind, offset, at + 4))
        at += 4 + 8 * count + 12
    data_at = _aligned(at)
    if any(data_at + t.offset + t.row_bytes() * t.rows() > len(raw) for t in listed):
        raise ValueError("it is shorter than it says")
    # Tensors that share bytes, or have none, could list more rows than fit into any memory.
    if sum(t.row_bytes() * t.rows() for t in listed) > len(raw) or not all(t.row_bytes() for t in listed):
        raise ValueError("its tensors cannot all be in it")
    if all(_grown(t, width[0], width[0] + 1) == t.sides for t in listed):
        raise ValueError("no layer is as wide as it says")
    return Header(tuple(listed), *width, data_at)


def _grown(tensor: Tensor, narrow: int, broad: int) -> tuple[int, ...]:
    row, *rows = tensor.sides
    if _COLUMNS_GROW.search(tensor.name) and row == narrow:
        return (broad, *rows)
    if _ROWS_GROW.search(tensor.name) and rows == [narrow]:
        return (row, broad)
    return tensor.sides


def _string(raw: bytes, at: Bytes) -> tuple[str, Bytes]:
    (length,) = struct.unpack_from("<Q", raw, at)
    end = at + 8 + length
    if end > len(raw):
        raise IndexError(end)
    return raw[at + 8 : end].decode(), end


def _after_value(raw: bytes, at: Bytes, kind: int) -> Bytes:
    """The place behind a value."""
    if kind == _STRING:
        return _string(raw, at)[1]
    if kind != _ARRAY:
        return at + _VALUE_BYTES[kind]
    item, count = struct.unpack_from("<IQ", raw, at)
    if item == _ARRAY:
        raise ValueError("lists of lists are in no model")
    at += 12
    if item in _VALUE_BYTES:
        return int(at + count * _VALUE_BYTES[item])
    for _ in range(count):
        at = _after_value(raw, at, item)
    return at


def _aligned(at: Bytes) -> Bytes:
    return -(-at // _ALIGNMENT) * _ALIGNMENT
