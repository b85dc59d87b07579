"""The whole text of the toys: what each category's module writes, in one list."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

from specui.builtin.recipe.writing import arithmetic, chat, code, edit, extract, prose, structure, translate
from specui.builtin.recipe.writing.draws import Draws

if TYPE_CHECKING:
    from collections.abc import Sequence

    from specui.builtin.recipe.writing.draws import Conversation

SEED = 20261201

_CATEGORIES = {
    "structure": structure,
    "edit": edit,
    "code": code,
    "math": arithmetic,
    "extract": extract,
    "translate": translate,
    "chat": chat,
    "prose": prose,
}


def conversations(seed: int = SEED) -> dict[str, list[Conversation]]:
    """All conversations by category, the same for the same seed."""
    written = {}
    for i, (name, module) in enumerate(_CATEGORIES.items()):
        written[name] = list(module.conversations(Draws(seed + i)))
    return written


def digest(texts: Sequence[str]) -> str:
    """The SHA-256 of the texts, which tells whether two machines learn from the same."""
    sha = hashlib.sha256()
    for text in texts:
        sha.update(text.encode())
    return sha.hexdigest()
