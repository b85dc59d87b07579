"""An answer is whole, or it is told why not: errors inside a stream, early ends, servers that never stop."""

from __future__ import annotations

import pytest

from specui.engines.llama.stream import ChatStream
from tests.engines.answers import DONE, WHOLE, cut, end_of, event, heard, said, text_of, timings

USAGE = event({"choices": [], "usage": {"completion_tokens": 40, "prompt_tokens": 34}})


ERRORS = [
    (event({"error": {"message": "quota exceeded", "code": 400}}) + DONE, "quota exceeded"),
    (event({"error": {"message": "quota exceeded", "code": 400}, "choices": []}), "quota exceeded"),
    (b'{"error":{"code":400,"message":"no way"}}', "no way"),
    (b'{"error":{"code":400,"message":"no way"}}\n\n', "no way"),
    (b'{\n "error": {\n  "code": 400,\n  "message": "no way"\n }\n}\n', "no way"),
    (b'[{"error":{"message":"no way"}}]\n', "no way"),
    (event({"error_type": "context_length_exceeded", "error_message": "too long"}), "too long"),
    (event({"error": "string"}), "string"),
    (event({"object": "error", "message": "dead"}), "dead"),
    (event({"object": "error"}), '{"object": "error"}'),
    (event({"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}}), "Overloaded"),
    (event({"error": {"code": 500}}), '{"code": 500}'),
    (event({"error": {"message": {"text": "x"}}}), '{"message": {"text": "x"}}'),
    (event({"error": ["a", 1]}), '["a", 1]'),
    (event({"error": True, "message": "boom"}), "boom"),
    (event({"detail": "Not Found"}), "Not Found"),
    (event({"code": 400, "message": "Bad Request"}), "Bad Request"),
    (b'event: error\ndata: {"message":"boom"}\n\n', "boom"),
    (b"event: error\ndata: boom\n\n", "no JSON: 'boom'"),
    (b"<html><head><title>502</title></head>\n<body>Bad <b>Gateway</b></body>\n</html>\n", "Bad Gateway"),
    (b"upstream connect error or disconnect/reset before headers", "upstream connect error"),
    (b'data: {"choices":[{"delta":{"content":"x"}}', "no JSON"),
    (b"data: " + b"[" * 100_000 + b"\n\n", "no JSON"),
    (b"data: " + b"1" * 5000 + b"\n\n", "no JSON"),
    (b"", "without a word"),
    (DONE, "without a word"),
    (b":\n\n:\n\n", "without a word"),
]  # fmt: skip


@pytest.mark.parametrize(("stream", "says"), ERRORS, ids=range(len(ERRORS)))
@pytest.mark.parametrize("before", [b"", said("Some text", timings=timings(1, 0.001))], ids=["first", "later"])
def test_an_error_inside_a_stream_is_a_failed_request(before: bytes, stream: bytes, says: str) -> None:
    """C23: in any shape, as the first word or after some text, the server's own sentence is kept in one line."""
    if before and stream in (b"", DONE, b":\n\n:\n\n"):
        return
    finished = end_of(heard(before, stream))

    assert finished.error is not None
    assert "\n" not in finished.error
    if not before or not stream.startswith((b"<", b"upstream")):
        assert says in finished.error


def test_the_first_error_counts_and_the_caller_knows_better() -> None:
    """A broken connection, told by the client, stands before what the stream says."""
    stream = said("a") + event({"error": "first"}) + event({"error": "second"}) + WHOLE

    assert "first" == end_of(heard(stream)).error
    assert "the connection broke" == end_of(heard(stream, error="the connection broke")).error


def test_an_error_that_names_sizes_shows_both() -> None:
    """C24: however it is worded, and inside a stream too."""
    error = {"message": "the request exceeds the context", "n_prompt_tokens": 3031, "n_ctx": 512}

    said_so = end_of(heard(event({"error": error}))).error

    assert said_so is not None
    assert ("3031" in said_so, "512" in said_so, "slots" in said_so) == (True, True, True)


@pytest.mark.parametrize(
    "ending",
    [
        b"",
        said("."),
        event({"choices": [], "timings": timings(5, 40.0)}),
        b": bye\n\n",
        event({"usage": None}),
        b"\xff\xfe",
    ],
    ids=str,
)
def test_a_stream_that_ends_early_is_interrupted(ending: bytes) -> None:
    """C31: closed in order, but without a finish reason and without [DONE]: n tokens so far, and no result."""
    facts = heard(said("a", timings=timings(1, 0.001)), said("b", timings=timings(4, 30.0)), ending)

    finished = end_of(facts)
    assert finished.error is not None
    assert "before the end" in finished.error
    assert finished.predicted_n in (4, 5)
    assert text_of(facts).startswith("ab")


@pytest.mark.parametrize(
    ("stream", "reason"),
    [
        (said("a") + DONE, None),
        (said("a", finish="") + DONE, None),
        (said("a", finish=7) + DONE, None),
        (said("a") + USAGE, None),
        (said("a", finish="eos"), "eos"),
        (said("a") + said(finish="abort"), "abort"),
        (said("a") + said(finish="tool_calls") + DONE, "tool_calls"),
        (said("a", finish="stop") + said(finish=None) + DONE, "stop"),
        (said("a", finish="a\x1b[31m\nb"), "a\u241b[31m b"),
        (said(finish="stop"), "stop"),
        (event({"choices": [{"delta": {"content": "a"}, "finish_reason": "length"}]}), "length"),
        (event({"choices": [{"text": "a", "finish_reason": "length"}]}), "length"),
    ],
)
def test_a_missing_or_unknown_finish_reason_is_an_end(stream: bytes, reason: str | None) -> None:
    """C32: the answer ends with the stream; what the server said is shown, and nothing is "not reported"."""
    finished = end_of(heard(stream))

    assert (reason, None) == (finished.stop_reason, finished.error)


def test_thinking_that_hits_the_limit_is_no_error() -> None:
    """C33: 4096 thoughts and no answer is what the model did."""
    thought = said(delta={"reasoning_content": "hm ", "content": ""})

    facts = heard(*[thought] * 4096, said("", finish="length"), DONE)

    assert ("", "length", None) == (text_of(facts), end_of(facts).stop_reason, end_of(facts).error)
    assert 4096 * 3 == len(text_of(facts, "thinking"))


@pytest.mark.parametrize(("counted", "expected"), [(True, 8 * 164 + 1), (False, 165)])
def test_an_endless_answer_is_over_at_some_time(counted: bool, expected: int) -> None:
    """C33: a server that never stops is noticed by its chunks, whether it tells no tokens or always the same."""
    stream = ChatStream(1, 3, 100)
    piece = said(delta={"reasoning_content": "hm"}, **({"timings": timings(7, 5.0)} if counted else {}))
    fed = 0
    while not stream.is_over and fed < 5000:
        stream.feed(piece)
        fed += 1

    assert expected == fed


def test_an_answer_up_to_its_limit_is_not_over() -> None:
    """A last draft may reach beyond `max_tokens` a little."""
    stream = ChatStream(1, 3, 100)
    stream.feed(said("x", timings=timings(103, 10.0)))
    assert not stream.is_over
    stream.feed(said("x", timings=timings(10_000, 10.0)))
    assert stream.is_over


def test_what_follows_the_end_mark_is_known_not_to_matter() -> None:
    """The caller need not wait for a server that keeps the connection open."""
    stream = ChatStream(1, 3, 100)
    for piece in cut(said("a") + WHOLE, range(0, 400, 7)):
        assert not stream.is_done
        stream.feed(piece)
    assert stream.is_done
