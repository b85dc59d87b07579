"""The lines around the panels: what runs, what the engine really did, and how the cases did so far."""

from __future__ import annotations

from typing import TYPE_CHECKING

from specui.domain import live
from specui.domain.metrics import speedup
from specui.domain.summary import server_speed
from specui.domain.text import number, one_line, percent, times
from specui.tui.pictures.rows import Row, cut, joined, outside, row_width, spread

if TYPE_CHECKING:
    from specui.domain.request import RequestState
    from specui.domain.run import CaseState, Run
    from specui.domain.units import Seconds

SILENT_S: Seconds = 3.0
"""After so long without a token an answer counts as silent."""

LEGEND: Row = (
    ("frame", " "), ("origin-draft", "drafted"), ("frame", " "), ("origin-target", "target's own"), ("frame", " ─"),
)  # fmt: skip
"""What the shades of the lens mean."""


def headline(run: Run, state_word: str, width: int) -> Row:
    """What runs and how far it is, on one row; `state_word` says how it is watched."""
    state = live.current_case(run)
    right: list[Row] = [(("accent", state_word),), (("text", clock(run.t)),)]
    if state is not None:
        right.append((("dim", "case "), ("text", f"{state.number}/{len(run.cases)}")))
        repeats = run.plan.repeats if run.plan else 1
        request = live.current_request(run)
        if repeats > 1 and request is not None and request.purpose in ("measure", "ask"):
            right.append((("dim", "rep "), ("text", f"{request.repeat}/{repeats}")))
    ending = joined(right, width, "  ")
    name = outside(state.case.model.name if state else run.plan.title if run.plan else "", max(20, width // 3))
    label = one_line(state.case.label(), 120) if state else ""
    toy = state is not None and state.case.model.toy
    left: Row = (
        ("title", name),
        ("warning", " (toy)" if toy else ""),
        ("dim", " · " if label else ""),
        ("text", label),
    )
    return spread(left, (("text", "  "), *ending), width)


def after_load(run: Run, width: int) -> Row:
    """What the engine really did after loading, or what it is doing before that."""
    state = live.current_case(run)
    if state is None:
        return cut((("dim", "no case has begun"),), width)
    if state.progress == "failed":
        return cut((("bad", "failed: "), ("text", outside(state.reason or "for no reason given", width - 8))), width)
    ready = state.ready
    if ready is None:
        return cut(_loading(state, run.t), width)
    parts: list[Row] = []
    if ready.layers is not None and ready.layers_on_gpu is not None:
        parts.append((("text", f"{ready.layers_on_gpu}/{ready.layers} layers on GPU"),))
    if ready.device:
        parts.append((("text", one_line(ready.device, 40)),))
    if ready.n_ctx is not None:
        parts.append((("text", f"ctx {ready.n_ctx}"),))
    if ready.speculative is not None:
        parts.append((("text", f"speculation {'on' if ready.speculative else 'off'}"),))
    if ready.thinking is not None:
        parts.append((("text", f"thinking {'on' if ready.thinking else 'off'}"),))
    if ready.build:
        parts.append((("text", one_line(ready.build, 30)),))
    word = server_speed([r for r in run.requests if r.case == state.number and r.is_result])
    if word is not None:
        parts.append((("dim", "engine's own word "), ("text", f"{number(word)} tok/s")))
    return joined(parts, width)


def doing(run: Run) -> Row:
    """What happens at this moment, in a few words."""
    request = live.current_request(run)
    state = live.current_case(run)
    if run.progress != "running" or state is None or state.progress != "running":
        return ()
    if request is None or request.finished is not None:
        return (("dim", "between requests" if request else "waiting for the first request"),)
    purpose = "" if request.purpose in ("measure", "ask") else f"{request.purpose}: "
    if request.first_token_at is None:
        return (("dim", purpose), *_prompt(request, run.t))
    silence = run.t - (request.readings[-1][0] if len(request.readings) else request.first_token_at)
    if silence >= SILENT_S:
        return (("warning", f"{purpose}no token for {silence:.0f} s"),)
    return (("dim", f"{purpose}answering"),)


def so_far(run: Run, width: int) -> Row:
    """The cases of this run that have figures, each with its speed-up: `none 12.1 → mtp n3 18.2 (1.50×)`."""
    current = live.current_case(run)
    parts: list[Row] = []
    speeds: list[float] = []
    at = 0
    labels = [set(state.case.label().split()) for state in run.cases]
    shared = set.intersection(*labels) if len(labels) > 1 else set()
    for state in run.cases:
        if state.progress == "waiting" or (current and state.case.model.path != current.case.model.path):
            continue
        speed = live.figures(run, state.number).speed
        base = live.baseline_of(run, state.number)
        gain = speedup(speed, live.figures(run, base.number).speed if base else None)
        label = one_line(" ".join(w for w in state.case.label().split() if w not in shared) or state.case.label(), 40)
        style = "text" if current is not None and state.number == current.number else "dim"
        told: Row = (
            (style, f"{label} "),
            ("speed", number(speed)) if speed else ("bad" if state.progress == "failed" else "dim", state.progress),
        )
        if gain is not None:
            told = (*told, ("good" if gain >= 1 else "bad", f" ({times(gain)})"))
        if speed and state.progress in ("skipped", "failed"):
            told = (*told, ("dim", f" {state.progress}"))
        if current is not None and state.number == current.number:
            at = len(parts)
        parts.append(told)
        speeds.append(speed or 0.0)
    kept = _telling(parts, speeds, at, width - 8)
    return cut((("dim", "so far  "), *joined(kept, width - 8, " → ")), width) if parts else ()


def question(request: RequestState | None, width: int, *, has_lens: bool = False) -> Row:
    """The header of the answer: which question, how long the answer is, how deep the context, what shades mean."""
    if request is None:
        return spread(
            (
                ("frame", "─ "),
                ("dim", "no question yet "),
            ),
            (("frame", "─"),),
            width,
            "─",
            "frame",
        )
    name = {"measure": f"Q{request.turn}", "ask": f"Q{request.turn}"}.get(request.purpose, request.purpose)
    counts = f"{request.predicted_n} tok"
    depth = _depth(request)
    if depth is not None:
        counts += f" · depth {depth}"
    ended = request.finished.stop_reason if request.finished else None
    if request.finished is not None and request.finished.error:
        counts += " · broken off"
    elif ended == "length":
        counts += " · cut at its limit"
    asked = outside(request.prompt, max(0, width - len(name) - len(counts) - 9))
    left: Row = (("frame", "─ "), ("title", name), ("dim", f"  {counts}  "), ("text", f"{asked} "))
    fits = has_lens and request.bound > 0 and row_width(left) + row_width(LEGEND) + 2 <= width
    return spread(left, LEGEND if fits else (("frame", "─"),), width, "─", "frame")


def clock(seconds: Seconds) -> str:
    """A length of time: `00:41`, `1:02:03`."""
    whole = int(seconds)
    hours, rest = divmod(whole, 3600)
    return f"{hours}:{rest // 60:02}:{rest % 60:02}" if hours else f"{rest // 60:02}:{rest % 60:02}"


def _telling(parts: list[Row], speeds: list[float], current: int, width: int) -> list[Row]:
    """As many parts as fit, in their order: the first, the fastest and the current one before the latest.

    What is left out is told by a sign.
    """
    fastest = max(range(len(parts)), key=speeds.__getitem__, default=0)
    wanted = list(dict.fromkeys([0, fastest, current, *reversed(range(len(parts)))])) if parts else []
    gap: Row = (("dim", "…"),)
    best: list[Row] = []
    for count in range(1, len(wanted) + 1):
        chosen = sorted(wanted[:count])
        shown: list[Row] = []
        for place, index in enumerate(chosen):
            if index > (chosen[place - 1] + 1 if place else 0):
                shown.append(gap)
            shown.append(parts[index])
        if chosen[-1] < len(parts) - 1:
            shown.append(gap)
        if sum(row_width(part) for part in shown) + 3 * (len(shown) - 1) > width and best:
            break
        best = shown
    return best


def _loading(state: CaseState, now: Seconds) -> Row:
    """What is waited for, for how long, and how to end the wait."""
    loading = state.loading
    waited = now - (state.begun_at or 0.0)
    rest: Row = (("dim", f"  for {waited:.0f} s" + (", n leaves this case" if state.progress == "running" else "")),)
    if loading is None:
        return (
            ("text", "starting the engine" if state.starting is None else "the engine has started; it loads"),
            *rest,
        )
    share = f" {percent(loading.fraction)}" if loading.fraction is not None else ""
    return (("text", f"loading {one_line(loading.stage, 40).replace('_', ' ')}{share}"), *rest)


def _prompt(request: RequestState, now: Seconds) -> Row:
    progress = request.progress
    if progress is None or not progress.total:
        return (("dim", f"prompt sent {now - request.sent_at:.0f} s ago"),)
    share = progress.processed / progress.total
    return (("dim", "prompt "), ("text", f"{progress.processed}/{progress.total} tok ({percent(share)})"))


def _depth(request: RequestState) -> int | None:
    """Tokens in the context: the prompt with what was cached, and the answer."""
    if request.progress is not None:
        return request.progress.total + request.predicted_n
    done = request.finished
    if done is None or done.prompt_n is None:
        return None
    return done.prompt_n + (done.cache_n or 0) + request.predicted_n
