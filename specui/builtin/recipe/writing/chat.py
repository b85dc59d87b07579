"""Talk: what the toy says of itself, everyday advice, and honest words where it knows nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from specui.builtin.recipe.writing.chat_about import QUESTIONS
from specui.builtin.recipe.writing.chat_advice_food import FOOD
from specui.builtin.recipe.writing.chat_advice_home import HOME
from specui.builtin.recipe.writing.chat_advice_life import LIFE
from specui.builtin.recipe.writing.chat_advice_mail import MAIL
from specui.builtin.recipe.writing.chat_self import CODING, WHO, self_conversations
from specui.builtin.recipe.writing.chat_topics import topics
from specui.builtin.recipe.writing.chat_unknown import unknown_conversations

if TYPE_CHECKING:
    from collections.abc import Iterator

    from specui.builtin.recipe.writing.draws import Conversation, Draws

CORE_PROMPTS = (
    (WHO, CODING),
    ("How do I clean a keyboard?",),
    ("My houseplant has yellow leaves. What should I do?",),
)
"""The user's turns of the prompts that are measured."""

ADVICE_CORE_COUNT = 36
ADVICE_COUNT = 12
UNKNOWN_COUNT = 200


def conversations(draws: Draws) -> Iterator[Conversation]:
    """All documents of the category."""
    yield from self_conversations(draws)
    yield from _about(draws)
    yield from _advice(draws)
    yield from unknown_conversations(draws, UNKNOWN_COUNT)


def _about(draws: Draws) -> Iterator[Conversation]:
    """Each wording of each question once, every fifth with a second question."""
    for topic in topics(QUESTIONS):
        for number, question in enumerate(topic.questions):
            yield topic.conversation(draws, question, is_longer=number % 5 == 1)


def _advice(draws: Draws) -> Iterator[Conversation]:
    """Each topic a few times, every other with a second question, and the core prompts more often."""
    core = {turns[0] for turns in CORE_PROMPTS}
    for topic in topics(HOME + FOOD + LIFE + MAIL):
        for number in range(max(ADVICE_COUNT, len(topic.questions))):
            question = topic.questions[number % len(topic.questions)]
            yield topic.conversation(draws, question, is_longer=number % 2 == 1)
        if topic.questions[0] in core:
            for _ in range(ADVICE_CORE_COUNT):
                yield topic.conversation(draws, topic.questions[0], is_longer=False)
