"""One request as the facts tell it: what was asked, what came back, and the books of its steps."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

from specui.domain.changed import changed
from specui.domain.events import (
    RESULT_PURPOSES,
    Channel,
    CountersRead,
    PromptProgressed,
    Purpose,
    RequestFinished,
    RequestSent,
    StepCostsRead,
    StepsDecoded,
    TextSpan,
)
from specui.domain.series import Series
from specui.domain.steps import Accounting, Step, Tally, Totals, account
from specui.domain.units import Milliseconds, Record, Seconds, Tokens


@dataclass(frozen=True, slots=True)
class CounterRise:
    """What the engine's counters rose by over one request."""

    drafts: int | None = None
    drafted: Tokens | None = None
    accepted: Tokens | None = None
    per_position: tuple[int, ...] | None = None
    decodes: int | None = None

    def is_of(self, finished: RequestFinished) -> bool:
        """Whether this can be the rise of that request alone: another client's requests would show here too."""
        if finished.timed_by != "server":
            return True
        drafted = finished.draft_n or 0
        accepted = finished.draft_n_accepted if drafted else 0
        drafts = drafted if self.drafts is None else self.drafts
        rows = self.per_position or ()
        return (
            self.drafted in (None, drafted)
            and (accepted is None or self.accepted in (None, accepted))
            and all(here <= before for before, here in pairwise((drafted, drafts, *rows)))
            and (not rows or self.accepted in (None, sum(rows)))
        )


@dataclass(frozen=True, eq=False)
class RequestState:
    """A request and everything heard of it so far."""

    number: int
    case: int
    repeat: int
    turn: int
    prompt_id: str
    purpose: Purpose
    prompt: str
    sent_at: Seconds
    bound: Tokens
    """Most tokens one draft of this case can hold."""
    first_token_at: Seconds | None = None
    finished_at: Seconds | None = None
    progress: PromptProgressed | None = None
    batches: int | None = None
    """Prompt batches decoded; None where the engine reports no progress."""
    totals: Totals | None = None
    steps: Series[Step] = Series()
    tally: Tally = Tally()
    readings: Series[tuple[Seconds, Totals]] = Series()
    """The totals as they came, each with its moment: what a gauge over time is made of."""
    spans: Series[TextSpan] = Series()
    finished: RequestFinished | None = None
    server_word: float | None = None
    """Tokens a second as the engine itself says."""
    costs: StepCostsRead | None = None
    rise: CounterRise | None = None

    @property
    def is_result(self) -> bool:
        """Whether it counts: a measured or asked request that ended as it should."""
        return self.purpose in RESULT_PURPOSES and self.finished is not None and self.finished.error is None

    @property
    def ttft_ms(self) -> Milliseconds | None:
        """From sending to the first non-empty text, by our clock; queue, prompt and network included."""
        return None if self.first_token_at is None else round(1000 * (self.first_token_at - self.sent_at), 3)

    @property
    def total_ms(self) -> Milliseconds | None:
        """From sending to the last token.

        By our clock up to the first token; from there by the engine's where it has one, for ours notices the
        end of a long stream up to 0.2 s late.
        """
        if self.finished_at is None:
            return None
        noticed = round(1000 * (self.finished_at - self.sent_at), 3)
        spent = self.finished.predicted_ms if self.finished and self.finished.timed_by == "server" else None
        return noticed if spent is None or self.ttft_ms is None else min(noticed, round(self.ttft_ms + spent, 3))

    @property
    def predicted_n(self) -> Tokens:
        """Tokens generated so far."""
        if self.finished is not None and self.finished.predicted_n is not None:
            return self.finished.predicted_n
        return self.totals.predicted_n if self.totals else 0

    @property
    def has_impossible_counts(self) -> bool:
        """Whether the engine counts more kept tokens than drafted ones."""
        return self.finished is not None and (self.finished.draft_n_accepted or 0) > (self.finished.draft_n or 0)

    @property
    def has_merged_groups(self) -> bool:
        """Whether some passes arrived as one group, so that their drafts cannot be told apart."""
        return self.tally.has_merged

    @property
    def drafts(self) -> int | None:
        """Verification passes: by the engine's counters, else by the steps where every one stands alone."""
        if self.finished is not None and self.finished.timed_by == "server" and not self.finished.draft_n:
            return 0
        if (told := self._rise().drafts) is not None:
            return told
        books = self.accounting()
        return books.drafts if books else None

    @property
    def accepted_per_position(self) -> tuple[int, ...] | None:
        """Drafts that kept at least 1, 2, … tokens: by the counters, else by the steps; None where both fail."""
        if (told := self._rise().per_position) is not None:
            return told
        return self.tally.accepted_per_position(self.bound) if len(self.steps) else None

    def text(self, channel: Channel = "answer") -> str:
        """Everything that arrived on a channel."""
        return "".join(words for _, _, heard, words in self.spans if heard == channel)

    def accounting(self) -> Accounting | None:
        """The books of this request; None while it runs, or where a term cannot be known."""
        if self.finished is None or self.totals is None or not len(self.steps):
            return None
        rise = self._rise()
        decodes = None if rise.decodes is None or self.batches is None else rise.decodes - self.batches
        return account(self.totals, list(self.steps), self.bound, rise.drafts, decodes)

    def _rise(self) -> CounterRise:
        """What the counters rose by, where that is this request's doing."""
        is_own = self.rise is not None and (self.finished is None or self.rise.is_of(self.finished))
        return self.rise if self.rise is not None and is_own else CounterRise()

    def with_progress(self, fact: PromptProgressed) -> RequestState:
        """After another report on the prompt; every rise of `processed` is one batch."""
        before = self.progress.processed if self.progress else fact.cached
        batches = (self.batches or 0) + (1 if fact.processed > before else 0)
        return changed(self, progress=fact, batches=batches)

    def with_steps(self, fact: StepsDecoded, t: Seconds) -> RequestState:
        """After more steps at the moment `t`.

        What the totals hold beyond the columns (a lost line) is one merged group.
        """
        spans = self.spans.extended(fact.text)
        if fact.predicted_n is None or fact.predicted_ms is None:
            return changed(self, spans=spans)
        after = Totals(fact.predicted_n, fact.predicted_ms, fact.draft_n or 0, fact.draft_n_accepted or 0)
        rows = list(map(Step, fact.ms, fact.tokens, fact.drafted, fact.accepted))
        missing = _missing(self.totals or Totals(), after, rows)
        return self._with_rows([missing, *rows] if missing else rows, after, t, spans)

    def with_end(self, fact: RequestFinished, t: Seconds) -> RequestState:
        """After the end; what its totals hold beyond the steps (a lost line) is one merged group."""
        word = self.server_word if fact.server_tok_per_s is None else fact.server_tok_per_s
        ended = changed(self, finished=fact, finished_at=t, server_word=word)
        if fact.timed_by != "server" or fact.predicted_n is None or fact.predicted_ms is None:
            return ended
        after = Totals(fact.predicted_n, fact.predicted_ms, fact.draft_n or 0, fact.draft_n_accepted or 0)
        missing = _missing(self.totals or Totals(), after, [])
        return ended._with_rows([missing], after, t, self.spans) if missing else ended

    def _with_rows(self, rows: list[Step], after: Totals, t: Seconds, spans: Series[TextSpan]) -> RequestState:
        return changed(
            self,
            totals=after,
            spans=spans,
            steps=self.steps.extended(rows),
            tally=self.tally.extended(rows, self.bound),
            readings=self.readings.appended((t, after)),
        )

    def as_record(self) -> Record:
        """Plain values, for comparing states."""
        finished = self.finished
        return {
            "number": self.number,
            "case": self.case,
            "purpose": self.purpose,
            "turn": self.turn,
            "repeat": self.repeat,
            "prompt": self.prompt,
            "steps": [[s.ms, s.tokens, s.drafted, s.accepted] for s in self.steps],
            "answer": self.text(),
            "thinking": self.text("thinking"),
            "predicted_n": self.predicted_n,
            "drafts": self.drafts,
            "accepted_per_position": list(self.accepted_per_position or ()),
            "ttft_ms": self.ttft_ms,
            "total_ms": self.total_ms,
            "stop_reason": finished.stop_reason if finished else None,
            "error": finished.error if finished else None,
            "server_word": self.server_word,
            "draft_ms": self.costs.draft_ms if self.costs else None,
            "is_result": self.is_result,
        }


def sent(fact: RequestSent, t: Seconds, bound: Tokens) -> RequestState:
    """A request at the moment it goes out."""
    return RequestState(
        fact.request, fact.case, fact.repeat, fact.turn, fact.prompt_id, fact.purpose, fact.prompt, t, bound
    )


def counter_rise(before: CountersRead | None, after: CountersRead) -> CounterRise:
    """How far the counters rose between two readings of one server.

    A field is None where either reading lacks it. One that fell means that the server was restarted: then
    nothing is known. Positions appear with the first draft: they count from zero where nothing had been accepted.
    """
    if before is None:
        return CounterRise()
    rise = CounterRise(
        _rise(before.drafts, after.drafts),
        _rise(before.drafted, after.drafted),
        _rise(before.accepted, after.accepted),
        _position_rise(before, after),
        _rise(before.decodes, after.decodes),
    )
    told = (rise.drafts, rise.drafted, rise.accepted, rise.decodes, *(rise.per_position or ()))
    return CounterRise() if any(n is not None and n < 0 for n in told) else rise


def _rise(before: int | None, after: int | None) -> int | None:
    return after - before if before is not None and after is not None else None


def _position_rise(before: CountersRead, after: CountersRead) -> tuple[int, ...] | None:
    was_empty = before.accepted == 0 or before.drafts == 0
    if after.per_position is None or (before.per_position is None and not was_empty):
        return None
    earlier = before.per_position or ()
    if len(earlier) > len(after.per_position):
        return None
    padded = earlier + (0,) * (len(after.per_position) - len(earlier))
    return tuple(now - then for then, now in zip(padded, after.per_position, strict=True))


def _missing(before: Totals, after: Totals, rows: list[Step]) -> Step | None:
    tokens = after.predicted_n - before.predicted_n - sum(r.tokens for r in rows)
    if tokens <= 0:
        return None
    return Step(
        max(0.0, round(after.predicted_ms - before.predicted_ms - sum(r.ms for r in rows), 6)),
        tokens,
        max(0, after.draft_n - before.draft_n - sum(r.drafted for r in rows)),
        max(0, after.draft_n_accepted - before.draft_n_accepted - sum(r.accepted for r in rows)),
    )
