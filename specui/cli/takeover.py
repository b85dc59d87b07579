"""A llama-server command line that somebody already uses, taken apart: known flags become options, the rest is kept."""

from __future__ import annotations

from typing import TYPE_CHECKING

from specui.domain.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Sequence

_OPTIONS: dict[str, tuple[str, ...]] = {
    "--model": ("-m", "--model"),
    "--draft-model": ("-md", "--model-draft", "--spec-draft-model"),
    "--method": ("--spec-type",),
    "--n-max": ("--spec-draft-n-max", "--draft-max", "--draft", "--draft-n"),
    "--n-min": ("--spec-draft-n-min", "--draft-min", "--draft-n-min"),
    "--p-min": ("--spec-draft-p-min", "--draft-p-min"),
    "--device": ("-dev", "--device"),
    "--ctx": ("-c", "--ctx-size"),
    "--n-gpu-layers": ("-ngl", "--gpu-layers", "--n-gpu-layers"),
    "--batch-size": ("-b", "--batch-size"),
    "--ubatch-size": ("-ub", "--ubatch-size"),
    "--cache-type-k": ("-ctk", "--cache-type-k"),
    "--cache-type-v": ("-ctv", "--cache-type-v"),
    "--parallel": ("-np", "--parallel"),
    "--threads": ("-t", "--threads"),
}
_BY_FLAG = {flag: option for option, flags in _OPTIONS.items() for flag in flags}
_OURS = ("--host", "--port")
"""The server is asked here and nowhere else, on a port of our choice."""

_FLASH = ("-fa", "--flash-attn")
_FLASH_VALUES = frozenset({"on", "off", "auto"})


def taken_over(words: Sequence[str]) -> tuple[list[str], list[str]]:
    """Options of `run`, and engine arguments, out of a whole command line.

    Raises UsageError where it ends in the middle of a flag.
    """
    if words[0].rpartition("/")[2] == "env":
        raise UsageError("leave `env NAME=VALUE` out and set the variables in your shell: they reach the engine")
    options = ["--engine", words[0]]
    extra: list[str] = []
    rest = list(words[1:])
    while rest:
        flag, _, inline = rest.pop(0).partition("=") if rest[0].startswith("--") else (rest.pop(0), "", "")
        name = "--" + flag[2:].replace("_", "-") if flag.startswith("--") else flag
        if name in _FLASH:
            value = inline or (rest.pop(0) if rest and rest[0] in _FLASH_VALUES else "on")
            options += ["--flash-attn", value]
        elif name in _OURS:
            rest = rest if inline else rest[1:]
        elif name in _BY_FLAG:
            if not inline and not rest:
                raise UsageError(f"the command line ends after {flag}: give its value")
            value = inline or rest.pop(0)
            value = value.replace(",", "+") if name == "--spec-type" else value
            option = _BY_FLAG[name]
            options += [f"{option}={value}"] if value.startswith("-") else [option, value]
        else:
            extra += [f"{flag}={inline}"] if inline else [flag]
    return options, extra
