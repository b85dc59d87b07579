"""How the toys learn: rates, Muon's direction, losses, and the places where blocks are drafted."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import pytest

torch = pytest.importorskip("torch", reason="the toys are made with torch, which specui itself does not need")

from specui.builtin.recipe import drafters, learning  # noqa: E402 - the check comes first
from specui.builtin.recipe.drafters import BLOCK_SIZE, BLOCKS  # noqa: E402 - as above
from specui.builtin.recipe.words import MASK  # noqa: E402 - as above
from specui.builtin.recipe.writing.draws import Draws  # noqa: E402 - as above

if TYPE_CHECKING:
    from torch import Tensor

ROWS, TIME, TOKENS = 2, 24, 7


@pytest.mark.parametrize("steps", sorted({*(course.all_steps() for course in drafters.COURSES.values()), 800}))
def test_the_rate_rises_stays_and_falls(steps: int) -> None:
    """It reaches the full rate once, and comes down to almost nothing with the last step."""
    shares = [learning.rate_share(step, steps) for step in range(steps)]
    highest = [step for step, share in enumerate(shares) if share == 1.0]

    assert 0 < min(shares)
    assert 1.0 == max(shares)
    assert list(range(highest[0], highest[-1] + 1)) == highest
    assert shares[: highest[0]] == sorted(set(shares[: highest[0]]))
    assert shares[highest[-1] :] == sorted(set(shares[highest[-1] :]), reverse=True)
    assert shares[-1] < 2 / steps


@pytest.mark.parametrize("sides", [(128, 320), (320, 128), (64, 192), (256, 128), (128, 384)])
@pytest.mark.parametrize("size", [1e-3, 1.0, 1e3])
def test_a_direction_is_made_about_orthogonal(sides: tuple[int, int], size: float) -> None:
    """All singular values come near 1, however large the gradient is, whichever side is longer."""
    matrix = torch.randn(*sides, generator=torch.Generator().manual_seed(1)) * size

    values = torch.linalg.svdvals(learning.orthogonal(matrix))

    assert float(values.min()) > 0.6
    assert float(values.max()) < 1.3


def test_a_direction_keeps_its_singular_vectors() -> None:
    """What is nearest to a matrix that is orthogonal already is itself, but for its size."""
    turn = torch.linalg.qr(torch.randn(32, 32, generator=torch.Generator().manual_seed(2))).Q

    out = learning.orthogonal(turn * 5)

    torch.testing.assert_close(out / out.norm(), turn / turn.norm(), rtol=1e-3, atol=1e-3)


def test_cross_entropy_with_the_next_tokens() -> None:
    """Each place is asked for the token after it, which counts with its own weight."""
    logits, ids, weights = _said(), _ids(), _weights()

    total = counted = 0.0
    for row in range(ROWS):
        for place in range(TIME - 1):
            weight = float(weights[row, place + 1])
            total -= weight * math.log(_share(logits[row, place], int(ids[row, place + 1])))
            counted += weight

    assert float(learning.foreseen(logits, ids, weights)) == pytest.approx(total / counted, rel=1e-5)


def test_cross_entropy_with_wanted_probabilities() -> None:
    """Each place is asked for all tokens, as likely as they are wanted."""
    logits, weights = _said(), _weights()
    wanted = torch.randn(ROWS, TIME, TOKENS, generator=torch.Generator().manual_seed(7)).softmax(-1)

    total = 0.0
    for row in range(ROWS):
        for place in range(TIME):
            losses = [-float(wanted[row, place, i]) * math.log(_share(logits[row, place], i)) for i in range(TOKENS)]
            total += float(weights[row, place]) * sum(losses)

    assert float(learning.likened(logits, wanted, weights)) == pytest.approx(total / float(weights.sum()), rel=1e-5)


def test_both_losses_agree_where_one_token_is_certain() -> None:
    """Wanting a token for sure is foreseeing it."""
    logits, ids, weights = _said(), _ids(), _weights()
    certain = torch.nn.functional.one_hot(ids, TOKENS).float()

    same = learning.likened(logits[:, :-1], certain[:, 1:], weights[:, 1:])

    torch.testing.assert_close(learning.foreseen(logits, ids, weights), same)


def test_a_learner_brings_the_loss_down() -> None:
    """Matrices, tables and norms all move, and no gradient is left behind."""
    draws = torch.Generator().manual_seed(8)
    goals = {"blk.0.ffn_up.weight": (12, 8), "token_embd.weight": (5, 8), "output_norm.weight": (8,)}
    wanted = {name: torch.randn(*sides, generator=draws) * 0.1 for name, sides in goals.items()}
    weights = {name: torch.zeros(*sides, requires_grad=True) for name, sides in goals.items()}
    learner = learning.Learner(weights, steps=60, rates=learning.TARGET_RATES)

    def loss() -> Tensor:
        return torch.stack([(weights[name] - wanted[name]).square().sum() for name in goals]).sum()

    first = loss().item()
    for _ in range(60):
        learner.step(loss())

    assert loss().item() < first / 4
    assert [None] * len(weights) == [weight.grad for weight in weights.values()]


def test_blocks_begin_right_before_a_token_of_an_answer() -> None:
    """Their slots hold the tokens that follow, masked, beside what the target says of each."""
    lesson = _lesson()

    blocks = drafters.drawn_blocks(lesson, Draws(1))

    assert (ROWS, BLOCKS) == tuple(blocks.starts.shape)
    assert (blocks.ids[..., 1:] == MASK).sum() == 0
    for row in range(ROWS):
        for block in range(BLOCKS):
            start = int(blocks.starts[row, block])
            end = start + BLOCK_SIZE
            assert 1.0 == float(lesson.counted[row, start + 1])
            assert lesson.ids[row, start:end].tolist() == blocks.ids[row, block].tolist()
            assert torch.equal(lesson.wanted[row, start : end - 1], blocks.wanted[row, block])
    assert torch.equal(blocks.ids[..., 0], blocks.masked()[..., 0])
    assert {MASK} == set(blocks.masked()[..., 1:].flatten().tolist())


def test_a_block_counts_up_to_the_end_of_its_answer() -> None:
    """Each slot less than the one before, and nothing from the first token on that is not the answer's."""
    lesson = _lesson()

    blocks = drafters.drawn_blocks(lesson, Draws(2))

    for row in range(ROWS):
        for block in range(BLOCKS):
            start = int(blocks.starts[row, block])
            counts = lesson.counted[row, start + 1 : start + BLOCK_SIZE].tolist()
            inside = counts.index(0.0) if 0.0 in counts else BLOCK_SIZE - 1
            weights = blocks.weights[row, block].tolist()
            assert [0.0] * (BLOCK_SIZE - 1 - inside) == weights[inside:]
            assert 1.0 == weights[0]
            assert sorted(set(weights[:inside]), reverse=True) == weights[:inside]


def test_a_row_without_an_answer_teaches_nothing() -> None:
    """Its blocks weigh nothing."""
    lesson = _lesson()
    lesson.counted[0] = 0.0

    blocks = drafters.drawn_blocks(lesson, Draws(3))

    assert 0.0 == float(blocks.weights[0].sum())
    assert float(blocks.weights[1].sum()) > 0.0


def _lesson() -> drafters.Lesson:
    """Two rows, with answers of several lengths that end before or with the row."""
    counted = torch.zeros(ROWS, TIME)
    counted[0, 3:6] = counted[0, 9:] = counted[1, 5:17] = 1.0
    wanted = torch.randn(ROWS, TIME, TOKENS, generator=torch.Generator().manual_seed(9)).softmax(-1)
    nothing = torch.zeros(ROWS, TIME, 1)
    return drafters.Lesson(_ids() + MASK + 1, counted, nothing, nothing, wanted)


def _said() -> Tensor:
    return torch.randn(ROWS, TIME, TOKENS, generator=torch.Generator().manual_seed(4))


def _ids() -> Tensor:
    return torch.randint(TOKENS, (ROWS, TIME), generator=torch.Generator().manual_seed(5))


def _weights() -> Tensor:
    return torch.rand(ROWS, TIME, generator=torch.Generator().manual_seed(6)).round(decimals=1)


def _share(logits: Tensor, token: int) -> float:
    """The probability of a token, from logits."""
    odds = [math.exp(value) for value in logits.tolist()]
    return odds[token] / sum(odds)
