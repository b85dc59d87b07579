"""The toy widened with zeros: the same numbers, and no other file is taken for a model."""

from __future__ import annotations

import struct
import tracemalloc
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from specui.builtin.keeping import kept
from specui.builtin.widening import Tensor, read_header, widened
from specui.domain.errors import UnreadableFile
from tests.builtin.wide import ORIGINAL, SOURCE, WIDTH, expanded

if TYPE_CHECKING:
    from pathlib import Path

UNUSABLE = "is no GGUF file of a dense model that can be widened"


def text(words: str) -> bytes:
    """A string as GGUF writes it."""
    return struct.pack("<Q", len(words)) + words.encode()


def number(name: str, value: int) -> bytes:
    """A key with a 32-bit number."""
    return text(name) + struct.pack("<II", 4, value)


def listing(name: str, sides: tuple[int, ...], kind: int = 0, offset: int = 0) -> bytes:
    """What stands about a tensor before the data."""
    return text(name) + struct.pack(f"<I{len(sides)}QIQ", len(sides), *sides, kind, offset)


def gguf(keys: list[bytes], tensors: list[bytes], data: bytes = bytes(64), version: int = 3) -> bytes:
    """A small file."""
    head = struct.pack("<4sIQQ", b"GGUF", version, len(tensors), len(keys)) + b"".join(keys + tensors)
    return head + bytes(-len(head) % 32) + data


FFN = number("toy.feed_forward_length", 4)
DOWN = listing("blk.0.ffn_down.weight", (4, 2))
SMALL = gguf([FFN], [DOWN], struct.pack("<8f16x16x", *range(1, 9)))


def rows(raw: bytes, tensor: Tensor) -> list[bytes]:
    """A tensor's rows."""
    begin, length = read_header(raw).data_at + tensor.offset, tensor.row_bytes()
    return [raw[begin + n * length : begin + (n + 1) * length] for n in range(tensor.rows())]


def ensure_unusable(damaged: bytes) -> None:
    """It is refused by one sentence that names the file."""
    with pytest.raises(UnreadableFile) as refused:
        widened(damaged, SOURCE, WIDTH)
    assert f"{SOURCE} {UNUSABLE}" == str(refused.value)


@pytest.mark.parametrize("path", sorted(SOURCE.parent.glob("*.gguf")), ids=lambda path: path.stem)
def test_the_header_of_every_built_in_file_is_read(path: Path) -> None:
    """The tensors fill the data one after the other, each on its boundary, up to the end of the file."""
    raw = path.read_bytes()
    header = read_header(raw)

    assert (header.ffn_width,) == struct.unpack_from("<I", raw, header.ffn_width_at)
    end = 0
    for tensor in sorted(header.tensors, key=lambda t: t.offset):
        assert end == tensor.offset
        assert tensor.sides == struct.unpack_from(f"<{len(tensor.sides)}Q", raw, tensor.listed_at)
        end = -(-(tensor.offset + tensor.row_bytes() * tensor.rows()) // 32) * 32
    assert len(raw) == header.data_at + end


def test_the_widened_file_is_the_narrow_one_and_zeros() -> None:
    """Feed-forward sides grow, every row goes on with zeros, new rows are zero, nothing else changes."""
    raw = expanded(ORIGINAL, WIDTH)
    narrow, wide = read_header(ORIGINAL), read_header(raw)

    assert WIDTH == wide.ffn_width
    assert [t.name for t in narrow.tensors] == [t.name for t in wide.tensors]
    grown = 0
    for before, after in zip(narrow.tensors, wide.tensors, strict=True):
        is_ffn = before.name.endswith(("ffn_gate.weight", "ffn_up.weight", "ffn_down.weight"))
        assert (is_ffn, before.kind) == (before.sides != after.sides, after.kind)
        assert tuple(WIDTH if is_ffn and s == narrow.ffn_width else s for s in before.sides) == after.sides
        padded = [row.ljust(after.row_bytes(), b"\0") for row in rows(ORIGINAL, before)]
        padded += [bytes(after.row_bytes())] * (after.rows() - len(padded))
        assert padded == rows(raw, after), before.name
        grown += is_ffn
    assert 3 * sum(t.name.endswith("ffn_up.weight") for t in wide.tensors) == grown > 0


def test_only_sides_offsets_and_width_of_the_header_change() -> None:
    """With those put back, the header is the source's."""
    head = bytearray(expanded(ORIGINAL, WIDTH)[: read_header(ORIGINAL).data_at])
    header = read_header(ORIGINAL)
    struct.pack_into("<I", head, header.ffn_width_at, header.ffn_width)
    for tensor in header.tensors:
        struct.pack_into(f"<{len(tensor.sides)}Q", head, tensor.listed_at, *tensor.sides)
        struct.pack_into("<Q", head, tensor.listed_at + 8 * len(tensor.sides) + 4, tensor.offset)

    assert ORIGINAL[: header.data_at] == bytes(head)


def test_a_small_file_by_hand() -> None:
    """Two rows of four become two rows of six."""
    wide = expanded(SMALL, 6)

    assert [(6, 2)] == [t.sides for t in read_header(wide).tensors]
    data_at = read_header(wide).data_at
    assert (1, 2, 3, 4, 0, 0, 5, 6, 7, 8, 0, 0) == struct.unpack_from("<12f", wide, data_at)
    assert data_at + 64 == len(wide)


def test_the_same_width_changes_nothing(tmp_path: Path) -> None:
    """Byte by byte, and the source is not touched."""
    assert ORIGINAL == kept(SOURCE, tmp_path, read_header(ORIGINAL).ffn_width).read_bytes()
    assert ORIGINAL == SOURCE.read_bytes()


def test_a_smaller_width_is_refused() -> None:
    """That would throw weights away."""
    width = read_header(ORIGINAL).ffn_width
    with pytest.raises(ValueError, match=f"^{width - 1} is narrower than the {width} of "):
        widened(ORIGINAL, SOURCE, width - 1)


@pytest.mark.parametrize("cut", [0, 3, 4, 8, 23, 24, 60, 500, 20_000, 0.02, 0.3, 0.7, 0.99, -64])
def test_a_source_that_is_cut_off(cut: float) -> None:
    """Within the magic, a key, a token, the list of tensors or the data."""
    ensure_unusable(ORIGINAL[: int(cut * len(ORIGINAL)) if isinstance(cut, float) else int(cut)])


NESTED = struct.pack("<IQ", 9, 1) * 5000
HOSTILE = {
    "empty": b"",
    "wrong magic": b"GGML" + ORIGINAL[4:],
    "version 2": gguf([FFN], [DOWN], version=2),
    "other byte order": gguf([FFN], [DOWN], version=3 << 24),
    "no width": gguf([number("toy.block_count", 1)], [DOWN]),
    "only experts' width": gguf([number("toy.expert.feed_forward_length", 4)], [DOWN]),
    "a width that is text": gguf([text("toy.feed_forward_length") + struct.pack("<I", 8) + text("4")], [DOWN]),
    "no layer of that width": gguf([number("toy.feed_forward_length", 9)], [DOWN]),
    "no tensors": gguf([FFN], []),
    "experts": gguf([FFN], [listing("blk.0.ffn_down_exps.weight", (4, 2, 2))]),
    "quantised": gguf([FFN], [listing("blk.0.ffn_down.weight", (4, 2), kind=8)]),
    "unknown kind of value": gguf([text("x") + struct.pack("<I", 99), FFN], [DOWN]),
    "name that is no text": gguf([struct.pack("<Q", 2) + b"\xff\xfe" + struct.pack("<II", 4, 1), FFN], [DOWN]),
    "endless name": gguf([struct.pack("<Q", 2**64 - 1), FFN], [DOWN]),
    "endless list": gguf([text("x") + struct.pack("<IIQ", 9, 10, 2**64 - 1), FFN], [DOWN]),
    "endless list of texts": gguf([text("x") + struct.pack("<IIQ", 9, 8, 2**64 - 1), FFN], [DOWN]),
    "lists in lists": gguf([text("x") + struct.pack("<I", 9) + NESTED, FFN], [DOWN]),
    "endless keys": struct.pack("<4sIQQ", b"GGUF", 3, 1, 2**64 - 1) + FFN,
    "endless tensors": struct.pack("<4sIQQ", b"GGUF", 3, 2**64 - 1, 1) + FFN + DOWN + bytes(99),
    "no sides": gguf([FFN], [DOWN, listing("x", ())]),
    "endless sides": gguf([FFN], [text("x") + struct.pack("<I", 2**32 - 1)]),
    "a thousand sides": gguf([FFN], [DOWN, listing("x", (2**63,) * 1000)]),
    "endless rows": gguf([FFN], [listing("blk.0.ffn_down.weight", (4, 2**62))]),
    "endless rows of nothing": gguf([number("a.feed_forward_length", 0)], [listing("a.ffn_down.weight", (0, 2**62))]),
    "far away": gguf([FFN], [listing("blk.0.ffn_down.weight", (4, 2), offset=2**64 - 1)]),
    "the same bytes again and again": gguf([FFN], [listing("a", (250_000,))] * 5000 + [DOWN], bytes(1_000_000)),
}


@pytest.mark.parametrize("damaged", HOSTILE.values(), ids=HOSTILE.keys())
def test_a_source_that_is_no_dense_model(damaged: bytes) -> None:
    """It is refused at once, and with little memory."""
    tracemalloc.start()
    try:
        ensure_unusable(damaged)
        assert tracemalloc.get_traced_memory()[1] < 8_000_000
    finally:
        tracemalloc.stop()


@given(st.binary(max_size=300))
def test_any_bytes(junk: bytes) -> None:
    """Alone, or behind a good beginning."""
    ensure_unusable(junk)
    ensure_unusable(SMALL[:24] + junk[:40])


@given(st.dictionaries(st.integers(0, len(SMALL) - 65), st.integers(0, 255), min_size=1))
def test_any_damage_to_a_header(damage: dict[int, int]) -> None:
    """What still reads as a model becomes a file with all of its data; the rest is refused."""
    raw = bytearray(SMALL)
    for at, value in damage.items():
        raw[at] = value
    refused, size, places = outcome(bytes(raw))

    assert refused in ("", f"{SOURCE} {UNUSABLE}") or " is narrower than the " in refused
    assert sum(length for _, length in places) <= len(SMALL)
    assert [] == [at for at, length in places if at + length > size]


def outcome(raw: bytes) -> tuple[str, int, list[tuple[int, int]]]:
    """Why it is not widened, or else the new size and where the parts go."""
    try:
        pieces, size = widened(raw, SOURCE, 2**31)
    except (UnreadableFile, ValueError) as error:
        return str(error), 0, []
    return "", size, [(at, len(piece)) for at, piece in pieces]


def test_a_source_that_is_not_there(tmp_path: Path) -> None:
    """The sentence names it."""
    with pytest.raises(UnreadableFile, match=r"none\.gguf cannot be read: No such file or directory$"):
        kept(tmp_path / "none.gguf", tmp_path, WIDTH)
    assert [] == list(tmp_path.iterdir())
