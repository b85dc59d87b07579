"""Teaching the target."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch

from specui.builtin.recipe import nets
from specui.builtin.recipe.learning import TARGET_RATES, Learner, foreseen, new_target
from specui.builtin.recipe.rows import packed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from torch import Tensor

    from specui.builtin.recipe.nets import Weights
    from specui.builtin.recipe.rows import Row, Weighed
    from specui.builtin.recipe.writing.draws import Draws

ROWS = 5
"""Rows in a step: 5 x 640 tokens."""

STEPS = 800


def batches(conversations: Sequence[Weighed], draws: Draws, at_once: int) -> Iterator[tuple[Tensor, Tensor]]:
    """Token ids and weights, both (rows `at_once`, time), without an end: each pass over the text in a new order."""
    rows: list[Row] = []
    while True:
        for row in packed(conversations, draws):
            rows.append(row)
            if len(rows) == at_once:
                yield torch.tensor([r.ids for r in rows]), torch.tensor([r.weights for r in rows])
                rows = []


def learnt_target(
    conversations: Sequence[Weighed], draws: Draws, tell: Callable[[str], None], steps: int = STEPS
) -> Weights:
    """The target after `steps` steps; `tell` hears the loss now and then."""
    weights = new_target()
    for weight in weights.values():
        weight.requires_grad_(True)
    learner = Learner(weights, steps, TARGET_RATES)
    sums = 0.0
    for step, (ids, counted) in zip(range(1, steps + 1), batches(conversations, draws, ROWS), strict=False):
        loss = foreseen(nets.logits(weights, nets.trunk(weights, ids)[-1]), ids, counted)
        learner.step(loss)
        sums += loss.item()
        if step % 25 == 0:
            tell(f"target {step}/{steps}: {sums / 25:.3f} nats a token")
            sums = 0.0
    return {name: weight.detach() for name, weight in weights.items()}
