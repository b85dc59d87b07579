"""Every key of every screen: its id, what it does, and how the footer and the help name it."""

from __future__ import annotations

from dataclasses import dataclass

from textual.binding import Binding


@dataclass(frozen=True, slots=True)
class Command:
    """Something a key does. `id` names it for whoever wants other keys."""

    id: str
    keys: str
    action: str
    description: str
    tooltip: str
    show: bool = True
    key_display: str | None = None
    priority: bool = False


EVERYWHERE: tuple[Command, ...] = (
    Command(
        "app.live", "2", "show_mode('live')", "Live", "The run that is open: live, watched or replayed", show=False
    ),
    Command("app.sessions", "4", "show_mode('sessions')", "Sessions", "Every run that was measured here"),
    Command("app.help", "question_mark", "help", "help", "The keys of this screen, and why some cannot be used now"),
    Command("app.theme", "t", "next_theme", "theme", "The next theme: dark, light, 16 colours, your own", show=False),
    Command(
        "app.quit",
        "q,ctrl+q",
        "leave",
        "quit",
        "Leave; a run that is going on is asked about, never ended unasked",
        key_display="q",
    ),
    Command("app.interrupt", "ctrl+c", "interrupt", "copy or quit", "Copies a selection, else leaves", show=False),
    Command(
        "app.suspend", "ctrl+z", "suspend_process", "suspend", "Back to the shell for a while; `fg` returns", show=False
    ),
)

LIVE: tuple[Command, ...] = (
    Command(
        "live.hold", "space", "hold", "freeze/play", "Holds the picture, or plays and pauses a replay", priority=True
    ),
    Command("live.skip", "n", "skip", "skip", "Leaves the current case; the next one starts"),
    Command("live.stop", "x", "stop", "stop", "Ends the run after asking once; what is measured stays"),
    Command("live.mark", "m", "mark", "mark", "Puts a named marker into the run, here and now"),
    Command("live.origin", "o", "origin", "origin", "Shades the answer by who made each token: drafter or target"),
    Command("live.formatted", "v", "formatted", "formatted", "The complete answer as Markdown", show=False),
    Command("live.notes", "w", "notes", "notes", "Failures, warnings and lost lines in full", show=False),
    Command("live.command", "y", "copy_command", "command", "Copies the command line that started the engine"),
)

REPLAY: tuple[Command, ...] = (
    Command("replay.back", "left", "seek(-5)", "−5 s", "Five seconds back", priority=True, key_display="←"),
    Command("replay.on", "right", "seek(5)", "+5 s", "Five seconds on", priority=True, key_display="→"),
    Command(
        "replay.previous", "shift+left,left_square_bracket", "jump('previous_request')", "previous request",
        "To where the request before was sent", priority=True, show=False, key_display="⇧←",
    ),
    Command(
        "replay.next", "shift+right,right_square_bracket", "jump('next_request')", "next request",
        "To where the next request was sent", priority=True, key_display="⇧→",
    ),
    Command("replay.step_back", "comma", "jump('previous_event')", "step back", "One event back", show=False),
    Command("replay.step", "full_stop", "jump('next_event')", "step", "One event on", show=False),
    Command("replay.faster", "plus,equals_sign", "faster", "faster", "Twice the speed", key_display="+"),
    Command("replay.slower", "minus", "slower", "slower", "Half the speed", show=False, key_display="-"),
    Command("replay.start", "g,home", "seek_to(0)", "start", "To the beginning", show=False, priority=True),
    Command("replay.end", "G,end", "seek_to(1)", "end", "To the end", show=False, priority=True),
    Command(
        "replay.previous_marker", "less_than_sign", "jump('previous_marker')", "previous marker",
        "To the marker before", show=False, key_display="<",
    ),
    Command(
        "replay.next_marker", "greater_than_sign", "jump('next_marker')", "next marker", "To the next marker",
        show=False, key_display=">",
    ),
)  # fmt: skip

SESSIONS: tuple[Command, ...] = (
    Command(
        "sessions.demo", "d", "demo", "run the demo", "Measures the built-in toys on the built-in engine: two minutes"
    ),
    Command("sessions.open", "enter", "open", "open", "Watches a living run, shows a finished one", show=False),
    Command(
        "sessions.filter",
        "slash",
        "filter",
        "filter",
        "Shows only the runs whose title or id holds some words",
        key_display="/",
    ),
    Command("sessions.refresh", "r", "refresh_list", "refresh", "Reads the folder of runs again", show=False),
)


ORDER: dict[str, int] = {
    command.id: place for place, command in enumerate((LIVE[0], *REPLAY, *LIVE[1:-1], *SESSIONS, *EVERYWHERE, LIVE[-1]))
}
"""How keys follow each other on the last line and in the help."""


def bindings(*groups: tuple[Command, ...]) -> list[Binding]:
    """The groups as Textual takes them."""
    return [
        Binding(
            c.keys, c.action, c.description, show=c.show, key_display=c.key_display, priority=c.priority,
            tooltip=c.tooltip, id=c.id,
        )
        for group in groups
        for c in group
    ]  # fmt: skip


def name_of(action: str) -> str:
    """The action's name without its arguments."""
    return action.partition("(")[0]
