"""Programming tasks about lists."""

from __future__ import annotations

from specui.builtin.recipe.writing.code_task import CodeTask

LIST_TASKS = (
    CodeTask(
        ask="a Python function for binary search",
        short="write a binary search",
        names="binary_search find_index search",
        answer='''The function halves the range until the item is found:

```python
def NAME(items: list[int], wanted: int) -> int | None:
    """Return the index of wanted in a sorted list, or None."""
    low, high = 0, len(items) - 1
    while low <= high:
        middle = (low + high) // 2
        if items[middle] == wanted:
            return middle
        if items[middle] < wanted:
            low = middle + 1
        else:
            high = middle - 1
    return None
```

The list must be sorted, otherwise the wrong half may be thrown away.''',
        next_question="complexity",
        next_answer="It takes O(log n) time, because every step halves the range. "
        "The memory is O(1): there are only three indexes.",
    ),
    CodeTask(
        ask="a Python function that flattens a nested list",
        short="flatten a nested list",
        names="flatten flat_list unnest",
        answer='''The function calls itself for every list inside the list:

```python
def NAME(items: list) -> list:
    """Return all items of a nested list in one flat list."""
    flat: list = []
    for item in items:
        if isinstance(item, list):
            flat.extend(NAME(item))
        else:
            flat.append(item)
    return flat
```

The order of the items stays the same, however deep they are.''',
        next_question="loop",
        next_answer='''Here is the same function with a loop and a stack:

```python
def NAME(items: list) -> list:
    """Return all items of a nested list in one flat list."""
    flat: list = []
    stack = items[::-1]
    while stack:
        item = stack.pop()
        if isinstance(item, list):
            stack.extend(item[::-1])
        else:
            flat.append(item)
    return flat
```

The lists go onto the stack in reverse, so the first item comes off first.''',
    ),
    CodeTask(
        ask="a Python function that removes duplicates from a list and keeps the order",
        short="remove duplicates from a list",
        names="unique without_duplicates distinct",
        answer='''A dictionary keeps its keys in order and has each only once:

```python
def NAME(items: list[str]) -> list[str]:
    """Return the items without duplicates, in their first order."""
    return list(dict.fromkeys(items))
```

The first of equal items stays, and all later ones are dropped.''',
        next_question="complexity",
        next_answer="It takes O(n) time, because a look into the dictionary takes the same time for every item. "
        "The dictionary needs O(n) memory.",
    ),
    CodeTask(
        ask="a Python function that splits a list into chunks",
        short="split a list into chunks",
        names="chunks split_list in_chunks",
        answer='''The function cuts the list into slices of equal length:

```python
def NAME(items: list[int], size: int) -> list[list[int]]:
    """Return the items in chunks of the given size."""
    return [items[i : i + size] for i in range(0, len(items), size)]
```

The last chunk may be shorter than the others.''',
        next_question="example",
        next_answer="""Call it like this:

```python
print(NAME([1, 2, 3, 4, 5], 2))
```

It prints [[1, 2], [3, 4], [5]], so the last chunk has only one item.""",
    ),
    CodeTask(
        ask="a Python function for bubble sort",
        short="write bubble sort",
        names="bubble_sort sort_numbers sorted_copy",
        answer='''The function swaps neighbours until all are in order:

```python
def NAME(numbers: list[int]) -> list[int]:
    """Return the numbers in ascending order."""
    items = list(numbers)
    for end in range(len(items) - 1, 0, -1):
        for i in range(end):
            if items[i] > items[i + 1]:
                items[i], items[i + 1] = items[i + 1], items[i]
    return items
```

After every pass the largest of the remaining numbers stands at the end.''',
        next_question="complexity",
        next_answer="It takes O(n^2) time, because there are two loops, one inside the other. "
        "The copy of the list needs O(n) memory. For real work, use sorted() instead.",
    ),
    CodeTask(
        ask="a Python function that transposes a matrix",
        short="transpose a matrix",
        names="transpose flip_matrix swap_axes",
        answer='''The function zip takes one number from every row at a time:

```python
def NAME(matrix: list[list[int]]) -> list[list[int]]:
    """Return the matrix with rows and columns swapped."""
    return [list(column) for column in zip(*matrix)]
```

The star hands over every row as an argument of its own.''',
        next_question="example",
        next_answer="""Call it like this:

```python
print(NAME([[1, 2], [3, 4], [5, 6]]))
```

It prints [[1, 3, 5], [2, 4, 6]]: three rows of two became two rows of three.""",
    ),
)
