"""Real runs of real engines on the toys: what a person starts, and what kills it."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from specui.domain import events as ev
from specui.domain.run import Run, fold
from specui.journal import lock
from specui.journal.lines import LineReader
from tests.runner.engines import ENGINES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from specui.domain.events import Event

pytest.importorskip("xllamacpp", reason="the embedded engine is not installed")
pytestmark = pytest.mark.engine

METHODS = (
    "none",
    "draft-simple",
    "draft-mtp",
    "draft-eagle3",
    "draft-dflash",
    "draft-dspark",
    "ngram-simple",
    "ngram-mod",
)
DEADLINE_S = 60.0
DEMO_S = 400.0
"""A demo takes a minute or two, and longer where others work beside it."""


def specui(*words: str) -> subprocess.CompletedProcess[str]:
    """The command, run to its end."""
    return subprocess.run(
        [sys.executable, "-P", "-m", "specui", *words],
        capture_output=True,
        text=True,
        timeout=DEADLINE_S * 3,
        check=False,
    )


def journal() -> Path:
    """The journal of the only run."""
    return next(Path(os.environ["SPECUI_HOME"]).glob("runs/*/journal.jsonl"))


def events() -> list[Event]:
    """What the journal holds by now."""
    found = list(Path(os.environ["SPECUI_HOME"]).glob("runs/*/journal.jsonl"))
    return LineReader().feed(found[0].read_bytes()) if found else []


def until(kind: type[ev.Fact], count: int = 1) -> list[Event]:
    """The events once the journal holds some of a kind."""
    end = time.monotonic() + DEADLINE_S
    while time.monotonic() < end:
        happened = events()
        if sum(isinstance(e.fact, kind) for e in happened) >= count:
            return happened
        time.sleep(0.005)
    raise AssertionError(f"no {kind.__name__} within {DEADLINE_S} s")


def lives(pid: int) -> bool:
    """Whether a process runs; a zombie does not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] not in "ZX"
    except OSError:
        return False


def engines_of(happened: list[Event]) -> list[int]:
    """The process numbers of every engine that was started."""
    return [e.fact.pid for e in happened if isinstance(e.fact, ev.ServerStarting)]


def all_gone(pids: list[int], within_s: float = 5.0) -> bool:
    """Whether none of the processes lives any more."""
    end = time.monotonic() + within_s
    while any(map(lives, pids)) and time.monotonic() < end:
        time.sleep(0.01)
    return not any(map(lives, pids))


@pytest.fixture
def detached() -> Iterator[int]:
    """A run of the toys that takes a while, in the background; gives its runner's process number."""
    words = ["run", "-m", "builtin", "--method", "none,draft-mtp", "--repeats", "400", "--prompts", "demo", "--detach"]
    ran = specui(*words)
    assert 0 == ran.returncode, ran.stderr
    happened = until(ev.ServerStarting)
    runner = int(Path(f"/proc/{engines_of(happened)[0]}/stat").read_text().rsplit(")", 1)[1].split()[1])
    yield runner
    if lives(runner):
        os.kill(runner, signal.SIGKILL)


@pytest.mark.parametrize("engine", ENGINES)
def test_every_method_really_speculates(engine: str) -> None:
    """All kinds on the toys: real drafts, balanced books, per-position counts as the engine's own, no text changed."""
    ran = specui(
        "run", "-m", "builtin", "--engine", engine, "--method", ",".join(METHODS), "--prompts", "demo", "--json"
    )
    assert 0 == ran.returncode, ran.stderr
    run = fold(events())

    by_method = {c.case.speculation.method: c for c in run.cases}
    assert set(METHODS) == set(by_method)
    for method, state in by_method.items():
        assert state.ready is not None
        assert (method != "none") == state.ready.speculative
        drafted = sum(r.finished.draft_n or 0 for r in run.requests_of(state.number) if r.finished)
        assert drafted > 0 or not method.startswith("draft-"), method
        assert drafted == 0 or method != "none"
    assert_books_balance(run)
    assert_engines_were_sampled(run)
    texts = {m: [r.text() for r in run.requests_of(c.number) if r.is_result] for m, c in by_method.items()}
    assert [texts["none"]] * len(METHODS) == list(texts.values())
    report = json.loads(ran.stdout)["report"]["models"][0]["cases"]
    assert 1.0 == next(c["speedup"] for c in report if c["method"] == "none")
    assert len({c["acceptance"] for c in report if c["method"].startswith("draft-")}) == 5


def assert_books_balance(run: Run) -> None:
    """The accounting identity, and positions from steps against the engine's counters, for every request."""
    for request in run.requests:
        books = request.accounting()
        assert books is not None
        assert 0 == books.difference(), request.as_record()
        from_steps = request.accepted_per_position
        assert request.rise is not None
        counted = request.rise.per_position
        if counted is not None and not request.has_merged_groups:
            assert from_steps is not None
            assert counted == from_steps[: len(counted)]
        assert request.finished is not None
        assert request.server_word is not None
        ours = 1000 * (request.predicted_n - 1) / (request.finished.predicted_ms or 1)
        assert request.predicted_n < 2 or abs(ours / request.server_word - 1) < 0.005


def assert_engines_were_sampled(run: Run) -> None:
    """Every reading belongs to a case and holds the engine's memory, unless it was just ending."""
    samples = [sample for _, sample in run.host_samples]
    assert {s.case for s in samples} <= {c.number for c in run.cases}
    assert 1 in {s.case for s in samples if (s.rss_bytes or 0) > 1 << 20 and s.available_bytes}
    assert [] == [s for s in samples if s.engine_cpu is not None and s.engine_cpu < 0]
    assert max((s.engine_cpu or 0) for s in samples) > 0


@pytest.mark.parametrize("seed", range(50))
def test_a_killed_runner_takes_its_engine_along(seed: int, detached: int) -> None:
    """KILL at a random moment: no engine lives on, the journal reads, the run is crashed and can be exported."""
    time.sleep(random.Random(seed).uniform(0.0, 1.0))
    os.kill(detached, signal.SIGKILL)

    assert all_gone([detached])
    happened = events()
    assert all_gone(engines_of(happened))
    assert list(range(1, len(happened) + 1)) == [e.seq for e in happened]
    assert not lock.is_held(journal())
    listed = json.loads(specui("list", "--json").stdout)
    assert ["crashed"] == [row["state"] for row in listed]
    exported = specui("export", "last")
    assert 0 == exported.returncode, exported.stderr
    assert 0 == specui("report", exported.stdout.strip()).returncode


def test_term_ends_a_run_cleanly(detached: int) -> None:
    """TERM to the runner: the case is closed, the engine stopped, the last word written."""
    until(ev.RequestFinished, 3)
    os.kill(detached, signal.SIGTERM)

    happened = until(ev.RunFinished)
    assert ev.RunFinished("stopped") == happened[-1].fact
    assert [True] == [e.fact.asked for e in happened if isinstance(e.fact, ev.ServerExited)]
    assert all_gone(engines_of(happened))
    assert all_gone([detached])


def test_a_hang_up_changes_nothing(detached: int) -> None:
    """HUP is what a closed terminal sends: the run goes on."""
    until(ev.RequestFinished, 2)
    os.kill(detached, signal.SIGHUP)
    count = sum(isinstance(e.fact, ev.RequestFinished) for e in events())

    until(ev.RequestFinished, count + 3)
    assert lives(detached)


def test_wishes_reach_a_living_run(detached: int) -> None:
    """Skip goes on to the next case, a mark is kept, stop ends; each with the one who wished it."""
    until(ev.RequestFinished, 2)
    assert 0 == specui("mark", "last", "here [/]").returncode
    assert 0 == specui("skip").returncode
    until(ev.CaseStarted, 2)
    assert 0 == specui("stop", "last").returncode

    run = fold(until(ev.RunFinished))
    assert ["mark", "skip", "stop"] == [w.what for _, w in run.wishes]
    assert ["here [/]"] == [label for _, label in run.marks]
    assert ["skipped", "skipped"] == [c.progress for c in run.cases]
    assert all_gone(engines_of(events()))
    late = specui("stop", "last")
    assert 2 == late.returncode
    assert "has ended" in late.stderr


@pytest.mark.slow
def test_a_demo_prints_its_table_and_its_session() -> None:
    """Without a terminal the demo measures by itself, draws nothing, and ends on the table and the session's path.

    The session reports the same again.
    """
    command = [sys.executable, "-P", "-m", "specui", "demo"]
    ran = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=DEMO_S, check=False)

    assert 0 == ran.returncode, ran.stderr
    path = ran.stdout.strip().splitlines()[-1]
    table = specui("report", path, "--format", "md").stdout
    assert table.strip() in ran.stdout
    assert "1.00×" in table
    assert "padded with zeros" in ran.stderr
    assert "\x1b" not in ran.stdout + ran.stderr
    cases = json.loads(specui("report", "last", "--format", "json").stdout)["models"][0]["cases"]
    labels = ["embedded none", "embedded mtp n3", "embedded dflash n6", "embedded eagle3 n3"]
    assert labels == [c["label"] for c in cases]
    assert 4 == len({c["speed_tok_per_s"] for c in cases})
    again = specui("run", path, "--max-tokens", "8", "--json")
    assert 0 == again.returncode, again.stderr
