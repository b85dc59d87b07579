"""Every formula, once. Counts and milliseconds in, rates out; None where a rate has no meaning.

Sources: Leviathan et al. 2023 (arXiv 2211.17192) for alpha and the expected speed-up; llama.cpp's
`server-common.h` for what the counts mean (the first token comes out of the prompt pass).
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from specui.domain.units import Milliseconds, Ratio, Tokens, TokensPerSecond

LEAST_PROMPT_TOKENS = 32
"""Below this many new prompt tokens a prompt speed says nothing (a cached turn has 1)."""

LEAST_RANKED_TOKENS = 32
"""Below this many generated tokens a speed is too uncertain to rank."""


def generation_speed(predicted_n: Tokens, predicted_ms: Milliseconds) -> TokensPerSecond | None:
    """Tokens a second after the first, which the prompt pass yields.

    None below two tokens or without time.
    """
    return 1000 * (predicted_n - 1) / predicted_ms if predicted_n > 1 and predicted_ms > 0 else None


def weighted_speed(requests: Iterable[tuple[Tokens, Milliseconds]]) -> TokensPerSecond | None:
    """Token-weighted speed of several requests, each (predicted_n, predicted_ms)."""
    counted = [(n - 1, ms) for n, ms in requests if n > 1 and ms > 0]
    return 1000 * sum(n for n, _ in counted) / sum(ms for _, ms in counted) if counted else None


def prompt_speed(prompt_n: Tokens, prompt_ms: Milliseconds) -> TokensPerSecond | None:
    """Newly processed prompt tokens a second; cached ones are not in `prompt_n`.

    None below `LEAST_PROMPT_TOKENS` or without time.
    """
    return 1000 * prompt_n / prompt_ms if prompt_n >= LEAST_PROMPT_TOKENS and prompt_ms > 0 else None


def acceptance(accepted: Tokens, drafted: Tokens) -> Ratio | None:
    """Share of drafted tokens that were kept. None where nothing was drafted, or less than was kept."""
    return accepted / drafted if drafted and accepted <= drafted else None


def acceptance_at(per_position: Sequence[int], drafts: int) -> tuple[Ratio, ...] | None:
    """Share of drafts whose first 1, 2, … tokens were all kept; never rises. None without drafts."""
    return tuple(count / drafts for count in per_position) if drafts else None


def conditional_acceptance(at: Sequence[Ratio]) -> tuple[Ratio | None, ...]:
    """Chance that position i is kept given that the ones before were. None behind a certain rejection."""
    before = (1.0, *at[:-1]) if at else ()
    return tuple(here / earlier if earlier else None for here, earlier in zip(at, before, strict=True))


def mean_length(accepted: Tokens, drafts: int) -> float | None:
    """Tokens a verification step yields on average, the target's own included.

    Lies in 1 … n_max + 1. None where nothing was drafted.
    """
    return 1 + accepted / drafts if drafts else None


def tokens_per_step(predicted_n: Tokens, steps: int) -> float | None:
    """Tokens per decode pass of the target, over all of them: plain passes count too. None without a pass."""
    return (predicted_n - 1) / steps if steps > 0 and predicted_n > 1 else None


def steps_from_totals(predicted_n: Tokens, accepted: Tokens) -> int:
    """Decode passes of a request where only totals are known.

    Exact but for replayed passes and for kept tokens that a stop cut off.
    """
    return max(0, predicted_n - 1 - accepted)


def step_time(predicted_ms: Milliseconds, steps: int) -> Milliseconds | None:
    """Milliseconds of one decode pass, drafting included. None without a pass."""
    return predicted_ms / steps if steps > 0 else None


def cost_ratio(step_ms: Milliseconds, plain_step_ms: Milliseconds) -> float | None:
    """Kappa: cost of a step in plain tokens. Speculation wins where tokens per step exceed it."""
    return step_ms / plain_step_ms if plain_step_ms > 0 else None


def speedup(speed: TokensPerSecond | None, baseline: TokensPerSecond | None) -> float | None:
    """Times the baseline's speed. None where either is unknown."""
    return speed / baseline if speed is not None and baseline else None


def alpha(mean_accepted: float, n_max: int) -> Ratio | None:
    """The chance per token that a geometric model needs for `mean_accepted` of `n_max` drafted tokens.

    Solves a + a² + … + a^n_max = mean_accepted to 1e-12. None outside 0 … n_max.
    """
    if n_max < 1 or not 0 <= mean_accepted <= n_max:
        return None
    low, high = 0.0, 1.0
    for _ in range(200):
        middle = (low + high) / 2
        if math.fsum(middle**i for i in range(1, n_max + 1)) < mean_accepted:
            low = middle
        else:
            high = middle
    return (low + high) / 2


def expected_speedup(chance: Ratio, n_max: int, draft_cost: float) -> float | None:
    """Leviathan's speed-up for a per-token `chance`, `n_max` drafts and a draft that costs `draft_cost` passes.

    To be shown beside the measured one, never instead. None where the inputs lie outside their ranges.
    """
    if not 0 <= chance <= 1 or n_max < 0 or draft_cost < 0:
        return None
    emitted = n_max + 1 if chance == 1 else (1 - chance ** (n_max + 1)) / (1 - chance)
    return emitted / (n_max * draft_cost + 1)
