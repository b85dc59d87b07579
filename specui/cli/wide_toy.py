"""The widened toy of this machine: as wide as lets plain decoding be watched, by a short trial."""

from __future__ import annotations

import asyncio
import fcntl
import json
import os
import platform
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from specui import builtin
from specui.builtin import keeping
from specui.cli.output import note
from specui.domain.errors import SpecuiError
from specui.domain.plan import Case, EngineChoice, Limits, Speculation, Workload
from specui.domain.request_facts import RequestFinished
from specui.engines.base import Question
from specui.engines.llama.engine import LlamaEngine
from specui.models.find import described, fingerprint

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from specui.domain.events import Fact
    from specui.domain.units import Record, Seconds
    from specui.engines.llama.capabilities import Capabilities

WANTED_TOK_PER_S = 45.0
"""Plain decoding that the eye can follow. A trial on a busy machine misses it; 15 … 100 is still watchable."""

TRIAL_WIDTH = 16_384
LEAST_WIDTH, MOST_WIDTH = 2_048, 65_536
WIDTH_STEP = 2_048
GOOD_ENOUGH = (0.75, 1.5)
"""The trial's own width stays where its speed is within these shares of what is wanted."""

TRIAL_TOKENS = 64
TRIAL_LIMITS = Limits(stall_s=60.0, request_s=120.0)
REMEMBERED = "width.json"


def wide_toy(folder: Path, engine: EngineChoice, can: Capabilities) -> Path:
    """The target, widened for this machine and kept in the folder; the first call tries out how wide.

    Raises UnreadableFile, NotKept or EngineError.
    """
    source = builtin.target()
    with _alone(folder):
        return _made(source, folder, engine, can)


def _made(source: Path, folder: Path, engine: EngineChoice, can: Capabilities) -> Path:
    known = _remembered(folder, source)
    if known is not None:
        return keeping.kept(source, folder, known)
    trial = keeping.kept(source, folder, TRIAL_WIDTH)
    note("trying how wide the toy has to be made to be watched on this machine; it is kept for later starts")
    speed = trial_speed(trial, engine, can)
    width = suitable_width(speed)
    path = keeping.kept(source, folder, width)
    _remember(folder, source, width, speed)
    if path != trial:
        with suppress(OSError):
            trial.unlink()
    return path


def suitable_width(trial_tok_per_s: float) -> int:
    """The feed-forward width that should decode at the wanted speed, by what TRIAL_WIDTH decoded at."""
    share = trial_tok_per_s / WANTED_TOK_PER_S
    if GOOD_ENOUGH[0] <= share <= GOOD_ENOUGH[1]:
        return TRIAL_WIDTH
    steps = round(TRIAL_WIDTH * share / WIDTH_STEP)
    return min(max(steps * WIDTH_STEP, LEAST_WIDTH), MOST_WIDTH)


def trial_speed(model: Path, engine: EngineChoice, can: Capabilities) -> float:
    """Tokens a second of one short plain answer. Raises EngineError where there is none."""
    case = Case(described(model, builtin.WIDE_NAME, toy=True), engine, Speculation())
    heard = _Ear()
    log = model.with_name("trial.log")
    token = f"specui-trial-{os.getpid()}"
    llama = LlamaEngine(can, lambda _: log, dict(os.environ), token)
    asyncio.run(_asked(llama, case, heard))
    log.unlink(missing_ok=True)
    speed = heard.tok_per_s()
    if speed is None:
        raise SpecuiError(f"the engine {engine.name} did not tell how fast it answered with the widened toy")
    return speed


@dataclass(slots=True)
class _Ear:
    """Takes the facts of the trial, which nobody journals."""

    finished: list[RequestFinished] = field(default_factory=list)

    def emit(self, fact: Fact) -> Seconds:
        """Keep what bears on speed. The trial's numbers are the engine's own, so no clock is needed."""
        if isinstance(fact, RequestFinished):
            self.finished.append(fact)
        return 0.0

    def tok_per_s(self) -> float | None:
        """The speed of the last answer, by the engine's clock."""
        if not self.finished:
            return None
        last = self.finished[-1]
        if last.error is not None or not last.predicted_n or not last.predicted_ms:
            return None
        return 1000 * (last.predicted_n - 1) / last.predicted_ms or None


async def _asked(engine: LlamaEngine, case: Case, heard: _Ear) -> None:
    workload = Workload(max_tokens=TRIAL_TOKENS, temperature=0.0, seed=1)
    prompt = "Hey, who are you and what are your capabilities?"
    async with engine.serving(0, case, heard.emit) as server:
        # The first answer finds nothing in any cache; the second is what a run would see.
        for request in range(2):
            question = Question(request, 0, 0, 0, "trial", "measure", prompt, (), workload, TRIAL_LIMITS)
            await server.ask(question)


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """Waits until no other process tries out the width: each would slow down the other's trial."""
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        lock = (folder / "lock").open("a")
    except OSError:
        yield  # nobody can write here: what lies here already may do, and making it anew says why it cannot
        return
    with lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            note("another specui is about to make the widened toy: waiting for it")
            fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _remembered(folder: Path, source: Path) -> int | None:
    """The width that was found for this source on this machine; None where nothing usable is kept."""
    try:
        kept = json.loads((folder / REMEMBERED).read_bytes())
        width = kept["width"]
        same = {"source": kept["source"], "machine": kept["machine"]} == _circumstances(source)
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return None
    is_width = isinstance(width, int) and LEAST_WIDTH <= width <= MOST_WIDTH and width % WIDTH_STEP == 0
    return width if same and is_width else None


def _remember(folder: Path, source: Path, width: int, speed: float) -> None:
    """Keep the width; where that fails the next start tries again."""
    record: Record = {**_circumstances(source), "width": width, "trial_tok_per_s": round(speed, 1)}
    part = folder / f"{REMEMBERED}.{os.getpid()}{keeping.PART}"
    with suppress(OSError):
        part.write_text(json.dumps(record) + "\n")
        part.replace(folder / REMEMBERED)
    with suppress(OSError):
        part.unlink()


def _circumstances(source: Path) -> Record:
    return {"source": fingerprint(source), "machine": platform.node()}
