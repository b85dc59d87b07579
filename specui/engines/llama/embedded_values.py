"""How the text behind one of the embedded engine's flags becomes a value, and why it is refused.

Members of xllamacpp's enumerations go by name, so nothing here needs the package. Refusals are llama-server's words
wherever a person can act on them.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias


@dataclass(frozen=True, slots=True)
class Member:
    """A member of one of xllamacpp's enumerations, by name."""

    enumeration: str
    name: str


Value: TypeAlias = (
    "bool | int | float | str | Member | list[int] | list[float] | list[str] | list[Member] | dict[str, str]"
)
Reader: TypeAlias = Callable[[str], Value]
Put: TypeAlias = Literal["set", "extend", "merge", "front", "each", "set-from-file", "extend-from-file"]


@dataclass(frozen=True, slots=True)
class Kind:
    """How the flags of one kind get their value, and how it is put into a field."""

    read: Reader | None = None
    """Turns the text into a value or raises ValueError with the reason; None where no value is taken."""
    put: Put = "set"
    """`set` replaces; `extend` and `merge` add to what is there; `front` replaces the first items, `each` the first
    items or, given one, all of them; `…-from-file` take a path and mean what the file holds."""
    on: Value = True
    """What a name without value stands for."""
    off: Value = False
    """What a negative name stands for."""
    note: str = ""
    """A second line of help."""


def texts(text: str) -> list[str]:
    """The parts of a comma-separated list, empty ones left out."""
    return [part.strip() for part in text.split(",") if part.strip()]


def _whole(text: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise ValueError(f"invalid value: {text} (a whole number is expected)") from None


def _real(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise ValueError(f"invalid value: {text} (a number is expected)") from None


def _reals(text: str) -> list[float]:
    return [_real(part) for part in re.split("[,/]+", text)]


def _bytes_of_mebibytes(text: str) -> list[int]:
    return [_whole(part) * 1024 * 1024 for part in re.split("[,/]+", text)]


def _layers(text: str) -> int:
    return {"auto": -1, "all": -2}[text] if text in ("auto", "all") else _whole(text)


def _seed(text: str) -> int:
    """The seed as the unsigned number it is stored as: -1, any seed, is the largest."""
    return _whole(text) % 2**32


def _template_values(text: str) -> dict[str, str]:
    """The values of a JSON object, each as JSON again: that is what the chat template reads."""
    values = json.loads(text)
    if not isinstance(values, dict):
        raise ValueError("invalid value: a JSON object is expected")
    return {str(name): json.dumps(value) for name, value in values.items()}


def _spec_types(text: str) -> list[Member]:
    unknown = [name for name in text.split(",") if name not in SPEC_TYPES]
    if unknown:
        raise ValueError(f"unknown speculative type: {unknown[0]}")
    return [SPEC_TYPES[name] for name in text.split(",")]


def _within(low: int, high: int | None, complaint: str) -> Kind:
    def read(text: str) -> int:
        number = _whole(text)
        if number < low or (high is not None and number > high):
            raise ValueError(complaint)
        return number

    return Kind(read)


def _one_of(values: Mapping[str, Value], complaint: str, note: str = "") -> Kind:
    def read(text: str) -> Value:
        if text not in values:
            raise ValueError(complaint.format(text))
        return values[text]

    return Kind(read, note=note)


def _members(enumeration: str, prefix: str, names: str) -> dict[str, Member]:
    return {name: Member(enumeration, prefix + re.sub(r"\W", "_", name).upper()) for name in names.split()}


SPEC_TYPES = _members(
    "common_speculative_type",
    "COMMON_SPECULATIVE_TYPE_",
    "none draft-simple draft-eagle3 draft-mtp draft-dflash draft-dspark "
    "ngram-simple ngram-map-k ngram-map-k4v ngram-mod ngram-cache",
)
"""Every name `--spec-type` takes."""

_ON = ("on", "enabled", "true", "1")
_OFF = ("off", "disabled", "false", "0")
_TWO = {**dict.fromkeys(_ON, True), **dict.fromkeys(_OFF, False)}
_THREE = {**dict.fromkeys(_ON, 1), **dict.fromkeys(_OFF, 0), "auto": -1, "-1": -1}
_FLASH = _members("llama_flash_attn_type", "LLAMA_FLASH_ATTN_TYPE_", "auto disabled enabled")
_CACHES = _members("ggml_type", "GGML_TYPE_", "f32 f16 bf16 q8_0 q4_0 q4_1 iq4_nl q5_0 q5_1")
_LOADS = _members("llama_load_mode", "LLAMA_LOAD_MODE_", "auto none mmap mlock mmap+mlock")
_LOADS["dio"] = Member("llama_load_mode", "LLAMA_LOAD_MODE_DIRECT_IO")
_SPLITS = _members("llama_split_mode", "LLAMA_SPLIT_MODE_", "none layer row tensor")
_FORMATS = _members("common_reasoning_format", "COMMON_REASONING_FORMAT_", "none auto deepseek deepseek-legacy")
_DRAWS = {"greedy": False, "probabilistic": True}
_BOUNDS = "must be between {} and 1024 inclusive"

KINDS: dict[str, Kind] = {
    "show": Kind(),
    "switch": Kind(),
    "inverse": Kind(on=False, off=True),
    "mmap": Kind(on=_LOADS["mmap"], off=_LOADS["none"]),
    "mlock": Kind(on=_LOADS["mlock"]),
    "text": Kind(str),
    "file": Kind(str, "set-from-file"),
    "key-file": Kind(str, "extend-from-file"),
    "whole": Kind(_whole),
    "real": Kind(_real),
    "reals": Kind(_reals),
    "shares": Kind(_reals, "front"),
    "margins": Kind(_bytes_of_mebibytes, "each"),
    "layers": Kind(_layers),
    "seed": Kind(_seed),
    "texts": Kind(texts),
    "names": Kind(texts, "extend"),
    "types": Kind(_spec_types, "extend"),
    "object": Kind(_template_values, "merge"),
    "cache": _one_of(_CACHES, "Unsupported cache type: {}", "allowed values: " + ", ".join(_CACHES)),
    "load": _one_of(_LOADS, "invalid value", "one of: " + ", ".join(_LOADS)),
    "split": _one_of(_SPLITS, "invalid value"),
    "format": _one_of(_FORMATS, "Unknown reasoning format: {}", "one of: " + ", ".join(_FORMATS)),
    "flash": _one_of(
        {word: _FLASH[("disabled", "enabled", "auto")[state]] for word, state in _THREE.items()},
        "error: unknown value for --flash-attn: '{}'",
    ),
    "fit": _one_of(_TWO, "error: unknown value for --fit: '{}'"),
    "reasoning": _one_of(_THREE, "error: unknown value for --reasoning: '{}'"),
    "draws": _one_of(_DRAWS, "invalid value, must be one of: greedy, probabilistic"),
    "budget": _within(-1, None, "invalid value"),
    "n-max": _within(0, None, "invalid value"),
    "mod-min": _within(0, 1024, "ngram n-min " + _BOUNDS.format(0)),
    "mod-max": _within(0, 1024, "ngram n-max " + _BOUNDS.format(0)),
    "size-n": _within(1, 1024, "ngram size N " + _BOUNDS.format(1)),
    "size-m": _within(1, 1024, "ngram size M " + _BOUNDS.format(1)),
    "min-hits": _within(1, None, "ngram min hits must be at least 1"),
}
"""Every kind of the table of flags, by the name it has there."""
