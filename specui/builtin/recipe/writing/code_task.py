"""What a programming task is: how it may be asked for, and the one answer that the toy learns by heart."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

FollowUp = Literal["complexity", "loop", "example", "tests"]


@dataclass(frozen=True, slots=True)
class CodeTask:
    """One task with its answer; `NAME` stands in the answers for the name that the user may choose."""

    ask: str
    """What is wanted, as it follows "Write": "a Python function that ..."."""
    short: str
    """The act alone, as it follows "How do I": "reverse a string"."""
    names: str
    """Names for the function or class, divided by spaces; the first is taken where none is asked for."""
    answer: str
    """The first answer."""
    next_question: FollowUp | None = None
    """What a second question is about; None where there is none."""
    next_answer: str = ""
    """The answer to it; empty where there is no second question."""
