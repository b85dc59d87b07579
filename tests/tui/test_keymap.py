"""Every key is named once, explained twice, and does something."""

from __future__ import annotations

import pytest

from specui.tui.app import SpecuiApp
from specui.tui.keymap import EVERYWHERE, LIVE, REPLAY, SESSIONS, Command, bindings, name_of
from specui.tui.screens.live import LiveScreen
from specui.tui.screens.sessions import SessionsScreen
from specui.tui.watching import ASKED_ACTIONS, LIVE_ACTIONS, REPLAY_ACTIONS

OWNERS = [(SpecuiApp, EVERYWHERE), (LiveScreen, LIVE), (LiveScreen, REPLAY), (SessionsScreen, SESSIONS)]
GROUPS = [group for _, group in OWNERS]
EVERY = [command for _, group in OWNERS for command in group]
LARGEST_DESCRIPTION = 16

every_command = pytest.mark.parametrize("command", EVERY, ids=lambda command: command.id)


def keys_of(*groups: tuple[Command, ...]) -> list[str]:
    """All keys of some groups."""
    return [key for group in groups for command in group for key in command.keys.split(",")]


def test_an_id_names_one_command() -> None:
    """Whoever wants other keys names it."""
    ids = [command.id for command in EVERY]

    assert sorted(set(ids)) == sorted(ids)


@every_command
def test_a_key_is_explained(command: Command) -> None:
    """In a word or two for the last line of the screen, and in a sentence for the help."""
    assert 0 < len(command.description) <= LARGEST_DESCRIPTION
    assert len(command.tooltip) > len(command.description)
    assert command.tooltip[0].isupper() or not command.tooltip[0].isalpha()
    assert not command.tooltip.endswith(".")


@pytest.mark.parametrize(("owner", "group"), OWNERS)
def test_a_key_does_something(owner: type[SpecuiApp | LiveScreen | SessionsScreen], group: tuple[Command, ...]) -> None:
    """Its action exists where it is bound."""
    assert [] == [c.id for c in group if not hasattr(owner, f"action_{name_of(c.action)}")]


@pytest.mark.parametrize("groups", [(EVERYWHERE, LIVE, REPLAY), (EVERYWHERE, SESSIONS)])
def test_a_key_does_one_thing(groups: tuple[tuple[Command, ...], ...]) -> None:
    """On one screen, the keys of everywhere included."""
    keys = keys_of(*groups)

    assert sorted(set(keys)) == sorted(keys)


def test_a_key_is_called_as_textual_calls_it() -> None:
    """`slash`, not `/`: a key of another name is never heard."""
    assert not {"/", "?", ".", ",", "<", ">", "+", "-", "=", " ", "[", "]", ""} & set(keys_of(*GROUPS))


def test_bindings_say_what_the_commands_say() -> None:
    """In their order, with id, description and tooltip."""
    made = bindings(LIVE, REPLAY)

    assert [(c.id, c.keys, c.action, c.description, c.tooltip, c.show) for c in (*LIVE, *REPLAY)] == [
        (b.id, b.key, b.action, b.description, b.tooltip, b.show) for b in made
    ]


def test_actions_that_are_asked_about_exist() -> None:
    """Those of a living run and of a replay are two sets."""
    names = {name_of(command.action) for command in (*LIVE, *REPLAY)}

    assert {name_of(command.action) for command in REPLAY} == REPLAY_ACTIONS
    assert set(ASKED_ACTIONS) <= names
    assert not REPLAY_ACTIONS & LIVE_ACTIONS


def test_an_action_has_a_name_without_its_arguments() -> None:
    """As the reasons are asked by."""
    assert ["seek", "hold", "jump"] == [name_of(action) for action in ("seek(-5)", "hold", "jump('next_event')")]
