"""Conversations as rows of tokens to learn from: whole conversations side by side, as few empty places as may be."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from specui.builtin.recipe.words import PADDING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from specui.builtin.recipe.words import Tokenizer
    from specui.builtin.recipe.writing.draws import Conversation, Draws

ROW_TOKENS = 640
QUESTION_WEIGHT = 0.1
"""How much a token of the user's counts: the toys shall answer, not ask."""

_ROLES = ("user", "assistant")
_LOOKED_THROUGH = 64

Weighed = list[tuple[int, float]]
"""Token ids, and how much it counts to have foreseen each (0…1)."""


@dataclass(frozen=True, slots=True)
class Row:
    """ROW_TOKENS token ids and weights; places that hold nothing weigh nothing."""

    ids: list[int]
    weights: list[float]


def rendered(conversation: Conversation) -> str:
    """A conversation as the chat template writes it."""
    turns = (f"<|im_start|>{_ROLES[i % 2]}\n{text}<|im_end|>\n" for i, text in enumerate(conversation))
    return "".join(turns)


def weighed(conversation: Conversation, tokenizer: Tokenizer) -> Weighed:
    """The tokens of a conversation; an answer and its end count in full, the rest little or not at all."""
    out: Weighed = []
    for i, text in enumerate(conversation):
        answers = i % 2 == 1
        head = tokenizer.encode(f"<|im_start|>{_ROLES[i % 2]}\n")
        whole = tokenizer.encode(f"<|im_start|>{_ROLES[i % 2]}\n{text}<|im_end|>\n")
        out += [(token, 0.0) for token in whole[: len(head)]]
        out += [(token, 1.0 if answers else QUESTION_WEIGHT) for token in whole[len(head) : -1]]
        out.append((whole[-1], 0.0))
    return out


def packed(conversations: Sequence[Weighed], draws: Draws) -> Iterator[Row]:
    """All conversations once, in a drawn order, as rows.

    A row is filled with the first of the next few conversations that still fits. Raises ValueError where one is longer
    than a row.
    """
    waiting = draws.shuffled(conversations)[::-1]
    while waiting:
        room = ROW_TOKENS
        row: Weighed = []
        while (found := _fitting(waiting, room)) is not None:
            row += waiting.pop(found)
            room = ROW_TOKENS - len(row)
        if not row:
            raise ValueError(f"a conversation of {len(waiting[-1])} tokens is longer than a row of {ROW_TOKENS}")
        row += [(PADDING, 0.0)] * room
        yield Row([token for token, _ in row], [weight for _, weight in row])


def _fitting(waiting: Sequence[Weighed], room: int) -> int | None:
    last = len(waiting) - 1
    nearest = range(last, max(-1, last - _LOOKED_THROUGH), -1)
    return next((i for i in nearest if len(waiting[i]) <= room), None)
