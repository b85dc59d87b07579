"""What the requests of a case amount to: the figures that every table shows."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import zip_longest
from typing import TYPE_CHECKING

from specui.domain import metrics
from specui.domain.books import accepted_of, drafted_of, known_sum, passes_of, timing_of
from specui.domain.degenerate import is_degenerate
from specui.domain.units import Milliseconds, Ratio, Tokens, TokensPerSecond

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from specui.domain.request import RequestState
    from specui.domain.run import Run


@dataclass(frozen=True, slots=True)
class TurnSummary:
    """All results of one turn of a case, every prompt and repeat together."""

    turn: int
    tokens: Tokens
    """Of one answer: the mean over prompts and repeats."""
    speed: TokensPerSecond | None


@dataclass(frozen=True, slots=True)
class CaseSummary:
    """The figures of one case; None is unknown."""

    requests: int
    prompts: int
    turns: tuple[TurnSummary, ...]
    tokens: Tokens
    speed: TokensPerSecond | None
    """Token-weighted over all results."""
    prompt_speed: TokensPerSecond | None
    drafted: Tokens | None
    accepted: Tokens | None
    acceptance: Ratio | None
    acceptance_at: tuple[Ratio, ...] | None
    mean_length: float | None
    tokens_per_step: float | None
    step_ms: Milliseconds | None
    draft_ms: Milliseconds | None
    """Drafting time of one step, where the engine's log tells."""
    ttft_ms: Milliseconds | None
    """Mean over the results."""
    server_speed: TokensPerSecond | None
    """The engine's own word, averaged by tokens; for comparison beside ours."""
    client_timed: bool
    """Whether a speed rests on our clock because the engine reports no times."""
    repeat_speeds: tuple[TokensPerSecond, ...]
    """Of each repeat alone, in order."""
    degenerate: bool
    """Whether some answer runs in a loop."""


def case_summary(run: Run, number: int) -> CaseSummary:
    """The figures of a case out of its results; probes, warm-ups and broken requests do not count."""
    results = [r for r in run.requests if r.case == number and r.is_result]
    accepted, drafted = known_sum(accepted_of(r) for r in results), known_sum(drafted_of(r) for r in results)
    drafts = known_sum(r.drafts for r in results)
    passes = known_sum(passes_of(r) for r in results)
    timed = [(n, ms) for r in results for n, ms in [timing_of(r)] if n is not None and ms is not None]
    total_ms = sum(ms for n, ms in timed if n > 1)
    generated = sum(n - 1 for n, _ in timed if n > 1)
    return CaseSummary(
        requests=len(results),
        prompts=len({r.prompt_id for r in results}),
        turns=_turns(results),
        tokens=sum(r.predicted_n for r in results),
        speed=metrics.weighted_speed(timed),
        prompt_speed=_prompt_speed(results),
        drafted=drafted,
        accepted=accepted,
        acceptance=None if accepted is None or drafted is None else metrics.acceptance(accepted, drafted),
        acceptance_at=None if accepted is None else _acceptance_at(results, drafts),
        mean_length=None if accepted is None or drafts is None else metrics.mean_length(accepted, drafts),
        tokens_per_step=generated / passes if passes and generated else None,
        step_ms=metrics.step_time(total_ms, passes) if passes else None,
        draft_ms=_draft_ms(results),
        ttft_ms=_mean([r.ttft_ms for r in results if r.ttft_ms is not None]),
        server_speed=server_speed(results),
        client_timed=any(r.finished is not None and r.finished.timed_by == "client" for r in results),
        repeat_speeds=_repeat_speeds(results),
        degenerate=any(is_degenerate(r.text("answer")) or is_degenerate(r.text("thinking")) for r in results),
    )


def best_speed(summaries: Iterable[CaseSummary]) -> TokensPerSecond | None:
    """The highest speed among cases; None where none has any."""
    return max((s.speed for s in summaries if s.speed is not None), default=None)


def baseline_number(run: Run, number: int) -> int | None:
    """The case without speculation that `number` is compared with; itself if it is one; None if there is none."""
    state = run.case(number)
    if state is None:
        return None
    return next((c.number for c in run.cases if c.case.is_baseline_of(state.case)), None)


def _turns(results: Sequence[RequestState]) -> tuple[TurnSummary, ...]:
    out = []
    for turn in sorted({r.turn for r in results}):
        mine = [r for r in results if r.turn == turn]
        timed = [(n, ms) for r in mine for n, ms in [timing_of(r)] if n is not None and ms is not None]
        out.append(
            TurnSummary(turn, round(sum(r.predicted_n for r in mine) / len(mine)), metrics.weighted_speed(timed))
        )
    return tuple(out)


def _repeat_speeds(results: Sequence[RequestState]) -> tuple[TokensPerSecond, ...]:
    speeds = []
    for repeat in sorted({r.repeat for r in results}):
        timed = [(n, ms) for r in results if r.repeat == repeat for n, ms in [timing_of(r)] if n and ms]
        speeds.append(metrics.weighted_speed(timed))
    return tuple(s for s in speeds if s is not None)


def _prompt_speed(results: Sequence[RequestState]) -> TokensPerSecond | None:
    read = [
        (f.prompt_n, f.prompt_ms)
        for r in results
        if (f := r.finished) is not None and f.prompt_n is not None and f.prompt_ms is not None
    ]
    counted = [(n, ms) for n, ms in read if metrics.prompt_speed(n, ms) is not None]
    return metrics.prompt_speed(sum(n for n, _ in counted), sum(ms for _, ms in counted)) if counted else None


def _acceptance_at(results: Sequence[RequestState], drafts: int | None) -> tuple[Ratio, ...] | None:
    rows = [r.accepted_per_position for r in results if r.drafts != 0]
    known = [row for row in rows if row is not None]
    if not drafts or not known or len(known) != len(rows):
        return None
    return metrics.acceptance_at([sum(column) for column in zip_longest(*known, fillvalue=0)], drafts)


def _draft_ms(results: Sequence[RequestState]) -> Milliseconds | None:
    read = [(r.costs.draft_ms, r.costs.draft_calls) for r in results if r.costs and r.costs.draft_ms is not None]
    calls = sum(n for _, n in read)
    return sum(ms for ms, _ in read) / calls if calls else None


def server_speed(results: Sequence[RequestState]) -> TokensPerSecond | None:
    """Total tokens over the total of the times that the engine's own speeds imply."""
    read = [(r.predicted_n - 1, r.server_word) for r in results if r.server_word and r.predicted_n > 1]
    return sum(n for n, _ in read) / sum(n / word for n, word in read) if read else None


def _mean(values: Sequence[float]) -> float | None:
    return sum(values) / len(values) if values else None
