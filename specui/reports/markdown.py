"""The report as Markdown: the forum post's table, with what the post could not say."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from specui.domain.text import UNKNOWN, milliseconds, number, one_line, percent, times

if TYPE_CHECKING:
    from specui.domain.units import Record

_ACTING = re.compile(r"(\\*)(\||<(?=[A-Za-z/!?]))")

Row = dict[str, Any]  # Any: a case of the report's document, whose keys are promised there


def markdown(document: Record) -> str:
    """The document of `table.report` as text."""
    models: Any = document["models"]  # Any: as above
    runs: Any = document["runs"]
    if not models:
        return "\n".join(["No cases.", *_about(runs)])
    return "\n\n".join(_model(model, runs) for model in models)


def _about(runs: list[Row]) -> list[str]:
    """The conditions of each run, and what concerns all of its cases."""
    lines = []
    for run in runs:
        name = f"{_cell(run['run'])}: " if run["run"] and len(runs) > 1 else ""
        lines += [f"- {name}{_cell(words)}" for words in [run["conditions"], *run["notes"]] if words]
    return lines


def _model(model: Row, runs: list[Row]) -> str:
    cases: list[Row] = model["cases"]
    turns = sorted({t["turn"] for c in cases for t in c["turns"]})
    word = "turn " if any(c["prompts"] > 1 for c in cases) else "Q"
    several = len({c["run"] for c in cases}) > 1
    heads = ["case", "tok/s", "× none", *(f"{word}{n} (tokens)" for n in turns)]
    heads += ["acceptance", "tok/step", "pp tok/s", "TTFT"]
    rows = [_cells(case, turns) for case in cases]
    if several:
        heads.insert(1, "run")
        for row, case in zip(rows, cases, strict=True):
            row.insert(1, case["run"] or UNKNOWN)
    title = f"## {_cell(model['model'])}" + (
        " (toy: its speeds say nothing about real models)" if model.get("toy") else ""
    )
    return "\n".join([title, "", *_aligned(heads, rows), *_footnotes(cases, runs)])


def _cells(case: Row, turns: list[int]) -> list[str]:
    of_turn = {t["turn"]: t for t in case["turns"]}
    asked = [of_turn.get(n) for n in turns]
    mark = {
        "failed": " (failed)",
        "skipped": " (skipped)",
        "waiting": " (not run)",
        "running": " (unfinished)",
        "stopped": " (stopped)",
    }
    return [
        case["label"] + mark.get(case["outcome"], ""),
        number(case["speed_tok_per_s"]) + ("†" if case["single_run"] and case["speed_tok_per_s"] else ""),
        times(case["speedup"]),
        *(f"{number(t['speed_tok_per_s'])} ({t['tokens']})" if t else UNKNOWN for t in asked),
        percent(case["acceptance"]),
        number(case["tokens_per_step"], 2),
        number(case["prompt_tok_per_s"]),
        milliseconds(case["ttft_ms"]),
    ]


def _aligned(heads: list[str], rows: list[list[str]]) -> list[str]:
    table = [[_cell(c) for c in row] for row in [heads, *rows]]
    widths = [max(len(row[i]) for row in table) for i in range(len(heads))]
    rule = ["-" * widths[0], *("-" * (w - 1) + ":" for w in widths[1:])]
    lines = [table[0], rule, *table[1:]]
    return ["| " + " | ".join(_padded(row, widths)) + " |" for row in lines]


def _padded(row: list[str], widths: list[int]) -> list[str]:
    return [row[0].ljust(widths[0]), *(c.rjust(w) for c, w in zip(row[1:], widths[1:], strict=True))]


def _footnotes(cases: list[Row], runs: list[Row]) -> list[str]:
    notes = [f"- {_cell(case['label'])}: {_cell(note)}" for case in cases for note in case["notes"]]
    if any(case["single_run"] and case["speed_tok_per_s"] for case in cases):
        notes.append("- † a single run: differences of a few percent may be chance")
    if any(case["speedup"] is None and case["speed_tok_per_s"] for case in cases):
        notes.append("- × none is unknown where no case without speculation was run beside it")
    legend = [
        "- tok/s = (tokens - 1) / generation time, by the engine's clock; a turn's tok/s with the tokens of one answer",
        "- × none = speed against the same case without speculation",
        "- tok/step counts every pass of the target; pp = prompt processing, new tokens only",
    ]
    return ["", *_about(runs), *legend, *notes]


def _cell(text: str) -> str:
    """The text on one line and in one cell, with whatever Markdown would take for a column or a tag escaped."""
    return _ACTING.sub(lambda found: 2 * found[1] + "\\" + found[2], one_line(str(text), 400))
