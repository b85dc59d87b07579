"""Whether a journal's writer lives: a lock that belongs to an open file and dies with its process.

Open-file-description locks (Linux): unlike `flock`, they can be asked about without being taken, so a reader
never stands in a writer's way.
"""

from __future__ import annotations

import fcntl
import os
import struct
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

_FLOCK = struct.Struct("@hhqqi4x")


def take(descriptor: int) -> bool:
    """Lock an open file for writing until it is closed. False where another process holds it."""
    try:
        fcntl.fcntl(descriptor, fcntl.F_OFD_SETLK, _FLOCK.pack(fcntl.F_WRLCK, os.SEEK_SET, 0, 0, 0))
    except (BlockingIOError, PermissionError):
        return False
    return True


def is_held(path: Path) -> bool:
    """Whether some process holds the lock of this file. False where there is no file."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return False
    try:
        answer = fcntl.fcntl(descriptor, fcntl.F_OFD_GETLK, _FLOCK.pack(fcntl.F_WRLCK, os.SEEK_SET, 0, 0, 0))
    except OSError:
        return False
    finally:
        os.close(descriptor)
    return int(_FLOCK.unpack(answer)[0]) != fcntl.F_UNLCK
