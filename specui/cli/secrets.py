"""Keys that must never be written: taken out of engine arguments before anything else sees them."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from specui.domain.plan import Case
    from specui.domain.units import JsonValue

_FLAG = "--api-key"


def without_keys(cases: tuple[Case, ...]) -> tuple[tuple[Case, ...], str | None]:
    """The cases with `--api-key` taken out of their engine arguments, and the key.

    The engine gets it by its environment, so neither journal nor process list shows it.
    """
    key: str | None = None
    out: list[Case] = []
    for case in cases:
        extra = case.settings.get("extra")
        if not isinstance(extra, list) or not any(str(w).startswith(_FLAG) for w in extra):
            out.append(case)
            continue
        kept, found = _split([str(w) for w in extra])
        key = found or key
        settings = {k: v for k, v in case.settings.items() if k != "extra"} | ({"extra": kept} if kept else {})
        out.append(replace(case, settings=settings))
    return tuple(out), key


def _split(words: list[str]) -> tuple[list[JsonValue], str | None]:
    kept: list[JsonValue] = []
    key: str | None = None
    rest = iter(words)
    for word in rest:
        if word == _FLAG:
            key = next(rest, None)
        elif word.startswith(f"{_FLAG}="):
            key = word.partition("=")[2]
        else:
            kept.append(word)
    return kept, key
