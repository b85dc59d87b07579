"""Tanks that are filled and drained at once: sums of fractions with one denominator."""

from __future__ import annotations

from math import lcm
from typing import TYPE_CHECKING, NamedTuple

from specui.builtin.recipe.writing.arithmetic_steps import numbered

if TYPE_CHECKING:
    from specui.builtin.recipe.writing.draws import Conversation, Draws

WORDINGS = (
    "A tank fills through pipe A in {a} h, pipe B in {b} h, and drains through C in {c} h. "
    "All three are open for {t} h, then C is closed. When is the tank full? Show each step.",
    "Pipe A fills a tank in {a} h, pipe B in {b} h, and drain C empties it in {c} h. "
    "All three are open for {t} h, then C is closed. After how long is the tank full?",
    "A tank has two taps and a drain. Tap A fills it in {a} h, tap B in {b} h, drain C empties it in {c} h. "
    "C is closed after {t} h. When is the tank full? Work in numbered steps.",
)


class Tank(NamedTuple):
    """How many hours A and B need to fill it, and C to drain it; C is closed after `open_h`."""

    a_h: int
    b_h: int
    c_h: int
    open_h: int


CORE = Tank(6, 9, 12, 2)


def question(tank: Tank, wording: str = WORDINGS[0]) -> str:
    """What is asked about the tank."""
    return wording.format(a=tank.a_h, b=tank.b_h, c=tank.c_h, t=tank.open_h)


def solution(tank: Tank) -> str:
    """The way to the time at which the tank is full."""
    parts = lcm(tank.a_h, tank.b_h, tank.c_h)
    a, b, c = parts // tank.a_h, parts // tank.b_h, parts // tank.c_h
    full = tank.open_h * (a + b - c)
    total_min = tank.open_h * 60 + (parts - full) * 60 // (a + b)
    return numbered(
        [
            f"Per hour A fills 1/{tank.a_h} = {a}/{parts} of the tank, B fills 1/{tank.b_h} = {b}/{parts}, "
            f"and C drains 1/{tank.c_h} = {c}/{parts}.",
            f"All three open: {a}/{parts} + {b}/{parts} - {c}/{parts} = {a + b - c}/{parts} per hour.",
            f"After {tank.open_h} h: {tank.open_h} x {a + b - c}/{parts} = {full}/{parts} of the tank is full.",
            f"Still empty: {parts}/{parts} - {full}/{parts} = {parts - full}/{parts}.",
            f"A and B alone: {a}/{parts} + {b}/{parts} = {a + b}/{parts} per hour.",
            f"Time for the rest: {parts - full}/{parts} : {a + b}/{parts} = {rest_time(parts - full, a + b)}.",
            f"In all: {tank.open_h} h + {duration((parts - full) * 60 // (a + b))} = {duration(total_min)}.",
        ],
        f"The tank is full after {duration(total_min)}.",
    )


def rest_time(rest: int, per_hour: int) -> str:
    """The hours that are left: as a fraction, in parts, and as a duration."""
    whole, left = divmod(rest, per_hour)
    steps = [f"{rest}/{per_hour} h"]
    if whole and left:
        steps.append(f"{whole} h + {left}/{per_hour} h")
    return " = ".join([*steps, duration(rest * 60 // per_hour)])


def duration(minutes: int) -> str:
    """'4 h 12 min', '4 h' or '12 min'."""
    hours, left = divmod(minutes, 60)
    return " ".join(f"{count} {unit}" for count, unit in ((hours, "h"), (left, "min")) if count)


def tanks() -> list[Tank]:
    """All tanks of small numbers that are full after a whole number of minutes."""
    sizes = (2, 3, 4, 5, 6, 8, 9, 10, 12)
    every = [Tank(a, b, c, t) for a in sizes for b in sizes for c in sizes for t in (1, 2, 3)]
    return [tank for tank in every if tank.a_h < tank.b_h and is_neat(tank)]


def is_neat(tank: Tank) -> bool:
    """Whether the sum stays in small numbers and the tank is not full before C is closed."""
    parts = lcm(tank.a_h, tank.b_h, tank.c_h)
    a, b, c = parts // tank.a_h, parts // tank.b_h, parts // tank.c_h
    rest = parts - tank.open_h * (a + b - c)
    return parts <= 36 and a + b > c and 0 < rest < parts and rest * 60 % (a + b) == 0


def tank(draws: Draws) -> Conversation:
    """A tank that may be any."""
    drawn = draws.pick(tanks())
    return question(drawn, draws.pick(WORDINGS)), solution(drawn)
