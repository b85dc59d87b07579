"""What lines of an engine's log tell: small facts while it runs, and the reason when it does not.

Numbers come from HTTP first; the log only adds what no endpoint tells. Lines are searched, never anchored, because
their beginnings changed often, and only the first part of a line is looked at.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TypeAlias

from specui.domain.text import one_line
from specui.domain.units import Milliseconds, Ratio, Tokens, TokensPerSecond
from specui.engines.llama.capabilities import method_named

KEPT_CHARACTERS = 4000


@dataclass(frozen=True, slots=True)
class EvalTime:
    """The generation of one request, by the engine's own clock and formula."""

    ms: Milliseconds
    tokens: Tokens
    tok_per_s: TokensPerSecond


@dataclass(frozen=True, slots=True)
class PromptEvalTime:
    """The prompt of one request: the tokens that were processed, not those from a cache."""

    ms: Milliseconds
    tokens: Tokens
    tok_per_s: TokensPerSecond


@dataclass(frozen=True, slots=True)
class DraftAcceptance:
    """How one request's drafts fared, as printed."""

    rate: Ratio
    accepted: Tokens
    drafted: Tokens
    mean_len: float | None
    """With the target's own token; None in builds that do not print it."""


@dataclass(frozen=True, slots=True)
class DraftStatistics:
    """One method's counts since the server started."""

    method: str
    """Our name, or the engine's where we have none."""
    calls_begin: int | None
    calls_generate: int
    calls_accept: int | None
    gen_drafts: int
    acc_drafts: int
    """Drafts of which something was accepted."""
    gen_tokens: Tokens
    acc_tokens: Tokens
    begin_ms: Milliseconds | None
    draft_ms: Milliseconds | None
    accept_ms: Milliseconds | None


@dataclass(frozen=True, slots=True)
class LayersOffloaded:
    """Layers of a model on a GPU, of all it has."""

    on_gpu: int
    total: int


@dataclass(frozen=True, slots=True)
class DeviceBuffer:
    """Weights of a model on one device."""

    device: str
    mib: float


@dataclass(frozen=True, slots=True)
class ContextSize:
    """Tokens that one slot can hold, after all that may have lowered it."""

    n_ctx_slot: Tokens


@dataclass(frozen=True, slots=True)
class SpeculationAdded:
    """A method is set up; our name of it, or the engine's where we have none."""

    method: str


@dataclass(frozen=True, slots=True)
class ThinkingKnown:
    """Whether the chat template lets the model think."""

    thinking: bool


@dataclass(frozen=True, slots=True)
class LoadProgress:
    """How far one stage of loading is; `fraction` is None where it is not told."""

    stage: str
    fraction: Ratio | None


@dataclass(frozen=True, slots=True)
class RouterState:
    """What the server tells a router of itself: loading, ready, sleeping."""

    state: str


@dataclass(frozen=True, slots=True)
class Clamped:
    """The drafter's block is shorter than the n_max that was asked for."""

    asked: Tokens
    clamped_to: Tokens


@dataclass(frozen=True, slots=True)
class Checkpoints:
    """This context cannot roll back: a partly accepted draft costs a second pass."""


LogFact: TypeAlias = (
    EvalTime | PromptEvalTime | DraftAcceptance | DraftStatistics | LayersOffloaded | DeviceBuffer | ContextSize
    | SpeculationAdded | ThinkingKnown | LoadProgress | RouterState | Clamped | Checkpoints
)  # fmt: skip


def read_line(line: str) -> LogFact | None:
    """The fact that a line tells; None for most lines."""
    line = line[:KEPT_CHARACTERS]
    for sign, pattern, read in _READERS:
        if sign in line and (found := pattern.search(line)) is not None:
            return read(found)
    return None


def failure_reason(lines: Sequence[str]) -> str | None:
    """The most telling line of a start that failed, without its prefix; None where no line tells."""
    spoken = tuple(_spoken(lines))
    others = [text for text, is_error in spoken if is_error and _first([(text, True)], _CONSEQUENCES) is None]
    return _first(spoken, _CAUSES) or next(map(one_line, others), None) or _first(spoken, _CONSEQUENCES)


def speculation_off_reason(lines: Sequence[str]) -> str | None:
    """Why a server that runs does not speculate. None where it does not say, which is often."""
    return _first(tuple(_spoken(lines)), _SPECULATION_OFF)


def _eval_time(found: re.Match[str]) -> LogFact:
    kind = PromptEvalTime if found[1] else EvalTime
    return kind(float(found[2]), int(found[3]), float(found[4]))


def _acceptance(found: re.Match[str]) -> LogFact:
    return DraftAcceptance(float(found[1]), int(found[2]), int(found[3]), float(found[4]) if found[4] else None)


def _statistics(found: re.Match[str]) -> LogFact | None:
    rest = found.string[found.end() :]
    counts = [int(told[1]) for pattern in _COUNTS if (told := pattern.search(rest)) is not None]
    if len(counts) != len(_COUNTS):
        return None
    spent = _SPENT.search(rest)
    ms = [float(number) for number in spent.groups()] if spent else [None, None, None]
    begin, generate, accept = (found[2], found[3], found[4]) if found[3] else (None, found[2], None)
    calls = (int(begin) if begin else None, int(generate), int(accept) if accept else None)
    return DraftStatistics(method_named(found[1]) or found[1], *calls, *counts, *ms)


def _router_state(found: re.Match[str]) -> LogFact | None:
    try:
        told = json.loads(found[1])
    except (ValueError, RecursionError):
        return None
    state = told.get("state") if isinstance(told, dict) else None
    if not isinstance(state, str):
        return None
    payload = told.get("payload")
    stage = payload.get("current") if isinstance(payload, dict) else None
    if state != "loading" or not isinstance(stage, str):
        return RouterState(state)
    value = payload.get("value")
    is_share = isinstance(value, (int, float)) and not isinstance(value, bool) and 0 <= value <= 1
    return LoadProgress(stage, float(value) if is_share else None)


_N = r"([0-9]{1,15})(?![0-9])"
_X = r"([0-9]{1,15}(?:\.[0-9]{1,15})?)(?![0-9.])"
_COUNTS = tuple(re.compile(rf"#{name}\s*=\s*{_N}") for name in ("gen drafts", "acc drafts", "gen tokens", "acc tokens"))
_SPENT = re.compile(rf"dur\(b,g,a\)\s*=\s*{_X},\s*{_X},\s*{_X}\s*ms")
_ACCEPTANCE = (
    rf"draft acceptance(?: rate)?\s*=\s*{_X}\s*\(\s*{_N}\s+accepted\s*/\s*{_N}\s+generated\)"
    rf"(?:.*?mean (?:acceptance )?len(?:gth)?\s*=\s*{_X})?"
)
_TIME = rf"(prompt\s+)?eval time\s*=\s*{_X}\s*ms\s*/\s*{_N}\s*(?:tokens|runs)\s*\(.*?{_X} tokens per second"
_BUFFER = rf"(?<!\S)(\S{{1,64}})\s+model buffer size\s*=\s*{_X}\s*MiB"
_ADDED = r"adding speculative implementation '?([\w-]{1,64})"

_Reader: TypeAlias = Callable[[re.Match[str]], LogFact | None]
# fmt: off
_ROWS: tuple[tuple[str, str, _Reader], ...] = (
    ("eval time", _TIME, _eval_time),
    ("draft acceptance", _ACCEPTANCE, _acceptance),
    ("statistics", rf"statistics\s+(\S{{1,64}}):\s+#calls(?:\(b,g,a\))?\s*=\s*{_N}(?:\s+{_N}\s+{_N})?", _statistics),
    ("cmd_child_to_router", r"cmd_child_to_router:state:(.*)", _router_state),
    ("layers to GPU", rf"offloaded\s+{_N}/{_N} layers to GPU", lambda m: LayersOffloaded(int(m[1]), int(m[2]))),
    ("model buffer", _BUFFER, lambda m: DeviceBuffer(m[1], float(m[2]))),
    ("n_ctx", rf"(?:n_ctx_slot|new slot,? n_ctx)\s*=\s*{_N}", lambda m: ContextSize(int(m[1]))),
    ("implementation", _ADDED, lambda m: SpeculationAdded(method_named(m[1]) or m[1])),
    ("thinking", r"chat template, thinking = ([01])\b", lambda m: ThinkingKnown(m[1] == "1")),
    ("clamping", rf"draft size \(n_max\s*=\s*{_N}.*?clamping to\s+{_N}", lambda m: Clamped(int(m[1]), int(m[2]))),
    ("checkpoints", r"speculative decoding will use checkpoints", lambda _: Checkpoints()),
)
# fmt: on
_READERS = tuple((sign, re.compile(pattern), read) for sign, pattern, read in _ROWS)

_PREFIX = re.compile(
    r"\s*(?:\[[0-9]+\]\s+)?(?:[0-9]+(?:\.[0-9]+){3}\s+)?(?:([IWEDT])\s+)?(?:(?:srv|slot|spec|cmn|que|res)\s+)?"
    r"(?:(?!error\b|warn|what\b|EAGLE3|\w{0,40}Error\b)[A-Za-z_~][\w:~]{0,80}(?:\(\))?:\s+)?"
)
_ALARM = re.compile(r"(?:error|fatal|terminate called|\w{0,40}Error)\b")
_BENIGN = re.compile(
    r"normal during memory fitting|failed to measure|encountered an error while trying to fit|pinned memory|mlock"
)
_VOCABULARIES = (
    r"target vocab size [0-9]+ does not match draft vocab size [0-9]+.*",
    r"draft model vocab type must match .* but vocab_type_dft.*",
    r"draft model [be]os tokens must match.*",
    r"token [0-9]+ content differs.*",
    r"draft (?:model|vocab) special tokens must match.*",
    r"the target and draft vocabs are not compatible.*",
    r"^.*is not compatible with the target model(?!.*will be translated).*",
    r"draft (?:model|vocab) vocab (?:type )?must (?:closely )?match.*",
)
_CAUSES = (
    r"error while loading shared libraries.*",
    r"error while handling (?:argument|environment variable).*",
    r"error: invalid argument.*",
    r"couldn't bind.*",
    r"(?:unknown model architecture|DFlash model requires|invalid magic|failed to read magic|failed to open GGUF).*",
    r"^.*corrupted or incomplete.*",
    r"error loading model\b(?!.*failed to load model from).*",
    r"(?:context type MTP requested|EAGLE3: target layer id|failed to (?:add|set the) embedding).*",
    r"synthetic acceptance (?:requires|\w+ must).*",
    r"^.*(?:out of memory|Out\w*Memory|insufficient memory|(?:unable|failed) to allocate|allocation of size).*",
    r"(?:GGML_ASSERT|GGML_ABORT|(?:ROCm|CUDA|HIP|SYCL) error|what\(\):).*",
    r"^.*requires ctx_other to be set.*",
    *_VOCABULARIES,
)
_CONSEQUENCES = (
    r"failed to create MTP context.*",
    r"failed to load draft model.*",
    r"^failed to load model, .*",
    r"(?:failed to load model|failed to create[_ ]context|failed to fit params).*",
    r"error: the embedded engine did not start.*",
    r"exiting due to.*",
)
_SPECULATION_OFF = (
    r"draft model is not eagle3.*",
    r"draft-[\w-]+ requires .*",
    r"DSpark draft has no confidence head.*",
    r"speculative decoding not supported by this context.*",
    *_VOCABULARIES,
    r"failed to initialize speculative decoding.*",
)


def _spoken(lines: Sequence[str]) -> Iterator[tuple[str, bool]]:
    """Lines without their prefixes, and whether each is an error. Noise is left out, unless the start broke at it."""
    told = [line[:KEPT_CHARACTERS] for line in lines if line.strip()]
    for line, after in pairwise([*told, ""]):
        if _BENIGN.search(line) and "failed to create context with model" not in after:
            continue
        prefix = _PREFIX.match(line)
        text = line[prefix.end() if prefix else 0 :].replace(" (this warning is normal during memory fitting)", "")
        yield text, (prefix is not None and prefix[1] == "E") or _ALARM.match(text) is not None


def _first(spoken: Sequence[tuple[str, bool]], patterns: Sequence[str]) -> str | None:
    """The part of a line that an early pattern finds; among lines of one pattern, the first."""
    for pattern in patterns:
        for text, _ in spoken:
            if (found := re.search(pattern, text)) is not None:
                return one_line(found[0])
    return None
