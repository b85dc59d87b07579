"""Server-sent events out of bytes that may be cut anywhere, even inside a character or a line end."""

from __future__ import annotations

from dataclasses import dataclass, field

from specui.domain.errors import RequestFailed

LONGEST_LINE_BYTES = 32 * 1024 * 1024
_BOM = b"\xef\xbb\xbf"
_STRAY_FIRST = (b"{", b"[", b"<")
_STRAY_LINES = 200


@dataclass(slots=True)
class SseReader:
    """Gives the data of every complete event. Comments, ids, retries and empty data are passed over."""

    stray: list[str] = field(default_factory=list)
    """Lines that belong to no event: a bare JSON error, a proxy's HTML page."""
    _piece: bytes = b""
    _data: list[str] = field(default_factory=list)
    _has_begun: bool = False
    _is_after_cr: bool = False

    def feed(self, data: bytes) -> list[str]:
        """The data of the events that `data` completes. Raises RequestFailed at a line without end."""
        text = self._piece + data
        if not self._has_begun:
            if len(text) < len(_BOM) and _BOM.startswith(text):
                self._piece = text
                return []
            self._has_begun = True
            text = text.removeprefix(_BOM)
        if self._is_after_cr and text.startswith(b"\n"):
            text = text[1:]
        self._is_after_cr = b"\r" in text and text.endswith(b"\r")
        if b"\r" in text:
            text = text.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
        *lines, self._piece = text.split(b"\n")
        if len(self._piece) > LONGEST_LINE_BYTES:
            raise RequestFailed(
                f"the server sent a line of over {LONGEST_LINE_BYTES >> 20} MiB: is this a llama-server?"
            )
        return [event for line in lines if (event := self._take(line)) is not None]

    def end(self) -> list[str]:
        """The data of an event that the end of the stream completes."""
        last = self._take(self._piece) if self._piece else None
        self._piece = b""
        rest = self._take(b"")
        return [event for event in (last, rest) if event is not None]

    def _take(self, line: bytes) -> str | None:
        if not line:
            data, self._data = "\n".join(self._data), []
            return data or None
        if line.startswith(b"data:"):
            self._data.append(line[5:].decode("utf-8", "replace").removeprefix(" "))
        elif line.lstrip().startswith(_STRAY_FIRST) and len(self.stray) < _STRAY_LINES:
            self.stray.append(line.decode("utf-8", "replace"))
        return None
