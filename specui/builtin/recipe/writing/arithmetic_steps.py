"""Steps of a sum written out, so that every operand stands right before its result."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from specui.builtin.recipe.writing.draws import Draws

WISHES = (
    "Show each step.",
    "Show each step.",
    "Work in numbered steps.",
    "Show your work.",
    "Step by step, please.",
    "Please explain.",
    "",
)
"""What may follow a question."""

NAMES = [
    "Mia",
    "Tom",
    "Lena",
    "Omar",
    "Nina",
    "Paul",
    "Sara",
    "Ben",
    "Ida",
    "Max",
    "Lucy",
    "Leo",
    "Emma",
    "Karl",
    "Rosa",
    "Finn",
    "Anna",
    "Jack",
    "Zoe",
    "Alex",
]


def plus(one: int, other: int) -> str:
    """A sum, where needed by way of the tens: '35 + 27 = 35 + 20 + 7 = 55 + 7 = 62'."""
    tens, ones = other - other % 10, other % 10
    if tens and ones:
        return f"{one} + {other} = {one} + {tens} + {ones} = {one + tens} + {ones} = {one + other}"
    return f"{one} + {other} = {one + other}"


def minus(one: int, other: int) -> str:
    """A difference, where needed by way of the tens: '96 - 62 = 96 - 60 - 2 = 36 - 2 = 34'."""
    tens, ones = other - other % 10, other % 10
    if tens and ones:
        return f"{one} - {other} = {one} - {tens} - {ones} = {one - tens} - {ones} = {one - other}"
    return f"{one} - {other} = {one - other}"


def times(one: int, other: int) -> str:
    """A product of the small table: '8 x 12 = 96'."""
    return f"{one} x {other} = {one * other}"


def numbered(steps: Sequence[str], result: str) -> str:
    """An answer: the steps with their numbers, then the result in bold."""
    lines = "\n".join(f"{number}. {step}" for number, step in enumerate(steps, 1))
    return f"{lines}\n\n**{result}**"


def asked(draws: Draws, question: str) -> str:
    """The question with a drawn wish for steps behind it."""
    return f"{question} {draws.pick(WISHES)}".strip()


def counted(count: int, thing: str) -> str:
    """'1 pen' or '4 pens'. `thing` is the plural, with an s that can go."""
    return f"{count} {thing if count != 1 else thing.removesuffix('s')}"
