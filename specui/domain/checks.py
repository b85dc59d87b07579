"""Values out of TOML and options, checked one by one: each wrong one becomes a sentence with its place."""

from __future__ import annotations

import difflib
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, get_args

from specui.domain.plan import SHORT_NAMES, Thinking, Workload
from specui.domain.text import one_line
from specui.domain.toml_lines import Document

if TYPE_CHECKING:
    from specui.domain.units import JsonValue

Check = Callable[[Any], Any]  # Any: a value from outside; a check gives it back or raises ValueError


@dataclass(slots=True)
class Findings:
    """Problems of one document, in the order they were met."""

    document: Document
    problems: list[str] = field(default_factory=list)

    def add(self, path: str, sentence: str) -> None:
        """Note a problem at a dotted path."""
        self.problems.append(f"{self.document.place(path)}: {sentence}")

    def take(self, table: Mapping[str, Any], path: str, checks: Mapping[str, Check]) -> dict[str, Any]:
        """The checked values of a table; unknown keys and wrong values are noted and left out."""
        out: dict[str, Any] = {}  # Any: as each check gives it
        for key, value in table.items():
            here = f"{path}.{key}" if path else key
            if key not in checks:
                near = difflib.get_close_matches(key, checks, 1)
                hint = f"; did you mean {near[0]}?" if near else f"; it takes {', '.join(sorted(checks))}"
                self.add(here, f"{one_line(key, 60)} means nothing here{hint}")
                continue
            try:
                out[key] = checks[key](value)
            except ValueError as error:
                self.add(here, f"{key} {error}")
        return out


def whole(low: int, high: int | None = None) -> Check:
    """An integer within bounds."""

    def check(value: object) -> int:
        if isinstance(value, bool) or not isinstance(value, int):
            raise ValueError(f"is {one_line(repr(value), 60)}, not a whole number")
        if value < low or (high is not None and value > high):
            raise ValueError(f"is {value}, not {low} … {high}" if high is not None else f"is {value}, below {low}")
        return value

    return check


def real(low: float, high: float = math.inf) -> Check:
    """A finite number within bounds."""

    def check(value: object) -> float:
        if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
            raise ValueError(f"is {one_line(repr(value), 60)}, not a number")
        if not low <= value <= high:
            raise ValueError(f"is {value:g}, not within {low:g} … {high:g}")
        return float(value)

    return check


def words(value: object) -> str:
    """A text that is not empty."""
    if not isinstance(value, str) or not value.strip():
        raise ValueError(f"is {one_line(repr(value), 60)}, not a text")
    return value


def truth(value: object) -> bool:
    """True or false."""
    if not isinstance(value, bool):
        raise ValueError(f"is {one_line(repr(value), 60)}, not true or false")
    return value


def among(*allowed: str) -> Check:
    """One of some words."""

    def check(value: object) -> str:
        if not isinstance(value, str) or value not in allowed:
            raise ValueError(f"is {one_line(repr(value), 60)}, not one of {', '.join(allowed)}")
        return value

    return check


def several(item: Check) -> Check:
    """One value or a list of them, as a tuple."""

    def check(value: object) -> tuple[Any, ...]:  # Any: as the item's check gives it
        values = value if isinstance(value, list) else [value]
        if not values:
            raise ValueError("is an empty list")
        return tuple(item(v) for v in values)

    return check


def table(value: object) -> dict[str, Any]:
    """A table."""
    if not isinstance(value, dict):
        raise ValueError(f"is {one_line(repr(value), 60)}, not a table")
    return value


def _setting(value: object) -> JsonValue:
    if isinstance(value, bool | int | float | str):
        return value
    raise ValueError(f"is {one_line(repr(value), 60)}, not a plain value")


def _flash(value: object) -> str:
    """`on`, `off` or `auto`, in the spellings that llama-server takes."""
    word = str(value).lower() if isinstance(value, bool | int | str) else ""
    for meant, spellings in {"on": ("on", "true", "1", "enabled"), "off": ("off", "false", "0", "disabled")}.items():
        if word in spellings:
            return meant
    if word != "auto":
        raise ValueError(f"is {one_line(repr(value), 60)}, not on, off or auto")
    return "auto"


def _extra(value: object) -> tuple[JsonValue, ...]:
    if not isinstance(value, list) or not all(isinstance(v, str) for v in value):
        raise ValueError("is no list of words")
    return (list(value),)


SETTING_CHECKS: dict[str, Check] = {
    **{name: several(_setting) for name in SHORT_NAMES},
    **{name: several(whole(0)) for name in ("ctx", "batch", "ubatch", "threads", "slots", "n_cpu_moe")},
    "flash_attn": several(_flash),
    "extra": _extra,
}
"""Every engine setting; each may be a list, which makes it a factor."""

WORKLOAD_CHECKS: dict[str, Check] = {
    "mode": among("as-used", "lab"),
    "history": among("own"),
    "max_tokens": whole(1),
    "temperature": real(0),
    "top_k": whole(0),
    "top_p": real(0, 1),
    "min_p": real(0, 1),
    "seed": whole(0),
    "thinking": among(*get_args(Thinking)),
    "ignore_eos": truth,
    "system": words,
}


def workload_of(values: Mapping[str, Any]) -> Workload:
    """The workload of checked values; what they lack is the default."""
    return Workload(**values)
