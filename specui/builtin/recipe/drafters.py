"""Teaching the drafters: all at once, so that the target thinks but once for them."""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING

import torch
import torch.nn.functional as nn
from torch import Tensor

from specui.builtin.recipe import learning, nets
from specui.builtin.recipe.learning import DRAFTER_RATES, Learner, likened
from specui.builtin.recipe.target import batches
from specui.builtin.recipe.words import MASK

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from specui.builtin.recipe.nets import Weights
    from specui.builtin.recipe.rows import Weighed
    from specui.builtin.recipe.writing.draws import Draws

ROWS = 2
"""Rows in a step: many small steps teach a drafter more than few large ones."""


@dataclass(frozen=True, slots=True)
class Course:
    """When a drafter learns: from one lesson to another, some steps in each."""

    begins: int
    ends: int
    steps: int = 1

    def all_steps(self) -> int:
        """Steps of the whole course."""
        return (self.ends - self.begins) * self.steps


COURSES = {
    "mtp": Course(0, 650),
    "eagle3": Course(0, 650),
    "dflash": Course(0, 1600, steps=2),
    "dspark": Course(1100, 1600, steps=2),
    "draft-simple": Course(0, 1600),
}
"""By the name of the file. Those that draft token by token learn fast; blocks learn slowly, and other ones are drawn in
each step. DSpark goes on from what DFlash has learnt by then."""

CHAIN = 3
"""Drafted tokens that the MTP block and EAGLE3 learn to chain."""

BLOCK_SIZE = 8
"""Slots of a DFlash or DSpark block, the true token in front included."""

BLOCKS = 28
"""Blocks that are drafted in each row of a step."""

MARKOV_RANK = 32
_LATER_SLOT = 0.85
"""How much less each later slot of a block counts: it is reached less often."""


@dataclass(frozen=True, slots=True)
class Lesson:
    """What the target made of one batch."""

    ids: Tensor
    """Token ids (rows, time)."""
    counted: Tensor
    """1.0 where the token belongs to an answer, else 0.0."""
    hidden: Tensor
    """What the last layer gave (rows, time, width)."""
    taps: Tensor
    """The inputs of three layers (rows, time, 3 x width)."""
    wanted: Tensor
    """The target's probabilities (rows, time, vocabulary); [:, p] speaks of token p + 1."""


def lessons(target: Weights, conversations: Sequence[Weighed], draws: Draws) -> Iterator[Lesson]:
    """Batch after batch as the target sees it, without an end."""
    for ids, counted in batches(conversations, draws, ROWS):
        with torch.no_grad():
            inputs = nets.trunk(target, ids)
            wanted = nets.logits(target, inputs[-1]).softmax(-1)
        taps = torch.cat([inputs[tap] for tap in nets.TAPS], -1)
        yield Lesson(ids, (counted == 1.0).float(), inputs[-1], taps, wanted)


def learnt_drafters(
    target: Weights,
    conversations: Sequence[Weighed],
    draws: Draws,
    tell: Callable[[str], None],
    courses: Mapping[str, Course] = MappingProxyType(COURSES),
) -> dict[str, Weights]:
    """The weights of every drafter by the name of its file, after its course."""
    school = lessons(target, conversations, draws)
    last_tap_rms = next(school).hidden.square().mean().sqrt().item()
    students: dict[str, Weights] = {}
    learners: dict[str, Learner] = {}
    last = max(course.ends for course in courses.values())
    losses: dict[str, list[float]] = {name: [] for name in courses}
    for number, lesson in zip(range(last), school, strict=False):
        for name, course in courses.items():
            if number == course.begins:
                students[name] = _begun(name, last_tap_rms, students)
                learners[name] = Learner(students[name], course.all_steps(), DRAFTER_RATES)
            for _ in range(course.steps if course.begins <= number < course.ends else 0):
                loss = _loss(name, students[name], target, lesson, draws)
                learners[name].step(loss)
                losses[name].append(loss.item())
        if number % 50 == 49:
            means = (f"{name} {sum(of) / len(of):.3f}" for name, of in losses.items() if of)
            tell(f"drafters {number + 1}/{last}: {', '.join(means)}")
            losses = {name: [] for name in courses}
    return {name: {k: w.detach() for k, w in weights.items()} for name, weights in students.items()}


def _begun(name: str, last_tap_rms: float, students: Mapping[str, Weights]) -> Weights:
    """A drafter at the beginning of its course, ready to learn."""
    match name:
        case "mtp":
            weights = learning.new_mtp()
        case "eagle3":
            weights = learning.new_eagle(last_tap_rms)
        case "draft-simple":
            weights = learning.new_simple()
        case "dflash":
            weights = learning.new_dflash()
        case _:
            known = {name: weight.detach().clone() for name, weight in students["dflash"].items()}
            weights = learning.new_dflash(MARKOV_RANK) | known
    for weight in weights.values():
        weight.requires_grad_(True)
    return weights


@dataclass(frozen=True, slots=True)
class Blocks:
    """Places of the rows that are drafted as blocks."""

    starts: Tensor
    """Where each block begins (rows, blocks): at the last true token."""
    ids: Tensor
    """True tokens (rows, blocks, BLOCK_SIZE)."""
    weights: Tensor
    """How much each drafted slot counts (rows, blocks, BLOCK_SIZE - 1)."""
    wanted: Tensor
    """The target's probabilities for each drafted slot (rows, blocks, BLOCK_SIZE - 1, vocabulary)."""

    def masked(self) -> Tensor:
        """The ids as the drafter is given them: one true token, then masks."""
        return torch.cat((self.ids[..., :1], torch.full_like(self.ids[..., 1:], MASK)), -1)


def drawn_blocks(lesson: Lesson, draws: Draws) -> Blocks:
    """Blocks at drawn places of the answers."""
    time = lesson.ids.shape[1]
    starts = []
    for row in lesson.counted[:, 1:-BLOCK_SIZE].tolist():
        places = [at for at, counts in enumerate(row) if counts] or [0]
        starts.append([draws.pick(places) for _ in range(BLOCKS)])
    begins = torch.tensor(starts)
    places = begins[..., None] + torch.arange(BLOCK_SIZE)
    assert int(places.max()) < time
    row = torch.arange(len(starts))[:, None, None]
    slots = torch.tensor([_LATER_SLOT**i for i in range(BLOCK_SIZE - 1)])
    # A block that reaches beyond its answer learns only up to the answer's end.
    inside = lesson.counted[row, places[..., 1:]].cumprod(-1)
    return Blocks(begins, lesson.ids[row, places], inside * slots, lesson.wanted[row, places[..., :-1]])


def _loss(name: str, weights: Weights, target: Weights, lesson: Lesson, draws: Draws) -> Tensor:
    match name:
        case "mtp":
            chain = nets.mtp_chain(weights, target, lesson.ids, lesson.hidden, CHAIN)
            return _chain_loss(chain, lesson, ahead=1)
        case "eagle3":
            chain = nets.eagle_chain(weights, target, lesson.ids, lesson.taps, CHAIN)
            return _chain_loss(chain, lesson, ahead=2)
        case "draft-simple":
            ahead = lesson.counted[:, 1:]
            return likened(nets.simple(weights, lesson.ids)[:, :-1], lesson.wanted[:, :-1], ahead)
        case "dflash":
            blocks = drawn_blocks(lesson, draws)
            hidden = _block_hidden(weights, target, lesson, blocks)
            return likened(nn.linear(hidden, target["output.weight"]), blocks.wanted, blocks.weights)
        case _:
            return _dspark_loss(weights, target, lesson, drawn_blocks(lesson, draws))


def _chain_loss(chain: list[Tensor], lesson: Lesson, ahead: int) -> Tensor:
    """The mean over the drafted tokens; `ahead` is how far beyond its place a chain's entry speaks."""
    losses = []
    for step, logits in enumerate(chain):
        # Places before `step` lack the draft that leads to them; the last ones lack the token they speak of.
        said = logits[:, step : logits.shape[1] - ahead]
        wanted = lesson.wanted[:, step + ahead - 1 : -1]
        losses.append(likened(said, wanted, lesson.counted[:, step + ahead :]))
    return torch.stack(losses).mean()


def _block_hidden(weights: Weights, target: Weights, lesson: Lesson, blocks: Blocks) -> Tensor:
    """Hidden states of the drafted slots, of blocks as the server asks for them."""
    embedding = target["token_embd.weight"]
    return nets.block_draft(weights, embedding, blocks.masked(), blocks.starts, lesson.taps)[:, :, 1:]


def _dspark_loss(weights: Weights, target: Weights, lesson: Lesson, blocks: Blocks) -> Tensor:
    """DFlash's loss with the Markov table's help, and how well the head knows that a slot will be right."""
    hidden = _block_hidden(weights, target, lesson, blocks)
    before = weights["markov_w1.weight"][blocks.ids[..., :-1]]
    logits = nn.linear(hidden, target["output.weight"]) + nn.linear(before, weights["markov_w2.weight"])
    right = (logits.argmax(-1) == blocks.wanted.argmax(-1)).float()
    both = torch.cat((hidden, before), -1).detach()
    sure = nn.linear(both, weights["conf_proj.weight"], weights["conf_proj.bias"]).squeeze(-1)
    doubt = nn.binary_cross_entropy_with_logits(sure, right, reduction="none")
    known = (doubt * blocks.weights).sum() / blocks.weights.sum()
    return likened(logits, blocks.wanted, blocks.weights) + known
