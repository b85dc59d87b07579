"""Whether a theme that was asked for exists: told before anything is started, and without the screens' library."""

from __future__ import annotations

import tomllib

from specui.cli.places import places, themes_folder
from specui.domain.errors import UsageError
from specui.domain.text import one_line


def ensure_theme(wanted: str | None) -> None:
    """Raises UsageError with the themes there are, where an option names another."""
    if wanted is None:
        return
    known = _names()
    if wanted not in known:
        raise UsageError(f"--theme: no theme is called {one_line(repr(wanted), 60)}; there are {', '.join(known)}")


def _names() -> list[str]:
    """What the files of both folders are called; what else is wrong with one is told on the screen."""
    names: set[str] = set()
    for folder in (themes_folder(), places().config.parent / "themes"):
        for path in folder.glob("*.toml"):
            try:
                name = tomllib.loads(path.read_text(encoding="utf-8")).get("name", path.stem)
            except (OSError, ValueError, RecursionError):
                name = path.stem
            names.add(one_line(str(name), 60))
    return sorted(names)
