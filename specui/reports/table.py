"""A set of runs as the table that people compare by: plain values, keys are promises."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from specui.domain.events import RESULT_PURPOSES
from specui.domain.metrics import LEAST_RANKED_TOKENS, speedup
from specui.domain.summary import CaseSummary, baseline_number, best_speed, case_summary
from specui.reports.conditions import conditions, run_notes

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from specui.domain.request import RequestState
    from specui.domain.run import CaseState, Run
    from specui.domain.units import JsonValue, Record

FORMAT = 1


def report(runs: Sequence[Run], names: Sequence[str] = ()) -> Record:
    """The report's document: models with their cases. Orderings, verdicts and consensus are null until judged.

    `names` tells the runs apart where there are several.
    """
    groups: dict[tuple[str, str, str], list[tuple[Run, CaseState]]] = {}
    for run in runs:
        for state in run.cases:
            model = state.case.model
            groups.setdefault((model.name, model.family, model.fingerprint or model.path), []).append((run, state))
    known = {id(run): name for run, name in zip(runs, names, strict=False)}
    models: list[JsonValue] = [_model(name, family, cases, known) for (name, family, _), cases in groups.items()]
    about: list[JsonValue] = [
        {"run": known.get(id(run)), "conditions": conditions(run), "notes": list(run_notes(run))} for run in runs
    ]
    document: Record = {"format": FORMAT, "models": models, "consensus": [], "runs": about}
    return {key: _finite(value) for key, value in document.items()}


def _finite(value: JsonValue) -> JsonValue:
    """The value with numbers that are none (absurd times in a file that somebody edited) as unknown."""
    if isinstance(value, dict):
        return {key: _finite(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [_finite(inner) for inner in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


def _model(name: str, family: str, cases: Sequence[tuple[Run, CaseState]], known: Mapping[int, str]) -> Record:
    summaries = [case_summary(run, state.number) for run, state in cases]
    best = best_speed(summaries)
    rows: list[JsonValue] = [
        {"run": known.get(id(run)), **_case(run, state, summary, best)}
        for (run, state), summary in zip(cases, summaries, strict=True)
    ]
    return {"model": name, "family": family, "ordering": None, "toy": cases[0][1].case.model.toy, "cases": rows}


def _case(run: Run, state: CaseState, summary: CaseSummary, best: float | None) -> Record:
    spec = state.case.speculation
    number = baseline_number(run, state.number)
    base = run.case(number) if number is not None else None
    against = case_summary(run, number).speed if number is not None else None
    return {
        "label": state.case.label(),
        "engine": state.case.engine.name,
        "device": state.case.device or (state.ready.device if state.ready else None),
        "method": spec.method,
        "n_max": spec.draft_bound() or None,
        "baseline": base.case.label() if base else None,
        "outcome": "stopped" if run.progress == "stopped" and state.progress == "skipped" else state.progress,
        "reason": state.reason,
        "requests": summary.requests,
        "prompts": summary.prompts,
        "turns": [{"turn": t.turn, "tokens": t.tokens, "speed_tok_per_s": t.speed} for t in summary.turns],
        "tokens": summary.tokens,
        "speed_tok_per_s": summary.speed,
        "interval_tok_per_s": None,
        "repeat_speeds_tok_per_s": list(summary.repeat_speeds),
        "server_tok_per_s": summary.server_speed,
        "prompt_tok_per_s": summary.prompt_speed,
        "speedup": speedup(summary.speed, against),
        "paired_ratio": None,
        "paired_interval": None,
        "ratio_to_best": summary.speed / best if summary.speed is not None and best else None,
        "tokens_per_step": summary.tokens_per_step,
        "step_ms": summary.step_ms,
        "draft_ms": summary.draft_ms,
        "mean_length": summary.mean_length,
        "acceptance": summary.acceptance,
        "acceptance_at": list(summary.acceptance_at) if summary.acceptance_at is not None else None,
        "ttft_ms": summary.ttft_ms,
        "verdict": None,
        "single_run": run.plan is None or run.plan.repeats == 1,
        "degenerate": summary.degenerate,
        "notes": _notes(run, state, summary),
    }


def _broken(request: RequestState, error: str) -> str:
    after = f" after {request.predicted_n} tokens" if request.predicted_n else ""
    return f"{request.prompt_id}, turn {request.turn}, broke off{after} and is not counted: {error}"


def _notes(run: Run, state: CaseState, summary: CaseSummary) -> list[JsonValue]:
    notes: list[str] = [w.text for w in run.warnings if w.case == state.number]
    asked = [r for r in run.requests_of(state.number) if r.finished and r.purpose in RESULT_PURPOSES]
    errors = [(r, r.finished.error) for r in asked if r.finished and r.finished.error]
    if state.reason and not any(state.reason.endswith(error) for _, error in errors):
        notes.append(f"{state.progress}: {state.reason}")
    notes += [_broken(request, error) for request, error in errors]
    if any(r.has_impossible_counts for r in asked):
        notes.append("the engine counts more kept tokens than drafted ones, which cannot be: no acceptance is shown")
    if summary.client_timed:
        notes.append("client-timed: the engine reports no times of its own")
    if 0 < summary.tokens < LEAST_RANKED_TOKENS:
        notes.append(f"only {summary.tokens} tokens: too few to rank")
    if len(summary.repeat_speeds) > 1:
        low, high = min(summary.repeat_speeds), max(summary.repeat_speeds)
        notes.append(f"its {len(summary.repeat_speeds)} repeats lie between {low:.1f} and {high:.1f} tok/s")
    if summary.degenerate:
        notes.append("an answer runs in a loop, which is easy to draft: its speed says little")
    return list(dict.fromkeys(notes))
