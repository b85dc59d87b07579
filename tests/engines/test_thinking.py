"""Thinking is told from the answer, whatever the server calls it and wherever it is cut."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from specui.domain.request_facts import FirstToken, TextSpan
from specui.engines.llama.thinking import ThinkingSplitter
from tests.engines.answers import WHOLE, event, heard, said, spans_of, text_of


def split(*pieces: str) -> dict[str, str]:
    """Text by channel."""
    splitter = ThinkingSplitter()
    spans: list[TextSpan] = [span for n, piece in enumerate(pieces, 1) for span in splitter.split(n, None, piece)]
    out = {"answer": "", "thinking": ""}
    for _, _, channel, words in [*spans, *splitter.end()]:
        out[channel] += words
    return out


INLINE = [
    ("<think>why</think>because", "why", "because"),
    ("\n <think>\nwhy\n</think>\n\nbecause", "\nwhy\n", "\n\nbecause"),
    ("<|channel>thought\nwhy<channel|>because", "\nwhy", "because"),
    ("[THINK]why[/THINK]because", "why", "because"),
    ("<seed:think>why</seed:think>because", "why", "because"),
    ("<|START_THINKING|>why<|END_THINKING|>because", "why", "because"),
    ("<think></think>because", "", "because"),
    ("<think>it never closes", "it never closes", ""),
    ("<think>it never quite closes</thin", "it never quite closes</thin", ""),
    ("<think>a < b </ c</think>d", "a < b </ c", "d"),
    ("<think>a</think>b</think>c<think>d", "a", "b</think>c<think>d"),
    ("so <think>is text", "", "so <think>is text"),
    ("<thin air", "", "<thin air"),
    ("<thinking>is no tag of ours", "", "<thinking>is no tag of ours"),
    ("<th", "", "<th"),
    ("   ", "", "   "),
    ("", "", ""),
]


@pytest.mark.parametrize(("text", "thinking", "answer"), INLINE)
def test_inline_thinking_is_told_by_its_tags(text: str, thinking: str, answer: str) -> None:
    """C26: only at the beginning, never lost when it does not close, tags cut at any place."""
    expected = {"answer": answer, "thinking": thinking}

    assert expected == split(text)
    assert expected == split(*text)
    for place in range(len(text)):
        assert expected == split(text[:place], text[place:])


@settings(deadline=None)
@given(
    st.lists(
        st.sampled_from(["<think>", "</think>", "<", "th", "ink>", "\n", "[THINK]", "x", "<|channel>thought"]),
        max_size=12,
    ),
    st.lists(st.integers(0, 60), max_size=6),
)
def test_any_cut_splits_alike(words: list[str], places: list[int]) -> None:
    """Property 3: channels do not depend on the chunks."""
    text = "".join(words)
    bounds = [0, *sorted(p for p in places if p < len(text)), len(text)]

    assert split(text) == split(*(text[a:b] for a, b in pairwise(bounds)))


def test_an_answer_is_passed_on_at_once() -> None:
    """Only what may be a tag waits; an answer without one is not held back after its first characters."""
    splitter = ThinkingSplitter()

    assert [] == splitter.split(1, "target", "<t")
    assert [(1, "target", "answer", "<ty")] == splitter.split(2, "target", "y")
    assert [(3, "draft", "answer", "<think>")] == splitter.split(3, "draft", "<think>")


NAMES = ["reasoning_content", "reasoning", "reasoning_text", "thinking"]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("empty", ["", None])
def test_thinking_has_many_names(name: str, empty: object) -> None:
    """C26: 300 pieces of thinking and 20 of answer; the first token is the first thought."""
    thoughts = [said(delta={name: "x", "content": empty})] * 300
    facts = heard(*thoughts, *[said("y")] * 20, WHOLE)

    assert ("x" * 300, "y" * 20) == (text_of(facts, "thinking"), text_of(facts))
    assert FirstToken(1) == facts[0]


def test_a_chunk_may_hold_both() -> None:
    """C26: the thought stands before the answer; two names for one thought are one thought."""
    both = said(delta={"reasoning_content": "why", "reasoning": "why", "content": "because"})

    facts = heard(both, WHOLE)

    assert [(None, None, "thinking", "why"), (None, None, "answer", "because")] == spans_of(facts)


@pytest.mark.parametrize("cut", [("<th", "ink>"), ("<", "think", ">"), ("<think>",)])
def test_tags_may_be_cut_by_chunks(cut: tuple[str, ...]) -> None:
    """C26: `<th` and `ink>` in two chunks; the first token is the tag's."""
    facts = heard(*(said(piece) for piece in cut), said("why</th"), said("ink>so"), WHOLE)

    assert ("why", "so") == (text_of(facts, "thinking"), text_of(facts))
    assert FirstToken(1) == facts[0]


@pytest.mark.parametrize("thinking", [1, None, ["x"], {"text": "x"}, True, ""])
def test_a_thought_of_another_shape_is_none(thinking: object) -> None:
    """Nothing is made of what is no text, and the answer beside it is read."""
    odd = event({"choices": [{"delta": {"reasoning": thinking, "content": "a"}}]})

    assert [(None, None, "answer", "a")] == spans_of(heard(odd, WHOLE))
