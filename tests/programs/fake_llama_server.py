#!/usr/bin/env python3
"""A llama-server that computes nothing: its protocol, its log and its ways of dying, chosen by a JSON file.

The file is named by the variable FAKE_LLAMA and holds one object; what it may say stands in `USUAL`.
Standard library only, so that it starts in a few milliseconds.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import socket
import sys
import threading
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
from tests.programs.fake_answers import Counters, Json, chat, log

USUAL: Json = {
    "probe_dies": None,  # a signal's name or an exit code, at --version, --help and --list-devices
    "says": [],  # lines on stderr before anything else
    "noise": False,  # 300 kB on stderr: one line of 100 kB, and bytes that are no UTF-8
    "refuse_s": 0,  # how long nobody listens
    "load_s": 0,  # how long /health says 503; -1 is for ever
    "dots": False,  # dots without a line's end while it loads
    "dies_loading": None,  # a signal's name or an exit code, once `load_s` is over
    "binds": True,  # False: it ends because the port is taken; "second": only the second start succeeds
    "shares_port": False,  # it listens beside others on one port
    "names": "alias",  # "path" or "nothing": what it says of itself
    "listens": True,  # False: it lives and never listens
    "speculative": None,  # what /slots says; None: true where --spec-type asks for it
    "tokens": 24,  # of a whole answer, where the request allows as many
    "step_s": 0,  # pause before every step of a measured answer
    "drafting": "as asked",  # "absent", "zero" or "no kept": what timings tell of drafts
    "dies_after": None,  # chunks of a measured answer, after which it ends as `dies_by` says
    "dies_by": "SIGKILL",
    "ends_after": None,  # chunks of a measured answer, after which the stream ends as if whole
    "refuses": None,  # [status, content type, body] instead of a measured answer
    "ignores_term": False,  # neither TERM nor the exit line ends it
    "child": False,  # it has a child of its own that nobody waits for
    "record": None,  # file that gets a line of JSON for the start and for every request
}

HELP = Path(__file__).resolve().parent.parent / "data" / "help"
MEASURED_FROM = 2
"""Requests before this one (counted from 0) are the runner's probe and its warm-up."""


class Server:
    """One model on one port."""

    def __init__(self, how: Json, flags: dict[str, str]) -> None:
        """Everything from the behaviour and the command line."""
        self.how = how
        self.flags = flags
        self.method = flags.get("--spec-type", "none")
        self.counters = Counters()
        self.is_ready = self.is_busy = False
        self.asked = 0

    def load(self) -> None:
        """Everything up to the moment when it answers."""
        log(f"I srv    load_model: loading model '{self.flags.get('-m')}'")
        end = time.monotonic() + self.how["load_s"]
        while self.how["load_s"] < 0 or time.monotonic() < end:
            if self.how["dots"]:
                sys.stderr.write(".")
                sys.stderr.flush()
            time.sleep(0.02)
        die(self.how["dies_loading"])
        tell_router({"state": "loading", "payload": {"stages": ["text_model"], "current": "text_model", "value": 1.0}})
        log(
            f"I srv    load_model: initializing, n_slots = 1, n_ctx_slot = {self.flags.get('-c')}, kv_unified = 'false'"
        )
        if self.method != "none":
            log(f"I spec common_specu: adding speculative implementation '{self.method}'")
        if not self.how["ignores_term"]:
            signal.signal(signal.SIGTERM, lambda *_: os._exit(0))
            threading.Thread(target=heed_stdin, daemon=True).start()
        self.is_ready = True
        tell_router({"state": "ready", "payload": {}})

    def get(self, path: str) -> tuple[int, str]:
        """Status and body of everything but a chat."""
        if not self.is_ready:
            return 503, '{"error":{"message":"Loading model","type":"unavailable_error","code":503}}'
        if path == "/metrics":
            return 200, self.counters.text()
        alias = self.flags["-m" if self.how["names"] == "path" else "-a"]
        n_ctx = int(self.flags.get("-c", "2048"))
        said = self.how["speculative"]
        speculates = self.method != "none" if said is None else said
        known: Json = {
            "/health": {"status": "ok"},
            "/v1/models": {"object": "list", "data": [{"id": alias, "object": "model", "aliases": [alias]}]},
            "/props": {"default_generation_settings": {"n_ctx": n_ctx}, "model_alias": alias, "total_slots": 1}
            | {"model_path": self.flags.get("-m"), "build_info": "b11669-fake"},
            "/slots": [{"id": 0, "n_ctx": n_ctx, "speculative": speculates, "is_processing": self.is_busy}],
        }
        if path in known and (self.how["names"] != "nothing" or path in ("/health", "/slots")):
            return 200, json.dumps(known[path])
        return 404, '{"error":{"code":404,"message":"File Not Found","type":"not_found_error"}}'

    def chat(self, body: Json, client: socket.socket) -> None:
        """Stream one answer, or refuse it."""
        is_measured = self.asked >= MEASURED_FROM
        self.asked += 1
        if is_measured and self.how["refuses"]:
            status, kind, text = self.how["refuses"]
            answer(client, status, text, kind)
            return
        client.sendall(b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n")
        goal = min(int(body["max_tokens"]), self.how["tokens"])
        n_max = int(self.flags.get("--spec-draft-n-max", "3")) if self.method != "none" else 0
        pause_s = self.how["step_s"] if is_measured else 0
        stop = "length" if goal == body["max_tokens"] else "stop"
        data = chat(goal, stop, n_max, self.how["drafting"], pause_s, self.counters)
        for sent, text in enumerate(data):
            if is_measured and sent == self.how["dies_after"]:
                die(self.how["dies_by"])
            if is_measured and sent == self.how["ends_after"]:
                client.sendall(b"0\r\n\r\n")
                return
            send_event(client, text)
        send_event(client, "[DONE]")
        client.sendall(b"0\r\n\r\n")

    def serve(self, client: socket.socket) -> None:
        """Answer the requests of one connection until it is closed."""
        data = b""
        with client, contextlib.suppress(OSError):
            while True:
                while b"\r\n\r\n" not in data:
                    if not (piece := client.recv(65536)):
                        return
                    data += piece
                head, _, data = data.partition(b"\r\n\r\n")
                first, *rest = head.decode("latin-1").split("\r\n")
                headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in rest)}
                length = int(headers.get("content-length", "0"))
                while len(data) < length:
                    data += client.recv(65536)
                body, data = data[:length], data[length:]
                path = first.split(" ")[1]
                record(self.how, {"path": path, "authorization": headers.get("authorization")})
                if first.startswith("POST"):
                    self.is_busy = True
                    try:
                        self.chat(json.loads(body), client)
                    finally:
                        self.is_busy = False
                else:
                    status, text = self.get(path)
                    answer(client, status, text, "application/json" if text[0] in "[{" else "text/plain")


def main() -> None:
    """Answer a probe, or serve until the end."""
    how = USUAL | json.loads(Path(os.environ["FAKE_LLAMA"]).read_text())
    assert set(how) == set(USUAL), set(how) - set(USUAL)
    words = sys.argv[1:]
    if words[0] in ("--version", "--help", "--list-devices"):
        probed(how, words[0])
        return
    record(how, {"argv": sys.argv, "pid": os.getpid(), "env": dict(os.environ)})
    speak(how)
    if how["ignores_term"]:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
    if how["child"] and os.fork() == 0:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        record(how, {"child": os.getpid()})
        time.sleep(600)
    server = Server(how, {a: b for a, b in zip(words, [*words[1:], ""], strict=True) if a.startswith("-")})
    time.sleep(how["refuse_s"])
    if how["listens"]:
        listen(server, int(server.flags["--port"]))
        server.load()
    while True:
        time.sleep(600)


def probed(how: Json, question: str) -> None:
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
    is_first = not starts.exists()
    starts.touch()
    door = socket.socket()
    door.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    if server.how["shares_port"]:
        door.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
    try:
        if server.how["binds"] is False or (server.how["binds"] == "second" and is_first):
            raise OSError
        door.bind(("127.0.0.1", port))
        door.listen(16)
    except OSError:
        log(f"E srv         start: couldn't bind HTTP server socket, hostname: 127.0.0.1, port: {port}")
        log("E srv  llama_server: exiting due to HTTP server error")
        sys.exit(1)

    def accept() -> None:
        while True:
            client, _ = door.accept()
            client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            threading.Thread(target=server.serve, args=(client,), daemon=True).start()

    threading.Thread(target=accept, daemon=True).start()


def heed_stdin() -> None:
    """The exit line ends it well, the end of its input with code 1."""
    for line in sys.stdin:
        if line.startswith("cmd_router_to_child:exit"):
            os._exit(0)
    os._exit(1)


def speak(how: Json) -> None:
    """Say what is to be said before anything else."""
    for line in how["says"]:
        log(line)
    if how["noise"]:
        os.write(2, b"x" * 100_000 + b"\n\xff\xfe broken \xc3\n" + b"I srv    load: a line\n" * 10_000)


def die(how: str | int | None) -> None:
    """End by the signal of a name, or with a code; go on where neither is given."""
    if isinstance(how, str):
        os.kill(os.getpid(), signal.Signals[how])
        time.sleep(600)
    elif how is not None:
        os._exit(how)


def tell_router(state: Json) -> None:
    """What a server tells its router on stdout."""
    if os.environ.get("LLAMA_SERVER_ROUTER_PORT"):
        sys.stdout.write("cmd_child_to_router:state:" + json.dumps(state) + "\n")
        sys.stdout.flush()


def send_event(client: socket.socket, data: str) -> None:
    """One event as one piece of a chunked answer."""
    text = b"data: " + data.encode() + b"\n\n"
    client.sendall(b"%x\r\n%s\r\n" % (len(text), text))


def answer(client: socket.socket, status: int, text: str, kind: str) -> None:
    """A whole answer."""
    body = text.encode()
    head = f"HTTP/1.1 {status} -\r\nContent-Type: {kind}\r\nContent-Length: {len(body)}\r\n\r\n"
    client.sendall(head.encode() + body)


def record(how: Json, what: Json) -> None:
    """Leave a line for the test to read."""
    if how["record"]:
        with Path(how["record"]).open("a") as file:
            file.write(json.dumps(what) + "\n")


if __name__ == "__main__":
    main()
