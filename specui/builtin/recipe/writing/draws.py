"""Chance for the text: draws that come out alike in every version of Python."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Sequence

Item = TypeVar("Item")

Conversation = tuple[str, ...]
"""What is said in turn: the user first, then the assistant, and so on; the assistant speaks last."""


class Draws:
    """A seeded source of choices.

    Only `Random.random` is used: its sequence is promised to stay, that of `choice` and `shuffle` is not.
    """

    def __init__(self, seed: int) -> None:
        self._random = Random(seed)

    def below(self, limit: int) -> int:
        """A whole number from 0 up to, not including, `limit`."""
        return int(self._random.random() * limit)

    def between(self, least: int, most: int) -> int:
        """A whole number from `least` to `most`, both included."""
        return least + self.below(most - least + 1)

    def often(self, share: float) -> bool:
        """True in about `share` (0…1) of all calls."""
        return self._random.random() < share

    def pick(self, items: Sequence[Item]) -> Item:
        """One of the items, all alike likely."""
        return items[self.below(len(items))]

    def some(self, items: Sequence[Item], count: int) -> list[Item]:
        """`count` different items in a drawn order. Raises IndexError where there are fewer."""
        left = list(items)
        return [left.pop(self.below(len(left))) for _ in range(count)]

    def shuffled(self, items: Sequence[Item]) -> list[Item]:
        """All items in a drawn order."""
        return self.some(items, len(items))
