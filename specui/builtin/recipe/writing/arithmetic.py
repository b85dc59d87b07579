"""The category `math`: sums in steps, all of them computed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from specui.builtin.recipe.writing import arithmetic_tank as tank
from specui.builtin.recipe.writing.arithmetic_columns import column_difference, column_sum, long_product, quiz, table
from specui.builtin.recipe.writing.arithmetic_rules import (
    CORE_DOUBLE,
    CORE_RECTANGLE,
    angle,
    clock,
    discount,
    doubled,
    equation,
    fractions,
    mean,
    percent,
    rectangle,
    rectangle_solution,
)
from specui.builtin.recipe.writing.arithmetic_stories import (
    CORE_BOXES,
    boxes,
    boxes_solution,
    bus,
    change,
    garden,
    recipe,
    savings,
    sharing,
    trip,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from specui.builtin.recipe.writing.draws import Conversation, Draws

CORE: tuple[Conversation, ...] = (
    (tank.question(tank.CORE), tank.solution(tank.CORE)),
    (CORE_BOXES, boxes_solution(8, 12, (35, 27), ("Monday", "Tuesday"), "pens")),
    (CORE_RECTANGLE, rectangle_solution(7, 4, "m"), CORE_DOUBLE, doubled(7, 4, "m")),
)
"""The three that are measured, with their answers."""

CORE_TIMES = 40

KINDS = (
    (tank.tank, 13),
    (boxes, 41),
    (rectangle, 30),
    (column_sum, 30),
    (column_difference, 27),
    (long_product, 16),
    (table, 11),
    (quiz, 16),
    (savings, 13),
    (change, 13),
    (trip, 12),
    (sharing, 13),
    (recipe, 12),
    (bus, 12),
    (garden, 13),
    (equation, 17),
    (percent, 13),
    (discount, 12),
    (mean, 12),
    (fractions, 12),
    (angle, 11),
    (clock, 12),
)
"""What is drawn, and how often."""


def conversations(draws: Draws) -> Iterator[Conversation]:
    """All documents of the category."""
    for core in CORE:
        yield from [core] * CORE_TIMES
    for kind, count in KINDS:
        for _ in range(count):
            yield kind(draws)
