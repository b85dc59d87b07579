"""A journal cut anywhere gives every whole line before the cut."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from specui.domain.codec import encode
from specui.domain.events import Event, Marked
from specui.journal.lines import LineReader, write_header
from tests.domain.strategies import events

HEADER = write_header({"format": 1, "id": "x"})


@settings(max_examples=100, deadline=None)
@given(st.lists(events, max_size=8), st.data())
def test_any_cut_into_pieces_reads_the_same(happened: list[Event], data: st.DataObject) -> None:
    """Property 3: how the bytes arrive does not matter."""
    journal = HEADER + b"".join(map(encode, happened))
    cuts = sorted(data.draw(st.lists(st.integers(0, len(journal)), max_size=6)))
    reader, read = LineReader(), []

    for begin, end in zip([0, *cuts], [*cuts, len(journal)], strict=True):
        read += reader.feed(journal[begin:end])

    assert happened == read
    assert {"format": 1, "id": "x"} == reader.header
    assert 0 == reader.damaged


@settings(max_examples=100, deadline=None)
@given(st.lists(events, min_size=1, max_size=6), st.data())
def test_a_journal_cut_at_any_byte_is_a_prefix(happened: list[Event], data: st.DataObject) -> None:
    """Property 4: at least all whole lines, nothing invented."""
    lines = [encode(e) for e in happened]
    journal = HEADER + b"".join(lines)
    cut = data.draw(st.integers(0, len(journal)))

    read = LineReader().feed(journal[:cut])

    whole = journal[:cut].count(b"\n") - 1
    assert happened[: max(0, whole)] == read


def test_a_damaged_line_costs_one_event() -> None:
    """Zeros from a power cut, half a line, another program's line: each is passed over and counted."""
    good = [encode(Event(n, float(n), Marked(str(n)))) for n in (1, 2, 3)]
    journal = HEADER + good[0] + b"\x00" * 40 + b"\n" + good[1] + b'{"seq":9,"t":1\n' + b"hello\n" + good[2]
    reader = LineReader()

    read = reader.feed(journal)

    assert [1, 2, 3] == [e.seq for e in read]
    assert 3 == reader.damaged


def test_a_lost_header_loses_no_event() -> None:
    """Where the first line is damaged, the events behind it still count."""
    reader = LineReader()

    read = reader.feed(b'{"for\n' + encode(Event(1, 0.0, Marked("a"))))

    assert [1] == [e.seq for e in read]
    assert reader.header is None
