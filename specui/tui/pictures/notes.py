"""What a reader of the numbers should know: the plan's note, failures, warnings, lost lines; the newest on one row."""

from __future__ import annotations

from typing import TYPE_CHECKING

from specui.domain.text import one_line
from specui.tui.pictures.rows import Row, cut, outside

if TYPE_CHECKING:
    from specui.domain.run import Run

Note = tuple[str, str]
"""The name of a style, and the whole text."""


def notes(run: Run) -> list[Note]:
    """Everything there is to know, what came last at the end; nothing is told twice."""
    told: dict[str, Note] = {}
    if run.plan is not None and run.plan.note:
        told["plan"] = ("text", run.plan.note)
    if run.lost:
        many = "line is" if run.lost == 1 else "lines are"
        told["lost"] = ("warning", f"{run.lost} {many} missing or damaged in the journal: what they told is lost")
    for warning in run.warnings:
        state = run.case(warning.case) if warning.case is not None else None
        where = f"{state.case.label()}: " if state else ""
        told[warning.text + where] = ("warning", f"{where}{warning.text}")
    for state in run.cases:
        if state.progress == "failed":
            told[f"failed {state.number}"] = (
                "bad",
                f"{state.case.label()} failed: {state.reason or 'no reason given'}",
            )
    return list(told.values())


def has_failures(run: Run) -> bool:
    """Whether some case failed."""
    return any(state.progress == "failed" for state in run.cases)


def note_line(run: Run, width: int) -> Row:
    """The last note on one row, and how many there are."""
    every = notes(run)
    if not every:
        return ()
    style, text = every[-1]
    more = "  (w: all of it)" if len(every) == 1 else f"  (w: all {len(every)})"
    room = max(0, width - 2 - len(more))
    shown = outside(text, room)
    is_whole = len(every) == 1 and shown == one_line(text, 100_000)
    return cut(((style, "! "), ("text", shown), ("dim", "" if is_whole else more)), width)
