"""One chunk of a streamed chat answer: whatever JSON came, read for what it may mean.

Nothing here raises: a field of another shape is an unknown field.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from specui.domain.text import joined_surrogates, one_line

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


@dataclass(frozen=True, slots=True)
class Usage:
    """Token counts of the OpenAI protocol; the last chunk that carries them wins."""

    completion_tokens: int | None
    prompt_tokens: int | None
    cached_tokens: int | None


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


def read_chunk(data: str) -> Chunk:
    """The chunk in one event's data; an empty one where it is no JSON object."""
    if data.strip() == "[DONE]":
        return Chunk()
    try:
        value = json.loads(data)
    except (ValueError, RecursionError):
        return Chunk(error=f"the server sent a chunk that is no JSON: {one_line(data, 120)!r}")
    if not isinstance(value, dict):
        return Chunk()
    error = error_text(value)
    if error is not None:
        return Chunk(error=error)
    answer, thinking, stop_reason = _choice(value)
    return Chunk(
        answer,
        thinking,
        stop_reason,
        _timings(value.get("timings")),
        _usage(value.get("usage")),
        _progress(value.get("prompt_progress")),
    )


def error_text(value: Json) -> str | None:
    """The message of an error object, in any of the shapes servers use. None where it is no error."""
    error = value.get("error")
    if isinstance(error, dict):
        message = error.get("message")
        return one_line(message if isinstance(message, str) and message else json.dumps(error), 400)
    if isinstance(error, str) and error:
        return one_line(error, 400)
    for key in ("error_message", "message"):
        message = value.get(key)
        if isinstance(message, str) and ("error_type" in value or value.get("object") == "error"):
            return one_line(message, 400)
    return None


def body_error(text: str, content_type: str, status: int) -> str:
    """One sentence for an answer that is no stream: a JSON error, a proxy's page, anything."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        value = None
    said = error_text(value) if isinstance(value, dict) else None
    if said is not None:
        return _with_sizes(said, value) if isinstance(value, dict) else said
    if "html" in content_type or text.lstrip().startswith("<"):
        page = one_line(_no_tags(text), 160)
        return f"HTTP {status} with a web page instead of an answer, so a proxy stands in between: {page}"
    if not text.strip():
        return f"HTTP {status} with an empty answer"
    return f"HTTP {status} with no stream: {one_line(text, 200)}"


def count(value: object) -> int | None:
    """A number of things; None where it is none."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        return None
    return int(value) if value >= 0 and value == int(value) else None


def amount(value: object) -> float | None:
    """A finite number from zero up; None where it is none."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    try:
        number = float(value)
    except OverflowError:
        return None
    return number if math.isfinite(number) and number >= 0 else None


def _choice(value: Json) -> tuple[str, str, str | None]:
    choices = value.get("choices")
    mine = [c for c in choices if isinstance(c, dict) and not c.get("index")] if isinstance(choices, list) else []
    if not mine:
        return "", "", None
    first = mine[0]
    delta = first.get("delta") or first.get("message") or {}
    stop = first.get("finish_reason")
    stop_reason = joined_surrogates(stop) if isinstance(stop, str) and stop else None
    if not isinstance(delta, dict):
        return "", "", stop_reason
    answer = _words(delta.get("content")) or _words(first.get("text"))
    return answer, _words(delta.get("reasoning_content")) or _words(delta.get("reasoning")), stop_reason


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


def _with_sizes(said: str, value: Json) -> str:
    error = value.get("error")
    size = error.get("n_ctx") if isinstance(error, dict) else None
    if not isinstance(size, int):
        return said
    return f"{said}; a slot holds {size} tokens, for the context is divided among the slots: raise --ctx or lower -np"


def _no_tags(text: str) -> str:
    out, inside = [], False
    for char in text[:4000]:
        inside = char == "<" or (inside and char != ">")
        out.append(" " if inside or char == ">" else char)
    return " ".join("".join(out).split())
