"""Text about programming: short Python functions and classes, each asked for in many words and answered in one way."""

from __future__ import annotations

from typing import TYPE_CHECKING

from specui.builtin.recipe.writing.code_classes import CLASS_TASKS
from specui.builtin.recipe.writing.code_core import (
    BRACKETS,
    BRACKETS_TURNS,
    INTERVALS,
    INTERVALS_TURNS,
    RING_BUFFER,
    RING_BUFFER_TURNS,
)
from specui.builtin.recipe.writing.code_lists import LIST_TASKS
from specui.builtin.recipe.writing.code_numbers import NUMBER_TASKS
from specui.builtin.recipe.writing.code_texts import TEXT_TASKS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from specui.builtin.recipe.writing.code_task import CodeTask, FollowUp
    from specui.builtin.recipe.writing.draws import Conversation, Draws

CORE_TURNS = (RING_BUFFER_TURNS, INTERVALS_TURNS, BRACKETS_TURNS)
"""The questions that are measured, each with all its turns."""

_CORE_COPIES = 20
_TASK_COPIES = 8
_PLAIN_SHARE = 0.65
_FOLLOW_UP_SHARE = 0.7

_PLAIN_WORDINGS = (
    "Write {ask}.",
    "Write {ask}.",
    "Please write {ask}.",
    "Can you write {ask}?",
    "I need {ask}.",
    "Show me {ask}.",
    "Give me {ask}, with type hints.",
    "How do I {short} in Python?",
    "{short} in Python",
    "Python code to {short}, please.",
)
_NAMED_WORDINGS = (
    "Write {ask}. Call it {name}.",
    "Write {ask}, named {name}.",
    "Please write {ask} and call it {name}.",
    "I need {ask}. It should be called {name}.",
)
_NEXT_WORDINGS: dict[FollowUp, tuple[str, ...]] = {
    "complexity": ("What is its complexity?", "How fast is it?", "Explain its complexity."),
    "loop": ("Now without recursion.", "Now with a loop.", "Write it with a loop instead."),
    "example": ("Show me an example.", "How do I call it?", "Add an example."),
    "tests": ("Add a unit test.", "Now write a test for it.", "Add tests, please."),
}


def conversations(draws: Draws) -> Iterator[Conversation]:
    """All documents about code: the measured questions first, then every task in other words."""
    for turns, task in zip(CORE_TURNS, (RING_BUFFER, INTERVALS, BRACKETS), strict=True):
        yield from [_core(turns, task)] * _CORE_COPIES
    for task in (RING_BUFFER, INTERVALS, BRACKETS, *NUMBER_TASKS, *TEXT_TASKS, *LIST_TASKS, *CLASS_TASKS):
        for _ in range(_TASK_COPIES):
            yield _asked(draws, task)


def _core(turns: Conversation, task: CodeTask) -> Conversation:
    answers = (task.answer, task.next_answer)
    name = task.names.split()[0]
    return tuple(part for turn, answer in zip(turns, answers, strict=False) for part in (turn, _named(answer, name)))


def _asked(draws: Draws, task: CodeTask) -> Conversation:
    names = task.names.split()
    is_plain = draws.often(_PLAIN_SHARE)
    name = names[0] if is_plain else draws.pick(names)
    wording = draws.pick(_PLAIN_WORDINGS if is_plain else _NAMED_WORDINGS)
    question = wording.format(ask=task.ask, short=task.short, name=name)
    first = (question[0].upper() + question[1:], _named(task.answer, name))
    if task.next_question is None or not draws.often(_FOLLOW_UP_SHARE):
        return first
    return (*first, draws.pick(_NEXT_WORDINGS[task.next_question]), _named(task.next_answer, name))


def _named(answer: str, name: str) -> str:
    return answer.replace("NAME", name)
