"""One layer of a toy as a server computes it, a token at a time: nothing here shares code with the recipe."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch

from specui.builtin.recipe.nets import EPSILON, HEAD, ROPE_BASE, TARGET

if TYPE_CHECKING:
    from collections.abc import Callable

    from torch import Tensor

    from specui.builtin.recipe.nets import Weights

HALF = HEAD // 2


class Cache:
    """Keys and values of one layer, as they grow token by token."""

    def __init__(self, heads: int = TARGET.heads, kv_heads: int = TARGET.kv_heads) -> None:
        self._heads, self._kv_heads = heads, kv_heads
        self._keys: list[Tensor] = []
        self._values: list[Tensor] = []

    def keep(self, key: Tensor, value: Tensor) -> None:
        """Keeps key and value of a token (kv_heads, HEAD)."""
        self._keys.append(key)
        self._values.append(value)

    def mixed(self, q: Tensor) -> Tensor:
        """What a query (heads, HEAD) makes of all that is kept, its heads joined."""
        out = []
        for head, query in enumerate(q):
            shared = head * self._kv_heads // self._heads
            scores = torch.stack([query @ key[shared] for key in self._keys]) / HEAD**0.5
            values = torch.stack([value[shared] for value in self._values])
            out.append(scores.softmax(0) @ values)
        return torch.cat(out)

    def attended(self, qkv: Tensor, place: int, turned: Callable[[Tensor, int], Tensor]) -> Tensor:
        """Keeps key and value of a token, and gives what its query makes of all that is kept."""
        q, k, v = qkv.view(-1, HEAD).split([self._heads, self._kv_heads, self._kv_heads])
        self.keep(turned(k, place), v)
        return self.mixed(turned(q, place))


def drafted_block(w: Weights, embedded: Tensor, taps: Tensor) -> Tensor:
    """DFlash's states of one block (slots, width), which begins right behind the `taps` (time, 3 x width).

    Each layer keeps first what the target made of the past, the same for all layers, and then all slots.
    """
    past = [normed(w["fc.weight"] @ tap, w["enc.output_norm.weight"]) for tap in taps]
    slots = list(embedded)
    for layer in range(2):
        block = f"blk.{layer}"

        def part(name: str, x: Tensor, place: int, block: str = block) -> Tensor:
            heads = (w[f"{block}.attn_{name}.weight"] @ x).view(-1, HEAD)
            return turned_halves(normed(heads, w[f"{block}.attn_{name}_norm.weight"]), place)

        cache = Cache()
        entered = [normed(x, w[f"{block}.attn_norm.weight"]) for x in slots]
        for place, x in enumerate([*past, *entered]):
            cache.keep(part("k", x, place), (w[f"{block}.attn_v.weight"] @ x).view(-1, HEAD))
        queries = [part("q", x, place) for place, x in enumerate(entered, len(past))]
        slots = [after_block(w, block, x, cache.mixed(q)) for x, q in zip(slots, queries, strict=True)]
    return torch.stack([normed(x, w["output_norm.weight"]) for x in slots])


def after_block(w: Weights, block: str, x: Tensor, mixed: Tensor) -> Tensor:
    """The output of a block: its input, what its attention mixed, and what its feed-forward layer adds."""
    x = x + w[f"{block}.attn_output.weight"] @ mixed
    n = normed(x, w[f"{block}.ffn_norm.weight"])
    gate = w[f"{block}.ffn_gate.weight"] @ n
    return x + w[f"{block}.ffn_down.weight"] @ (gate * gate.sigmoid() * (w[f"{block}.ffn_up.weight"] @ n))


def normed(x: Tensor, weight: Tensor) -> Tensor:
    """RMS norm over the last side."""
    return x / (x.square().mean(-1, keepdim=True) + EPSILON).sqrt() * weight


def turned_halves(x: Tensor, place: int) -> Tensor:
    """Rotary positions as NEOX has them: dimension i turns with i + HEAD/2."""
    turned = torch.complex(x[..., :HALF], x[..., HALF:]) * _turns(place)
    return torch.cat((turned.real, turned.imag), -1)


def turned_neighbours(x: Tensor, place: int) -> Tensor:
    """Rotary positions as NORM has them: dimension 2i turns with 2i + 1."""
    turned = torch.complex(x[..., 0::2].contiguous(), x[..., 1::2].contiguous()) * _turns(place)
    return torch.view_as_real(turned).flatten(-2)


def _turns(place: int) -> Tensor:
    angles = torch.tensor([place * ROPE_BASE ** (-2 * i / HEAD) for i in range(HALF)])
    return torch.polar(torch.ones(HALF), angles)
