"""The keys of a screen on its last line.

Textual's footer makes a widget of each key, and all of them anew whenever one is greyed: on the Live screen that was
a third of the time to the first paint. This is one row.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from specui.tui.keymap import ORDER
from specui.tui.pictures.rows import Row, joined, row_width, spread
from specui.tui.widgets.picture import Picture

if TYPE_CHECKING:
    from textual import events
    from textual.binding import Binding
    from textual.screen import Screen


class KeyLine(Picture):
    """Keys and what they do; a greyed one gives its reason when it is pressed. A click is a key press."""

    _places: list[tuple[int, int, str]]
    """First and last column of each, and its key."""

    def on_mount(self) -> None:
        """Draw anew where a key begins or ceases to be usable."""
        self._places = []
        self.screen.bindings_updated_signal.subscribe(self, self._changed)

    def drawn(self, width: int, height: int) -> list[Row]:
        """As many keys as fit, help always at the end."""
        parts: list[Row] = []
        keys: list[str] = []
        ours = {a.binding.id: a for a in self.screen.active_bindings.values() if a.binding.id in ORDER}
        for active in sorted(ours.values(), key=lambda a: ORDER[a.binding.id or ""]):
            binding = active.binding
            if binding.show and binding.action != "help":
                parts.append(
                    (
                        ("accent", self._label(binding)),
                        ("text" if active.enabled else "dim", f" {self._named(binding)}"),
                    )
                )
                keys.append(binding.key)
        helping = ours.get("app.help")
        sign = self._label(helping.binding) if helping else "?"
        ending: Row = (("accent", sign), ("text", " help "))
        room = width - row_width(ending) - 2
        line: Row = (("text", " "), *joined(parts, room - 1, "  "))
        self._places = _places(parts, keys, room - 1)
        self._places.append((width - row_width(ending), width - 1, helping.binding.key if helping else "question_mark"))
        return [spread(line, ending, width)]

    def on_click(self, event: events.Click) -> None:
        """Press the key that was clicked."""
        for first, last, key in self._places:
            if first <= event.x <= last:
                self.app.simulate_key(key)
                return

    def _label(self, binding: Binding) -> str:
        return binding.key_display or self.app.get_key_display(binding)

    def _named(self, binding: Binding) -> str:
        """What a key does here: one that does two things does one on this screen."""
        first, _, second = binding.description.partition("/")
        return (second if self.screen.has_class("-replay") else first) if second else binding.description

    def _changed(self, _: Screen[object]) -> None:
        self.redraw()


def _places(parts: list[Row], keys: list[str], room: int) -> list[tuple[int, int, str]]:
    """Where `joined` puts each part behind one blank."""
    places: list[tuple[int, int, str]] = []
    column = 1
    for part, key in zip(parts, keys, strict=True):
        gap = 2 if places else 0
        needed = row_width(part)
        if column - 1 + gap + needed > room:
            continue
        places.append((column + gap, column + gap + needed - 1, key))
        column += gap + needed
    return places
