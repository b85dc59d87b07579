"""The facts of one request, from its sending to what the engine's counters say of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal, TypeAlias

from specui.domain.units import Milliseconds, Tokens

Purpose: TypeAlias = Literal["probe", "warm-up", "sentinel", "measure", "ask"]
"""Why a request is sent; only `measure` and `ask` are results."""

Origin: TypeAlias = Literal["draft", "target"]
Channel: TypeAlias = Literal["answer", "thinking"]
TimedBy: TypeAlias = Literal["server", "client"]

TextSpan: TypeAlias = tuple[int | None, Origin | None, Channel, str]
"""Step (0 is the prompt pass, None unknown), who made it (None: cannot be told), channel, text."""

RESULT_PURPOSES: frozenset[str] = frozenset({"measure", "ask"})


@dataclass(frozen=True, slots=True)
class RequestSent:
    """A prompt went out. `request` counts 1, 2, 3 … over the whole run."""

    KIND: ClassVar[str] = "request-sent"
    request: int
    case: int
    repeat: int
    turn: int
    prompt_id: str
    purpose: Purpose
    prompt: str


@dataclass(frozen=True, slots=True)
class PromptProgressed:
    """How much of the prompt is in the cache; `processed` includes `cached`."""

    KIND: ClassVar[str] = "prompt-progressed"
    request: int
    total: Tokens
    cached: Tokens
    processed: Tokens
    ms: Milliseconds


@dataclass(frozen=True, slots=True)
class FirstToken:
    """The first non-empty text arrived; its `t` less that of `request-sent` is the TTFT."""

    KIND: ClassVar[str] = "first-token"
    request: int


@dataclass(frozen=True, slots=True)
class StepsDecoded:
    """Some decode passes of the target: totals after the last, one row of the columns for each."""

    KIND: ClassVar[str] = "steps-decoded"
    request: int
    predicted_n: Tokens | None
    predicted_ms: Milliseconds | None
    draft_n: Tokens | None
    draft_n_accepted: Tokens | None
    ms: tuple[Milliseconds, ...] = ()
    tokens: tuple[Tokens, ...] = ()
    drafted: tuple[Tokens, ...] = ()
    accepted: tuple[Tokens, ...] = ()
    text: tuple[TextSpan, ...] = ()


@dataclass(frozen=True, slots=True)
class StepCostsRead:
    """What the engine's log told about drafting, summed over one request."""

    KIND: ClassVar[str] = "step-costs-read"
    request: int
    method: str
    draft_ms: Milliseconds | None
    """Time spent making drafts."""
    draft_calls: int
    drafts: int


@dataclass(frozen=True, slots=True)
class RequestFinished:
    """The stream of a request ended: the engine's raw numbers, by whose clock, and why it stopped."""

    KIND: ClassVar[str] = "request-finished"
    request: int
    prompt_n: Tokens | None
    prompt_ms: Milliseconds | None
    cache_n: Tokens | None
    predicted_n: Tokens | None
    predicted_ms: Milliseconds | None
    draft_n: Tokens | None
    draft_n_accepted: Tokens | None
    timed_by: TimedBy | None
    server_tok_per_s: float | None
    stop_reason: str | None
    """As the engine said it; None is "not reported"."""
    error: str | None = None
    """Why the answer is incomplete; such a request is no result."""


@dataclass(frozen=True, slots=True)
class ServerWordRead:
    """The speed that the engine's own log printed for one request."""

    KIND: ClassVar[str] = "server-word-read"
    request: int
    tok_per_s: float


@dataclass(frozen=True, slots=True)
class CountersRead:
    """The engine's own counters since its start, read while it was idle."""

    KIND: ClassVar[str] = "counters-read"
    case: int
    request: int | None
    """The request that ended just before."""
    drafts: int | None
    drafted: Tokens | None
    accepted: Tokens | None
    per_position: tuple[int, ...] | None
    decodes: int | None
