"""What an engine's Prometheus text says it has counted since its start, and what two readings differ by."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from math import isfinite

from specui.domain.units import Milliseconds, Tokens


@dataclass(frozen=True, slots=True)
class Sample:
    """One finite number with its labels."""

    value: float
    labels: Mapping[str, str] = field(default_factory=dict, hash=False)


@dataclass(frozen=True, slots=True)
class SpecCounters:
    """Counts since the server started, or between two readings. None: not told, which is not 0.

    llama-server counts a request when it ends, and prints most counts with six digits: from a million on the last
    digits are lost, in a difference too.
    """

    drafts: int | None = None
    """Verification steps."""
    drafted: Tokens | None = None
    accepted: Tokens | None = None
    per_position: tuple[int, ...] | None = None
    """Accepted tokens at each place of a draft; told only once something was drafted."""
    decodes: int | None = None
    """Passes of the target, prompts included."""
    predicted: Tokens | None = None
    prompt_ms: Milliseconds | None = None
    """Time of the target on prompts, the drafter's own share left out."""


def parse_metrics(text: str) -> dict[str, list[Sample]]:
    """Samples by metric name, in their order.

    What is no number, or not finite, is dropped alone; so is a last line without its end, which may be cut short.
    """
    samples: dict[str, list[Sample]] = {}
    *lines, _ = _unquoted(text).split("\n")
    for line in lines:
        found = _LINE.fullmatch(line)
        if found is not None and isfinite(value := float(found["value"])):
            samples.setdefault(found["name"], []).append(Sample(value, _labels(found["labels"] or "")))
    return samples


def read_counters(text: str) -> SpecCounters:
    """The counters that concern speculation, from the answer of `/metrics`."""
    samples = parse_metrics(text)
    prompt_s = _single(samples, "prompt_seconds_total")
    return SpecCounters(
        _count(samples, "spec_decode_num_drafts_total"),
        _count(samples, "spec_decode_num_draft_tokens_total"),
        _count(samples, "spec_decode_num_accepted_tokens_total"),
        _per_position(_named(samples, "spec_decode_num_accepted_tokens_per_pos_total")),
        _count(samples, "n_decode_total"),
        _count(samples, "tokens_predicted_total"),
        None if prompt_s is None or prompt_s < 0 else prompt_s * 1000,
    )


_LABELS = r'(?:[^"{}]|"(?:[^"\\]|\\.)*")*'
_NUMBER = r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?"
_LINE = re.compile(
    rf"\s*(?P<name>[A-Za-z_:][A-Za-z0-9_:]*)(?:\s+|\s*\{{(?P<labels>{_LABELS})\}}\s*)"
    rf"(?P<value>{_NUMBER})(?:\s+[+-]?[0-9.]+)?\s*(?:#.*)?"
)
_LABEL = re.compile(r'([A-Za-z_]\w*)\s*=\s*"((?:[^"\\]|\\.)*)"')
_ESCAPE = re.compile(r"\\(.)")


def _unquoted(text: str) -> str:
    """Builds of November 2025 (about b7010 to b7190) send the whole text as one JSON string."""
    if text.lstrip().startswith('"'):
        with suppress(ValueError):
            return str(json.loads(text))
    return text


def _labels(text: str) -> dict[str, str]:
    return {name: _ESCAPE.sub(_meant, value) for name, value in _LABEL.findall(text)}


def _meant(escape: re.Match[str]) -> str:
    return "\n" if escape[1] == "n" else escape[1]


def _named(samples: Mapping[str, list[Sample]], name: str) -> list[Sample]:
    """The samples of llama.cpp's metric, whatever an exporter made of its prefix."""
    spellings = (f"llamacpp:{name}", f"llamacpp_{name}", name)
    return next((samples[spelling] for spelling in spellings if spelling in samples), [])


def _single(samples: Mapping[str, list[Sample]], name: str) -> float | None:
    """The only value of a metric; None where it is missing, or told of several models at once."""
    values = [sample.value for sample in _named(samples, name)]
    return values[0] if len(values) == 1 else None


def _count(samples: Mapping[str, list[Sample]], name: str) -> int | None:
    return _whole(_single(samples, name))


def _whole(value: float | None) -> int | None:
    return int(value) if value is not None and value >= 0 and value.is_integer() else None


def _per_position(samples: list[Sample]) -> tuple[int, ...] | None:
    """Counts in the order of their positions; None where one is missing or told twice."""
    counts = {position: _whole(sample.value) for position, sample in _positions(samples)}
    told = [count for place in range(len(samples)) if (count := counts.get(place)) is not None]
    return tuple(told) if told and len(told) == len(samples) else None


def _positions(samples: list[Sample]) -> Iterator[tuple[int, Sample]]:
    for sample in samples:
        label = sample.labels.get("position", "")
        if re.fullmatch(r"[0-9]{1,6}", label):
            yield int(label), sample
