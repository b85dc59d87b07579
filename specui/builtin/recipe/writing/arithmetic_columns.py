"""Written arithmetic, digit by digit, and the multiplication table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from specui.builtin.recipe.writing.arithmetic_steps import numbered, times

if TYPE_CHECKING:
    from specui.builtin.recipe.writing.draws import Conversation, Draws

PLACES = ("Ones", "Tens", "Hundreds")


def column_sum(draws: Draws) -> Conversation:
    """Two numbers of two or three digits, added with carries."""
    least, most = (10, 99) if draws.often(0.7) else (100, 899)
    one, other = draws.between(least, most), draws.between(least, most)
    words = draws.pick(
        (
            f"Add {one} and {other}. Show each step.",
            f"What is {one} + {other}? Show each step.",
            f"{one} + {other} = ?",
            f"Please add {one} and {other} by hand.",
            f"Calculate {one} plus {other} step by step.",
        )
    )
    return words, numbered(sum_steps(one, other), f"{one} + {other} = {one + other}")


def sum_steps(one: int, other: int) -> list[str]:
    """A step for each digit, with what is carried."""
    steps, carry = [], 0
    for place, (a, b) in zip(PLACES, digits(one, other), strict=False):
        carried = f" + {carry}" if carry else ""
        total = a + b + carry
        carry = total // 10
        end = f"Write {total % 10}, carry 1." if carry else f"Write {total}."
        steps.append(f"{place}: {a} + {b}{carried} = {total}. {end}")
    return [*steps, "Write the carried 1 in front."] if carry else steps


def column_difference(draws: Draws) -> Conversation:
    """The smaller number taken from the larger, with borrowing."""
    least, most = (10, 99) if draws.often(0.7) else (100, 999)
    other, one = sorted((draws.between(least, most), draws.between(least, most)))
    words = draws.pick(
        (
            f"Subtract {other} from {one}. Show each step.",
            f"What is {one} - {other}? Show each step.",
            f"{one} - {other} = ?",
            f"Please take {other} away from {one}, step by step.",
            f"Calculate {one} minus {other} by hand.",
        )
    )
    return words, numbered(difference_steps(one, other), f"{one} - {other} = {one - other}")


def difference_steps(one: int, other: int) -> list[str]:
    """A step for each digit, with what is borrowed."""
    steps, borrowed = [], 0
    for place, (a, b) in zip(PLACES, digits(one, other), strict=False):
        start = f"{a} - 1 = {a - 1}. " if borrowed else ""
        top = a - borrowed
        borrowed = int(top < b)
        ten = f"{top} is less than {b}, so borrow 10: " if borrowed else ""
        steps.append(f"{place}: {start}{ten}{top + 10 * borrowed} - {b} = {top + 10 * borrowed - b}.")
    return steps


def digits(one: int, other: int) -> list[tuple[int, int]]:
    """The digits of two numbers of the same length in pairs, the ones first."""
    return [(int(a), int(b)) for a, b in zip(reversed(str(one)), reversed(str(other)), strict=True)]


def long_product(draws: Draws) -> Conversation:
    """A number of two digits times one of one digit."""
    tens, ones, factor = draws.between(1, 9) * 10, draws.between(1, 9), draws.between(2, 9)
    number, product = tens + ones, (tens + ones) * factor
    words = draws.pick(
        (
            f"What is {number} x {factor}? Show each step.",
            f"Multiply {number} by {factor}.",
            f"{number} x {factor} = ?",
            f"Calculate {number} times {factor} step by step.",
            f"How much is {number} times {factor}? Please explain.",
        )
    )
    steps = [
        f"Split {number} into {tens} + {ones}.",
        f"Tens: {tens} x {factor} = {tens * factor}.",
        f"Ones: {times(ones, factor)}.",
        f"Together: {tens * factor} + {ones * factor} = {product}.",
    ]
    return words, numbered(steps, f"{number} x {factor} = {product}")


def table(draws: Draws) -> Conversation:
    """A row of the multiplication table."""
    factor = draws.between(2, 12)
    words = draws.pick(
        (
            f"Write the {factor} times table.",
            f"Show me the {factor} times table.",
            f"What is the times table of {factor}?",
            f"Please list the multiples of {factor} up to 12 x {factor}.",
        )
    )
    rows = "\n".join(times(number, factor) for number in range(1, 13))
    return words, f"Here is the {factor} times table:\n\n{rows}"


def quiz(draws: Draws) -> Conversation:
    """A few products at once."""
    pairs = draws.some([(a, b) for a in range(2, 13) for b in range(2, 13)], draws.between(4, 8))
    asked = ", ".join(f"{one} x {other}" for one, other in pairs)
    opening = draws.pick(("Work these out:", "Please solve:", "What is the result of", "Calculate:"))
    rows = "\n".join(f"- {times(one, other)}" for one, other in pairs)
    return f"{opening} {asked}{'?' if opening.endswith('of') else ''}", f"Here are the results:\n\n{rows}"
