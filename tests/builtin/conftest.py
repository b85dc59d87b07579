"""The toys' text and what is learnt from it without torch: made once for all tests."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from specui.builtin.recipe import text
from specui.builtin.recipe.rows import weighed
from specui.builtin.recipe.words import Tokenizer, learnt_merges

if TYPE_CHECKING:
    from specui.builtin.recipe.rows import Weighed
    from specui.builtin.recipe.writing.draws import Conversation


@pytest.fixture(scope="session")
def written() -> dict[str, list[Conversation]]:
    """The whole text by category. Not to be changed."""
    return text.conversations()


@pytest.fixture(scope="session")
def everything(written: dict[str, list[Conversation]]) -> list[Conversation]:
    """All conversations, category after category. Not to be changed."""
    return [conversation for category in written.values() for conversation in category]


@pytest.fixture(scope="session")
def tokenizer(everything: list[Conversation]) -> Tokenizer:
    """The tokenizer that the whole text gives."""
    return Tokenizer(learnt_merges(text for turns in everything for text in turns))


@pytest.fixture(scope="session")
def all_weighed(everything: list[Conversation], tokenizer: Tokenizer) -> list[Weighed]:
    """The tokens of all conversations, in the same order. Not to be changed."""
    return [weighed(conversation, tokenizer) for conversation in everything]
