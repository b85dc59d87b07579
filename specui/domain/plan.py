"""What the user chose: a plan, its cases, and how every case is put to work."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Literal, TypeAlias

from specui.domain.units import Bytes, JsonValue, Ratio, Record, Seconds, Tokens

METHODS: tuple[str, ...] = (
    "none",
    "draft-simple",
    "draft-eagle3",
    "draft-mtp",
    "draft-dflash",
    "draft-dspark",
    "ngram-simple",
    "ngram-map-k",
    "ngram-map-k4v",
    "ngram-mod",
    "ngram-cache",
)
"""llama.cpp's names; several are joined by a comma."""

NEEDS_DRAFTER: frozenset[str] = frozenset({"draft-simple", "draft-eagle3", "draft-dflash", "draft-dspark"})
"""Methods that draft with a second model file."""

DRAFT_LENGTHS: dict[str, int] = {
    "draft-simple": 3,
    "draft-eagle3": 3,
    "draft-mtp": 3,
    "draft-dflash": 3,
    "draft-dspark": 3,
    "ngram-simple": 48,
    "ngram-map-k": 48,
    "ngram-map-k4v": 48,
    "ngram-mod": 64,
    "ngram-cache": 8,
}
"""Most tokens in a draft where nothing is asked (llama.cpp b11669)."""

SHORT_NAMES: dict[str, str] = {
    "ctx": "ctx",
    "ngl": "ngl",
    "flash_attn": "fa",
    "ctk": "ctk",
    "ctv": "ctv",
    "batch": "b",
    "ubatch": "ub",
    "threads": "t",
    "slots": "np",
    "load_mode": "lm",
    "n_cpu_moe": "ncmoe",
    "draft_device": "devd",
    "draft_ngl": "ngld",
    "draft_ctk": "ctkd",
    "draft_ctv": "ctvd",
    "mmproj": "mmproj",
    "extra": "extra",
}
"""Every engine setting with its shortest spelling."""

DEFAULT_SETTINGS: Record = {
    "ctx": 8192,
    "ngl": "auto",
    "flash_attn": "auto",
    "ctk": "f16",
    "ctv": "f16",
    "batch": 2048,
    "ubatch": 512,
    "slots": 1,
    "load_mode": "auto",
    "n_cpu_moe": 0,
    "extra": [],
}
"""What a case gets where the user chose nothing; a setting not named here is the engine's own affair."""

TOY_SETTINGS: Record = {"ctx": 2048, "threads": 1}
"""Defaults of the built-in toys: their trained context, and one thread, for two would only wait for each other."""

DRAFTER_SETTINGS: frozenset[str] = frozenset({"draft_device", "draft_ngl", "draft_ctk", "draft_ctv"})

Thinking: TypeAlias = Literal["on", "off", "model"]


@dataclass(frozen=True, slots=True)
class Model:
    """A target model file."""

    name: str
    family: str
    path: str
    size_bytes: Bytes | None = None
    fingerprint: str | None = None
    toy: bool = False
    """A built-in toy: its speeds say nothing about real models."""


@dataclass(frozen=True, slots=True)
class EngineChoice:
    """A program that serves models: its name, and the words that start it."""

    name: str
    kind: Literal["embedded", "binary", "scripted"]
    command: tuple[str, ...] = ()
    env: Record = field(default_factory=dict)
    several_devices: bool = False


@dataclass(frozen=True, slots=True)
class Speculation:
    """How drafts are made. `None` leaves a value to the engine."""

    method: str = "none"
    n_max: Tokens | None = None
    n_min: Tokens | None = None
    p_min: Ratio | None = None
    draft_model: str | None = None

    def methods(self) -> tuple[str, ...]:
        """The single methods of a mixture, in the order they were written."""
        return tuple(self.method.split(","))

    def draft_bound(self) -> Tokens:
        """Most tokens that one draft can hold; 0 without speculation."""
        return max((self.n_max or DRAFT_LENGTHS[m] for m in self.methods() if m in DRAFT_LENGTHS), default=0)


@dataclass(frozen=True, slots=True)
class Case:
    """One configuration: a point of the matrix."""

    model: Model
    engine: EngineChoice
    speculation: Speculation = Speculation()
    device: str | None = None
    settings: Record = field(default_factory=dict)

    def label(self) -> str:
        """Engine, method, draft length, then what differs from the defaults: `rocm mtp n3 ctk=q8_0`."""
        spec = self.speculation
        words = [self.engine.name]
        if self.device is not None and self.engine.several_devices:
            words.append(self.device)
        words.append(",".join(m.removeprefix("draft-") for m in spec.methods()))
        if spec.draft_bound():
            words.append(f"n{spec.draft_bound()}")
        if spec.n_min:
            words.append(f"nmin{spec.n_min}")
        if spec.p_min:
            words.append(f"pmin{spec.p_min:g}")
        words += [f"{SHORT_NAMES.get(k, k)}={_short(v)}" for k, v in self.changed_settings().items()]
        return " ".join(words)

    def setting(self, name: str) -> JsonValue:
        """The chosen value, else the default, else None."""
        return self.settings.get(name, self.defaults().get(name))

    def defaults(self) -> Record:
        """What a setting is where the user chose nothing."""
        return DEFAULT_SETTINGS | TOY_SETTINGS if self.model.toy else DEFAULT_SETTINGS

    def changed_settings(self) -> Record:
        """The settings that differ from the defaults, in the order of `SHORT_NAMES`."""
        known = {k: self.settings[k] for k in SHORT_NAMES if k in self.settings}
        every = known | {k: v for k, v in self.settings.items() if k not in known}
        return {k: v for k, v in every.items() if v is not None and v != self.defaults().get(k)}

    def baseline(self) -> Case:
        """The same case without speculation, everything else equal."""
        kept = {k: v for k, v in self.settings.items() if k not in DRAFTER_SETTINGS}
        return replace(self, speculation=Speculation(), settings=kept)

    def is_baseline_of(self, other: Case) -> bool:
        """Whether this is `other` with the drafter taken away."""
        return _comparable(self) == _comparable(other.baseline())


@dataclass(frozen=True, slots=True)
class Workload:
    """How every prompt is put: sampling, length, thinking. `None` leaves a value to the model."""

    mode: Literal["as-used", "lab"] = "as-used"
    history: Literal["own", "pinned"] = "own"
    max_tokens: Tokens = 2048
    temperature: float | None = None
    top_k: int | None = None
    top_p: float | None = None
    min_p: float | None = None
    seed: int | None = None
    thinking: Thinking = "model"
    ignore_eos: bool = False
    system: str | None = None


@dataclass(frozen=True, slots=True)
class Prompt:
    """A conversation to hold: its turns are asked one after the other."""

    id: str
    turns: tuple[str, ...]
    category: str | None = None


@dataclass(frozen=True, slots=True)
class Limits:
    """When a request is given up: silence, and total time."""

    stall_s: Seconds = 300.0
    request_s: Seconds = 3600.0


@dataclass(frozen=True, slots=True)
class Plan:
    """What is to be carried out: every case answers every prompt `repeats` times."""

    title: str
    prompt_set: str
    prompts: tuple[Prompt, ...]
    workload: Workload = Workload()
    repeats: int = 1
    limits: Limits = Limits()
    cases: tuple[Case, ...] = ()
    note: str | None = None

    def without_cases(self) -> Plan:
        """The plan as `run-started` holds it; its cases are facts of their own."""
        return replace(self, cases=())


def with_baselines(cases: tuple[Case, ...]) -> tuple[Case, ...]:
    """The cases with, ahead of each group, the case without speculation where it is missing."""
    out: list[Case] = []
    for case in cases:
        if not any(other.is_baseline_of(case) for other in (*out, *cases)):
            out.append(case.baseline())
        out.append(case)
    return tuple(out)


def case_problems(case: Case) -> list[str]:
    """What makes a case impossible, one sentence each; empty where nothing does."""
    spec = case.speculation
    problems = [f"method {m!r} is unknown: use one of {', '.join(METHODS)}" for m in spec.methods() if m not in METHODS]
    if problems:
        return problems
    if "none" in spec.methods() and len(spec.methods()) > 1:
        problems.append(f"method {spec.method!r} mixes none with speculation: leave none out")
    if spec.n_max is not None and not 1 <= spec.n_max <= 1024:
        problems.append(f"n_max {spec.n_max} lies outside 1 … 1024")
    if spec.n_min is not None and not 0 <= spec.n_min <= max(spec.draft_bound(), 0):
        problems.append(f"n_min {spec.n_min} lies outside 0 … n_max ({spec.draft_bound()})")
    if spec.p_min is not None and not 0 <= spec.p_min <= 1:
        problems.append(f"p_min {spec.p_min:g} lies outside 0 … 1")
    lacking = [m for m in spec.methods() if m in NEEDS_DRAFTER]
    if lacking and spec.draft_model is None:
        problems.append(f"{lacking[0]} needs a drafter for {case.model.name}: name its file with -md PATH")
    return problems


def _comparable(case: Case) -> tuple[object, ...]:
    settings = sorted((k, repr(v)) for k, v in case.changed_settings().items())
    return (case.model.path, case.engine.name, case.engine.command, case.device, case.speculation, settings)


def _short(value: JsonValue) -> str:
    if isinstance(value, bool):
        return "on" if value else "off"
    if isinstance(value, list):
        return "+".join(_short(v) for v in value)
    return str(value)
