"""`specui demo`: the embedded engine, the toy models and the two questions of the post."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from specui import builtin
from specui.cli.config import read_config
from specui.cli.face import add_screen_options, has_terminal, watched_to_the_end
from specui.cli.launch import launch
from specui.cli.options import repeats_of_options
from specui.cli.output import note, say
from specui.cli.places import places
from specui.cli.planning import plan_of
from specui.cli.resolve import MachineResolver
from specui.cli.starting import WATCHED_REPEATS
from specui.cli.theme import ensure_theme
from specui.domain.errors import NotKept
from specui.domain.plan_file import PlanDraft
from specui.domain.sweep import ModelFactor, SpeculationFactor, Sweep

if TYPE_CHECKING:
    import argparse

    from specui.domain.plan import Plan

WIDE = (
    "These are toy models on a CPU. The target was padded with zeros until it is slow enough to be watched: nothing "
    "waits, the zeros are really multiplied. What speculation gains here is real, but on real models it differs."
)
NARROW = (
    "These are toy models on a CPU: the speculation is real, and it is expected to lose here. A pass over several "
    "tokens of so small a model costs almost as much as that many single ones; on a real model it costs little more "
    "than one."
)


def configure(parser: argparse.ArgumentParser) -> None:
    """The options of `demo`."""
    parser.add_argument("--headless", action="store_true", help="without screens")
    parser.add_argument("--detach", action="store_true", help="print the run's id and leave it running")
    parser.add_argument("--engine", default="embedded", metavar="NAME|PATH", help="another engine for the same toys")
    parser.add_argument("--json", action="store_true", help="print one JSON document, without screens")
    parser.add_argument("--repeats", metavar="N", help=f"passes over all prompts (1; {WATCHED_REPEATS} on the screens)")
    add_screen_options(parser)


def run(options: argparse.Namespace) -> int:
    """None, MTP, DFlash and EAGLE3 on the toys, then the table."""
    has_screens = not options.headless and not options.detach and not options.json and has_terminal()
    if has_screens:
        ensure_theme(options.theme)
    repeats = repeats_of_options(options) or (WATCHED_REPEATS if has_screens else 1)
    plan, expectation = _plan(options.engine, repeats)
    if not has_screens:
        note(expectation)
    folder = launch(plan, places())
    if options.detach:
        say(folder.id)
        return 0
    if has_screens:
        return watched_to_the_end(folder, options, output=None, as_json=False)
    note(f"run {folder.id} (Ctrl+C stops it; a closed terminal does not)")
    from specui.cli.finish import ended  # the event loop it needs is loaded while the runner starts the engine

    return ended(folder, output=None, as_json=options.json)


def _plan(engine: str, repeats: int) -> tuple[Plan, str]:
    """The demo's plan and what to expect of it; with the toy as it is where the widened one cannot be kept."""
    draft, expectation = _draft(builtin.WIDE_WORD, engine, repeats), WIDE
    try:
        # Asked before there is a plan: a plan tells what is wrong with it, not why.
        MachineResolver(read_config(places().config), Path.cwd(), places().toys).model(builtin.WIDE_WORD)
    except NotKept as error:
        reason = f"{error}; until then the demo measures the small toy, which is too fast to watch"
        note(reason)
        draft, expectation = replace(_draft(builtin.WORD, engine, repeats), note=reason), NARROW
    return plan_of(draft, places(), Path.cwd()), expectation


def _draft(model: str, engine: str, repeats: int) -> PlanDraft:
    """No speculation, then the two methods of the post at its draft lengths, and EAGLE3."""
    sweep = Sweep(
        models=(ModelFactor((model,)),),
        engines=(engine,),
        speculations=(
            SpeculationFactor(("none",)),
            SpeculationFactor(("draft-mtp",), n_max=(3,)),
            SpeculationFactor(("draft-dflash",), n_max=(6,)),
            SpeculationFactor(("draft-eagle3",), n_max=(3,)),
        ),
    )
    return PlanDraft(sweep, title="demo", prompts="demo", repeats=repeats)
