"""What it takes to open an hour's journal: CPU, the first picture's share of it, seeks, memory.

    python benchmarks/open_hour.py [--minutes 60] [--seeks 200] [--session]

30 steps and 10 lines a second, in answers of about 2 000 tokens over four cases, and in one answer as long as the run.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import resource
import statistics
import sys
import tempfile
import time
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import TYPE_CHECKING

from specui.domain.codec import encode
from specui.domain.events import CaseAdded, CaseFinished, CaseStarted, Event, GpuSampled, RunFinished, RunStarted
from specui.domain.plan import Case, EngineChoice, Model, Plan, Prompt, Speculation
from specui.domain.request_facts import FirstToken, RequestFinished, RequestSent, StepsDecoded, TextSpan
from specui.journal import session
from specui.journal.lines import LineReader, write_header
from specui.journal.replay import Replay

if TYPE_CHECKING:
    from collections.abc import Iterator

    from specui.domain.events import Fact

STEPS_A_LINE = 3
LINES_A_SECOND = 10
N_MAX = 3
CASES = 4


def main() -> None:
    """Write both journals and print a row for each."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--seeks", type=int, default=200)
    parser.add_argument("--session", action="store_true", help="measure a session file instead of a journal")
    options = parser.parse_args()
    lines = round(options.minutes * 60 * LINES_A_SECOND)
    print("| answers | MB | lines | first state ms | longest slice ms | all ms CPU | seek ms median (p95) | MiB |")
    print("|---|---:|---:|---:|---:|---:|---:|---:|")
    with tempfile.TemporaryDirectory() as folder:
        for name, tokens in (("of 2 000 tokens", 2000), ("one", sys.maxsize)):
            path = Path(folder) / "journal.jsonl"
            path.write_bytes(write_header({"format": 1, "id": "hour"}) + b"".join(map(encode, an_hour(lines, tokens))))
            if options.session:
                path = as_session(path)
            print(f"| {name} | {path.stat().st_size / 1e6:.1f} {in_own_process(path, options.seeks)}")


def as_session(path: Path) -> Path:
    """The same run as a session file."""
    saved = path.with_suffix(".toml")
    reader = LineReader()
    events = tuple(reader.feed(path.read_bytes()))
    session.save(session.Session(reader.header or {}, events), saved)
    return saved


def in_own_process(path: Path, seeks: int) -> str:
    """The row of a file, measured where nothing else has taken memory."""
    with ProcessPoolExecutor(1, get_context("spawn")) as pool:
        return pool.submit(measured, path, seeks).result()


def measured(path: Path, seeks: int) -> str:
    """The row of a file."""
    return asyncio.run(row(path, seeks))


async def row(path: Path, seeks: int) -> str:
    """Open the file as a view does, then seek anywhere in it."""
    before_mib = resident_mib()
    began, cpu = time.perf_counter(), time.process_time()
    replay = Replay(path)
    first_ms, slices = 0.0, []
    asked = time.perf_counter()
    async for _ in replay.batches():
        slices.append(1000 * (time.perf_counter() - asked))
        if not first_ms and replay.recording.at(0.0).cases:
            first_ms = 1000 * (time.perf_counter() - began)
        asked = time.perf_counter()
    all_ms = 1000 * (time.process_time() - cpu)
    recording, chance = replay.recording, random.Random(1)
    costs = []
    for _ in range(seeks):
        t = chance.uniform(0, recording.end_s)
        begun = time.perf_counter()
        recording.at(t)
        costs.append(1000 * (time.perf_counter() - begun))
    costs.sort()
    return (
        f"| {len(recording)} | {first_ms:.0f} | {max(slices):.0f} | {all_ms:.0f} "
        f"| {statistics.median(costs):.2f} ({costs[int(0.95 * len(costs))]:.2f}) | {resident_mib() - before_mib:.0f} |"
    )


def resident_mib() -> float:
    """The most memory that this process has held."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def an_hour(lines: int, tokens_an_answer: int) -> Iterator[Event]:
    """A run of that many lines of steps, and all that goes with them."""
    for seq, (t, fact) in enumerate(timed_facts(lines, tokens_an_answer), 1):
        yield Event(seq, round(t, 3), fact)


def timed_facts(lines: int, tokens_an_answer: int) -> Iterator[tuple[float, Fact]]:
    """The facts in order, each with its time."""
    chance = random.Random(7)
    model = Model("Qwen3.6-27B-Q8_0", "qwen", "/models/Qwen3.6-27B-Q8_0.gguf")
    engine = EngineChoice("rocm", "binary", ("llama-server",))
    yield 0.0, RunStarted(Plan("hour", "demo", (Prompt("p1", ("Hello?",)),)), {}, {})
    for number in range(1, CASES + 1):
        yield 0.0, CaseAdded(number, Case(model, engine, Speculation("draft-mtp", N_MAX)))
    done, request, case, answer = 0, 0, 0, None
    while done < lines:
        if answer is None:
            request += 1
            wanted = 1 + done * CASES // lines
            t = done / LINES_A_SECOND
            if wanted != case:
                if case:
                    yield t, CaseFinished(case)
                case = wanted
                yield t, CaseStarted(case, ("llama-server",), 1)
            yield t, RequestSent(request, case, 1, 1, f"p{request}", "measure", "Why is the sky blue? " * 20)
            yield t + 0.05, FirstToken(request)
            answer = Answer(request, chance)
        done += 1
        t = done / LINES_A_SECOND
        yield t, answer.steps()
        if done % (2 * LINES_A_SECOND) == 0:
            yield t, GpuSampled("card0", 0.9, 30 << 30, 0, 300.0, 70.0, 2.4e9)
        if answer.predicted_n >= tokens_an_answer or done == lines:
            yield t, answer.end()
            answer = None
    yield lines / LINES_A_SECOND, CaseFinished(case)
    yield lines / LINES_A_SECOND, RunFinished("finished")


class Answer:
    """One answer as it grows."""

    def __init__(self, request: int, chance: random.Random) -> None:
        self.request, self.chance = request, chance
        self.predicted_n, self.predicted_ms, self.draft_n, self.accepted_n, self.step = 1, 0.0, 0, 0, 0

    def steps(self) -> StepsDecoded:
        """A line of three passes."""
        rows, text = [], []
        for _ in range(STEPS_A_LINE):
            accepted = self.chance.choice((0, 1, 2, 2, 3))
            rows.append((round(self.chance.uniform(30, 35), 3), accepted + 1, N_MAX, accepted))
            self.step += 1
            text += self.spans(accepted)
        ms, tokens, drafted, kept = zip(*rows, strict=True)
        self.predicted_n += sum(tokens)
        self.predicted_ms = round(self.predicted_ms + sum(ms), 3)
        self.draft_n += sum(drafted)
        self.accepted_n += sum(kept)
        return StepsDecoded(
            self.request, self.predicted_n, self.predicted_ms, self.draft_n, self.accepted_n,
            ms, tokens, drafted, kept, tuple(text),
        )  # fmt: skip

    def spans(self, accepted: int) -> list[TextSpan]:
        """The drafter's words and the target's own."""
        own: TextSpan = (self.step, "target", "answer", " word")
        return [(self.step, "draft", "answer", " token" * accepted), own] if accepted else [own]

    def end(self) -> RequestFinished:
        """Its last word."""
        return RequestFinished(
            self.request, 120, 400.0, 0, self.predicted_n, self.predicted_ms, self.draft_n, self.accepted_n,
            "server", None, "stop",
        )  # fmt: skip


if __name__ == "__main__":
    main()
