"""Wishes to a living run: one small file each, written aside and moved into its inbox."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias

from specui.domain.errors import UsageError
from specui.domain.text import one_line

if TYPE_CHECKING:
    from pathlib import Path

What: TypeAlias = Literal["stop", "skip", "mark"]
LARGEST_BYTES = 1 << 16


@dataclass(frozen=True, slots=True)
class Wish:
    """What somebody wants of a run."""

    what: What
    by: str
    label: str = ""


def put(inbox: Path, wish: Wish, name: str) -> None:
    """Leave a wish; `name` orders it among others. Raises UsageError where it cannot be left."""
    record = {"what": wish.what, "by": wish.by, "label": wish.label}
    aside = inbox / f".{name}.{os.getpid()}"
    try:
        aside.write_text(json.dumps(record), encoding="ascii")
        aside.replace(inbox / f"{name}-{os.getpid()}.json")
    except OSError as error:
        raise UsageError(f"no wish can be left in {inbox}: {error.strerror}") from error


def take(inbox: Path) -> list[Wish]:
    """Every wish in the inbox, in order; each is removed, and what is none is removed unread."""
    wishes: list[Wish] = []
    try:
        paths = sorted(p for p in inbox.iterdir() if p.suffix == ".json" and not p.name.startswith("."))
    except OSError:
        return []
    for path in paths:
        try:
            is_small = path.is_file() and path.stat().st_size <= LARGEST_BYTES
            text = path.read_text(encoding="utf-8", errors="replace") if is_small else ""
            path.unlink()
        except OSError:
            continue
        wish = _read(text)
        if wish is not None:
            wishes.append(wish)
    return wishes


def _read(text: str) -> Wish | None:
    try:
        record = json.loads(text)
    except (ValueError, RecursionError):
        return None
    if not isinstance(record, dict) or record.get("what") not in ("stop", "skip", "mark"):
        return None
    by, label = record.get("by"), record.get("label")
    return Wish(
        record["what"],
        one_line(by, 80) if isinstance(by, str) else "",
        one_line(label) if isinstance(label, str) else "",
    )
