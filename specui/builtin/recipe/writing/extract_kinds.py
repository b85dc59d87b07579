"""What kinds of notes there are: their sentences, and what can be told from them; first half.

Slots: `{p1}` to `{p3}` people, `{t1}` to `{t3}` what they will do, `{d1}` to `{d3}` dates in their order, `{m1}` a
large sum of money, `{m2}` a middle one, `{m3}` a small one, `{town}` and `{town2}` places, `{firm}` a company.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of note; all its texts have places for words."""

    name: str
    """What a request calls it."""
    words: Mapping[str, Sequence[str]]
    """The kind's own slots, and what may stand there."""
    tasks: Sequence[str]
    """What people are to do, as infinitives."""
    sentences: Sequence[Sequence[str]]
    """For each sentence of the note the ways to say it."""
    summary: Sequence[str]
    """Two sentences that tell the most important facts."""
    facts: Sequence[tuple[str, str]]
    """Every date and amount in the order of the note, with what it means."""
    questions: Sequence[tuple[str, str]]
    """Questions that the note answers, with the answers."""
    deadlines: Sequence[str]
    """For each of the three people the slot of the date until when, or an empty text."""


def items(text: str) -> tuple[str, ...]:
    """The items of a list that is written in lines, with bars between them."""
    return tuple(" ".join(item.split()) for item in text.split("|"))


MEMO = Kind(
    name="memo",
    words={
        "work": items("""new roof of the library|repair of the old bridge|new bus line|new water main|bicycle path
            |extension of the school|new playground|solar roof of the town hall|flood wall|new sports hall
            |street lighting|repair of the pier"""),
        "reserve": items("""surprises|bad weather|extra materials|safety gear|overtime|a second crew
            |noise protection|rented machines"""),
    },
    tasks=items("""order the steel|draw the final plans|inform the neighbors|hire two crews|check the soil
            |apply for the permits|rent a crane|print the signs|write the safety plan|talk to the press
            |measure the site|choose the contractor|close the road|prepare the contracts"""),
    sentences=(
        (
            "Project {project}, the {work} in {town}, starts on {d1}.",
            "The {work} in {town}, known as project {project}, starts on {d1}.",
            "We can begin: project {project}, the {work} in {town}, starts on {d1}.",
        ),
        (
            "The town council has approved a budget of {m1}.",
            "The budget is {m1}, and it will not be raised.",
            "After a long debate the council agreed to a budget of {m1}.",
        ),
        (
            "Of this sum, {m2} is set aside for {reserve}.",
            "{m2} of it is reserved for {reserve}.",
        ),
        (
            "{p1} will {t1} by {d2}, so please send any wishes soon.",
            "{p1} has agreed to {t1} by {d2}.",
            "By {d2} {p1} will {t1}.",
        ),
        ("Meanwhile, {p2} will {t2}.", "{p2} will {t2} together with the town office."),
        (
            "{p3} will {t3} by {d3}, which is also the end of the first phase.",
            "The last step of the first phase is for {p3} to {t3} by {d3}.",
        ),
        (
            "Small costs of up to {m3} need no signature.",
            "Anyone may spend up to {m3} without asking.",
        ),
    ),
    summary=(
        "Project {project}, the {work} in {town}, starts on {d1} with a budget of {m1}.",
        "{p1} will {t1} by {d2}, and {p3} will {t3} by {d3}.",
    ),
    facts=(
        ("{d1}", "start of project {project}"),
        ("{m1}", "the budget"),
        ("{m2}", "set aside for {reserve}"),
        ("{d2}", "{p1} must {t1}"),
        ("{d3}", "{p3} must {t3}"),
        ("{m3}", "small costs that need no signature"),
    ),
    questions=(
        ("What is the budget of project {project}?", "The budget of project {project} is {m1}."),
        ("When does project {project} start?", "Project {project} starts on {d1}."),
        ("How much is set aside for {reserve}?", "{m2} is set aside for {reserve}."),
        ("What is project {project} about?", "Project {project} is the {work} in {town}."),
        ("How much may be spent without a signature?", "Up to {m3} may be spent without a signature."),
    ),
    deadlines=("d2", "", "d3"),
)

MEETING = Kind(
    name="meeting note",
    words={
        "club": items("""choir|rowing club|theatre group|chess club|parents' council|garden society
            |history society|brass band|book circle|cycling club|film club|sailing club|tennis club|hiking club"""),
        "plan": items("""the summer concert|the spring fair|the anniversary dinner|the open day|the winter market
            |the lantern parade|the charity run|the autumn festival|the members' trip|the big tournament"""),
        "buy": items("""new chairs|a better stage|two tents|printed posters|fresh paint|a sound system
            |new uniforms|a coffee machine|prizes|lights for the hall"""),
    },
    tasks=items("""book the hall|design the poster|invite the mayor|bake the cakes|collect the fees
            |borrow a trailer|write the program|call the newspaper|buy the drinks|set up the tables
            |find more helpers|rent the speakers|print the tickets|take the photos"""),
    sentences=(
        (
            "The {club} of {town} met on {d1} to talk about {plan}.",
            "On {d1} the {club} of {town} came together to plan {plan}.",
        ),
        (
            "There is {m1} in the bank, more than last year.",
            "The treasurer reported that there is {m1} in the bank.",
        ),
        (
            "The members agreed to spend {m2} on {buy}.",
            "After some discussion, {m2} was granted for {buy}.",
        ),
        ("{p1} will {t1} by {d2}.", "{p1} promised to {t1} by {d2}.", "By {d2} {p1} will {t1}."),
        ("{p2} will {t2}, as always.", "{p2} kindly offered to {t2}.", "It was agreed that {p2} will {t2}."),
        (
            "{p3} will {t3} by {d3}, the day of the next meeting.",
            "The next meeting is on {d3}, and {p3} will {t3} by then.",
        ),
        (
            "The yearly fee stays at {m3}, although some had asked for a lower one.",
            "Nobody wanted to change the yearly fee of {m3}.",
        ),
    ),
    summary=(
        "The {club} of {town} met on {d1} to plan {plan} and agreed to spend {m2} on {buy}.",
        "{p1} will {t1} by {d2}, and the next meeting is on {d3}.",
    ),
    facts=(
        ("{d1}", "the meeting of the {club}"),
        ("{m1}", "money in the bank"),
        ("{m2}", "to be spent on {buy}"),
        ("{d2}", "{p1} must {t1}"),
        ("{d3}", "the next meeting"),
        ("{m3}", "the yearly fee"),
    ),
    questions=(
        ("When did the {club} meet?", "The {club} met on {d1}."),
        ("How much will be spent on {buy}?", "{m2} will be spent on {buy}."),
        ("How much money is in the bank?", "There is {m1} in the bank."),
        ("When is the next meeting?", "The next meeting is on {d3}."),
        ("How high is the yearly fee?", "The yearly fee is {m3}."),
    ),
    deadlines=("d2", "", "d3"),
)

ORDER = Kind(
    name="order",
    words={
        "goods": items("""oak tables|folding chairs|desk lamps|wool blankets|garden benches|steel shelves
            |glass jars|winter coats|tea sets|tool boxes|paper lanterns|picture frames|rain barrels
            |office chairs|flower pots|canvas bags"""),
        "extra": items("""gift wrapping|insurance|express delivery|a spare set of screws|cleaning|assembly
            |a longer warranty|packing"""),
    },
    tasks=items("""pack the boxes|check the quality|call the customer|book the truck|print the labels
            |send the invoice|count the stock|sign the papers|load the truck|confirm the address
            |choose the colors|file the order|update the list|test a sample"""),
    sentences=(
        (
            "On {d1} {firm} in {town} ordered {n} {goods}.",
            "{firm} in {town} sent us an order for {n} {goods} on {d1}.",
            "A new order came in on {d1}: {firm} in {town} wants {n} {goods}.",
        ),
        (
            "The total price is {m1}, to be paid in one sum.",
            "We agreed on a total price of {m1}.",
        ),
        (
            "They paid {m2} in advance, and the rest follows on delivery.",
            "An advance of {m2} has already arrived.",
        ),
        ("{p1} will {t1} by {d2}.", "First of all, {p1} will {t1} by {d2}.", "{p1} was asked to {t1} by {d2}."),
        ("After that, {p2} will {t2}.", "{p2} will {t2} as soon as there is time."),
        ("{p3} will {t3}, too.", "It is up to {p3} to {t3}.", "In the end, {p3} will {t3}."),
        (
            "Everything must arrive by {d3}, and late delivery is not an option.",
            "The goods must be in {town} by {d3}.",
        ),
        ("For {extra} we charge another {m3}.", "The customer also pays {m3} for {extra}."),
    ),
    summary=(
        "{firm} in {town} ordered {n} {goods} on {d1} for a total of {m1}.",
        "{p1} will {t1} by {d2}, and everything must arrive by {d3}.",
    ),
    facts=(
        ("{d1}", "the day of the order"),
        ("{n} {goods}", "what was ordered"),
        ("{m1}", "the total price"),
        ("{m2}", "paid in advance"),
        ("{d2}", "{p1} must {t1}"),
        ("{d3}", "everything must arrive"),
        ("{m3}", "the charge for {extra}"),
    ),
    questions=(
        ("What did {firm} order?", "{firm} ordered {n} {goods}."),
        ("What is the total price?", "The total price is {m1}."),
        ("How much was paid in advance?", "{m2} was paid in advance."),
        ("By when must the goods arrive?", "The goods must arrive by {d3}."),
        ("How much does {extra} cost?", "The charge for {extra} is {m3}."),
        ("When was the order placed?", "The order was placed on {d1}."),
    ),
    deadlines=("d2", "", ""),
)
