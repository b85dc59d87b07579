"""Verification steps out of cumulative timings.

A step is one decode pass of the target. A server that sends its totals with every chunk gives all chunks of
one pass the same `predicted_ms`; differences between such groups, taken from (1 token, 0 ms, 0, 0), are the
steps (read on llama.cpp b11434 and b11669, `update_gen_last`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from specui.domain.units import Milliseconds, Tokens

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

FIRST_TOKEN = 1
"""The token that the prompt pass yields; it belongs to no step."""


@dataclass(frozen=True, slots=True)
class Totals:
    """What a request has generated so far. Never falls."""

    predicted_n: Tokens = FIRST_TOKEN
    predicted_ms: Milliseconds = 0.0
    draft_n: Tokens = 0
    draft_n_accepted: Tokens = 0


@dataclass(frozen=True, slots=True)
class Step:
    """One decode pass of the target, or several that arrived as one group."""

    ms: Milliseconds
    tokens: Tokens
    """Tokens it emitted, the target's own included."""
    drafted: Tokens
    accepted: Tokens

    def is_merged(self, bound: Tokens) -> bool:
        """Whether this may be more than one pass: more drafted than `bound`, or tokens ≠ accepted + 1.

        A pass that was replayed after a checkpoint shows the same way, and so do one cut by a stop and one whose
        counts cannot be. Per-position counts must not be taken from it.
        """
        return self.drafted > bound or self.accepted > self.drafted or self.tokens != self.accepted + 1


def step_between(before: Totals, after: Totals) -> Step:
    """The pass (or passes) that led from one total to the next; milliseconds to a nanosecond."""
    return Step(
        round(after.predicted_ms - before.predicted_ms, 6),
        after.predicted_n - before.predicted_n,
        after.draft_n - before.draft_n,
        after.draft_n_accepted - before.draft_n_accepted,
    )


@dataclass(frozen=True, slots=True)
class Tally:
    """What the steps so far amount to, kept as they come: nobody has to go through all of them again."""

    drafts: int = 0
    """Groups that checked a draft."""
    has_drafted: bool = False
    """Whether any group drafted or kept a token."""
    has_merged: bool = False
    """Whether some group may be more than one pass."""
    kept_at: tuple[int, ...] = ()
    """How many groups kept at least 1, 2, … tokens; as long as the longest run that was kept."""

    def extended(self, steps: Iterable[Step], bound: Tokens) -> Tally:
        """This tally with more steps, none of whose drafts can hold more than `bound` tokens."""
        drafts, has_drafted, has_merged, kept_at = self.drafts, self.has_drafted, self.has_merged, list(self.kept_at)
        for step in steps:
            drafts += step.drafted > 0
            has_drafted = has_drafted or step.drafted != 0 or step.accepted != 0
            has_merged = has_merged or step.is_merged(bound)
            kept = min(step.accepted, bound)
            kept_at += [0] * (kept - len(kept_at))
            for position in range(kept):
                kept_at[position] += 1
        return Tally(drafts, has_drafted, has_merged, tuple(kept_at))

    def accepted_per_position(self, bound: Tokens) -> tuple[int, ...] | None:
        """How many steps kept at least 1, 2, … `bound` drafted tokens.

        None where a merged group hides it, even one without a draft (its tokens may be a draft's, held back), or
        where nothing can be drafted.
        """
        if not bound or (self.has_drafted and self.has_merged):
            return None
        return self.kept_at + (0,) * (bound - len(self.kept_at))


@dataclass(frozen=True, slots=True)
class Accounting:
    """The terms of `predicted_n = 1 + D + A + P + R - X` for one request."""

    predicted_n: Tokens
    drafts: int
    """D: passes that verified a draft."""
    accepted: Tokens
    """A: drafted tokens that were kept."""
    plain: int
    """P: passes without a draft."""
    replayed: int
    """R: passes repeated after a checkpoint was restored."""
    dropped: Tokens
    """X: kept tokens that were never emitted, after a stop."""

    def difference(self) -> Tokens:
        """0 where the books balance."""
        expected = FIRST_TOKEN + self.drafts + self.accepted + self.plain + self.replayed - self.dropped
        return self.predicted_n - expected


def account(
    totals: Totals, steps: Sequence[Step], bound: Tokens, drafts: int | None, decodes: int | None
) -> Accounting | None:
    """The books of one request, from its steps and, where groups are merged, from the engine's counters.

    `drafts` and `decodes` are what the counters rose by: verification passes, and passes after the prompt.
    None where a merged group leaves a term open and no counter fills it. With `decodes` given, plain passes
    are counted from it, so the steps and the counters check each other.
    """
    merged = [s for s in steps if s.is_merged(bound)]
    single = [s for s in steps if not s.is_merged(bound)]
    cut = _cut_tail(steps, bound)
    seen_drafts = sum(1 for s in single if s.drafted) + (1 if cut else 0)
    if len(merged) > (1 if cut else 0):
        if drafts is None or decodes is None:
            return None
        plain_and_replayed = decodes - drafts
        dropped = max(0, FIRST_TOKEN + decodes + totals.draft_n_accepted - totals.predicted_n)
        return Accounting(totals.predicted_n, drafts, totals.draft_n_accepted, plain_and_replayed, 0, dropped)
    known_drafts = seen_drafts if drafts is None else drafts
    plain = sum(1 for s in single if not s.drafted) if decodes is None else decodes - known_drafts
    return Accounting(totals.predicted_n, known_drafts, totals.draft_n_accepted, plain, 0, cut)


def _cut_tail(steps: Sequence[Step], bound: Tokens) -> Tokens:
    """Kept tokens of the last pass that were never emitted because the answer ended inside its draft."""
    if not steps or not steps[-1].accepted <= steps[-1].drafted <= bound:
        return 0
    return max(0, steps[-1].accepted + 1 - steps[-1].tokens)
