"""The one writer of a journal: whole lines, appended, never rewritten."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Self

from specui.domain.codec import encode
from specui.domain.errors import JournalError
from specui.journal import lock
from specui.journal.lines import write_header

if TYPE_CHECKING:
    from pathlib import Path
    from types import TracebackType

    from specui.domain.events import Event
    from specui.domain.units import Record


class JournalWriter:
    """Appends events to a journal that it holds the lock of.

    Raises JournalError where the file cannot be opened, locked or written. To be opened after the last fork
    that does not exec: a forked child would keep the lock.
    """

    def __init__(self, path: Path, header: Record) -> None:
        self._path = path
        try:
            self._descriptor = os.open(path, os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, 0o600)
        except OSError as error:
            raise JournalError(f"the journal {path} cannot be opened: {error.strerror}") from error
        if not lock.take(self._descriptor):
            os.close(self._descriptor)
            raise JournalError(
                f"the journal {path} is being written by another process: use that run, or stop it first"
            )
        size = os.fstat(self._descriptor).st_size
        if size == 0:
            self._write(write_header(header))
        elif os.pread(self._descriptor, 1, size - 1) != b"\n":
            self._write(b"\n")

    def append(self, event: Event) -> None:
        """Write one event; it is in the kernel's hands when this returns."""
        self._write(encode(event))

    def sync(self) -> None:
        """Bring everything written to the disk."""
        try:
            os.fsync(self._descriptor)
        except OSError as error:
            raise JournalError(f"the journal {self._path} cannot be synced: {error.strerror}") from error

    def close(self) -> None:
        """Close the file and with it the lock."""
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _write(self, data: bytes) -> None:
        rest = memoryview(data)
        while rest:
            try:
                rest = rest[os.write(self._descriptor, rest) :]
            except OSError as error:
                raise JournalError(
                    f"the journal {self._path} cannot be written: {error.strerror}; what it holds so far is safe"
                ) from error
