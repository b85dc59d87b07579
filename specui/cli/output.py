"""The two ways out: results to standard output, everything else to standard error; both harmless to a terminal."""

from __future__ import annotations

import sys

from specui.domain.text import visible


def say(text: str) -> None:
    """A result."""
    sys.stdout.write(visible(text) + "\n")
    sys.stdout.flush()


def note(text: str) -> None:
    """Anything that is no result. A closed standard error is no reason to fail."""
    try:
        sys.stderr.write(visible(text) + "\n")
        sys.stderr.flush()
    except (OSError, ValueError):
        return
