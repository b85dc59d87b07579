"""The category `prose`: scenes, verses and stories whose next phrase is hard to guess, the worst case for a drafter."""

from __future__ import annotations

from typing import TYPE_CHECKING

from specui.builtin.recipe.writing.prose_phrases import DOERS, PLACES, RIVALS, SPEECHES, THINGS, TITLES

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from specui.builtin.recipe.writing.draws import Conversation, Draws

SCENE = (
    "Write a short scene in which a lighthouse keeper argues with the fog. "
    "No dialogue tags, and no sentence may begin with 'The'."
)
VERSE = "Write a free verse poem about an empty harbour in winter. Do not rhyme."
STORY = "Tell me a short story about a lighthouse."
DREAM = "Now tell it again as a dream."

CORE_PROMPTS = ((SCENE,), (VERSE,), (STORY, DREAM))
"""The user's turns of the prompts that are measured."""

CORE_COUNT = 40
VARIANT_COUNT = 60
DOERS_ALIKE, THINGS_ALIKE, PLACES_ALIKE, SPEECHES_ALIKE = 6, 4, 6, 4
"""Phrases of one group: each may come next, which is hard to guess, and a later group never says the same again."""

SCENE_REQUESTS = (
    "Write a short scene in which a {person} argues with the {rival}. "
    "No dialogue tags, and no sentence may begin with 'The'.",
    "Write a scene: a {person} argues with the {rival}.",
    "A {person} quarrels with the {rival}. Write the scene.",
    "Write a dialogue between a {person} and the {rival}.",
)
VERSE_REQUESTS = (
    "Write a free verse poem about {title} in winter. Do not rhyme.",
    "Write a poem about {title}.",
    "Write some verses about {title}, without rhymes.",
    "I would like a poem about {title}, please.",
)
STORY_REQUESTS = (
    "Tell me a short story about {title}.",
    "Tell me a story about {title}.",
    "Write a short story about {title}.",
    "Can you tell me a story about {title}?",
)
DREAM_REQUESTS = (DREAM, "Now as a dream.", "Tell it again, but as a dream.")
STORY_ENDS = (
    "That is all anybody knows about it.",
    "Nobody has asked about it since.",
    "If you go there, bring bread.",
    "And so it went on for years.",
)


class Walk:
    """Goes through a list of phrases group by group, and takes one of each."""

    def __init__(self, draws: Draws, phrases: Sequence[str], group: int) -> None:
        self._draws = draws
        self._phrases = phrases
        self._group = group
        self._begin = 0

    def next(self) -> str:
        """One of the next group, all alike likely; after the last group the first comes again."""
        drawn = self._phrases[self._begin + self._draws.below(self._group)]
        self._begin = (self._begin + self._group) % len(self._phrases)
        return drawn


class Voice:
    """Speaks in phrases of three kinds."""

    def __init__(self, draws: Draws) -> None:
        self._doers = Walk(draws, DOERS, DOERS_ALIKE)
        self._things = Walk(draws, THINGS, THINGS_ALIKE)
        self._places = Walk(draws, PLACES, PLACES_ALIKE)

    def said(self, frame: str) -> str:
        """The frame with a phrase of its kind in each gap."""
        text = frame
        for gap, walk in (("{doer}", self._doers), ("{thing}", self._things), ("{place}", self._places)):
            while gap in text:
                text = text.replace(gap, walk.next(), 1)
        return text

    def sentence(self, frame: str) -> str:
        """The same, with a capital letter in front."""
        return _capital(self.said(frame))


def conversations(draws: Draws) -> Iterator[Conversation]:
    """All documents of the category, each with words of its own."""
    titles = [tuple(title.split(": ")) for title in TITLES]
    rivals = [tuple(pair.split(": ")) for pair in RIVALS]
    (lighthouse, keeper), (harbour, _) = titles[:2]
    for _ in range(CORE_COUNT):
        yield SCENE, scene(draws, "keeper", "fog")
        yield VERSE, verse(draws, harbour)
        yield STORY, story(draws, lighthouse, keeper), DREAM, dream(draws, keeper)
    for _ in range(VARIANT_COUNT):
        person, rival = draws.pick(rivals)
        yield draws.pick(SCENE_REQUESTS).format(person=person, rival=rival), scene(draws, person, rival)
        title, _ = draws.pick(titles)
        yield draws.pick(VERSE_REQUESTS).format(title=title), verse(draws, title)
        title, person = draws.pick(titles)
        begin = draws.pick(STORY_REQUESTS).format(title=title), story(draws, title, person)
        yield (*begin, draws.pick(DREAM_REQUESTS), dream(draws, person)) if draws.often(0.4) else begin


def scene(draws: Draws, person: str, rival: str) -> str:
    """A quarrel in alternating lines, with what goes on around it before and after."""
    voice = Voice(draws)
    speeches = Walk(draws, SPEECHES, SPEECHES_ALIKE)
    opening = voice.sentence(f"{{place}}, a {person} argues with the {rival}.")
    lines = [voice.said(speeches.next()) for _ in range(8)]
    between, ending = (voice.sentence("{place}, {doer} {thing}.") for _ in range(2))
    return "\n".join([opening, *lines[:4], between, *lines[4:], ending])


def verse(draws: Draws, title: str) -> str:
    """Stanzas of four lines about the title."""
    voice = Voice(draws)
    stanzas = [",\n".join(voice.said(line) for line in draws.pick(STANZAS)) for _ in range(3)]
    return f"{_capital(title)}.\n\n" + "\n\n".join(_capital(stanza) + "." for stanza in stanzas)


STANZAS = (
    ("{doer} {thing}", "{place} {thing}", "{doer} {thing}", "{thing} {place}"),
    ("{place} {thing}", "{doer} {thing}", "{thing} {place}", "{doer} {thing}"),
)
STORY_LINES = (
    ("{doer} {thing} {place}.", "{place}, {doer} {thing}."),
    ("Then {doer} {thing}.", "Soon {doer} {thing}."),
)


def story(draws: Draws, title: str, person: str) -> str:
    """A story of six sentences between a beginning and an end."""
    voice = Voice(draws)
    begin = voice.sentence(f"{{place}} there is {title}, and {person} sleeps there with {{thing}}.")
    middle = [voice.sentence(draws.pick(STORY_LINES[i % 2])) for i in range(6)]
    return " ".join([begin, *middle, draws.pick(STORY_ENDS)])


def dream(draws: Draws, person: str) -> str:
    """The same person, dreaming."""
    voice = Voice(draws)
    begin = voice.sentence(f"in the dream {person} finds {{thing}} {{place}}.")
    middle = [voice.sentence(draws.pick(STORY_LINES[i % 2])) for i in range(5)]
    return " ".join([begin, *middle, f"Then {person} wakes up."])


def _capital(text: str) -> str:
    return text[0].upper() + text[1:]
