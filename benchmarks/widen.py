"""Widens the feed-forward layers of a toy GGUF with zeros, as `-m builtin-wide` does, to a width of one's choice."""

from __future__ import annotations

import argparse
from pathlib import Path

from specui.builtin.keeping import kept


def main() -> None:
    """Reads the arguments, widens, says what came out."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("source", type=Path, metavar="IN.gguf")
    parser.add_argument("target", type=Path, metavar="OUT.gguf")
    parser.add_argument("--ffn", type=int, required=True, help="new feed-forward width, a multiple of 32")
    arguments = parser.parse_args()
    if arguments.ffn % 32:
        parser.error(f"--ffn {arguments.ffn} is no multiple of 32")
    path = kept(arguments.source, arguments.target.parent, arguments.ffn)
    path.replace(arguments.target)
    print(f"{arguments.target}: widened to {arguments.ffn}, {arguments.target.stat().st_size / 1e6:.0f} MB")


if __name__ == "__main__":
    main()
