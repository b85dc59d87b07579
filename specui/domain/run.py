"""A run as one value: the fold of its facts, and nothing else."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, TypeAlias, assert_never

from specui.domain import events as ev
from specui.domain.changed import changed
from specui.domain.events import Event, Fact
from specui.domain.plan import Case, Plan
from specui.domain.request import RequestState, counter_rise, sent
from specui.domain.series import Series
from specui.domain.units import Record, Seconds

if TYPE_CHECKING:
    from collections.abc import Iterable

CaseProgress: TypeAlias = Literal["waiting", "running", "finished", "failed", "skipped"]
RunProgress: TypeAlias = Literal["running", "held", "paused", "finished", "failed", "stopped"]


@dataclass(frozen=True, eq=False)
class CaseState:
    """A case and what became of it."""

    number: int
    case: Case
    progress: CaseProgress = "waiting"
    reason: str | None = None
    argv: tuple[str, ...] = ()
    env: Record = field(default_factory=dict)
    repeat: int = 0
    begun_at: Seconds | None = None
    """When its engine was about to be started."""
    starting: ev.ServerStarting | None = None
    loading: ev.ServerLoading | None = None
    ready: ev.ServerReady | None = None
    exited: ev.ServerExited | None = None
    counters: ev.CountersRead | None = None
    """The last reading of the engine that runs now."""

    def as_record(self) -> Record:
        """Plain values, for comparing states."""
        return {
            "number": self.number,
            "label": self.case.label(),
            "progress": self.progress,
            "reason": self.reason,
            "argv": list(self.argv),
            "load_ms": self.ready.load_ms if self.ready else None,
            "build": self.ready.build if self.ready else None,
            "exit": [self.exited.code, self.exited.signal, self.exited.asked] if self.exited else None,
        }


@dataclass(frozen=True, eq=False)
class Run:
    """Everything known about a run after its latest event."""

    plan: Plan | None = None
    host: Record = field(default_factory=dict)
    versions: Record = field(default_factory=dict)
    progress: RunProgress = "running"
    seq: int = 0
    t: Seconds = 0.0
    lost: int = 0
    """Events whose lines are missing or damaged."""
    cases: tuple[CaseState, ...] = ()
    requests: tuple[RequestState, ...] = ()
    warnings: Series[ev.Warned] = Series()
    marks: Series[tuple[Seconds, str]] = Series()
    wishes: Series[tuple[Seconds, ev.Requested]] = Series()
    gpu_samples: Series[tuple[Seconds, ev.GpuSampled]] = Series()
    host_samples: Series[tuple[Seconds, ev.HostSampled]] = Series()
    unknown: Series[Event] = Series()

    def case(self, number: int) -> CaseState | None:
        """The case of that number; None where its line was lost."""
        return next((c for c in self.cases if c.number == number), None)

    def request(self, number: int) -> RequestState | None:
        """The request of that number; None where its line was lost."""
        return next((r for r in reversed(self.requests) if r.number == number), None)

    def requests_of(self, case: int) -> tuple[RequestState, ...]:
        """Every request of a case, probes and warm-ups included."""
        return tuple(r for r in self.requests if r.case == case)

    def as_record(self) -> Record:
        """Plain values, for comparing states."""
        return {
            "title": self.plan.title if self.plan else None,
            "progress": self.progress,
            "seq": self.seq,
            "t": self.t,
            "lost": self.lost,
            "cases": [c.as_record() for c in self.cases],
            "requests": [r.as_record() for r in self.requests],
            "warnings": [[w.code, w.text] for w in self.warnings],
            "marks": [[t, label] for t, label in self.marks],
            "wishes": [[t, w.what, w.by] for t, w in self.wishes],
            "gpu_samples": [[t, s.device, s.busy, s.power_w] for t, s in self.gpu_samples],
            "host_samples": len(self.host_samples),
            "unknown": [[e.seq, e.fact.kind] for e in self.unknown if isinstance(e.fact, ev.Unknown)],
        }


def fold(happened: Iterable[Event], run: Run | None = None) -> Run:
    """The run after all of `happened`, begun from `run`; folding in parts gives the same."""
    state = run or Run()
    for event in happened:
        state = apply(state, event)
    return state


def apply(run: Run, event: Event) -> Run:
    """The run after one more event. An event that was applied before changes nothing."""
    if event.seq <= run.seq:
        return run
    placed = changed(run, seq=event.seq, t=max(run.t, event.t), lost=run.lost + event.seq - run.seq - 1)
    return _after(placed, event, event.fact, event.t)


def _after(run: Run, event: Event, fact: Fact, t: Seconds) -> Run:
    match fact:
        case (
            ev.StepsDecoded() | ev.RequestSent() | ev.PromptProgressed() | ev.FirstToken() | ev.StepCostsRead()
            | ev.RequestFinished() | ev.ServerWordRead()
        ):  # fmt: skip
            return _after_request(run, fact, run.t)
        case ev.RunStarted():
            return changed(run, plan=fact.plan, host=fact.host, versions=fact.versions)
        case ev.CaseAdded() | ev.CaseStarted() | ev.CaseFinished() | ev.CaseFailed() | ev.CaseSkipped():
            return _after_case(run, fact)
        case ev.ServerStarting() | ev.ServerLoading() | ev.ServerReady() | ev.ServerExited() | ev.CountersRead():
            return _after_server(run, fact)
        case ev.GpuSampled():
            return changed(run, gpu_samples=run.gpu_samples.appended((run.t, fact)))
        case ev.HostSampled():
            return changed(run, host_samples=run.host_samples.appended((run.t, fact)))
        case ev.Warned():
            return changed(run, warnings=run.warnings.appended(fact))
        case ev.Marked():
            return changed(run, marks=run.marks.appended((t, fact.label)))
        case ev.Requested():
            return changed(run, wishes=run.wishes.appended((t, fact)))
        case ev.RunHeld():
            return changed(run, progress="held")
        case ev.RunPaused():
            return changed(run, progress="paused")
        case ev.RunResumed():
            return changed(run, progress="running")
        case ev.RunFinished():
            return changed(run, progress=fact.outcome)
        case ev.Unknown():
            return changed(run, unknown=run.unknown.appended(event))
        case _:
            assert_never(fact)


def _after_case(
    run: Run, fact: ev.CaseAdded | ev.CaseStarted | ev.CaseFinished | ev.CaseFailed | ev.CaseSkipped
) -> Run:
    if isinstance(fact, ev.CaseAdded):
        return changed(run, cases=(*run.cases, CaseState(fact.case, fact.configuration)))
    state = run.case(fact.case)
    if state is None:
        return run
    match fact:
        case ev.CaseStarted():
            fresh = CaseState(state.number, state.case, "running", argv=fact.argv, repeat=fact.repeat, begun_at=run.t)
            return changed(_with_case(run, fresh), progress="running")
        case ev.CaseFinished():
            return _with_case(run, changed(state, progress="finished"))
        case ev.CaseFailed():
            return _with_case(run, changed(state, progress="failed", reason=fact.reason))
        case ev.CaseSkipped():
            return _with_case(run, changed(state, progress="skipped"))
        case _:
            assert_never(fact)


def _after_server(
    run: Run, fact: ev.ServerStarting | ev.ServerLoading | ev.ServerReady | ev.ServerExited | ev.CountersRead
) -> Run:
    state = run.case(fact.case)
    if state is None:
        return run
    match fact:
        case ev.ServerStarting():
            return _with_case(run, changed(state, starting=fact, argv=fact.argv, env=fact.env, counters=None))
        case ev.ServerLoading():
            return _with_case(run, changed(state, loading=fact))
        case ev.ServerReady():
            return _with_case(run, changed(state, ready=fact))
        case ev.ServerExited():
            return _with_case(run, changed(state, exited=fact))
        case ev.CountersRead():
            request = run.request(fact.request) if fact.request is not None else None
            read = _with_case(run, changed(state, counters=fact))
            return _with_request(read, changed(request, rise=counter_rise(state.counters, fact))) if request else read
        case _:
            assert_never(fact)


RequestFact: TypeAlias = (
    ev.RequestSent | ev.PromptProgressed | ev.FirstToken | ev.StepsDecoded | ev.StepCostsRead
    | ev.RequestFinished | ev.ServerWordRead
)  # fmt: skip


def _after_request(run: Run, fact: RequestFact, t: Seconds) -> Run:
    if isinstance(fact, ev.RequestSent):
        state = run.case(fact.case)
        bound = state.case.speculation.draft_bound() if state else 0
        return changed(run, requests=(*run.requests, sent(fact, t, bound)))
    request = run.request(fact.request)
    if request is None:
        return run
    match fact:
        case ev.StepsDecoded():  # nine of ten lines: it is asked for first
            return _with_request(run, request.with_steps(fact, t))
        case ev.PromptProgressed():
            return _with_request(run, request.with_progress(fact))
        case ev.FirstToken():
            return _with_request(run, changed(request, first_token_at=t))
        case ev.StepCostsRead():
            return _with_request(run, changed(request, costs=fact))
        case ev.RequestFinished():
            return _with_request(run, request.with_end(fact, t))
        case ev.ServerWordRead():
            return _with_request(run, changed(request, server_word=fact.tok_per_s))
        case _:
            assert_never(fact)


def _with_case(run: Run, state: CaseState) -> Run:
    return changed(run, cases=tuple(state if c.number == state.number else c for c in run.cases))


def _with_request(run: Run, state: RequestState) -> Run:
    last = len(run.requests) - 1
    if last >= 0 and run.requests[last].number == state.number:
        return changed(run, requests=(*run.requests[:last], state))
    return changed(run, requests=tuple(state if r.number == state.number else r for r in run.requests))
