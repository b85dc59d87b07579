"""The toys' forward passes for learning, against plain loops that do what the server does: a token at a time."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

torch = pytest.importorskip("torch", reason="the toys are made with torch, which specui itself does not need")

from torch import Tensor  # noqa: E402 - the check comes first

from specui.builtin.recipe import learning, nets  # noqa: E402 - as above
from specui.builtin.recipe.drafters import CHAIN  # noqa: E402 - as above
from specui.builtin.recipe.nets import SIMPLE, TAPS, TARGET, Weights  # noqa: E402 - as above
from tests.builtin import plain_layers as plain  # noqa: E402 - as above

ROWS, TIME = 2, 14
BLOCK = 4


@dataclass(frozen=True, slots=True)
class Toys:
    """Networks with drawn weights, and what the target makes of drawn tokens. Not to be changed."""

    target: Weights
    mtp: Weights
    eagle: Weights
    dflash: Weights
    simple: Weights
    tokens: Tensor
    """Token ids (ROWS, TIME)."""
    inputs: list[Tensor]
    """The input of each layer of the target, and what the last one gives."""

    @property
    def taps(self) -> Tensor:
        """What EAGLE3 and DFlash read of the target (ROWS, TIME, 3 x width)."""
        return torch.cat([self.inputs[tap] for tap in TAPS], -1)


@pytest.fixture(scope="module")
def toys() -> Toys:
    """Weights of which none is zero or one: a fresh network would hide most mistakes."""
    torch.set_num_threads(1)  # networks this small are done before a second thread has begun
    torch.manual_seed(1)
    target = _drawn(learning.new_target())
    tokens = torch.randint(TARGET.vocabulary, (ROWS, TIME))
    return Toys(
        target,
        _drawn(learning.new_mtp()),
        _drawn(learning.new_eagle(1.0)),
        _drawn(learning.new_dflash()),
        _drawn(learning.new_simple()),
        tokens,
        nets.trunk(target, tokens),
    )


def test_outputs_have_their_shapes(toys: Toys) -> None:
    """Logits for each token of the vocabulary at each place, and a hidden state for each slot."""
    said = (ROWS, TIME, TARGET.vocabulary)
    chains = [
        nets.mtp_chain(toys.mtp, toys.target, toys.tokens, toys.inputs[-1], CHAIN),
        nets.eagle_chain(toys.eagle, toys.target, toys.tokens, toys.taps, CHAIN),
    ]

    assert [(ROWS, TIME, TARGET.width)] * (TARGET.layers + 1) == [tuple(state.shape) for state in toys.inputs]
    assert said == tuple(nets.logits(toys.target, toys.inputs[-1]).shape)
    assert said == tuple(nets.simple(toys.simple, toys.tokens).shape)
    assert [[said] * CHAIN] * 2 == [[tuple(logits.shape) for logits in chain] for chain in chains]
    assert (ROWS, 3, BLOCK, TARGET.width) == tuple(_blocks(toys, toys.taps, [2, 5, 9]).shape)


@pytest.mark.parametrize("changed", [1, 7, TIME - 1])
def test_the_target_sees_nothing_that_comes_later(toys: Toys, changed: int) -> None:
    """A token changes what is made of its own place and of later ones, and nothing before."""
    after = nets.trunk(toys.target, _with_another(toys.tokens, changed))

    for before, now in zip(toys.inputs, after, strict=True):
        assert changed == _first_change(before, now)


@pytest.mark.parametrize("changed", [1, 7, TIME - 1])
def test_the_small_model_sees_nothing_that_comes_later(toys: Toys, changed: int) -> None:
    """As the target."""
    after = nets.simple(toys.simple, _with_another(toys.tokens, changed))

    assert changed == _first_change(nets.simple(toys.simple, toys.tokens), after)


@pytest.mark.parametrize("changed", [1, 7, TIME - 1])
def test_the_mtp_block_sees_nothing_that_comes_later(toys: Toys, changed: int) -> None:
    """Place p reads token p and the target's state at p - 1."""

    def chain(tokens: Tensor, hidden: Tensor) -> list[Tensor]:
        return nets.mtp_chain(toys.mtp, toys.target, tokens, hidden, CHAIN)

    before = chain(toys.tokens, toys.inputs[-1])
    other_token = chain(_with_another(toys.tokens, changed), toys.inputs[-1])
    other_state = chain(toys.tokens, _with_other_state(toys.inputs[-1], changed - 1))

    for step in range(CHAIN):
        assert changed == _first_change(before[step], other_token[step])
        reached = changed + step if changed + step < TIME else None
        assert reached == _first_change(before[step], other_state[step])


@pytest.mark.parametrize("changed", [2, 7, TIME - 1])
def test_eagle_sees_only_one_token_ahead(toys: Toys, changed: int) -> None:
    """Place p reads token p + 1 and the target's states at p; a step later in the chain sees them a place later."""

    def chain(tokens: Tensor, taps: Tensor) -> list[Tensor]:
        # The last place has no next token, so what is said there is void.
        return [said[:, :-1] for said in nets.eagle_chain(toys.eagle, toys.target, tokens, taps, CHAIN)]

    before = chain(toys.tokens, toys.taps)
    other_token = chain(_with_another(toys.tokens, changed), toys.taps)
    other_state = chain(toys.tokens, _with_other_state(toys.taps, changed - 1))

    for step in range(CHAIN):
        assert changed - 1 == _first_change(before[step], other_token[step])
        reached = changed - 1 + step if changed + step < TIME else None
        assert reached == _first_change(before[step], other_state[step])


def test_a_block_sees_nothing_of_the_target_from_its_start_on(toys: Toys) -> None:
    """What the target makes of the block's own tokens is not known when it is drafted; what came before is used."""
    starts = [3, 6, 9]
    before = _blocks(toys, toys.taps, starts)

    for changed in range(TIME):
        after = _blocks(toys, _with_other_state(toys.taps, changed), starts)
        assert [start > changed for start in starts] == [
            not torch.equal(before[:, i], after[:, i]) for i in range(len(starts))
        ]


def test_a_block_sees_nothing_of_other_blocks(toys: Toys) -> None:
    """Drafted alone, it comes out the same, also where two blocks overlap or begin at one place."""
    starts = [3, 4, 4, 9]
    together = _blocks(toys, toys.taps, starts)

    for i, start in enumerate(starts):
        _assert_same(together[:, i : i + 1], _blocks(toys, toys.taps[:, :start], [start], first=i))


def test_a_block_is_what_the_server_drafts(toys: Toys) -> None:
    """Its slots stand at the places behind the past, in the middle of the text as well as at its very start."""
    starts = [0, 1, 6]
    blocks = _blocks(toys, toys.taps, starts)
    for row in range(ROWS):
        for i, start in enumerate(starts):
            embedded = toys.target["token_embd.weight"][toys.tokens[row, i : i + BLOCK]]
            _assert_same(plain.drafted_block(toys.dflash, embedded, toys.taps[row, :start]), blocks[row, i])


def test_a_slot_sees_all_slots_of_its_block(toys: Toys) -> None:
    """Also those behind it: a block is drafted at once."""
    starts = torch.full((ROWS, 1), 5)
    ids = toys.tokens[:, None, :BLOCK]
    before = nets.block_draft(toys.dflash, toys.target["token_embd.weight"], ids, starts, toys.taps)

    for slot in range(BLOCK):
        other = nets.block_draft(
            toys.dflash, toys.target["token_embd.weight"], _with_another(ids, slot), starts, toys.taps
        )
        assert [True] * BLOCK == [not torch.equal(before[:, :, at], other[:, :, at]) for at in range(BLOCK)]


def test_one_step_is_the_first_of_several(toys: Toys) -> None:
    """Drafting on changes nothing of what was drafted."""
    for chain, state in ((nets.mtp_chain, toys.inputs[-1]), (nets.eagle_chain, toys.taps)):
        weights = toys.mtp if chain is nets.mtp_chain else toys.eagle
        (one,) = chain(weights, toys.target, toys.tokens, state, 1)
        _assert_same(one, chain(weights, toys.target, toys.tokens, state, 3)[0])


@pytest.mark.parametrize("start", [0, 1, 6, TIME - CHAIN - 1])
def test_the_mtp_chain_is_what_the_server_drafts(toys: Toys, start: int) -> None:
    """With the cache filled up to `start`, each drafted token leads to the next, and its key stays in the cache."""
    chain = nets.mtp_chain(toys.mtp, toys.target, toys.tokens, toys.inputs[-1], CHAIN)
    block = f"blk.{TARGET.layers}"
    for row in range(ROWS):
        cache = plain.Cache()
        state = torch.zeros(TARGET.width)
        for place in range(start + CHAIN):
            if 0 < place <= start:
                state = toys.inputs[-1][row, place - 1]
            token = toys.target["token_embd.weight"][toys.tokens[row, place]]
            joined = (
                plain.normed(token, toys.mtp[f"{block}.nextn.enorm.weight"]),
                plain.normed(state, toys.mtp[f"{block}.nextn.hnorm.weight"]),
            )
            x = toys.mtp[f"{block}.nextn.eh_proj.weight"] @ torch.cat(joined)
            qkv = toys.mtp[f"{block}.attn_qkv.weight"] @ plain.normed(x, toys.mtp[f"{block}.attn_norm.weight"])
            state = plain.after_block(toys.mtp, block, x, cache.attended(qkv, place, plain.turned_halves))
            said = toys.target["output.weight"] @ plain.normed(
                state, toys.mtp[f"{block}.nextn.shared_head_norm.weight"]
            )
            _assert_same(said, chain[max(0, place - start)][row, place])


@pytest.mark.parametrize("start", [0, 1, 6, TIME - CHAIN - 1])
def test_the_eagle_chain_is_what_the_server_drafts(toys: Toys, start: int) -> None:
    """As with the MTP block, but a place reads the token after it and adds to the state that it was given."""
    chain = nets.eagle_chain(toys.eagle, toys.target, toys.tokens, toys.taps, CHAIN)
    for row in range(ROWS):
        cache = plain.Cache()
        state = torch.zeros(TARGET.width)
        for place in range(start + CHAIN):
            if place <= start:
                state = toys.eagle["fc.weight"] @ toys.taps[row, place]
            token = toys.target["token_embd.weight"][toys.tokens[row, place + 1]]
            joined = torch.cat(
                (
                    plain.normed(token, toys.eagle["blk.0.attn_norm.weight"]),
                    plain.normed(state, toys.eagle["blk.0.attn_norm_2.weight"]),
                )
            )
            qkv = torch.cat([toys.eagle[f"blk.0.attn_{part}.weight"] @ joined for part in "qkv"])
            state = plain.after_block(toys.eagle, "blk.0", state, cache.attended(qkv, place, plain.turned_neighbours))
            said = toys.target["output.weight"] @ plain.normed(state, toys.eagle["output_norm.weight"])
            _assert_same(said, chain[max(0, place - start)][row, place])


def test_the_target_is_what_a_token_at_a_time_gives(toys: Toys) -> None:
    """Layer after layer, with a cache for each."""
    for row in range(ROWS):
        caches = [plain.Cache() for _ in range(TARGET.layers)]
        for place in range(TIME):
            x = toys.target["token_embd.weight"][toys.tokens[row, place]]
            for layer, cache in enumerate(caches):
                block = f"blk.{layer}"
                qkv = toys.target[f"{block}.attn_qkv.weight"] @ plain.normed(
                    x, toys.target[f"{block}.attn_norm.weight"]
                )
                x = plain.after_block(toys.target, block, x, cache.attended(qkv, place, plain.turned_halves))
                _assert_same(x, toys.inputs[layer + 1][row, place])


def test_the_small_model_is_what_a_token_at_a_time_gives(toys: Toys) -> None:
    """Its one layer, and the table of tokens once more as the head."""
    expected = nets.simple(toys.simple, toys.tokens)
    for row in range(ROWS):
        cache = plain.Cache(SIMPLE.heads, SIMPLE.kv_heads)
        for place in range(TIME):
            x = toys.simple["token_embd.weight"][toys.tokens[row, place]]
            n = plain.normed(x, toys.simple["blk.0.attn_norm.weight"])
            qkv = torch.cat([toys.simple[f"blk.0.attn_{part}.weight"] @ n for part in "qkv"])
            x = plain.after_block(toys.simple, "blk.0", x, cache.attended(qkv, place, plain.turned_neighbours))
            said = toys.simple["token_embd.weight"] @ plain.normed(x, toys.simple["output_norm.weight"])
            _assert_same(said, expected[row, place])


def _drawn(weights: Weights) -> Weights:
    def near(w: Tensor) -> Tensor:
        return 1 + torch.randn_like(w) * 0.2 if w.ndim == 1 else torch.randn_like(w) * w.shape[1] ** -0.5

    return {name: near(w) for name, w in weights.items()}


def _blocks(toys: Toys, taps: Tensor, starts: list[int], first: int = 0) -> Tensor:
    """Blocks of drawn tokens at the starts; block i holds the tokens from place `first` + i on."""
    ids = torch.stack([toys.tokens[:, first + i : first + i + BLOCK] for i in range(len(starts))], 1)
    begins = torch.tensor([starts] * ROWS)
    return nets.block_draft(toys.dflash, toys.target["token_embd.weight"], ids, begins, taps)


def _with_another(tokens: Tensor, place: int) -> Tensor:
    other = tokens.clone()
    other[..., place] = (other[..., place] + 1) % TARGET.vocabulary
    return other


def _with_other_state(states: Tensor, place: int) -> Tensor:
    other = states.clone()
    other[:, place] += 1.0
    return other


def _first_change(before: Tensor, after: Tensor) -> int | None:
    """The first place of any row that differs; None where all are the same to the last bit."""
    places = (before != after).any(-1).any(0).nonzero()
    return int(places[0]) if len(places) else None


def _assert_same(one: Tensor, other: Tensor) -> None:
    torch.testing.assert_close(one, other, rtol=1e-4, atol=1e-4)
