"""Proves the toys: what a server answered must be what the recipe's own forward pass answers.

`python -m specui.builtin.recipe.proof SESSION.toml [TARGET.gguf]`, with a session that was saved by
`specui run -m builtin --method none --prompts core --output SESSION.toml`.
"""

from __future__ import annotations

import argparse
import sys
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import torch
from gguf import GGUFReader

from specui.builtin.recipe import nets
from specui.builtin.recipe.rows import rendered
from specui.builtin.recipe.words import TURN_ENDS, Tokenizer

if TYPE_CHECKING:
    from collections.abc import Iterator

    from specui.builtin.recipe.nets import Weights

DATA = Path(__file__).parents[1] / "data"


@dataclass(frozen=True, slots=True)
class Answered:
    """One answer of a session: what was said before it, the question last, and the answer."""

    prompt_id: str
    earlier: tuple[str, ...]
    text: str
    tokens: int
    """As the server counted them, the one that ends the turn included."""


def main() -> None:
    """Compare every answer; exit code 1 where one differs."""
    parser = argparse.ArgumentParser(prog="python -m specui.builtin.recipe.proof", description="Proves the toys.")
    parser.add_argument(
        "session", type=Path, metavar="SESSION.toml", help="at temperature 0, one case without speculation"
    )
    parser.add_argument("target", type=Path, nargs="?", default=DATA / "target.gguf", metavar="TARGET.gguf")
    options = parser.parse_args()
    torch.set_num_threads(1)
    weights, tokenizer = stored(options.target)
    equal = 0
    answers = list(answers_of(options.session))
    for answer in answers:
        own = own_answer(weights, tokenizer, answer)
        equal += own == answer.text
        _tell(f"{answer.prompt_id} turn {len(answer.earlier) // 2 + 1}: {_difference(own, answer.text)}")
    _tell(f"{equal} of {len(answers)} answers equal")
    sys.exit(equal != len(answers))


def stored(path: Path) -> tuple[Weights, Tokenizer]:
    """Weights and tokenizer of a GGUF file."""
    reader = GGUFReader(path)
    weights = {t.name: torch.tensor(t.data.astype("float32")) for t in reader.tensors}
    merges = [tuple(pair.split(" ")) for pair in reader.fields["tokenizer.ggml.merges"].contents()]
    return weights, Tokenizer(merges)


def answers_of(session: Path) -> Iterator[Answered]:
    """The measured answers of the first case that does not speculate."""
    cases = tomllib.loads(session.read_text())["case"]
    plain = next(case for case in cases if case["method"] == "none")
    said: tuple[str, ...] = ()
    for request in plain["request"]:
        if request["purpose"] != "measure":
            continue
        said = (*(said if request["turn"] > 1 else ()), request["prompt"])
        yield Answered(request["prompt_id"], said, request.get("text", ""), request["predicted_n"])
        said = (*said, request.get("text", ""))


def own_answer(weights: Weights, tokenizer: Tokenizer, answer: Answered) -> str:
    """The text that the weights answer with when the likeliest token is taken each time."""
    ids = tokenizer.encode(rendered(answer.earlier) + "<|im_start|>assistant\n")
    begun = len(ids)
    with torch.no_grad():
        while len(ids) - begun < answer.tokens:
            hidden = nets.trunk(weights, torch.tensor([ids]))[-1][:, -1:]
            ids.append(int(nets.logits(weights, hidden).argmax()))
            if ids[-1] == TURN_ENDS:
                ids.pop()
                break
    return tokenizer.decode(ids[begun:])


def _difference(own: str, theirs: str) -> str:
    if own == theirs:
        return f"equal, {len(own)} characters"
    same = next((i for i, (a, b) in enumerate(zip(own, theirs, strict=False)) if a != b), min(len(own), len(theirs)))
    return f"different after {same} characters: {own[same : same + 40]!r}, the server {theirs[same : same + 40]!r}"


def _tell(line: str) -> None:
    print(line, flush=True)  # noqa: T201 - a command of its own, without specui's output


if __name__ == "__main__":
    main()
