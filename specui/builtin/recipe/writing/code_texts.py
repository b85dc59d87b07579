"""Programming tasks about texts and files."""

from __future__ import annotations

from specui.builtin.recipe.writing.code_task import CodeTask

TEXT_TASKS = (
    CodeTask(
        ask="a Python function that checks whether a text is a palindrome",
        short="check for a palindrome",
        names="is_palindrome palindrome reads_both_ways",
        answer='''The function compares the letters with their reverse:

```python
def NAME(text: str) -> bool:
    """Return True if the text reads the same in both directions."""
    letters = [char.lower() for char in text if char.isalnum()]
    return letters == letters[::-1]
```

Spaces, punctuation and upper case do not matter.''',
        next_question="tests",
        next_answer="""Here is a short test:

```python
def test_palindromes() -> None:
    assert NAME("Level")
    assert NAME("Never odd or even")
    assert not NAME("Python")
```

It covers a word, a sentence with spaces and a text that is no palindrome.""",
    ),
    CodeTask(
        ask="a Python function that counts the words in a text",
        short="count the words in a text",
        names="count_words word_count words_in",
        answer='''The function splits the text and counts each word:

```python
from collections import Counter


def NAME(text: str) -> Counter[str]:
    """Return how often each word occurs in the text."""
    return Counter(text.lower().split())
```

A Counter is a dictionary, and its method most_common gives the most frequent words.''',
        next_question="example",
        next_answer="""Call it like this:

```python
counts = NAME("the cat and the dog")
print(counts["the"])
```

It prints 2, because the word "the" occurs twice.""",
    ),
    CodeTask(
        ask="a Python function that reverses a string",
        short="reverse a string",
        names="reverse_text reverse backwards",
        answer='''A slice with the step -1 is enough:

```python
def NAME(text: str) -> str:
    """Return the text from back to front."""
    return text[::-1]
```

The slice makes a new string, so the original stays as it is.''',
        next_question="loop",
        next_answer='''Here is the same function with a loop:

```python
def NAME(text: str) -> str:
    """Return the text from back to front."""
    result = ""
    for char in text:
        result = char + result
    return result
```

Every character is put in front of those before it, so the order turns around.''',
    ),
    CodeTask(
        ask="a Python function that counts the vowels in a text",
        short="count vowels",
        names="count_vowels vowels vowel_count",
        answer='''The function adds one for every vowel:

```python
def NAME(text: str) -> int:
    """Return the number of vowels in the text."""
    return sum(char in "aeiou" for char in text.lower())
```

True counts as 1 in a sum, so no further condition is needed.''',
        next_question="complexity",
        next_answer="It takes O(n) time, because every character is looked at once. "
        "The text in lower case needs O(n) memory.",
    ),
    CodeTask(
        ask="a Python function that checks whether two words are anagrams",
        short="check for anagrams",
        names="are_anagrams anagrams same_letters",
        answer='''Two words are anagrams if their sorted letters are equal:

```python
def NAME(first: str, second: str) -> bool:
    """Return True if both words have the same letters."""
    return sorted(first.lower()) == sorted(second.lower())
```

For example, "listen" and "silent" have the same letters in another order.''',
        next_question="complexity",
        next_answer="It takes O(n log n) time, because both words are sorted. "
        "The sorted lists of letters need O(n) memory.",
    ),
    CodeTask(
        ask="a Python function for the Caesar cipher",
        short="write a Caesar cipher",
        names="caesar encrypt shift_letters",
        answer='''The function moves every letter along the alphabet:

```python
def NAME(text: str, shift: int) -> str:
    """Shift the letters A to Z and a to z; keep everything else."""
    result = ""
    for char in text:
        if char.isascii() and char.isalpha():
            base = ord("A") if char.isupper() else ord("a")
            char = chr((ord(char) - base + shift) % 26 + base)
        result += char
    return result
```

To read the text again, call it with the negative shift.''',
        next_question="example",
        next_answer="""Call it like this:

```python
secret = NAME("Hello", 3)
print(secret)
print(NAME(secret, -3))
```

It prints "Khoor" and then "Hello" again.""",
    ),
    CodeTask(
        ask="a Python function that sums a column of a CSV file",
        short="sum a column of a CSV file",
        names="sum_column column_total total",
        answer='''The function reads the file with the csv module:

```python
import csv


def NAME(path: str, column: str) -> float:
    """Return the sum of a column, which is named in the first line."""
    with open(path, newline="") as file:
        return sum(float(row[column]) for row in csv.DictReader(file))
```

A missing column raises KeyError, and a cell that is no number raises ValueError.''',
        next_question="example",
        next_answer="""Call it like this:

```python
print(NAME("sales.csv", "price"))
```

The file needs a first line with the names of the columns, and one of them must be "price".""",
    ),
    CodeTask(
        ask="a Python function that makes a random password",
        short="make a random password",
        names="make_password password new_password",
        answer='''The function draws every character with the secrets module:

```python
import secrets
import string


def NAME(length: int = 16) -> str:
    """Return a random password of letters and digits."""
    alphabet = string.ascii_letters + string.digits
    return "".join(secrets.choice(alphabet) for _ in range(length))
```

The module random would not be safe here, because its draws can be predicted.''',
    ),
)
