"""The toys' text: the same everywhere, large enough, clean, and right where it can be checked."""

from __future__ import annotations

import ast
import os
import re
import string
import subprocess
import sys
from collections import Counter
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from specui.builtin.recipe import text
from specui.builtin.recipe.rows import ROW_TOKENS, rendered
from specui.builtin.recipe.writing.draws import Draws
from specui.cli.places import Places
from specui.cli.planning import find_prompts

if TYPE_CHECKING:
    from collections.abc import Iterator

    from specui.builtin.recipe.rows import Weighed
    from specui.builtin.recipe.words import Tokenizer
    from specui.builtin.recipe.writing.draws import Conversation
    from specui.domain.plan import Prompt

ROOT = Path(__file__).parents[2]
CATEGORIES = ["structure", "edit", "code", "math", "extract", "translate", "chat", "prose"]
ALLOWED = {
    "\n",
    *string.printable[:95],
    *"ÄÖÜäöüß",
    *"ÀÂÇÈÉÊËÎÏÔÙÛŒŸàâçèéêëîïôùûüÿœ«»",
    *"ÁÉÍÑÓÚÜáéíñóúü¿¡",
}
POST = ("Hey, who are you and what are your capabilities?", "Sweet. How good are you at coding?")
NUMBER = r"\d+(?:/\d+)?"
SUM = rf"{NUMBER}(?: [-+x:] {NUMBER})*"
CHAIN = re.compile(rf"(?<![\d/]){SUM}(?: = {SUM})+(?!\d|/|, remainder)")
DIVISION_WITH_REMAINDER = re.compile(r"(\d+) : (\d+) = (\d+), remainder (\d+)")


@pytest.fixture(scope="module")
def core(tmp_path_factory: pytest.TempPathFactory) -> tuple[Prompt, ...]:
    """The prompts of core.toml as a plan gets them."""
    folder = tmp_path_factory.mktemp("home")
    return find_prompts("core", Places(folder / "config.toml", folder, folder, folder), folder).prompts


def test_the_same_seed_gives_the_same_text(written: dict[str, list[Conversation]]) -> None:
    """Nothing but the seed decides."""
    assert written == text.conversations()
    assert written != text.conversations(text.SEED + 1)


def test_another_process_gives_the_same_text(everything: list[Conversation]) -> None:
    """No order of a set or dictionary of texts gets into the text."""
    program = (
        "from specui.builtin.recipe import text\n"
        "print(text.digest([turn for c in text.conversations().values() for turns in c for turn in turns]))"
    )
    here = text.digest([turn for turns in everything for turn in turns])

    hash_seed = "1" if os.environ.get("PYTHONHASHSEED") != "1" else "2"
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=ROOT,
        env={**os.environ, "PYTHONHASHSEED": hash_seed},
        capture_output=True,
        text=True,
        check=True,
    )

    assert here == done.stdout.strip()


def test_every_category_is_large_enough(written: dict[str, list[Conversation]]) -> None:
    """All eight are there, and none is so small that the toys would hardly learn it."""
    sizes = {name: sum(len(turn) for turns in category for turn in turns) for name, category in written.items()}

    assert CATEGORIES == list(sizes)
    assert [] == [name for name, characters in sizes.items() if characters < 130_000]


def test_the_text_holds_only_letters_that_the_toys_need(everything: list[Conversation]) -> None:
    """ASCII, and what German, French and Spanish have beyond it."""
    assert set() == {letter for turns in everything for turn in turns for letter in turn} - ALLOWED


def test_no_line_ends_in_a_space(everything: list[Conversation]) -> None:
    """No turn begins or ends with empty space either."""
    turns = [turn for conversation in everything for turn in conversation]

    assert [] == [turn for turn in turns if turn != turn.strip()]
    assert [] == [line for turn in turns for line in turn.split("\n") if line != line.rstrip()]


def test_a_conversation_has_one_or_two_questions(everything: list[Conversation]) -> None:
    """Each is answered, and nobody says nothing."""
    assert {2, 4} == {len(turns) for turns in everything}
    assert [] == [turns for turns in everything if not all(turns)]


def test_every_conversation_fits_into_a_row(all_weighed: list[Weighed]) -> None:
    """So none is cut."""
    assert max(map(len, all_weighed)) <= ROW_TOKENS


def test_core_has_three_prompts_of_each_category(core: tuple[Prompt, ...]) -> None:
    """Twenty-four, each with a name of its own."""
    assert dict.fromkeys(CATEGORIES, 3) == Counter(prompt.category for prompt in core)
    assert 24 == len({prompt.id for prompt in core})


def test_the_toys_learn_every_core_prompt(core: tuple[Prompt, ...], written: dict[str, list[Conversation]]) -> None:
    """Each occurs in its own category, word for word with all its turns, often enough to be remembered."""
    times = {name: Counter(turns[::2] for turns in category) for name, category in written.items()}

    assert {} == {p.id: n for p in core if (n := times[str(p.category)][p.turns]) < 12}


def test_a_core_prompt_has_one_answer(core: tuple[Prompt, ...], everything: list[Conversation]) -> None:
    """Where there is a right one: advice comes in several words, and prose is never the same twice."""
    asked = {prompt.turns for prompt in core if prompt.category not in ("chat", "prose")}

    answers = {(turns[::2], turns[1::2]) for turns in everything if turns[::2] in asked}

    assert {1} == set(Counter(question for question, _ in answers).values())


def test_the_questions_of_the_post_are_answered_at_length(everything: list[Conversation], tokenizer: Tokenizer) -> None:
    """Both answers are long enough to measure a speed by."""
    answers = {turns[1::2] for turns in everything if turns[::2] == POST}

    assert answers
    assert min(len(tokenizer.encode(answer)) for both in answers for answer in both) >= 150


def test_code_compiles(written: dict[str, list[Conversation]], core: tuple[Prompt, ...]) -> None:
    """Every block of Python in the answers about code is one, those of the core prompts included."""
    measured = {prompt.turns for prompt in core if prompt.category == "code"}
    blocks = {turns[::2]: list(_python(turns)) for turns in written["code"]}

    assert all(blocks[turns] for turns in measured)
    assert [] == [block for found in blocks.values() for block in found if not _compiles(block)]


def test_sums_are_right(written: dict[str, list[Conversation]]) -> None:
    """Both sides of every equals sign between numbers come to the same."""
    lines = [line for turns in written["math"] for answer in turns[1::2] for line in answer.split("\n")]
    chains = [chain for line in lines for chain in CHAIN.findall(_without_units(line))]

    assert len(chains) > 2_000
    assert [] == [chain for chain in chains if len({_value(side) for side in chain.split(" = ")}) > 1]


def test_divisions_with_a_remainder_are_right(written: dict[str, list[Conversation]]) -> None:
    """The remainder is what is left, and smaller than the divisor."""
    answers = "\n".join(answer for turns in written["math"] for answer in turns[1::2])
    divisions = [tuple(map(int, numbers)) for numbers in DIVISION_WITH_REMAINDER.findall(answers)]

    assert divisions
    assert [] == [(a, b, q, r) for a, b, q, r in divisions if a != b * q + r or r >= b]


@pytest.mark.parametrize(
    ("line", "chains"),
    [
        ("1. Pens sold: 35 + 27 = 35 + 20 + 7 = 55 + 7 = 62 pens.", ["35 + 27 = 35 + 20 + 7 = 55 + 7 = 62"]),
        ("6. Time: 5/36 : 10/36 = 5/10 h = 30 min.", ["5/36 : 10/36 = 5/10 = 30/60"]),
        ("7. In all: 2 h + 3 h 12 min = 5 h 12 min.", ["2 + 192/60 = 312/60"]),
        ("Area: length x width = 7 m x 4 m = 28 square metres.", ["7 x 4 = 28"]),
        ("So 20 : 6 = 3, remainder 2.", []),
    ],
)
def test_a_line_is_read_as_sums(line: str, chains: list[str]) -> None:
    """The check above sees what stands there."""
    assert chains == CHAIN.findall(_without_units(line))


@settings(deadline=None)
@given(st.integers(0, 2**32), st.integers(1, 500), st.integers(-50, 50))
def test_draws_keep_their_bounds(seed: int, limit: int, least: int) -> None:
    """Both ends of `between` are included, the limit of `below` is not."""
    draws = Draws(seed)

    assert draws.below(limit) in range(limit)
    assert least <= draws.between(least, least + limit) <= least + limit
    assert least == draws.between(least, least)


def test_every_item_can_be_drawn() -> None:
    """The first and the last as well."""
    draws = Draws(1)

    assert {1, 2, 3} == {draws.between(1, 3) for _ in range(100)}
    assert set("abc") == {draws.pick("abc") for _ in range(100)}
    assert [False, True] == [draws.often(0.0), draws.often(1.0)]


@settings(deadline=None)
@given(st.integers(0, 2**32), st.lists(st.integers(), unique=True, max_size=30), st.data())
def test_some_items_are_different_ones(seed: int, items: list[int], data: st.DataObject) -> None:
    """No item is drawn twice, all come from the list, and the list stays as it is."""
    before = list(items)
    count = data.draw(st.integers(0, len(items)))

    drawn = Draws(seed).some(items, count)

    assert (count, True) == (len(set(drawn)), set(drawn) <= set(items))
    assert sorted(items) == sorted(Draws(seed).shuffled(items))
    assert before == items


def test_more_items_than_there_are_cannot_be_drawn() -> None:
    """A list that is too short is a mistake of the text's."""
    with pytest.raises(IndexError):
        Draws(1).some("ab", 3)


def test_the_same_seed_gives_the_same_draws() -> None:
    """In every version of Python, and so on every machine."""
    assert [14, 96, 14, 19, 99] == _hundreds(20261201)
    assert _hundreds(1) == _hundreds(1)
    assert _hundreds(1) != _hundreds(2)


def _hundreds(seed: int) -> list[int]:
    draws = Draws(seed)
    return [draws.below(100) for _ in range(5)]


def _python(turns: Conversation) -> Iterator[str]:
    for answer in turns[1::2]:
        yield from re.findall(r"^```python\n(.*?)^```", answer, re.DOTALL | re.MULTILINE)


def _compiles(block: str) -> bool:
    try:
        ast.parse(block)
    except SyntaxError:
        return False
    return True


def _without_units(line: str) -> str:
    """The line with durations in hours and without lengths and speeds, so that only numbers stand in its sums."""
    line = re.sub(r"(\d+) h (\d+) min", lambda found: f"{int(found[1]) * 60 + int(found[2])}/60", line)
    line = re.sub(r"(\d+) min\b", r"\1/60", line)
    return re.sub(r"(?<=\d) (?:km/h|km|cm|m|h)\b", "", line)


def _value(side: str) -> Fraction:
    """What a side of an equals sign comes to, worked from the left: no side mixes + or - with x or :."""
    first, *rest = side.split(" ")
    value = Fraction(first)
    for sign, number in zip(rest[::2], rest[1::2], strict=True):
        match sign:
            case "+":
                value += Fraction(number)
            case "-":
                value -= Fraction(number)
            case "x":
                value *= Fraction(number)
            case _:
                value /= Fraction(number)
    return value


def test_the_card_names_the_text_that_the_toys_learnt(everything: list[Conversation]) -> None:
    """Whoever changes the text has to train anew: the weights come from this one alone."""
    card = (ROOT / "specui" / "builtin" / "data" / "README.md").read_text()
    digest = text.digest([rendered(conversation) for conversation in everything])

    assert f"SHA-256 `{digest[:16]}`" in card
