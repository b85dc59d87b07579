"""What the toys are worth, on real engines: readable answers, drafters that differ, texts that no method changes."""

from __future__ import annotations

import os
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from specui import builtin
from specui.cli.places import places
from specui.cli.planning import find_prompts
from specui.domain.run import CaseState, Run, fold
from specui.journal.lines import LineReader
from tests.runner.engines import ENGINES

if TYPE_CHECKING:
    from specui.domain.request import RequestState

pytest.importorskip("xllamacpp", reason="the embedded engine is not installed")
pytestmark = [pytest.mark.engine, pytest.mark.slow, pytest.mark.xdist_group("toys")]

DRAFTERS = ("draft-simple", "draft-mtp", "draft-eagle3", "draft-dflash", "draft-dspark")
LEAST_ACCEPTANCE, MOST_ACCEPTANCE = 0.40, 0.95
LEAST_ANSWER_TOKENS = 150
DEADLINE_S = 400.0


@pytest.fixture(scope="module", params=ENGINES)
def core(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Run:
    """A run of every drafter on the core prompts, n_max 3, temperature 0."""
    home = tmp_path_factory.mktemp("home")
    methods = ",".join(("none", *DRAFTERS))
    words = ("--engine", request.param, "--prompts", "core", "--method", methods, "--n-max", "3")
    return measured(home, *words)


def measured(home: Path, *words: str) -> Run:
    """The run of one `specui run -m builtin`."""
    command = [sys.executable, "-P", "-m", "specui", "run", "-m", "builtin", *words]
    environment = {**os.environ, "SPECUI_HOME": str(home)}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=DEADLINE_S, check=False)
    assert 0 == done.returncode, done.stderr
    (journal,) = home.glob("runs/*/journal.jsonl")
    return fold(LineReader().feed(journal.read_bytes()))


def results(run: Run, case: CaseState) -> list[RequestState]:
    """The answers that count."""
    return [request for request in run.requests_of(case.number) if request.is_result]


def acceptance(requests: list[RequestState]) -> float:
    """Drafted tokens kept / drafted tokens, of all the requests together."""
    sums: Counter[str] = Counter()
    for request in requests:
        assert request.finished is not None
        sums["drafted"] += request.finished.draft_n or 0
        sums["kept"] += request.finished.draft_n_accepted or 0
    return sums["kept"] / sums["drafted"]


def of_method(run: Run) -> dict[str, list[RequestState]]:
    """The answers by method."""
    return {case.case.speculation.method: results(run, case) for case in run.cases}


def test_no_method_changes_a_text(core: Run) -> None:
    """All 32 answers to the 24 prompts are the same, whatever drafts."""
    texts = {method: [r.text() for r in answers] for method, answers in of_method(core).items()}

    assert 32 == len(texts["none"])
    for method in DRAFTERS:
        assert texts["none"] == texts[method], method


def test_every_drafter_is_good_but_not_perfect(core: Run) -> None:
    """Each lies within the limits, and the best is clearly better than the worst."""
    rates = {m: acceptance(answers) for m, answers in of_method(core).items() if m != "none"}

    assert [] == [(m, rate) for m, rate in rates.items() if not LEAST_ACCEPTANCE <= rate <= MOST_ACCEPTANCE]
    assert max(rates.values()) - min(rates.values()) >= 0.05


def test_some_work_is_easy_and_some_is_hard(core: Run) -> None:
    """The easiest kind of prompt lies at least 0.3 above the hardest, and 0.25 for each drafter alone."""
    kinds = {p.id: p.category for p in find_prompts("core", places(), Path.cwd()).prompts}
    assert 8 == len(set(kinds.values()))
    drafted = {method: answers for method, answers in of_method(core).items() if method != "none"}
    every = [answer for answers in drafted.values() for answer in answers]

    assert spread(every, kinds) >= 0.3
    assert [] == [method for method, answers in drafted.items() if spread(answers, kinds) < 0.25]


def spread(answers: list[RequestState], kinds: dict[str, str | None]) -> float:
    """How far the easiest kind lies above the hardest."""
    rates = [acceptance([a for a in answers if kinds[a.prompt_id] == kind]) for kind in set(kinds.values())]
    return max(rates) - min(rates)


def test_the_two_questions_are_answered_at_length(core: Run) -> None:
    """Both answers end by themselves, are long enough, and speak of what was asked."""
    who, coding = (r for r in of_method(core)["none"] if r.prompt_id == "chat-1")
    assert ["stop", "stop"] == [r.finished.stop_reason for r in (who, coding) if r.finished]
    assert min(who.predicted_n, coding.predicted_n) >= LEAST_ANSWER_TOKENS
    assert "toy language model" in who.text()
    assert "speculative decoding" in who.text()
    assert "Python" in coding.text()


def test_the_head_works_from_its_own_file(tmp_path: Path, core: Run) -> None:
    """draft-mtp with the separate head accepts exactly what the one inside the target does, and writes the same."""
    engine = core.cases[0].case.engine
    name = engine.name if engine.kind == "embedded" else engine.command[0]
    head = str(builtin.drafter("draft-mtp"))
    words = ("--engine", name, "--prompts", "core", "--method", "draft-mtp", "--n-max", "3", "-md", head)
    apart = of_method(measured(tmp_path, *words, "--no-baseline"))["draft-mtp"]
    inside = of_method(core)["draft-mtp"]

    assert [r.text() for r in inside] == [r.text() for r in apart]
    assert acceptance(inside) == acceptance(apart)
