"""The same pictures with the signs of ASCII alone, for terminals that have no others."""

from __future__ import annotations

_FRAME = {
    "╭": "+", "╮": "+", "╰": "+", "╯": "+", "─": "-", "│": "|", "┤": "+", "└": "+", "╌": "-", "━": "=", "┿": "+",
    "┼": "+", "█": "#", "▇": "#", "▆": "=", "░": ".", "●": "o", "◇": "o", "◆": "o", "▲": "^", "▶": ">", "‖": "=",
    "■": "#", "✓": "+", "✗": "x", "·": "-", "–": "-", "−": "-", "×": "x", "κ": "k", "→": ">", "←": "<", "⇧": "^",
    "…": "~",
}  # fmt: skip
_UPPER, _LOWER = 0x1B, 0xE4
"""Dots in the upper and in the lower half of a braille cell."""


def _braille(bits: int) -> str:
    if not bits:
        return " "
    return ":" if bits & _UPPER and bits & _LOWER else "'" if bits & _UPPER else "."


_SIGNS = str.maketrans(_FRAME | {chr(0x2800 + bits): _braille(bits) for bits in range(256)})


def plain(text: str) -> str:
    """The text of a picture with every sign that specui draws made ASCII; words stay as they are."""
    return text.translate(_SIGNS)
