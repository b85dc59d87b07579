"""Rows of an exact width, whatever they hold; and what need not be sent again."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip

from specui.tui.pictures import ascii as signs_of_ascii
from specui.tui.pictures.rows import (
    STYLES,
    UNDERLINED,
    Row,
    cut,
    differing,
    filled,
    fitted,
    framed,
    joined,
    merged,
    outside,
    row_width,
    spread,
    width_of,
)

if TYPE_CHECKING:
    from collections.abc import Callable

SIGNS = [*"aab  ", "漢", "😀", "e\u0301", "\u0301", "█", "╌", "⡠", "…"]
words = st.lists(st.sampled_from(SIGNS) | st.characters(exclude_categories=["Cc", "Cs"]), max_size=12).map("".join)
plain_words = st.lists(st.sampled_from([*"ab  ", "漢", "█"]), max_size=8).map("".join)
styles = st.sampled_from(["text", "dim", "speed", "origin-draft"])
rows: st.SearchStrategy[Row] = st.lists(st.tuples(styles, words), max_size=6).map(tuple)
plain_rows: st.SearchStrategy[Row] = st.lists(st.tuples(styles, plain_words), max_size=6).map(tuple)
widths = st.integers(0, 40)


def text_of(row: Row) -> str:
    """The words of a row."""
    return "".join(text for _, text in row)


def cells_of(row: Row) -> list[tuple[str, str]]:
    """What each cell shows: its sign, and its style where one sees it; the second cell of a wide sign is empty."""
    cells: list[tuple[str, str]] = []
    for style, text in row:
        for sign in text:
            seen = "" if sign == " " and style not in UNDERLINED else style
            cells += [(sign, seen), *[("", seen)] * (width_of(sign) - 1)]
    return cells


@settings(max_examples=80, deadline=None)
@given(rows, rows, widths)
def test_rows_are_exactly_as_wide_as_they_should_be(left: Row, right: Row, width: int) -> None:
    """Cut, filled and spread, with wide signs and marks of no width."""
    assert row_width(cut(left, width)) <= width
    assert [width] * 3 == [
        row_width(filled(left, width)),
        row_width(filled(left, width, "─", "frame")),
        row_width(spread(left, right, width)),
    ]


@settings(max_examples=100, deadline=None)
@given(words, words, widths)
def test_what_fits_stays_and_what_does_not_is_cut_with_an_ellipsis(text: str, other: str, width: int) -> None:
    """Of the text itself, up to its own width; where nothing fits, nothing stands."""
    short = fitted(text, width)

    assert width_of(short) <= width
    assert (short == text) is (width_of(text) <= width and (bool(width) or not text))
    assert short == text or not width or (short.endswith("…") and text.startswith(short[:-1]))
    assert width_of(outside(text + other, width)) <= width


@pytest.mark.parametrize(
    ("width", "expected"), [(0, ""), (1, "…"), (2, "…"), (3, "漢…"), (4, "漢…"), (5, "漢字…"), (6, "漢字ab")]
)
def test_a_wide_sign_is_never_halved(width: int, expected: str) -> None:
    """Where only half of it fits, it goes."""
    assert expected == fitted("漢字ab", width)


@settings(max_examples=100, deadline=None)
@given(st.lists(rows, max_size=6), widths)
def test_joined_parts_stand_whole_or_not_at_all(parts: list[Row], width: int) -> None:
    """From the first on; one that is too long is passed over."""
    row = joined(parts, width, " → ")
    left = width
    expected: list[str] = []
    for part in parts:
        needed = row_width(part) + (3 if expected else 0)
        if part and needed <= left:
            expected.append(text_of(part))
            left -= needed

    assert row_width(row) <= width
    assert " → ".join(expected) == text_of(row)


def test_the_right_end_of_a_row_stays() -> None:
    """Where both do not fit, the left gives way."""
    left, right = (("text", "abcdef"),), (("dim", "xyz"),)

    assert ["abcdef   xyz", "abc…xyz", "xyz", "x…", ""] == [text_of(spread(left, right, w)) for w in (12, 7, 3, 2, 0)]


@settings(max_examples=100, deadline=None)
@given(words, rows, st.lists(rows, max_size=5), st.integers(-2, 40), st.integers(-2, 8))
def test_a_box_has_exactly_its_size(title: str, value: Row, body: list[Row], width: int, height: int) -> None:
    """Whatever is in it; where no box fits, its first rows stand without one."""
    box = framed(title, value, body, width, height)

    assert (max(0, height) if width > 0 else 0) == len(box)
    assert all(row_width(row) == width for row in box)


def test_a_box_worked_by_hand() -> None:
    """The title, the value where it fits, as many rows as there is room for."""
    value: Row = (("speed", "24"),)
    body: list[Row] = [(("text", "one"),), (("text", "two"),)]

    def box(width: int, height: int) -> list[str]:
        return [text_of(row) for row in framed("Speed", value, body, width, height)]

    assert ["╭ Speed ─ 24 ──╮", "│ one          │", "│ two          │", "╰──────────────╯"] == box(16, 4)
    assert ["╭ Speed ──╮", "│ one     │", "╰─────────╯"] == box(11, 3)
    assert ["one ", "two "] == box(4, 2)


@settings(max_examples=80, deadline=None)
@given(rows | plain_rows)
def test_merged_rows_look_the_same(row: Row) -> None:
    """The same cells in the same styles, but for blanks that show none; in no more spans than before."""
    assert cells_of(row) == cells_of(merged(row))
    assert len(merged(row)) <= len(row)


def test_blanks_take_the_style_beside_them() -> None:
    """Each span costs 30 bytes on the way to the terminal."""
    row: Row = (("text", "  "), ("dim", "a"), ("text", " "), ("dim", "b"), ("speed", "c"), ("text", "  "))

    assert (("dim", "  a b"), ("speed", "c  ")) == merged(row)
    assert (("origin-draft", " "), ("text", "a")) == merged((("origin-draft", " "), ("text", "a")))


def strip(row: Row, width: int) -> Strip:
    """The row as it is drawn."""
    return Strip([Segment(text, Style(meta={"name": style})) for style, text in filled(row, width)])


def shown(strips: list[Strip]) -> list[tuple[str, Style | None]]:
    """The signs of a strip, each with its style."""
    return [(sign, segment.style) for part in strips for segment in part for sign in segment.text]


@settings(max_examples=80, deadline=None)
@given(plain_rows, plain_rows, st.data())
def test_what_is_left_out_of_a_row_was_there_before(row: Row, before: Row, data: st.DataObject) -> None:
    """Put over the row before, the part that is sent makes the row of now."""
    width = data.draw(st.integers(1, 24))
    if data.draw(st.booleans()):  # rows of one panel are mostly alike
        before = (*before[:1], *row[1:])
    sent = differing(row, before, width)
    now, old = strip(row, width), strip(before, width)

    assert 1 <= sent <= width
    assert shown([now]) == shown([now.crop(0, sent), old.crop(sent)])


@pytest.mark.parametrize(
    ("row", "before", "cells"),
    [
        ("24.1 tok/s", "24.1 tok/s", 20),
        ("24.1 tok/s", "24.2 tok/s", 4),
        ("24.1 tok/s", "9.1 tok/s", 10),
        ("漢 24", "字 24", 2),
        ("24", "24 tok", 6),
    ],
)
def test_only_cells_up_to_the_last_difference_are_sent(row: str, before: str, cells: int) -> None:
    """A value that stands left costs little."""
    assert cells == differing((("text", row),), (("text", before),), 20)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("╭ Speed ─ 24 ──╮", "+ Speed - 24 --+"),
        ("⡠⠊⣿⠀", ".': "),
        ("×2.00 · κ 1.5 → –", "x2.00 - k 1.5 > -"),
        ("漢字 é", "漢字 é"),
    ],
)
def test_signs_of_ascii(text: str, expected: str) -> None:
    """Everything that specui draws has one; words from outside stay as they are."""
    assert expected == signs_of_ascii.plain(text)


def test_every_style_has_a_name() -> None:
    """Named once, and those that show on a blank are among them."""
    assert len(set(STYLES)) == len(STYLES)
    assert UNDERLINED <= set(STYLES)


operations: list[Callable[[Row, int], Row]] = [cut, filled]


@pytest.mark.parametrize("operation", operations)
def test_no_width_is_too_small(operation: Callable[[Row, int], Row]) -> None:
    """None, or less than that: nothing."""
    row: Row = (("text", "漢字"), ("dim", "ab"))

    assert [(), ()] == [operation(row, width) for width in (0, -3)]
