"""A growing sequence of which every earlier state stays as it was, at the cost of one append."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Generic, TypeVar, overload

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

T = TypeVar("T")


class Series(Generic[T]):
    """The first `length` items of a shared list.

    Appending to the newest state extends the shared list; appending to an older one copies it first,
    so no state ever changes.
    """

    __slots__ = ("_items", "_length")

    def __init__(self, items: list[T] | None = None, length: int = 0) -> None:
        self._items: list[T] = [] if items is None else items
        self._length = length

    def extended(self, more: Iterable[T]) -> Series[T]:
        """This series with `more` behind it; this one stays as it is."""
        is_newest = self._length and len(self._items) == self._length  # an empty one may be many states' default
        items = self._items if is_newest else self._items[: self._length]
        items.extend(more)
        return Series(items, len(items))

    def appended(self, item: T) -> Series[T]:
        """This series with one more item; this one stays as it is."""
        return self.extended((item,))

    def __len__(self) -> int:
        return self._length

    def __iter__(self) -> Iterator[T]:
        return islice(self._items, self._length)

    @overload
    def __getitem__(self, index: int) -> T: ...
    @overload
    def __getitem__(self, index: slice) -> list[T]: ...
    def __getitem__(self, index: int | slice) -> T | list[T]:
        if isinstance(index, slice):
            start, stop, step = index.indices(self._length)
            return self._items[start:stop:step] if step > 0 else [self._items[i] for i in range(start, stop, step)]
        position = index + self._length if index < 0 else index
        if not 0 <= position < self._length:
            raise IndexError(f"{index} lies outside a series of {self._length}")
        return self._items[position]
