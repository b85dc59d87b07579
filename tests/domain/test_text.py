"""Text from outside acts on nothing and loses nothing."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from specui.domain.text import joined_surrogates, one_line, slug, visible

_ACTING = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")


@given(st.text(st.characters()))
def test_visible_text_acts_on_no_terminal(text: str) -> None:
    """C102: no C0 but line feed and tab, no DEL, no C1, no bidi control, no lone surrogate is left."""
    assert not _ACTING.search(visible(text))


def test_an_escape_is_shown() -> None:
    """What was there can be seen."""
    assert "\u241b]52;c;cm0=\u2407<U+009B>31m" == visible("\x1b]52;c;cm0=\x07\x9b31m")


@given(st.text(st.characters()))
def test_joined_text_fits_any_file(text: str) -> None:
    """C84: after joining, every text can be written as UTF-8."""
    joined_surrogates(text).encode("utf-8")


def test_halves_of_a_character_become_one() -> None:
    """Two surrogates in a row are the character they mean; one alone is U+FFFD."""
    assert "😀\ufffd" == joined_surrogates("\ud83d\ude00\ud83d")


@given(st.text(st.characters()), st.integers(2, 80))
def test_one_line_keeps_its_limit(text: str, limit: int) -> None:
    """Property 11: never longer than asked, never a line break."""
    line = one_line(text, limit)

    assert len(line) <= limit
    assert "\n" not in line


@given(st.text(st.characters()))
def test_a_slug_is_one_harmless_name(text: str) -> None:
    """C103: no path, no hidden name, no dots that climb, no blank, never empty."""
    name = slug(text)

    assert re.fullmatch(r"[a-z0-9][a-z0-9.-]{0,59}", name)
    assert ".." not in name


def test_what_cannot_be_seen_is_shown() -> None:
    """A name that hides something in signs without a picture shows them: they tell two names apart."""
    for sign in "\xad\u034f\u061c\u115f\u180e\u200b\u206a\u3164\ufeff\uffa0\U000e0041":
        assert f"a<U+{ord(sign):04X}>b" == visible(f"a{sign}b")
