"""Lists of numbers and multiplication tables, for the text about structure."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from specui.builtin.recipe.writing.structure_data import markdown_table

if TYPE_CHECKING:
    from collections.abc import Iterator

    from specui.builtin.recipe.writing.draws import Conversation, Draws

SQUARES_TURNS = ("List the integers from 1 to 40, one per line, each followed by a colon and its square.",)
TIMES_TURNS = (
    'Make a Markdown table of the multiplication of 7, from 1 to 12. Use the columns "n" and "7 x n".',
    "Now add a third column for 8.",
)


@dataclass(frozen=True, slots=True)
class _Series:
    word: str
    plural: str
    longest: int
    value: Callable[[int], int]


_SQUARES = _Series("square", "squares", 40, lambda n: n * n)
_SERIES = (
    _SQUARES,
    _SQUARES,
    _Series("double", "doubles", 40, lambda n: 2 * n),
    _Series("triple", "triples", 30, lambda n: 3 * n),
    _Series("cube", "cubes", 12, lambda n: n**3),
)
_SERIES_COPIES = 30
_SERIES_WORDINGS = (
    "List the integers from 1 to {most}, one per line, each followed by a colon and its {word}.",
    "List the numbers from 1 to {most}, each with its {word}.",
    "Write the numbers from 1 to {most} with their {plural}, one per line.",
    "Give me the {plural} of 1 to {most}.",
    "Show the {plural} from 1 to {most}, one per line.",
    "{plural} from 1 to {most}, please",
)
_COUNT_COPIES = 20
_COUNT_WORDINGS = {
    1: ("Count from 1 to {most}.", "List the numbers from 1 to {most}.", "Can you count to {most}?"),
    2: (
        "List the even numbers up to {most}.",
        "Count to {most} in steps of two.",
        "Even numbers up to {most}, please.",
    ),
    5: ("Count to {most} in steps of five.", "List the multiples of 5 up to {most}."),
    10: ("Count to {most} in steps of ten.", "List the multiples of 10 up to {most}."),
    -1: ("Count down from {most}.", "Count backwards from {most} to 1.", "Start a countdown from {most}."),
}
_TIMES_COPIES = 5
_TIMES_WORDINGS = (
    'Make a Markdown table of the multiplication of {k}, from 1 to 12. Use the columns "n" and "{k} x n".',
    "Make a Markdown table of the multiplication of {k} from 1 to 12.",
    "Show me the multiplication table of {k}.",
    "Write the times table of {k} as a Markdown table.",
    "Times table of {k}, please.",
    "What is the multiplication table of {k}?",
)
_THIRD_COLUMN = (
    "Now add a third column for {other}.",
    "Add a column for {other}.",
    "Now with one more column, for {other}.",
)
_OTHER_TABLE = ("Now the same for {other}.", "And the table of {other}?", "Now the same table for {other}.")


def number_conversations(draws: Draws) -> Iterator[Conversation]:
    """Documents of all kinds of number lists, without the measured ones."""
    for _ in range(_SERIES_COPIES):
        yield _series(draws)
    for _ in range(_COUNT_COPIES):
        yield _count(draws)
    for k in range(2, 13):
        for _ in range(_TIMES_COPIES):
            yield _times(draws, k)


def squares_answer(most: int) -> str:
    """The squares from 1 to `most`, one a line."""
    return _lines(_SQUARES, most)


def times_answer(*factors: int) -> str:
    """The Markdown table of the factors from 1 to 12, under a line that names them."""
    names = " and ".join(str(factor) for factor in factors)
    fields = ["n", *(f"{factor} x n" for factor in factors)]
    rows = [[str(n), *(str(factor * n) for factor in factors)] for n in range(1, 13)]
    return f"Here is the multiplication table of {names}:\n\n" + markdown_table(fields, rows)


def _lines(series: _Series, most: int) -> str:
    return "\n".join(f"{n}: {series.value(n)}" for n in range(1, most + 1))


def _series(draws: Draws) -> Conversation:
    series = draws.pick(_SERIES)
    most = draws.pick([most for most in (12, 15, 16, 20, 25, 30, 35, 40) if most <= series.longest])
    most = most if draws.often(0.7) else draws.between(12, series.longest)
    question = draws.pick(_SERIES_WORDINGS).format(most=most, word=series.word, plural=series.plural)
    return question[0].upper() + question[1:], _lines(series, most)


def _count(draws: Draws) -> Conversation:
    step = draws.pick((1, 1, 2, 5, 10, -1))
    most = draws.between(20, 50) if step in (1, -1) else step * draws.between(15, 24)
    numbers = range(most, 0, -1) if step == -1 else range(step, most + 1, step)
    answer = ", ".join(str(n) for n in numbers)
    return draws.pick(_COUNT_WORDINGS[step]).format(most=most), f"Here you go: {answer}."


def _times(draws: Draws, k: int) -> Conversation:
    first = (draws.pick(_TIMES_WORDINGS).format(k=k), times_answer(k))
    if draws.often(0.3):
        return first
    other = draws.pick([factor for factor in range(2, 13) if factor != k])
    if draws.often(0.6):
        return (*first, draws.pick(_THIRD_COLUMN).format(other=other), times_answer(k, other))
    return (*first, draws.pick(_OTHER_TABLE).format(other=other), times_answer(other))
