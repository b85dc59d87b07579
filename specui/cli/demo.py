"""`specui demo`: the embedded engine, the toy models and the two questions of the post."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from specui import builtin
from specui.cli.face import add_screen_options, has_terminal, watched_to_the_end
from specui.cli.launch import launch
from specui.cli.options import repeats_of_options
from specui.cli.output import note, say
from specui.cli.places import places
from specui.cli.planning import plan_of
from specui.cli.starting import WATCHED_REPEATS
from specui.cli.theme import ensure_theme
from specui.domain.plan_file import PlanDraft
from specui.domain.sweep import ModelFactor, SpeculationFactor, Sweep

if TYPE_CHECKING:
    import argparse

EXPECTATION = (
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
    """None, MTP and DFlash on the toys, then the table."""
    has_screens = not options.headless and not options.detach and not options.json and has_terminal()
    if has_screens:
        ensure_theme(options.theme)
    repeats = repeats_of_options(options) or (WATCHED_REPEATS if has_screens else 1)
    draft = PlanDraft(
        Sweep(
            models=(ModelFactor((builtin.WORD,)),),
            engines=(options.engine,),
            speculations=(
                SpeculationFactor(("none",)),
                SpeculationFactor(("draft-mtp",), n_max=(3,)),
                SpeculationFactor(("draft-dflash",), n_max=(6,)),
            ),
        ),
        title="demo",
        prompts="demo",
        repeats=repeats,
    )
    plan = plan_of(draft, places(), Path.cwd())
    if not has_screens:
        note(EXPECTATION)
    folder = launch(plan, places())
    if options.detach:
        say(folder.id)
        return 0
    if has_screens:
        return watched_to_the_end(folder, options, output=None, as_json=False)
    note(f"run {folder.id} (Ctrl+C stops it; a closed terminal does not)")
    from specui.cli.finish import ended  # the event loop it needs is loaded while the runner starts the engine

    return ended(folder, output=None, as_json=options.json)
