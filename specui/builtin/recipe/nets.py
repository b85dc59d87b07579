"""The forward passes of the toys, as llama.cpp computes them; weights bear the names they have in a GGUF file."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import torch
import torch.nn.functional as nn

if TYPE_CHECKING:
    from collections.abc import Callable

    from torch import Tensor

Weights = dict[str, "Tensor"]
"""Matrices have the shape (outputs, inputs), as torch's Linear has them; GGUF states it the other way round."""

EPSILON = 1e-5
ROPE_BASE = 10_000.0
HEAD = 32
"""Width of one attention head, in every toy."""

TAPS = (2, 5, 8)
"""Layers of the target whose inputs EAGLE3, DFlash and DSpark read; 8 is what the last layer gives."""


@dataclass(frozen=True, slots=True)
class Size:
    """The measures of one network."""

    width: int = 128
    layers: int = 8
    heads: int = 4
    kv_heads: int = 2
    ffn: int = 320
    vocabulary: int = 1024


TARGET = Size()
SIMPLE = Size(width=64, layers=1, heads=2, kv_heads=2, ffn=192)


def normed(x: Tensor, weight: Tensor) -> Tensor:
    """RMS norm over the last side."""
    return nn.rms_norm(x, (x.shape[-1],), weight, EPSILON)


def fed_forward(w: Weights, block: str, x: Tensor) -> Tensor:
    """SwiGLU of a block, its norm included."""
    x = normed(x, w[f"{block}.ffn_norm.weight"])
    gate = nn.silu(nn.linear(x, w[f"{block}.ffn_gate.weight"]))
    return nn.linear(gate * nn.linear(x, w[f"{block}.ffn_up.weight"]), w[f"{block}.ffn_down.weight"])


def rotated(x: Tensor, positions: Tensor, neighbours: bool) -> Tensor:
    """Rotary positions on `x` (batch, heads, time, HEAD) at `positions` (time) or (batch, 1, time).

    `neighbours` pairs dimension 2i with 2i+1 (llama.cpp's NORM), otherwise i with i + HEAD/2 (NEOX).
    """
    half = HEAD // 2
    rates = ROPE_BASE ** (-torch.arange(half, dtype=torch.float32) / half)
    angles = positions.to(torch.float32)[..., None] * rates
    cos, sin = angles.cos(), angles.sin()
    a, b = (x[..., 0::2], x[..., 1::2]) if neighbours else (x[..., :half], x[..., half:])
    turned = (a * cos - b * sin, a * sin + b * cos)
    return torch.stack(turned, -1).flatten(-2) if neighbours else torch.cat(turned, -1)


def heads_of(x: Tensor) -> Tensor:
    """(batch, time, heads x HEAD) as (batch, heads, time, HEAD)."""
    return x.unflatten(-1, (-1, HEAD)).transpose(1, 2)


def attended(q: Tensor, k: Tensor, v: Tensor, allowed: Tensor | None = None) -> Tensor:
    """Attention joined over the heads again: causal, or as `allowed` (queries, keys) says."""
    several = q.shape[1] // k.shape[1]
    k, v = k.repeat_interleave(several, 1), v.repeat_interleave(several, 1)
    mixed = nn.scaled_dot_product_attention(q, k, v, attn_mask=allowed, is_causal=allowed is None)
    return mixed.transpose(1, 2).flatten(-2)


def trunk(w: Weights, tokens: Tensor, size: Size = TARGET) -> list[Tensor]:
    """The input of each layer of the target for `tokens` (batch, time), and last what the last layer gives."""
    x = w["token_embd.weight"][tokens]
    positions = torch.arange(tokens.shape[1])
    inputs = [x]
    for layer in range(size.layers):
        block = f"blk.{layer}"
        q, k, v = _fused(w, block, normed(x, w[f"{block}.attn_norm.weight"]), positions, size)
        x = x + nn.linear(attended(q, k, v), w[f"{block}.attn_output.weight"])
        x = x + fed_forward(w, block, x)
        inputs.append(x)
    return inputs


def logits(w: Weights, hidden: Tensor, norm: str = "output_norm.weight") -> Tensor:
    """What the output head makes of a hidden state."""
    return nn.linear(normed(hidden, w[norm]), w["output.weight"])


def simple(w: Weights, tokens: Tensor) -> Tensor:
    """Logits of the small draft model, a one-layer llama with a tied head."""
    x = w["token_embd.weight"][tokens]
    positions = torch.arange(tokens.shape[1])
    n = normed(x, w["blk.0.attn_norm.weight"])
    q, k, v = _separate(w, "blk.0", n, positions, neighbours=True)
    x = x + nn.linear(attended(q, k, v), w["blk.0.attn_output.weight"])
    x = x + fed_forward(w, "blk.0", x)
    return nn.linear(normed(x, w["output_norm.weight"]), w["token_embd.weight"])


def mtp_chain(w: Weights, target: Weights, tokens: Tensor, hidden: Tensor, steps: int) -> list[Tensor]:
    """Logits of the MTP block after each of `steps` drafted tokens; [k][:, p] speaks of token p + 1.

    Step k reads the true token p, but for a hidden state what step k - 1 made at p - 1, as the server's loop does.
    """
    block = f"blk.{TARGET.layers}"
    embedded = normed(target["token_embd.weight"][tokens], w[f"{block}.nextn.enorm.weight"])
    positions = torch.arange(tokens.shape[1])

    def enter(state: Tensor) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        both = torch.cat((embedded, normed(_later(state), w[f"{block}.nextn.hnorm.weight"])), -1)
        x = nn.linear(both, w[f"{block}.nextn.eh_proj.weight"])
        return (x, *_fused(w, block, normed(x, w[f"{block}.attn_norm.weight"]), positions, TARGET))

    norm = {"n": w[f"{block}.nextn.shared_head_norm.weight"], "output.weight": target["output.weight"]}
    return [logits(norm, state, "n") for state in _chained(w, block, enter, hidden, steps)]


def eagle_chain(w: Weights, target: Weights, tokens: Tensor, taps: Tensor, steps: int) -> list[Tensor]:
    """Logits of EAGLE3 after each of `steps` drafted tokens; [k][:, p] speaks of token p + 2.

    `taps` (batch, time, 3 x width) are the target's layer inputs; the last position has no next token and is void.
    """
    following = torch.cat((tokens[:, 1:], tokens[:, :1]), 1)
    embedded = normed(target["token_embd.weight"][following], w["blk.0.attn_norm.weight"])
    positions = torch.arange(tokens.shape[1])
    seen = nn.linear(taps, w["fc.weight"])

    def enter(state: Tensor) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        x = state if state is seen else _later(state)
        both = torch.cat((embedded, normed(x, w["blk.0.attn_norm_2.weight"])), -1)
        return (x, *_separate(w, "blk.0", both, positions, neighbours=True))

    head = {"output_norm.weight": w["output_norm.weight"], "output.weight": target["output.weight"]}
    return [logits(head, state) for state in _chained(w, "blk.0", enter, seen, steps)]


def _chained(
    w: Weights,
    block: str,
    enter: Callable[[Tensor], tuple[Tensor, Tensor, Tensor, Tensor]],
    state: Tensor,
    steps: int,
) -> list[Tensor]:
    """The block's states after each drafted token.

    A query of step k sees the first step's keys up to k - 1 places back, and each later step's one key of its draft.
    """
    states: list[Tensor] = []
    keys: list[Tensor] = []
    values: list[Tensor] = []
    time = state.shape[1]
    behind = torch.arange(time)[:, None] - torch.arange(time)[None, :]
    for step in range(steps):
        x, q, k, v = enter(state)
        keys.append(k)
        values.append(v)
        allowed = torch.cat([behind >= step, *(behind == step - j for j in range(1, step + 1))], 1)
        mixed = attended(q, torch.cat(keys, 2), torch.cat(values, 2), allowed if step else None)
        x = x + nn.linear(mixed, w[f"{block}.attn_output.weight"])
        state = x + fed_forward(w, block, x)
        states.append(state)
    return states


def block_draft(w: Weights, embedding: Tensor, block_ids: Tensor, starts: Tensor, taps: Tensor) -> Tensor:
    """Hidden states (batch, blocks, slots, width), normed, of DFlash for blocks that begin at `starts` (batch, blocks).

    `block_ids` (batch, blocks, slots) holds a true token and then masks. A slot sees the target's layer inputs `taps`
    (batch, time, 3 x width) before its block, and all slots of its block.
    """
    batch, blocks, slots = block_ids.shape
    time = taps.shape[1]
    seen = normed(nn.linear(taps, w["fc.weight"]), w["enc.output_norm.weight"])
    x = embedding[block_ids].flatten(1, 2)
    before = torch.arange(time)
    places = (starts[..., None] + torch.arange(slots)).flatten(1)
    sees_past = before < starts.repeat_interleave(slots, 1)[..., None]
    own = torch.arange(blocks).repeat_interleave(slots)
    sees_block = (own[:, None] == own[None, :]).expand(batch, -1, -1)
    allowed = torch.cat((sees_past, sees_block), -1)[:, None]
    for layer in range(_layers(w)):
        name = f"blk.{layer}"
        q, k, v = _qk_normed(w, name, normed(x, w[f"{name}.attn_norm.weight"]), places[:, None])
        _, past_k, past_v = _qk_normed(w, name, seen, before)
        mixed = attended(q, torch.cat((past_k, k), 2), torch.cat((past_v, v), 2), allowed)
        x = x + nn.linear(mixed, w[f"{name}.attn_output.weight"])
        x = x + fed_forward(w, name, x)
    return normed(x, w["output_norm.weight"]).unflatten(1, (blocks, slots))


def _layers(w: Weights) -> int:
    return sum(name.endswith(".ffn_norm.weight") for name in w)


def _later(state: Tensor) -> Tensor:
    """The state one place further on, zeros at the first."""
    return nn.pad(state, (0, 0, 1, 0))[:, :-1]


def _fused(w: Weights, block: str, x: Tensor, positions: Tensor, size: Size) -> tuple[Tensor, Tensor, Tensor]:
    joined = nn.linear(x, w[f"{block}.attn_qkv.weight"])
    q, k, v = joined.split([size.heads * HEAD, size.kv_heads * HEAD, size.kv_heads * HEAD], -1)
    return rotated(heads_of(q), positions, False), rotated(heads_of(k), positions, False), heads_of(v)


def _separate(w: Weights, block: str, x: Tensor, positions: Tensor, neighbours: bool) -> tuple[Tensor, Tensor, Tensor]:
    q, k, v = (heads_of(nn.linear(x, w[f"{block}.attn_{part}.weight"])) for part in "qkv")
    return rotated(q, positions, neighbours), rotated(k, positions, neighbours), v


def _qk_normed(w: Weights, block: str, x: Tensor, positions: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    q, k, v = (heads_of(nn.linear(x, w[f"{block}.attn_{part}.weight"])) for part in "qkv")
    q, k = normed(q, w[f"{block}.attn_q_norm.weight"]), normed(k, w[f"{block}.attn_k_norm.weight"])
    return rotated(q, positions, False), rotated(k, positions, False), v
