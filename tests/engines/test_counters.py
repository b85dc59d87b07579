"""Counters are read from Prometheus text that is old, labelled, broken or cut, and what is not told stays unknown."""

from __future__ import annotations

import json
from math import isfinite
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from specui.engines.llama.counters import Sample, SpecCounters, parse_metrics, read_counters

STREAMS = Path(__file__).parent.parent / "data" / "streams"


def recorded(method: str) -> str:
    return (STREAMS / f"b11669-{method}.metrics.txt").read_text(encoding="utf-8")


MTP = SpecCounters(26, 103, 93, (25, 25, 24, 19), 28, 120, 8.565)


def test_the_counters_of_a_request_are_read() -> None:
    """b11669 after one request of 120 tokens with an MTP head."""
    assert read_counters(recorded("draft-mtp")) == MTP


@pytest.mark.parametrize("method", ["draft-simple", "draft-eagle3", "draft-mtp", "draft-dflash", "draft-dspark"])
def test_positions_add_up_to_what_was_accepted(method: str) -> None:
    """Every accepted token has one position, and no later one is accepted more often."""
    read = read_counters(recorded(method))
    assert read.per_position is not None
    assert sum(read.per_position) == read.accepted
    assert sorted(read.per_position, reverse=True) == list(read.per_position)


@pytest.mark.parametrize("method", ["none", "ngram-mod"])
def test_nothing_drafted_is_zero_and_no_positions(method: str) -> None:
    """A new build counts 0 drafts with speculation off, and with it on as long as nothing was drafted."""
    read = read_counters(recorded(method))
    assert (read.drafts, read.drafted, read.accepted, read.per_position) == (0, 0, 0, None)
    assert (read.decodes, read.predicted) == (121, 120)


BAD = """\
# HELP llamacpp:n_decode_total Total number of llama_decode() calls
# TYPE llamacpp:n_decode_total counter
llamacpp:n_busy_slots_per_decode -nan
sglang:fwd_occupancy NaN
up +Inf
down -Inf
llamacpp:tokens_predicted_total 1e+06
hex 0x10
empty
space\x20
percent 0.32%
underscored 1_000
words 5 of them
stamped 7 1699999999999
quoted{path="C:\\\\x\\"}",tail=",{",n="1\\n2"} 8
tight{a="b"}9
half{a="b" 9
huge 1e999
llamacpp:n_decode_total 12
exemplar 4 # {trace="x"} 1
# EOF
cut 1"""


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_bad_samples_are_dropped_one_by_one(end: str) -> None:
    """What is not a finite decimal number goes alone; a line without its end may have lost digits, so it goes too."""
    values = {name: [s.value for s in samples] for name, samples in parse_metrics(BAD.replace("\n", end)).items()}
    assert values == {
        "llamacpp:tokens_predicted_total": [1e6],
        "stamped": [7.0],
        "quoted": [8.0],
        "tight": [9.0],
        "llamacpp:n_decode_total": [12.0],
        "exemplar": [4.0],
    }


def test_labels_hold_whatever_stands_in_quotes() -> None:
    """Quotes, braces, commas, backslashes and line breaks are escaped or need no escape."""
    (sample,) = parse_metrics(BAD)["quoted"]
    assert sample == Sample(8.0, {"path": 'C:\\x"}', "tail": ",{", "n": "1\n2"})


OF_2024 = """\
# HELP llamacpp:prompt_tokens_total Number of prompt tokens processed.
# TYPE llamacpp:prompt_tokens_total counter
llamacpp:prompt_tokens_total 20
# TYPE llamacpp:tokens_predicted_total counter
llamacpp:tokens_predicted_total 64
# TYPE llamacpp:kv_cache_usage_ratio gauge
llamacpp:kv_cache_usage_ratio 0.25
"""
OF_B4687 = OF_2024 + "llamacpp:prompt_seconds_total 0.5\nllamacpp:n_decode_total 65\n"
OF_MODEL_RUNNER = """\
llamacpp:n_decode_total{backend="llama.cpp",mode="completion",model="ai/llama3.2"} 2
llamacpp:tokens_predicted_total{backend="llama.cpp",mode="completion",model="ai/llama3.2"} 64
llamacpp:spec_decode_num_accepted_tokens_per_pos_total{model="ai/llama3.2",position="0"} 3
"""


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (OF_2024, SpecCounters(predicted=64)),
        (OF_B4687, SpecCounters(predicted=64, decodes=65, prompt_ms=500.0)),
        (OF_MODEL_RUNNER, SpecCounters(predicted=64, decodes=2, per_position=(3,))),
        (OF_B4687.replace("llamacpp:", ""), SpecCounters(predicted=64, decodes=65, prompt_ms=500.0)),
        (OF_B4687.replace("llamacpp:", "llamacpp_"), SpecCounters(predicted=64, decodes=65, prompt_ms=500.0)),
        (json.dumps(OF_B4687), SpecCounters(predicted=64, decodes=65, prompt_ms=500.0)),
        ('"' + OF_2024, SpecCounters(predicted=64)),
        ("# No active runners\n", SpecCounters()),
        ("", SpecCounters()),
    ],
    ids=["2024", "b4687", "model-runner", "no prefix", "renamed", "b7100 in quotes", "stray quote", "comment", "empty"],
)
def test_what_a_build_does_not_tell_is_unknown(text: str, expected: SpecCounters) -> None:
    """Names, prefixes and labels differ; missing is not 0."""
    assert read_counters(text) == expected


@pytest.mark.parametrize("value", ["-1", "1.5", "NaN", "0x1"])
def test_a_count_is_whole_and_not_negative(value: str) -> None:
    """Anything else was not counted."""
    assert read_counters(f"llamacpp:n_decode_total {value}\nllamacpp:tokens_predicted_total 1\n") == SpecCounters(
        predicted=1
    )


def test_two_models_under_one_name_are_not_mixed() -> None:
    """A proxy tells of several models; which one is meant, it does not say."""
    assert read_counters('n_decode_total{model="a"} 1\nn_decode_total{model="b"} 2\n') == SpecCounters()


@pytest.mark.parametrize(
    ("positions", "expected"),
    [
        (["1", "0", "2"], (11, 10, 12)),
        (["0", "2"], None),
        (["1", "2"], None),
        (["0", "0"], None),
        (["0", "x"], None),
        (["0", ""], None),
        (["0", "1", "1"], None),
        (["0", "99999999999"], None),
    ],
)
def test_positions_are_ordered_by_their_label_and_a_hole_hides_all(
    positions: list[str], expected: tuple[int, ...] | None
) -> None:
    """A position that is missing, told twice or nameless leaves no usable row."""
    name = "llamacpp:spec_decode_num_accepted_tokens_per_pos_total"
    text = "".join(f'{name}{{position="{position}"}} {10 + i}\n' for i, position in enumerate(positions))
    assert read_counters(text).per_position == expected


ZERO = SpecCounters(0, 0, 0, None, 0, 0, 0.0)


NAMES = st.sampled_from(
    ["llamacpp:n_decode_total", "n_decode_total", "llamacpp:spec_decode_num_accepted_tokens_per_pos_total", "x"]
)
LABELS = st.one_of(st.just(""), st.builds(lambda v: f'{{position="{v}"}}', st.text(max_size=5)))
LINES = st.builds(
    lambda name, labels, value: f"{name}{labels} {value}", NAMES, LABELS, st.one_of(st.floats(), st.text(max_size=8))
)
TEXTS = st.lists(st.one_of(LINES, st.text(max_size=30)), max_size=10).map("\n".join)


@given(TEXTS)
def test_no_text_breaks_the_reader(text: str) -> None:
    """Only finite numbers and whole counts come out."""
    assert all(isfinite(s.value) for samples in parse_metrics(text).values() for s in samples)
    read = read_counters(text)
    assert all(count >= 0 for count in (read.per_position or ()))
    assert all(count is None or count >= 0 for count in (read.drafts, read.decodes, read.accepted))


@given(st.permutations(range(12)))
def test_the_order_of_lines_does_not_matter(places: list[int]) -> None:
    """Positions are found by their label wherever they stand."""
    name = "llamacpp:spec_decode_num_accepted_tokens_per_pos_total"
    text = "".join(f'{name}{{position="{place}"}} {100 - place}\n' for place in places)
    assert read_counters(text).per_position == tuple(range(100, 88, -1))


def test_a_long_line_is_read_in_no_time() -> None:
    """Nothing grows with the square of a line."""
    for line in ('x{a="' + "\\" * 300_000, "x{" + 'a="b",' * 60_000, "x" + " " * 300_000 + "y", "9" * 300_000):
        assert parse_metrics(line + "\n") == {}
