"""What the fake llama-server says when it is asked: made-up numbers that agree with each other.

Every step drafts as much as `--spec-draft-n-max` allows and keeps all but one token of it. Shapes are those of
llama-server b11669 (`tests/data/streams`).
"""

from __future__ import annotations

import json
import sys
import time
from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Iterator

Json: TypeAlias = "dict[str, Any]"  # Any: values of JSON

WORDS = ["Many", "years", "ago", "there", "was", "a", "lamp", "in", "the", "old", "tower", "by", "the", "sea"]
PROMPT_TOKENS = 20
PROMPT_MS = 8.25


class Counters:
    """What /metrics tells, since the start. No dataclass: that would take 20 ms of every start."""

    def __init__(self) -> None:
        """Nothing yet; `at` holds the kept tokens at each place of a draft."""
        self.prompt = self.predicted = self.decodes = self.drafts = self.drafted = self.accepted = 0
        self.at: dict[int, int] = {}

    def text(self) -> str:
        """The Prometheus text."""
        names = {"prompt_tokens": self.prompt, "tokens_predicted": self.predicted, "n_decode": self.decodes}
        names |= {"spec_decode_num_drafts": self.drafts, "spec_decode_num_draft_tokens": self.drafted}
        names |= {"spec_decode_num_accepted_tokens": self.accepted}
        rows = [f"llamacpp:{name}_total {count}" for name, count in names.items()]
        place_name = "llamacpp:spec_decode_num_accepted_tokens_per_pos_total"
        rows += [f'{place_name}{{position="{place}"}} {count}' for place, count in sorted(self.at.items())]
        return "\n".join(rows) + "\n"


class Progress:
    """How far one answer is."""

    def __init__(self) -> None:
        """At its beginning."""
        self.n = self.drafted = self.accepted = 0
        self.ms = 0.0

    def timings(self, prompt_n: int, drafting: str) -> Json:
        """The engine's cumulative numbers; drafts are told only where there were any, unless asked otherwise."""
        speed = 1000 * max(0, self.n - 1) / self.ms if self.ms else 0.0
        told: Json = {"cache_n": 0, "prompt_n": prompt_n, "prompt_ms": PROMPT_MS if prompt_n else 0.0}
        told |= {"predicted_n": self.n, "predicted_ms": self.ms, "predicted_per_second": speed}
        if drafting == "zero":
            told |= {"draft_n": 0, "draft_n_accepted": 0}
        elif drafting == "no kept" and self.drafted:
            told |= {"draft_n": self.drafted}
        elif self.drafted:
            told |= {"draft_n": self.drafted, "draft_n_accepted": self.accepted}
        return told


def chat(goal: int, stop: str, n_max: int, drafting: str, step_s: float, counters: Counters) -> Iterator[str]:
    """The data of every event of an answer of `goal` tokens, in order; the counters rise before the last two."""
    role: Json = {"role": "assistant", "content": None}
    now, steps = Progress(), 0
    for processed in (0, PROMPT_TOKENS):
        told = {"total": PROMPT_TOKENS, "cache": 0, "processed": processed, "time_ms": 8}
        yield chunk(role, now.timings(processed, drafting), prompt_progress=told)
    yield chunk(role)
    now.n, now.ms = 1, 0.001
    yield chunk({"content": WORDS[0]}, now.timings(PROMPT_TOKENS, drafting))
    while now.n < goal:
        time.sleep(step_s)
        draft = min(n_max, goal - now.n - 1) if drafting in ("as asked", "no kept") else 0
        kept = max(0, draft - 1)
        steps, now.ms = steps + 1, round(now.ms + 5.0 + draft, 3)
        now.drafted, now.accepted = now.drafted + draft, now.accepted + kept
        counters.drafts += bool(draft)
        for place in range(draft):
            counters.at[place] = counters.at.get(place, 0) + (place < kept)
        for _ in range(kept + 1):
            now.n += 1
            yield chunk({"content": " " + WORDS[now.n % len(WORDS)]}, now.timings(PROMPT_TOKENS, drafting))
    counters.prompt, counters.predicted = counters.prompt + PROMPT_TOKENS, counters.predicted + goal
    counters.decodes += 1 + steps
    counters.drafted, counters.accepted = counters.drafted + now.drafted, counters.accepted + now.accepted
    _log(now)
    yield chunk({}, stop=stop)
    usage = {"completion_tokens": goal, "prompt_tokens": PROMPT_TOKENS, "total_tokens": goal + PROMPT_TOKENS}
    yield chunk(None, now.timings(PROMPT_TOKENS, drafting), usage=usage)


def chunk(delta: Json | None, timings: Json | None = None, stop: str | None = None, **extra: Json) -> str:
    """One event's data; without a `delta` it has no choices, as the last one."""
    data: Json = {"choices": [] if delta is None else [{"finish_reason": stop, "index": 0, "delta": delta}]}
    data |= {"created": 1796123284, "id": "chatcmpl-1", "model": "tiny", "object": "chat.completion.chunk"}
    return json.dumps(data | extra | ({} if timings is None else {"timings": timings}))


def log(text: str) -> None:
    """One line on stderr, as the engine's log begins."""
    sys.stderr.write(f"0.00.048.972 {text}\n")
    sys.stderr.flush()


def _log(now: Progress) -> None:
    """The lines that a request leaves in the log."""
    _log_time("prompt eval time", PROMPT_MS, PROMPT_TOKENS, 1000 * PROMPT_TOKENS / PROMPT_MS)
    _log_time("       eval time", now.ms, now.n, 1000 * (now.n - 1) / now.ms)
    if now.drafted:
        share = now.accepted / now.drafted
        counts = f"({now.accepted:5d} accepted / {now.drafted:5d} generated)"
        log(f"I slot print_timing: id  0 | task 0 | draft acceptance = {share:.5f} {counts}")


def _log_time(what: str, ms: float, tokens: int, speed: float) -> None:
    each = f"({ms / tokens:8.2f} ms per token, {speed:8.2f} tokens per second)"
    log(f"I slot print_timing: id  0 | task 0 | {what} = {ms:10.2f} ms / {tokens:5d} tokens {each}")
