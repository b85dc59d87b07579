"""Requests to give the user's own words another shape: a list, JSON or a table."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from specui.builtin.recipe.writing.structure_data import markdown_table

if TYPE_CHECKING:
    from collections.abc import Iterator

    from specui.builtin.recipe.writing.draws import Conversation, Draws

_COPIES = 30


def _parts(text: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in text.split("|"))


_THINGS = _parts(
    """apples|pears|bread|butter|cheese|eggs|milk|rice|pasta|onions|carrots|tomatoes|potatoes|lemons|honey|coffee|tea|
    sugar|salt|flour|soap|candles|matches|batteries|paper|pencils|scissors|string|tape|nails|hammer|screws|paint|
    brushes|gloves|boots|socks|tent|rope|map|compass|lamp|blanket|pillow|towel|camera|charger|cable|notebook|
    umbrella|water bottle|sunscreen|first aid kit|sleeping bag|toothbrush|passport|train ticket|house keys"""
)
_TASKS = _parts(
    """water the plants|call the bank|buy stamps|clean the kitchen|write the report|pay the rent|feed the cat|
    book the flight|fix the bike|read the contract|send the invoice|wash the car|bake a cake|answer the letter|
    order new paper|check the backup|update the website|plan the meeting|return the books|pack the suitcase"""
)
_PEOPLE = _parts(
    "Anna|Ben|Clara|David|Emma|Felix|Grace|Hugo|Ida|Jonas|Kira|Leo|Maria|Noah|Olga|Paul|Rosa|Simon|Tara|Victor"
)
_CITIES = _parts("Graz|Lyon|Porto|Oslo|Bergen|Turin|Leeds|Bonn|Ghent|Munich|Krakow|Riga|Seville|Boston|Denver")
_JOBS = _parts("baker|nurse|teacher|pilot|lawyer|farmer|painter|doctor|driver|cook|singer|editor")

_LIST_WORDINGS = {
    "numbered": ("Make a numbered list of these: {items}.", "Turn this into a numbered list: {items}."),
    "bullets": ("Make a bullet list of these: {items}.", "Put these into a list with bullets: {items}."),
    "checklist": ("Make a checklist: {items}.", "Turn this into a Markdown checklist: {items}."),
    "json": ("Turn this into a JSON array: {items}.", "Make a JSON array of strings from these: {items}."),
}
_RECORD_WORDINGS = {
    "json": (
        "Turn this into JSON, one object per person:\n{records}",
        "Convert these lines to a JSON array of objects:\n{records}",
        "Make JSON from this:\n{records}",
    ),
    "table": (
        "Turn this into a Markdown table:\n{records}",
        "Make a table from these lines:\n{records}",
        "Put this into a table:\n{records}",
    ),
}
_FORM_WORDINGS = ("Turn this into a JSON object:\n{lines}", "Convert to JSON:\n{lines}", "Write this as JSON:\n{lines}")


def copy_conversations(draws: Draws) -> Iterator[Conversation]:
    """Documents whose answers hold the user's own material in another shape."""
    for _ in range(_COPIES):
        yield _items(draws)
        yield _records(draws)
        yield _form(draws)


def _items(draws: Draws) -> Conversation:
    items = draws.some(draws.pick((_THINGS, _TASKS)), draws.between(5, 8))
    shape = draws.pick(tuple(_LIST_WORDINGS))
    return draws.pick(_LIST_WORDINGS[shape]).format(items=", ".join(items)), _shaped(items, shape)


def _shaped(items: list[str], shape: str) -> str:
    if shape == "json":
        return json.dumps(items)
    marks = {"numbered": "{n}. ", "bullets": "- ", "checklist": "- [ ] "}
    return "Here is the list:\n\n" + "\n".join(marks[shape].format(n=n) + item for n, item in enumerate(items, 1))


def _records(draws: Draws) -> Conversation:
    count = draws.between(3, 5)
    columns = (draws.some(_PEOPLE, count), draws.some(_JOBS, count), draws.some(_CITIES, count))
    rows = [list(row) for row in zip(*columns, strict=True)]
    records = "\n".join(", ".join(row) for row in rows)
    as_json, as_table = _json(rows), "Here is the table:\n\n" + markdown_table(["name", "job", "city"], rows)
    if draws.often(0.5):
        question = draws.pick(_RECORD_WORDINGS["table"]).format(records=records)
        return (question, as_table, "Now as JSON.", as_json) if draws.often(0.4) else (question, as_table)
    question = draws.pick(_RECORD_WORDINGS["json"]).format(records=records)
    return (question, as_json, "Now as a table.", as_table) if draws.often(0.4) else (question, as_json)


def _json(rows: list[list[str]]) -> str:
    objects = (json.dumps(dict(zip(("name", "job", "city"), row, strict=True))) for row in rows)
    return "[\n" + ",\n".join("  " + each for each in objects) + "\n]"


def _form(draws: Draws) -> Conversation:
    values: dict[str, str | int] = {
        "name": draws.pick(_PEOPLE),
        "age": draws.between(19, 79),
        "job": draws.pick(_JOBS),
        "city": draws.pick(_CITIES),
    }
    lines = "\n".join(f"{key}: {value}" for key, value in values.items())
    return draws.pick(_FORM_WORDINGS).format(lines=lines), json.dumps(values, indent=2)
