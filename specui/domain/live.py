"""What the figures of a run are at this moment: gauges over the last two seconds, and sums over a case so far.

Everything here is a function of the run alone, so a live, a watched and a replayed run show the same.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import zip_longest
from typing import TYPE_CHECKING

from specui.domain import metrics
from specui.domain.books import accepted_of, drafted_of, known_sum, passes_of
from specui.domain.request_facts import RESULT_PURPOSES
from specui.domain.steps import Totals
from specui.domain.summary import baseline_number
from specui.domain.units import Milliseconds, Ratio, Tokens, TokensPerSecond

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from specui.domain.request import RequestState
    from specui.domain.run import CaseState, Run
    from specui.domain.series import Series
    from specui.domain.units import Seconds

GAUGE_MS: Milliseconds = 2000.0
"""A gauge looks back so far, by the engine's own clock."""

LEAST_GAUGE_MS: Milliseconds = 300.0
"""Below this much decoding a gauge shows chance, unless the answer ended there."""


@dataclass(frozen=True, slots=True)
class Gauge:
    """The last two seconds of decoding; None is unknown."""

    speed: TokensPerSecond
    acceptance: Ratio | None
    tokens_per_step: float | None


@dataclass(frozen=True, slots=True)
class Figures:
    """A case so far: its results and the answer that is being generated. None is unknown."""

    requests: int = 0
    speed: TokensPerSecond | None = None
    acceptance: Ratio | None = None
    acceptance_at: tuple[Ratio, ...] | None = None
    tokens_per_step: float | None = None
    step_ms: Milliseconds | None = None
    width: float | None = None
    """Tokens that a verification pass checks on average: the draft and one more."""
    draft_share: Ratio | None = None
    """Share of a step's time that went into drafting; known where the engine's log told, after an answer."""


@dataclass(frozen=True, slots=True)
class _Part:
    """What one request adds to the figures of its case."""

    tokens: Tokens
    ms: Milliseconds
    accepted: Tokens | None
    drafted: Tokens | None
    drafts: int | None
    passes: int | None
    kept_at: tuple[int, ...] | None
    draft_ms: Milliseconds | None
    """Time spent drafting in all of `ms`."""


def current_case(run: Run) -> CaseState | None:
    """The case that is at work, else the last one that was."""
    working = [c for c in run.cases if c.progress == "running"]
    if working:
        return working[-1]
    begun = max((c for c in run.cases if c.begun_at is not None), key=lambda c: c.begun_at or 0.0, default=None)
    asked = run.case(run.requests[-1].case) if run.requests else None
    if asked is None or (begun is not None and (begun.begun_at or 0.0) > run.requests[-1].sent_at):
        return begun
    return asked


def current_request(run: Run) -> RequestState | None:
    """The latest request of the current case; None where it has none yet."""
    state = current_case(run)
    return run.requests[-1] if state and run.requests and run.requests[-1].case == state.number else None


def gauge_at(readings: Series[tuple[Seconds, Totals]], index: int) -> Gauge | None:
    """The gauge at one reading of a request. None without any time."""
    _, after = readings[index]
    since = after.predicted_ms - GAUGE_MS
    first = _first(index, lambda i: readings[i][1].predicted_ms > since) - 1
    before = readings[first][1] if first >= 0 else Totals()
    ms, tokens = after.predicted_ms - before.predicted_ms, after.predicted_n - before.predicted_n
    if ms <= 0 or tokens < 0:
        return None
    accepted, drafted = after.draft_n_accepted - before.draft_n_accepted, after.draft_n - before.draft_n
    passes, speed = tokens - accepted, 1000 * tokens / ms
    if not 0 <= accepted <= drafted:  # counts that fell, or that cannot be
        return Gauge(speed, None, None)
    return Gauge(speed, metrics.acceptance(accepted, drafted), tokens / passes if passes > 0 and tokens else None)


def gauge(request: RequestState | None) -> Gauge | None:
    """The gauge of an answer that is being generated now; None where none is, or where it has only begun."""
    if request is None or request.finished is not None or not len(request.readings):
        return None
    last = len(request.readings) - 1
    return gauge_at(request.readings, last) if request.readings[last][1].predicted_ms >= LEAST_GAUGE_MS else None


def speed_points(run: Run, since: Seconds, until: Seconds) -> Iterator[tuple[Seconds, TokensPerSecond, int]]:
    """Moments from `since` to before `until`, the gauge's speed at each, and the request it belongs to.

    Probes are left out: they are too short to have a speed.
    """
    for request in _overlapping(run, since, until):
        readings, count = request.readings, len(request.readings)
        begin = _first(count, lambda i, r=readings: r[i][0] >= since)  # type: ignore[misc]  # a default binds the loop's value
        for index in range(begin, count):
            t, totals = readings[index]
            if t >= until:
                break
            here = gauge_at(readings, index) if totals.predicted_ms >= LEAST_GAUGE_MS else None
            if here is not None:
                yield t, here.speed, request.number
        ended = request.finished_at
        if count and ended is not None and since <= ended < until and readings[-1][1].predicted_ms < LEAST_GAUGE_MS:
            whole = gauge_at(readings, count - 1)  # told when it ends: before, nobody knew that it would be so short
            if whole is not None:
                yield ended, whole.speed, request.number


def cpu_points(run: Run, since: Seconds, until: Seconds) -> Iterator[tuple[Seconds, float, int]]:
    """Moments from `since` to before `until` and the engine's busy cores at each; the last number is the case."""
    samples = run.host_samples
    for index in range(_first(len(samples), lambda i: samples[i][0] >= since), len(samples)):
        t, sample = samples[index]
        if t >= until:
            break
        if sample.engine_cpu is not None:
            yield t, sample.engine_cpu, sample.case or 0


@lru_cache(maxsize=16)  # several panels ask the same of the same run
def figures(run: Run, number: int) -> Figures:
    """The figures of a case so far."""
    every = [r for r in run.requests if r.case == number and r.purpose in RESULT_PURPOSES]
    parts = [_finished_part(r) for r in every if r.is_result]
    state = run.case(number)
    is_at_work = state is None or state.progress == "running"
    going = [_running_part(r) for r in every[-1:] if is_at_work and r.finished is None and r.totals is not None]
    both = parts + going
    if not both:
        return Figures()
    tokens, ms = sum(p.tokens for p in both), sum(p.ms for p in both)
    timed = [p for p in both if p.tokens > 0 and p.ms > 0]
    accepted, drafted = known_sum(p.accepted for p in both), known_sum(p.drafted for p in both)
    passes = known_sum(p.passes for p in both)
    counted = both if all(p.kept_at is not None and p.drafts is not None for p in both) else parts
    drafts = known_sum(p.drafts for p in counted)
    return Figures(
        requests=len(parts),
        speed=1000 * sum(p.tokens for p in timed) / sum(p.ms for p in timed) if timed else None,
        acceptance=None if accepted is None or drafted is None else metrics.acceptance(accepted, drafted),
        acceptance_at=None if accepted is None else _acceptance_at(counted, drafts),
        tokens_per_step=tokens / passes if passes and tokens else None,
        step_ms=metrics.step_time(ms, passes) if passes else None,
        width=_width(counted, drafts),
        draft_share=_draft_share(parts),
    )


def prompt_speed(run: Run, number: int) -> TokensPerSecond | None:
    """Prompt tokens a second: of the prompt that is being read, else of the last one that was long enough to tell."""
    for request in reversed(run.requests):
        if request.case != number:
            break
        told = request.finished
        if told is None and request.progress is not None:
            done = request.progress.processed - request.progress.cached
            speed = metrics.prompt_speed(done, request.progress.ms)
        else:
            n, ms = (told.prompt_n, told.prompt_ms) if told else (None, None)
            speed = None if n is None or ms is None else metrics.prompt_speed(n, ms)
        if speed is not None:
            return speed
    return None


def baseline_of(run: Run, number: int) -> CaseState | None:
    """The case without speculation that a case is compared with; None where there is none, or it is that itself."""
    base = baseline_number(run, number)
    return run.case(base) if base is not None and base != number else None


def kappa(run: Run, number: int) -> float | None:
    """What a step of a case costs in passes of its baseline. None where either is unknown."""
    base = baseline_of(run, number)
    here, plain = figures(run, number).step_ms, figures(run, base.number).step_ms if base else None
    return metrics.cost_ratio(here, plain) if here is not None and plain is not None else None


def _overlapping(run: Run, since: Seconds, until: Seconds) -> list[RequestState]:
    """Requests with a part of their life in a span of time, oldest first."""
    found: list[RequestState] = []
    for request in reversed(run.requests):
        if request.finished_at is not None and request.finished_at < since:
            break
        if request.sent_at < until and request.purpose != "probe":
            found.append(request)
    return found[::-1]


def _first(count: int, holds: Callable[[int], bool]) -> int:
    """The first of `count` ordered places where `holds` begins to be true; `count` where it never does."""
    low, high = 0, count
    while low < high:
        middle = (low + high) // 2
        if holds(middle):
            high = middle
        else:
            low = middle + 1
    return low


@lru_cache(maxsize=1024)
def _finished_part(request: RequestState) -> _Part:
    """A finished request never changes, so it is read once."""
    finished = request.finished
    n, ms = (finished.predicted_n, finished.predicted_ms) if finished else (None, None)
    counts = n is not None and ms is not None and n > 1
    drafts = request.drafts
    costs = request.costs
    return _Part(
        n - 1 if n is not None and counts else 0,
        ms if ms is not None and counts else 0.0,
        accepted_of(request),
        drafted_of(request),
        drafts,
        passes_of(request),
        request.accepted_per_position if drafts else (),
        costs.draft_ms if costs else None,
    )


def _running_part(request: RequestState) -> _Part:
    totals = request.totals or Totals()
    kept_at = request.tally.accepted_per_position(request.bound)
    return _Part(
        totals.predicted_n - 1,
        totals.predicted_ms,
        totals.draft_n_accepted,
        totals.draft_n,
        None if request.tally.has_merged and totals.draft_n else request.tally.drafts,
        metrics.steps_from_totals(totals.predicted_n, totals.draft_n_accepted),
        kept_at if totals.draft_n else (),
        None,
    )


def _acceptance_at(parts: list[_Part], drafts: int | None) -> tuple[Ratio, ...] | None:
    rows = [p.kept_at for p in parts if p.drafts]
    known = [row for row in rows if row is not None]
    if not drafts or len(known) != len(rows):
        return None
    return metrics.acceptance_at([sum(column) for column in zip_longest(*known, fillvalue=0)], drafts)


def _width(parts: list[_Part], drafts: int | None) -> float | None:
    drafted = known_sum(p.drafted for p in parts)
    return 1 + drafted / drafts if drafts and drafted is not None else None


def _draft_share(parts: list[_Part]) -> Ratio | None:
    told = [(p.draft_ms, p.ms) for p in parts if p.draft_ms is not None]
    total = sum(ms for _, ms in told)
    if not told or len(told) < len(parts) or total <= 0:
        return None
    return min(1.0, max(0.0, sum(d for d, _ in told) / total))
