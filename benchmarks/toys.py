"""What the toys are worth: acceptance by method, n_max and category on the core prompts, and whether texts are equal.

Each n_max is a run of its own of `specui run -m builtin --prompts core`, read back from the session it saves.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import tomllib
from collections import defaultdict
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from specui import builtin
from specui.cli.places import places
from specui.cli.planning import find_prompts

METHODS = ("draft-simple", "draft-mtp", "draft-eagle3", "draft-dflash", "draft-dspark")
SEPARATE = "draft-mtp, own file"
CATEGORIES = ("structure", "edit", "code", "math", "extract", "translate", "chat", "prose")

Texts = dict[tuple[str, int], str]


@dataclass
class Counted:
    """Drafted and accepted tokens of one case by category, and its answers."""

    drafted: defaultdict[str, int] = field(default_factory=lambda: defaultdict(int))
    accepted: defaultdict[str, int] = field(default_factory=lambda: defaultdict(int))
    texts: Texts = field(default_factory=dict)
    tokens: int = 0
    ms: float = 0.0

    def rate(self, category: str | None = None) -> float | None:
        """Acceptance of a category, or of all."""
        names = [category] if category else list(self.drafted)
        drafted = sum(self.drafted[name] for name in names)
        return sum(self.accepted[name] for name in names) / drafted if drafted else None


def main() -> None:
    """Run every method at every n_max, print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--engine", default="embedded", metavar="NAME|PATH")
    parser.add_argument("--model", default=builtin.WORD, metavar="NAME", help="builtin or builtin-wide")
    parser.add_argument("--n-max", default="3,6", metavar="LIST")
    options = parser.parse_args()
    categories = {prompt.id: prompt.category or "" for prompt in find_prompts("core", places(), Path.cwd()).prompts}
    print("| n_max | method | all | " + " | ".join(CATEGORIES) + " | tok/s | texts equal |")
    print("|---|---|---" + "|---" * len(CATEGORIES) + "|---|---|")
    for n_max in options.n_max.split(","):
        cases = measured(options, n_max, categories)
        plain = cases.pop("none")
        print(f"| – | none | – | {' | '.join('–' for _ in CATEGORIES)} | {speed(plain)} | – |")
        for name, case in cases.items():
            equal = sum(case.texts[key] == text for key, text in plain.texts.items())
            rates = " | ".join(shown(case.rate(category)) for category in CATEGORIES)
            row = f"| {n_max} | {name} | **{shown(case.rate())}** | {rates} | {speed(case)} |"
            print(f"{row} {equal}/{len(plain.texts)} |", flush=True)


def measured(options: argparse.Namespace, n_max: str, categories: dict[str, str]) -> dict[str, Counted]:
    """Every case of one n_max by its method."""
    common = ["-m", options.model, "--engine", options.engine, "--prompts", "core"]
    cases = run([*common, "--method", ",".join(("none", *METHODS)), "--n-max", n_max], categories)
    head = str(builtin.drafter("draft-mtp"))
    apart = run([*common, "--method", "draft-mtp", "--n-max", n_max, "-md", head, "--no-baseline"], categories)
    return cases | {SEPARATE: apart["draft-mtp"]}


def run(words: list[str], categories: dict[str, str]) -> dict[str, Counted]:
    """One run of specui; its cases by method."""
    with tempfile.TemporaryDirectory() as folder:
        session = Path(folder) / "session.toml"
        command = [sys.executable, "-m", "specui", "run", *words, "--output", str(session)]
        environment = {**os.environ, "SPECUI_HOME": os.environ.get("SPECUI_HOME", folder)}
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
        if done.returncode:
            raise SystemExit(done.stderr)
        saved: dict[str, Any] = tomllib.loads(session.read_text())
    return {case["method"]: counted(case, categories) for case in saved["case"]}


def counted(case: dict[str, Any], categories: dict[str, str]) -> Counted:
    """The sums of one case of a session."""
    sums = Counted()
    for request in case["request"]:
        if request["purpose"] != "measure":
            continue
        category = categories[request["prompt_id"]]
        sums.drafted[category] += request.get("draft_n", 0)
        sums.accepted[category] += request.get("draft_n_accepted", 0)
        sums.texts[request["prompt_id"], request["turn"]] = request.get("text", "")
        sums.tokens += request["predicted_n"] - 1
        sums.ms += request["predicted_ms"]
    return sums


def shown(rate: float | None) -> str:
    """A rate with two digits."""
    return "–" if rate is None else f"{rate:.2f}"


def speed(case: Counted) -> str:
    """Tokens a second of all answers together."""
    return f"{1000 * case.tokens / case.ms:.0f}"


if __name__ == "__main__":
    main()
