"""config.toml: read, never rewritten."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from specui.domain import checks
from specui.domain.checks import Findings
from specui.domain.errors import PlanError, UnreadableFile
from specui.domain.toml_lines import document
from specui.domain.units import Record


@dataclass(frozen=True, slots=True)
class ConfiguredEngine:
    """An engine that the user named."""

    name: str
    command: tuple[str, ...]
    env: Record


@dataclass(frozen=True, slots=True)
class Config:
    """What the user's configuration says."""

    model_dirs: tuple[Path, ...] = ()
    engines: tuple[ConfiguredEngine, ...] = ()
    theme: str | None = None
    keys: Record = field(default_factory=dict)
    """Keys of the screens, by the id of what they do, as they stand in the file: the screens check them."""


_ENGINE: dict[str, checks.Check] = {
    "name": checks.words,
    "command": checks.several(checks.words),
    "env": checks.table,
}


_OWN: dict[str, checks.Check] = {
    "model_dirs": checks.several(checks.words),
    "theme": checks.words,
    "keys": checks.table,
}


def read_config(path: Path) -> Config:
    """The configuration, or an empty one where there is no file.

    Raises PlanError with every problem of the parts that this version reads.
    """
    try:
        data = path.read_bytes()
    except (FileNotFoundError, NotADirectoryError):
        return Config()
    except OSError as error:
        raise UnreadableFile(f"{path} cannot be read: {error.strerror}") from error
    read = document(data, str(path))
    found = Findings(read)
    dirs = found.take({k: v for k, v in read.values.items() if k in _OWN}, "", _OWN)
    rows = read.values.get("engine", [])
    engines = [
        engine
        for index, row in enumerate(rows if isinstance(rows, list) else [])
        if isinstance(row, Mapping) and "glob" not in row and (engine := _engine(found, index, row)) is not None
    ]
    if found.problems:
        raise PlanError(found.problems)
    return Config(
        tuple(map(_folder, dirs.get("model_dirs", ()))), tuple(engines), dirs.get("theme"), dirs.get("keys", {})
    )


def _engine(found: Findings, index: int, row: Mapping[str, object]) -> ConfiguredEngine | None:
    values = found.take(row, f"engine.{index}", _ENGINE)
    if "name" not in values or "command" not in values:
        found.add(f"engine.{index}", "an engine needs a name and a command")
        return None
    env: Record = {str(k): str(v) for k, v in values.get("env", {}).items()}
    return ConfiguredEngine(values["name"], tuple(map(_word, values["command"])), env)


def _word(text: str) -> str:
    """A word of a command: one that begins with `~` or a variable is a path, and no shell stands in between."""
    return str(_folder(text)) if text.startswith(("~", "$")) else text


def _folder(text: str) -> Path:
    return Path(os.path.expandvars(text)).expanduser()
