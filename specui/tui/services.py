"""What the screens are handed by whoever starts them: they start and stop nothing by themselves."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path

from specui.domain.units import Record
from specui.journal.folder import RunFolder
from specui.journal.wishes import What


@dataclass(frozen=True, slots=True)
class Opened:
    """A run to look at: its folder where it has one, and the file that is read."""

    path: Path
    folder: RunFolder | None = None
    is_living: bool = False
    speed: float = 1.0
    at_end: bool = False

    @property
    def name(self) -> str:
        """The run's id, or the file's name."""
        return self.folder.id if self.folder else self.path.name


@dataclass(frozen=True, slots=True)
class Services:
    """Callables that reach beyond the screens, and what the user set."""

    runs: Path
    wish: Callable[[RunFolder, What, str], None]
    """Leaves a wish with a label in a run's inbox. Raises UsageError."""
    start_demo: Callable[[], Awaitable[RunFolder]]
    """Starts the demo as a run of its own. Raises SpecuiError."""
    refresh_hz: float | None = None
    """How often a run is looked at; None leaves it to the screen."""
    moves_charts: bool = True
    draws_ascii: bool = False
    """Whether pictures use the signs of ASCII alone."""
    theme: str | None = None
    theme_folders: tuple[Path, ...] = ()
    keys: Record = field(default_factory=dict)
    """Other keys than ours, by the id of what they do."""
