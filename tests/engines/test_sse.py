"""Events come out whole, wherever the network cuts, and whatever else stands between them."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from specui.domain.errors import RequestFailed
from specui.engines.llama import sse
from specui.engines.llama.sse import SseReader
from tests.engines.answers import cut


def read(*pieces: bytes) -> list[str]:
    """The data of every event of a stream."""
    reader = SseReader()
    return [data for piece in pieces for data in reader.feed(piece)] + reader.end()


NOTHING = [
    b":\n\n", b":\n", b": keepalive\n\n", b": OPENROUTER PROCESSING\n\n", b"data:\n\n", b"data: \n\n", b"data\n\n",
    b"event: ping\n\n", b"event: ping\ndata: {}\n\n", b"event: ping\ndata: ping\n\n", b"event:keepalive\ndata: 1\n\n",
    b"id: 7\n\n", b"retry: 3000\n\n", b"id\nretry\n", b"\n\n\n", b"event: message\n\n",
]  # fmt: skip


@pytest.mark.parametrize("nothing", NOTHING)
def test_signs_of_life_are_no_events(nothing: bytes) -> None:
    """C21: comments, pings, ids, retries and empty data say nothing, before, between and after events."""
    stream = nothing + b'data: {"a":1}\n\n' + nothing + nothing + b"data: [DONE]\n\n" + nothing

    reader = SseReader()

    assert ['{"a":1}', "[DONE]"] == reader.feed(stream) + reader.end()
    assert [] == reader.stray


@pytest.mark.parametrize("end", [b"\n", b"\r\n", b"\r"])
@pytest.mark.parametrize("before", [b"", b"\xef\xbb\xbf", b"\xef\xbb\xbf:\n"])
@pytest.mark.parametrize("name", [b"data: ", b"data:", b"id: 1\ndata: ", b"event: message\ndata:"])
def test_every_spelling_of_an_event_is_read(end: bytes, before: bytes, name: bytes) -> None:
    """C21: three line ends, a byte-order mark, with or without the blank, named or not."""
    stream = before + (name + b'{"a":1}\n\n' + name + b'{"a":2}\n\n').replace(b"\n", end)

    assert ['{"a":1}', '{"a":2}'] == read(stream)
    assert ['{"a":1}', '{"a":2}'] == read(*(bytes([byte]) for byte in stream))


def test_data_of_several_lines_is_one_event() -> None:
    """Lines of data are joined by line feeds; only the first blank after the colon belongs to the protocol."""
    assert ["a\n b\n"] == read(b"data: a\ndata:  b\ndata\n\n")


def test_a_last_event_needs_no_end() -> None:
    """A server that closes right behind its last word is understood."""
    assert ["a", "[DONE]"] == read(b"data: a\n\ndata: [DONE]")
    assert ["a"] == read(b"data: a\n")


def test_a_byte_order_mark_counts_at_the_beginning_only() -> None:
    """Later it is text; half of one is no mark."""
    assert ["\ufeffa"] == read(b"data: \xef\xbb\xbfa\n\n")
    assert [] == read(b"\xef\xbb")


@pytest.mark.parametrize(
    "pieces",
    [
        (b'data: {"t":"\xf0', b"\x9f\x98\x80", b'"}\n\n'),
        (b'data: {"t":"\xf0\x9f', b'\x98\x80"}\n\n'),
        (b'data: {"t":"\xf0\x9f\x98', b'\x80"}\n\n'),
        (b'data: {"t":"\xf0\x9f\x98\x80"}\r', b"\n\r", b"\n"),
        (b'data: {"t":"\xf0\x9f\x98\x80"}\r', b"", b"\n\r", b"", b"\n"),
        (b"da", b'ta: {"t":"\xf0\x9f\x98\x80"}', b"\n", b"\n"),
    ],
)
def test_a_cut_inside_a_character_or_a_line_end_does_no_harm(pieces: tuple[bytes, ...]) -> None:
    """C29: an emoji cut after each byte, a line end cut in the middle, an empty piece."""
    assert ['{"t":"😀"}'] == read(*pieces)


def test_bytes_that_are_no_text_are_shown_as_such() -> None:
    """A broken byte becomes U+FFFD and spoils nothing else."""
    assert ['{"t":"\ufffd"}', "b"] == read(b'data: {"t":"\xff"}\n\ndata: b\n\n')


stream_bytes = st.lists(
    st.sampled_from(
        [b"data:", b"data: ", b"{}", b"[DONE]", b"\r", b"\n", b"\r\n", b":", b"event: ping", b"<html>", b"\xef\xbb\xbf"]
    )
    | st.binary(max_size=4),
    max_size=30,
).map(b"".join)


@settings(deadline=None)
@given(stream_bytes, st.lists(st.integers(0, 150), max_size=8))
def test_any_cut_reads_the_same_events(stream: bytes, places: list[int]) -> None:
    """Property 3: events, and the lines that belong to none, do not depend on the pieces."""
    whole, pieced = SseReader(), SseReader()

    expected = whole.feed(stream) + whole.end()

    assert expected == [data for piece in cut(stream, places) for data in pieced.feed(piece)] + pieced.end()
    assert whole.stray == pieced.stray


@pytest.mark.parametrize(
    ("stream", "expected"),
    [
        (b'{"error":{"code":400}}\n', ['{"error":{"code":400}}']),
        (b'{\n  "error": {\n    "code": 400\n  }\n}\n', ["{", '  "error": {', '    "code": 400', "  }", "}"]),
        (b"<html>\n<body>Bad Gateway\n</body>\n", ["<html>", "<body>Bad Gateway", "</body>"]),
        (b"upstream connect error\n\n", ["upstream connect error"]),
        (b"Internal Server Error", ["Internal Server Error"]),
    ],
)
def test_lines_that_belong_to_no_event_are_kept(stream: bytes, expected: list[str]) -> None:
    """C23: a bare error, on one line or several, a proxy's page, a sentence."""
    reader = SseReader()

    assert [] == reader.feed(stream) + reader.end()
    assert expected == reader.stray


@pytest.mark.parametrize(
    "piece", [b"x" * 2000, b"data: " + b"x" * 2000, b"data:\n" * 400, b":" + b"x" * 2000], ids=lambda p: str(p[:8])
)
def test_an_event_without_end_is_refused(piece: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    """C33: memory is bounded, whether the server goes on with one line or with ever more of them."""
    monkeypatch.setattr(sse, "LONGEST_EVENT_BYTES", 10_000)

    with pytest.raises(RequestFailed, match="is this a llama-server"):
        read(*[piece] * 10)


def test_stray_lines_are_kept_up_to_a_bound() -> None:
    """A page of any length costs no more than its first part."""
    reader = SseReader()
    for _ in range(200):
        reader.feed(b"x" * 1000 + b"\n")
    reader.feed(b"y" * 10_000_000 + b"\n")

    assert 66 == len(reader.stray)
    assert sum(map(len, reader.stray)) < 70_000


def test_a_long_event_in_small_pieces_takes_no_square_time() -> None:
    """One event of 8 MiB in pieces of 1 KiB: each is looked at once."""
    reader = SseReader()
    reader.feed(b"data: ")
    for _ in range(8192):
        assert [] == reader.feed(b"x" * 1024)

    (data,) = reader.feed(b"\n\n")

    assert 8 << 20 == len(data)
