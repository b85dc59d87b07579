"""Keys of one's own: what can be used is, and whatever cannot is said in a sentence and changes nothing."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import pytest

from specui.tui.keymap import EVERYWHERE, LIVE, REPLAY, SESSIONS, Command
from specui.tui.own_keys import checked_keys
from tests.tui.pilots import World, text_of, until

if TYPE_CHECKING:
    from pathlib import Path

EVERY = (*EVERYWHERE, *LIVE, *REPLAY, *SESSIONS)


@pytest.mark.parametrize(
    ("given", "called"),
    [
        ("f8", "f8"),
        (" f8 , f9,f8", "f8,f9"),
        ("F8", "f8"),
        ("?", "question_mark"),
        ("slash", "slash"),
        ("solidus", "slash"),
        ("shift+ctrl+left", "ctrl+shift+left"),
        ("Alt+z", "alt+z"),
        ("ctrl++", "ctrl+plus"),
        ("Z", "Z"),
        ("ß", "ß"),
        ("escape", "escape"),
        ("shift+f3", "shift+f3"),
    ],
)
def test_a_key_is_called_as_textual_hears_it(given: str, called: str) -> None:
    """However it was written."""
    assert ({"live.skip": called, "app.help": "f1"}, ()) == checked_keys({"live.skip": given, "app.help": "f1"})


@pytest.mark.parametrize("command", EVERY, ids=lambda command: command.id)
def test_our_own_keys_pass(command: Command) -> None:
    """Whoever writes down what is so already is not told of a problem."""
    assert ({command.id: command.keys}, ()) == checked_keys({command.id: command.keys})


@pytest.mark.parametrize(
    ("table", "words"),
    [
        ({"live.skp": "f8"}, "nothing is called 'live.skp'; did you mean live.skip"),
        ({"x\x1b[2J": "f8"}, "nothing is called"),
        ({"live.skip": 5}, "live.skip is 5, not a text"),
        ({"live.skip": ["f8"]}, "live.skip is ['f8'], not a text"),
        ({"live": {}}, "nothing is called 'live'"),
        ({"live.skip": ""}, "live.skip names an empty key"),
        ({"live.skip": ","}, "the comma is called comma"),
        ({"live.skip": "f8,"}, "live.skip names an empty key"),
        ({"live.skip": "f99"}, "no key is called 'f99'; did you mean f9"),
        ({"live.skip": "ctlr+f8"}, "no key is called 'ctlr+f8'; did you mean ctrl+f8"),
        ({"live.skip": "ctrl+"}, "no key is called 'ctrl+'"),
        ({"live.skip": "<any>"}, "no key is called '<any>'"),
        ({"live.skip": "\x1b"}, "no key is called"),
        ({"live.skip": "shift+g"}, "write what it types, such as 'G'"),
        ({"live.skip": "ctrl+m"}, "terminals send enter"),
        ({"live.skip": "ctrl+p"}, "ctrl+p, which finds everything"),
        ({"sessions.refresh": "up"}, "up, which moves about"),
        ({"live.skip": "x"}, "x is the key of live.stop"),
        ({"live.skip": "f8,t"}, "t is the key of app.theme"),
        ({"app.theme": "slash"}, "slash is the key of sessions.filter"),
        ({"app.theme": "/"}, "slash is the key of sessions.filter"),
    ],
)
def test_what_cannot_be_used_is_said_and_left_out(table: dict[str, object], words: str) -> None:
    """In one visible sentence that names the file."""
    usable, (problem,) = checked_keys(table)

    assert {} == usable
    assert problem.startswith("config.toml, [keys]: ")
    assert words in problem
    assert problem.isprintable()


def test_an_id_needs_no_quotes() -> None:
    """Without them it is a table within a table."""
    assert ({"live.skip": "f8", "app.quit": "f10"}, ()) == checked_keys(
        {"live": {"skip": "f8"}, "app": {"quit": "f10"}}
    )


def test_two_keys_can_change_places() -> None:
    """A key is free once its command is given another."""
    swapped: dict[str, object] = {"live.skip": "x", "live.stop": "n"}

    assert (swapped, ()) == checked_keys(swapped)


def test_the_same_key_does_for_screens_that_are_never_open_together() -> None:
    """`d` starts the demo in the list and may skip on the Live screen."""
    assert ({"live.skip": "d"}, ()) == checked_keys({"live.skip": "d"})


def test_of_two_that_want_one_key_the_first_gets_it() -> None:
    """The second keeps its own."""
    usable, problems = checked_keys({"live.skip": "f8", "live.mark": "f8"})

    assert {"live.skip": "f8"} == usable
    assert ["live.mark stays as it was, for f8 is the key of live.skip"] == [p[21:].partition(";")[0] for p in problems]


def test_one_that_is_left_out_takes_its_key_back() -> None:
    """So whatever counted on that key is left out, too."""
    usable, problems = checked_keys({"live.skip": "x", "live.stop": "q", "live.mark": "f8"})

    assert {"live.mark": "f8"} == usable
    assert ["live.stop", "live.skip"] == [p.split()[2] for p in problems]


def on_sessions(tmp_path: Path, keys: dict[str, Any], press: list[str], expected: str) -> None:  # Any: as in a file
    """Press some keys in the list of runs and wait for some words."""

    async def go() -> None:
        async with World(tmp_path / "runs").app(keys=keys).run_test(size=(120, 40), notifications=True) as pilot:
            await until(pilot, lambda: "the demo" in text_of(pilot.app.screen))
            await pilot.press(*press)
            await until(pilot, lambda: expected in text_of(pilot.app.screen))

    asyncio.run(go())


def test_a_problem_is_told_at_the_start(tmp_path: Path) -> None:
    """And the key that was in danger does what it did."""
    on_sessions(tmp_path, {"app.theme": "q"}, [], "app.theme stays as it was")
    on_sessions(tmp_path, {"app.help": "f99"}, ["question_mark"], "sessions.filter")


def test_keys_that_changed_places_are_heard(tmp_path: Path) -> None:
    """By Textual as by the check."""
    on_sessions(tmp_path, {"app.help": "slash", "sessions.filter": "question_mark"}, ["slash"], "sessions.filter")
    on_sessions(tmp_path, {"app.help": "slash", "sessions.filter": "question_mark"}, ["question_mark"], "words of the")
