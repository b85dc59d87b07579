"""How a network learns: Muon for its matrices, AdamW for the rest, and a rate that falls to nothing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import torch
import torch.nn.functional as nn

from specui.builtin.recipe.nets import HEAD, SIMPLE, TARGET, Size

if TYPE_CHECKING:
    from torch import Tensor

    from specui.builtin.recipe.nets import Weights


@dataclass(frozen=True, slots=True)
class Rates:
    """How far a step goes at most."""

    muon: float
    adam: float


TARGET_RATES = Rates(muon=0.02, adam=3e-3)
DRAFTER_RATES = Rates(muon=0.03, adam=6e-3)
"""A drafter sees fewer tokens in a step and takes more steps."""

DECAY = 0.02
MOMENTUM = 0.95
STEADY_SHARE = 0.35
"""The share of all steps before the rate begins to fall."""

_CONFIDENCE = ("conf_proj.weight", "conf_proj.bias")
_TABLES = ("token_embd.weight", "output.weight", "markov_w1.weight", "markov_w2.weight", *_CONFIDENCE)
"""Not for Muon: a row of theirs belongs to one token."""

# Newton and Schulz's iteration towards an orthogonal matrix: Keller Jordan, "Muon" (2024).
_A, _B, _C = 3.4445, -4.7750, 2.0315
_ITERATIONS = 5


class Learner:
    """Brings the weights of one network nearer to a smaller loss, step by step."""

    def __init__(self, weights: Weights, steps: int, rates: Rates) -> None:
        self._steps = steps
        self._rates = rates
        self._done = 0
        self._matrices = [w for name, w in weights.items() if w.ndim == 2 and name not in _TABLES]
        self._speeds = [torch.zeros_like(w) for w in self._matrices]
        rest = [w for name, w in weights.items() if w.ndim == 1 or name in _TABLES]
        self._adam = torch.optim.AdamW(rest, lr=rates.adam, betas=(0.9, 0.95), weight_decay=0.0)

    def step(self, loss: Tensor) -> None:
        """One step down the slope of the loss."""
        loss.backward()
        share = rate_share(self._done, self._steps)
        self._done += 1
        for group in self._adam.param_groups:
            group["lr"] = self._rates.adam * share
        self._adam.step()
        self._adam.zero_grad(set_to_none=True)
        with torch.no_grad():
            for weight, speed in zip(self._matrices, self._speeds, strict=True):
                _turn(weight, speed, self._rates.muon * share)


def rate_share(step: int, steps: int) -> float:
    """The share of the full rate (0…1) at a step: a short rise, a steady part, a straight fall."""
    rise = min(1.0, (step + 1) / 20)
    return rise * min(1.0, (steps - step) / (steps * (1 - STEADY_SHARE)))


def _turn(weight: Tensor, speed: Tensor, rate: float) -> None:
    """Muon's step for one matrix, with Nesterov's momentum."""
    if weight.grad is None:
        return
    speed.lerp_(weight.grad, 1 - MOMENTUM)
    update = orthogonal(weight.grad.lerp(speed, MOMENTUM))
    weight.mul_(1 - rate * DECAY)
    weight.add_(update, alpha=-rate * max(1.0, weight.shape[0] / weight.shape[1]) ** 0.5)
    weight.grad = None


def orthogonal(matrix: Tensor) -> Tensor:
    """About the orthogonal matrix nearest in direction: singular values near 1."""
    tall = matrix.shape[0] > matrix.shape[1]
    x = matrix.T if tall else matrix
    x = x / (x.norm() + 1e-7)
    for _ in range(_ITERATIONS):
        square = x @ x.T
        x = _A * x + (_B * square + _C * square @ square) @ x
    return x.T if tall else x


def foreseen(logits: Tensor, ids: Tensor, weights: Tensor) -> Tensor:
    """Cross entropy in nats with the next tokens, averaged with their weights."""
    losses = nn.cross_entropy(logits[:, :-1].flatten(0, 1), ids[:, 1:].flatten(), reduction="none")
    counted = weights[:, 1:].flatten()
    return (losses * counted).sum() / counted.sum()


def likened(logits: Tensor, wanted: Tensor, weights: Tensor) -> Tensor:
    """Cross entropy in nats with wanted probabilities, averaged with weights; shapes (…, vocabulary) and (…)."""
    losses = -(wanted * nn.log_softmax(logits, -1)).sum(-1)
    return (losses * weights).sum() / weights.sum()


def new_target() -> Weights:
    """The target before it has learnt anything, without its MTP block."""
    weights = {
        "token_embd.weight": torch.randn(TARGET.vocabulary, TARGET.width) * 0.5,
        "output_norm.weight": torch.ones(TARGET.width),
        "output.weight": torch.zeros(TARGET.vocabulary, TARGET.width),
    }
    for layer in range(TARGET.layers):
        weights |= _fused_block(f"blk.{layer}", TARGET)
    return weights


def new_mtp() -> Weights:
    """The MTP block."""
    name, width = f"blk.{TARGET.layers}", TARGET.width
    norms = {f"{name}.nextn.{part}.weight": torch.ones(width) for part in ("enorm", "hnorm", "shared_head_norm")}
    return _fused_block(name, TARGET) | norms | {f"{name}.nextn.eh_proj.weight": _drawn(width, 2 * width)}


def new_simple() -> Weights:
    """The small draft model."""
    width = SIMPLE.width
    table = {"token_embd.weight": torch.randn(SIMPLE.vocabulary, width) * 0.1}
    return table | {"output_norm.weight": torch.ones(width)} | _separate_block("blk.0", SIMPLE, width)


def new_eagle(last_tap_rms: float) -> Weights:
    """EAGLE3; its residual is the mixed taps as they are, so they begin as the last tap, of size 1."""
    width = TARGET.width
    fc = torch.randn(width, 3 * width) * 0.01
    fc[:, 2 * width :] += torch.eye(width) / last_tap_rms
    block = _separate_block("blk.0", TARGET, 2 * width)
    norms = {"blk.0.attn_norm_2.weight": torch.ones(width), "output_norm.weight": torch.ones(width)}
    return {"fc.weight": fc} | block | norms


def new_dflash(markov_rank: int | None = None) -> Weights:
    """DFlash; with a Markov rank the tables and the confidence head that make it a DSpark."""
    width = TARGET.width
    weights = {"fc.weight": _drawn(width, 3 * width)}
    weights |= {"enc.output_norm.weight": torch.ones(width), "output_norm.weight": torch.ones(width)}
    for layer in range(2):
        weights |= _separate_block(f"blk.{layer}", TARGET, width)
        weights |= {f"blk.{layer}.attn_{part}_norm.weight": torch.ones(HEAD) for part in "qk"}
    if markov_rank is not None:
        weights["markov_w1.weight"] = torch.randn(TARGET.vocabulary, markov_rank) * 0.5
        weights["markov_w2.weight"] = torch.zeros(TARGET.vocabulary, markov_rank)
        weights["conf_proj.weight"] = torch.zeros(1, width + markov_rank)
        weights["conf_proj.bias"] = torch.zeros(1)
    return weights


def _fused_block(name: str, size: Size) -> Weights:
    joined = (size.heads + 2 * size.kv_heads) * HEAD
    return _rest_of_block(name, size) | {f"{name}.attn_qkv.weight": _drawn(joined, size.width)}


def _separate_block(name: str, size: Size, inputs: int) -> Weights:
    widths = {"q": size.heads * HEAD, "k": size.kv_heads * HEAD, "v": size.kv_heads * HEAD}
    parts = {f"{name}.attn_{part}.weight": _drawn(width, inputs) for part, width in widths.items()}
    return _rest_of_block(name, size) | parts


def _rest_of_block(name: str, size: Size) -> Weights:
    """Norms, feed-forward layer and the way out of the attention; what leads back into the residual begins at zero."""
    return {
        f"{name}.attn_norm.weight": torch.ones(size.width),
        f"{name}.attn_output.weight": torch.zeros(size.width, size.heads * HEAD),
        f"{name}.ffn_norm.weight": torch.ones(size.width),
        f"{name}.ffn_gate.weight": _drawn(size.ffn, size.width),
        f"{name}.ffn_up.weight": _drawn(size.ffn, size.width),
        f"{name}.ffn_down.weight": torch.zeros(size.width, size.ffn),
    }


def _drawn(outputs: int, inputs: int) -> Tensor:
    return torch.randn(outputs, inputs) * (inputs**-0.5)
