"""The widened toy on a disk: it is whole, or it is not there."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from specui.builtin.keeping import kept
from specui.domain.errors import NotKept
from tests.builtin.wide import ORIGINAL, OTHER_WIDTH, SOURCE, WIDTH, expanded

STATVFS = (
    "f_bsize",
    "f_frsize",
    "f_blocks",
    "f_bfree",
    "f_bavail",
    "f_files",
    "f_ffree",
    "f_favail",
    "f_flag",
    "f_namemax",
)

KEEP = """
import os, resource, signal, sys
from pathlib import Path
from specui import builtin
from specui.builtin import keeping
from specui.domain.errors import NotKept
folder, width = Path(sys.argv[1]), int(sys.argv[2])
source = builtin.target()
{}
"""
"""A program that keeps the toy in a folder at a width; what it does comes where the braces are."""


def program(does: str, folder: Path, width: int, *words: object) -> subprocess.Popen[str]:
    """Such a program, begun."""
    command = [sys.executable, "-P", "-c", KEEP.format(does), str(folder), str(width), *map(str, words)]
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def names(folder: Path) -> list[str]:
    """What a folder holds."""
    return sorted(path.name for path in folder.iterdir())


def test_padding_that_is_not_zero_is_noticed(tmp_path: Path) -> None:
    """What lies between the weights is multiplied, too: a file with anything in it is made anew."""
    path = kept(SOURCE, tmp_path, WIDTH)
    whole = path.read_bytes()
    zeros = whole.index(bytes(1 << 16))
    with path.open("r+b") as file:
        file.seek(zeros + (1 << 15))
        file.write(b"\x01")

    assert whole == kept(SOURCE, tmp_path, WIDTH).read_bytes()


def test_no_room_for_the_whole_is_told_beforehand(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its holes would take memory where the folder lives in memory, and kill the engine that reads them."""
    there = os.statvfs(tmp_path)
    full = os.statvfs_result([1 if name == "f_bavail" else getattr(there, name) for name in STATVFS])
    monkeypatch.setattr(os, "statvfs", lambda _: full)

    with pytest.raises(NotKept, match=r"less than the \d+ MB are free that it may take"):
        kept(SOURCE, tmp_path, WIDTH)
    assert [] == names(tmp_path)


def test_what_is_kept_is_used_again(tmp_path: Path) -> None:
    """The second call writes nothing; another width has a file of its own."""
    first = kept(SOURCE, tmp_path, WIDTH)
    before = first.stat()
    assert expanded(ORIGINAL, WIDTH) == first.read_bytes()

    assert first == kept(SOURCE, tmp_path, WIDTH)
    after = first.stat()
    assert (before.st_ino, before.st_mtime_ns) == (after.st_ino, after.st_mtime_ns)
    assert sorted([first.name, kept(SOURCE, tmp_path, OTHER_WIDTH).name]) == names(tmp_path)


def damage(path: Path, how: str) -> None:
    """Spoil a kept file."""
    whole = path.read_bytes()
    half = len(whole) // 2
    spoilt = {
        "empty": b"",
        "cut": whole[:half],
        "one byte short": whole[:-1],
        "grown": whole + b"\0",
        "half zero": whole[:half] + bytes(len(whole) - half),
        "only a hole": bytes(len(whole)),
        "other header": b"\0" + whole[1:],
        "one bit": whole[:32] + bytes([whole[32] ^ 1]) + whole[33:],
        "not padded": ORIGINAL,
    }
    path.write_bytes(spoilt[how])


@pytest.mark.parametrize(
    "how",
    ["empty", "cut", "one byte short", "grown", "half zero", "only a hole", "other header", "one bit", "not padded"],
)
def test_a_kept_file_that_is_damaged_is_made_anew(how: str, tmp_path: Path) -> None:
    """A disk that was full, a copy that broke off, a crash before the data was down."""
    path = kept(SOURCE, tmp_path, WIDTH)
    damage(path, how)

    assert path == kept(SOURCE, tmp_path, WIDTH)
    assert expanded(ORIGINAL, WIDTH) == path.read_bytes()
    assert [path.name] == names(tmp_path)


@pytest.mark.parametrize("place", ["file", "file/below", "/proc/specui"])
def test_a_folder_that_takes_no_file(place: str, tmp_path: Path) -> None:
    """One sentence names the folder and the remedy."""
    (tmp_path / "file").write_text("mine")
    folder = tmp_path / place

    with pytest.raises(NotKept) as refused:
        kept(SOURCE, folder, WIDTH)

    said = str(refused.value)
    assert said.startswith(f"the widened toy cannot be written to {folder} (")
    assert said.endswith("): let it be written there, or set SPECUI_HOME")
    assert "\n" not in said
    assert ["file"] == names(tmp_path)
    assert "mine" == (tmp_path / "file").read_text()


def test_a_folder_that_bears_the_name_stays(tmp_path: Path) -> None:
    """It is nothing that can be replaced, and nothing unfinished is left beside it."""
    path = tmp_path / f"target-ffn{WIDTH}.gguf"
    path.mkdir()

    with pytest.raises(NotKept):
        kept(SOURCE, tmp_path, WIDTH)
    assert [path.name] == names(tmp_path)


@pytest.mark.parametrize("room_bytes", [0, 1, 50_000, len(ORIGINAL), len(expanded(ORIGINAL, WIDTH)) - 1])
def test_a_disk_that_is_full(room_bytes: int, tmp_path: Path) -> None:
    """Wherever it breaks off, even in the last hole: one sentence, and nothing is left."""
    does = (
        "resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[3]),) * 2)\n"
        "try: keeping.kept(source, folder, width)\n"
        "except NotKept as error: print(error)"
    )
    said, _ = program(does, tmp_path, WIDTH, room_bytes).communicate(timeout=60)

    refusal = f"the widened toy cannot be written to {tmp_path} (File too large)"
    expected = f"{refusal}: let it be written there, or set SPECUI_HOME\n"
    assert expected == said
    assert [] == names(tmp_path)


def test_unfinished_files_go_with_their_process(tmp_path: Path) -> None:
    """One of a dead process is removed; one of a living process and what is not ours are left."""
    ended = subprocess.Popen([sys.executable, "-c", ""])
    assert 0 == ended.wait(timeout=60)
    (tmp_path / f"target-ffn{OTHER_WIDTH}.gguf.{ended.pid}.part").write_bytes(b"GGUF")
    left = [f"other.gguf.{os.getpid()}.part", f"other.gguf.{10**30}.part", "film.part"]
    for name in left:
        (tmp_path / name).write_bytes(b"mine")

    path = kept(SOURCE, tmp_path, WIDTH)

    assert sorted([*left, path.name]) == names(tmp_path)
    assert {b"mine"} == {(tmp_path / name).read_bytes() for name in left}


TOGETHER = """
print(flush=True)
for path in map(Path, sys.stdin):
    print(keeping.kept(source, Path(str(path).strip()), width), flush=True)
"""


@pytest.mark.parametrize("widths", [(WIDTH, WIDTH), (WIDTH, OTHER_WIDTH)])
def test_two_processes_at_once(widths: tuple[int, int], tmp_path: Path) -> None:
    """Round by round both end with the whole file, and nothing unfinished is left."""
    both = [program(TOGETHER, tmp_path, width) for width in widths]
    whole = {width: expanded(ORIGINAL, width) for width in widths}
    assert ["\n", "\n"] == [said(one) for one in both]
    for number in range(8):
        folder = tmp_path / str(number)
        for one in both:
            assert one.stdin is not None
            one.stdin.write(f"{folder}\n")
            one.stdin.flush()
        for one, width in zip(both, widths, strict=True):
            assert whole[width] == Path(said(one).strip()).read_bytes()
        assert sorted({f"target-ffn{width}.gguf" for width in widths}) == names(folder)
    for one in both:
        one.communicate(timeout=60)
    assert [0, 0] == [one.returncode for one in both]


def said(process: subprocess.Popen[str]) -> str:
    """The next line."""
    assert process.stdout is not None
    return process.stdout.readline()


DYING = """
whole, at, fsync = keeping._write, float(sys.argv[3]), os.fsync
def dying(file, pieces, size):
    whole(file, pieces[: int(len(pieces) * at)], size)
    os.kill(os.getpid(), signal.SIGKILL)
keeping._write = dying
keeping.kept(source, folder, width)
"""

OVER_AND_OVER = """
while True:
    print(flush=True)
    keeping.kept(source, folder, width).unlink()
"""


@pytest.mark.parametrize("share", [0.0, 0.001, 0.5, 1.0])
def test_a_process_killed_while_it_writes(share: float, tmp_path: Path) -> None:
    """There is no file of that name until it is whole; the next one clears away what was begun."""
    assert -signal.SIGKILL == ended(program(DYING, tmp_path, WIDTH, share))
    (part,) = names(tmp_path)
    assert part.endswith(".part")

    path = kept(SOURCE, tmp_path, WIDTH)
    assert expanded(ORIGINAL, WIDTH) == path.read_bytes()
    assert [path.name] == names(tmp_path)


@pytest.mark.parametrize("rounds", range(1, 9))
def test_a_process_killed_at_any_moment(rounds: int, tmp_path: Path) -> None:
    """What bears the name is whole."""
    writer = program(OVER_AND_OVER, tmp_path, WIDTH)
    for _ in range(rounds):
        assert "\n" == said(writer)
    writer.kill()
    assert -signal.SIGKILL == ended(writer)

    found = [path.read_bytes() for path in tmp_path.glob("*.gguf")]
    assert found in ([], [expanded(ORIGINAL, WIDTH)])


def ended(process: subprocess.Popen[str]) -> int:
    """The exit code, once it is over."""
    process.communicate(timeout=60)
    return process.returncode
