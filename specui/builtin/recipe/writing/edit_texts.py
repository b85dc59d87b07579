"""Little stories in which one name or word is replaced by another, and nothing else changes."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from specui.builtin.recipe.writing.edit_stories import DAYS, NUMBERS, STORIES, THINGS
from specui.builtin.recipe.writing.extract_words import MEN, TOWNS, WOMEN

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from specui.builtin.recipe.writing.draws import Conversation, Draws

CORE_REQUEST = "Replace the name Nora by Helen in this text and change nothing else:"
CORE_TEXT = (
    "Nora keeps a small bakery in Westbridge. Every morning Nora lights the oven at five and bakes forty loaves of "
    "rye bread. On Fridays her brother Paul drives the van to the market, and Nora sells plum cake from a wooden "
    "stall. Last week a letter came for Nora: the town wants her bread for the spring fair. Nora said yes before she "
    "had read the second page."
)

CORE_TIMES = 24
CORE_MATERIAL_TIMES = 6
OTHER_TIMES = 80

REQUESTS = (
    "Replace {what} {old} by {new} in this text and change nothing else:",
    "Replace {what} {old} by {new} in this text and change nothing else:",
    "Please write {new} instead of {old} in the following text and leave the rest as it is:",
    "Return this text with {old} replaced by {new}:",
    "Copy the text below, but put {new} wherever it says {old}.",
    "Change {what} {old} to {new} everywhere in this text:",
    "Here is a text. Swap {old} for {new} and give me the whole text back.",
)
FOLLOW_UPS = (
    "Now replace {what} {old} by {new} as well.",
    "Now also replace {old} by {new}.",
    "Good. Now change {what} {old} to {new}.",
    "Now write {new} instead of {old}, too.",
)
Kind = tuple[str, "Sequence[str]"]
"""How a request calls words of the kind, and the words that stand in for each other."""

KINDS: dict[str, Kind] = {
    "woman": ("the name", WOMEN),
    "man": ("the name", MEN),
    "town": ("the name", TOWNS),
    "thing": ("the word", THINGS),
    "day": ("the day", DAYS),
    "number": ("the number", NUMBERS),
}


def conversations(draws: Draws) -> Iterator[Conversation]:
    """Conversations about texts: those of the core prompt, on its text, and on others."""
    for _ in range(CORE_TIMES):
        yield f"{CORE_REQUEST}\n\n{CORE_TEXT}", replaced(CORE_TEXT, "Nora", "Helen")
    for _ in range(CORE_MATERIAL_TIMES):
        slot, old = draws.pick((("woman", "Nora"), ("man", "Paul"), ("town", "Westbridge")))
        yield _asked(draws, REQUESTS, CORE_TEXT, slot, old, "\n\n")
    for _ in range(OTHER_TIMES):
        yield _about_story(draws)


def replaced(text: str, old: str, new: str) -> str:
    """The text with a whole word replaced wherever it stands."""
    return re.sub(rf"\b{old}\b", new, text)


def _about_story(draws: Draws) -> Conversation:
    words = _drawn_words(draws)
    templates = _drawn_templates(draws)
    text = " ".join(template.format_map(words) for template in templates)
    slots = draws.shuffled([slot for slot in KINDS if any(f"{{{slot}}}" in template for template in templates)])
    names = [slot for slot in slots if slot in ("woman", "man", "town")]
    first = draws.pick(names) if draws.often(0.75) else slots[0]
    begin = _asked(draws, REQUESTS, text, first, words[first], "\n\n")
    if len(text) > 380 or draws.often(0.65):
        return begin
    second = draws.pick([slot for slot in slots if slot != first])
    request, answer = _asked(draws, FOLLOW_UPS, begin[1], second, words[second], "")
    return (*begin, request.removesuffix(begin[1]), answer)


def _asked(draws: Draws, requests: Sequence[str], text: str, slot: str, old: str, gap: str) -> tuple[str, str]:
    """A request that ends with the text, and the text with the word replaced by one that it does not have."""
    what, words = KINDS[slot]
    new = draws.pick([word for word in words if word not in text])
    return draws.pick(requests).format(what=what, old=old, new=new) + gap + text, replaced(text, old, new)


def _drawn_words(draws: Draws) -> dict[str, str]:
    return {slot: draws.pick(words) for slot, (_, words) in KINDS.items()}


def _drawn_templates(draws: Draws) -> list[str]:
    """The sentences of a story in their order, some of them left out."""
    drawn = [draws.pick(ways) for ways in draws.pick(STORIES)]
    return [sentence for sentence in drawn if sentence]
