"""Rows of styled text, cut and filled to a width: what every panel is made of.

A style is a name (`speed`, `dim`, …) that the stylesheet gives its colour; a row is compared with the one drawn
before, so only rows that changed are sent to the terminal.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TypeAlias

from rich.cells import cell_len, set_cell_size

from specui.domain.text import one_line

Span: TypeAlias = tuple[str, str]
"""The name of a style, and text."""

Row: TypeAlias = tuple[Span, ...]

STYLES: tuple[str, ...] = (
    "text", "dim", "frame", "title", "good", "warning", "bad", "speed", "baseline", "acceptance", "draft", "verify",
    "memory", "origin-draft", "origin-target", "thinking", "accent",
)  # fmt: skip
"""Every style there is; the stylesheet names each once for the panels."""

UNDERLINED = frozenset({"origin-draft"})
"""Styles that show on a blank."""

LEAST_TITLE = 4
"""Cells that a title keeps beside its value, cut or not."""

BLANK: Row = ()


@lru_cache(maxsize=4096)
def width_of(text: str) -> int:
    """Cells that a text takes on a terminal."""
    return len(text) if text.isascii() else cell_len(text)


def row_width(row: Row) -> int:
    """Cells that a row takes."""
    return sum(width_of(text) for _, text in row)


def fitted(text: str, width: int) -> str:
    """The text in at most `width` cells, cut with an ellipsis."""
    if width <= 0:
        return ""
    if width_of(text) <= width:
        return text
    return set_cell_size(text, width - 1).rstrip() + "…"


def outside(text: str, width: int = 300) -> str:
    """Text from outside on one line, harmless and visible, in at most `width` cells."""
    return fitted(one_line(text, max(1, width) + 1), width)


def cut(row: Row, width: int) -> Row:
    """The row in at most `width` cells."""
    out: list[Span] = []
    left = width
    for style, text in row:
        needed = width_of(text)
        if needed > left:
            out.append((style, fitted(text, left)))
            break
        out.append((style, text))
        left -= needed
    return tuple(span for span in out if span[1])


def filled(row: Row, width: int, sign: str = " ", style: str = "text") -> Row:
    """The row in exactly `width` cells."""
    short = cut(row, width)
    missing = width - row_width(short)
    return (*short, (style, sign * missing)) if missing > 0 else short


def spread(left: Row, right: Row, width: int, sign: str = " ", style: str = "text") -> Row:
    """Both in one row of `width` cells, `right` at its end; where both do not fit, `left` gives way."""
    ending = cut(right, width)
    room = width - row_width(ending)
    return (*filled(left, room, sign, style), *ending)


def merged(row: Row) -> Row:
    """The row in as few spans as give the same picture: a blank takes the style before it. Each costs 30 bytes."""
    out: list[Span] = []
    for style, text in row:
        is_same = bool(out) and out[-1][0] == style
        hides_blanks = bool(out) and not UNDERLINED & {style, out[-1][0]}
        if is_same or (hides_blanks and text.isspace()):
            out[-1] = (out[-1][0], out[-1][1] + text)
        elif hides_blanks and out[-1][1].isspace():
            out[-1] = (style, out[-1][1] + text)
        elif text:
            out.append((style, text))
    return tuple(out)


def differing(row: Row, before: Row, width: int) -> int:
    """Cells from the left up to the last one that differs between two rows of a width; the rest need not be sent.

    All of them where none differs: one cell alone may be half of a wide sign.
    """
    ends = [list(filled(r, width)) for r in (row, before)]
    same = 0
    while ends[0] and ends[1]:
        (style, text), (old_style, old_text) = ends[0].pop(), ends[1].pop()
        if style != old_style:
            break
        if text == old_text:
            same += width_of(text)
            continue
        common = next((n for n, (a, b) in enumerate(zip(text[::-1], old_text[::-1], strict=False)) if a != b), None)
        if common is not None:
            same += width_of(text[len(text) - common :])
            break
        short = min(len(text), len(old_text))
        same += width_of(text[len(text) - short :])
        ends[0] += [(style, text[: len(text) - short])] if len(text) > short else []
        ends[1] += [(style, old_text[: len(old_text) - short])] if len(old_text) > short else []
    return width - same if same < width else width


def joined(parts: list[Row], width: int, sign: str = " · ") -> Row:
    """As many parts as fit into `width` cells, from the first on, with a sign between them."""
    out: list[Span] = []
    left = width
    for part in parts:
        needed = row_width(part) + (width_of(sign) if out else 0)
        if not part or needed > left:
            continue
        if out:
            out.append(("dim", sign))
        out += part
        left -= needed
    return tuple(out)


def framed(title: str, value: Row, body: list[Row], width: int, height: int) -> list[Row]:
    """A box of exactly `width` × `height` cells around as much of the body as fits.

    The value stands left: of a row that changes only what comes before the last difference is sent.
    """
    if height < 1 or width < 1:
        return []
    if width < 8 or height < 3:
        return [filled(row, width) for row in ([*body, *[BLANK] * height])[:height]]
    room = width - row_width(value) - 8  # for the title, where the value stands beside it
    named = value and (room >= LEAST_TITLE or room >= width_of(title))
    shown = fitted(title, room if named else width - 6)
    head: Row = (("frame", "╭ "), ("title", shown), ("frame", " "))
    if named:
        head = (*head, ("frame", "─ "), *value, ("frame", " "))
    rows = [spread(head, (("frame", "╮"),), width, "─", "frame")]
    inner = width - 4
    for row in ([*body, *[BLANK] * height])[: height - 2]:
        rows.append((("frame", "│ "), *filled(row, inner), ("frame", " │")))
    rows.append((("frame", "╰" + "─" * (width - 2) + "╯"),))
    return rows
