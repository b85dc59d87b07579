"""Tasks that follow a rule of school: equations, per cent, means, fractions, angles, clock times, rectangles."""

from __future__ import annotations

from math import gcd
from typing import TYPE_CHECKING

from specui.builtin.recipe.writing.arithmetic_steps import asked, minus, numbered, plus, times

if TYPE_CHECKING:
    from specui.builtin.recipe.writing.draws import Conversation, Draws

CORE_RECTANGLE = "A rectangle is 7 m long and 4 m wide. Find its area and its perimeter. Show each step."
CORE_DOUBLE = "Now double the width."
SQUARES = {"m": "square metres", "cm": "square centimetres", "km": "square kilometres"}


def equation(draws: Draws) -> Conversation:
    """ax + b = c or ax - b = c, with a whole solution."""
    factor, solution, term = draws.between(2, 9), draws.between(2, 12), draws.between(1, 20)
    product = factor * solution
    right = product + term if draws.often(0.6) or product <= term else product - term
    sign, undo, act = ("+", "-", "Subtract") if right > product else ("-", "+", "Add")
    left = f"{factor}x {sign} {term}"
    side = "from" if undo == "-" else "to"
    steps = [
        f"{act} {term} {side} both sides: {factor}x = {right} {undo} {term} = {product}.",
        f"Divide both sides by {factor}: x = {product} : {factor} = {solution}.",
        f"Check: {times(factor, solution)}, and {product} {sign} {term} = {right}.",
    ]
    words = draws.pick(
        (
            f"Solve {left} = {right} for x.",
            f"Solve the equation {left} = {right}.",
            f"What is x if {left} = {right}?",
            f"Find x: {left} = {right}.",
        )
    )
    return asked(draws, words), numbered(steps, f"x = {solution}")


def percent(draws: Draws) -> Conversation:
    """A share of a round number, by way of ten per cent."""
    tenths, base = draws.between(2, 9), draws.between(2, 12) * 10
    share = tenths * base // 10
    steps = [
        f"10% of {base} is {base} : 10 = {base // 10}.",
        f"{tenths * 10}% is {tenths} times as much: {times(tenths, base // 10)}.",
    ]
    words = draws.pick((f"What is {tenths * 10}% of {base}?", f"How much is {tenths * 10} percent of {base}?"))
    return asked(draws, words), numbered(steps, f"{tenths * 10}% of {base} is {share}.")


def discount(draws: Draws) -> Conversation:
    """A price that falls by a round share."""
    tenths, price = draws.between(1, 5), draws.between(3, 12) * 10
    thing = draws.pick(["jacket", "lamp", "chair", "bag", "watch", "table", "coat", "tent"])
    off = tenths * price // 10
    steps = [
        f"10% of {price} euros is {price} : 10 = {price // 10} euros.",
        f"{tenths * 10}% is {times(tenths, price // 10)} euros.",
        f"New price: {minus(price, off)} euros.",
    ]
    words = draws.pick(
        (
            f"A {thing} costs {price} euros. It is reduced by {tenths * 10}%. What is the new price?",
            f"A {thing} for {price} euros is sold at {tenths * 10}% off. How much is it now?",
        )
    )
    return asked(draws, words), numbered(steps, f"The {thing} now costs {price - off} euros.")


def mean(draws: Draws) -> Conversation:
    """The mean of three small numbers, which is whole."""
    middle, away = draws.between(6, 20), draws.between(1, 5)
    values = draws.shuffled([middle - away, middle, middle + away])
    one, two, three = values
    total = sum(values)
    words = draws.pick(
        (
            f"What is the mean of {one}, {two} and {three}?",
            f"Find the average of {one}, {two} and {three}.",
            f"Three tests had {one}, {two} and {three} points. What is the average?",
        )
    )
    steps = [
        f"Add the first two: {plus(one, two)}.",
        f"Add the third: {plus(one + two, three)}.",
        f"Divide by 3: {total} : 3 = {middle}.",
    ]
    return asked(draws, words), numbered(steps, f"The mean is {middle}.")


def fractions(draws: Draws) -> Conversation:
    """Two unit fractions, added."""
    one, other = draws.pick([(a, b) for a in range(2, 10) for b in range(2, 10) if gcd(a, b) == 1])
    parts = one * other
    steps = [
        f"Common denominator: {times(one, other)}.",
        f"1/{one} = {other}/{parts}.",
        f"1/{other} = {one}/{parts}.",
        f"Sum: {other}/{parts} + {one}/{parts} = {one + other}/{parts}.",
    ]
    words = draws.pick(
        (f"Add 1/{one} and 1/{other}.", f"What is 1/{one} + 1/{other}?", f"Add the fractions 1/{one} and 1/{other}.")
    )
    return asked(draws, words), numbered(steps, f"1/{one} + 1/{other} = {one + other}/{parts}")


def angle(draws: Draws) -> Conversation:
    """The third angle of a triangle."""
    one, other = draws.between(2, 8) * 10, draws.between(2, 8) * 10
    words = draws.pick(
        (
            f"Two angles of a triangle are {one} and {other} degrees. How large is the third angle?",
            f"A triangle has angles of {one} and {other} degrees. Find the third angle.",
        )
    )
    steps = [
        f"The two angles together: {plus(one, other)} degrees.",
        "The three angles of a triangle always add up to 180 degrees.",
        f"Third angle: {minus(180, one + other)} degrees.",
    ]
    return asked(draws, words), numbered(steps, f"The third angle is {180 - one - other} degrees.")


def clock(draws: Draws) -> Conversation:
    """When something ends that begins at a clock time."""
    hour, minute, length = draws.between(8, 19), draws.between(1, 11) * 5, draws.between(5, 11) * 5
    thing = draws.pick(["lesson", "film", "concert", "meeting", "match"])
    start, end = f"{hour}:{minute:02}", minute + length
    words = f"A {thing} starts at {start} and lasts {length} minutes. When does it end?"
    steps = [f"Add the minutes: {plus(minute, length)}."]
    if end >= 60:
        steps += [f"Take off a full hour: {minus(end, 60)}.", f"The hour goes up by 1: {plus(hour, 1)}."]
        hour, end = hour + 1, end - 60
    else:
        steps.append(f"That is less than 60, so the hour stays {hour}.")
    return asked(draws, words), numbered(steps, f"The {thing} ends at {hour}:{end:02}.")


def rectangle_solution(length: int, width: int, unit: str) -> str:
    """The area and the perimeter of a rectangle."""
    around = length + width
    return numbered(
        [
            f"Area: length x width = {length} {unit} x {width} {unit} = {length * width} {SQUARES[unit]}.",
            f"Perimeter: 2 x (length + width) = 2 x ({length} {unit} + {width} {unit}) "
            f"= 2 x {around} {unit} = {2 * around} {unit}.",
        ],
        f"Area: {length * width} {SQUARES[unit]}. Perimeter: {2 * around} {unit}.",
    )


def doubled(length: int, width: int, unit: str) -> str:
    """The same once more, with the width doubled."""
    changed = f"The width is now 2 x {width} {unit} = {2 * width} {unit}. The length is still {length} {unit}."
    return f"{changed}\n\n{rectangle_solution(length, 2 * width, unit)}"


def longer(length: int, width: int, unit: str, more: int) -> str:
    """The same once more, with some length added."""
    changed = f"The length is now {plus(length, more)} {unit}. The width is still {width} {unit}."
    return f"{changed}\n\n{rectangle_solution(length + more, width, unit)}"


def rectangle(draws: Draws) -> Conversation:
    """A rectangle that is changed in a second turn."""
    width, more = draws.between(2, 6), draws.between(1, 3)
    length = draws.between(width + 1, 10)
    unit = draws.pick(tuple(SQUARES))
    words = draws.pick(
        (
            f"A rectangle is {length} {unit} long and {width} {unit} wide. Find its area and its perimeter.",
            f"Find the area and perimeter of a rectangle of {length} {unit} by {width} {unit}.",
            f"What are the area and the perimeter of a rectangle with the sides {length} {unit} and {width} {unit}?",
            f"A field is {length} {unit} long and {width} {unit} wide. What are its area and perimeter?",
        )
    )
    first = asked(draws, words), rectangle_solution(length, width, unit)
    if draws.often(0.6):
        return *first, draws.pick((CORE_DOUBLE, "Double the width.")), doubled(length, width, unit)
    return *first, f"Now make it {more} {unit} longer.", longer(length, width, unit, more)
