"""The two ways out: results to standard output, everything else to standard error; both harmless to a terminal."""

from __future__ import annotations

import os
import sys

from specui.domain.errors import SpecuiError
from specui.domain.text import visible


def open_standard_files() -> None:
    """Put nowhere in the place of a standard file that was closed: else the next file would be taken for it."""
    for descriptor in (0, 1, 2):
        try:
            os.fstat(descriptor)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # the kernel gives the lowest number that is free: this one
    sys.stdout = sys.stdout or open(1, "w", closefd=False)  # noqa: SIM115 (a descriptor, for good)
    sys.stderr = sys.stderr or open(2, "w", closefd=False)  # noqa: SIM115 (as above)


def say(text: str) -> None:
    """A result. Raises SpecuiError where it cannot be written, such as into a file on a full disk."""
    try:
        sys.stdout.write(visible(text) + "\n")
        sys.stdout.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # what waits in the buffer must not be tried once more
        raise SpecuiError(f"the result cannot be written to standard output: {error.strerror}") from error


def note(text: str) -> None:
    """Anything that is no result. A closed standard error is no reason to fail."""
    try:
        sys.stderr.write(visible(text) + "\n")
        sys.stderr.flush()
    except (OSError, ValueError):
        return
