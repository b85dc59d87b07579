"""The closed set of facts that a run consists of, and the line that is none of them.

Totals, not increments; counts and milliseconds, never rates. `None` is unknown.
Every fact of a server names its case by the number under which the case was added.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar, Literal, TypeAlias

from specui.domain.plan import Case, Plan
from specui.domain.request_facts import (
    RESULT_PURPOSES,
    Channel,
    CountersRead,
    FirstToken,
    Origin,
    PromptProgressed,
    Purpose,
    RequestFinished,
    RequestSent,
    ServerWordRead,
    StepCostsRead,
    StepsDecoded,
    TextSpan,
    TimedBy,
)
from specui.domain.units import Bytes, JsonValue, Milliseconds, Ratio, Record, Seconds, Tokens

Outcome: TypeAlias = Literal["finished", "failed", "stopped"]


@dataclass(frozen=True, slots=True)
class RunStarted:
    """A plan begins; its cases follow one by one."""

    KIND: ClassVar[str] = "run-started"
    plan: Plan
    host: Record
    versions: Record


@dataclass(frozen=True, slots=True)
class CaseAdded:
    """A configuration joined the run under the number `case` (1, 2, 3 …)."""

    KIND: ClassVar[str] = "case-added"
    case: int
    configuration: Case


@dataclass(frozen=True, slots=True)
class CaseStarted:
    """An engine is about to be started for a case, its first pass being `repeat`."""

    KIND: ClassVar[str] = "case-started"
    case: int
    argv: tuple[str, ...]
    repeat: int


@dataclass(frozen=True, slots=True)
class ServerStarting:
    """The engine's process exists."""

    KIND: ClassVar[str] = "server-starting"
    case: int
    pid: int
    started_at: Seconds | None
    """Seconds since boot, as the kernel tells it: with the pid it names one process for ever."""
    argv: tuple[str, ...]
    env: Record = field(default_factory=dict)
    """Variables of the engine that bear on speed; never anything else of the environment."""


@dataclass(frozen=True, slots=True)
class ServerLoading:
    """How far loading is."""

    KIND: ClassVar[str] = "server-loading"
    case: int
    stage: str
    fraction: Ratio | None


@dataclass(frozen=True, slots=True)
class ServerReady:
    """The engine answers, and this is what it really did after loading."""

    KIND: ClassVar[str] = "server-ready"
    case: int
    load_ms: Milliseconds | None
    build: str | None
    n_ctx: Tokens | None
    device: str | None
    speculative: bool | None
    """Whether a speculation context exists. None where the engine does not tell."""
    layers: int | None
    layers_on_gpu: int | None
    thinking: bool | None


@dataclass(frozen=True, slots=True)
class ServerExited:
    """The engine's process ended; `code` or `signal` is set, `asked` when we wanted it."""

    KIND: ClassVar[str] = "server-exited"
    case: int
    code: int | None
    signal: int | None
    asked: bool
    reason: str | None


@dataclass(frozen=True, slots=True)
class GpuSampled:
    """One reading of one graphics device."""

    KIND: ClassVar[str] = "gpu-sampled"
    device: str
    busy: Ratio | None
    vram_bytes: Bytes | None
    gtt_bytes: Bytes | None
    power_w: float | None
    temperature_c: float | None
    clock_hz: float | None


@dataclass(frozen=True, slots=True)
class HostSampled:
    """One reading of the machine and of the engine's process with its children, while an engine lives."""

    KIND: ClassVar[str] = "host-sampled"
    cpu: float | None
    """Busy cores of the machine, 1.5 being one and a half; None at an engine's first reading, or too soon after."""
    rss_bytes: Bytes | None
    """Memory of the engine that is resident, pages of a mapped model included."""
    available_bytes: Bytes | None
    """Memory that the machine can still give."""
    case: int | None = None
    """The case that the engine serves."""
    engine_cpu: float | None = None
    """Busy cores of the engine; None where `cpu` is, and where it has just ended."""


@dataclass(frozen=True, slots=True)
class Warned:
    """Something a reader of the numbers should know."""

    KIND: ClassVar[str] = "warned"
    code: str
    text: str
    case: int | None = None
    request: int | None = None


@dataclass(frozen=True, slots=True)
class CaseFinished:
    """Every request of the case is done."""

    KIND: ClassVar[str] = "case-finished"
    case: int


@dataclass(frozen=True, slots=True)
class CaseFailed:
    """The case could not be carried out."""

    KIND: ClassVar[str] = "case-failed"
    case: int
    reason: str


@dataclass(frozen=True, slots=True)
class CaseSkipped:
    """The case was left out at someone's wish."""

    KIND: ClassVar[str] = "case-skipped"
    case: int


@dataclass(frozen=True, slots=True)
class Marked:
    """Someone put a marker here."""

    KIND: ClassVar[str] = "marked"
    label: str


@dataclass(frozen=True, slots=True)
class Requested:
    """Someone asked the run for something through its inbox."""

    KIND: ClassVar[str] = "requested"
    what: str
    by: str


@dataclass(frozen=True, slots=True)
class RunHeld:
    """Every known case is done, and the run waits for more."""

    KIND: ClassVar[str] = "run-held"


@dataclass(frozen=True, slots=True)
class RunPaused:
    """The model is unloaded until the run is resumed."""

    KIND: ClassVar[str] = "run-paused"


@dataclass(frozen=True, slots=True)
class RunResumed:
    """The run goes on, perhaps in another process: `offset` of `t` at the wall time `at`."""

    KIND: ClassVar[str] = "run-resumed"
    at: str
    offset: Seconds


@dataclass(frozen=True, slots=True)
class RunFinished:
    """The journal is complete."""

    KIND: ClassVar[str] = "run-finished"
    outcome: Outcome


@dataclass(frozen=True, slots=True)
class Unknown:
    """A fact of a kind (or shape) that this version does not know; kept as it came."""

    kind: str
    fields: Record


Fact: TypeAlias = (
    RunStarted | CaseAdded | CaseStarted | ServerStarting | ServerLoading | ServerReady | ServerExited | RequestSent
    | PromptProgressed | FirstToken | StepsDecoded | StepCostsRead | RequestFinished | ServerWordRead | CountersRead
    | GpuSampled | HostSampled | Warned | CaseFinished | CaseFailed | CaseSkipped | Marked | Requested | RunHeld
    | RunPaused | RunResumed | RunFinished | Unknown
)  # fmt: skip

KNOWN_FACTS: tuple[type[Fact], ...] = (
    RunStarted, CaseAdded, CaseStarted, ServerStarting, ServerLoading, ServerReady, ServerExited, RequestSent,
    PromptProgressed, FirstToken, StepsDecoded, StepCostsRead, RequestFinished, ServerWordRead, CountersRead,
    GpuSampled, HostSampled, Warned, CaseFinished, CaseFailed, CaseSkipped, Marked, Requested, RunHeld,
    RunPaused, RunResumed, RunFinished,
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Event:
    """A fact with its place in the journal: `seq` 1, 2, 3 … without gaps, `t` seconds since the start."""

    seq: int
    t: Seconds
    fact: Fact
    extra: tuple[tuple[str, JsonValue], ...] = ()
    """Keys of the line that this version does not know, kept for whoever does."""


__all__ = [
    "KNOWN_FACTS", "RESULT_PURPOSES", "CaseAdded", "CaseFailed", "CaseFinished", "CaseSkipped", "CaseStarted",
    "Channel", "CountersRead", "Event", "Fact", "FirstToken", "GpuSampled", "HostSampled", "Marked", "Origin",
    "Outcome", "PromptProgressed", "Purpose", "RequestFinished", "RequestSent", "Requested", "RunFinished", "RunHeld",
    "RunPaused", "RunResumed", "RunStarted", "ServerExited", "ServerLoading", "ServerReady", "ServerStarting",
    "ServerWordRead", "StepCostsRead", "StepsDecoded", "TextSpan", "TimedBy", "Unknown", "Warned",
]  # fmt: skip
