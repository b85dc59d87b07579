"""Text that only grows, laid out in lines: a line that is full never changes again."""

from __future__ import annotations

from dataclasses import dataclass, field

from rich.cells import get_character_cell_size

from specui.domain.text import visible
from specui.tui.pictures.rows import Span, width_of

TAB = "    "
EMOJI_SIGN = "\ufe0f"
"""Makes the character before it an emoji, and wider on some terminals only: left out, a line has one width on all."""
LARGEST_CHARACTERS = 60_000
"""Beyond this only the end of a text is laid out; it begins at a multiple of half of it, whatever came how."""


@dataclass(slots=True)
class Line:
    """One line of the layout."""

    spans: list[Span] = field(default_factory=list)
    width: int = 0
    ends: bool = False
    """Whether a line feed ends it, not the edge."""

    @property
    def text(self) -> str:
        """Its words without their styles."""
        return "".join(text for _, text in self.spans)


class Flow:
    """Lays text out in a width, greedily: a line breaks at its last space, or inside a word that is too long."""

    def __init__(self, width: int) -> None:
        self.width = max(1, width)
        self.lines: list[Line] = [Line()]

    def add(self, style: str, text: str) -> int:
        """Put more text behind; gives the number of the first line that changed."""
        first = len(self.lines) - 1
        for index, piece in enumerate(visible(text).replace("\t", TAB).replace(EMOJI_SIGN, "").split("\n")):
            if index:
                self._end_line()
            if piece:
                self._put(style, piece)
        return first

    def _end_line(self) -> None:
        """A line feed: where spaces at the edge have begun a line already, it ends the one before."""
        if self._is_wrapped():
            self.lines[-2].ends = True
            return
        self.lines[-1].ends = True
        self.lines.append(Line())

    def _put(self, style: str, piece: str) -> None:
        line = self.lines[-1]
        needed = width_of(piece)
        if line.width + needed <= self.width and not (piece[0] == " " and self._is_wrapped()):
            _append(line, style, piece, needed)
            return
        for word in _words(piece):
            self._put_word(style, word)

    def _put_word(self, style: str, word: str) -> None:
        """A word, or a run of spaces: spaces at the edge hang over it unseen."""
        line = self.lines[-1]
        needed = width_of(word)
        if word[0] == " " and self._is_wrapped():
            return
        if line.width + needed <= self.width:
            _append(line, style, word, needed)
        elif word[0] == " ":
            _append(line, style, word[: self.width - line.width], self.width - line.width)
            self.lines.append(Line())
        else:
            self._break_before(style, word)

    def _is_wrapped(self) -> bool:
        """Whether the last line is empty because the one before was full: spaces there are not seen."""
        return self.lines[-1].width == 0 and len(self.lines) > 1 and not self.lines[-2].ends

    def _break_before(self, style: str, word: str) -> None:
        """Move the word that is being written to a line of its own, or cut it where it fills one."""
        moved = _torn_off(self.lines[-1])
        if moved is not None:
            self.lines.append(moved)
        for sign in word:
            size = get_character_cell_size(sign)
            if self.lines[-1].width + size > self.width and self.lines[-1].width:
                self.lines.append(Line())
            _append(self.lines[-1], style, sign, size)


def _append(line: Line, style: str, text: str, needed: int) -> None:
    if not text:
        return
    if line.spans and line.spans[-1][0] == style:
        line.spans[-1] = (style, line.spans[-1][1] + text)
    else:
        line.spans.append((style, text))
    line.width += needed


def _torn_off(line: Line) -> Line | None:
    """Take the unfinished word from the end of a line; None where it fills the line alone: it is cut, not moved."""
    moved: list[Span] = []
    spans = line.spans
    while spans:
        style, text = spans[-1]
        cut = text.rfind(" ") + 1
        if cut == len(text):
            break
        spans.pop()
        moved.insert(0, (style, text[cut:]))
        if cut:
            spans.append((style, text[:cut]))
            break
    if not spans:
        line.spans = moved
        return None
    width = sum(width_of(text) for _, text in moved)
    line.width -= width
    return Line(moved, width)


def _words(text: str) -> list[str]:
    """The text as runs of spaces and runs of anything else."""
    out: list[str] = []
    for sign in text:
        if out and (out[-1][-1] == " ") == (sign == " "):
            out[-1] += sign
        else:
            out.append(sign)
    return out
