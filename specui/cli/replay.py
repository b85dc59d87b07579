"""`specui replay`: a saved run on the live screen, from its start."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from specui.cli.face import add_screen_options, ensure_terminal, show
from specui.cli.places import places
from specui.domain.errors import UnreadableFile, UsageError
from specui.journal import lock, store
from specui.tui.services import Opened

if TYPE_CHECKING:
    import argparse

SLOWEST, FASTEST = 0.25, 64.0


def configure(parser: argparse.ArgumentParser) -> None:
    """The options of `replay`."""
    parser.add_argument(
        "run", metavar="FILE.toml|RUN", help="a session file, an id, a unique beginning of one, or last"
    )
    parser.add_argument("--speed", default="1", metavar="X", help="seconds of the run in one of yours (1)")
    add_screen_options(parser)


def run(options: argparse.Namespace) -> int:
    """Play it."""
    speed = _speed(options.speed)
    ensure_terminal()
    show(_opened(options.run, speed), options)
    return 0


def _opened(word: str, speed: float) -> Opened:
    path = Path(word).expanduser()
    if path.suffix == ".toml" or path.is_file():
        if not path.is_file():
            raise UnreadableFile(f"{path} is no file" if path.exists() else f"{path} does not exist")
        return Opened(path, speed=speed)
    folder = store.find(places().runs, word)
    if lock.is_held(folder.journal):
        raise UsageError(f"the run {folder.id} is still going on: `specui watch {folder.id}` shows it")
    return Opened(folder.journal, folder, speed=speed)


def _speed(text: str) -> float:
    try:
        speed = float(text)
    except ValueError:
        speed = 0.0
    if not SLOWEST <= speed <= FASTEST:
        raise UsageError(f"--speed is {text!r}: give a number, {SLOWEST:g} … {FASTEST:g}")
    return speed
