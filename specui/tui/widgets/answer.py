"""The answer as it streams: append-only, laid out once, scrolled in chunks, selectable, with the speculation lens."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.segment import Segment
from textual.geometry import Region, Size
from textual.reactive import reactive
from textual.scroll_view import ScrollView
from textual.strip import Strip

from specui.domain import live
from specui.domain.run import Run
from specui.tui.pictures.flow import LARGEST_CHARACTERS, Flow
from specui.tui.widgets.picture import RowStyles

if TYPE_CHECKING:
    from collections.abc import Iterable

    from textual.selection import Selection

    from specui.domain.request_facts import TextSpan

CHUNKS = 2
"""A full pane makes room for one part in so many of its lines at once: every scroll repaints it whole."""


class AnswerText(ScrollView, can_focus=True):
    """The text of the current request."""

    run_state: reactive[Run] = reactive(Run, init=False, repaint=False)
    has_lens: reactive[bool] = reactive(True, init=False, repaint=False)

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._styles = RowStyles(self)
        self._flow = Flow(80)
        self._request = 0
        self._consumed = 0
        self._characters = 0
        self._begins_at = 0
        self._channel = ""
        self._follows = True

    def watch_run_state(self) -> None:
        """Put new text behind the old, or lay another text out."""
        self._update()

    def watch_has_lens(self) -> None:
        """Colours change, words do not."""
        self._lay_out()

    def on_resize(self) -> None:
        """Lay out for the new width."""
        self._lay_out()

    def notify_style_update(self) -> None:
        """The theme changed: colours are asked for again."""
        super().notify_style_update()
        self._styles.forget()

    def render_line(self, y: int) -> Strip:
        """One line of the text."""
        number, width = y + self.scroll_offset.y, self.size.width
        if number >= len(self._flow.lines):
            return Strip.blank(width, self._styles("text"))
        line = self._flow.lines[number]
        strip = Strip([Segment(text, self._styles(name)) for name, text in line.spans])
        selection = self.text_selection
        span = selection.get_span(number) if selection is not None else None
        if span is not None:
            start, end = span
            chosen = self.screen.get_component_rich_style("screen--selection")
            end = strip.cell_length if end == -1 else end
            strip = Strip.join([strip.crop(0, start), strip.crop(start, end).apply_style(chosen), strip.crop(end)])
        return strip.adjust_cell_length(width, self._styles("text")).apply_offsets(0, number)

    def get_selection(self, selection: Selection) -> tuple[str, str] | None:
        """The words under the selection."""
        return selection.extract("\n".join(line.text for line in self._flow.lines)), "\n"

    def selection_updated(self, selection: Selection | None) -> None:
        """Draw what is selected."""
        self.refresh()

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        """Follow the end again once it is in sight."""
        super().watch_scroll_y(old_value, new_value)
        if round(old_value) != round(new_value):
            self._follows = round(new_value) >= self.max_scroll_y

    def _update(self) -> None:
        request = live.current_request(self.run_state)
        if request is None or request.number != self._request or len(request.spans) < self._consumed:
            self._lay_out()
            return
        if len(request.spans) == self._consumed:
            return
        new = request.spans[self._consumed :]
        self._characters += sum(len(text) for *_, text in new)
        if _beginning(self._characters) != self._begins_at:
            self._lay_out()
            return
        first = self._put(new)
        self._consumed = len(request.spans)
        if not self._make_room():
            top = self.scroll_offset.y
            height = self.size.height
            lines = range(max(first, top), min(len(self._flow.lines), top + height))
            if lines:
                self.refresh(Region(0, lines[0] - top, self.size.width, len(lines)))

    def _lay_out(self) -> None:
        """Everything anew."""
        request = live.current_request(self.run_state)
        is_other = request is None or request.number != self._request
        self._flow = Flow(self.scrollable_content_region.width or 80)
        self._request, self._channel = request.number if request else 0, ""
        spans = list(request.spans) if request else []
        self._consumed, self._characters = len(spans), sum(len(text) for *_, text in spans)
        self._begins_at = _beginning(self._characters)
        if self._begins_at:
            self._flow.add("dim", f"… {self._begins_at} characters before this; the session holds them\n")
        self._put(_after(spans, self._begins_at))
        self._follows = self._follows or is_other
        self._make_room()
        self.refresh()

    def _put(self, spans: Iterable[TextSpan]) -> int:
        first = len(self._flow.lines) - 1
        for _, origin, channel, text in spans:
            if channel != self._channel:
                if self._channel:
                    self._flow.add("text", "\n\n")
                self._channel = channel
            if self.has_lens and origin is not None:
                style = "origin-draft" if origin == "draft" else "origin-target"
            else:
                style = "thinking" if channel == "thinking" else "text"
            self._flow.add(style, text)
        return first

    def _make_room(self) -> bool:
        """Let the scrolled height follow the text, in chunks; whether the whole pane moved."""
        height = max(1, self.size.height)
        lines = len(self._flow.lines)
        chunk = max(1, height // CHUNKS)
        over = max(0, lines - height)
        size = Size(self.size.width, height + -(-over // chunk) * chunk)
        if size == self.virtual_size:
            return False
        self.virtual_size = size
        if self._follows:
            self.scroll_to(y=self.max_scroll_y, animate=False, force=True)
        return True


def _beginning(characters: int) -> int:
    """The character that the layout begins at: it depends on the length alone."""
    half = LARGEST_CHARACTERS // 2
    return 0 if characters <= LARGEST_CHARACTERS else (characters // half - 1) * half


def _after(spans: list[TextSpan], skipped: int) -> Iterable[TextSpan]:
    """The spans behind so many characters."""
    for step, origin, channel, text in spans:
        if skipped >= len(text):
            skipped -= len(text)
            continue
        yield step, origin, channel, text[skipped:]
        skipped = 0
