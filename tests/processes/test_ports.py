"""A port that somebody else holds: never is another server measured for ours (C05, C06)."""

from __future__ import annotations

import contextlib
import json
import os
import socket
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING

import pytest

from specui.engines.llama.ports import free_port

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from tests.processes.driving import Machine

PAGE = "<html><body>It works!</body></html>"


@contextlib.contextmanager
def foreign_server(answers: Mapping[str, object]) -> Iterator[int]:
    """Another server of this machine, that says these things; every other path is a web page. Gives its port."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:  # the name is the library's
            answer = answers.get(self.path)
            body = (PAGE if answer is None else json.dumps(answer)).encode()
            self.send_response(200)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            """Nobody reads it."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.02,))
        thread.start()
        try:
            yield server.server_port
        finally:
            server.shutdown()
            thread.join()


def llama(name: str, path: str) -> dict[str, object]:
    """What a llama-server that serves a model answers."""
    return {
        "/health": {"status": "ok"},
        "/v1/models": {"object": "list", "data": [{"id": name, "object": "model"}]},
        "/props": {"model_path": path, "model_alias": name},
    }


@pytest.mark.parametrize(
    ("kind", "listens"),
    [("another model", False), ("another model", True), ("the same model", False), ("no llama-server", False)],
)
def test_another_server_on_the_port_is_refused(machine: Machine, kind: str, listens: bool) -> None:
    """Even where it serves the very same file: it is not the one that was started, so its settings are its own."""
    same = str(machine.model())
    answers = {"another model": llama("A", "/models/A.gguf"), "the same model": llama("mine", same)}
    engine = machine.engine(listens=listens)
    with foreign_server(answers.get(kind, {})) as port:
        ended = machine.run(*machine.usual(engine), "--", "--port", str(port))
    assert ended.code == 1
    (said,) = [line for line in ended.err.splitlines() if line.startswith("  failed: ")]
    assert f"port {port}" in said
    assert "choose another port" in said
    if kind != "no llama-server":
        assert {"another model": "A.gguf", "the same model": same}[kind] in said
    assert [] == ended.all("request-sent")
    ended.ensure_whole()


@pytest.mark.parametrize("names", ["path", "nothing"])
@pytest.mark.parametrize("chosen", [False, True])
def test_an_engine_that_does_not_tell_its_name_is_known_by_its_socket(
    machine: Machine, names: str, chosen: bool
) -> None:
    """A build or a fork that ignores the alias, or has nothing to say of itself: the process that listens is ours."""
    words = ["--", "--port", str(free_port())] if chosen else []
    ended = machine.run(*machine.usual(machine.engine(names=names)), *words)
    assert ended.code == 0
    ended.ensure_whole()


def test_two_servers_that_share_a_port_are_refused(machine: Machine) -> None:
    """Where the kernel lets both listen, nobody knows who answers: not even the right name is enough."""
    with socket.create_server(("127.0.0.1", 0), reuse_port=True) as other:
        port = other.getsockname()[1]
        running = machine.start(*machine.usual(machine.engine(shares_port=True)), "--", "--port", str(port))
        other.settimeout(0.05)
        while running.process.poll() is None:
            with contextlib.suppress(TimeoutError):
                other.accept()[0].close()
        ended = running.ended()
    assert ended.code == 1
    assert f"port {port} is answered by another server" in ended.err
    ended.ensure_whole()


@pytest.mark.parametrize("listens", [False, True], ids=["bound only", "listening"])
def test_a_chosen_port_in_use_names_port_and_owner(machine: Machine, listens: bool) -> None:
    """Whoever holds it, speaking HTTP or not; where no owner can be read, the port and the remedy stand alone."""
    with socket.socket() as holder:
        holder.bind(("127.0.0.1", 0))
        if listens:
            holder.listen()
        port = holder.getsockname()[1]
        ended = machine.run(*machine.usual(machine.engine()), "--", f"--port={port}")
    assert ended.code == 1
    (said,) = [line for line in ended.err.splitlines() if line.startswith("  failed: ")]
    assert f"port {port} is already in use" in said
    assert "choose another port" in said
    assert (f"(process {os.getpid()})" in said) == listens
    ended.ensure_whole()


def test_without_a_chosen_port_another_one_is_tried(machine: Machine) -> None:
    """Between finding a free port and using it somebody may take it: that is said, and the run goes on."""
    ended = machine.run(*machine.usual(machine.engine(binds="second")))
    assert ended.code == 0
    assert ended.one("warned")["code"] == "port-taken"
    assert "trying another port" in ended.err
    first, second = (event["argv"][event["argv"].index("--port") + 1] for event in ended.all("server-starting"))
    assert first != second
    ended.ensure_whole()


def test_where_no_port_can_be_had_the_run_ends(machine: Machine) -> None:
    """Three tries, then the sentence."""
    ended = machine.run(*machine.usual(machine.engine(binds=False)))
    assert ended.code == 1
    assert 3 == len(ended.all("server-starting"))
    assert "is already in use" in ended.one("case-failed")["reason"]
    ended.ensure_whole()


@pytest.mark.parametrize("words", [["--host", "0.0.0.0", "--alias=mine"], ["--host=10.1.2.3", "-a", "mine"]])
def test_a_command_that_is_taken_over_is_served_where_we_look_for_it(machine: Machine, words: list[str]) -> None:
    """Address and name of what somebody already runs would hide the server from us: both are ours to give."""
    engine = machine.engine()
    usual = machine.usual(engine)
    ended = machine.run(*usual[4:], "--", str(engine), "-m", usual[1], *words)
    assert ended.code == 0
    argv = ended.one("server-starting")["argv"]
    assert [1, 1] == [argv.count("--host"), argv.count("-a")]
    assert [] == [word for word in argv if "mine" in word or word.endswith(("0.0.0.0", "10.1.2.3"))]
    ended.ensure_whole()
