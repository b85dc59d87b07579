"""The keys that a user set, checked: what can be used, and a sentence for each that cannot."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.keys import (  # the private one: how a typed sign is called
    REPLACED_KEYS,
    Keys,
    _character_to_key,
    key_to_character,
)

from specui.domain.text import one_line
from specui.tui.keymap import EVERYWHERE, LIVE, REPLAY, SESSIONS, Command

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

TOGETHER: tuple[tuple[Command, ...], ...] = ((*EVERYWHERE, *LIVE, *REPLAY), (*EVERYWHERE, *SESSIONS))
"""Commands whose keys are heard at the same time."""
COMMANDS: dict[str, Command] = {command.id: command for group in TOGETHER for command in group}
MODIFIERS = frozenset({"alt", "ctrl", "hyper", "meta", "shift", "super"})
NAMED = frozenset(k.value for k in Keys if k.value[0] != "<" and not {"+", "-"} & set(k.value)) - {"return"}
"""Keys that type nothing, and those whose sign cannot be seen."""
SENT_AS = {"ctrl+i": "tab", "ctrl+m": "enter", "ctrl+h": "backspace", "ctrl+left_square_bracket": "escape"}
"""What a terminal sends for a key that it has no other bytes for."""
PALETTE = "ctrl+p"
MOVING = frozenset(
    {"up", "down", "left", "right", "home", "end", "pageup", "pagedown", "enter", "tab", "shift+tab"}
)  # fmt: skip
"""Taken by the list or the answer, which have the focus; only a command that comes before them can have one."""


def checked_keys(table: Mapping[str, object]) -> tuple[dict[str, str], tuple[str, ...]]:
    """The usable entries of a table of keys by id, called as Textual calls them, and a sentence a problem.

    An entry with a problem is left out as a whole, so that no key of ours is lost without a word.
    """
    usable: dict[str, tuple[str, ...]] = {}
    problems: list[str] = []
    for name, value in _flat(table):
        try:
            usable[name] = _keys(name, value)
        except ValueError as error:
            problems.append(f"config.toml, [keys]: {error}")
    while (clash := _first_clash(usable)) is not None:
        name, key, other = clash
        del usable[name]
        problems.append(
            f"config.toml, [keys]: {name} stays as it was, for {key} is the key of {other}; give that one another, too"
        )
    return {name: ",".join(keys) for name, keys in usable.items()}, tuple(problems)


def _flat(table: Mapping[str, object], before: str = "") -> Iterator[tuple[str, object]]:
    """The entries; an id without quotes is a table within a table to TOML."""
    for name, value in table.items():
        if isinstance(value, dict) and value:
            yield from _flat(value, f"{before}{name}.")
        else:
            yield f"{before}{name}", value


def _keys(name: str, value: object) -> tuple[str, ...]:
    """The keys of one entry. Raises ValueError with what is wrong."""
    if name not in COMMANDS:
        raise ValueError(f"nothing is called {_shown(name)}{_near(name, COMMANDS)}; ? on each screen shows the ids")
    if not isinstance(value, str):
        raise ValueError(f'{name} is {_shown(value)}, not a text such as "f8" or "f8,x"')
    keys = tuple(dict.fromkeys(_key(name, word.strip()) for word in value.split(",")))
    command = COMMANDS[name]
    for key in keys:
        if key == PALETTE or (key in MOVING and not command.priority and key not in command.keys.split(",")):
            does = "finds everything" if key == PALETTE else "moves about on the screen"
            raise ValueError(f"{name} cannot have {key}, which {does}")
    return keys


def _key(name: str, word: str) -> str:
    """A key as Textual calls it. Raises ValueError where there is none."""
    if not word:
        raise ValueError(f"{name} names an empty key (the comma is called comma, the space bar space)")
    *modifiers, base = [word] if len(word) == 1 else word.replace("++", "+plus").split("+")
    called = _base(base)
    held = sorted({modifier.lower() for modifier in modifiers})
    if called is None or not MODIFIERS.issuperset(held):
        raise ValueError(f"{name}: no key is called {_shown(word)}{_near(word.lower(), _names())}")
    if held == ["shift"] and key_to_character(called) not in (None, " "):
        raise ValueError(f"{name}: no key is called {_shown(word)}: write what it types, such as {called.upper()!r}")
    key = "+".join((*held, called))
    if key in SENT_AS:
        raise ValueError(f"{name} cannot have {key}, for which terminals send {SENT_AS[key]}")
    return key


def _base(word: str) -> str | None:
    """A key without its modifiers."""
    if len(word) != 1 and word.lower() in NAMED:
        return word.lower()
    character = word if len(word) == 1 else key_to_character(word.lower())
    if character is not None and character.isprintable():
        return _character_to_key(character)
    return word.lower() if word.lower() in REPLACED_KEYS else None


def _first_clash(usable: dict[str, tuple[str, ...]]) -> tuple[str, str, str] | None:
    """An entry, its key, and the command that has that key already; of two entries the later one is named."""
    for name in reversed(usable):
        for group in TOGETHER:
            if COMMANDS[name] not in group:
                continue
            for other in group:
                taken = usable.get(other.id) or tuple(other.keys.split(","))
                both = [key for key in usable[name] if key in taken]
                if other.id != name and both:
                    return name, both[0], other.id
    return None


def _names() -> Iterable[str]:
    return sorted(NAMED | {f"{m}+{k}" for m in ("ctrl", "shift", "alt") for k in NAMED})


def _near(word: str, known: Iterable[str]) -> str:
    """The nearest names, as the end of a sentence."""
    import difflib  # only whoever mistyped something waits for it

    near = difflib.get_close_matches(word, list(known), 3, 0.5)
    return f"; did you mean {' or '.join(near)}?" if near else ""


def _shown(value: object) -> str:
    return one_line(repr(value), 60)
