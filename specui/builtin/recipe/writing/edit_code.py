"""Short code in which one name is given anew, and all of it comes back."""

from __future__ import annotations

from string import Template
from typing import TYPE_CHECKING

from specui.builtin.recipe.writing.edit_snippets import FUNCTIONS, ITEMS, LISTS, SNIPPETS, VALUES

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from specui.builtin.recipe.writing.draws import Conversation, Draws

CORE_REQUEST = "Rename the function `total` to `sum_of_prices` in this code and return all of it:"
CORE_CODE = Template("""\
```python
def $function(prices):
    result = 0
    for price in prices:
        result += price
    return result


def report(prices):
    print("Items:", len(prices))
    print("Total:", $function(prices))
    print("Mean:", $function(prices) / len(prices))
```""")

CORE_TIMES = 24
OTHER_TIMES = 80

REQUESTS = (
    "Rename the {kind} `{old}` to `{new}` in this code and return all of it:",
    "Rename the {kind} `{old}` to `{new}` in this code and return all of it:",
    "Rename {old} to {new} in the following code and change nothing else:",
    "Please give the {kind} `{old}` the name `{new}` everywhere and show me the whole code:",
    "In this snippet, call the {kind} `{new}` instead of `{old}`. Return the full code.",
    "Replace the name `{old}` by `{new}` in this code:",
    "I want `{old}` to be called `{new}`. Change that and leave the rest alone:",
)
FOLLOW_UPS = (
    "Now rename the {kind} `{old}` to `{new}` as well.",
    "Now also rename `{old}` to `{new}`.",
    "Now rename `{old}` to `{new}`.",
    "Good. Please rename the {kind} `{old}` to `{new}`, too.",
)
WORDS: dict[str, Sequence[str]] = {
    "function": FUNCTIONS,
    "caller": FUNCTIONS,
    "list": LISTS,
    "item": ITEMS,
    "value": VALUES,
}
KINDS = {"function": "function", "caller": "function", "list": "variable", "item": "variable", "value": "variable"}
LONGEST_FOR_TWO_TURNS = 300
"""Characters of a snippet that may be shown three times in one conversation."""


def conversations(draws: Draws) -> Iterator[Conversation]:
    """Conversations about code: those of the core prompt and others."""
    for _ in range(CORE_TIMES):
        question = f"{CORE_REQUEST}\n\n{CORE_CODE.substitute(function='total')}"
        yield question, CORE_CODE.substitute(function="sum_of_prices")
    for _ in range(OTHER_TIMES):
        yield _renamed(draws)


def _renamed(draws: Draws) -> Conversation:
    code = draws.pick(SNIPPETS)
    names = _drawn_names(draws)
    slots = draws.shuffled([slot for slot in WORDS if f"${slot}" in code.template])
    before = code.substitute(names)
    request, names = _name_given(draws, REQUESTS, names, slots[0])
    begin = (f"{request}\n\n{before}", code.substitute(names))
    if len(before) > LONGEST_FOR_TWO_TURNS or draws.often(0.6):
        return begin
    request, names = _name_given(draws, FOLLOW_UPS, names, slots[1])
    return (*begin, request, code.substitute(names))


def _name_given(draws: Draws, requests: Sequence[str], names: dict[str, str], slot: str) -> tuple[str, dict[str, str]]:
    new = draws.pick([word for word in WORDS[slot] if word not in names.values()])
    request = draws.pick(requests).format(kind=KINDS[slot], old=names[slot], new=new)
    return request, {**names, slot: new}


def _drawn_names(draws: Draws) -> dict[str, str]:
    function, caller = draws.some(FUNCTIONS, 2)
    drawn = {slot: draws.pick(WORDS[slot]) for slot in ("list", "item", "value")}
    return {"function": function, "caller": caller, **drawn}
