"""A plan as TOML: read whole, every error at once, each with its line."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from specui.domain import checks
from specui.domain.checks import SETTING_CHECKS, WORKLOAD_CHECKS, Findings
from specui.domain.errors import PlanError
from specui.domain.plan import METHODS, Limits
from specui.domain.sweep import ModelFactor, SpeculationFactor, Sweep

if TYPE_CHECKING:
    from specui.domain.toml_lines import Document


@dataclass(frozen=True, slots=True)
class PlanDraft:
    """A plan whose names are not looked up yet."""

    sweep: Sweep
    title: str | None = None
    prompts: str | None = None
    repeats: int = 1
    workload: Mapping[str, Any] = field(default_factory=dict)  # Any: checked values of the workload's keys
    limits: Limits = field(default_factory=Limits)
    note: str | None = None


def _method(value: object) -> str:
    text = checks.words(value)
    unknown = [m for m in text.split(",") if m not in METHODS]
    if unknown:
        raise ValueError(f"{unknown[0]!r} is unknown: use one of {', '.join(METHODS)}")
    return text


_TOP: dict[str, checks.Check] = {
    "title": checks.words,
    "note": checks.words,
    "prompts": checks.words,
    "repeats": checks.whole(1, 1000),
    "baseline": checks.truth,
    "order": checks.among("auto", "grouped"),
    "matrix": checks.table,
    "workload": checks.table,
    "settings": checks.table,
    "failure": checks.table,
    "exclude": lambda value: [checks.table(v) for v in value] if isinstance(value, list) else [checks.table(value)],
}
_MATRIX = dict.fromkeys(("model", "engine", "speculation"), lambda v: v if isinstance(v, list) else [checks.table(v)])
_MODEL: dict[str, checks.Check] = {"path": checks.several(checks.words), "settings": checks.table}
_ENGINE: dict[str, checks.Check] = {"name": checks.several(checks.words), "device": checks.several(checks.words)}
_SPECULATION: dict[str, checks.Check] = {
    "method": checks.several(_method),
    "n_max": checks.several(checks.whole(1, 1024)),
    "n_min": checks.several(checks.whole(0, 1024)),
    "p_min": checks.several(checks.real(0, 1)),
    "draft_model": checks.several(checks.words),
}
_EXCLUDE = dict.fromkeys(("model", "engine", "device", "method", "n_max", "label"), lambda v: str(v))
_FAILURE: dict[str, checks.Check] = {"stall_s": checks.real(1)}


def plan_draft(document: Document) -> PlanDraft:
    """The plan in a TOML document. Raises PlanError with every problem."""
    found = Findings(document)
    top = found.take(document.values, "", _TOP)
    matrix = found.take(top.get("matrix", {}), "matrix", _MATRIX)
    if not matrix.get("model"):
        found.add("matrix", "the plan names no model: write [[matrix.model]] with a path")
    failure = found.take(top.get("failure", {}), "failure", _FAILURE)
    draft = PlanDraft(
        _sweep(found, top, matrix),
        top.get("title"),
        top.get("prompts"),
        top.get("repeats", 1),
        found.take(top.get("workload", {}), "workload", WORKLOAD_CHECKS),
        Limits(stall_s=failure.get("stall_s", Limits().stall_s)),
        top.get("note"),
    )
    if found.problems:
        raise PlanError(found.problems)
    return draft


def _sweep(found: Findings, top: Mapping[str, Any], matrix: Mapping[str, Any]) -> Sweep:
    engines = [found.take(row, f"matrix.engine.{i}", _ENGINE) for i, row in enumerate(matrix.get("engine", []))]
    excludes = [found.take(row, f"exclude.{i}", _EXCLUDE) for i, row in enumerate(top.get("exclude", []))]
    return Sweep(
        models=tuple(_model(found, i, row) for i, row in enumerate(matrix.get("model", []))),
        engines=tuple(name for row in engines for name in row.get("name", (None,))) or (None,),
        devices=tuple(dict.fromkeys(d for row in engines for d in row.get("device", (None,)))) or (None,),
        speculations=tuple(_speculation(found, i, row) for i, row in enumerate(matrix.get("speculation", [])))
        or (SpeculationFactor(),),
        settings=found.take(top.get("settings", {}), "settings", SETTING_CHECKS),
        excludes=tuple(excludes),
        baseline=top.get("baseline", True),
    )


def _model(found: Findings, index: int, row: Mapping[str, Any]) -> ModelFactor:
    path = f"matrix.model.{index}"
    values = found.take(row, path, _MODEL)
    if "path" not in values and not any(p.startswith(found.document.place(path)) for p in found.problems):
        found.add(path, "a model needs a path")
    settings = found.take(values.get("settings", {}), f"{path}.settings", SETTING_CHECKS)
    return ModelFactor(values.get("path", ()), settings)


def _speculation(found: Findings, index: int, row: Mapping[str, Any]) -> SpeculationFactor:
    values = found.take(row, f"matrix.speculation.{index}", _SPECULATION)
    draft_models = values.pop("draft_model", (None,))
    if "method" not in values:
        found.add(f"matrix.speculation.{index}", "a speculation needs a method")
    methods = values.pop("method", ("none",))
    return SpeculationFactor(methods, draft_models=draft_models, **values)
