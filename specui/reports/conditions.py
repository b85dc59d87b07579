"""Under which conditions runs were measured: what a reader must know before comparing them with anything."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from specui.domain.plan import Workload
    from specui.domain.run import Run
    from specui.domain.units import JsonValue


def conditions(run: Run) -> str:
    """One line: `AMD EPYC · Debian 12 · b11669 · ctx 8192 · temperature 0, seed 1 · two-questions, 3 repeats`."""
    ready = [c.ready for c in run.cases if c.ready]
    parts = [_words([run.host.get("cpu")]), _words([run.host.get("os")])]
    parts.append(_words(r.build for r in ready))
    if contexts := _words(r.n_ctx for r in ready):
        parts.append(f"ctx {contexts}")
    if run.plan is not None:
        parts.append(_sampling(run.plan.workload))
        repeats = f", {run.plan.repeats} repeats" if run.plan.repeats > 1 else ""
        parts.append(f"prompts {run.plan.prompt_set}{repeats}")
    return " · ".join(part for part in parts if part)


def run_notes(run: Run) -> list[str]:
    """What concerns every case of a run."""
    notes = [w.text for w in run.warnings if w.case is None]
    if run.lost:
        notes.append(f"{run.lost} events of the journal are damaged or missing: figures may lack requests")
    return list(dict.fromkeys(notes))


def _words(values: Iterable[JsonValue]) -> str:
    return ", ".join(dict.fromkeys(str(v) for v in values if v is not None))


def _sampling(workload: Workload) -> str:
    """The sampling, or that it is the engine's own, with which the cases answer different texts."""
    chosen = {"temperature": workload.temperature, "top_k": workload.top_k, "top_p": workload.top_p}
    chosen |= {"min_p": workload.min_p, "seed": workload.seed}
    words = [f"{name} {value:g}" for name, value in chosen.items() if value is not None]
    if workload.mode == "lab":
        words.insert(0, "lab")
    if workload.thinking != "model":
        words.append(f"thinking {workload.thinking}")
    return ", ".join(words) if words else "sampling by the engine's defaults"
