"""A terminal of our own with the real command in it: what it shows, which bytes came, and how it was left."""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import re
import select
import signal
import struct
import subprocess
import sys
import termios
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import pyte

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

SHELL = Path(__file__).resolve().parent.parent / "programs" / "shell.py"
SPECUI = (sys.executable, "-P", "-m", "specui")
DEADLINE_S = 20.0
"""Far beyond what anything here takes: where it passes, something hangs."""
LOOK_S = 0.02

ENTERED = b"\x1b[?1049h"
LEFT = b"\x1b[?1049l"
RESTORING = (b"\x1b[?1000l", b"\x1b[?1003l", b"\x1b[?1006l", b"\x1b[?2004l", b"\x1b[<u", LEFT, b"\x1b[?25h")
"""What must have been sent when the screens are left: mouse, paste and keyboard modes, the other screen, the cursor."""

COUNT = re.compile(r"^─ \S+  (\d+) tok", re.MULTILINE)

Found = TypeVar("Found")
Json = dict[str, Any]  # Any: values of JSON


class Terminal:
    """A pseudo-terminal of some size, a small shell on it, and one command in the foreground."""

    def __init__(
        self,
        words: Sequence[str],
        env: Mapping[str, str],
        cwd: Path,
        *,
        size: tuple[int, int] = (80, 24),
        stdin: int | None = None,
        stdout: int | None = None,
        stderr: int | None = None,
    ) -> None:
        """Start the command; a standard file that is given is used in the terminal's place. A size of 0 is unknown."""
        self.raw = bytearray()
        self._master, inside = os.openpty()
        self._picture = pyte.Screen(size[0] or 80, size[1] or 24)
        self._stream = pyte.ByteStream(self._picture)
        self._set_size(*size)
        self._told = b""
        self._report, told = os.pipe()
        orders, self._orders = os.pipe()
        files = [inside if file is None else file for file in (stdin, stdout, stderr)]
        self._shell = subprocess.Popen(
            [sys.executable, "-S", "-E", str(SHELL), *map(str, (inside, told, orders)), *words],
            stdin=files[0], stdout=files[1], stderr=files[2], env=dict(env), cwd=cwd,
            pass_fds=(inside, told, orders), start_new_session=True,
        )  # fmt: skip
        for descriptor in (inside, told, orders):
            os.close(descriptor)

    # What it is told

    @property
    def pid(self) -> int:
        """The command's process number."""
        return int(self.until(self._reports, "the command has started")[0]["pid"])

    def press(self, keys: str) -> None:
        """Type."""
        os.write(self._master, keys.encode())

    def resize(self, width: int, height: int) -> None:
        """As when a window is dragged."""
        self._picture.resize(height, width)
        self._set_size(width, height)

    def signal(self, number: signal.Signals) -> None:
        """Send the command a signal."""
        os.kill(self.pid, number)

    def bring_back(self) -> None:
        """What `fg` does, on a screen where something else stood meanwhile."""
        self._picture.reset()
        os.write(self._orders, b"\n")

    def close(self) -> None:
        """Close the window."""
        if self._master >= 0:
            os.close(self._master)
            self._master = -1

    # What it tells

    @property
    def rows(self) -> list[str]:
        """The picture, row by row."""
        return [row.rstrip() for row in self._picture.display]

    @property
    def text(self) -> str:
        """The picture, without the space at the ends of its rows."""
        return "\n".join(self.rows)

    def answer_tokens(self) -> int:
        """The count of tokens above the answer, -1 where there is none."""
        found = COUNT.search(self.text)
        return int(found[1]) if found else -1

    def until(self, look: Callable[[], Found], what: str, within_s: float = DEADLINE_S, *, reads: bool = True) -> Found:
        """What `look` gives as soon as it is true, while the terminal reads, or does not; fails at the deadline."""
        deadline = time.monotonic() + within_s
        while not (found := look()):
            if time.monotonic() > deadline:
                raise AssertionError(f"not so within {within_s:g} s: {what}\n{self.text}\n{bytes(self.raw[-400:])!r}")
            self._read(LOOK_S) if reads and self._master >= 0 else select.select([], [], [], LOOK_S)
        return found

    def shows(self, words: str, within_s: float = DEADLINE_S) -> None:
        """Wait until some words stand on the screen."""
        self.until(lambda: words in self.text, f"the screen shows {words!r}", within_s)

    def hides(self, words: str) -> None:
        """Wait until some words stand there no longer."""
        self.until(lambda: words not in self.text, f"the screen shows {words!r} no longer")

    def wait(self, seconds: float, *, reads: bool = True) -> None:
        """Let some time pass; the command must not end in it."""
        end = time.monotonic() + seconds
        self.until(lambda: time.monotonic() >= end, "the time passes", seconds + 1, reads=reads)
        assert self.is_running, self.text

    def stalls(self) -> None:
        """Read nothing until the command has written nothing more for a second."""
        written, since = -1, time.monotonic()

        def is_full() -> bool:
            nonlocal written, since
            now = int(Path(f"/proc/{self.pid}/io").read_text().split("wchar: ")[1].split()[0])
            if now != written:
                written, since = now, time.monotonic()
            return time.monotonic() > since + 1

        self.until(is_full, "the terminal takes nothing more", reads=False)

    def suspended(self) -> None:
        """Wait until the command is stopped, and read what is left."""
        self.until(lambda: self._last(is_stopped=True), "the command is stopped")
        self.until(lambda: not self._read(LOOK_S), "all is read")

    def ended(self, within_s: float = DEADLINE_S, *, reads: bool = True) -> int:
        """Wait for the command's end and read what is left; gives its exit code, the signal's number negative."""
        self.until(lambda: not self.is_running, "the command has ended", within_s, reads=reads)
        if self._master >= 0:
            self.until(lambda: not self._read(LOOK_S), "all is read")
        return int(self._reports()[-1]["code"])

    @property
    def is_running(self) -> bool:
        """Whether the command has not ended."""
        return self._last(is_stopped=False) is None

    @property
    def has_settings_back(self) -> bool:
        """Whether a stopped or ended command left the terminal's settings as they were."""
        return bool(self._reports()[-1]["restored"])

    @property
    def not_undone(self) -> list[bytes]:
        """What a command that drew screens should have sent when it left them, and has not."""
        after = self.raw[self.raw.rindex(ENTERED) :]
        return [sequence for sequence in RESTORING if sequence not in after]

    @property
    def within(self) -> bytes:
        """What came between entering the screens first and leaving them last."""
        return bytes(self.raw[self.raw.index(ENTERED) : self.raw.rindex(LEFT)])

    def end(self) -> None:
        """Leave nothing behind."""
        reports = self._reports()
        if reports and self._last(is_stopped=False) is None:
            with contextlib.suppress(OSError):
                os.kill(reports[0]["pid"], signal.SIGKILL)
        self.close()
        self._shell.kill()
        self._shell.wait()
        os.close(self._report)
        os.close(self._orders)

    def _last(self, *, is_stopped: bool) -> Json | None:
        """The shell's latest word, if it is of a stop, or of the end."""
        last = self._reports()[-1:]
        return last[0] if last and last[0].get("stopped") is is_stopped else None

    def _reports(self) -> list[Json]:
        while select.select([self._report], [], [], 0)[0] and (piece := os.read(self._report, 4096)):
            self._told += piece
        return [json.loads(line) for line in self._told.splitlines()]

    def _read(self, wait_s: float) -> bool:
        """Take what has come; whether there was anything."""
        if not select.select([self._master], [], [], wait_s)[0]:
            return False
        try:
            piece = os.read(self._master, 1 << 16)
        except OSError:  # nobody is on the other side any more
            select.select([], [], [], wait_s)
            return False
        self.raw += piece
        self._stream.feed(piece)
        return bool(piece)

    def _set_size(self, width: int, height: int) -> None:
        fcntl.ioctl(self._master, termios.TIOCSWINSZ, struct.pack("HHHH", height, width, 0, 0))
