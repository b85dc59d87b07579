"""Where specui keeps and finds its files: XDG folders, or one folder that overrides them all."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import specui

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True, slots=True)
class Places:
    """The folders of this user."""

    config: Path
    """The file config.toml; it need not exist."""
    runs: Path
    prompts: Path
    cache: Path

    @property
    def toys(self) -> Path:
        """Where the widened toy is kept: it can be made again."""
        return self.cache / "toys"


def places(environ: Mapping[str, str] = os.environ) -> Places:
    """The folders, by SPECUI_HOME or else by XDG."""
    if home := environ.get("SPECUI_HOME"):
        root = Path(home).expanduser().absolute()
        return Places(root / "config.toml", root / "runs", root / "prompts", root / "cache")
    config = _xdg(environ, "XDG_CONFIG_HOME", ".config")
    return Places(
        config / "config.toml",
        _xdg(environ, "XDG_STATE_HOME", ".local/state") / "runs",
        config / "prompts",
        _xdg(environ, "XDG_CACHE_HOME", ".cache"),
    )


def themes_folder() -> Path:
    """The themes that come with specui: inside an installed package, beside it in a checkout."""
    package = Path(specui.__file__).parent
    inside = package / "themes"
    return inside if inside.is_dir() else package.parent / "themes"


def _xdg(environ: Mapping[str, str], name: str, otherwise: str) -> Path:
    """A base folder of the XDG specification; a relative one counts as unset."""
    value = environ.get(name, "")
    base = Path(value) if value.startswith("/") else Path(environ.get("HOME") or "~").expanduser() / otherwise
    return base / "specui"
