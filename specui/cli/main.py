"""The command `specui`: finds the verb, imports it alone, and turns errors into one line and an exit code."""

from __future__ import annotations

import argparse
import importlib
import os
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, NoReturn, Protocol

from specui import __version__
from specui.cli.output import note, open_standard_files, say
from specui.domain.errors import PlanError, SpecuiError, UsageError
from specui.domain.text import visible

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

DONE, FAILED, USAGE, INTERRUPTED = 0, 1, 2, 130


class Verb(Protocol):
    """What a verb's module offers."""

    def configure(self, parser: argparse.ArgumentParser) -> None:
        """Add the verb's own options."""
        ...

    def run(self, options: argparse.Namespace) -> int:
        """Do it; gives the exit code."""
        ...


@dataclass(frozen=True, slots=True)
class Entry:
    """A verb: its module and one line of help."""

    module: str
    help: str


VERBS: dict[str, Entry] = {
    "demo": Entry("demo", "the toy models and the two questions: real speculation in two minutes"),
    "run": Entry("run", "carry out a plan, a saved session, or the cases that options describe"),
    "watch": Entry("watch", "the live screen on a run; leaving it ends nothing"),
    "replay": Entry("replay", "a saved run on the live screen, from its start"),
    "tail": Entry("tail", "the journal of a run, line by line as it grows"),
    "stop": Entry("stop", "end a run; what is measured stays"),
    "skip": Entry("skip", "leave the current case of a run"),
    "mark": Entry("mark", "put a marker into a run"),
    "list": Entry("list", "saved and living runs, newest first"),
    "report": Entry("report", "the table of one or more runs, as Markdown or JSON"),
    "export": Entry("export", "a run as one TOML file"),
}


class Parser(argparse.ArgumentParser):
    """An argument parser whose complaint is one line."""

    def error(self, message: str) -> NoReturn:
        """Raise the complaint instead of printing a usage text."""
        raise UsageError(f"{self.prog}: {message}; see `{self.prog.replace('specui ', 'specui help ', 1)}`")


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line; gives the exit code."""
    open_standard_files()
    for stream in (sys.stdout, sys.stderr):
        reconfigure: Callable[..., None] | None = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(encoding="utf-8", errors="replace")
    words = list(sys.argv[1:] if argv is None else argv)
    try:
        return _verb(words)
    except PlanError as error:
        for problem in error.problems:
            note(f"specui: {problem}")
        return USAGE
    except UsageError as error:
        note(f"specui: {error}")
        return USAGE
    except SpecuiError as error:
        note(f"specui: {error}")
        return FAILED
    except KeyboardInterrupt:
        note("specui: interrupted")
        return INTERRUPTED
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return FAILED


def _verb(words: list[str]) -> int:
    if not words:
        return _bare()
    if words[0] in ("-h", "--help") or words == ["help"]:
        say(_overview())
        return DONE
    if words[0] in ("-V", "--version"):
        say(f"specui {__version__}")
        return DONE
    if words[0] == "help":
        words = [words[1], "--help"]
    entry = VERBS.get(words[0])
    if entry is None:
        known = ", ".join(VERBS)
        raise UsageError(f"there is no verb {visible(words[0])!r}: use one of {known}")
    verb: Verb = importlib.import_module(f"specui.cli.{entry.module}")
    parser = Parser(prog=f"specui {words[0]}", description=entry.help, allow_abbrev=False)
    verb.configure(parser)
    own, after = _split(words[1:])
    options = parser.parse_args(own)
    options.after = after
    return verb.run(options)


def _bare() -> int:
    """The screens; where none can be drawn, what there is."""
    from specui.cli.face import HEADLESS, default_options, has_terminal, show  # only here, for it is the longest way

    if not has_terminal():
        note(_overview())
        note(f"\nThe screens need a terminal: {HEADLESS}.")
        return USAGE
    show(None, default_options())
    return DONE


def _split(words: list[str]) -> tuple[list[str], list[str]]:
    """The verb's own words, and those behind `--`."""
    if "--" not in words:
        return words, []
    cut = words.index("--")
    return words[:cut], words[cut + 1 :]


def _overview() -> str:
    lines = [f"specui {__version__}: which speculative decoding setting is fastest on this machine, and why", ""]
    lines += [f"  specui {name:8} {entry.help}" for name, entry in VERBS.items()]
    lines += ["", "Begin with `specui demo`; `specui help VERB` tells the options of a verb."]
    return "\n".join(lines)
