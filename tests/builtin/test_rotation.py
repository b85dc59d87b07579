"""Rotary positions: what a place does to a query or key."""

from __future__ import annotations

import pytest

torch = pytest.importorskip("torch", reason="the toys are made with torch, which specui itself does not need")

from specui.builtin.recipe import nets  # noqa: E402 - the check comes first
from specui.builtin.recipe.nets import HEAD  # noqa: E402 - as above
from tests.builtin import plain_layers as plain  # noqa: E402 - as above

ROWS, HEADS, TIME = 2, 3, 14


@pytest.mark.parametrize("neighbours", [False, True])
def test_rotation_knows_only_distances(neighbours: bool) -> None:
    """A query and a key agree as much at places 5 and 2 as at 105 and 102, and less of it is not the same."""
    q, k = torch.randn(2, 1, 1, 1, HEAD, generator=torch.Generator().manual_seed(2))

    def agreement(at: int, other: int) -> float:
        turned = nets.rotated(q, torch.tensor([at]), neighbours) * nets.rotated(k, torch.tensor([other]), neighbours)
        return float(turned.sum())

    assert agreement(105, 102) == pytest.approx(agreement(5, 2), abs=1e-3)
    assert agreement(5, 3) != pytest.approx(agreement(5, 2), abs=1e-2)
    assert torch.equal(q, nets.rotated(q, torch.tensor([0]), neighbours))


@pytest.mark.parametrize("neighbours", [False, True])
def test_rotation_pairs_as_llama_cpp_does(neighbours: bool) -> None:
    """NORM turns dimension 2i with 2i + 1, NEOX i with i + HEAD/2, both by place / base^(2i / HEAD)."""
    x = torch.randn(ROWS, HEADS, TIME, HEAD, generator=torch.Generator().manual_seed(3))
    turned = plain.turned_neighbours if neighbours else plain.turned_halves

    out = nets.rotated(x, torch.arange(TIME), neighbours)
    of_blocks = nets.rotated(x, torch.arange(TIME).expand(ROWS, 1, TIME), neighbours)

    for place in range(TIME):
        torch.testing.assert_close(turned(x[:, :, place], place), out[:, :, place], rtol=1e-4, atol=1e-5)
    assert torch.equal(out, of_blocks)
