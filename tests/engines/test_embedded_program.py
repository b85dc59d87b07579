"""The embedded engine as a program: it serves the toy models, and ends when and how it should."""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import httpx
import pytest

import specui
from specui.engines.llama.embedded import common_params
from specui.engines.llama.embedded_flags import FLAGS, parse
from specui.engines.llama.embedded_values import KINDS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

xllamacpp = pytest.importorskip("xllamacpp")
pytestmark = pytest.mark.engine

MODELS = Path(specui.__file__).parent / "builtin" / "data"
PROGRAM = [sys.executable, "-m", "specui.engines.llama.embedded"]
NO_VARIABLES: Mapping[str, str] = MappingProxyType({})
ROUTER = {"LLAMA_SERVER_ROUTER_PORT": "1"}
READY_WITHIN_S = 60.0
ENDED_WITHIN_S = 2.0
NAMED_BY_METHOD = ("eagle3", "dflash", "dspark")

DRAFTERS = {"draft-simple": "draft-simple.gguf"} | {f"draft-{name}": f"{name}.gguf" for name in NAMED_BY_METHOD}
EXAMPLES = {
    "-ot": "a=CPU",
    "-otd": "a=CPU",
    "-devd": "none",
    "cache": "q8_0",
    "draws": "greedy",
    "file": "FILE",
    "format": "auto",
    "key-file": "FILE",
    "load": "none",
    "object": '{"a": 1}',
    "shares": "3,1",
    "split": "layer",
    "types": "draft-mtp",
}
"""Values by the first name of a flag or by its kind; 1 does for all others."""


@dataclass(frozen=True)
class Running:
    """The program while it runs."""

    process: subprocess.Popen[bytes]
    url: str
    directory: Path

    def get(self, path: str) -> httpx.Response:
        return httpx.get(self.url + path, trust_env=False, timeout=10)

    def wait_for(self, fact: Callable[[], bool]) -> None:
        """Poll until something holds; fails when the process ends or the deadline passes."""
        deadline = time.monotonic() + READY_WITHIN_S
        while not fact():
            with contextlib.suppress(subprocess.TimeoutExpired):
                pytest.fail(f"ended with {self.process.wait(0.02)}: {self.log()}")
            if time.monotonic() > deadline:
                pytest.fail(f"not so within {READY_WITHIN_S} s: {self.log()}")

    def answers(self, status: int) -> bool:
        """Whether /health answers with a status: 503 while the model loads, 200 from then on."""
        try:
            return self.get("/health").status_code == status
        except httpx.TransportError:
            return False

    def serves(self) -> bool:
        """Whether the load is over and a signal would no longer kill but end it."""
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        caught = int(status.partition("SigCgt:")[2].split()[0], 16)
        return self.answers(200) and bool(caught >> (signal.SIGTERM - 1) & 1)

    def chat(self) -> dict[str, Any]:
        """One short answer without chance; the parsed reply."""
        messages = [{"role": "user", "content": "Tell me a short story about a lighthouse."}]
        body = {"messages": messages, "temperature": 0, "max_tokens": 24}
        reply = httpx.post(self.url + "/v1/chat/completions", json=body, trust_env=False, timeout=60)
        return dict(reply.raise_for_status().json())

    def ask_for_the_end(self, how: str) -> None:
        """By end of file, by the exit line or by the signal of a name."""
        assert self.process.stdin is not None
        if how.startswith("SIG"):
            self.process.send_signal(signal.Signals[how])
        elif how == "exit line":
            self.process.stdin.write(b"cmd_router_to_child:exit\n")
            self.process.stdin.flush()
        else:
            self.process.stdin.close()

    def log(self) -> str:
        return (self.directory / "stderr").read_text()


@contextlib.contextmanager
def started(
    directory: Path,
    *flags: str,
    model: Path = MODELS / "target.gguf",
    variables: Mapping[str, str] = NO_VARIABLES,
    stdin: int = subprocess.PIPE,
) -> Iterator[Running]:
    """The program on a free port, killed at the end whatever happens."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    usual = ["-m", str(model), "--port", str(port), "-t", "1", "-c", "2048", "-np", "1", "--metrics", "-a", "toy"]
    environment = {name: value for name, value in os.environ.items() if not name.startswith("LLAMA_")} | {**variables}
    with (directory / "stdout").open("wb") as out, (directory / "stderr").open("wb") as err:
        process = subprocess.Popen([*PROGRAM, *usual, *flags], stdin=stdin, stdout=out, stderr=err, env=environment)
    with process:
        try:
            yield Running(process, f"http://127.0.0.1:{port}", directory)
        finally:
            process.kill()


def ended(*arguments: str, stdin: int | None = None) -> subprocess.CompletedProcess[str]:
    """The program run to its end, with a stdin that is held open meanwhile unless told otherwise."""
    held, holder = os.pipe()
    theirs = held if stdin is None else stdin
    with open(held, "rb"), open(holder, "wb"):  # noqa: PTH123 (descriptors, not paths)
        return subprocess.run([*PROGRAM, *arguments], stdin=theirs, capture_output=True, text=True, timeout=60)


@pytest.mark.parametrize("method", ["none", "draft-mtp", *DRAFTERS, "ngram-simple"])
def test_every_method_runs(method: str, tmp_path: Path) -> None:
    """The slot says that it speculates for all but none, and every drafter has drafted in the first answer."""
    drafter = ["-md", str(MODELS / DRAFTERS[method])] if method in DRAFTERS else []
    with started(tmp_path, "--spec-type", method, *drafter) as server:
        server.wait_for(server.serves)
        assert server.get("/slots").json()[0]["speculative"] == (method != "none")
        timings = server.chat()["timings"]
        assert timings["predicted_n"] > 1
        if method != "ngram-simple":  # it drafts only where the text repeats itself
            assert ("draft_n" in timings) == method.startswith("draft-")


def test_alias_metrics_and_context_are_as_asked(tmp_path: Path) -> None:
    """-a names the model in the API, --metrics opens /metrics, -c and -np shape the slots."""
    with started(tmp_path) as server:
        server.wait_for(server.serves)
        assert server.get("/v1/models").json()["data"][0]["id"] == "toy"
        assert server.chat()["model"] == "toy"
        assert "llamacpp:prompt_tokens_total" in server.get("/metrics").text
        assert [slot["n_ctx"] for slot in server.get("/slots").json()] == [2048]


def test_the_key_of_the_environment_is_asked_for(tmp_path: Path) -> None:
    """With LLAMA_API_KEY set a request without the key is refused."""
    with started(tmp_path, variables={"LLAMA_API_KEY": "secret"}) as server:
        server.wait_for(server.serves)
        assert server.get("/slots").status_code == 401


@pytest.mark.parametrize("variables", [NO_VARIABLES, ROUTER], ids=["plain", "router"])
@pytest.mark.parametrize("ending", ["end of file", "exit line", "SIGTERM", "SIGINT"])
def test_it_ends_at_once_with_code_0(ending: str, variables: Mapping[str, str], tmp_path: Path) -> None:
    """End of file, the exit line and both signals end a serving engine, with the router's variable and without."""
    with started(tmp_path, variables=variables) as server:
        server.wait_for(server.serves)
        server.chat()
        server.ask_for_the_end(ending)
        assert server.process.wait(ENDED_WITHIN_S) == 0


def test_an_open_stream_does_not_hold_it(tmp_path: Path) -> None:
    """The exit line ends the process in the middle of an answer; the client sees the connection break."""
    with started(tmp_path) as server:
        server.wait_for(server.serves)
        body = {"messages": [{"role": "user", "content": "Hello"}], "stream": True, "ignore_eos": True}
        url = server.url + "/v1/chat/completions"
        with httpx.stream("POST", url, json=body, trust_env=False, timeout=10) as reply:
            next(reply.iter_bytes())
            server.ask_for_the_end("exit line")
            assert server.process.wait(ENDED_WITHIN_S) == 0


@pytest.mark.parametrize("ending", ["end of file", "exit line", "SIGTERM"])
def test_a_load_is_broken_off(ending: str, tmp_path: Path) -> None:
    """While the model loads, all three end it as SIGTERM does. The model here is a pipe that never says anything."""
    model = tmp_path / "model.gguf"
    os.mkfifo(model)
    with started(tmp_path, model=model) as server:
        server.wait_for(lambda: server.answers(503))
        server.ask_for_the_end(ending)
        assert server.process.wait(ENDED_WITHIN_S) == -signal.SIGTERM


def test_the_load_is_told_on_stdout_to_a_router(tmp_path: Path) -> None:
    """With the router's variable stdout bears the lines about the load and nothing else; without it, nothing."""
    for directory, variables in ((tmp_path / "router", ROUTER), (tmp_path / "plain", NO_VARIABLES)):
        directory.mkdir()
        with started(directory, variables=variables) as server:
            server.wait_for(server.serves)
            server.ask_for_the_end("end of file")
            server.process.wait(ENDED_WITHIN_S)
    lines = (tmp_path / "router" / "stdout").read_text().splitlines()
    assert {line.partition("{")[0] for line in lines} == {"cmd_child_to_router:state:"}
    assert '"state":"ready"' in lines[-1]
    assert (tmp_path / "plain" / "stdout").read_text() == ""


def test_a_bad_model_path_is_code_1_and_said() -> None:
    """The engine's own lines name the file, the last one is llama-server's, and there is no traceback."""
    result = ended("-m", "/nonexistent.gguf", "--port", "0")
    assert result.returncode == 1
    assert "failed to load model, '/nonexistent.gguf'" in result.stderr
    assert result.stderr.splitlines()[-1].endswith("exiting due to model loading error")
    assert "Traceback" not in result.stderr


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("--bogus-flag",), "error: invalid argument: --bogus-flag"),
        ((), "error: --model is required"),
        (("-devd", "Foo0"), 'error while handling argument "-devd": invalid device: Foo0'),
        (("-ot", "a=Foo"), 'error while handling argument "-ot": unknown buffer type'),
        (
            ("--chat-template-file", "/nope"),
            'error while handling argument "--chat-template-file": '
            "error: failed to open file '/nope' (No such file or directory)",
        ),
    ],
)
def test_what_it_cannot_use_is_code_1_and_said(arguments: tuple[str, ...], sentence: str) -> None:
    """The last line on stderr is the reason."""
    result = ended(*arguments)
    assert (result.returncode, result.stdout, result.stderr.splitlines()[-1]) == (1, "", sentence)


def test_nobody_on_stdin_is_code_1_and_said() -> None:
    """With nothing that could hold it open it does not begin to load."""
    result = ended("-m", str(MODELS / "target.gguf"), "--port", "0", stdin=subprocess.DEVNULL)
    assert result.returncode == 1
    assert result.stderr == "error: standard input is at its end: nobody holds this server open\n"


def test_a_terminal_is_not_read(tmp_path: Path) -> None:
    """At a terminal the engine serves whatever is typed, until Ctrl+C."""
    keyboard, terminal = os.openpty()
    with started(tmp_path, stdin=terminal) as server:
        server.wait_for(server.serves)
        os.write(keyboard, b"cmd_router_to_child:exit\n")
        assert server.chat()["model"] == "toy"
        server.process.send_signal(signal.SIGINT)
        assert server.process.wait(ENDED_WITHIN_S) == 0
    os.close(keyboard)
    os.close(terminal)


def test_devices_are_listed_as_llama_server_does() -> None:
    """A heading, then a line a device that is no CPU, or (none)."""
    result = ended("--list-devices")
    assert (result.returncode, result.stdout.splitlines()[0]) == (0, "Available devices:")
    assert all(line.startswith("  ") for line in result.stdout.splitlines()[1:])


def test_every_flag_has_its_field(tmp_path: Path) -> None:
    """Every row of the table can be put into the package's CommonParams."""
    file = tmp_path / "file"
    file.write_text("key\n# comment\n")
    kinds = {id(kind): name for name, kind in KINDS.items()}
    arguments = ["-m", "model.gguf"]
    for flag in (flag for flags in FLAGS.values() for flag in flags):
        example = EXAMPLES.get(flag.names[0]) or EXAMPLES.get(kinds[id(flag.kind)], "1")
        arguments += [flag.names[0]] if flag.kind.read is None else [flag.names[0], example.replace("FILE", str(file))]
    params = common_params(xllamacpp, parse(arguments))
    assert params.api_keys == ["1", "key"]
    assert params.chat_template == file.read_text()
    assert params.default_template_kwargs == {"a": "1", "enable_thinking": "true"}
    assert params.tensor_split[:3] == [3.0, 1.0, 0.0]
    assert set(params.fit_params_target) == {1024 * 1024}


def test_threads_follow_each_other() -> None:
    """Prompts and the drafter take the threads of -t unless they are given their own."""
    params = common_params(xllamacpp, parse(["-m", "model.gguf", "-t", "3", "-td", "2"]))
    draft = params.speculative.draft
    counts = [params.cpuparams, params.cpuparams_batch, draft.cpuparams, draft.cpuparams_batch]
    assert [threads.n_threads for threads in counts] == [3, 3, 2, 3]
