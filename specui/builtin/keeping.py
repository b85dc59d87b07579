"""Keeps the widened toy in a folder: whole or not at all, whoever else writes there."""

from __future__ import annotations

import errno
import os
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from specui.builtin.widening import widened
from specui.domain.errors import NotKept, UnreadableFile

if TYPE_CHECKING:
    from collections.abc import Iterator

    from specui.domain.units import Bytes

PART = ".part"
"""The ending of a file that is not finished."""

_READ_BYTES = 1 << 20


def kept(source: Path, folder: Path, ffn_width: int) -> Path:
    """The source with feed-forward layers of that width, from the folder or made there now.

    A file that is not exactly what would be written is made anew; an unfinished one never bears the name.
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
        _ensure_room(folder, size)
        with _part(folder, path.name) as file:
            _write(file, pieces, size)
            Path(file.name).replace(path)
    except OSError as error:
        raise _not_kept(folder, error) from error
    return path


def _not_kept(folder: Path, error: OSError) -> NotKept:
    """What to say where the folder takes no file."""
    reason = error.strerror or str(error)
    return NotKept(
        f"the widened toy cannot be written to {folder} ({reason}): let it be written there, or set SPECUI_HOME"
    )


def _bytes_of(source: Path) -> bytes:
    try:
        return source.read_bytes()
    except OSError as error:
        raise UnreadableFile(f"{source} cannot be read: {error.strerror}") from error


def _is_whole(path: Path, pieces: list[tuple[Bytes, bytes]], size: Bytes) -> bool:
    """Whether the file has that size, those parts, and nothing but zeros between them."""
    try:
        with path.open("rb") as file:
            handle = file.fileno()
            if os.fstat(handle).st_size != size:
                return False
            if any(os.pread(handle, len(piece), at) != piece for at, piece in pieces):
                return False
            return all(_is_zero(handle, start, end) for start, end in _gaps(pieces, size))
    except OSError:
        return False


def _gaps(pieces: list[tuple[Bytes, bytes]], size: Bytes) -> Iterator[tuple[Bytes, Bytes]]:
    """What lies between the pieces, as (start, end)."""
    at = 0
    for start, piece in pieces:
        if at < start:
            yield at, start
        at = start + len(piece)
    if at < size:
        yield at, size


def _is_zero(handle: int, start: Bytes, end: Bytes) -> bool:
    """Whether a part of a file holds zeros alone; holes are passed over unread."""
    while start < end:
        try:
            start = os.lseek(handle, start, os.SEEK_DATA)
        except OSError as error:
            return error.errno == errno.ENXIO  # nothing but holes up to the end
        if start >= end:
            return True
        length = min(end - start, _READ_BYTES)
        if os.pread(handle, length, start).count(0) != length:
            return False
        start += length
    return True


def _ensure_room(folder: Path, size: Bytes) -> None:
    """Raises OSError where the whole file would not fit.

    Its holes need no room on a disk, but in a file system that lives in memory they do once they are read, and then it
    is the engine that dies.
    """
    there = os.statvfs(folder)
    if there.f_bavail * there.f_frsize < size:
        raise OSError(errno.ENOSPC, f"less than the {size / 1e6:.0f} MB are free that it may take")


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
