"""Text laid out in lines: the same however it came, never wider than the width, and nothing of it lost."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from rich.cells import cell_len

from specui.domain.text import visible
from specui.tui.pictures.flow import EMOJI_SIGN, TAB, Flow

SIGNS = [
    *"aab  \n\t",
    "漢",
    "字",
    "😀",
    "e\u0301",
    "\u0301",
    "❤\ufe0f",
    "👍🏽",
    "👩‍👧",
    "\x1b",
    "\x9b",
    "\u202e",
    "\u00a0",
]

texts = st.lists(st.sampled_from(SIGNS) | st.characters(), max_size=60).map("".join)
ascii_texts = st.text("ab \n", max_size=60)
widths = st.integers(2, 12)


def laid_out(width: int, *pieces: str) -> list[str]:
    """The lines of a text that came in pieces."""
    flow = Flow(width)
    for piece in pieces:
        flow.add("text", piece)
    return [line.text for line in flow.lines]


def cut(text: str, places: list[int]) -> list[str]:
    """The text in pieces."""
    return [text[begin:end] for begin, end in pairwise([0, *sorted(min(p, len(text)) for p in places), len(text)])]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", [""]),
        ("the quick fox", ["the ", "quick ", "fox"]),
        ("abcdef", ["abcdef"]),
        ("abcdefgh", ["abcdef", "gh"]),
        ("ab cdefghij", ["ab ", "cdefgh", "ij"]),
        ("abcdef gh", ["abcdef", "gh"]),
        ("abcde     fg", ["abcde ", "fg"]),
        ("abcdef   \ngh", ["abcdef", "gh"]),
        ("abcdef\n\ngh", ["abcdef", "", "gh"]),
        ("a\n  b", ["a", "  b"]),
        ("\ta", ["    a"]),
        ("漢字漢字", ["漢字漢", "字"]),
        ("a漢字漢字", ["a漢字", "漢字"]),
        ("a\r\nb", ["a␍", "b"]),
        ("\x1b[2J", ["␛[2J"]),
        ("❤\ufe0f❤\ufe0f", ["❤❤"]),
    ],
)
def test_lines_of_six_cells(text: str, expected: list[str]) -> None:
    """A line breaks at its last space, else inside the word; spaces at the edge hang over it unseen."""
    assert expected == laid_out(6, text)


@pytest.mark.parametrize(
    ("pieces", "expected"),
    [
        (("ab", "cdefgh"), ["abcdef", "gh"]),
        (("abcdefgh", "ijklm"), ["abcdef", "ghijkl", "m"]),
        (("ab c", "defg"), ["ab ", "cdefg"]),
        (("abcdef ", " ", "g"), ["abcdef", "g"]),
        (("漢字", "漢", "字"), ["漢字漢", "字"]),
    ],
)
def test_a_word_goes_on_where_it_stopped(pieces: tuple[str, ...], expected: list[str]) -> None:
    """Tokens end inside words, and Chinese has no spaces."""
    assert expected == laid_out(6, *pieces)


@settings(max_examples=200, deadline=None)
@given(texts | ascii_texts, widths, st.lists(st.integers(0, 60), max_size=12))
@example("ab cdefgh", 4, [4])
def test_pieces_make_the_same_lines(text: str, width: int, places: list[int]) -> None:
    """Live text comes in tokens, a replayed one at once: the lines are the same."""
    assert laid_out(width, visible(text)) == laid_out(width, *cut(visible(text), places))


@settings(max_examples=200, deadline=None)
@given(texts, widths)
def test_no_line_is_wider(text: str, width: int) -> None:
    """As Textual measures it; and the flow knows the width of each."""
    flow = Flow(width)
    flow.add("text", text)

    assert [line.width for line in flow.lines] == [cell_len(line.text) for line in flow.lines]
    assert all(line.width <= width for line in flow.lines)


@settings(max_examples=200, deadline=None)
@given(texts, widths)
def test_nothing_but_spaces_at_an_edge_is_lost(text: str, width: int) -> None:
    """Every sign stands there in its order, control characters as their pictures."""
    shown = visible(text).replace("\t", TAB).replace(EMOJI_SIGN, "")
    flow = Flow(width)
    flow.add("text", text)

    lines = "".join(line.text + ("\n" if line.ends else "") for line in flow.lines)

    assert shown.replace(" ", "") == lines.replace(" ", "")
    assert not any(ord(sign) < 0x20 or 0x7F <= ord(sign) < 0xA0 for line in flow.lines for sign in line.text)


@settings(max_examples=100, deadline=None)
@given(st.lists(texts | ascii_texts, max_size=12), widths)
def test_only_lines_from_the_one_that_is_told_change(pieces: list[str], width: int) -> None:
    """What lies above is never drawn again."""
    flow = Flow(width)
    for piece in pieces:
        before = [line.text for line in flow.lines]
        first = flow.add("text", piece)
        assert before[:first] == [line.text for line in flow.lines[:first]]


@settings(max_examples=100, deadline=None)
@given(st.lists(st.tuples(st.sampled_from(["speed", "dim"]), ascii_texts), max_size=8), widths)
def test_styles_change_no_line(pieces: list[tuple[str, str]], width: int) -> None:
    """The lens colours words; it moves none. Every sign keeps its style."""
    flow = Flow(width)
    for style, text in pieces:
        flow.add(style, text)
    shown = [(style, sign) for line in flow.lines for style, text in line.spans for sign in text]

    assert laid_out(width, *(text for _, text in pieces)) == [line.text for line in flow.lines]
    assert [(style, sign) for style, text in pieces for sign in text if sign not in " \n"] == [
        (style, sign) for style, sign in shown if sign != " "
    ]


def test_a_width_of_nothing_is_one_cell() -> None:
    """A pane that is not laid out yet has no width; what is too wide for it is cut by whoever draws it."""
    assert ["a", "b"] == laid_out(0, "ab")
    assert ["漢", "a"] == laid_out(-3, "漢a")
