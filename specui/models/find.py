"""A model file by its name or path, and what identifies it."""

from __future__ import annotations

import difflib
import hashlib
import os
import re
from pathlib import Path
from typing import TYPE_CHECKING

from specui.domain.errors import UsageError
from specui.domain.plan import Model
from specui.domain.text import one_line

if TYPE_CHECKING:
    from collections.abc import Sequence

_EDGE_BYTES = 1 << 20
_SHARD = re.compile(r"-(\d{5})-of-(\d{5})$")


def model_file(name: str, folders: Sequence[Path], beside: Path) -> Path:
    """The file of a model: a path (relative to `beside`), or a name that occurs once below `folders`.

    Raises UsageError with the nearest names.
    """
    path = expanded(name, beside)
    if path.is_file():
        return path
    known = [p for folder in folders for p in _files(folder)]
    wanted = name.removesuffix(".gguf").casefold()
    found = [p for p in known if p.stem.casefold() == wanted]
    if len(found) == 1:
        return found[0]
    shown = one_line(name, 200)
    if found:
        raise UsageError(f"several models are called {shown}: give the path of one: {', '.join(map(str, found[:4]))}")
    if path.is_dir():
        raise UsageError(f"{path} is a folder: name a .gguf file in it")
    if path.exists():
        raise UsageError(f"{path} is no regular file: name a .gguf file")
    near = difflib.get_close_matches(name, [p.name for p in known] + ["builtin", "builtin-wide"], 3, 0.5)
    hint = f"; near it: {', '.join(near)}" if near else "; `-m builtin` is the toy that comes with specui"
    raise UsageError(f"there is no model {shown} (no such file: {path}){hint}")


def described(path: Path, called: str | None = None, toy: bool = False) -> Model:
    """The model of a file: its name (or what it is `called`), family, size and fingerprint.

    Raises UsageError where it cannot be read.
    """
    name = called or _SHARD.sub("", path.stem)
    try:
        return Model(name, family_of(name), str(path), total_bytes(path), fingerprint(path), toy)
    except OSError as error:
        raise UsageError(f"the model {path} cannot be read: {error.strerror}") from error


def family_of(name: str) -> str:
    """The first word of a name, in lower case, without its version: `Qwen3.6-27B` is `qwen`."""
    match = re.match(r"[^\W\d_]+", name)
    return match.group().lower() if match else name.lower()


def total_bytes(path: Path) -> int:
    """The size of a file, or of all parts where it is the first of several."""
    match = _SHARD.search(path.stem)
    if not match:
        return path.stat().st_size
    stem = path.stem[: match.start()]
    return sum(p.stat().st_size for p in path.parent.glob(f"{_globbed(stem)}-*-of-{match.group(2)}.gguf"))


def fingerprint(path: Path) -> str:
    """A short name of the file's contents: SHA-256 over its size, its first and its last MiB."""
    size = path.stat().st_size
    digest = hashlib.sha256(str(size).encode())
    with path.open("rb") as file:
        digest.update(file.read(_EDGE_BYTES))
        file.seek(max(0, size - _EDGE_BYTES))
        digest.update(file.read(_EDGE_BYTES))
    return digest.hexdigest()[:16]


def expanded(name: str, beside: Path) -> Path:
    """An absolute path; `~` and `$VARIABLE` are expanded unless a file bears that very name. Links are kept."""
    literal = beside / name
    written = literal if literal.exists() else Path(os.path.expandvars(name)).expanduser()
    return Path(os.path.normpath(beside / written))


def _files(folder: Path) -> list[Path]:
    try:
        return sorted(p for p in folder.expanduser().rglob("*.gguf") if p.is_file())
    except OSError:
        return []


def _globbed(stem: str) -> str:
    return re.sub(r"([*?[])", r"[\1]", stem)
