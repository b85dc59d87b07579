"""Makes the toys from nothing: text, tokenizer, target, drafters and their files."""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import sys
from pathlib import Path

import torch

from specui.builtin.recipe import text
from specui.builtin.recipe.drafters import learnt_drafters
from specui.builtin.recipe.files import as_stored, write_all
from specui.builtin.recipe.rows import rendered, weighed
from specui.builtin.recipe.target import learnt_target
from specui.builtin.recipe.words import Tokenizer, learnt_merges
from specui.builtin.recipe.writing.draws import Draws

TEXT_FILE = "text.jsonl"
TOKENIZER_FILE = "tokenizer.json"


def main() -> None:
    """Text, tokenizer, target, drafters, files; then what they cost and what they are."""
    parser = argparse.ArgumentParser(prog="python -m specui.builtin.recipe", description=(__doc__ or "").split(":")[0])
    parser.add_argument("folder", type=Path, metavar="FOLDER", help="where the GGUF files, text and tokenizer go")
    parser.add_argument("--seed", type=int, default=text.SEED, help="another seed makes other toys")
    options = parser.parse_args()
    # One thread: several would add in an order that changes, and each training would come out a little different.
    torch.set_num_threads(1)
    torch.use_deterministic_algorithms(True)
    made(options.folder, options.seed)


def made(folder: Path, seed: int) -> None:
    """Makes everything in the folder."""
    folder.mkdir(parents=True, exist_ok=True)
    categories = text.conversations(seed)
    everything = [conversation for written in categories.values() for conversation in written]
    with (folder / TEXT_FILE).open("w") as file:
        for category, written in categories.items():
            file.writelines(json.dumps({"category": category, "turns": turns}) + "\n" for turns in written)
    texts = [rendered(conversation) for conversation in everything]
    _tell(f"text: {len(texts)} conversations, {sum(map(len, texts))} characters, sha256 {text.digest(texts)[:16]}")

    tokenizer = Tokenizer(learnt_merges(turn for turns in everything for turn in turns))
    (folder / TOKENIZER_FILE).write_text(json.dumps({"merges": tokenizer.merges}, ensure_ascii=False) + "\n")
    to_learn = [weighed(conversation, tokenizer) for conversation in everything]
    tokens = sum(map(len, to_learn))
    _tell(f"tokenizer: {len(tokenizer.tokens)} tokens; the text is {tokens} of them, {_cpu_minutes():.1f} CPU-minutes")

    torch.manual_seed(seed)
    target = as_stored(learnt_target(to_learn, Draws(seed + 100), _tell))
    _tell(f"target learnt: {_cpu_minutes():.1f} CPU-minutes")
    torch.manual_seed(seed + 1)
    drafters = learnt_drafters(target, to_learn, Draws(seed + 200), _tell)
    _tell(f"drafters learnt: {_cpu_minutes():.1f} CPU-minutes")
    for path in write_all(folder, tokenizer, target, drafters):
        _tell(f"{path}: {path.stat().st_size} bytes, sha256 {hashlib.sha256(path.read_bytes()).hexdigest()[:16]}")


def _tell(line: str) -> None:
    print(line, file=sys.stderr, flush=True)  # noqa: T201 - a command of its own, without specui's output


def _cpu_minutes() -> float:
    times = os.times()
    return (times.user + times.system) / 60
