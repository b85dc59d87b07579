"""What a finished request adds to the figures of its case, read once and in one way by whoever sums it up."""

from __future__ import annotations

from typing import TYPE_CHECKING

from specui.domain import metrics

if TYPE_CHECKING:
    from collections.abc import Iterable

    from specui.domain.request import RequestState
    from specui.domain.units import Milliseconds, Tokens


def timing_of(request: RequestState) -> tuple[Tokens | None, Milliseconds | None]:
    """Tokens generated and the time they took; None where they are not known, or not yet."""
    finished = request.finished
    return (finished.predicted_n, finished.predicted_ms) if finished else (None, None)


def accepted_of(request: RequestState) -> Tokens | None:
    """Kept tokens; 0 where the engine reports times but drafted nothing; None where the count cannot be."""
    finished = request.finished
    if finished is None or finished.timed_by != "server" or request.has_impossible_counts:
        return None
    return finished.draft_n_accepted if finished.draft_n_accepted is not None else (0 if not finished.draft_n else None)


def drafted_of(request: RequestState) -> Tokens | None:
    """Tokens that were proposed; 0 where the engine reports times but no drafts; None where it reports none."""
    finished = request.finished
    return None if finished is None or finished.timed_by != "server" else finished.draft_n or 0


def passes_of(request: RequestState) -> int | None:
    """Decode passes after the prompt: by the books where they balance, else by the totals."""
    accepted = accepted_of(request)
    if accepted is None:
        return None
    books = request.accounting()
    if books is not None and books.difference() == 0:
        return books.drafts + books.plain + books.replayed
    return metrics.steps_from_totals(request.predicted_n, accepted)


def known_sum(values: Iterable[int | None]) -> int | None:
    """The sum of counts; None where one of them is not known, or where there is none."""
    seen = list(values)
    known = [v for v in seen if v is not None]
    return sum(known) if known and len(known) == len(seen) else None
