"""The category `edit`: a configuration, a text or some code comes back with one change and nothing else."""

from __future__ import annotations

from typing import TYPE_CHECKING

from specui.builtin.recipe.writing import edit_code, edit_configurations, edit_texts

if TYPE_CHECKING:
    from collections.abc import Iterator

    from specui.builtin.recipe.writing.draws import Conversation, Draws


def conversations(draws: Draws) -> Iterator[Conversation]:
    """All conversations of the category, those of the three core prompts among them."""
    yield from edit_configurations.conversations(draws)
    yield from edit_texts.conversations(draws)
    yield from edit_code.conversations(draws)
