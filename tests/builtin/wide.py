"""The built-in target, and what it is when widened."""

from __future__ import annotations

from specui import builtin
from specui.builtin.widening import widened

SOURCE = builtin.target()
ORIGINAL = SOURCE.read_bytes()
WIDTH, OTHER_WIDTH = 2048, 4096


def expanded(original: bytes, width: int) -> bytes:
    """The whole widened file, in memory."""
    pieces, size = widened(original, SOURCE, width)
    whole = bytearray(size)
    for at, piece in pieces:
        whole[at : at + len(piece)] = piece
    return bytes(whole)
