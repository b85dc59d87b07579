"""A growing sequence of which every earlier state stays as it was, at the cost of one append."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Generic, TypeVar, overload

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

T = TypeVar("T")


@dataclass(frozen=True, eq=False)
class Series(Generic[T]):
    """The first `length` items of a shared list.

    Appending to the newest state extends the shared list; appending to an older one copies it first,
    so no state ever changes.
    """

    _items: list[T] = field(default_factory=list)
    _length: int = 0

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
        items = self._items
        return (items[i] for i in range(self._length))

    @overload
    def __getitem__(self, index: int) -> T: ...
    @overload
    def __getitem__(self, index: slice) -> list[T]: ...
    def __getitem__(self, index: int | slice) -> T | list[T]:
        if isinstance(index, slice):
            return [self._items[i] for i in range(*index.indices(self._length))]
        position = index + self._length if index < 0 else index
        if not 0 <= position < self._length:
            raise IndexError(f"{index} lies outside a series of {self._length}")
        return self._items[position]
