"""The line of a replay."""

from __future__ import annotations

from typing import TYPE_CHECKING

from specui.journal.playhead import Playhead
from specui.tui.pictures.transport import transport
from specui.tui.widgets.picture import Picture

if TYPE_CHECKING:
    from collections.abc import Sequence

    from specui.domain.units import Seconds
    from specui.journal.recording import Recording
    from specui.tui.pictures.rows import Row


class Transport(Picture):
    """Where the playhead stands."""

    _head = Playhead()
    _is_whole = False
    _markers: Sequence[tuple[Seconds, str]] = ()
    _requests: Sequence[Seconds] = ()

    def show(self, head: Playhead, recording: Recording, *, is_whole: bool) -> None:
        """Draw another place, or what has been read since."""
        self._is_whole = is_whole
        self._head, self._markers, self._requests = head, recording.markers, recording.request_starts
        self.redraw()

    def drawn(self, width: int, height: int) -> list[Row]:
        """The line."""
        return [transport(self._head, self._markers, self._requests, width, is_whole=self._is_whole)]
