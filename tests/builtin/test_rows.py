"""Conversations in rows: each once and whole, and every token counted as it should be."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from specui.builtin.recipe.rows import QUESTION_WEIGHT, ROW_TOKENS, packed, rendered, weighed
from specui.builtin.recipe.words import PADDING
from specui.builtin.recipe.writing.draws import Draws

if TYPE_CHECKING:
    from specui.builtin.recipe.rows import Row, Weighed
    from specui.builtin.recipe.words import Tokenizer
    from specui.builtin.recipe.writing.draws import Conversation

TALK = ("Who are you?", "I am a toy.", "Really?", "Yes, 100%.")


@pytest.fixture(scope="module")
def rows(all_weighed: list[Weighed]) -> list[Row]:
    """The whole text as rows. Not to be changed."""
    return list(packed(all_weighed, Draws(1)))


def test_a_conversation_is_written_as_the_chat_template_does() -> None:
    """Turn after turn, each with who speaks."""
    expected = "<|im_start|>user\nWho are you?<|im_end|>\n<|im_start|>assistant\nI am a toy.<|im_end|>\n"

    assert expected == rendered(TALK[:2])


def test_answers_count_in_full_and_questions_little(tokenizer: Tokenizer) -> None:
    """With the token that ends each; who speaks and the line ends between turns are given, so they count nothing."""
    said = [(weight, tokenizer.decode([token])) for token, weight in weighed(TALK, tokenizer)]

    assert [
        (0.0, "<|im_start|>user\n"),
        (QUESTION_WEIGHT, "Who are you?<|im_end|>"),
        (0.0, "\n<|im_start|>assistant\n"),
        (1.0, "I am a toy.<|im_end|>"),
        (0.0, "\n<|im_start|>user\n"),
        (QUESTION_WEIGHT, "Really?<|im_end|>"),
        (0.0, "\n<|im_start|>assistant\n"),
        (1.0, "Yes, 100%.<|im_end|>"),
        (0.0, "\n"),
    ] == [(weight, "".join(text for _, text in run)) for weight, run in groupby(said, key=lambda pair: pair[0])]


def test_the_tokens_of_a_conversation_are_those_of_its_text(
    everything: list[Conversation], all_weighed: list[Weighed], tokenizer: Tokenizer
) -> None:
    """Weighing turn by turn cuts no token that the whole text would have."""
    some = range(0, len(everything), 20)

    assert [tokenizer.encode(rendered(everything[i])) for i in some] == [
        [token for token, _ in all_weighed[i]] for i in some
    ]


@settings(max_examples=100, deadline=None)
@given(st.lists(st.integers(1, ROW_TOKENS), max_size=90), st.integers(0, 2**32))
def test_every_conversation_is_in_one_row_once(lengths: list[int], seed: int) -> None:
    """Whole and in one piece, in rows of one length that end in empty places, which count nothing."""
    made: list[Weighed] = [[(i, (i - PADDING) / 100)] * length for i, length in enumerate(lengths, PADDING + 1)]

    rows = list(packed(made, Draws(seed)))

    found: dict[int, int] = {}
    for row in rows:
        assert (ROW_TOKENS, ROW_TOKENS) == (len(row.ids), len(row.weights))
        assert row.weights == [0.0 if token == PADDING else (token - PADDING) / 100 for token in row.ids]
        runs = [(token, len(list(run))) for token, run in groupby(row.ids)]
        assert PADDING not in [token for token, _ in runs[:-1]]
        for token, length in runs:
            if token != PADDING:
                assert token not in found
                found[token] = length
    assert dict(enumerate(lengths, PADDING + 1)) == found


def test_the_conversations_given_are_left_alone() -> None:
    """They are packed again in the next pass."""
    made: list[Weighed] = [[(i, 1.0)] * 100 for i in range(1, 20)]

    first, second = (list(packed(made, Draws(1))) for _ in range(2))

    assert first == second
    assert [[(i, 1.0)] * 100 for i in range(1, 20)] == made
    assert first != list(packed(made, Draws(2)))


@pytest.mark.parametrize("others", [0, 200])
def test_a_conversation_longer_than_a_row_is_refused(others: int) -> None:
    """However many others there are that fit, and with the lengths in the message."""
    made: list[Weighed] = [*([[(1, 1.0)] * 300] * others), [(1, 1.0)] * (ROW_TOKENS + 1)]

    with pytest.raises(ValueError, match=f"{ROW_TOKENS + 1} tokens is longer than a row of {ROW_TOKENS}"):
        list(packed(made, Draws(1)))


def test_rows_are_well_filled(rows: list[Row], all_weighed: list[Weighed]) -> None:
    """At least nine of ten places hold the text: an empty one costs as much as a full one."""
    assert sum(map(len, all_weighed)) / (len(rows) * ROW_TOKENS) >= 0.9


def test_rows_hold_the_whole_text(rows: list[Row], all_weighed: list[Weighed]) -> None:
    """As many tokens of each weight as the conversations have."""
    kept = [weight for row in rows for token, weight in zip(row.ids, row.weights, strict=True) if token != PADDING]

    assert sorted(kept) == sorted(weight for conversation in all_weighed for _, weight in conversation)
    assert {0.0, QUESTION_WEIGHT, 1.0} == set(kept)
