"""Themes out of TOML files: colours, and those of the charts. A broken one costs a message, never the start."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from textual.color import Color, ColorParseError
from textual.theme import BUILTIN_THEMES, Theme

from specui.domain.text import one_line

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

COLORS = (
    "primary", "secondary", "accent", "foreground", "background", "surface", "panel", "success", "warning", "error",
)  # fmt: skip
CHART = (
    "speed", "baseline", "acceptance", "draft", "verify", "origin_draft", "origin_target", "gpu", "memory",
)  # fmt: skip
DEFAULT = "dark"
SIXTEEN = "ansi"

CHART_DEFAULTS = {
    "speed": "#5AB0EE", "baseline": "#98A3AF", "acceptance": "#E8D27A", "draft": "#F0B04A", "verify": "#4A97DC",
    "origin_draft": "#F0B04A", "origin_target": "#8CC8F5", "gpu": "#F0875F", "memory": "#97A5F5",
}  # fmt: skip
"""What a theme without chart colours gets, such as one of Textual's own."""


@dataclass(frozen=True, slots=True)
class FoundThemes:
    """The themes that could be read, and a sentence for each that could not."""

    themes: tuple[Theme, ...]
    problems: tuple[str, ...]


def find_themes(folders: tuple[Path, ...]) -> FoundThemes:
    """Every theme of the folders; a later one of the same name counts."""
    themes: dict[str, Theme] = {}
    problems: list[str] = []
    for folder in folders:
        for path in sorted(folder.glob("*.toml")):
            try:
                theme = read_theme(path)
            except (OSError, ValueError, RecursionError) as error:
                problems.append(f"the theme {one_line(str(path), 120)} is left out: {one_line(str(error), 160)}")
            else:
                themes[theme.name] = theme
    return FoundThemes(tuple(themes.values()), tuple(problems))


def read_theme(path: Path) -> Theme:
    """The theme of one file. Raises OSError, ValueError or RecursionError with the reason."""
    document = tomllib.loads(path.read_text(encoding="utf-8"))
    name = document.get("name", path.stem)
    if not isinstance(name, str) or not name:
        raise ValueError("name is no text")
    is_ansi = document.get("ansi", False) is True
    colors = _colors(document, "colors", COLORS)
    chart = _colors(document, "chart", CHART)
    missing = [c for c in ("primary", "foreground", "background") if c not in colors]
    if missing:
        raise ValueError(f"[colors] lacks {missing[0]}")
    variables = {f"chart-{key.replace('_', '-')}": color for key, color in (CHART_DEFAULTS | chart).items()}
    if is_ansi:
        variables = {**BUILTIN_THEMES["ansi-dark"].variables, **variables}
    is_dark = document.get("dark", True) is True
    named: dict[str, Any] = dict(colors)  # Any: the theme's other arguments are no text
    return Theme(name=name, dark=is_dark, ansi=is_ansi, variables=variables, **named)


def fitting_theme(wanted: str | None, known: tuple[Theme, ...], environ: Mapping[str, str]) -> str:
    """The name of the theme to begin with: the wanted one, else one for 16 colours where the terminal has no more."""
    names = [theme.name for theme in known]
    if wanted in names:
        return str(wanted)
    term = environ.get("TERM", "")
    has_more = "256" in term or "direct" in term or "kitty" in term or bool(environ.get("COLORTERM"))
    return SIXTEEN if not has_more and SIXTEEN in names else DEFAULT if DEFAULT in names else names[0]


def problem_with(wanted: str | None, known: tuple[Theme, ...]) -> tuple[str, ...]:
    """A sentence where the wanted theme is none of the known ones."""
    names = [theme.name for theme in known]
    if wanted is None or wanted in names:
        return ()
    there_are = f"there are {', '.join(one_line(name, 60) for name in names)}" if names else "there is none"
    return (f"no theme is called {one_line(repr(wanted), 60)}; {there_are}",)


def _colors(document: dict[str, object], table: str, known: tuple[str, ...]) -> dict[str, str]:
    section = document.get(table, {})
    if not isinstance(section, dict):
        raise ValueError(f"{table} is no table")
    strange = [key for key in section if key not in known]
    if strange:
        raise ValueError(f"[{table}] has no colour called {strange[0]!r}: use {', '.join(known)}")
    for key, value in section.items():
        try:
            Color.parse(value)
        except (ColorParseError, TypeError, AttributeError) as error:
            raise ValueError(f"[{table}] {key} = {value!r} is no colour") from error
    return dict(section)
