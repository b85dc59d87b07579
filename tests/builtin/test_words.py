"""The tokenizer: nothing of a text is lost, and the shipped toys have the merges that their text gives."""

from __future__ import annotations

import struct
from collections import Counter
from itertools import pairwise
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from specui import builtin
from specui.builtin.recipe.rows import rendered
from specui.builtin.recipe.words import (
    MASK,
    PADDING,
    SPECIALS,
    TURN_BEGINS,
    TURN_ENDS,
    VOCABULARY_TOKENS,
    Tokenizer,
    byte_letters,
    learnt_merges,
    merged,
)

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from specui.builtin.recipe.words import Pair
    from specui.builtin.recipe.writing.draws import Conversation

ARRAY_KIND, STRING_KIND = 9, 8
"""Kinds of values, as GGUF numbers them."""

any_text = (st.text() | st.text("aeé ñ_'s19\n\t.<|>", max_size=60)).filter(
    lambda text: not any(name in text for name in SPECIALS)
)


@settings(max_examples=300, deadline=None)
@given(any_text)
def test_a_text_comes_back_as_it_went(tokenizer: Tokenizer, text: str) -> None:
    """Whatever its letters, every byte is some token."""
    ids = tokenizer.encode(text)

    assert text == tokenizer.decode(ids)
    assert set(ids) <= set(range(len(SPECIALS), VOCABULARY_TOKENS))


def test_the_toys_text_comes_back_as_it_went(tokenizer: Tokenizer, everything: list[Conversation]) -> None:
    """Special tokens included."""
    whole = "".join(rendered(conversation) for conversation in everything[::10])

    assert whole == tokenizer.decode(tokenizer.encode(whole))


def test_bytes_that_are_no_text_are_shown_as_such(tokenizer: Tokenizer) -> None:
    """Half a letter is a U+FFFD, and what stands around it is kept."""
    e_acute = Tokenizer([]).encode("é")

    assert "a�b" == tokenizer.decode([*tokenizer.encode("a"), e_acute[0], *tokenizer.encode("b")])


def test_the_vocabulary_is_full_and_has_no_token_twice(tokenizer: Tokenizer) -> None:
    """1024 tokens, so that no row of a toy's tables is without a use."""
    assert VOCABULARY_TOKENS == len(tokenizer.tokens) == len(set(tokenizer.tokens))


def test_names_of_special_tokens_become_these_tokens(tokenizer: Tokenizer) -> None:
    """Wherever they stand; a name that is not whole is text."""
    text = "<|im_start|>user\nHi<|im_end|><|mask|><|endoftext|>"

    ids = tokenizer.encode(text)

    assert [TURN_BEGINS, TURN_ENDS, MASK, PADDING] == [i for i in ids if i < len(SPECIALS)]
    assert [TURN_BEGINS, *tokenizer.encode("user\nHi"), TURN_ENDS, MASK, PADDING] == ids
    assert text == tokenizer.decode(ids)
    assert min(tokenizer.encode("<|im_start|")) >= len(SPECIALS)


@settings(deadline=None)
@given(st.integers(0, 10**12), st.sampled_from(["", " ", "a", "_", "-", "\n"]))
def test_each_digit_is_a_token(tokenizer: Tokenizer, number: int, before: str) -> None:
    """A number costs as many tokens as it has digits, whatever stands before it."""
    ids = tokenizer.encode(f"{before}{number}")

    assert list(str(number)) == [tokenizer.decode([i]) for i in ids[-len(str(number)) :]]


def test_no_merge_holds_a_digit(tokenizer: Tokenizer) -> None:
    """Neither alone nor with a letter or a space."""
    assert [] == [pair for pair in tokenizer.merges if any(letter.isdigit() for part in pair for letter in part)]


def test_every_byte_has_a_letter_of_its_own() -> None:
    """As in GPT-2's tables: what prints stands for itself, a space is Ġ and a line end Ċ."""
    letters = byte_letters()

    assert 256 == len(set(letters))
    assert ["Ġ", "Ċ", "!", "~", "ÿ"] == [letters[byte] for byte in (0x20, 0x0A, 0x21, 0x7E, 0xFF)]


@pytest.mark.parametrize(
    ("parts", "pair", "expected"),
    [
        ("abcab", ("a", "b"), ["ab", "c", "ab"]),
        ("aaa", ("a", "a"), ["aa", "a"]),
        ("aaaa", ("a", "a"), ["aa", "aa"]),
        ("ba", ("a", "b"), ["b", "a"]),
        ("a", ("a", "a"), ["a"]),
        ("", ("a", "b"), []),
    ],
)
def test_a_pair_is_made_one_from_the_left(parts: str, pair: Pair, expected: list[str]) -> None:
    """A part belongs to one pair only."""
    assert expected == merged(list(parts), pair)


@settings(deadline=None)
@given(st.lists(st.sampled_from("abc"), max_size=30), st.tuples(st.sampled_from("abc"), st.sampled_from("abc")))
def test_merging_keeps_the_letters(parts: list[str], pair: Pair) -> None:
    """Nothing is lost, and no two parts that make the pair stay side by side."""
    out = merged(parts, pair)

    assert "".join(parts) == "".join(out)
    assert pair not in list(pairwise(out))


@settings(max_examples=15, deadline=None)
@given(st.data())
def test_the_order_of_the_texts_does_not_matter(everything: list[Conversation], data: st.DataObject) -> None:
    """Merges depend on what is said, not on when."""
    texts = [turn for turns in everything[::200] for turn in turns]
    shuffled = data.draw(st.permutations(texts))

    assert learnt_merges(texts, 80) == learnt_merges(iter(shuffled), 80)


@settings(max_examples=50, deadline=None)
@given(st.lists(st.sampled_from(["aaab", "abab", "ab c", "banana", "anna", "12 ab", "abcabc"]), min_size=6))
def test_merges_are_those_that_a_plain_count_finds(words: list[str]) -> None:
    """Counting anew after each merge gives the same, so no count goes astray on the way."""
    assert _plainly_learnt(words, 2) == learnt_merges(words, 2)


def test_the_shipped_toys_have_the_merges_of_this_text(tokenizer: Tokenizer) -> None:
    """The table in every file is, byte for byte, what is learnt from the text: text and toys belong together."""
    table = _as_stored("tokenizer.ggml.merges", [f"{one} {other}" for one, other in tokenizer.merges])

    assert {} == {path.name: "other merges" for path in _toys() if table not in path.read_bytes()}


def test_the_shipped_toys_have_the_tokens_of_this_text(tokenizer: Tokenizer) -> None:
    """So has the table of tokens."""
    table = _as_stored("tokenizer.ggml.tokens", tokenizer.tokens)

    assert {} == {path.name: "other tokens" for path in _toys() if table not in path.read_bytes()}


def _toys() -> list[Path]:
    found = sorted(builtin.target().parent.glob("*.gguf"))
    assert 6 == len(found)
    return found


def _as_stored(key: str, strings: Sequence[str]) -> bytes:
    """A list of strings under a key, as it lies in a GGUF file."""
    count = struct.pack("<IIQ", ARRAY_KIND, STRING_KIND, len(strings))
    return _string(key) + count + b"".join(map(_string, strings))


def _string(text: str) -> bytes:
    raw = text.encode()
    return struct.pack("<Q", len(raw)) + raw


def _plainly_learnt(words: Sequence[str], count: int) -> list[Pair]:
    pieces = [list(word) for line in words for word in line.replace(" ", "\nĠ").split("\n") if not word.isdigit()]
    merges: list[Pair] = []
    for _ in range(count):
        pairs = Counter(pair for parts in pieces for pair in pairwise(parts))
        merges.append(max(pairs, key=lambda pair: (pairs[pair], pair)))
        pieces = [merged(parts, merges[-1]) for parts in pieces]
    return merges
