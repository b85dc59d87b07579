"""Bytes of a journal, cut anywhere, into whole events."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from specui.domain.codec import decode
from specui.domain.units import Record

if TYPE_CHECKING:
    from specui.domain.events import Event


@dataclass(slots=True)
class LineReader:
    """Keeps the piece of a line that has not ended yet; a damaged line is counted and passed over."""

    header: Record | None = None
    """The first line, once it is whole; None where it is damaged."""
    damaged: int = 0
    _piece: bytes = b""
    _is_past_header: bool = field(default=False)

    def feed(self, data: bytes) -> list[Event]:
        """The events whose lines ended within `data`."""
        if b"\n" not in data:
            self._piece += data
            return []
        *lines, self._piece = (self._piece + data).split(b"\n")
        return [event for line in lines if (event := self._read(line)) is not None]

    def _read(self, line: bytes) -> Event | None:
        if not self._is_past_header:
            self._is_past_header = True
            self.header = read_header(line)
            if self.header is not None:
                return None
        if not line.strip():
            return None
        event = decode(line)
        if event is None:
            self.damaged += 1
        return event


def read_header(line: bytes) -> Record | None:
    """The object of a journal's first line; None where the line is none, that is has no `format`."""
    try:
        record = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return record if isinstance(record, dict) and isinstance(record.get("format"), int) else None


def write_header(record: Record) -> bytes:
    """A journal's first line, newline included, in ASCII."""
    return json.dumps(record, separators=(",", ":"), allow_nan=False).encode("ascii") + b"\n"
