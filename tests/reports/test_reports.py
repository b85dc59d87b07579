"""The report says what was measured, what was not, and why; and no name from outside breaks it."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from specui.domain.events import CaseFailed, CaseFinished, CaseSkipped, Event, Warned
from specui.domain.plan import EngineChoice
from specui.domain.request_facts import RequestFinished, StepsDecoded
from specui.journal.session import Session, parse, to_toml
from specui.reports.markdown import markdown
from specui.reports.table import report
from tests.domain.runs import MODEL, answered, case, finished, run_of, sent

if TYPE_CHECKING:
    from collections.abc import Sequence

    from specui.domain.events import Fact
    from specui.domain.plan import Case
    from specui.domain.run import Run

Row = dict[str, Any]  # Any: the report's document, whose keys are what is tested here

TEXT, COUNT, NUMBER, FLAG, LIST = (str,), (int,), (int, float), (bool,), (list,)
NOTHING = (type(None),)
PROMISED: dict[str, tuple[type, ...]] = {
    "label": TEXT, "engine": TEXT, "device": TEXT + NOTHING, "method": TEXT, "n_max": COUNT + NOTHING,
    "baseline": TEXT + NOTHING, "requests": COUNT, "turns": LIST, "speed_tok_per_s": NUMBER + NOTHING,
    "interval_tok_per_s": LIST + NOTHING, "prompt_tok_per_s": NUMBER + NOTHING, "speedup": NUMBER + NOTHING,
    "paired_ratio": NUMBER + NOTHING, "paired_interval": LIST + NOTHING, "ratio_to_best": NUMBER + NOTHING,
    "tokens_per_step": NUMBER + NOTHING, "mean_length": NUMBER + NOTHING, "acceptance": NUMBER + NOTHING,
    "acceptance_at": LIST + NOTHING, "ttft_ms": NUMBER + NOTHING, "verdict": TEXT + NOTHING, "single_run": FLAG,
    "degenerate": FLAG, "notes": LIST,
}  # fmt: skip
"""Every key of a case that design promises, with the types that its value may have."""

DRAFTED = StepsDecoded(
    2, 101, 500.0, 150, 50, (10.0,) * 50, (2,) * 50, (3,) * 50, (1,) * 50, ((None, None, "answer", "Hi"),)
)
FULL: list[Fact] = [
    *answered(1, 1), *answered(2, 2)[:2], DRAFTED, finished(2, 101, 500.0, 150, 50), CaseFinished(1), CaseFinished(2),
    CaseFailed(3, "llama-server refused --draft-max"), CaseSkipped(4),
]  # fmt: skip
CASES = [case("none"), case("draft-mtp"), case("draft-dflash", 6), case("draft-eagle3"), case("ngram-mod", None)]


def full() -> Run:
    """A baseline, a faster case, a failed, a skipped one, and one that still runs."""
    return run_of(CASES, *FULL)


def rows(*runs: Run) -> list[Row]:
    """The cases of every model."""
    document: Row = report(runs)
    return [row for model in document["models"] for row in model["cases"]]


def row(*facts: Fact, of: Case | None = None) -> Row:
    """The only case."""
    (only,) = rows(run_of([of or case()], *facts))
    return only


def cells(line: str) -> list[str]:
    """The cells of a line of a table, as Markdown cuts it: at every pipe that is not escaped."""
    return [cell.strip() for cell in re.split(r"(?<!\\)(?:\\\\)*\|", line)[1:-1]]


def test_every_promised_key_is_there_and_has_its_type() -> None:
    """`report --format json`: for cases of every outcome, in strict JSON, keys in one order."""
    document: Row = json.loads(json.dumps(report([full()]), allow_nan=False))
    (model,) = document["models"]

    assert (1, []) == (document["format"], document["consensus"])
    assert ("Qwen3.6-27B-Q8_0", "qwen", None) == (model["model"], model["family"], model["ordering"])
    assert 5 == len(model["cases"])
    for told in model["cases"]:
        assert [] == [key for key, kinds in PROMISED.items() if type(told[key]) not in kinds]
        assert {None} == {told[key] for key in ("verdict", "interval_tok_per_s", "paired_ratio", "paired_interval")}
        assert all({"turn": int, "tokens": int} == {k: type(t[k]) for k in ("turn", "tokens")} for t in told["turns"])
        assert all(isinstance(t["speed_tok_per_s"], float) for t in told["turns"])


def test_the_figures_of_a_whole_run() -> None:
    """Twice the speed of the baseline, which is its own measure; what was not run has no figures."""
    none, mtp, *others = rows(full())

    assert ("rocm none", 1.0, 0.5, 100.0, 1, None, None) == tuple(
        none[k]
        for k in ("baseline", "speedup", "ratio_to_best", "speed_tok_per_s", "requests", "n_max", "acceptance_at")
    )
    assert ("rocm none", 2.0, 1.0, 200.0, 1, 3, [1.0, 0.0, 0.0]) == tuple(
        mtp[k]
        for k in ("baseline", "speedup", "ratio_to_best", "speed_tok_per_s", "requests", "n_max", "acceptance_at")
    )
    assert (2.0, 2.0, pytest.approx(1 / 3), 100.0) == tuple(
        mtp[k] for k in ("tokens_per_step", "mean_length", "acceptance", "ttft_ms")
    )
    for told in others:
        assert ("rocm none", 0, []) == (told["baseline"], told["requests"], told["turns"])
        assert {None} == {told[k] for k in ("speed_tok_per_s", "speedup", "ratio_to_best", "acceptance", "ttft_ms")}


def test_without_a_baseline_the_speedup_is_unknown() -> None:
    """Null in the document, a dash in the table, and a line that says why."""
    run = run_of([case()], *answered())

    assert (None, None) == (rows(run)[0]["baseline"], rows(run)[0]["speedup"])
    assert "unknown where no case without speculation" in markdown(report([run]))
    assert "unknown where no case" not in markdown(report([run_of([case("none")], *answered())]))


def test_a_baseline_that_failed_gives_no_speedup() -> None:
    """It is named all the same."""
    _, mtp = rows(run_of([case("none"), case()], CaseFailed(1, "out of memory"), *answered(1, 2)))

    assert ("rocm none", None, 100.0) == (mtp["baseline"], mtp["speedup"], mtp["speed_tok_per_s"])


def test_cases_that_gave_nothing_are_shown() -> None:
    """Failed with its reason, skipped, not done yet: each in its line of the table."""
    text = markdown(report([full()]))

    assert all(words in text for words in ("n6 (failed)", "n3 (skipped)", "n64 (unfinished)"))
    assert "- rocm dflash n6: failed: llama-server refused --draft-max" in text


def test_a_broken_answer_is_not_counted_and_said_so() -> None:
    """C31: which one, how far it came, and why."""
    broken: list[Fact] = [sent(2, prompt="p2", turn=3), finished(2, 999, 1.0, error="the engine was killed by SIGKILL")]

    told = row(*answered(1), *broken)

    assert (1, 100.0) == (told["requests"], told["speed_tok_per_s"])
    assert ["p2, turn 3, broke off after 999 tokens and is not counted: the engine was killed by SIGKILL"] == told[
        "notes"
    ]
    silent = row(sent(), finished(1, None, None, error="no"))["notes"]
    assert ["p1, turn 1, broke off and is not counted: no"] == silent


LOOP = "and so on " * 60
NOTES: list[tuple[list[Fact], str]] = [
    (answered(end=RequestFinished(1, None, None, None, 40, 900.0, None, None, "client", None, None)), "client-timed"),
    (answered(text=LOOP), "runs in a loop"),
    (answered(end=finished(1, 12, 100.0)), "only 12 tokens: too few to rank"),
    (answered(end=finished(1, 101, 1000.0, 100, 120)), "more kept tokens than drafted"),
    ([*answered(), Warned("nothing-drafted", "ngram-mod is on, yet nothing was drafted", 1)], "nothing was drafted"),
]


@pytest.mark.parametrize(("facts", "words"), NOTES, ids=[words for _, words in NOTES])
def test_what_a_reader_should_know_is_noted_once(facts: list[Fact], words: str) -> None:
    """C27, C42, C45, C39: whose clock, loops, too few tokens, impossible counts, warnings of the run."""
    told = row(*facts, *facts[-1:])
    text = markdown(report([run_of([case()], *facts)]))

    assert 1 == sum(words in note for note in told["notes"])
    assert 1 == text.count(words)
    assert (words == "runs in a loop") == told["degenerate"]


def test_unknown_is_a_dash_and_never_a_zero() -> None:
    """C42, C46: nothing drafted is no 0 %; a cached prompt has no speed."""
    text = markdown(report([run_of([case()], *answered(end=finished(1, prompt=(1, 382.5, 33))))]))

    heads, _, line = text.splitlines()[2:5]
    told = dict(zip(cells(heads), cells(line), strict=True))
    assert ("–", "–", "100.0†", "1.00") == tuple(told[k] for k in ("pp tok/s", "acceptance", "tok/s", "tok/step"))
    assert not re.search(r"\b(0 %|nan|inf|None)\b", text)


@pytest.mark.parametrize(("repeats", "expected"), [(1, True), (3, False)])
def test_a_single_run_is_marked(repeats: int, expected: bool) -> None:
    """One measurement has no spread."""
    run = run_of([case("none")], *answered(), repeats=repeats)

    assert expected is rows(run)[0]["single_run"]
    assert expected is ("†" in markdown(report([run])))


def test_several_runs_are_one_report() -> None:
    """Models stand in the order they came; the same model of two runs is one table."""
    other = replace(MODEL, name="gemma-4-31B", family="gemma", path="/models/g.gguf")
    runs = [run_of([case(), case(model=other)], *answered()), run_of([case("none")], *answered())]
    document: Row = report(runs)

    assert [("Qwen3.6-27B-Q8_0", 2), ("gemma-4-31B", 1)] == [(m["model"], len(m["cases"])) for m in document["models"]]
    assert 2 == markdown(document).count("## ")
    assert ("No cases.", []) == (markdown(report([])), report([])["models"])


HOSTILE = [
    "a|b", "a\\|b", "a\\\\|b", "a\\", "|", "||", "a\nb", "a\r\n\r\nb", "a\u2028b\x85c", "[/]",
    "[red]x[/red]", "\x1b[31mred", "a\x00b",
    "\x9b31m", "\u202eabc", "<script>alert(1)</script>", "<!-- x -->", "`a|b`", "a\tb", "\ud83d", "x" * 5000, "表|表",
    "# a", "- a",
]  # fmt: skip


def named(name: str) -> Run:
    """A run in which everything that comes from outside bears that name."""
    model = replace(MODEL, name=name, family=name, path=name)
    engine = EngineChoice(name, "binary", (name,))
    cases = [replace(case(), model=model, engine=engine, settings={"extra": [name], "ctk": name})]
    return run_of(cases, *answered(prompt_id=name, text=name), Warned("x", name, 1), CaseFailed(1, name))


def lines_of_table(text: str) -> Sequence[str]:
    """The table and nothing else."""
    return [line for line in text.split("\n") if line.startswith("|")]


@pytest.mark.parametrize("name", HOSTILE, ids=range(len(HOSTILE)))
def test_a_hostile_name_stays_in_its_cell(name: str) -> None:
    """Property 10: one title, three lines of table with as many cells each, nothing that acts, all of it visible."""
    text = markdown(report([named(name)]))

    assert 1 == text.count("\n## ") + text.startswith("## ")
    assert [8] * 3 == [len(cells(line)) for line in lines_of_table(text)]
    assert not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\ud800-\udfff]", text)
    assert not re.search(r"(?<!\\)<[A-Za-z/!?]", text.replace("<U+", ""))
    json.dumps(report([named(name)]), allow_nan=False).encode("utf-8")
    if name.isascii() and name.isprintable() and len(name) < 100 and "\\" not in name:
        assert name in re.sub(r"\\([|<])", r"\1", text.split("\n")[0])


@settings(deadline=None)
@given(st.text(st.characters()))
def test_any_name_keeps_the_table_whole(name: str) -> None:
    """Property 10, for whatever hypothesis thinks of."""
    text = markdown(report([named(name)]))

    assert [8] * 3 == [len(cells(line)) for line in lines_of_table(text)]


PARTLY: list[tuple[str, list[Fact]]] = [
    ("nothing", []),
    ("sent", [sent()]),
    ("broken", [sent(), finished(error="x\ud83d")]),
    ("no counts", [sent(), RequestFinished(1, None, None, None, None, None, None, None, None, None, None)]),
    ("failed", [CaseFailed(1, "killed")]),
    ("half a character", answered(text="x\ud83d")),
]


@pytest.mark.parametrize("facts", [facts for _, facts in PARTLY], ids=[name for name, _ in PARTLY])
def test_a_partly_filled_run_is_kept_and_reported_alike(facts: list[Fact]) -> None:
    """C82, C84: a session of it can be written, and read again it gives the same report."""
    run = run_of([case()], *facts)
    happened = [Event(seq, float(seq), fact) for seq, fact in enumerate(facts, 1)]

    again = parse(to_toml(Session({"id": "x"}, tuple(happened))).encode("utf-8"), "x")

    assert tuple(happened) == again.events
    assert "None" not in markdown(report([run]))
    json.dumps(report([run]), allow_nan=False)


def test_absurd_times_make_no_infinite_speed() -> None:
    """A session that somebody edited gives JSON that every reader takes."""
    document = report([run_of([case("none")], *answered(end=finished(1, 101, 5e-324)))])

    json.dumps(document, allow_nan=False)
    assert "inf" not in markdown(document)
