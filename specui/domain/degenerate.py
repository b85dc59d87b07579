"""Answers that run in a loop: the fastest thing a drafter can meet, and no measure of anything."""

from __future__ import annotations

SHORTEST_CHARACTERS = 200
LONGEST_UNIT = 120
LEAST_SHARE = 0.5
LEAST_TIMES = 6


def is_degenerate(text: str) -> bool:
    """Whether at least half of the text is one short piece (up to 120 characters) over and over at its end."""
    body = text.rstrip()
    if len(body) < SHORTEST_CHARACTERS:
        return False
    for unit in range(1, LONGEST_UNIT + 1):
        repeated = _repeated_tail(body, unit)
        if repeated >= LEAST_TIMES * unit and repeated >= LEAST_SHARE * len(body):
            return True
    return False


def _repeated_tail(text: str, unit: int) -> int:
    """How many characters at the end repeat what stands `unit` characters before."""
    length = len(text)
    same = 0
    while same + unit < length and text[length - 1 - same] == text[length - 1 - same - unit]:
        same += 1
    return same + unit if same else 0
