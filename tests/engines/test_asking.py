"""A question to a loaded server: every fact of its answer, in order, whatever engine it is."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest

from specui.domain.events import CountersRead, ServerWordRead, StepCostsRead
from specui.domain.plan import Workload
from specui.domain.request_facts import FirstToken, RequestSent, StepsDecoded
from specui.domain.summary import case_summary
from specui.engines.llama import asking
from tests.domain.runs import case, run_of
from tests.engines.answers import DONE, STOP, WHOLE, event, said, text_of, timings
from tests.engines.boxes import QUESTION, Box

STREAMS = Path(__file__).parent.parent / "data" / "streams"


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody waits for a log that is not written, nor for a server after its end mark."""
    monkeypatch.setattr(asking, "LOG_WAIT_S", 0.0)
    monkeypatch.setattr(asking, "AFTER_END_S", 0.01)


@pytest.fixture
def box(tmp_path: Path) -> Box:
    """A server that says nothing yet."""
    return Box(tmp_path / "server.log")


@pytest.mark.parametrize("method", ["draft-mtp", "draft-dflash", "none"])
def test_a_recorded_answer_gives_all_facts_in_order(box: Box, method: str) -> None:
    """From the sending to the counters: stream, the engine's own word, its drafting time, `/metrics`."""
    box.pieces = ((STREAMS / f"b11669-{method}.sse").read_bytes(),)
    box.metrics = (STREAMS / f"b11669-{method}.metrics.txt").read_text(encoding="utf-8")
    box.lines = (STREAMS / f"b11669-{method}.log.txt").read_text(encoding="utf-8")

    answer = box.ask()

    kinds = [fact.KIND for fact in box.facts if not isinstance(fact, StepsDecoded) and not hasattr(fact, "fields")]
    costs = ["step-costs-read"] if method != "none" else []
    assert kinds == [
        "request-sent", *["prompt-progressed"] * 3, "first-token", "request-finished", "server-word-read", *costs,
        "counters-read",
    ]  # fmt: skip
    assert RequestSent(1, 1, 1, 1, "p1", "measure", "Well?") == box.facts[0]
    assert (text_of(box.facts), "", 120, "length", None) == (
        answer.text, answer.thinking, answer.predicted_n, answer.stop_reason, answer.error,
    )  # fmt: skip
    assert box.end().draft_n == answer.draft_n
    assert box.is_closed


def test_drafting_time_is_a_difference(box: Box) -> None:
    """The log counts from the start of the server; a request's share is what was added."""
    line = "statistics draft-mtp: #calls(b,g,a) = {0} {1} {1}, #gen drafts = {1}, #acc drafts = 1, #gen tokens = 9, "
    line += "#acc tokens = 9, dur(b,g,a) = 0.1, {2}, 0.1 ms\n"
    box.pieces, server = (said("a") + WHOLE,), box.server()

    async def asked() -> None:
        for number, (calls, ms) in enumerate([(10, 5.0), (26, 14.626)], 1):
            box.lines = line.format(number, calls, ms)
            await server.ask(replace(QUESTION, request=number))

    asyncio.run(asked())

    costs = [fact for fact in box.facts if isinstance(fact, StepCostsRead)]
    assert [StepCostsRead(1, "draft-mtp", 5.0, 10, 10), StepCostsRead(2, "draft-mtp", 9.626, 16, 16)] == costs


def test_an_older_line_is_no_word_on_this_request(box: Box) -> None:
    """C49: what the log said before the question is passed over; numbers come from HTTP."""
    box.log.write_text("eval time = 1.0 ms / 2 tokens ( 1.0 ms per token, 2.0 tokens per second)\n", encoding="utf-8")
    box.pieces, box.lines = (said("a", timings=timings(5, 10.0)) + WHOLE,), "something in another shape: eval\n"

    box.ask()

    assert not any(isinstance(fact, ServerWordRead) for fact in box.facts)
    assert 5 == box.end().predicted_n


def test_an_engine_without_times_is_timed_by_our_clock(box: Box) -> None:
    """C27: ten chunks, 100 ms apart, 40 tokens by usage: 40 tok/s, and the report says whose clock it was."""
    usage = event({"choices": [], "usage": {"completion_tokens": 40, "prompt_tokens": 9}})
    box.pieces, box.piece_s = (*[said("a b c d ")] * 10, STOP + usage + DONE), 0.1

    box.ask()

    assert "client" == box.end().timed_by
    assert pytest.approx(40.0, rel=1e-3) == box.row()["speed_tok_per_s"]
    assert any("client-timed" in str(note) for note in box.row()["notes"])


@pytest.mark.parametrize("name", ["reasoning", "reasoning_content"])
def test_thinking_counts_as_what_it_is(box: Box, name: str) -> None:
    """C26: 300 thoughts and 20 words at 10 ms each are 100 tok/s; the first thought is the first token."""
    usage = event({"choices": [], "usage": {"completion_tokens": 320}})
    thoughts = [said(delta={name: "x", "content": None})] * 300
    box.pieces, box.piece_s = (*thoughts, *[said("y")] * 20, STOP + usage + DONE), 0.01

    answer = box.ask(replace(QUESTION, workload=Workload(max_tokens=320)))
    summary = case_summary(run_of([case("none")], *box.facts), 1)

    assert (20, 300) == (len(answer.text), len(answer.thinking))
    assert pytest.approx(100.0, rel=1e-3) == summary.speed
    assert isinstance(box.facts[1], FirstToken)


SPEC = "llamacpp:spec_decode_num_"
METRICS = [
    (None, None),
    ("", (None, None, None, None, None)),
    ("<html>", (None, None, None, None, None)),
    ("llamacpp:n_decode_total -nan\nllamacpp:kv_cache_usage_ratio NaN\n", (None, None, None, None, None)),
    (
        f"{SPEC}drafts_total 3\n{SPEC}draft_tokens_total nan\nllamacpp:n_decode_total 1e+06\n",
        (3, None, None, None, 10**6),
    ),
    (f'{SPEC}drafts_total{{model="a|b}}\\""}} 3\nllamacpp:n_decode_total 0x10\n{SPEC}dra', (3, None, None, None, None)),
    ('llamacpp:n_decode_total{backend="llama.cpp",mode="completion"} 7 1733000000\r\n', (None, None, None, None, 7)),
]


@pytest.mark.parametrize(("metrics", "expected"), METRICS, ids=range(len(METRICS)))
def test_counters_are_read_as_far_as_they_go(
    box: Box, metrics: str | None, expected: tuple[int | None, ...] | None
) -> None:
    """C36, C37: what is missing or no number is unknown, never 0, and spoils nothing else."""
    box.pieces, box.metrics = (said("a", timings=timings(5, 10.0)) + WHOLE,), metrics

    box.ask()

    read = [fact for fact in box.facts if isinstance(fact, CountersRead)]
    assert ([] if expected is None else [CountersRead(1, 1, *expected)]) == read  # type: ignore[arg-type]  # the rows of the table are of several types
