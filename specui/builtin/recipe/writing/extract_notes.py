"""Notes to read: a kind of note with words in all its places."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from specui.builtin.recipe.writing.extract_kinds import Kind
from specui.builtin.recipe.writing.extract_words import (
    FAMILIES,
    FIRM_NAMES,
    FIRM_TRADES,
    MEN,
    MONTHS,
    PROJECTS,
    TOWNS,
    WOMEN,
)

if TYPE_CHECKING:
    from specui.builtin.recipe.writing.draws import Draws

FILLERS = (
    "Thank you all for the good work so far.",
    "If anything is unclear, just ask at the front desk.",
    "Please keep this note until everything is done.",
    "The weather was bad, but the mood was good.",
    "It took a while, but now the plan is clear.",
    "There were many questions and even more cookies.",
    "Everyone was glad that this is settled at last.",
    "So far nobody has complained.",
    "The details are in the blue folder.",
    "We have learned a lot from the last time.",
    "Nobody expects any trouble.",
    "This is all that we know at the moment.",
    "Please read it twice and tell the others.",
    "It sounds like a lot, but we have done harder things.",
)


@dataclass(frozen=True, slots=True)
class Note:
    """A note, and what its kind can tell of it."""

    kind: Kind
    words: Mapping[str, str]
    """What stands in each place of the kind's texts."""
    text: str

    def filled(self, template: str) -> str:
        """The template with the note's own words."""
        return template.format_map(self.words)

    def summary(self) -> str:
        """The note in two sentences."""
        return " ".join(self.filled(sentence) for sentence in self.kind.summary)

    def facts(self) -> str:
        """Every date and amount in the note's order, one a line."""
        return "\n".join(f"- {self.filled(value)}: {self.filled(meaning)}" for value, meaning in self.kind.facts)

    def people(self) -> str:
        """Who will do what, and by when where the note says so, one a line."""
        return "\n".join(f"- {self.words[p]} will {self.words[t]}{self._by(d)}." for p, t, d in self._tasks())

    def schedule(self) -> str:
        """Who does what until when, one a line."""
        return "\n".join(
            f"- {self.words[p]}: {self.words[t]} ({self._by(d).strip() or 'no date given'})"
            for p, t, d in self._tasks()
        )

    def questions(self) -> list[tuple[str, str]]:
        """Questions that the note answers, with their answers in full sentences."""
        own = [(self.filled(question), self.filled(answer)) for question, answer in self.kind.questions]
        who = [
            (f"Who will {self.words[t]}?", f"{self.words[p]} will {self.words[t]}{self._by(d)}.")
            for p, t, d in self._tasks()
        ]
        return own + who

    def _tasks(self) -> list[tuple[str, str, str]]:
        return [(f"p{number}", f"t{number}", date) for number, date in enumerate(self.kind.deadlines, start=1)]

    def _by(self, date: str) -> str:
        return f" by {self.words[date]}" if date else ""


def first_ways(kind: Kind, words: Mapping[str, str], last: str) -> Note:
    """The note of a kind that says everything in the first way, and `last` at its end."""
    return Note(kind, words, " ".join([*(ways[0].format_map(words) for ways in kind.sentences), last]))


def drawn_note(draws: Draws, kind: Kind) -> Note:
    """A note of the kind with drawn words, and one sentence that does not matter."""
    words = _drawn_words(draws, kind)
    sentences = [draws.pick(ways).format_map(words) for ways in kind.sentences]
    sentences.insert(draws.pick((0, 1, 3, len(sentences), len(sentences))), draws.pick(FILLERS))
    text = " ".join(sentence[0].upper() + sentence[1:] for sentence in sentences)
    return Note(kind, words, text)


def _drawn_words(draws: Draws, kind: Kind) -> dict[str, str]:
    names = _drawn_people(draws)
    dates = _drawn_dates(draws)
    sums = _drawn_sums(draws)
    town, town2 = draws.some(TOWNS, 2)
    words = {"town": town, "town2": town2, "n": str(draws.between(6, 96))}
    words["firm"] = f"{draws.pick(FIRM_NAMES)} {draws.pick(FIRM_TRADES)}"
    words["project"] = draws.pick(PROJECTS)
    for number, task in enumerate(draws.some(kind.tasks, 3)):
        words[f"t{number + 1}"] = task
        words[f"p{number + 1}"] = names[number]
        words[f"d{number + 1}"] = dates[number]
        words[f"m{number + 1}"] = sums[number]
    return words | {slot: draws.pick(choices) for slot, choices in kind.words.items()}


def _drawn_people(draws: Draws) -> list[str]:
    """Three different names, with or without the family's."""
    first = draws.some(WOMEN + MEN, 3)
    families = draws.some(FAMILIES, 3)
    if draws.often(0.3):
        return first
    return [f"{name} {family}" for name, family in zip(first, families, strict=True)]


def _drawn_dates(draws: Draws) -> list[str]:
    """Three dates of one year in their order."""
    day = draws.below(12 * 28 - 60)
    days = [day]
    for _ in range(2):
        day += draws.between(3, 28)
        days.append(day)
    is_day_first = draws.often(0.6)
    return [_date(day % 28 + 1, MONTHS[day // 28], is_day_first) for day in days]


def _date(day: int, month: str, is_day_first: bool) -> str:
    return f"{day} {month}" if is_day_first else f"{month} {day}"


def _drawn_sums(draws: Draws) -> list[str]:
    """A large, a middle and a small sum of money in one currency."""
    sums = (draws.between(22, 198) * 50, draws.between(12, 98) * 10, draws.between(2, 18) * 5)
    form = draws.pick(("${:,}", "${:,}", "{:,} euros", "{:,} euros", "{:,} pounds", "EUR {:,}"))
    return [form.format(one) for one in sums]
