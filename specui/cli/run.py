"""`specui run`: carry out a plan, a session, or the cases that options describe, without a face."""

from __future__ import annotations

import argparse
import os
import shlex
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from specui.cli.face import add_screen_options, ensure_terminal, watched_to_the_end
from specui.cli.launch import launch
from specui.cli.options import (
    add_case_options,
    case_options_given,
    draft_of,
    repeats_of_options,
    workload_of_options,
)
from specui.cli.output import note, say
from specui.cli.places import places
from specui.cli.planning import Changes, plan_of, plan_of_file
from specui.cli.resolve import capabilities
from specui.cli.secrets import without_secrets
from specui.cli.takeover import taken_over
from specui.cli.theme import ensure_theme
from specui.domain.errors import EngineUnusable, UsageError
from specui.engines.llama.command import command_words

if TYPE_CHECKING:
    from specui.domain.plan import Case, Plan


ANY_PORT = 0


def configure(parser: argparse.ArgumentParser) -> None:
    """The options of `run`."""
    parser.usage = (
        "specui run PLAN.toml|SESSION.toml [options]\n"
        "       specui run -m MODEL [options] [-- engine arguments]\n"
        "       specui run [options] -- llama-server -m MODEL ..."
    )
    parser.add_argument("plan", nargs="?", metavar="PLAN.toml|SESSION.toml", help="a plan, or a session to run again")
    parser.add_argument("--title", help="what the run is called")
    add_screen_options(parser)
    add_case_options(parser)
    how = parser.add_argument_group("how")
    how.add_argument(
        "--dry-run", action="store_true", help="show the cases; engines are asked what they can do, nothing is measured"
    )
    how.add_argument("--detach", action="store_true", help="print the run's id and leave it running")
    how.add_argument("--output", metavar="FILE.toml", help="where the session is saved, too")
    how.add_argument("--json", action="store_true", help="print one JSON document")
    how.add_argument("--watch", action="store_true", help="the live screen on it")
    how.add_argument("--yes", action="store_true", help="accept what a foreign session would start, unseen")


def run(options: argparse.Namespace) -> int:
    """Make the plan, start the runner, tell what happens."""
    plan = _plan(options)
    if options.dry_run:
        return _dry_run(plan)
    if options.output is not None:
        _ensure_writable(Path(options.output))
    if options.watch:
        ensure_terminal()
        ensure_theme(options.theme)
    folder = launch(plan, places())
    if options.detach:
        say(folder.id)
        return 0
    if options.watch:
        return watched_to_the_end(folder, options, options.output, as_json=options.json)
    note(f"run {folder.id} (Ctrl+C stops it; a closed terminal does not)")
    from specui.cli.finish import ended  # the event loop it needs is loaded while the runner starts the engine

    return ended(folder, output=options.output, as_json=options.json)


def _plan(options: argparse.Namespace) -> Plan:
    after: list[str] = options.after
    if options.plan is not None:
        plan = _plan_of_file(options, after)
    elif after and not after[0].startswith("-"):
        plan = _plan_of_command(options, after)
    else:
        plan = plan_of(draft_of(options, after, options.title), places(), Path.cwd())
    return replace(plan, title=options.title) if options.title else plan


def _plan_of_file(options: argparse.Namespace, after: list[str]) -> Plan:
    """A plan or a session; options beside it change how often and how long is asked, never what is compared."""
    strange = case_options_given(options)
    if after or strange:
        given = strange[0] if strange else "--"
        raise UsageError(f"{options.plan} says itself what is compared: leave {given} out, or change the file")
    path = Path(options.plan).expanduser()
    repeats = repeats_of_options(options)
    changes = Changes(workload_of_options(options), repeats, options.prompts)
    return plan_of_file(path, places(), changes, lambda what: _ensure_trusted(what, options))


def _plan_of_command(options: argparse.Namespace, words: list[str]) -> Plan:
    """A command line that is already in use, with the options given beside it."""
    own, extra = taken_over(words)
    parser = argparse.ArgumentParser(allow_abbrev=False, exit_on_error=False)
    configure(parser)
    try:
        taken = parser.parse_args(own)
    except argparse.ArgumentError as error:
        raise UsageError(f"the command line cannot be taken over: {error}") from error
    for name, value in vars(options).items():
        if value not in (None, False) and name != "after":
            setattr(taken, name, value)
    return plan_of(draft_of(taken, extra, options.title), places(), Path.cwd())


def _ensure_trusted(what: str, options: argparse.Namespace) -> None:
    """What a stranger's session would start or pass on is shown before anything of it runs, a look at it included."""
    if not what or options.yes:
        return
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        raise UsageError(f"{options.plan} is not from this machine and would use {what}: look at that, then add --yes")
    note(f"{options.plan} is not from this machine and would use {what}\ngo on with that? [y/N]")
    if sys.stdin.readline().strip().lower() not in ("y", "yes"):
        raise UsageError("nothing was started")


def _ensure_writable(path: Path) -> None:
    """Better to know before a long run than after it."""
    folder = path.expanduser().absolute().parent
    if not folder.is_dir() or not os.access(folder, os.W_OK) or path.is_dir():
        raise UsageError(f"the session cannot be saved as {path}: name a file in a folder that can be written")
    from specui.journal import session  # the facts it knows take 0.1 s to load: not for every run

    if not session.may_replace(path.expanduser().absolute()):
        raise UsageError(f"{path} exists and is no session: it is left as it is, name another file")


def _dry_run(plan: Plan) -> int:
    asked = plan.repeats * sum(len(p.turns) for p in plan.prompts)
    many = "cases" if len(plan.cases) != 1 else "case"
    say(f"{len(plan.cases)} {many} × {asked} requests ({plan.prompt_set}, repeated {plan.repeats}×): {plan.title}")
    for number, case in enumerate(without_secrets(plan.cases)[0], 1):
        say(f"{number:3}  {case.label()}  {case.model.name}")
        say(f"     {_command(case)}")
    return 0


def _command(case: Case) -> str:
    """The command line that would start the engine, to be copied; or why it cannot be."""
    try:
        return shlex.join(command_words(case, capabilities(case.engine), ANY_PORT, "specui"))
    except EngineUnusable as error:
        return f"cannot run: {error}"
