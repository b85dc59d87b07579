"""The category `translate`: short English texts into German, French and Spanish, built from phrases."""

from __future__ import annotations

from typing import TYPE_CHECKING

from specui.builtin.recipe.writing.translate_phrases import (
    BUSY_VERBS,
    CLOSINGS,
    EXCESSES,
    FAULTS,
    MERITS,
    OPENINGS,
    PEOPLE,
    PLACES,
    STATES,
    THINGS,
    TIMES,
    VERBS,
    Person,
    Phrase,
    Quality,
    Thing,
)
from specui.builtin.recipe.writing.translate_texts import BICYCLE, CAT, EVERYDAY, MARKET

if TYPE_CHECKING:
    from collections.abc import Iterator

    from specui.builtin.recipe.writing.draws import Conversation, Draws

LANGUAGES = ("English", "German", "French", "Spanish")
"""In the order of the fields of a phrase."""

TARGETS = (1, 2, 3)

REQUESTS = (
    "Translate into {language}:",
    "Translate this text into {language}:",
    "Please translate into {language}:",
    "Translate to {language}:",
    "How do you say this in {language}?",
    "Put this into {language}:",
    "What is this in {language}?",
    "{language} translation, please:",
)

KEEPING = "Translate into {language}, keeping the paragraph breaks:"

AGAIN = (
    "Now into {language}.",
    "Now into {language}.",
    "And in {language}?",
    "Now the same in {language}.",
    "Now translate it into {language}.",
)

CORE: tuple[Conversation, ...] = (
    (f"{KEEPING.format(language='German')}\n\n{BICYCLE.english}", BICYCLE.german),
    (f"Translate into French:\n\n{MARKET.english}", MARKET.french),
    (f"Translate into Spanish:\n\n{CAT.english}", CAT.spanish, "Now into German.", CAT.german),
)
"""The three that are measured, with their answers."""

CORE_TIMES = 20


def conversations(draws: Draws) -> Iterator[Conversation]:
    """All documents of the category."""
    for core in CORE:
        yield from [core] * CORE_TIMES
    for text in (BICYCLE, MARKET, CAT):
        yield from (once(draws, text, target) for target in TARGETS)
    for _ in range(230):
        yield once(draws, story(draws), draws.pick(TARGETS))
    for _ in range(60):
        yield twice(draws, story(draws))
    for _ in range(60):
        yield once(draws, joined(draws.some(EVERYDAY, draws.between(3, 5))), draws.pick(TARGETS))


def once(draws: Draws, text: Phrase, target: int) -> Conversation:
    """A text in one other language."""
    words = draws.pick(REQUESTS)
    if "\n" in text.english and draws.often(0.7):
        words = KEEPING
    return f"{words.format(language=LANGUAGES[target])}\n\n{text.english}", text[target]


def twice(draws: Draws, text: Phrase) -> Conversation:
    """A text in one other language, and then in a third."""
    first, second = draws.some(TARGETS, 2)
    again = draws.pick(AGAIN).format(language=LANGUAGES[second])
    return *once(draws, text, first), again, text[second]


def joined(sentences: list[Phrase], mark: str = " ") -> Phrase:
    """Sentences as one text."""
    return Phrase(*(mark.join(parts) for parts in zip(*sentences, strict=True)))


def story(draws: Draws) -> Phrase:
    """Three to five sentences about two people and two things."""
    people, things = draws.some(PEOPLE, 2), draws.some(THINGS, 2)
    middle = [happening(draws, people[0], *things)] if draws.often(0.75) else []
    frames = draws.some((order, looks, opinion, reason), draws.between(2, 3) - len(middle))
    middle += [frame(draws, draws.pick(people), *draws.shuffled(things)) for frame in frames]
    start = [draws.pick(OPENINGS)] if draws.often(0.5) else []
    end = [draws.pick(CLOSINGS)] if draws.often(0.5) or len(middle) == 2 else []
    if draws.often(0.25):
        return joined([joined([*start, middle[0]]), joined([*middle[1:], *end])], "\n\n")
    return joined([*start, *middle, *end])


def happening(draws: Draws, person: Person, thing: Thing, _: Thing) -> Phrase:
    """At some time somebody does something somewhere."""
    who, verb, what = person.name, draws.pick(VERBS), thing.name
    time, place = draws.pick(TIMES), draws.pick(PLACES)
    return Phrase(
        f"{time.english}, {who.english} {verb.english} {what.english} {place.english}.",
        f"{time.german} {verb.german} {who.german} {thing.german_object} {place.german}.",
        f"{time.french}, {who.french} {verb.french} {what.french} {place.french}.",
        f"{time.spanish}, {who.spanish} {verb.spanish} {what.spanish} {place.spanish}.",
    )


def order(draws: Draws, person: Person, thing: Thing, other: Thing) -> Phrase:
    """Somebody does one thing and then another."""
    who, (one, two) = person.name, draws.some(VERBS, 2)
    she, sie, elle = ("she", "sie", "elle") if person.is_woman else ("he", "er", "il")
    return opened(
        Phrase(
            f"{who.english} {one.english} {thing.name.english}, and then {she} {two.english} {other.name.english}.",
            f"{who.german} {one.german} {thing.german_object}, und dann {two.german} {sie} {other.german_object}.",
            f"{who.french} {one.french} {thing.name.french}, puis {elle} {two.french} {other.name.french}.",
            f"{who.spanish} {one.spanish} {thing.name.spanish} y luego {two.spanish} {other.name.spanish}.",
        )
    )


def looks(draws: Draws, _: Person, thing: Thing, __: Thing) -> Phrase:
    """A thing has a fault, but a merit as well."""
    what, fault, merit = thing.name, draws.pick(FAULTS), draws.pick(MERITS)
    bad, good = in_french(fault, thing), in_french(merit, thing)
    verb, malo = in_spanish(fault, thing)
    again, bueno = in_spanish(merit, thing)
    second = bueno if verb == again else f"{again} {bueno}"
    return opened(
        Phrase(
            f"{what.english} is {fault.masculine.english}, but {merit.masculine.english}.",
            f"{what.german} ist {fault.masculine.german}, aber {merit.masculine.german}.",
            f"{what.french} est {bad}, mais {good}.",
            f"{what.spanish} {verb} {malo}, pero {second}.",
        )
    )


def opinion(draws: Draws, person: Person, thing: Thing, _: Thing) -> Phrase:
    """Somebody thinks that a thing is too much of something."""
    who, what, excess = person.name, thing.name, draws.pick(EXCESSES)
    verb, malo = in_spanish(excess, thing)
    return opened(
        Phrase(
            f"{who.english} thinks that {what.english} is too {excess.masculine.english}.",
            f"{who.german} findet, dass {what.german} zu {excess.masculine.german} ist.",
            f"{who.french} trouve que {what.french} est trop {in_french(excess, thing)}.",
            f"{who.spanish} cree que {what.spanish} {verb} demasiado {malo}.",
        )
    )


def reason(draws: Draws, person: Person, thing: Thing, _: Thing) -> Phrase:
    """Somebody is in some state because of what they are doing."""
    who, what, state, verb = person.name, thing.name, draws.pick(STATES), draws.pick(BUSY_VERBS)
    she, sie, elle = ("she", "sie", "elle") if person.is_woman else ("he", "er", "il")
    return opened(
        Phrase(
            f"{who.english} {state.english} because {she} {verb.english} {what.english}.",
            f"{who.german} {state.german}, weil {sie} {thing.german_object} {verb.german}.",
            f"{who.french} {state.french} parce qu'{elle} {verb.french} {what.french}.",
            f"{who.spanish} {state.spanish} porque {verb.spanish} {what.spanish}.",
        )
    )


def opened(sentence: Phrase) -> Phrase:
    """The sentence with a capital letter in front."""
    return Phrase(*(text[:1].upper() + text[1:] for text in sentence))


def in_french(quality: Quality, thing: Thing) -> str:
    """The adjective, made to agree."""
    return (quality.feminine if thing.is_french_feminine else quality.masculine).french


def in_spanish(quality: Quality, thing: Thing) -> tuple[str, str]:
    """The verb that goes with the adjective, and the adjective, made to agree."""
    verb, adjective = (quality.feminine if thing.is_spanish_feminine else quality.masculine).spanish.split("|")
    return verb, adjective
