"""The toy that is widened for this machine: how wide, tried out once, and really run."""

from __future__ import annotations

import json
import os
import platform
import subprocess
import sys
from pathlib import Path

import pytest

from specui import builtin
from specui.cli import wide_toy as tried
from specui.cli.wide_toy import LEAST_WIDTH, MOST_WIDTH, TRIAL_WIDTH, WIDTH_STEP, suitable_width, wide_toy
from specui.domain.errors import NotKept
from specui.domain.plan import EngineChoice
from specui.domain.run import Run, fold
from specui.engines.llama.capabilities import Capabilities
from specui.journal.lines import LineReader
from specui.models.find import fingerprint

WATCHABLE_TOK_PER_S = (15.0, 100.0)
ENGINE = EngineChoice("none", "scripted")
CAN = Capabilities(None, None, "", frozenset(), ("none",), {}, True, ())


class Trials:
    """Stands for the engine: tells a speed, and counts how often it is asked."""

    def __init__(self) -> None:
        self.tok_per_s = 10.0
        self.models: list[str] = []

    def speed(self, model: Path, *_: object) -> float:
        """What the engine would have measured."""
        self.models.append(model.name)
        return self.tok_per_s


@pytest.fixture
def trials(monkeypatch: pytest.MonkeyPatch) -> Trials:
    """Trials without an engine."""
    stand_in = Trials()
    monkeypatch.setattr(tried, "trial_speed", stand_in.speed)
    return stand_in


def remembered(folder: Path) -> dict[str, object]:
    """What was kept about this machine."""
    record = json.loads((folder / "width.json").read_text())
    assert isinstance(record, dict)
    return record


@pytest.mark.parametrize(
    ("trial_tok_per_s", "width"),
    [
        (0.1, 2048),
        (5.0, 2048),
        (10.0, 4096),
        (22.5, 8192),
        (33.0, 12_288),
        (34.0, TRIAL_WIDTH),
        (45.0, TRIAL_WIDTH),
        (67.0, TRIAL_WIDTH),
        (90.0, 32_768),
        (100.0, 36_864),
        (180.0, 65_536),
        (400.0, 65_536),
        (1e6, 65_536),
    ],
)
def test_how_wide_by_the_speed_of_the_trial(trial_tok_per_s: float, width: int) -> None:
    """Half as fast, half as wide; what is near enough stays; nothing beyond the limits."""
    assert width == suitable_width(trial_tok_per_s)


def test_every_width_can_be_watched() -> None:
    """A multiple of the step within the limits, whose speed the eye can follow unless a limit forbids it."""
    speeds_tok_per_s = [tenths / 10 for tenths in range(1, 10_000)]
    widths = {speed: suitable_width(speed) for speed in speeds_tok_per_s}

    assert set(widths.values()) <= set(range(LEAST_WIDTH, MOST_WIDTH + 1, WIDTH_STEP))
    assert sorted(widths.values()) == [widths[speed] for speed in speeds_tok_per_s]
    slowest, fastest = WATCHABLE_TOK_PER_S
    expected = {speed: speed * TRIAL_WIDTH / width for speed, width in widths.items() if 10 <= speed <= 400}
    assert {} == {speed: e for speed, e in expected.items() if not slowest <= e <= fastest}


def test_the_first_call_tries_and_the_second_remembers(trials: Trials, tmp_path: Path) -> None:
    """The trial's own file is gone, the suitable one is there; the second call writes nothing."""
    path = wide_toy(tmp_path, ENGINE, CAN)
    record = {"source": fingerprint(builtin.target()), "machine": platform.node()}
    assert {**record, "width": 4096, "trial_tok_per_s": 10.0} == remembered(tmp_path)
    before = {p.name: p.stat().st_mtime_ns for p in tmp_path.iterdir()}
    assert {"lock", "target-ffn4096.gguf", "width.json"} == set(before)

    trials.tok_per_s = 400.0
    assert path == wide_toy(tmp_path, ENGINE, CAN)
    assert before == {p.name: p.stat().st_mtime_ns for p in tmp_path.iterdir()}
    assert [f"target-ffn{TRIAL_WIDTH}.gguf"] == trials.models


def test_a_trial_that_is_good_enough_is_what_is_used(trials: Trials, tmp_path: Path) -> None:
    """Its file stays."""
    trials.tok_per_s = 45.0
    assert tmp_path / f"target-ffn{TRIAL_WIDTH}.gguf" == wide_toy(tmp_path, ENGINE, CAN)
    assert {"lock", f"target-ffn{TRIAL_WIDTH}.gguf", "width.json"} == {p.name for p in tmp_path.iterdir()}


@pytest.mark.parametrize("circumstance", ["source", "machine"])
def test_a_width_of_other_circumstances_is_not_used(circumstance: str, trials: Trials, tmp_path: Path) -> None:
    """A home that several machines share, or new toys: it is tried again, and that is remembered."""
    wide_toy(tmp_path, ENGINE, CAN)
    record = remembered(tmp_path)
    (tmp_path / "width.json").write_text(json.dumps({**record, circumstance: "another", "width": 8192}))

    assert "target-ffn4096.gguf" == wide_toy(tmp_path, ENGINE, CAN).name
    assert 2 == len(trials.models)
    assert record == remembered(tmp_path)


GARBAGE = {
    "nothing": b"",
    "null": b"null",
    "true": b"true",
    "number": b"4096",
    "text": b'"4096"',
    "list": b"[4096]",
    "object": b"{}",
    "cut": b'{"width": 40',
    "no UTF-8": b'{"width": "\xff\xfe"}',
    "zeros": bytes(4096),
    "endless number": b"9" * 1_000_000,
    "deep": b"[" * 1_000_000,
    "huge": b'{"width": "' + b"x" * 20_000_000 + b'"}',
}


@pytest.mark.parametrize("garbage", GARBAGE.values(), ids=GARBAGE.keys())
def test_a_memory_that_is_garbage_is_ignored(garbage: bytes, trials: Trials, tmp_path: Path) -> None:
    """The width is tried again, and the garbage replaced."""
    (tmp_path / "width.json").write_bytes(garbage)

    assert "target-ffn4096.gguf" == wide_toy(tmp_path, ENGINE, CAN).name
    assert 1 == len(trials.models)
    assert 4096 == remembered(tmp_path)["width"]


@pytest.mark.parametrize(
    "width", [None, True, "4096", 4096.0, [4096], {}, 0, -2048, 1, 4097, MOST_WIDTH + WIDTH_STEP, 10**300]
)
def test_a_width_that_none_can_have_is_ignored(width: object, trials: Trials, tmp_path: Path) -> None:
    """Of the right source and machine though it be."""
    wide_toy(tmp_path, ENGINE, CAN)
    (tmp_path / "width.json").write_text(json.dumps({**remembered(tmp_path), "width": width}))

    assert "target-ffn4096.gguf" == wide_toy(tmp_path, ENGINE, CAN).name
    assert 2 == len(trials.models)
    assert 4096 == remembered(tmp_path)["width"]


def test_a_memory_that_cannot_be_written_costs_a_trial_each_time(trials: Trials, tmp_path: Path) -> None:
    """The toy is given all the same, and nothing unfinished is left."""
    (tmp_path / "width.json").mkdir()

    assert wide_toy(tmp_path, ENGINE, CAN) == wide_toy(tmp_path, ENGINE, CAN)
    assert 2 == len(trials.models)
    assert {"lock", "target-ffn4096.gguf", "width.json"} == {p.name for p in tmp_path.iterdir()}


def test_a_folder_that_takes_no_file_is_told_before_any_trial(trials: Trials, tmp_path: Path) -> None:
    """So that the demo can do without."""
    (tmp_path / "file").touch()
    with pytest.raises(NotKept):
        wide_toy(tmp_path / "file" / "toys", ENGINE, CAN)
    assert [] == trials.models


def specui(*words: str) -> subprocess.CompletedProcess[str]:
    """The command, run to its end."""
    return subprocess.run(
        [sys.executable, "-P", "-m", "specui", *words], capture_output=True, text=True, timeout=300, check=False
    )


def measured(*words: str) -> Run:
    """The run that a command leaves."""
    before = set(home().glob("runs/*/journal.jsonl"))
    ran = specui(*words)
    assert 0 == ran.returncode, ran.stderr
    (journal,) = set(home().glob("runs/*/journal.jsonl")) - before
    return fold(LineReader().feed(journal.read_bytes()))


def home() -> Path:
    """Where this test's runs and toys are."""
    return Path(os.environ["SPECUI_HOME"])


def texts(run: Run) -> list[list[str]]:
    """Every answer, case by case."""
    return [[r.text() for r in run.requests_of(c.number) if r.is_result] for c in run.cases]


@pytest.mark.engine
@pytest.mark.slow
def test_the_widened_toy_says_what_the_toy_says() -> None:
    """The same text under every method, MTP by the head's own file; the second run tries nothing out."""
    pytest.importorskip("xllamacpp", reason="the embedded engine is not installed")
    words = ("--engine", "embedded", "--method", "none,mtp,eagle3", "--prompts", "two-questions", "--max-tokens", "32")
    wide = measured("run", "-m", "builtin-wide", *words, "--temperature", "0", "--json")
    kept = {p.name: p.stat().st_mtime_ns for p in (home() / "cache" / "toys").iterdir()}
    assert {"lock", "width.json", f"target-ffn{remembered(home() / 'cache' / 'toys')['width']}.gguf"} == set(kept)
    small = measured("run", "-m", "builtin", *words, "--temperature", "0", "--json")
    again = measured("run", "-m", "builtin-wide", *words[:3], "none", *words[4:], "--temperature", "0", "--json")

    assert ["toy-wide"] * 3 == [c.case.model.name for c in wide.cases]
    heads = {c.case.speculation.method: c.case.speculation.draft_model for c in wide.cases}
    assert {
        "none": None,
        "draft-mtp": str(builtin.drafter("draft-mtp")),
        "draft-eagle3": str(builtin.drafter("draft-eagle3")),
    } == heads
    assert [texts(small)[0]] * 3 == texts(small) == texts(wide)
    assert texts(small)[:1] == texts(again)
    assert all(len(answers) == 2 and all(answers) for answers in texts(wide))
    assert kept == {p.name: p.stat().st_mtime_ns for p in (home() / "cache" / "toys").iterdir()}


@pytest.mark.engine
@pytest.mark.slow
def test_a_demo_without_room_measures_the_small_toy() -> None:
    """It says why, and goes on."""
    pytest.importorskip("xllamacpp", reason="the embedded engine is not installed")
    (home() / "cache").write_text("in the way")
    ran = specui("demo", "--headless", "--repeats", "1", "--json")

    assert 0 == ran.returncode, ran.stderr
    assert (
        f"the widened toy cannot be written to {home()}/cache/toys (Not a directory): let it be written there"
        in ran.stderr
    )
    assert "the demo measures the small toy" in ran.stderr
    (journal,) = home().glob("runs/*/journal.jsonl")
    plan = fold(LineReader().feed(journal.read_bytes())).plan
    assert plan is not None
    assert "the demo measures the small toy" in (plan.note or "")
    assert "toy" == json.loads(ran.stdout)["report"]["models"][0]["model"]


@pytest.mark.engine
def test_a_run_of_the_widened_toy_without_room_is_refused() -> None:
    """It was asked for by name: one sentence, and nothing is begun."""
    pytest.importorskip("xllamacpp", reason="the embedded engine is not installed")
    (home() / "cache").write_text("in the way")
    ran = specui("run", "-m", "builtin-wide", "--engine", "embedded")

    assert 2 == ran.returncode
    assert "" == ran.stdout
    assert 1 == ran.stderr.count("\n")
    assert f"the widened toy cannot be written to {home()}/cache/toys (Not a directory)" in ran.stderr
    assert [] == list(home().glob("runs/*"))
