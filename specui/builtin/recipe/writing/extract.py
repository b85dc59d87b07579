"""The category `extract`: a note is supplied, and what it says is listed, summed up or asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from specui.builtin.recipe.writing.extract_kinds import MEETING, MEMO
from specui.builtin.recipe.writing.extract_more_kinds import KINDS, REPAIR
from specui.builtin.recipe.writing.extract_notes import Note, drawn_note, first_ways

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from specui.builtin.recipe.writing.draws import Conversation, Draws

CORE_SUMMARY = "Read the note, then (1) summarise it in two sentences, (2) list every date and amount."
CORE_MEMO = first_ways(
    MEMO,
    {
        "project": "Kestrel",
        "work": "new roof of the library",
        "town": "Millbrook",
        "reserve": "bad weather",
        "p1": "Ingrid Hansen",
        "p2": "Omar Silva",
        "p3": "Clara Weber",
        "t1": "draw the final plans",
        "t2": "inform the neighbors",
        "t3": "order the steel",
        "d1": "3 March",
        "d2": "14 March",
        "d3": "9 April",
        "m1": "$8,450",
        "m2": "$720",
        "m3": "$40",
    },
    "The details are in the blue folder.",
)
CORE_QUESTION = (
    "Answer from the note in full sentences. How much does the repair cost? When did the bread oven break down? "
    "Which part is broken? Who will order the spare part?"
)
CORE_FOLLOW_UP = (
    "Now tell me: How much does the insurance pay? By when should it run again? What does each lost day cost? "
    "Who will clean the filter?"
)
CORE_REPAIR = first_ways(
    REPAIR,
    {
        "machine": "bread oven",
        "part": "control board",
        "firm": "Daybreak Bakery",
        "town": "Fairhaven",
        "p1": "Tobias Novak",
        "p2": "Lena Okafor",
        "p3": "Peter Walsh",
        "t1": "order the spare part",
        "t2": "clean the filter",
        "t3": "plan the extra shifts",
        "d1": "6 May",
        "d2": "11 May",
        "d3": "20 May",
        "m1": "1,350 euros",
        "m2": "480 euros",
        "m3": "90 euros",
    },
    "So far nobody has complained.",
)
CORE_PEOPLE = (
    "List the people named in this note and what each of them will do, one line each. Then summarise the note in two "
    "sentences."
)
CORE_MINUTES = first_ways(
    MEETING,
    {
        "club": "rowing club",
        "plan": "the summer concert",
        "town": "Stonebridge",
        "buy": "lights for the hall",
        "p1": "Judith Marsh",
        "p2": "Karim Fletcher",
        "p3": "Theo Lindqvist",
        "t1": "book the hall",
        "t2": "design the poster",
        "t3": "call the newspaper",
        "d1": "12 June",
        "d2": "24 June",
        "d3": "3 July",
        "m1": "2,600 pounds",
        "m2": "340 pounds",
        "m3": "25 pounds",
    },
    "There were many questions and even more cookies.",
)

CORE_TIMES = 24
CORE_NOTE_TIMES = 5
TIMES = 20
"""Conversations of each task."""

SUMMARIES_AND_LISTS = (
    CORE_SUMMARY,
    CORE_SUMMARY,
    "Summarise this note in two sentences, then list all dates and amounts.",
    "(1) Give me a summary of two sentences. (2) List every date and every amount in the note.",
    "Please read this {kind}, sum it up in two sentences and list its dates and amounts.",
)
LISTS = (
    "List every date and amount in this note.",
    "Which dates and amounts does this {kind} mention? Make a list.",
    "Find all dates and all amounts in the note and say what they stand for.",
    "Extract the dates and the amounts from this {kind}.",
)
SUMMARIES = (
    "Summarise this note in two sentences.",
    "Sum up this {kind} in two sentences, please.",
    "What is the most important part of this note? Two sentences are enough.",
    "Give me a short summary of this {kind}.",
)
PEOPLE_AND_SUMMARIES = (
    CORE_PEOPLE,
    CORE_PEOPLE,
    "List the people in this {kind} with their tasks, and then sum it up in two sentences.",
    "First list who does what, one line each, then summarise the note in two sentences.",
)
PEOPLE = (
    "List the people named in this note and what each of them will do, one line each.",
    "List all people in this {kind} and their tasks, one line each.",
    "Who does what? Make a list from this note.",
    "Which people does this note name, and what will they do?",
)
SCHEDULES = (
    "Who does what until when? Answer with a list.",
    "Make a list of the tasks in this note: who, what, by when.",
    "For each person in this {kind}, give the task and the deadline.",
)
QUESTIONS = (
    "Answer from the note in full sentences. {questions}",
    "Answer from the note in full sentences. {questions}",
    "Read the note and answer in full sentences. {questions}",
    "{questions} You will find the answers in this {kind}.",
    "I have some questions about this {kind}. {questions}",
)
MORE_QUESTIONS = (
    "Now tell me: {questions}",
    "Now tell me: {questions}",
    "More questions: {questions}",
    "Next: {questions}",
)
FOLLOW_UPS: dict[str, tuple[str, ...]] = {
    "facts": ("Now list every date and amount.", "Now list the dates and amounts, too."),
    "summary": ("Now summarise it in two sentences.", "Good. Now give me a summary in two sentences."),
    "people": ("Now list the people and what each of them will do.", "And who does what?"),
}


def conversations(draws: Draws) -> Iterator[Conversation]:
    """All conversations of the category, those of the three core prompts among them."""
    for _ in range(CORE_TIMES):
        yield _asked(CORE_SUMMARY, CORE_MEMO), _summary_and_list(CORE_MEMO)
        yield _core_questions()
        yield _asked(CORE_PEOPLE, CORE_MINUTES), _people_and_summary(CORE_MINUTES)
    for note in (CORE_MEMO, CORE_REPAIR, CORE_MINUTES):
        for _ in range(CORE_NOTE_TIMES):
            yield draws.pick(TASKS)(draws, note)
    for task in TASKS:
        for _ in range(TIMES):
            yield task(draws, drawn_note(draws, draws.pick(KINDS)))


def _asked(request: str, note: Note) -> str:
    return f"{request.replace('{kind}', note.kind.name)}\n\nNOTE: {note.text}"


def _core_questions() -> Conversation:
    begin, more = (_answered(text, CORE_REPAIR) for text in (CORE_QUESTION, CORE_FOLLOW_UP))
    return _asked(CORE_QUESTION, CORE_REPAIR), begin, CORE_FOLLOW_UP, more


def _answered(request: str, note: Note) -> str:
    """The answers to the note's own questions in a request, in its order."""
    asked = [(request.find(question), answer) for question, answer in note.questions() if question in request]
    return " ".join(answer for _, answer in sorted(asked))


def _summary_and_list(note: Note) -> str:
    return f"(1) {note.summary()}\n\n(2) Dates and amounts:\n{note.facts()}"


def _people_and_summary(note: Note) -> str:
    return f"{note.people()}\n\nSummary: {note.summary()}"


def _of_both(draws: Draws, note: Note) -> Conversation:
    return _asked(draws.pick(SUMMARIES_AND_LISTS), note), _summary_and_list(note)


def _of_facts(draws: Draws, note: Note) -> Conversation:
    return _asked(draws.pick(LISTS), note), f"Dates and amounts:\n{note.facts()}"


def _of_summary(draws: Draws, note: Note) -> Conversation:
    begin = (_asked(draws.pick(SUMMARIES), note), note.summary())
    return (*begin, draws.pick(FOLLOW_UPS["people"]), note.people()) if draws.often(0.5) else begin


def _of_people(draws: Draws, note: Note) -> Conversation:
    begin = (_asked(draws.pick(PEOPLE), note), note.people())
    return (*begin, draws.pick(FOLLOW_UPS["summary"]), note.summary()) if draws.often(0.4) else begin


def _of_people_and_summary(draws: Draws, note: Note) -> Conversation:
    return _asked(draws.pick(PEOPLE_AND_SUMMARIES), note), _people_and_summary(note)


def _of_schedule(draws: Draws, note: Note) -> Conversation:
    return _asked(draws.pick(SCHEDULES), note), note.schedule()


def _of_questions(draws: Draws, note: Note) -> Conversation:
    """Some questions at once, and then as many others or the list of facts."""
    count = draws.pick((2, 3, 3, 4))
    drawn = draws.some(note.questions(), 2 * count)
    asked, answer = _joined(drawn[:count])
    begin = (_asked(draws.pick(QUESTIONS).replace("{questions}", asked), note), answer)
    if draws.often(0.25):
        return (*begin, draws.pick(FOLLOW_UPS["facts"]), f"Dates and amounts:\n{note.facts()}")
    asked, answer = _joined(drawn[count:])
    return (*begin, draws.pick(MORE_QUESTIONS).replace("{questions}", asked), answer)


def _joined(pairs: Sequence[tuple[str, str]]) -> tuple[str, str]:
    """Questions in one line, and their answers in one."""
    return " ".join(question for question, _ in pairs), " ".join(answer for _, answer in pairs)


TASKS: Sequence[Callable[[Draws, Note], Conversation]] = (
    _of_both,
    _of_facts,
    _of_summary,
    _of_people,
    _of_schedule,
    _of_people_and_summary,
    _of_questions,
    _of_questions,
)
