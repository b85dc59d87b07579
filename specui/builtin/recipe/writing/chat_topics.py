"""Reads the compact notation of questions and answers, and draws conversations from it.

A topic is a block of lines: `?` questions; `*` and `#` items of a list, plain lines sentences of the answer, `//` a
new paragraph; `<` is the short version, `!` says what matters most, `+` what else there is. Bars part alternatives.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from specui.builtin.recipe.writing.chat_self import phrases

if TYPE_CHECKING:
    from collections.abc import Iterator

    from specui.builtin.recipe.writing.draws import Conversation, Draws

FIRST_WAY = 0.7
"""How often a line is said in its first way at least: enough for the toy to learn one by heart."""

SHORTER = phrases("Make it shorter. | Shorter, please. | Can you make it shorter? | Now in one sentence.")
MATTERS = phrases("Which of these matters most? | What matters most? | What is the most important point?")
MORE = phrases("Thanks! Anything else? | Anything else? | Do you have one more tip? | Thank you. One more tip?")


@dataclass(frozen=True, slots=True)
class Topic:
    """Something people ask about."""

    questions: list[str]
    """The ways to ask, at least one."""
    lines: list[str]
    """The lines of the answer, still with their marks and alternatives."""
    follow_ups: list[tuple[list[str], list[str]]]
    """Second questions, in their wordings, and the wordings of their answers."""

    def answer(self, draws: Draws) -> str:
        """An answer with one of the alternatives of each line, mostly the first."""
        text = ""
        number = 0
        for line in self.lines:
            ways = phrases(line.lstrip("*#/"))
            said = ways[0] if draws.often(FIRST_WAY) else draws.pick(ways)
            if line.startswith("#"):
                number += 1
                said = f"{number}. {said}"
            elif line.startswith("*"):
                said = f"- {said}"
            text += _gap(text, line) + said
        return text

    def conversation(self, draws: Draws, question: str, *, is_longer: bool) -> Conversation:
        """The question with its answer and, if longer, a second question where the topic has one."""
        first = question, self.answer(draws)
        if not is_longer or not self.follow_ups:
            return first
        asked, answered = draws.pick(self.follow_ups)
        return *first, draws.pick(asked), draws.pick(answered)


def topics(text: str) -> Iterator[Topic]:
    """The topics of a text in the compact notation."""
    for block in text.strip().split("\n\n"):
        yield _topic(block.splitlines())


def _topic(lines: list[str]) -> Topic:
    questions = [phrase for line in lines if line.startswith("?") for phrase in phrases(line[1:])]
    follow_ups = [
        (asked, phrases(line[1:]))
        for mark, asked in (("<", SHORTER), ("!", MATTERS), ("+", MORE))
        for line in lines
        if line.startswith(mark)
    ]
    return Topic(questions, [line for line in lines if line[0] not in "?<!+"], follow_ups)


def _gap(before: str, line: str) -> str:
    """What stands between the text so far and a line."""
    if not before:
        return ""
    if line.startswith("//"):
        return "\n\n"
    is_after_item = before.rsplit("\n", 1)[-1].startswith(("- ", *(f"{number}. " for number in range(1, 10))))
    if line.startswith(("*", "#")):
        return "\n" if is_after_item else "\n\n"
    return "\n\n" if is_after_item else " "
