"""The Live screen: a run as it happens, watched or replayed; the same picture for the same facts."""

from __future__ import annotations

import shlex
from dataclasses import replace
from typing import TYPE_CHECKING, ClassVar

from textual import work
from textual.containers import Horizontal
from textual.message import Message
from textual.reactive import reactive
from textual.widgets import Static

from specui.domain import live
from specui.domain.errors import JournalError, SpecuiError, UsageError
from specui.domain.run import Run
from specui.domain.text import one_line
from specui.tui.feeds import Feed, ReplayFeed, TailFeed
from specui.tui.keymap import LIVE, REPLAY, bindings
from specui.tui.pace import is_terminal_behind, pace_s
from specui.tui.pictures.headline import so_far
from specui.tui.pictures.notes import has_failures, note_line, notes
from specui.tui.pictures.rows import outside
from specui.tui.screens.base import BaseScreen
from specui.tui.watching import ASKED_ACTIONS, LIVE_ACTIONS, REPLAY_ACTIONS, SAID, reason_against, state_word
from specui.tui.widgets.answer import AnswerText
from specui.tui.widgets.head import Head
from specui.tui.widgets.key_line import KeyLine
from specui.tui.widgets.panels import (
    AcceptancePanel,
    LinePicture,
    MachinePanel,
    QuestionLine,
    StepCostPanel,
    ThroughputPanel,
)
from specui.tui.widgets.transport import Transport

if TYPE_CHECKING:
    from textual.app import ComposeResult
    from textual.binding import BindingType
    from textual.timer import Timer

    from specui.journal.wishes import What
    from specui.tui.services import Opened, Services

LEAST_WIDTH, LEAST_HEIGHT = 60, 20
LATER_S = 0.25
"""When a picture is tried again that was left out because the terminal was behind."""


class LiveScreen(BaseScreen):
    """One open run. Many methods, for each of its keys has one; all of them only pass a wish on."""

    BINDINGS: ClassVar[list[BindingType]] = [*bindings(LIVE, REPLAY)]
    HORIZONTAL_BREAKPOINTS = [(0, "-tiny"), (LEAST_WIDTH, "-narrow"), (100, "-wide")]  # noqa: RUF012 (Textual declares it an instance's)
    VERTICAL_BREAKPOINTS = [(0, "-flat"), (LEAST_HEIGHT, "-short"), (32, "-middle"), (50, "-tall")]  # noqa: RUF012 (as above)

    run_state: reactive[Run] = reactive(Run, init=False, repaint=False)
    word: reactive[str] = reactive("", init=False, repaint=False)
    has_lens: reactive[bool] = reactive(True, init=False, repaint=False)

    class Failed(Message):
        """A run cannot be read."""

        def __init__(self, opened: Opened, error: SpecuiError) -> None:
            super().__init__()
            self.opened = opened
            self.error = error

    def __init__(self, services: Services, opened: Opened | None = None) -> None:
        super().__init__(id="live")
        self._services = services
        self._opened: Opened | None = None
        self._feed: Feed | None = None
        self._latest = Run()
        self._has_ended = False
        self._is_frozen = False
        self._transport = Transport(id="transport")
        self._later: Timer | None = None
        self._allowed: dict[str, bool] = {}
        """Which keys the last line shows as usable: it is made anew only where that changes."""
        if opened is not None:
            self._take(opened)  # before anything is drawn: each later change of a class styles the screen again

    def compose(self) -> ComposeResult:
        """Lines and panels from the top down; the stylesheet leaves out what does not fit."""
        yield Head(id="head").data_bind(LiveScreen.run_state, LiveScreen.word)
        with Horizontal(id="upper"):
            yield ThroughputPanel(id="throughput").data_bind(LiveScreen.run_state)
            yield AcceptancePanel(id="acceptance").data_bind(LiveScreen.run_state)
        with Horizontal(id="lower"):
            yield StepCostPanel(id="step-cost").data_bind(LiveScreen.run_state)
            yield MachinePanel(id="machine").data_bind(LiveScreen.run_state)
        yield QuestionLine(id="question").data_bind(LiveScreen.run_state, LiveScreen.has_lens)
        yield AnswerText(id="answer").data_bind(LiveScreen.run_state, LiveScreen.has_lens)
        yield self._transport
        yield LinePicture(lambda run, width: [note_line(run, width)], id="note").data_bind(LiveScreen.run_state)
        yield LinePicture(lambda run, width: [so_far(run, width)], id="so-far").data_bind(LiveScreen.run_state)
        yield Static("", id="too-small", markup=False)
        yield KeyLine(id="keys")

    def on_mount(self) -> None:
        """The answer has the focus: its arrows scroll."""
        self.query_one(AnswerText).focus()
        if self._feed is not None:
            self.call_after_refresh(self._follow, self._feed)  # the first paint does not wait for the file

    def on_resize(self) -> None:
        """Where the terminal is too small, that is all that is shown."""
        width, height = self.size
        if width >= LEAST_WIDTH and height >= LEAST_HEIGHT:
            return
        self.query_one("#too-small", Static).update(
            f"specui needs {LEAST_WIDTH}×{LEAST_HEIGHT} cells; this terminal has {width}×{height}"
        )

    def on_screen_resume(self) -> None:
        """What happened meanwhile is shown at once."""
        self._show()

    def open(self, opened: Opened) -> None:
        """Look at another run from now on."""
        self._take(opened)
        if self.is_mounted and self._feed is not None:
            self._follow(self._feed)
            self.refresh_bindings()

    def _take(self, opened: Opened) -> None:
        self._opened, self._has_ended, self._is_frozen = opened, False, False
        period = pace_s(Run(), self._services.refresh_hz, is_living=opened.is_living, is_focused=True)
        if opened.is_living and opened.folder is not None:
            self._feed = TailFeed(opened.folder, period)
        else:
            self._feed = ReplayFeed(opened.path, period, speed=opened.speed, at_end=opened.at_end)
        self.set_class(isinstance(self._feed, ReplayFeed), "-replay")
        self.set_class(not self._services.moves_charts, "-slow")
        self._latest = Run()

    @property
    def living(self) -> Opened | None:
        """The run that is watched, as long as it lives."""
        return self._opened if self._opened and self._opened.is_living and not self._has_ended else None

    @work(exclusive=True, group="feed")
    async def _follow(self, feed: Feed) -> None:
        """The run of every moment, until nothing more can come."""
        try:
            async for run in feed.states():
                self._latest = run
                self._show()
                if isinstance(feed, TailFeed):
                    feed.keep_pace(
                        pace_s(run, self._services.refresh_hz, is_living=True, is_focused=self.app.app_focus)
                    )
        except OSError as error:
            self._fail(JournalError(f"the run cannot be read: {error.strerror}"))
        except SpecuiError as error:
            self._fail(error)
        self._has_ended = True
        self._show(is_forced=True)
        self.refresh_bindings()

    def _fail(self, error: SpecuiError) -> None:
        if self._opened is not None:
            self.post_message(self.Failed(self._opened, error))

    def _show(self, *, is_forced: bool = False) -> None:
        """Hand the latest state to the widgets, unless nobody could see it."""
        if self.app.screen is not self or (not is_forced and self._is_frozen):  # behind a window all is drawn for a row
            return
        if not is_forced and is_terminal_behind(self.app):
            self._later = self._later or self.set_timer(LATER_S, self._show_later)
            return
        self.run_state = self._latest
        self.word = state_word(
            self._latest, is_living=self.living is not None, is_frozen=self._is_frozen, feed=self._feed
        )
        if isinstance(self._feed, ReplayFeed):
            replay = self._feed.replay
            self._transport.show(self._feed.playhead, replay.recording, is_whole=replay.is_whole)
        self.set_class(bool(len(self._latest.warnings) or self._latest.lost or has_failures(self._latest)), "-noted")
        allowed = {a: self.reason_against(a) is None for a in ASKED_ACTIONS}
        if allowed != self._allowed:
            self._allowed = allowed
            self.refresh_bindings()

    def _show_later(self) -> None:
        """What was left out for a slow terminal, where the feed itself may have nothing more to say."""
        self._later = None
        self._show()

    # What the keys do

    def reason_against(self, action: str) -> str | None:
        """Why a key cannot be used now."""
        return reason_against(action, self.run_state, self._feed, is_living=self.living is not None)

    def is_out_of_place(self, action: str) -> bool:
        """A replay's keys on a living run, and the other way round."""
        is_replay = isinstance(self._feed, ReplayFeed)
        return (action in LIVE_ACTIONS and self.living is None) or (action in REPLAY_ACTIONS and not is_replay)

    def action_hold(self) -> None:
        """Freeze the picture, or play and pause."""
        if isinstance(self._feed, ReplayFeed):
            head = self._feed.playhead
            self._feed.put(head.paused() if head.playing else head.resumed())
            return
        if self._has_ended and self._opened is not None:  # over: look at it again
            self.open(replace(self._opened, is_living=False))
            return
        self._is_frozen = not self._is_frozen
        self._show(is_forced=True)

    def action_seek(self, seconds: int) -> None:
        """So many seconds on or back."""
        if isinstance(self._feed, ReplayFeed):
            self._feed.put(self._feed.playhead.sought(self._feed.playhead.position_s + seconds))

    def action_seek_to(self, share: int) -> None:
        """To the beginning or the end."""
        if isinstance(self._feed, ReplayFeed):
            self._feed.put(self._feed.playhead.sought(share * self._feed.playhead.end_s))

    def action_jump(self, where: str) -> None:
        """To a request, marker or event before or behind."""
        if isinstance(self._feed, ReplayFeed):
            self._feed.jump(where)

    def action_faster(self) -> None:
        """The next higher speed."""
        if isinstance(self._feed, ReplayFeed):
            self._feed.put(self._feed.playhead.faster())

    def action_slower(self) -> None:
        """The next lower speed."""
        if isinstance(self._feed, ReplayFeed):
            self._feed.put(self._feed.playhead.slower())

    def action_origin(self) -> None:
        """The lens, on or off."""
        self.has_lens = not self.has_lens

    def action_skip(self) -> None:
        """Leave the case."""
        self._wish("skip")

    @work
    async def action_stop(self) -> None:
        """End the run, after asking once."""
        from specui.tui.screens.asking import Choice

        choices = [("s", "stop", "stop the run; what is measured stays"), ("escape", "", "go on")]
        if await self.app.push_screen_wait(Choice("End this run?", choices)) == "stop":
            self._wish("stop")

    @work
    async def action_mark(self) -> None:
        """Put a marker."""
        from specui.tui.screens.asking import Line

        label = await self.app.push_screen_wait(Line("A marker here, called:", "window opened, fan on, …"))
        if label:
            self._wish("mark", label)

    def action_notes(self) -> None:
        """Everything that a reader of the numbers should know."""
        from specui.tui.screens.noted import Noted

        self.app.push_screen(Noted(notes(self.run_state)))

    def action_copy_command(self) -> None:
        """The command line of the current case."""
        state = live.current_case(self.run_state)
        if state is not None:
            words = one_line(shlex.join(state.argv), 100_000)
            self.app.copy_to_clipboard(words)
            self.notify(outside(words, 160), title="Copied, where the terminal allows it", markup=False, timeout=5)

    def action_formatted(self) -> None:
        """The complete answer as Markdown."""
        from specui.tui.screens.formatted import Formatted  # Markdown costs 40 ms that no first paint needs

        request = live.current_request(self.run_state)
        if request is not None:
            self.app.push_screen(Formatted(request.text(), request.prompt))

    def _wish(self, what: What, label: str = "") -> None:
        opened = self.living
        if opened is None or opened.folder is None:
            return
        try:
            self._services.wish(opened.folder, what, label)
        except UsageError as error:
            self.notify(one_line(str(error)), severity="error", markup=False)
        else:
            self.notify(SAID[what], markup=False, timeout=3)
