"""Measures what watching costs: the rate of a request streamed by specui against the same one streamed by ``curl -N``.

One llama-server, one request at a time, in pairs ordered ABBA (A = curl, B = specui), until the 95 % interval of the
mean log ratio is narrow enough. The rate is the server's own (its ``eval time`` line, tokens after the first), the
same for both. The second
figure is how far the rate that specui computes from the stream lies from the one in the server's log.

Requests are short because a shared machine's noise grows with time as much as averaging shrinks it: the ratio of two
neighbours spreads by about 10 % whether they last 0.1 s or 4 s, so more pairs help and longer ones do not. Beside other
work, ``nice -n -10`` (server and both clients inherit it) makes the spread bearable.

With ``--live`` the Live screen is open on specui's journal, halted while curl has its turn.

Extra server arguments follow ``--``: ``against_curl.py -m wide.gguf -- --spec-type draft-mtp --spec-draft-n-max 3``.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import math
import os
import re
import socket
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypedDict

from benchmarks.live_open import LiveScreen, watched_recorder
from specui.domain.plan import Limits, Workload
from specui.domain.run import fold
from specui.engines.base import Question
from specui.engines.llama.asking import LlamaServer
from specui.engines.llama.client import LlamaClient, chat_body
from specui.engines.llama.words import Words
from specui.journal.lines import LineReader
from specui.journal.writer import JournalWriter
from specui.runner.recorder import Recorder

if TYPE_CHECKING:
    from collections.abc import Callable

    from specui.domain.events import Fact

EVAL_LINE = re.compile(r"(?<!prompt )\beval time =\s*([\d.]+) ms /\s*(\d+) tokens .*?([\d.]+) tokens per second")
CHAT_PATH = "/v1/chat/completions"
READY_WITHIN_S, LOGGED_WITHIN_S = 60.0, 10.0
SERVE_REQUESTS = "--serve-requests"


class Answer(TypedDict):
    """What a client saw of one request: the timings in the stream, and its own clock."""

    predicted_n: int
    predicted_ms: float


@dataclass(frozen=True, slots=True)
class Sample:
    """One request: the server's line about it, and the rate that the client read from the stream."""

    tokens: int
    eval_ms: float
    logged_tokens_per_s: float
    reported_tokens_per_s: float | None
    """The rate computed from the stream; None for curl, which computes none."""

    @property
    def server_rate(self) -> float:
        """Tokens per second after the first token, by the server's clock."""
        return (self.tokens - 1) / self.eval_ms * 1000


@dataclass(frozen=True, slots=True)
class Interval:
    """A mean ratio and the factor by which its 95 % interval spreads on either side."""

    ratio: float
    spread: float

    def __str__(self) -> str:
        low, high = self.ratio / self.spread, self.ratio * self.spread
        return f"{self.ratio:.4f} | {low:.4f} to {high:.4f} (±{(self.spread - 1) * 100:.2f} %)"


class Server:
    """A llama-server of our own that ends with us: end-of-file on its stdin stops it."""

    def __init__(self, engine: Path, arguments: list[str], log: Path, port: int) -> None:
        self.base_url = f"http://127.0.0.1:{port}"
        command = [str(engine), *arguments, "--metrics", "-cram", "0", "--port", str(port), "-lv", "4"]
        environment = os.environ | {"LLAMA_SERVER_ROUTER_PORT": "1", "GGML_NO_BACKTRACE": "1"}
        with log.open("wb") as sink:
            self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=sink, stderr=sink, env=environment)
        self._log = log.open(errors="replace")
        self._unread = ""

    def wait_until_ready(self) -> None:
        """Raises RuntimeError with the log's tail where the server dies or takes too long."""
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        deadline = time.monotonic() + READY_WITHIN_S
        while time.monotonic() < deadline and self.process.poll() is None:
            try:
                opener.open(f"{self.base_url}/health", timeout=5).close()
                return
            except OSError:
                time.sleep(0.1)
        raise RuntimeError(f"{self.process.args!r} did not become ready:\n{self._log.read()[-1500:]}")

    def next_eval_line(self) -> re.Match[str]:
        """The ``eval time`` line after the last one given; raises TimeoutError where it does not come."""
        deadline = time.monotonic() + LOGGED_WITHIN_S
        while time.monotonic() < deadline:
            self._unread += self._log.read()
            if line := EVAL_LINE.search(self._unread):
                self._unread = self._unread[line.end() :]
                return line
            time.sleep(0.005)
        raise TimeoutError(f"no eval time line in {self._log.name} within {LOGGED_WITHIN_S} s of the answer's end")

    def stop(self) -> None:
        """Ends the server; kills it where it does not go by itself."""
        self.process.terminate()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self._log.close()


def curl(base_url: str, body: Path) -> None:
    """A: the bare client. Gives no rate."""
    command = ["curl", "-sSfN", "--noproxy", "*", "-o", os.devnull, "-H", "Content-Type: application/json"]
    command += ["-d", f"@{body}", base_url + CHAT_PATH]
    subprocess.run(command, check=True)


class Specui:
    """B: specui's client in a process of its own, which waits for requests as a runner does."""

    def __init__(self, home: Path | None) -> None:
        command = [sys.executable, "-m", "benchmarks.against_curl", SERVE_REQUESTS, *([str(home)] if home else [])]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def __call__(self, base_url: str, body: Path) -> float:
        """Gives the rate read from the stream."""
        assert self.process.stdin
        assert self.process.stdout
        print(json.dumps([base_url, str(body)]), file=self.process.stdin, flush=True)
        answer: Answer = json.loads(self.process.stdout.readline())
        return (answer["predicted_n"] - 1) / answer["predicted_ms"] * 1000

    def stop(self) -> None:
        """Ends the process by the end of its input."""
        self.process.communicate()


def sample(server: Server, client: Callable[[str, Path], float | None], body: Path) -> Sample:
    """Sends the request with one of the clients and joins its rate to the server's line."""
    reported_tokens_per_s = client(server.base_url, body)
    line = server.next_eval_line()
    return Sample(int(line[2]), float(line[1]), float(line[3]), reported_tokens_per_s)


def measured_pairs(server: Server, body: Path, arguments: argparse.Namespace) -> list[tuple[Sample, Sample]]:
    """(curl, specui) pairs in ABBA order, until the interval is narrow enough or the pairs are used up."""
    pairs: list[tuple[Sample, Sample]] = []
    home = Path(tempfile.mkdtemp()) if arguments.live else None
    specui = Specui(home)
    screen: LiveScreen | None = None
    try:
        for client in (curl, specui):
            sample(server, client, body)
        screen = LiveScreen(home) if home else None
        quiet = screen.halted if screen else contextlib.nullcontext

        def bare(base_url: str, body: Path) -> None:
            with quiet():
                curl(base_url, body)

        while len(pairs) < arguments.max_pairs:
            first, second, third, fourth = (sample(server, client, body) for client in (bare, specui, specui, bare))
            pairs += [(first, second), (fourth, third)]
            by_server = mean_ratio([b.server_rate / a.server_rate for a, b in pairs])
            if len(pairs) % 20 == 0:
                print(f"{len(pairs)} pairs: {by_server}", file=sys.stderr, flush=True)
            if len(pairs) >= arguments.min_pairs and by_server.spread <= 1 + arguments.half_width:
                break
    finally:
        if screen is not None:
            screen.stop()
        specui.stop()
    return pairs


def mean_ratio(ratios: list[float]) -> Interval:
    """Geometric mean with the 95 % interval that Student's t gives for the mean of the logarithms."""
    logarithms = [math.log(ratio) for ratio in ratios]
    half_width = student_t_975(len(ratios) - 1) * statistics.stdev(logarithms) / math.sqrt(len(ratios))
    return Interval(math.exp(statistics.fmean(logarithms)), math.exp(half_width))


def student_t_975(degrees: int) -> float:
    """0.975 quantile of Student's t: a table up to 7 degrees, then the Cornish-Fisher series (error < 0.001)."""
    if degrees <= 7:
        return (12.7062, 4.3027, 3.1824, 2.7764, 2.5706, 2.4469, 2.3646)[degrees - 1]
    z = statistics.NormalDist().inv_cdf(0.975)
    first, second = (z**3 + z) / 4, (5 * z**5 + 16 * z**3 + 3 * z) / 96
    third = (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384
    return z + first / degrees + second / degrees**2 + third / degrees**3


def report(pairs: list[tuple[Sample, Sample]], load_before: float, model: Path) -> str:
    """The Markdown table, and the line about the second figure."""
    curls, specuis = zip(*pairs, strict=True)
    lines = [
        f"{model.name}, {len(pairs)} pairs of {curls[0].tokens} tokens, load before {load_before:.2f}",
        "",
        "| rate by | curl, median tok/s | specui, median tok/s | specui / curl | 95 % interval |",
        "|---|---|---|---|---|",
    ]
    for name, rate in (("server's eval time", "server_rate"),):
        a, b = ([getattr(one, rate) for one in side] for side in (curls, specuis))
        interval = mean_ratio([one_b / one_a for one_a, one_b in zip(a, b, strict=True)])
        lines.append(f"| {name} | {statistics.median(a):.1f} | {statistics.median(b):.1f} | {interval} |")
    apart = max(abs(b.reported_tokens_per_s / b.logged_tokens_per_s - 1) for b in specuis)
    return "\n".join([*lines, "", f"specui's rate against the server's log: at most {apart:.1e} apart (relative)"])


def request_body(prompt: str, max_tokens: int, ignore_eos: bool) -> dict[str, object]:
    """The request, the same for both clients."""
    reporting = {"timings_per_token": True, "return_progress": True, "stream_options": {"include_usage": True}}
    sampling = {"temperature": 0, "seed": 1, "max_tokens": max_tokens, "ignore_eos": ignore_eos, "cache_prompt": False}
    return {"messages": [{"role": "user", "content": prompt}], "stream": True, **reporting, **sampling}


def free_port() -> int:
    """A TCP port nobody listens on at this moment."""
    with socket.create_server(("127.0.0.1", 0)) as probe:
        return int(probe.getsockname()[1])


def parsed_arguments() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("-m", "--model", type=Path, required=True)
    parser.add_argument("--engine", type=Path, required=True)
    parser.add_argument("--port", type=int, help="default: a free one")
    parser.add_argument("--prompt", default="Tell me a short story about a lighthouse.")
    parser.add_argument("--max-tokens", type=int, default=48)
    parser.add_argument("--ignore-eos", action="store_true")
    parser.add_argument("--half-width", type=float, default=0.015, help="stop at this 95 %% interval (default: ±0.015)")
    parser.add_argument("--min-pairs", type=int, default=20)
    parser.add_argument("--max-pairs", type=int, default=400)
    parser.add_argument("--live", action="store_true", help="with the Live screen open")
    parser.add_argument("server_arguments", nargs="*", metavar="-- SERVER ARGUMENT")
    return parser.parse_args()


def main() -> None:
    """Runs the comparison and prints its table."""
    arguments = parsed_arguments()
    load_before = os.getloadavg()[0]
    with tempfile.TemporaryDirectory(prefix="against-curl-") as folder:
        body = Path(folder, "body.json")
        body.write_text(json.dumps(request_body(arguments.prompt, arguments.max_tokens, arguments.ignore_eos)))
        options = ["-t", "1", "-c", "2048", "-np", "1", "-m", str(arguments.model), *arguments.server_arguments]
        server = Server(arguments.engine, options, Path(folder, "server.log"), arguments.port or free_port())
        try:
            server.wait_until_ready()
            pairs = measured_pairs(server, body, arguments)
        finally:
            server.stop()
    print(report(pairs, load_before, arguments.model))


def serve_requests() -> None:
    """The child's side of `Specui`: one [base url, body file] a line in, one Answer a line out."""
    home = Path(sys.argv[-1]) if sys.argv[-1] != SERVE_REQUESTS else None
    recorder = watched_recorder(home, "the model") if home else None
    for number, line in enumerate(sys.stdin, 1):
        base_url, body = json.loads(line)
        answer = asyncio.run(specui_request(base_url, json.loads(Path(body).read_bytes()), number, recorder))
        print(json.dumps(answer), flush=True)


async def specui_request(
    base_url: str,
    body: dict[str, Any],  # Any: the body's own values
    number: int,
    watched: Recorder | None,
) -> Answer:
    """Streams one request as a runner does: specui's client, its facts stamped and written to a journal."""
    keys = ("max_tokens", "temperature", "seed", "ignore_eos")
    question = Question(
        number,
        1,
        1,
        1,
        "bench",
        "measure",
        body["messages"][0]["content"],
        (),
        Workload(**{k: body[k] for k in keys}),
        Limits(),
    )
    assert {**chat_body(question), "ignore_eos": body["ignore_eos"]} == body, "the two clients must send the same"
    client = LlamaClient(base_url)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "journal.jsonl")
        with JournalWriter(path, {"format": 1}) as writer:
            kept = Recorder(writer)

            def emit(fact: Fact) -> float:
                return (kept.emit(fact), watched.emit(fact) if watched else 0.0)[0]

            server = LlamaServer(1, client, Words(Path(folder, "none")), emit, 64, no_death)
            await server.ask(question)
            for recorder in (kept, watched):
                if recorder is not None:
                    recorder.flush()
        request = fold(LineReader().feed(path.read_bytes())).requests[0]  # noqa: ASYNC240  # nothing else runs here
    await client.close()
    assert request.finished
    return Answer(
        predicted_n=request.predicted_n,
        predicted_ms=request.finished.predicted_ms or 0.0,
    )


async def no_death() -> None:
    """The server of this benchmark is watched by the benchmark."""


if __name__ == "__main__":
    if SERVE_REQUESTS in sys.argv:
        serve_requests()
    else:
        main()
