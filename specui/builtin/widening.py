"""Makes a watchable target of the toy: feed-forward layers padded with zeros, which are really multiplied.

The text stays what it was, each token costs more. The zeros need no room on a disk that can hold holes.
"""

from __future__ import annotations

import os
import re
import struct
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from math import prod
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from specui.domain.errors import NotKept, UnreadableFile
from specui.domain.units import Bytes

if TYPE_CHECKING:
    from collections.abc import Iterator

PART = ".part"
"""The ending of a file that is not finished."""

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


def kept(source: Path, folder: Path, ffn_width: int) -> Path:
    """The source with feed-forward layers of that width, from the folder or made there now.

    A file whose length or any part but the padding is not what would be written is made anew; an unfinished one never
    bears the name.
    Raises NotKept where the folder takes no file, UnreadableFile where the source is no such model.
    """
    path = folder / f"{source.stem}-ffn{ffn_width}.gguf"
    original = _bytes_of(source)
    pieces, size = widened(original, source, ffn_width)
    if _is_whole(path, pieces, size):
        return path
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        _remove_abandoned(folder)
        with _part(folder, path.name) as file:
            _write(file, pieces, size)
            Path(file.name).replace(path)
    except OSError as error:
        raise not_kept(folder, error) from error
    return path


def not_kept(folder: Path, error: OSError) -> NotKept:
    """What to say where the folder takes no file."""
    reason = error.strerror or str(error)
    return NotKept(f"the widened toy cannot be written to {folder} ({reason}): make room there, or set SPECUI_HOME")


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


def _bytes_of(source: Path) -> bytes:
    try:
        return source.read_bytes()
    except OSError as error:
        raise UnreadableFile(f"{source} cannot be read: {error.strerror}") from error


def _is_whole(path: Path, pieces: list[tuple[Bytes, bytes]], size: Bytes) -> bool:
    """Whether the file has that size and those parts; what lies between them is taken to be zero."""
    try:
        with path.open("rb") as file:
            if os.fstat(file.fileno()).st_size != size:
                return False
            return all(os.pread(file.fileno(), len(piece), at) == piece for at, piece in pieces)
    except OSError:
        return False


def _write(file: BinaryIO, pieces: list[tuple[Bytes, bytes]], size: Bytes) -> None:
    for at, piece in pieces:
        file.seek(at)
        file.write(piece)
    file.truncate(size)
    file.flush()
    os.fsync(file.fileno())


@contextmanager
def _part(folder: Path, name: str) -> Iterator[BinaryIO]:
    """A file of this process alone, gone at the end unless it was renamed."""
    path = folder / f"{name}.{os.getpid()}{PART}"
    try:
        with path.open("wb") as file:
            yield file
    finally:
        with suppress(OSError):
            path.unlink()


def _remove_abandoned(folder: Path) -> None:
    """Remove unfinished files whose process is gone."""
    for path in folder.glob(f"*{PART}"):
        pid = path.name.removesuffix(PART).rpartition(".")[-1]
        try:
            os.kill(int(pid), 0)
        except ProcessLookupError:
            with suppress(OSError):
                path.unlink()
        except (ValueError, OverflowError, OSError):
            continue  # not ours, or somebody else's process
