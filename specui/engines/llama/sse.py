"""Server-sent events out of bytes that may be cut anywhere, even inside a character or a line end."""

from __future__ import annotations

from dataclasses import dataclass, field

from specui.domain.errors import RequestFailed

LONGEST_EVENT_BYTES = 32 * 1024 * 1024
_BOM = b"\xef\xbb\xbf"
_UNREAD_FIELDS = (b"", b"id", b"retry")
_ALIVE_NAMES = (b"ping", b"heartbeat", b"keepalive", b"keep-alive")
_STRAY_BYTES = 1 << 16


@dataclass(slots=True)
class SseReader:
    """Gives the data of every complete event. Comments, ids, retries, pings and empty data are passed over."""

    stray: list[str] = field(default_factory=list)
    """Lines that belong to no event: a bare JSON error, a proxy's HTML page. Only their first part is kept."""
    _piece: bytearray = field(default_factory=bytearray)
    _data: list[bytes] = field(default_factory=list)
    _data_bytes: int = 0
    _stray_bytes: int = 0
    _has_begun: bool = False
    _is_after_cr: bool = False
    _is_ping: bool = False

    def feed(self, data: bytes) -> list[str]:
        """The data of the events that `data` completes. Raises RequestFailed at an event without end."""
        if not data:
            return []
        if not self._has_begun:
            data = bytes(self._piece) + data
            self._piece.clear()
            if len(data) < len(_BOM) and _BOM.startswith(data):
                self._piece += data
                return []
            self._has_begun = True
            data = data.removeprefix(_BOM)
        if self._is_after_cr and data.startswith(b"\n"):
            data = data[1:]
        self._is_after_cr = data.endswith(b"\r")
        if b"\r" in data:
            data = data.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
        if b"\n" not in data:
            self._piece += data
            self._ensure_bounded(len(self._piece))
            return []
        *lines, rest = (bytes(self._piece) + data).split(b"\n")
        self._piece = bytearray(rest)
        return [event for line in lines if (event := self._take(line)) is not None]

    def end(self) -> list[str]:
        """The data of an event that the end of the stream completes."""
        last = self._take(bytes(self._piece)) if self._piece else None
        self._piece.clear()
        rest = self._take(b"")
        return [event for event in (last, rest) if event is not None]

    def _take(self, line: bytes) -> str | None:
        if not line:
            return self._dispatched()
        name, _, value = line.partition(b":")
        if name == b"data":
            self._data.append(value.removeprefix(b" "))
            self._data_bytes += len(line) + 1
            self._ensure_bounded(self._data_bytes)
        elif name == b"event":
            self._is_ping = value.strip().lower() in _ALIVE_NAMES
        elif name not in _UNREAD_FIELDS and self._stray_bytes < _STRAY_BYTES and line.strip():
            self._stray_bytes += len(line)
            self.stray.append(line[:_STRAY_BYTES].decode("utf-8", "replace"))
        return None

    def _dispatched(self) -> str | None:
        data = "" if self._is_ping else b"\n".join(self._data).decode("utf-8", "replace")
        self._data, self._data_bytes, self._is_ping = [], 0, False
        return data or None

    def _ensure_bounded(self, length: int) -> None:
        if length > LONGEST_EVENT_BYTES:
            raise RequestFailed(
                f"the server sent an event of over {LONGEST_EVENT_BYTES >> 20} MiB: is this a llama-server?"
            )
