"""The tokenizer: byte-level BPE, learnt from the text, equal to what llama.cpp makes of the same tables."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from itertools import pairwise
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

SPECIALS = ("<|endoftext|>", "<|im_start|>", "<|im_end|>", "<|mask|>")
PADDING, TURN_BEGINS, TURN_ENDS, MASK = range(len(SPECIALS))

VOCABULARY_TOKENS = 1024

_PIECE = re.compile(r"'s|'t|'re|'ve|'m|'ll|'d| ?[^\W\d_]+| ?\d+| ?(?:[^\s\w]|_)+|\s+(?!\S)|\s+")
"""GPT-2's way to cut a text before it is merged, for the letters and digits that the text holds."""

_SPECIAL = re.compile("(" + "|".join(map(re.escape, SPECIALS)) + ")")

Pair = tuple[str, str]


def byte_letters() -> list[str]:
    """The letter that stands for each byte 0…255 in GPT-2's tables: itself where it prints, else one from 256 on."""
    prints = [*range(ord("!"), ord("~") + 1), *range(ord("¡"), ord("¬") + 1), *range(ord("®"), ord("ÿ") + 1)]
    others = [byte for byte in range(256) if byte not in prints]
    return [chr(byte) if byte in prints else chr(256 + others.index(byte)) for byte in range(256)]


_LETTERS = byte_letters()


class Tokenizer:
    """Turns text into token ids and back, by a list of merges."""

    def __init__(self, merges: Sequence[Pair]) -> None:
        self.merges = tuple(merges)
        self.tokens = [*SPECIALS, *_LETTERS, *(a + b for a, b in merges)]
        self._ids = {token: i for i, token in enumerate(self.tokens)}
        self._ranks = {pair: rank for rank, pair in enumerate(self.merges)}
        self._known: dict[str, tuple[int, ...]] = {}

    def encode(self, text: str) -> list[int]:
        """The ids of a text; the names of the special tokens in it become those tokens."""
        ids: list[int] = []
        for part in _SPECIAL.split(text):
            if part in SPECIALS:
                ids.append(SPECIALS.index(part))
            else:
                for piece in _PIECE.findall(part):
                    ids.extend(self._piece(piece))
        return ids

    def decode(self, ids: Iterable[int]) -> str:
        """The text of the ids; bytes that are no UTF-8 come out as U+FFFD."""
        codes = {letter: byte for byte, letter in enumerate(_LETTERS)}
        raw = b""
        for i in ids:
            token = self.tokens[i]
            raw += token.encode() if i < len(SPECIALS) else bytes(codes[letter] for letter in token)
        return raw.decode(errors="replace")

    def _piece(self, piece: str) -> tuple[int, ...]:
        if piece not in self._known:
            parts = [_LETTERS[byte] for byte in piece.encode()]
            while len(parts) > 1:
                pair = min(pairwise(parts), key=lambda p: self._ranks.get(p, len(self._ranks)))
                if pair not in self._ranks:
                    break
                parts = merged(parts, pair)
            self._known[piece] = tuple(self._ids[part] for part in parts)
        return self._known[piece]


def merged(parts: Sequence[str], pair: Pair) -> list[str]:
    """The parts with each occurrence of the pair, from the left, made one."""
    out: list[str] = []
    at = 0
    while at < len(parts):
        both = at + 1 < len(parts) and (parts[at], parts[at + 1]) == pair
        out.append(parts[at] + parts[at + 1] if both else parts[at])
        at += 2 if both else 1
    return out


def learnt_merges(texts: Iterable[str], count: int = VOCABULARY_TOKENS - len(SPECIALS) - 256) -> list[Pair]:
    """The `count` merges that shorten the texts most, one after the other.

    Digits are never merged: a number is easier to copy and to count with digit by digit.
    """
    pieces = Counter(piece for text in texts for piece in _PIECE.findall(text) if not piece.strip().isdigit())
    words = [([_LETTERS[byte] for byte in piece.encode()], n) for piece, n in sorted(pieces.items())]
    counts: Counter[Pair] = Counter()
    places: defaultdict[Pair, set[int]] = defaultdict(set)
    for i, (parts, n) in enumerate(words):
        _count(parts, n, i, counts, places)
    merges: list[Pair] = []
    while len(merges) < count:
        best = max(counts, key=lambda pair: (counts[pair], pair))
        merges.append(best)
        for i in sorted(places.pop(best)):
            parts, n = words[i]
            _count(parts, -n, i, counts, places)
            words[i] = (merged(parts, best), n)
            _count(words[i][0], n, i, counts, places)
        del counts[best]
    return merges


def _count(parts: Sequence[str], n: int, at: int, counts: Counter[Pair], places: defaultdict[Pair, set[int]]) -> None:
    for pair in pairwise(parts):
        counts[pair] += n
        if n > 0:
            places[pair].add(at)
