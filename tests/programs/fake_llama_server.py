#!/usr/bin/env python3
"""A llama-server that computes nothing: its protocol, its log and its ways of dying, chosen by a JSON file.

The file is named by the variable FAKE_LLAMA and holds one object; what it may say stands in `USUAL`. Numbers are made
up and consistent: every step drafts as much as `--spec-draft-n-max` allows and keeps all but one token of it.
Standard library only, so that it starts in a few milliseconds.
"""

from __future__ import annotations

import json
import os
import signal
import socket
import sys
import threading
import time
from pathlib import Path
from typing import Any

Behaviour = dict[str, Any]  # Any: values of JSON

USUAL: Behaviour = {
    "probe_dies": None,  # a signal's name or an exit code, at --version, --help and --list-devices
    "says": [],  # lines on stderr before anything else, while probing too
    "noise": False,  # 300 kB on stderr: one line of 100 kB, and bytes that are no UTF-8
    "refuse_s": 0,  # how long nobody listens
    "load_s": 0,  # how long /health says 503; -1 is for ever
    "dots": False,  # dots without a line's end while it loads
    "dies_loading": None,  # a signal's name or an exit code, once `load_s` is over
    "binds": True,  # False: it ends because the port is taken; "second": only the second time it is started
    "listens": True,  # False: it lives and never listens
    "speculative": None,  # what /slots says; None: true where --spec-type asks for it
    "tokens": 24,  # of a whole answer, where the request allows as many
    "token_s": 0,  # pause before every step
    "drafting": "as asked",  # "absent", "zero" or "no kept": what timings tell of drafts
    "dies_after": None,  # chunks of a measured answer, after which it ends as `dies_by` says
    "dies_by": "SIGKILL",
    "ends_after": None,  # chunks of a measured answer, after which the stream ends as if whole
    "done": False,  # whether such a stream ends on [DONE]
    "refuses": None,  # [status, content type, body] instead of a measured answer
    "ignores_term": False,  # neither TERM nor the exit line ends it
    "child": False,  # it has a child of its own that nobody waits for
    "record": None,  # file that gets a line of JSON for the start and for every request
}

HELP = Path(__file__).parent.parent / "data" / "help"
WORDS = "Many years ago there was a lamp in the old tower that burned all night and showed the way home".split()
MEASURED_FROM = 2
"""Requests before this one (counted from 0) are the runner's probe and its warm-up."""


class Server:
    """One model on one port."""

    def __init__(self, behaviour: Behaviour, flags: dict[str, str]) -> None:
        """Everything from the behaviour and the command line."""
        self.how = behaviour
        self.flags = flags
        self.method = flags.get("--spec-type", "none")
        self.n_max = int(flags.get("--spec-draft-n-max", "3")) if self.method != "none" else 0
        self.is_ready = False
        self.asked = 0
        self.totals = {"prompt": 0, "predicted": 0, "decodes": 0, "drafts": 0, "drafted": 0, "accepted": 0}
        self.at = [0] * self.n_max

    def load(self) -> None:
        """Everything up to the moment when it answers."""
        log("I srv    load_model: loading model '%s'" % self.flags.get("-m", ""))
        if self.how["load_s"] < 0:
            while True:
                self.work(0.05)
        end = time.monotonic() + self.how["load_s"]
        while time.monotonic() < end:
            self.work(0.02)
        die(self.how["dies_loading"])
        tell_router({"state": "loading", "payload": {"stages": ["text_model"], "current": "text_model", "value": 1.0}})
        log("I srv    load_model: initializing, n_slots = 1, n_ctx_slot = %s" % self.flags.get("-c", "2048"))
        if self.speculates():
            log("I spec common_specu: adding speculative implementation '%s'" % self.method)
        log("I load_tensors: offloaded 0/9 layers to GPU")
        if not self.how["ignores_term"]:
            signal.signal(signal.SIGTERM, lambda *_: os._exit(0))
            threading.Thread(target=heed_stdin, daemon=True).start()
        self.is_ready = True
        tell_router({"state": "ready", "payload": {}})

    def work(self, pause_s: float) -> None:
        """A moment of loading."""
        if self.how["dots"]:
            sys.stderr.write(".")
            sys.stderr.flush()
        time.sleep(pause_s)

    def speculates(self) -> bool:
        """Whether a speculation context exists."""
        said = self.how["speculative"]
        return self.method != "none" if said is None else bool(said)

    def get(self, path: str) -> tuple[int, str]:
        """Status and body of everything but a chat."""
        if not self.is_ready:
            return 503, '{"error":{"message":"Loading model","type":"unavailable_error","code":503}}'
        alias = self.flags.get("-a", self.flags.get("-m", ""))
        n_ctx = int(self.flags.get("-c", "2048"))
        answers: dict[str, object] = {
            "/health": {"status": "ok"},
            "/v1/models": {"object": "list", "data": [{"id": alias, "object": "model", "aliases": [alias]}]},
            "/props": {"default_generation_settings": {"n_ctx": n_ctx}, "total_slots": 1, "model_alias": alias,
                       "model_path": self.flags.get("-m", ""), "build_info": "b11669-fake"},
            "/slots": [{"id": 0, "n_ctx": n_ctx, "speculative": self.speculates(), "is_processing": False}],
        }  # fmt: skip
        if path == "/metrics":
            return 200, self.metrics()
        if path in answers:
            return 200, json.dumps(answers[path])
        return 404, '{"error":{"code":404,"message":"File Not Found","type":"not_found_error"}}'

    def metrics(self) -> str:
        """The Prometheus text."""
        names = {"prompt": "prompt_tokens", "predicted": "tokens_predicted", "decodes": "n_decode"}
        rows = [f"llamacpp:{name}_total {self.totals[key]}" for key, name in names.items()]
        spec = {"drafts": "drafts", "drafted": "draft_tokens", "accepted": "accepted_tokens"}
        rows += [f"llamacpp:spec_decode_num_{name}_total {self.totals[key]}" for key, name in spec.items()]
        if self.totals["drafts"]:
            name = "llamacpp:spec_decode_num_accepted_tokens_per_pos_total"
            rows += [f'{name}{{position="{place}"}} {count}' for place, count in enumerate(self.at)]
        return "\n".join(rows) + "\n"

    def chat(self, body: Behaviour, client: socket.socket) -> None:
        """Stream one answer."""
        number, self.asked = self.asked, self.asked + 1
        is_measured = number >= MEASURED_FROM
        if is_measured and self.how["refuses"]:
            status, kind, text = self.how["refuses"]
            answer(client, status, text, kind)
            return
        client.sendall(b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n")
        sent = 0
        for text in self.chunks(int(body.get("max_tokens", 24)), 20):
            if is_measured and sent == self.how["dies_after"]:
                die(self.how["dies_by"])
            if is_measured and sent == self.how["ends_after"]:
                break
            send_chunk(client, text)
            sent += 1
        if sent != self.how["ends_after"] or not is_measured or self.how["done"]:
            send_chunk(client, "[DONE]")
        client.sendall(b"0\r\n\r\n")

    def chunks(self, limit: int, prompt_n: int) -> Any:  # Any: a generator of JSON texts, which nobody sends into
        """The data of every event, in order; the counters rise when the last was taken."""
        role: Behaviour = {"role": "assistant", "content": None}
        prompt_ms = 8.25
        empty = timings(0, 0.0, 0, 0.0, 0, 0, self.how["drafting"])
        processed = timings(prompt_n, prompt_ms, 0, 0.0, 0, 0, self.how["drafting"])
        yield chunk(role, empty, progress={"total": prompt_n, "cache": 0, "processed": 0, "time_ms": 0})
        yield chunk(role, processed, progress={"total": prompt_n, "cache": 0, "processed": prompt_n, "time_ms": 8})
        yield chunk(role)
        goal = min(limit, int(self.how["tokens"]))
        now, ms, drafted, accepted, steps = 1, 0.001, 0, 0, 0
        at = [0] * self.n_max
        yield chunk({"content": WORDS[0]}, timings(prompt_n, prompt_ms, 1, ms, 0, 0, self.how["drafting"]))
        while now < goal:
            time.sleep(self.how["token_s"])
            draft = min(self.n_max, goal - now - 1) if self.drafts() else 0
            kept = max(0, draft - 1)
            ms, steps = round(ms + 5.0 + draft, 3), steps + 1
            drafted, accepted = drafted + draft, accepted + kept
            for place in range(kept):
                at[place] += 1
            for _ in range(kept + 1):
                now += 1
                told = timings(prompt_n, prompt_ms, now, ms, drafted, accepted, self.how["drafting"])
                yield chunk({"content": " " + WORDS[now % len(WORDS)]}, told)
            self.totals["drafts"] += bool(draft)
        last = timings(prompt_n, prompt_ms, goal, ms, drafted, accepted, self.how["drafting"])
        self.count(prompt_n, goal, steps, drafted, accepted, at)
        log_request(prompt_n, prompt_ms, goal, ms, drafted, accepted)
        yield chunk({}, stop="length" if goal == limit else "stop")
        yield chunk(None, last, usage={"completion_tokens": goal, "prompt_tokens": prompt_n,
                                       "total_tokens": goal + prompt_n})  # fmt: skip

    def drafts(self) -> bool:
        """Whether anything is drafted at all."""
        return self.speculates() and self.how["drafting"] in ("as asked", "no kept")

    def count(self, prompt_n: int, predicted: int, steps: int, drafted: int, accepted: int, at: list[int]) -> None:
        """Let the counters rise as they do when a slot is released."""
        rises = {"prompt": prompt_n, "predicted": predicted, "decodes": steps + 1, "drafted": drafted}
        for name, rise in (rises | {"accepted": accepted}).items():
            self.totals[name] += rise
        self.at = [before + more for before, more in zip(self.at, at, strict=True)]

    def serve(self, client: socket.socket) -> None:
        """Answer the requests of one connection until it is closed."""
        data = b""
        with client:
            while (end := data.find(b"\r\n\r\n")) < 0:
                if not (piece := client.recv(65536)):
                    return
                data += piece
                end = data.find(b"\r\n\r\n")
            head = data[:end].decode("latin-1").split("\r\n")
            verb, path, _ = head[0].split(" ", 2)
            headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in head[1:])}
            body = data[end + 4 :]
            while len(body) < int(headers.get("content-length", "0")):
                body += client.recv(65536)
            record(self.how, {"path": path, "authorization": headers.get("authorization"), "host": headers.get("host")})
            if verb == "POST":
                self.chat(json.loads(body), client)
            else:
                status, text = self.get(path)
                answer(client, status, text, "application/json" if text[:1] in "[{" else "text/plain")


def main() -> None:
    """Answer a probe, or serve until the end."""
    how = USUAL | json.loads(Path(os.environ["FAKE_LLAMA"]).read_text())
    unknown = set(how) - set(USUAL)
    assert not unknown, unknown
    words = sys.argv[1:]
    if words[:1] == ["--version"] or words[:1] == ["--help"] or words[:1] == ["--list-devices"]:
        probed(how, words[0])
        return
    record(how, {"argv": sys.argv, "pid": os.getpid(), "env": dict(os.environ)})
    speak(how)
    flags = {a: b for a, b in zip(words, [*words[1:], ""], strict=True) if a.startswith("-")}
    if how["ignores_term"]:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
    if how["child"] and os.fork() == 0:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        record(how, {"child": os.getpid()})
        time.sleep(600)
    server = Server(how, flags)
    time.sleep(how["refuse_s"])
    if how["listens"]:
        listen(server, int(flags["--port"]))
    server.load()
    while True:
        time.sleep(600)


def probed(how: Behaviour, question: str) -> None:
    """What a probe is told: as recorded of build 11669."""
    if how["probe_dies"] is not None:
        speak(how)
        die(how["probe_dies"])
    if question == "--version":
        sys.stderr.write((HELP / "version-b11669.txt").read_text())
    elif question == "--help":
        sys.stdout.write((HELP / "llama-server-b11669.txt").read_text())
    else:
        sys.stdout.write("Available devices:\n  (none)\n")


def listen(server: Server, port: int) -> None:
    """Take the port, as llama-server does before it loads, and answer in threads."""
    starts = Path(os.environ["FAKE_LLAMA"] + ".starts")
    starts.write_text(starts.read_text() + "x" if starts.exists() else "x")
    binds = server.how["binds"] if server.how["binds"] != "second" else starts.read_text() != "x"
    door = socket.socket()
    door.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        if not binds:
            raise OSError
        door.bind(("127.0.0.1", port))
        door.listen(16)
    except OSError:
        log("E srv  start: couldn't bind HTTP server socket, hostname: 127.0.0.1, port: %d" % port)
        log("E srv  llama_server: exiting due to HTTP server error")
        sys.exit(1)

    def accept() -> None:
        while True:
            client, _ = door.accept()
            threading.Thread(target=server.serve, args=(client,), daemon=True).start()

    threading.Thread(target=accept, daemon=True).start()


def heed_stdin() -> None:
    """The exit line ends it well, the end of its input with code 1."""
    for line in sys.stdin:
        if line.startswith("cmd_router_to_child:exit"):
            os._exit(0)
    os._exit(1)


def speak(how: Behaviour) -> None:
    """Say what is to be said before anything else."""
    for line in how["says"]:
        log(line)
    if how["noise"]:
        sys.stderr.flush()
        os.write(2, b"x" * 100_000 + b"\n" + b"\xff\xfe broken \xc3\n" + b"I srv    load: a line\n" * 10_000)


def die(how: str | int | None) -> None:
    """End by the signal of a name, or with a code; go on where neither is given."""
    if how is None:
        return
    sys.stdout.flush()
    sys.stderr.flush()
    if isinstance(how, int):
        os._exit(how)
    signal.signal(signal.Signals[how], signal.SIG_DFL)
    os.kill(os.getpid(), signal.Signals[how])
    time.sleep(600)


def log(text: str) -> None:
    """One line on stderr, as the engine's log begins."""
    sys.stderr.write("0.00.048.972 %s\n" % text)
    sys.stderr.flush()


def log_request(prompt_n: int, prompt_ms: float, n: int, ms: float, drafted: int, accepted: int) -> None:
    """The lines that a request leaves in the log."""
    log("I slot print_timing: id  0 | task 0 | prompt eval time = %10.2f ms / %5d tokens (%8.2f ms per token, "
        "%8.2f tokens per second)" % (prompt_ms, prompt_n, prompt_ms / prompt_n, 1000 * prompt_n / prompt_ms))  # fmt: skip
    log("I slot print_timing: id  0 | task 0 |        eval time = %10.2f ms / %5d tokens (%8.2f ms per token, "
        "%8.2f tokens per second)" % (ms, n, ms / max(n, 1), 1000 * (n - 1) / ms))  # fmt: skip
    if drafted:
        log("I slot print_timing: id  0 | task 0 | draft acceptance = %.5f (%5d accepted / %5d generated)"
            % (accepted / drafted, accepted, drafted))  # fmt: skip


def tell_router(state: Behaviour) -> None:
    """What a server tells its router on stdout."""
    if os.environ.get("LLAMA_SERVER_ROUTER_PORT"):
        sys.stdout.write("cmd_child_to_router:state:" + json.dumps(state) + "\n")
        sys.stdout.flush()


def timings(
    prompt_n: int, prompt_ms: float, n: int, ms: float, drafted: int, accepted: int, drafting: str
) -> Behaviour:
    """The engine's cumulative numbers; drafts are told only where there were any."""
    told: Behaviour = {"cache_n": 0, "prompt_n": prompt_n, "prompt_ms": prompt_ms, "predicted_n": n, "predicted_ms": ms,
                       "predicted_per_second": 1000 * max(0, n - 1) / ms if ms else 0.0}  # fmt: skip
    if drafting == "zero":
        return told | {"draft_n": 0, "draft_n_accepted": 0}
    if drafted:
        told |= {"draft_n": drafted} if drafting == "no kept" else {"draft_n": drafted, "draft_n_accepted": accepted}
    return told


def chunk(
    delta: Behaviour | None,
    told: Behaviour | None = None,
    progress: Behaviour | None = None,
    usage: Behaviour | None = None,
    stop: str | None = None,
) -> str:
    """One event's data, in the shape of build 11669."""
    choices = [] if delta is None else [{"finish_reason": stop, "index": 0, "delta": delta}]
    extra = {"timings": told, "prompt_progress": progress, "usage": usage}
    base: Behaviour = {"choices": choices, "created": 1796123284, "id": "chatcmpl-1", "model": "tiny",
                       "object": "chat.completion.chunk"}  # fmt: skip
    return json.dumps(base | {name: value for name, value in extra.items() if value is not None})


def send_chunk(client: socket.socket, data: str) -> None:
    """One event as one piece of a chunked answer."""
    text = b"data: " + data.encode() + b"\n\n"
    client.sendall(b"%x\r\n%s\r\n" % (len(text), text))


def answer(client: socket.socket, status: int, text: str, kind: str) -> None:
    """A whole answer that closes the connection."""
    body = text.encode()
    client.sendall(
        b"HTTP/1.1 %d X\r\nContent-Type: %s\r\nContent-Length: %d\r\nConnection: close\r\n\r\n%s"
        % (status, kind.encode(), len(body), body)
    )


def record(how: Behaviour, what: Behaviour) -> None:
    """Leave a line for the test to read."""
    if how["record"]:
        with Path(how["record"]).open("a") as file:
            file.write(json.dumps(what) + "\n")


if __name__ == "__main__":
    main()
