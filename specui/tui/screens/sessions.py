"""The list of runs, newest first, with the demo on top: where specui begins."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from rich.text import Text
from textual import on, work
from textual.message import Message
from textual.reactive import reactive
from textual.widgets import DataTable, Input, Static

from specui.domain.errors import SpecuiError
from specui.domain.text import one_line
from specui.journal import store
from specui.journal.glance import Glance, glance
from specui.tui.keymap import SESSIONS, bindings
from specui.tui.pictures.headline import clock
from specui.tui.screens.base import BaseScreen
from specui.tui.services import Opened
from specui.tui.watching import WORDS
from specui.tui.widgets.key_line import KeyLine

if TYPE_CHECKING:
    from textual.app import ComposeResult
    from textual.binding import BindingType

    from specui.tui.services import Services

MOST_ROWS = 500
"""More rows take the table too long; older runs are found by the filter."""
EVERY_S = 2.0
"""How often living runs are looked at again."""
DEMO = "demo"
CRASHED = "✗ broke off"


class SessionsScreen(BaseScreen):
    """Every run of this machine."""

    BINDINGS: ClassVar[list[BindingType]] = [*bindings(SESSIONS)]
    wanted: reactive[str] = reactive("", init=False)

    class RunChosen(Message):
        """Somebody wants to look at a run."""

        def __init__(self, opened: Opened) -> None:
            super().__init__()
            self.opened = opened

    def __init__(self, services: Services) -> None:
        super().__init__(id="sessions")
        self._services = services
        self._shown: dict[str, Glance] = {}
        self._is_starting = False
        self._found = ""

    def compose(self) -> ComposeResult:
        """A line on top, the table, a filter that comes when it is asked for."""
        yield Static("", id="about", markup=False)
        table: DataTable[Text] = DataTable(id="runs", cursor_type="row", zebra_stripes=False)
        yield table
        field = Input(placeholder="words of the title or id", id="filter")
        field.cursor_blink = False
        field.display = False
        yield field
        yield KeyLine(id="keys")

    def on_mount(self) -> None:
        """Columns, the first look, and one every few seconds."""
        table = self.query_one(DataTable)
        for name, width in (("state", 12), ("started", 19), ("length", 9), ("run", 48)):
            table.add_column(name, key=name, width=width)
        self._fill()
        table.focus()
        self.set_interval(EVERY_S, self._look_again)

    def on_screen_resume(self) -> None:
        """The list may be old."""
        self._look_again()

    def watch_wanted(self) -> None:
        """Another filter."""
        self._fill()

    def reason_against(self, action: str) -> str | None:
        """Why a key cannot be used now."""
        return "The demo is being started." if action == "demo" and self._is_starting else None

    def action_filter(self) -> None:
        """Show the filter."""
        field = self.query_one("#filter", Input)
        field.display = True
        field.focus()

    def action_refresh_list(self) -> None:
        """Read the folder again."""
        self._fill()

    def action_open(self) -> None:
        """The run under the cursor."""
        table = self.query_one(DataTable)
        if table.row_count:
            self._choose(str(table.coordinate_to_cell_key(table.cursor_coordinate).row_key.value))

    @work(exclusive=True, group="demo", exit_on_error=False)
    async def action_demo(self) -> None:
        """Start the demo and look at it."""
        if not await self._may_start():
            return
        self._is_starting = True
        self.refresh_bindings()
        self._tell("Starting the demo: real speculation on toy models, with the built-in engine …")
        try:
            folder = await self._services.start_demo()
        except SpecuiError as error:
            self.notify(one_line(str(error)), severity="error", markup=False, timeout=20)
        else:
            self.post_message(self.RunChosen(Opened(folder.journal, folder, is_living=True)))
        finally:
            self._is_starting = False
            self._fill()
            self.refresh_bindings()

    async def _may_start(self) -> bool:
        """Whether a run may begin: beside another one only if that is meant."""
        living = [seen.title for seen in map(glance, store.folders(self._services.runs)[:50]) if seen.is_living]
        if not living:
            return True
        from specui.tui.screens.asking import Choice

        question = (
            f"Another run is going on ({one_line(living[0], 30)}): both would be slower, and their numbers wrong."
        )
        choices = [("s", "start", "start it all the same"), ("escape", "", "not now")]
        return await self.app.push_screen_wait(Choice(question, choices)) == "start"

    @on(Input.Changed, "#filter")
    def _narrow(self, event: Input.Changed) -> None:
        self.wanted = event.value

    @on(Input.Submitted, "#filter")
    def _leave_filter(self) -> None:
        self.query_one("#filter", Input).display = bool(self.wanted)
        self.query_one(DataTable).focus()

    @on(DataTable.RowSelected)
    def _row_chosen(self, event: DataTable.RowSelected) -> None:
        self._choose(str(event.row_key.value))

    def _choose(self, key: str) -> None:
        if key == DEMO:
            if not self._is_starting:
                self.action_demo()
        elif (chosen := self._shown.get(key)) is not None:
            seen = glance(chosen.folder)
            folder = seen.folder
            self.post_message(
                self.RunChosen(Opened(folder.journal, folder, is_living=seen.is_living, at_end=not seen.is_living))
            )

    def _fill(self) -> None:
        """The table anew, the cursor where it was."""
        table = self.query_one(DataTable)
        at = table.cursor_row
        every = store.folders(self._services.runs)
        words = self.wanted.lower().split()
        table.clear()
        self._shown = {}
        if not words:
            table.add_row(*_cells("▶ start", "", "", "the demo: toy models that really speculate"), key=DEMO)
        left = 0
        for folder in every:
            if len(self._shown) >= MOST_ROWS:
                left += 1
                continue
            seen = glance(folder)
            if all(word in f"{seen.title} {folder.id}".lower() for word in words):
                self._shown[folder.id] = seen
                table.add_row(*_row(seen), key=folder.id)
        table.move_cursor(row=min(at, table.row_count - 1))
        older = f" · {left} older ones: narrow the list with /" if left else ""
        self._found = f"{len(self._shown)} run{'' if len(self._shown) == 1 else 's'}{older}"
        self._tell_of_cursor()

    def _look_again(self) -> None:
        """New runs, and what became of the living ones."""
        if self.app.screen is not self:
            return
        known = set(self._shown)
        if not self.wanted and any(f.id not in known for f in store.folders(self._services.runs)[:1]):
            self._fill()
            return
        table = self.query_one(DataTable)
        for key, before in self._shown.items():
            if before.is_living:
                seen = self._shown[key] = glance(before.folder)
                for name, cell in zip(("state", "started", "length", "run"), _row(seen), strict=True):
                    if table.get_cell(key, name) != cell:
                        table.update_cell(key, name, cell)

    @on(DataTable.RowHighlighted)
    def _tell_of_cursor(self) -> None:
        """How many runs there are, and the id of the one under the cursor."""
        table = self.query_one(DataTable)
        key = str(table.coordinate_to_cell_key(table.cursor_coordinate).row_key.value) if table.row_count else ""
        name = f" · {_homely(self._services.runs / key)}" if key in self._shown else ""
        self._tell(f"{self._found}{name}")

    def _tell(self, words: str) -> None:
        self.query_one("#about", Static).update(one_line(words), layout=False)


def _homely(path: Path) -> str:
    """The path, from `~` on where it lies in the user's own folder."""
    home = Path.home()
    return f"~/{path.relative_to(home)}" if path.is_relative_to(home) else str(path)


def _row(seen: Glance) -> tuple[Text, ...]:
    started = seen.created[:19].replace("T", " ")
    # A living run's length would change at every look, and a table sends all of itself for one cell.
    length = "" if seen.is_living else "–" if seen.length_s is None else clock(seen.length_s)
    return _cells(WORDS.get(seen.state, CRASHED), started, length, seen.title)


def _cells(*words: str) -> tuple[Text, ...]:
    """Cells that are shown as they are: a title is no markup."""
    return tuple(Text(one_line(word), no_wrap=True) for word in words)
