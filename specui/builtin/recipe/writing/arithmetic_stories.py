"""Word problems with small numbers: boxes, savings, change, trips, sharing, recipes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from specui.builtin.recipe.writing.arithmetic_steps import NAMES, asked, counted, minus, numbered, plus, times

if TYPE_CHECKING:
    from specui.builtin.recipe.writing.draws import Conversation, Draws

GOODS = [
    "pens",
    "pencils",
    "apples",
    "oranges",
    "candles",
    "cups",
    "books",
    "eggs",
    "lemons",
    "rolls",
    "notebooks",
    "stamps",
]
DAYS = (("Monday", "Tuesday"), ("Friday", "Saturday"), ("Tuesday", "Thursday"))
CORE_BOXES = (
    "A shop gets 8 boxes with 12 pens each. It sells 35 pens on Monday and 27 pens on Tuesday. "
    "How many pens are left? Work in numbered steps."
)
BOXES = (
    "A shop gets {n} boxes with {m} {goods} each. It sells {a} {goods} on {first} and {b} {goods} on {second}. "
    "How many {goods} are left?",
    "There are {n} boxes of {m} {goods}. On {first} {a} {goods} are sold, on {second} {b} more. "
    "How many {goods} remain?",
    "{name} has {n} boxes with {m} {goods} in each and sells {a} {goods} on {first} and {b} on {second}. "
    "How many {goods} are left?",
)


def boxes_solution(count: int, each: int, sold: tuple[int, int], days: tuple[str, str], goods: str) -> str:
    """What is left of some boxes after two sales."""
    total, gone = count * each, sum(sold)
    thing = goods.capitalize()
    return numbered(
        [
            f"{thing} in all: {count} boxes with {each} {goods} each are {times(count, each)} {goods}.",
            f"{thing} sold: {sold[0]} on {days[0]} and {sold[1]} on {days[1]} are {plus(*sold)} {goods}.",
            f"{thing} left: {minus(total, gone)} {goods}.",
            f"Check: {plus(total - gone, gone)}.",
        ],
        f"{total - gone} {goods} are left." if total - gone != 1 else f"{counted(1, goods)} is left.",
    )


def boxes(draws: Draws) -> Conversation:
    """Boxes of goods, and two days of sales."""
    count, each, goods = draws.between(4, 12), draws.between(6, 12), draws.pick(GOODS)
    sold = (draws.between(5, count * each // 2 - 2), draws.between(5, count * each // 2 - 1))
    days = draws.pick(DAYS)
    words = draws.pick(BOXES).format(
        n=count, m=each, a=sold[0], b=sold[1], goods=goods, first=days[0], second=days[1], name=draws.pick(NAMES)
    )
    return asked(draws, words), boxes_solution(count, each, sold, days, goods)


def savings(draws: Draws) -> Conversation:
    """Money put aside every week, and what it is after some more weeks."""
    name, start = draws.pick(NAMES), draws.between(10, 60)
    weekly, weeks, more = draws.between(3, 12), draws.between(2, 6), draws.between(7, 12)
    words = draws.pick(
        (
            f"{name} has {start} euros and saves {weekly} euros a week. How much is it after {weeks} weeks?",
            f"{name} has {start} euros. Each week {name} saves {weekly} more. How much is it in {weeks} weeks?",
        )
    )
    again = draws.pick((f"And after {more} weeks?", f"Now {more} weeks.", f"What about {more} weeks?"))
    first, second = (saved(name, start, weekly, count) for count in (weeks, more))
    return (asked(draws, words), first, again, second) if draws.often(0.5) else (asked(draws, words), first)


def saved(name: str, start: int, weekly: int, weeks: int) -> str:
    """What savings come to."""
    return numbered(
        [
            f"Saved in {weeks} weeks: {times(weeks, weekly)} euros.",
            f"With the first {start} euros: {plus(start, weeks * weekly)} euros.",
        ],
        f"After {weeks} weeks {name} has {start + weeks * weekly} euros.",
    )


def change(draws: Draws) -> Conversation:
    """Two kinds of goods, paid with one note."""
    name, (goods, others) = draws.pick(NAMES), draws.some(GOODS, 2)
    count, price, more, cost = (draws.between(2, 6) for _ in range(4))
    total = count * price + more * cost
    note = 50 if total < 50 and draws.often(0.6) else 100
    words = (
        f"{name} buys {count} {goods} for {price} euros each and {more} {others} for {cost} euros each. "
        f"{name} pays with a {note} euro note. How much change is there?"
    )
    steps = [
        f"{goods.capitalize()}: {times(count, price)} euros.",
        f"{others.capitalize()}: {times(more, cost)} euros.",
        f"Together: {plus(count * price, more * cost)} euros.",
        f"Change: {minus(note, total)} euros.",
    ]
    return asked(draws, words), numbered(steps, f"{name} gets {note - total} euros back.")


def trip(draws: Draws) -> Conversation:
    """A way in two parts at two speeds."""
    vehicle = draws.pick(["train", "bus", "car", "cyclist", "van", "motorcycle"])
    fast, slow = (draws.between(1, 6) * 2 if vehicle == "cyclist" else draws.between(3, 12) * 10 for _ in range(2))
    long, short = draws.between(2, 5), draws.between(2, 4)
    words = draws.pick(
        (
            f"A {vehicle} travels {long} h at {fast} km/h and then {short} h at {slow} km/h. How far is that?",
            f"A {vehicle} goes at {fast} km/h for {long} h, then at {slow} km/h for {short} h. How long is the way?",
        )
    )
    steps = [
        f"First part: {long} h x {fast} km/h = {long * fast} km.",
        f"Second part: {short} h x {slow} km/h = {short * slow} km.",
        f"Together: {long * fast} km + {short * slow} km = {long * fast + short * slow} km.",
    ]
    return asked(draws, words), numbered(steps, f"The {vehicle} covers {long * fast + short * slow} km.")


def sharing(draws: Draws) -> Conversation:
    """Goods shared out, with a rest."""
    people, each, goods = draws.between(3, 12), draws.between(3, 12), draws.pick(GOODS)
    rest = draws.below(people)
    total = people * each + rest
    words = draws.pick(
        (
            f"{people} children share {total} {goods}. How many does each child get, and how many are left over?",
            f"Share {total} {goods} fairly among {people} children.",
            f"{people} children want to share {total} {goods} evenly. How many does each child get?",
        )
    )
    steps = [
        f"Find the largest product with {people} up to {total}: {times(people, each)}.",
        f"Left over: {minus(total, people * each)}.",
        f"So {total} : {people} = {each}, remainder {rest}.",
    ]
    return asked(draws, words), numbered(steps, f"Each child gets {each} {goods}, and {rest} {verb(rest)} left over.")


def verb(count: int) -> str:
    """'is' for one, 'are' for all else."""
    return "is" if count == 1 else "are"


def recipe(draws: Draws) -> Conversation:
    """A dish for more people than it was written for."""
    dish = draws.pick(["soup", "pancake", "cake", "salad", "pasta", "pizza"])
    thing = draws.pick(["eggs", "tomatoes", "spoons of sugar", "cups of flour", "cups of milk", "potatoes"])
    people, each, guests = draws.between(2, 6), draws.between(2, 6), draws.between(7, 12)
    words = draws.pick(
        (
            f"A {dish} recipe for {people} people needs {people * each} {thing}. How many for {guests} people?",
            f"For {people} people a {dish} recipe takes {people * each} {thing}. How many do I need for {guests}?",
        )
    )
    steps = [
        f"For one person: {people * each} : {people} = {each} {thing}.",
        f"For {guests} people: {times(guests, each)} {thing}.",
    ]
    return asked(draws, words), numbered(steps, f"For {guests} people you need {guests * each} {thing}.")


def bus(draws: Draws) -> Conversation:
    """People get on and off at two stops."""
    start, off, on = draws.between(20, 50), draws.between(3, 19), draws.between(3, 29)
    last = draws.between(2, 15)
    words = (
        f"There are {start} people on a {draws.pick(('bus', 'train', 'ferry'))}. At the first stop {off} get off and "
        f"{on} get on. At the second stop {last} get off. How many people are on board now?"
    )
    steps = [
        f"After {off} get off: {minus(start, off)}.",
        f"After {on} get on: {plus(start - off, on)}.",
        f"After {last} get off: {minus(start - off + on, last)}.",
    ]
    return asked(draws, words), numbered(steps, f"Now {start - off + on - last} people are on board.")


def garden(draws: Draws) -> Conversation:
    """Rows of plants in two beds."""
    plant, other = draws.some(["tulips", "roses", "carrots", "onions", "beans", "cabbages"], 2)
    rows, each, more, others = (draws.between(3, 12) for _ in range(4))
    words = (
        f"{draws.pick(NAMES)} plants {rows} rows of {each} {plant} and {more} rows of {others} {other}. "
        f"How many plants are there in all?"
    )
    steps = [
        f"{plant.capitalize()}: {times(rows, each)}.",
        f"{other.capitalize()}: {times(more, others)}.",
        f"Together: {plus(rows * each, more * others)}.",
    ]
    return asked(draws, words), numbered(steps, f"There are {rows * each + more * others} plants in all.")
