"""What a watched run is doing, in a word, and why a key cannot be used on it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from specui.domain import live
from specui.tui.feeds import ReplayFeed
from specui.tui.pictures.notes import notes

if TYPE_CHECKING:
    from specui.domain.run import Run
    from specui.journal.wishes import What
    from specui.tui.feeds import Feed

WORDS: dict[str, str] = {
    "running": "● running",
    "held": "◆ held",
    "paused": "‖ paused",
    "finished": "✓ finished",
    "failed": "✗ failed",
    "stopped": "■ stopped",
}


REPLAY_ACTIONS = frozenset({"seek", "jump", "faster", "slower", "seek_to"})
LIVE_ACTIONS = frozenset({"skip", "stop", "mark"})
ASKED_ACTIONS = (*LIVE_ACTIONS, "copy_command", "formatted", "notes")
"""What the last line shows as usable or not."""

SAID: dict[What, str] = {
    "skip": "The case is being left.",
    "stop": "The run is being ended.",
    "mark": "The marker is being put.",
}
"""What is told when a wish was left."""


def state_word(run: Run, *, is_living: bool, is_frozen: bool, feed: Feed | None) -> str:
    """A sign and a word for what a run does; a replayed one shows what it did at that moment."""
    if feed is None:
        return ""
    if is_frozen:
        return "◇ frozen"
    if run.progress == "running" and not is_living:
        is_over = not isinstance(feed, ReplayFeed) or (feed.replay.is_whole and feed.playhead.is_at_end)
        return "✗ broke off" if is_over else WORDS["running"]
    return WORDS[run.progress]


def reason_against(action: str, run: Run, feed: Feed | None, *, is_living: bool) -> str | None:
    """Why a key of the Live screen cannot be used now, in one sentence; None where it can."""
    if feed is None:
        return "No run is open: choose one in Sessions (4)."
    is_replay = isinstance(feed, ReplayFeed)
    state, request = live.current_case(run), live.current_request(run)
    match action:
        case "skip" | "stop" | "mark" if is_replay:
            return "This is a saved run: only a living one can be skipped, stopped or marked."
        case "skip" | "stop" | "mark" if not is_living:
            return "The run has ended: there is nothing to skip, stop or mark."
        case "skip" if state is None or state.progress != "running":
            return "No case is at work at this moment."
        case "seek" | "jump" | "faster" | "slower" | "seek_to" if not is_replay:
            return "This run is watched live: open it from Sessions once it has ended to replay it."
        case "copy_command" if state is None or not state.argv:
            return "No engine has been started yet, so there is no command line."
        case "formatted" if request is None or request.finished is None:
            return "The answer is not complete yet: Markdown is laid out once, at its end."
        case "notes" if not notes(run):
            return "There is nothing to note about this run so far."
        case _:
            return None
