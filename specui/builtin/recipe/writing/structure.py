"""Text about structure: JSON, tables, lists and counting, where nearly every token follows from those before it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from specui.builtin.recipe.writing.structure_copy import copy_conversations
from specui.builtin.recipe.writing.structure_data import DATASETS, LEAP_YEAR
from specui.builtin.recipe.writing.structure_numbers import (
    SQUARES_TURNS,
    TIMES_TURNS,
    number_conversations,
    squares_answer,
    times_answer,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from specui.builtin.recipe.writing.draws import Conversation, Draws
    from specui.builtin.recipe.writing.structure_data import Dataset

LEAP_YEAR_TURNS = (
    'Output a JSON array with one object per month of a leap year: fields "n", "name", "days", "quarter". '
    "No commentary.",
)
CORE_TURNS = (LEAP_YEAR_TURNS, SQUARES_TURNS, TIMES_TURNS)
"""The questions that are measured, each with all its turns."""

_CORE_COPIES = 26
_SHAPE_COPIES = 4
_LONGEST_JSON = 720
_LONGEST_PAIR = 1000
_PAIR_SHARE = 0.25

_Shape = Literal["json", "table", "list"]

_WORDINGS: dict[_Shape, tuple[str, ...]] = {
    "json": (
        "Output a JSON array with one object per {each}: fields {quoted}. No commentary.",
        "Give me {subject} as JSON, with the fields {plain}.",
        "List {subject} as a JSON array of objects.",
        "Write {subject} as JSON, one object per line.",
        "I need {subject} in JSON.",
        "{subject} as JSON, please.",
    ),
    "table": (
        "Make a Markdown table of {subject}.",
        "Make a Markdown table with one row per {each}. Columns: {plain}.",
        "Show {subject} in a table.",
        "Put {subject} into a Markdown table.",
        "A table of {subject}, please.",
    ),
    "list": (
        "List {subject}.",
        "List {subject}, one per line.",
        "What are {subject}?",
        "Give me a list of {subject}.",
        "Can you list {subject}?",
    ),
}
_NEXT_WORDINGS: dict[_Shape, tuple[str, ...]] = {
    "json": ("Now as JSON.", "Now give me the same as JSON."),
    "table": ("Now as a Markdown table.", "Now put it into a table."),
    "list": ("Now as a plain list.", "Now just as a list."),
}


def conversations(draws: Draws) -> Iterator[Conversation]:
    """All documents about structure: the measured questions first, then those with other material."""
    for _ in range(_CORE_COPIES):
        yield LEAP_YEAR_TURNS[0], LEAP_YEAR.as_json()
        yield SQUARES_TURNS[0], squares_answer(40)
        yield TIMES_TURNS[0], times_answer(7), TIMES_TURNS[1], times_answer(7, 8)
    for dataset in (LEAP_YEAR, *DATASETS):
        yield from _dataset(draws, dataset)
    yield from number_conversations(draws)
    yield from copy_conversations(draws)


def _dataset(draws: Draws, dataset: Dataset) -> Iterator[Conversation]:
    answers: dict[_Shape, str] = {"table": dataset.as_table(), "list": dataset.as_list()}
    if len(dataset.as_json()) <= _LONGEST_JSON:
        answers["json"] = dataset.as_json()
    for shape, answer in answers.items():
        for _ in range(_SHAPE_COPIES):
            question = _question(draws, dataset, shape)
            others = [other for other in answers if other != shape and len(answer + answers[other]) <= _LONGEST_PAIR]
            if others and draws.often(_PAIR_SHARE):
                other = draws.pick(others)
                yield question, answer, draws.pick(_NEXT_WORDINGS[other]), answers[other]
            else:
                yield question, answer


def _question(draws: Draws, dataset: Dataset, shape: _Shape) -> str:
    quoted = ", ".join(f'"{field}"' for field in dataset.fields)
    question = draws.pick(_WORDINGS[shape]).format(
        each=dataset.each, subject=dataset.subject, plain=", ".join(dataset.fields), quoted=quoted
    )
    return question[0].upper() + question[1:]
