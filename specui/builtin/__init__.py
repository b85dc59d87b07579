"""What comes with specui: toy models that really speculate, and prompt sets."""

from __future__ import annotations

from pathlib import Path

WORD = "builtin"
"""The name under which the toy target is asked for."""

NAME = "toy"
"""What it is called in tables."""

_DATA = Path(__file__).parent / "data"
_PROMPTS = Path(__file__).parent / "prompts"

_DRAFTERS = {
    "draft-simple": "draft-simple.gguf",
    "draft-eagle3": "eagle3.gguf",
    "draft-dflash": "dflash.gguf",
    "draft-dspark": "dspark.gguf",
    "draft-mtp": "mtp.gguf",
}


def target() -> Path:
    """The toy target; its MTP head is inside."""
    return _DATA / "target.gguf"


def drafter(method: str) -> Path | None:
    """The toy drafter for a method; None where the method needs none."""
    name = _DRAFTERS.get(method)
    return _DATA / name if name else None


def is_toy(path: Path) -> bool:
    """Whether a model file is one of ours."""
    return path.parent == _DATA


def prompt_sets() -> dict[str, Path]:
    """The prompt sets that come with specui, by name."""
    return {path.stem: path for path in sorted(_PROMPTS.glob("*.toml"))}
