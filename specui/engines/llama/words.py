"""An engine's own words as they grow: new lines of its log file, and the last ones kept for messages."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

KEPT_LINES = 400
KEPT_CHARACTERS = 4000
_PIECE_BYTES = 1 << 18
_LONGEST_BYTES = 1 << 16


class Words:
    """Reads a log file on from where it was; a line's excess beyond a bound is dropped, any bytes are text."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._offset = path.stat().st_size if path.exists() else 0
        self._piece = b""
        self._is_in_excess = False
        self.last: deque[str] = deque(maxlen=KEPT_LINES)

    def new_lines(self) -> list[str]:
        """The lines that have ended since the last call; at most a fixed amount of text at once."""
        try:
            with self._path.open("rb") as file:
                file.seek(self._offset)
                data = file.read(_PIECE_BYTES)
        except OSError:
            return []
        self._offset += len(data)
        *lines, rest = data.split(b"\n")
        if lines:
            lines[0] = b"" if self._is_in_excess else self._piece + lines[0]
            self._piece, self._is_in_excess = b"", False
        self._piece = b"" if self._is_in_excess else self._piece + rest
        if len(self._piece) > _LONGEST_BYTES:
            lines.append(self._piece)
            self._piece, self._is_in_excess = b"", True
        said = [line[:_LONGEST_BYTES].decode("utf-8", "replace").rstrip("\r")[:KEPT_CHARACTERS] for line in lines]
        self.last.extend(line for line in said if line.strip())
        return said

    def all_new_lines(self) -> list[str]:
        """Every line that has ended by now, for when nothing more will come."""
        out: list[str] = []
        while lines := self.new_lines():
            out += lines
        if self._piece:
            line = self._piece.decode("utf-8", "replace")[:KEPT_CHARACTERS]
            self.last.append(line)
            out.append(line)
            self._piece = b""
        return out
