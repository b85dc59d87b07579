"""What must never be written: taken out of a plan before anything else sees it, and handed to engines alone."""

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from specui.domain.errors import UsageError

if TYPE_CHECKING:
    from specui.domain.plan import Case
    from specui.domain.units import JsonValue, Record

Secrets: TypeAlias = Mapping[str, str]
"""Variables by name; every engine of a run gets them."""

API_KEY = "LLAMA_API_KEY"
_VARIABLES = {"--api-key": API_KEY, "--hf-token": "HF_TOKEN", "-hft": "HF_TOKEN"}
"""Flags of llama-server whose value is a secret, and the variable that says the same."""

_SECRET_NAME = re.compile(r"KEY|TOKEN|SECRET|PASSW|CREDENTIAL", re.IGNORECASE)
_SHOWN = b"specui\0run\0"


def without_secrets(cases: tuple[Case, ...]) -> tuple[tuple[Case, ...], Secrets]:
    """The cases without the secrets of their engine arguments and of their engines' configured variables.

    An engine gets them by its environment, so neither journal nor process list shows them. Raises UsageError where one
    run would need two values of a variable.
    """
    secrets: dict[str, str] = {}
    out: list[Case] = []
    for case in cases:
        extra = case.settings.get("extra")
        kept, found = _parted([str(w) for w in extra] if isinstance(extra, list) else [])
        hidden = {k: str(v) for k, v in case.engine.env.items() if _SECRET_NAME.search(k)}
        for name, value in [*found, *hidden.items()]:
            if secrets.setdefault(name, value) != value:
                raise UsageError(f"two values of {name} in one run: give them in runs of their own")
        env: Record = {k: v for k, v in case.engine.env.items() if k not in hidden}
        settings = {k: v for k, v in case.settings.items() if k != "extra"} | ({"extra": kept} if kept else {})
        out.append(replace(case, settings=settings, engine=replace(case.engine, env=env)))
    return tuple(out), secrets


def hide_arguments() -> None:
    """Take the words that started this process out of what `ps` shows of it and of its forks.

    Where the kernel does not allow that they stay.
    """
    with contextlib.suppress(OSError, ValueError, IndexError):
        fields = Path("/proc/self/stat").read_text(errors="replace").rsplit(")", 1)[1].split()
        start, end = int(fields[45]), int(fields[46])
        memory = os.open("/proc/self/mem", os.O_RDWR | os.O_CLOEXEC)
        try:
            os.pwrite(memory, _SHOWN.ljust(end - start, b"\0")[: end - start], start)
        finally:
            os.close(memory)


def _parted(words: list[str]) -> tuple[list[JsonValue], list[tuple[str, str]]]:
    """Engine arguments without their secrets, and those by variable. llama.cpp reads `_` in a long flag as `-`."""
    kept: list[JsonValue] = []
    found: list[tuple[str, str]] = []
    rest = iter(words)
    for word in rest:
        flag, _, inline = word.partition("=")
        variable = _VARIABLES.get(_spelt(flag))
        if variable is None:
            kept.append(word)
            found += _of_file(word, words)
        elif value := inline or next(rest, None):
            found.append((variable, value))
    return kept, found


def _of_file(word: str, words: list[str]) -> Iterator[tuple[str, str]]:
    """The first key of a file of keys: the engine reads the file itself, we need a key to ask it."""
    flag, _, inline = word.partition("=")
    if _spelt(flag) != "--api-key-file":
        return
    after = words[words.index(word) + 1 :]
    with contextlib.suppress(OSError):
        lines = Path(inline or (after[0] if after else "")).read_text(errors="replace").splitlines()
        yield from [(API_KEY, line) for line in lines if line.strip() and not line.startswith("#")][:1]


def _spelt(flag: str) -> str:
    return "--" + flag[2:].replace("_", "-") if flag.startswith("--") else flag
