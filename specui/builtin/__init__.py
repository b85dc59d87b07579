"""What comes with specui: toy models that really speculate, and prompt sets."""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path

from specui.domain.errors import UnreadableFile

WORD = "builtin"
"""The name under which the toy target is asked for."""

NAME = "toy"
"""What it is called in tables."""

WIDE_WORD = "builtin-wide"
"""The name under which the toy target is asked for, widened with zeros until one can watch it."""

WIDE_NAME = "toy-wide"

_DATA = Path(__file__).parent / "data"
_PROMPTS = Path(__file__).parent / "prompts"
_SUMS = _DATA / "SHA256SUMS"

_DRAFTERS = {
    "draft-simple": "draft-simple.gguf",
    "draft-eagle3": "eagle3.gguf",
    "draft-dflash": "dflash.gguf",
    "draft-dspark": "dspark.gguf",
    "draft-mtp": "mtp.gguf",
}


def target() -> Path:
    """The toy target; its MTP head is inside. Raises UnreadableFile where it is missing or damaged."""
    return _intact("target.gguf")


def drafter(method: str) -> Path | None:
    """The toy drafter for a method; None where the method needs none.

    Raises UnreadableFile where it is missing or damaged.
    """
    name = _DRAFTERS.get(method)
    return _intact(name) if name else None


def is_toy(path: Path) -> bool:
    """Whether a model file is one of ours."""
    return path.parent == _DATA


def prompt_sets() -> dict[str, Path]:
    """The prompt sets that come with specui, by name."""
    return {path.stem: path for path in sorted(_PROMPTS.glob("*.toml"))}


@cache
def _intact(name: str) -> Path:
    """The file of that name, if its SHA-256 is the one that was stored with it."""
    path = _DATA / name
    try:
        is_ours = f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {name}" in _SUMS.read_text().splitlines()
    except (OSError, UnicodeDecodeError) as error:
        why = (
            f"{Path(error.filename).name}: {error.strerror}"
            if isinstance(error, OSError)
            else f"{_SUMS.name} is damaged"
        )
        raise UnreadableFile(f"the built-in model {path} cannot be used ({why}): install specui again") from error
    if not is_ours:
        raise UnreadableFile(f"the built-in model {path} is damaged: install specui again")
    return path
