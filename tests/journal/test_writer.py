"""One writer, whole lines, and a lock that dies with its process."""

from __future__ import annotations

import asyncio
import os
import resource
import signal
import stat
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from specui.domain.errors import JournalError
from specui.domain.events import Event, Marked
from specui.journal import lock
from specui.journal.lines import LineReader
from specui.journal.tail import Tail
from specui.journal.writer import JournalWriter

if TYPE_CHECKING:
    from pathlib import Path

HOLDER = """
import sys
from pathlib import Path
from specui.journal.writer import JournalWriter
writer = JournalWriter(Path(sys.argv[1]), {"format": 1})
print("held", flush=True)
sys.stdin.read()
"""


def test_what_is_appended_can_be_read(tmp_path: Path) -> None:
    """The header first, then each event, in a file that only its owner reads."""
    path = tmp_path / "journal.jsonl"
    with JournalWriter(path, {"format": 1, "id": "x"}) as writer:
        writer.append(Event(1, 0.0, Marked("a")))
        writer.append(Event(2, 0.5, Marked("b")))

    reader = LineReader()
    events = reader.feed(path.read_bytes())

    assert [Marked("a"), Marked("b")] == [e.fact for e in events]
    assert {"format": 1, "id": "x"} == reader.header
    assert 0o600 == stat.S_IMODE(path.stat().st_mode)


def test_a_second_writer_is_refused_in_words(tmp_path: Path) -> None:
    """Two processes never write one journal."""
    path = tmp_path / "journal.jsonl"
    with JournalWriter(path, {"format": 1}), pytest.raises(JournalError, match="written by another process"):
        JournalWriter(path, {"format": 1})


def test_half_a_line_is_ended_before_the_next(tmp_path: Path) -> None:
    """A journal whose last line a crash cut goes on without harming the next event."""
    path = tmp_path / "journal.jsonl"
    path.write_bytes(b'{"format":1}\n{"seq":1,"t":0.0,"kind":"mar')
    with JournalWriter(path, {"format": 1}) as writer:
        writer.append(Event(2, 1.0, Marked("b")))

    reader = LineReader()

    assert [2] == [e.seq for e in reader.feed(path.read_bytes())]
    assert 1 == reader.damaged


def test_the_lock_dies_with_its_process(tmp_path: Path) -> None:
    """Asking never takes the lock; killing the holder frees it at once."""
    path = tmp_path / "journal.jsonl"
    with subprocess.Popen(
        [sys.executable, "-c", HOLDER, path], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as holder:
        assert holder.stdout is not None
        assert b"held\n" == holder.stdout.readline()

        assert [True] * 50 == [lock.is_held(path) for _ in range(50)]
        os.kill(holder.pid, signal.SIGKILL)
        holder.wait()

        assert not lock.is_held(path)


def test_asking_never_stops_a_writer(tmp_path: Path) -> None:
    """A reader that asks all the time does not keep a writer from its lock."""
    path = tmp_path / "journal.jsonl"
    path.touch()
    for _ in range(200):
        lock.is_held(path)
        with JournalWriter(path, {"format": 1}):
            assert lock.is_held(path)


def test_a_full_disk_stops_loudly_and_keeps_what_is_there(tmp_path: Path) -> None:
    """Where no more can be written, the error names the journal, and every whole line stays readable."""
    path = tmp_path / "journal.jsonl"
    program = (
        "import resource, signal, sys\n"
        "from pathlib import Path\n"
        "from specui.domain.errors import JournalError\n"
        "from specui.domain.events import Event, Marked\n"
        "from specui.journal.writer import JournalWriter\n"
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (2000, 2000))\n"
        "writer = JournalWriter(Path(sys.argv[1]), {'format': 1})\n"
        "try:\n"
        "    for n in range(1, 1000):\n"
        "        writer.append(Event(n, 0.0, Marked('x' * 50)))\n"
        "except JournalError as error:\n"
        "    print(n, error)\n"
    )

    said = subprocess.run([sys.executable, "-c", program, path], capture_output=True, text=True, check=True).stdout

    number, _, sentence = said.partition(" ")
    assert str(path) in sentence
    events = LineReader().feed(path.read_bytes())
    assert int(number) - 1 == len(events)
    assert resource.getrlimit(resource.RLIMIT_FSIZE)[0] != 2000


def test_a_tail_gives_everything_and_ends_with_the_writer(tmp_path: Path) -> None:
    """Live: events as they come, then the end once the writer is gone."""
    path = tmp_path / "journal.jsonl"

    async def live() -> list[int]:
        seen: list[int] = []
        writer = JournalWriter(path, {"format": 1})
        writer.append(Event(1, 0.0, Marked("a")))
        number = 1
        async for batch in Tail(path, poll_s=0.001).batches():
            seen += [e.seq for e in batch]
            if number < 5:
                number += 1
                writer.append(Event(number, 0.0, Marked("b")))
            else:
                writer.close()
        return seen

    assert [1, 2, 3, 4, 5] == asyncio.run(live())


def test_a_tail_after_a_place_repeats_nothing(tmp_path: Path) -> None:
    """A watcher that comes back asks for what it has not seen."""
    path = tmp_path / "journal.jsonl"
    with JournalWriter(path, {"format": 1}) as writer:
        for n in range(1, 6):
            writer.append(Event(n, 0.0, Marked("a")))

    async def rest() -> list[int]:
        return [e.seq async for batch in Tail(path, after=3).batches() for e in batch]

    assert [4, 5] == asyncio.run(rest())
