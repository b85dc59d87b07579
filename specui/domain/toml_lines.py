"""TOML with the line of every key, so that a wrong value can be pointed at."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from specui.domain.errors import UnreadableFile
from specui.domain.text import one_line

_HEADER = re.compile(r"\s*\[(\[?)\s*([^\]#]+?)\s*\]\]?\s*(?:#.*)?$")
_KEY = re.compile(r"\s*((?:[\w-]+|\"[^\"]*\")(?:\s*\.\s*(?:[\w-]+|\"[^\"]*\"))*)\s*=")


@dataclass(frozen=True, slots=True)
class Document:
    """Parsed TOML and where its keys stand."""

    where: str
    values: Mapping[str, Any]  # Any: what tomllib gives; whoever takes a value checks it
    lines: Mapping[str, int]

    def place(self, path: str) -> str:
        """`plan.toml:12` for a dotted path (`matrix.speculation.1.n_max`), or for the nearest one above it."""
        while path:
            if path in self.lines:
                return f"{self.where}:{self.lines[path]}"
            path = path.rpartition(".")[0]
        return self.where


def document(data: bytes, where: str) -> Document:
    """Read some bytes as TOML. Raises UnreadableFile with one sentence."""
    try:
        text = data.decode("utf-8-sig")
        return Document(where, tomllib.loads(text), _lines(text))
    except UnicodeDecodeError as error:
        raise UnreadableFile(f"{where} is not UTF-8 text (byte {error.start}): save it as UTF-8") from error
    except tomllib.TOMLDecodeError as error:
        raise UnreadableFile(f"{where} is no valid TOML: {one_line(str(error), 120)}") from error
    except RecursionError as error:
        raise UnreadableFile(f"{where} is nested too deeply") from error


def _lines(text: str) -> dict[str, int]:
    """The line of each table and key; arrays of tables are counted from 0."""
    places: dict[str, int] = {}
    seen: dict[str, int] = {}
    table = ""
    for number, line in enumerate(text.splitlines(), 1):
        if header := _HEADER.match(line):
            name = _dotted(header.group(2), seen)
            if header.group(1):
                seen[name] = seen.get(name, -1) + 1
                name = f"{name}.{seen[name]}"
            table = name
            places.setdefault(table, number)
        elif key := _KEY.match(line):
            name = _dotted(key.group(1), {})
            places.setdefault(f"{table}.{name}" if table else name, number)
    return places


def _dotted(name: str, seen: Mapping[str, int]) -> str:
    """A dotted name without quotes and blanks, with the newest index of every array of tables in it."""
    parts = [part.strip().strip('"') for part in name.split(".")]
    out = parts[0]
    for part in parts[1:]:
        out = f"{out}.{seen[out]}.{part}" if out in seen else f"{out}.{part}"
    return out
