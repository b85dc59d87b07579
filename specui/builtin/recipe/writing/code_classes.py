"""Programming tasks about classes."""

from __future__ import annotations

from specui.builtin.recipe.writing.code_task import CodeTask

CLASS_TASKS = (
    CodeTask(
        ask="a Python class for a stack",
        short="write a stack",
        names="Stack Pile ItemStack",
        answer='''The class keeps its items in a list, and the top is the end:

```python
class NAME:
    """A stack: the last item in is the first item out."""

    def __init__(self) -> None:
        self._items: list[int] = []

    def push(self, item: int) -> None:
        self._items.append(item)

    def pop(self) -> int:
        return self._items.pop()

    def __len__(self) -> int:
        return len(self._items)
```

On an empty stack, pop raises IndexError.''',
        next_question="tests",
        next_answer="""Here is a short test:

```python
def test_last_in_first_out() -> None:
    stack = NAME()
    stack.push(1)
    stack.push(2)
    assert stack.pop() == 2
    assert stack.pop() == 1
    assert len(stack) == 0
```

It checks that the last item comes out first.""",
    ),
    CodeTask(
        ask="a Python class for a queue",
        short="write a queue",
        names="Queue Line ItemQueue",
        answer='''The class uses a deque, which is fast at both ends:

```python
from collections import deque


class NAME:
    """A queue: the first item in is the first item out."""

    def __init__(self) -> None:
        self._items: deque[int] = deque()

    def put(self, item: int) -> None:
        self._items.append(item)

    def get(self) -> int:
        return self._items.popleft()

    def __len__(self) -> int:
        return len(self._items)
```

On an empty queue, get raises IndexError.''',
        next_question="tests",
        next_answer="""Here is a short test:

```python
def test_first_in_first_out() -> None:
    queue = NAME()
    queue.put(1)
    queue.put(2)
    assert queue.get() == 1
    assert queue.get() == 2
    assert len(queue) == 0
```

It checks that the first item comes out first.""",
    ),
    CodeTask(
        ask="a Python class for a point with a distance method",
        short="compute the distance of two points",
        names="Point Position Spot",
        answer='''A dataclass saves the work of writing __init__:

```python
from __future__ import annotations

import math
from dataclasses import dataclass


@dataclass(frozen=True)
class NAME:
    """A point in the plane."""

    x: float
    y: float

    def distance(self, other: NAME) -> float:
        """Return the distance to another point."""
        return math.hypot(self.x - other.x, self.y - other.y)
```

It is frozen, so a point never changes and may be a key in a dictionary.''',
        next_question="example",
        next_answer="""Call it like this:

```python
print(NAME(0, 0).distance(NAME(3, 4)))
```

It prints 5.0, because 3, 4 and 5 are the sides of a right triangle.""",
    ),
    CodeTask(
        ask="a Python class for a bank account",
        short="write a bank account class",
        names="Account BankAccount Wallet",
        answer='''The class keeps the balance in cents, so nothing is lost by rounding:

```python
class NAME:
    """An account that never goes below zero."""

    def __init__(self) -> None:
        self.balance = 0

    def deposit(self, cents: int) -> None:
        self.balance += cents

    def withdraw(self, cents: int) -> None:
        if cents > self.balance:
            raise ValueError("not enough money")
        self.balance -= cents
```

A withdrawal that is too large raises ValueError and changes nothing.''',
        next_question="tests",
        next_answer="""Here is a short test:

```python
def test_deposit_and_withdraw() -> None:
    account = NAME()
    account.deposit(500)
    account.withdraw(200)
    assert account.balance == 300
```

It puts 500 cents in, takes 200 out and finds 300 left.""",
    ),
)
