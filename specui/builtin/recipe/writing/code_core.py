"""The code prompts that are measured, word for word, with the answers the toy gives to them."""

from __future__ import annotations

from specui.builtin.recipe.writing.code_task import CodeTask

RING_BUFFER_TURNS = (
    "Write a Python class RingBuffer with push, pop, peek and __len__, fixed capacity, overwriting the oldest item. "
    "Include type hints.",
    "Add unit tests covering wrap-around and the empty case.",
)
INTERVALS_TURNS = (
    "Write a Python function that merges overlapping closed intervals, and explain its complexity in two sentences.",
)
BRACKETS_TURNS = (
    "Write a Python function is_balanced(text) that checks whether the brackets (), [] and {} in a text are balanced. "
    "Add type hints, a docstring and one example.",
)

RING_BUFFER = CodeTask(
    ask="a Python class for a ring buffer of fixed capacity",
    short="write a ring buffer",
    names="RingBuffer CircularBuffer Ring FixedBuffer",
    answer='''The class keeps its items in a deque, which drops the oldest one when it is full:

```python
from collections import deque
from typing import Generic, TypeVar

T = TypeVar("T")


class NAME(Generic[T]):
    """A queue of fixed capacity that overwrites its oldest item."""

    def __init__(self, capacity: int) -> None:
        self._items: deque[T] = deque(maxlen=capacity)

    def push(self, item: T) -> None:
        self._items.append(item)

    def pop(self) -> T:
        return self._items.popleft()

    def peek(self) -> T:
        return self._items[0]

    def __len__(self) -> int:
        return len(self._items)
```

On an empty buffer, pop and peek raise IndexError.''',
    next_question="tests",
    next_answer="""Here are two tests:

```python
import pytest


def test_wrap_around() -> None:
    ring: NAME[int] = NAME(2)
    for item in (1, 2, 3):
        ring.push(item)
    assert len(ring) == 2
    assert ring.peek() == 2
    assert [ring.pop(), ring.pop()] == [2, 3]


def test_empty() -> None:
    ring: NAME[int] = NAME(2)
    assert len(ring) == 0
    with pytest.raises(IndexError):
        ring.pop()
```""",
)

INTERVALS = CodeTask(
    ask="a Python function that merges overlapping intervals",
    short="merge overlapping intervals",
    names="merge_intervals merged join_ranges merge",
    answer='''The function sorts the intervals and joins each one with the last if they touch:

```python
def NAME(intervals: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Merge closed intervals that overlap or touch."""
    merged: list[tuple[int, int]] = []
    for start, end in sorted(intervals):
        if merged and start <= merged[-1][1]:
            last_start, last_end = merged[-1]
            merged[-1] = (last_start, max(last_end, end))
        else:
            merged.append((start, end))
    return merged
```

Sorting takes O(n log n) time, and the loop after it visits every interval only once. The result needs O(n) memory, \
because in the worst case nothing is merged.''',
)

BRACKETS = CodeTask(
    ask="a Python function that checks whether the brackets in a text are balanced",
    short="check for balanced brackets",
    names="is_balanced balanced brackets_match check_brackets",
    answer='''The function remembers every open bracket on a stack and compares it with the one that closes it:

```python
def NAME(text: str) -> bool:
    """Return True if every bracket is closed in the right order."""
    pairs = {")": "(", "]": "[", "}": "{"}
    stack: list[str] = []
    for char in text:
        if char in "([{":
            stack.append(char)
        elif char in pairs:
            if not stack or stack.pop() != pairs[char]:
                return False
    return not stack


print(NAME("a[(b)]"))  # True
```

At the end the stack must be empty; otherwise some bracket was never closed.''',
    next_question="complexity",
    next_answer="It takes O(n) time, because every character is looked at once. "
    "The stack needs O(n) memory in the worst case, when the text has nothing but open brackets.",
)
