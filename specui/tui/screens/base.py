"""What every screen has: the app's keys, and a reason for each key that cannot be used now."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual.binding import Binding
from textual.screen import Screen

from specui.tui.keymap import EVERYWHERE, LIVE, ORDER, REPLAY, SESSIONS, name_of
from specui.tui.pictures.rows import STYLES

if TYPE_CHECKING:
    from textual import events

    from specui.tui.keymap import Command


class BaseScreen(Screen[None]):
    """A screen whose disabled keys say why, and that has the styles of all rows drawn on it."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {f"row--{name}" for name in STYLES}

    def reason_against(self, action: str) -> str | None:
        """Why an action cannot be done now, in one sentence; None where it can."""
        return None

    def is_out_of_place(self, action: str) -> bool:
        """Whether an action belongs to another use of this screen, so that the footer leaves it out."""
        return False

    def commands(self) -> list[tuple[Command, str | None]]:
        """What keys do here and why it cannot be done now, in the order of the last line."""
        bound = {binding.id for binding in self.BINDINGS if isinstance(binding, Binding)}
        own = {c: name_of(c.action) for c in (*LIVE, *REPLAY, *SESSIONS) if c.id in bound}
        here = [(c, self.reason_against(action)) for c, action in own.items() if not self.is_out_of_place(action)]
        return sorted([*here, *((c, None) for c in EVERYWHERE)], key=lambda each: ORDER[each[0].id])

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Greyed where there is a reason against it; left out where it is out of place."""
        if self.is_out_of_place(action):
            return False
        return True if self.reason_against(action) is None else None

    def on_key(self, event: events.Key) -> None:
        """A key that came here did nothing: say why, where it is one of ours."""
        for binding in self._bindings.key_to_bindings.get(event.key, []):
            reason = self.reason_against(name_of(binding.action))
            if reason is not None:
                event.stop()
                self.notify(reason, severity="warning", markup=False, timeout=4)
                return
