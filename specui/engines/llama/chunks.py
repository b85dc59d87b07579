"""One chunk of a streamed chat answer: whatever JSON came, read for what it may mean.

Nothing here raises: a field of another shape is an unknown field.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from specui.domain.text import one_line

LARGEST = 2**53
"""Beyond it a number is taken for nonsense, and below its inverse for 0."""

Json = Mapping[str, Any]  # Any: JSON from a stranger; every reader below checks what it takes


@dataclass(frozen=True, slots=True)
class Timings:
    """The engine's cumulative numbers for one request."""

    prompt_n: int | None
    prompt_ms: float | None
    cache_n: int | None
    predicted_n: int | None
    predicted_ms: float | None
    draft_n: int | None
    draft_n_accepted: int | None
    tok_per_s: float | None
    """As the engine computes it; its formula differs between builds."""

    def after(self, before: Timings | None) -> Timings:
        """These numbers on top of earlier ones: what they leave out stays, and what was generated never falls."""
        if before is None:
            return self
        return Timings(
            _later(before.prompt_n, self.prompt_n),
            _later(before.prompt_ms, self.prompt_ms),
            _later(before.cache_n, self.cache_n),
            _higher(before.predicted_n, self.predicted_n),
            _higher(before.predicted_ms, self.predicted_ms),
            _higher(before.draft_n, self.draft_n),
            _higher(before.draft_n_accepted, self.draft_n_accepted),
            _later(before.tok_per_s, self.tok_per_s),
        )


@dataclass(frozen=True, slots=True)
class Usage:
    """Token counts of the OpenAI protocol; the last chunk that carries them wins."""

    completion_tokens: int | None
    prompt_tokens: int | None
    cached_tokens: int | None

    def after(self, before: Usage | None) -> Usage:
        """These counts on top of earlier ones: what they leave out stays."""
        if before is None:
            return self
        return Usage(
            _later(before.completion_tokens, self.completion_tokens),
            _later(before.prompt_tokens, self.prompt_tokens),
            _later(before.cached_tokens, self.cached_tokens),
        )


@dataclass(frozen=True, slots=True)
class Chunk:
    """What one event of the stream says."""

    answer: str = ""
    thinking: str = ""
    stop_reason: str | None = None
    timings: Timings | None = None
    usage: Usage | None = None
    progress: tuple[int, int, int, float] | None = None
    """Prompt tokens in all, from the cache, in the cache by now, and the milliseconds so far."""
    error: str | None = None
    is_total: bool = False
    """Whether it has counts and no choice: it stands behind the last token."""
    is_done: bool = False
    """Whether it is the end mark `[DONE]`."""


_JSON = json.JSONDecoder(strict=False)


def read_chunk(data: str) -> Chunk:
    """The chunk in one event's data; an empty one where it is no JSON object."""
    if data.strip() in ("[DONE]", ""):
        return Chunk(is_done=bool(data.strip()))
    try:
        value = _JSON.decode(data)
    except (ValueError, RecursionError):
        return Chunk(error=f"the server sent a chunk that is no JSON: {one_line(data, 120)!r}")
    error = error_text(value)
    if error is not None:
        return Chunk(error=error)
    if not isinstance(value, dict):
        return Chunk()
    answer, thinking, stop_reason = _choice(value)
    usage = _usage(value.get("usage"))
    return Chunk(
        answer,
        thinking,
        stop_reason,
        _timings(value.get("timings")),
        usage,
        _progress(value.get("prompt_progress")),
        is_total=usage is not None and bool(usage.completion_tokens) and not value.get("choices"),
    )


def error_text(value: object) -> str | None:
    """The message of an error object, in any of the shapes servers use. None where it is no error."""
    if isinstance(value, list):
        value = value[0] if value else None
    if not isinstance(value, dict):
        return None
    error = value.get("error")
    if error is not None and error is not False and error != "":
        return _with_sizes(_message(error) or _message(value) or _dumped(error), error)
    if "choices" in value:
        return None
    if (said := _message(value)) is not None:
        return _with_sizes(said, value)
    return _dumped(value) if "error" in (value.get("object"), value.get("type")) else None


def stray_error(lines: list[str]) -> str | None:
    """The message of an error that was sent as bare JSON, on one line or on several. None where there is none."""
    candidates = ["\n".join(lines), *lines]
    return next((said for text in candidates if (said := error_text(_parsed(text))) is not None), None)


def body_error(text: str, content_type: str, status: int) -> str:
    """One sentence for an answer that is no stream: a JSON error, a proxy's page, anything."""
    said = error_text(_parsed(text))
    if said is not None:
        return said
    if "html" in content_type or text.lstrip().startswith("<"):
        page = one_line(_no_tags(text), 160)
        return f"HTTP {status} with a web page instead of an answer, so a proxy stands in between: {page}"
    if not text.strip():
        return f"HTTP {status} with an empty answer"
    return f"HTTP {status} with no stream: {one_line(text, 200)}"


def count(value: object) -> int | None:
    """A number of things; None where it is none."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= LARGEST:
        return None
    return int(value) if value == int(value) else None


def amount(value: object) -> float | None:
    """A finite number from zero up; None where it is none."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= LARGEST:
        return None
    return float(value) if value * LARGEST >= 1 else 0.0


_THINKING_KEYS = ("reasoning_content", "reasoning", "reasoning_text", "thinking")
_MESSAGE_KEYS = ("message", "error_message", "error_msg", "detail", "msg", "error")


def _choice(value: Json) -> tuple[str, str, str | None]:
    choices = value.get("choices")
    mine = [c for c in choices if isinstance(c, dict) and not c.get("index")] if isinstance(choices, list) else []
    if not mine:
        return "", "", None
    first = mine[0]
    delta = first.get("delta") or first.get("message") or {}
    stop = first.get("finish_reason")
    stop_reason = one_line(stop, 100) or None if isinstance(stop, str) else None
    if not isinstance(delta, dict):
        return "", "", stop_reason
    answer = _words(delta.get("content")) or _words(first.get("text"))
    return answer, next(filter(None, (_words(delta.get(key)) for key in _THINKING_KEYS)), ""), stop_reason


def _words(value: object) -> str:
    return value if isinstance(value, str) else ""


def _timings(value: object) -> Timings | None:
    if not isinstance(value, dict):
        return None
    return Timings(
        count(value.get("prompt_n")),
        amount(value.get("prompt_ms")),
        count(value.get("cache_n")),
        count(value.get("predicted_n")),
        amount(value.get("predicted_ms")),
        count(value.get("draft_n")),
        count(value.get("draft_n_accepted")),
        amount(value.get("predicted_per_second")),
    )


def _usage(value: object) -> Usage | None:
    if not isinstance(value, dict):
        return None
    details = value.get("prompt_tokens_details")
    cached = details.get("cached_tokens") if isinstance(details, dict) else None
    return Usage(count(value.get("completion_tokens")), count(value.get("prompt_tokens")), count(cached))


def _progress(value: object) -> tuple[int, int, int, float] | None:
    if not isinstance(value, dict):
        return None
    total, cached, done = (count(value.get(k)) for k in ("total", "cache", "processed"))
    ms = amount(value.get("time_ms"))
    return None if total is None or cached is None or done is None or ms is None else (total, cached, done, ms)


_Number = TypeVar("_Number", int, float)


def _later(before: _Number | None, now: _Number | None) -> _Number | None:
    return before if now is None else now


def _higher(before: _Number | None, now: _Number | None) -> _Number | None:
    return before if now is None else now if before is None else max(before, now)


def _parsed(text: str) -> object:
    """The JSON value of a text; None where it is none."""
    try:
        value: object = json.loads(text, strict=False)
    except (ValueError, RecursionError):
        return None
    return value


def _message(error: object) -> str | None:
    """The first text that says what went wrong."""
    if isinstance(error, dict):
        error = next((words for key in _MESSAGE_KEYS if (words := _words(error.get(key)).strip())), None)
    return one_line(error, 400) if isinstance(error, str) else None


def _dumped(error: object) -> str:
    try:
        return one_line(json.dumps(error), 400)
    except RecursionError:
        return "an error that is nested too deeply to be shown"


def _with_sizes(said: str, error: object) -> str:
    """The message with both sizes where the request was too long for a slot."""
    size = count(error.get("n_ctx")) if isinstance(error, dict) else None
    if size is None or not isinstance(error, dict):
        return said
    asked = count(error.get("n_prompt_tokens"))
    sizes = f"a slot holds {size} tokens" + (f" and the request has {asked}" if asked is not None else "")
    return f"{said}; {sizes}, for the context is divided among the slots: raise --ctx or lower -np"


def _no_tags(text: str) -> str:
    out, inside = [], False
    for char in text[:4000]:
        inside = char == "<" or (inside and char != ">")
        out.append(" " if inside or char == ">" else char)
    return " ".join("".join(out).split())
