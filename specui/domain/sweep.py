"""Factors and their values: a sweep, which becomes cases."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from typing import Protocol

from specui.domain.errors import PlanError, UsageError
from specui.domain.plan import (
    NEEDS_DRAFTER,
    Case,
    EngineChoice,
    Model,
    Speculation,
    case_problems,
    with_baselines,
)
from specui.domain.units import JsonValue, Ratio, Tokens

Values = tuple[JsonValue, ...]

AUTO = "auto"
"""A drafter's name that means "the one that pairs with the model"."""


@dataclass(frozen=True, slots=True)
class ModelFactor:
    """Models that share settings of their own."""

    names: tuple[str, ...]
    settings: Mapping[str, Values] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class SpeculationFactor:
    """Methods with every combination of their limits and drafters. None leaves a value to its default."""

    methods: tuple[str, ...] = ("none",)
    n_max: tuple[Tokens | None, ...] = (None,)
    n_min: tuple[Tokens | None, ...] = (None,)
    p_min: tuple[Ratio | None, ...] = (None,)
    draft_models: tuple[str | None, ...] = (None,)


@dataclass(frozen=True, slots=True)
class Sweep:
    """Everything that varies, and what is left out of the product. An engine None is the default one."""

    models: tuple[ModelFactor, ...]
    engines: tuple[str | None, ...] = (None,)
    devices: tuple[str | None, ...] = (None,)
    speculations: tuple[SpeculationFactor, ...] = (SpeculationFactor(),)
    settings: Mapping[str, Values] = field(default_factory=dict)
    excludes: tuple[Mapping[str, str], ...] = ()
    baseline: bool = True


class Resolver(Protocol):
    """Turns names into things. Every method raises UsageError where a name means nothing."""

    def model(self, name: str) -> Model:
        """The model of that name."""
        ...

    def engine(self, name: str | None) -> EngineChoice:
        """The engine of that name, or the default one."""
        ...

    def drafter(self, model: Model, method: str, name: str | None) -> str | None:
        """The path of a drafter by name, or (for None and `auto`) the one that pairs; None where none does."""
        ...


def cases_of(sweep: Sweep, resolver: Resolver) -> tuple[Case, ...]:
    """Every case of the sweep once, baselines included.

    Raises PlanError with all problems at once.
    """
    cases: dict[str, Case] = {}
    problems: dict[str, None] = {}
    for factor in sweep.models:
        for name in factor.names:
            try:
                found = list(_cases_of_model(sweep, factor, resolver.model(name), resolver))
            except UsageError as error:
                problems[str(error)] = None
                continue
            for case in found:
                problems |= dict.fromkeys(case_problems(case))
                cases.setdefault(repr(case), case)
    if problems:
        raise PlanError(list(problems))
    chosen = tuple(c for c in cases.values() if not any(_matches(c, rule) for rule in sweep.excludes))
    if not chosen:
        raise PlanError(["the plan has no case left: name a model and a method, and see what is excluded"])
    return with_baselines(chosen) if sweep.baseline else chosen


def _cases_of_model(sweep: Sweep, factor: ModelFactor, model: Model, resolver: Resolver) -> Iterator[Case]:
    varied = {**sweep.settings, **factor.settings}
    for engine_name, device in itertools.product(sweep.engines, sweep.devices):
        engine = resolver.engine(engine_name)
        for values in itertools.product(*varied.values()):
            settings = dict(zip(varied, values, strict=True))
            for speculation in sweep.speculations:
                for spec in _speculations(speculation, model, resolver):
                    yield Case(model, engine, spec, device, settings)


def _speculations(factor: SpeculationFactor, model: Model, resolver: Resolver) -> Iterator[Speculation]:
    product = itertools.product(factor.methods, factor.n_max, factor.n_min, factor.p_min, factor.draft_models)
    for method, n_max, n_min, p_min, draft_model in product:
        singles = method.split(",")
        if singles == ["none"]:
            yield Speculation()
            continue
        drafts = any(m.startswith("draft-") for m in singles)
        needs = bool(NEEDS_DRAFTER.intersection(singles))
        is_alone = all(m == "none" or m == method for m in factor.methods)
        wanted = draft_model if needs or (drafts and is_alone) else None
        path = None
        if drafts:
            drafting = [m for m in singles if m.startswith("draft-")]
            needing = next((m for m in drafting if m in NEEDS_DRAFTER), drafting[0])
            path = resolver.drafter(model, needing, wanted)
        yield Speculation(method, n_max, n_min, p_min if drafts else None, path)


def _matches(case: Case, rule: Mapping[str, str]) -> bool:
    """Whether every pattern of an exclusion fits the case."""
    of_case = {
        "model": case.model.name,
        "engine": case.engine.name,
        "device": case.device or "",
        "method": case.speculation.method,
        "n_max": str(case.speculation.draft_bound()),
        "label": case.label(),
    }
    return all(fnmatchcase(of_case.get(key, "").lower(), pattern.lower()) for key, pattern in rule.items())
