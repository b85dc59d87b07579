"""How an engine's process ended, in one sentence: the program, the signal or code, and its most telling words."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from specui.domain.text import one_line
from specui.engines.llama.capabilities import signal_sentence
from specui.engines.llama.logs import failure_reason, read_line

if TYPE_CHECKING:
    from specui.domain.plan import Case
    from specui.engines.llama.process import Exit
    from specui.engines.llama.words import Words

_STAMP = re.compile(r"\s*(?:\[[0-9]+\]\s+)?[0-9]+(?:\.[0-9]+){3}\s+[IWEDT]\s+")
"""What a line of llama.cpp's log begins with: time and weight."""


def death(case: Case, ended: Exit, words: Words, when: str = "") -> str:
    """The sentence, with `when` it was: `/opt/llama-server ended with exit code 1 while loading: …`.

    A shell that did not make room for the program tells a signal as 128 + its number: that counts as one.
    """
    program = case.engine.command[0] if case.engine.kind == "binary" else "the embedded engine"
    last = last_words(words)
    how = how_it_ended(ended)
    if how.startswith("killed"):
        return f"{program} was {how}; " + (f"its last words: {last}" if last else "it said nothing")
    return f"{program} {how}{when}: {last or 'it said nothing'}"


def how_it_ended(ended: Exit) -> str:
    """`killed by SIGILL (illegal instruction): …`, or `ended with exit code 1`."""
    return signal_sentence(-ended.signal if ended.signal is not None else ended.code or 0)


def last_words(words: Words) -> str | None:
    """The most telling of the last lines, or the last one that is no routine; None where there is none.

    Reads on to the end.
    """
    words.all_new_lines()
    lines = list(words.last)
    told = failure_reason(lines)
    if told is not None or not lines:
        return told
    last = next((line for line in reversed(lines) if read_line(line) is None), lines[-1])
    return one_line(" ".join(_STAMP.sub("", last).split()), 200)
