"""Runs made of a few facts, for tests of what is computed from them."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from specui.domain.events import CaseAdded, CaseStarted, Event, RunStarted
from specui.domain.plan import Case, EngineChoice, Model, Plan, Prompt, Speculation
from specui.domain.request_facts import FirstToken, RequestFinished, RequestSent, StepsDecoded
from specui.domain.run import Run, fold

if TYPE_CHECKING:
    from collections.abc import Sequence

    from specui.domain.events import Fact
    from specui.domain.request import RequestState
    from specui.domain.request_facts import Purpose

MODEL = Model("Qwen3.6-27B-Q8_0", "qwen", "/models/Qwen3.6-27B-Q8_0.gguf")
ENGINE = EngineChoice("rocm", "binary", ("llama-server",))
PLAN = Plan("a test", "demo", (Prompt("p1", ("Hello?",)),))
BETWEEN_EVENTS_S = 0.1


def case(method: str = "draft-mtp", n_max: int | None = 3, model: Model = MODEL) -> Case:
    """A case; `none` has no draft length."""
    return Case(model, ENGINE, Speculation(method, None if method == "none" else n_max))


def run_of(cases: Sequence[Case], *facts: Fact, repeats: int = 1) -> Run:
    """A run of these cases, each started, after these facts, a tenth of a second apart."""
    begun: list[Fact] = [RunStarted(replace(PLAN, repeats=repeats), {}, {})]
    begun += [CaseAdded(number, added) for number, added in enumerate(cases, 1)]
    begun += [CaseStarted(number, (), 1) for number in range(1, len(cases) + 1)]
    return fold(Event(seq, seq * BETWEEN_EVENTS_S, fact) for seq, fact in enumerate([*begun, *facts], 1))


def sent(
    request: int = 1, number: int = 1, purpose: Purpose = "measure", turn: int = 1, prompt: str = "p1"
) -> RequestSent:
    """A prompt that goes out to the case of that number."""
    return RequestSent(request, number, 1, turn, prompt, purpose, "Hello?")


def finished(
    request: int = 1,
    predicted_n: int | None = 101,
    predicted_ms: float | None = 1000.0,
    draft_n: int | None = None,
    draft_n_accepted: int | None = None,
    prompt: tuple[int | None, float | None, int | None] = (50, 100.0, 0),
    error: str | None = None,
) -> RequestFinished:
    """The end of a request by the engine's clock; `prompt` is its tokens, milliseconds and cached tokens."""
    return RequestFinished(
        request, *prompt, predicted_n, predicted_ms, draft_n, draft_n_accepted, "server", None, "stop", error
    )


def answered(
    request: int = 1,
    number: int = 1,
    turn: int = 1,
    text: str = "Hi.",
    prompt_id: str = "p1",
    end: RequestFinished | None = None,
) -> list[Fact]:
    """A measured request from its sending to its end."""
    return [
        sent(request, number, turn=turn, prompt=prompt_id),
        FirstToken(request),
        StepsDecoded(request, None, None, None, None, text=((None, None, "answer", text),)),
        end or finished(request),
    ]


def only_request(run: Run) -> RequestState:
    """The request of a run that has one."""
    (request,) = run.requests
    return request
