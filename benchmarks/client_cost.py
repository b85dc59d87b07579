"""Measures the CPU time a client spends on following a stream of about 100 tokens a second, as a share of one core.

A paced fake server sends one event a token (the worst case: without speculation every step is one token) in the shape
llama-server gives it, so that the figure does not depend on a model. The client runs in a process of its own and is
measured from outside by its CPU clock. ``--pid`` measures any process that already runs, a runner for instance:

    python benchmarks/client_cost.py --serve --seconds 60 &        # prints its address
    python benchmarks/client_cost.py --pid 1234 --seconds 20

Without either, all clients below are measured one after another; they differ in how the bytes are read.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import os
import socket
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import httpx

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterator

CHAT_PATH = "/v1/chat/completions"
BODY = b'{"messages":[{"role":"user","content":"Go."}],"stream":true,"timings_per_token":true}'
ENVELOPE = {
    "created": 1796123279,
    "id": "chatcmpl-h67RkI7QM4qDoCqYOFbSJ8QqyYHZmkTC",
    "model": "tiny",
    "system_fingerprint": "b11669-Debian",
    "object": "chat.completion.chunk",
}
READ_BYTES = 65536
SETTLE_S = 1.0


# What is measured


@dataclass(frozen=True, slots=True)
class CpuTime:
    """CPU seconds of a process, all threads, so far; the split is coarse (clock ticks), the total is not."""

    total_s: float
    user_s: float
    system_s: float

    @classmethod
    def of(cls, pid: int) -> CpuTime:
        """Raises OSError where the process is gone."""
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        ticks_a_second = os.sysconf("SC_CLK_TCK")
        process_clock = (~pid << 3) | 2
        return cls(
            time.clock_gettime_ns(process_clock) / 1e9,
            int(fields[11]) / ticks_a_second,
            int(fields[12]) / ticks_a_second,
        )


def cost_row(name: str, pid: int, seconds: float, rate: float) -> str:
    """Watches a process for some seconds and gives a row of the table."""
    before, began_s = CpuTime.of(pid), time.monotonic()
    time.sleep(seconds)
    after, wall_s = CpuTime.of(pid), time.monotonic() - began_s
    share = (after.total_s - before.total_s) / wall_s
    user, system = (after.user_s - before.user_s) / wall_s, (after.system_s - before.system_s) / wall_s
    load = os.getloadavg()[0]
    return f"| {name} | {share:.2%} | {user:.1%} + {system:.1%} | {share / rate * 1e6:.0f} | {load:.2f} |"


def measured_client(name: str, base_url: str, arguments: argparse.Namespace) -> str:
    """Runs one client in a child and gives its row; raises RuntimeError where it fell behind or lost a token."""
    command = [sys.executable, sys.argv[0], "--client", name, "--url", base_url]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as child:
        assert child.stdout
        child.stdout.readline()
        time.sleep(SETTLE_S)
        row = cost_row(name, child.pid, arguments.seconds, arguments.rate)
        seen = json.loads(child.stdout.readline())
    tokens = stream_tokens(arguments.seconds, arguments.rate)
    if seen["tokens"] != tokens or seen["seconds"] > tokens / arguments.rate + SETTLE_S:
        raise RuntimeError(f"client {name} did not keep up: {seen}, {tokens} tokens were sent at {arguments.rate}/s")
    return row


# The fake server


def stream_tokens(seconds: float, rate: float) -> int:
    """Tokens of one answer: long enough for the window and what lies around it."""
    return round((seconds + 3 * SETTLE_S) * rate)


def event(choices: list[dict[str, object]], **more: object) -> bytes:
    """One server-sent event as llama-server writes it, in a transfer chunk of its own."""
    data = b"data: " + json.dumps({"choices": choices, **ENVELOPE, **more}, separators=(",", ":")).encode() + b"\n\n"
    return b"%x\r\n%b\r\n" % (len(data), data)


def timings(tokens: int, rate: float) -> dict[str, object]:
    """Cumulative timings after that many tokens, one token a step."""
    predicted_ms = round((tokens - 1) * 1000 / rate + 0.001, 3) if tokens else 0.0
    return {
        "cache_n": 0,
        "prompt_n": 20,
        "prompt_ms": 8.903,
        "prompt_per_token_ms": 0.44515000000000005,
        "prompt_per_second": 2246.4337863641467,
        "predicted_n": tokens,
        "predicted_ms": predicted_ms,
        "predicted_per_token_ms": predicted_ms / max(tokens - 1, 1),
        "predicted_per_second": (tokens - 1) / predicted_ms * 1000 if tokens > 1 else 0.0,
    }


def answer_events(tokens: int, rate: float) -> Iterator[bytes]:
    """The events of one answer: role, then one a token, then finish, usage and end."""
    role: dict[str, object] = {"finish_reason": None, "index": 0, "delta": {"role": "assistant", "content": None}}
    progress = {"total": 20, "cache": 0, "processed": 20, "time_ms": 8}
    yield event([role], timings=timings(0, rate), prompt_progress=progress)
    for token in range(1, tokens + 1):
        delta = {"content": (" lighthouse", "s", " by", ".\n")[token % 4]}
        yield event([{"finish_reason": None, "index": 0, "delta": delta}], timings=timings(token, rate))
    yield event([{"finish_reason": "length", "index": 0, "delta": {}}])
    usage = {"completion_tokens": tokens, "prompt_tokens": 20, "total_tokens": tokens + 20}
    yield event([], usage=usage, timings=timings(tokens, rate))
    yield b"e\r\ndata: [DONE]\n\n\r\n0\r\n\r\n"


async def serve(arguments: argparse.Namespace) -> None:
    """Answers every request with the paced stream, until killed; prints its address."""
    events = list(answer_events(stream_tokens(arguments.seconds, arguments.rate), arguments.rate))

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(ConnectionError, asyncio.IncompleteReadError):
            head = (await reader.readuntil(b"\r\n\r\n")).lower()
            await reader.readexactly(int(head.partition(b"content-length:")[2].split(b"\r\n")[0]))
            writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n")
            began_s = time.monotonic()
            for index, one in enumerate(events):
                await asyncio.sleep(max(0.0, began_s + index / arguments.rate - time.monotonic()))
                writer.write(one)
                await writer.drain()
            await reader.read()
        writer.close()

    server = await asyncio.start_server(answer, "127.0.0.1", 0)
    print(f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}", flush=True)
    await server.serve_forever()


# The clients


class Follower:
    """Joins bytes to events and reads each one's timings, as little as any client must do."""

    def __init__(self, is_chunked: bool = False) -> None:
        self.predicted_n = 0
        self.is_done = False
        self._is_chunked = is_chunked
        self._transfer = b""
        self._pending = b""

    def feed(self, data: bytes) -> None:
        """Takes the bytes of one read; says so on stdout when the first token comes."""
        *events, self._pending = (self._pending + (self._unchunked(data) if self._is_chunked else data)).split(b"\n\n")
        for one in events:
            if one == b"data: [DONE]":
                self.is_done = True
                continue
            is_first = not self.predicted_n
            self.predicted_n = json.loads(one[6:]).get("timings", {}).get("predicted_n", self.predicted_n)
            if is_first and self.predicted_n:
                print("first token", flush=True)

    def _unchunked(self, data: bytes) -> bytes:
        transfer = self._transfer + data
        parts, start = [], 0
        while (line_end := transfer.find(b"\r\n", start)) >= 0:
            size = int(transfer[start:line_end], 16)
            if len(transfer) < line_end + 2 + size + 2:
                break
            parts.append(transfer[line_end + 2 : line_end + 2 + size])
            start = line_end + 2 + size + 2
        self._transfer = transfer[start:]
        return b"".join(parts)


async def follow_httpx(base_url: str, follower: Follower, pause_s: float) -> None:
    """httpx, without pauses: it gives one event a time however many one read brought."""
    if pause_s:
        raise ValueError("a pause between two events of httpx would let the stream fall behind")
    async with (
        httpx.AsyncClient(trust_env=False, timeout=60) as client,
        client.stream("POST", base_url + CHAT_PATH, content=BODY) as response,
    ):
        async for data in response.aiter_bytes():
            follower.feed(data)


async def follow_socket(base_url: str, follower: Follower, pause_s: float) -> None:
    """A bare socket on the loop; after a pause the bytes are there already and nothing is registered or awaited."""
    loop = asyncio.get_running_loop()
    with socket.create_connection(("127.0.0.1", urlsplit(base_url).port or 80)) as connection:
        connection.setblocking(False)
        await loop.sock_sendall(connection, request_head() + BODY)
        head = b""
        while b"\r\n\r\n" not in head:
            head += await loop.sock_recv(connection, READ_BYTES)
        data = head.partition(b"\r\n\r\n")[2]
        follower.feed(data)
        while not follower.is_done:
            if pause_s and len(data) < READ_BYTES:
                await asyncio.sleep(pause_s)
            data = await loop.sock_recv(connection, READ_BYTES)
            follower.feed(data)


def request_head() -> bytes:
    """The head of the request, for clients that write it themselves."""
    return b"POST %b HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n\r\n" % (CHAT_PATH.encode(), len(BODY))


CLIENTS: dict[str, tuple[Callable[[str, Follower, float], Awaitable[None]], bool]] = {
    "httpx": (follow_httpx, False),
    "socket": (follow_socket, True),
}
DEFAULT_CLIENTS = ["httpx", "socket", "socket+0.02", "socket+0.05", "socket+0.1"]


async def run_client(name: str, base_url: str) -> None:
    """The child's side: follows one answer and prints what it saw of it."""
    reading, _, pause_s = name.partition("+")
    follow, is_chunked = CLIENTS[reading]
    follower = Follower(is_chunked)
    began_s = time.monotonic()
    await follow(base_url, follower, float(pause_s or 0))
    print(json.dumps({"tokens": follower.predicted_n, "seconds": time.monotonic() - began_s}), flush=True)


def measure(arguments: argparse.Namespace) -> None:
    """Prints the table, for the given process or for one client after another."""
    print("| client | of one core | user + system | µs a token | load |", "|---|---|---|---|---|", sep="\n", flush=True)
    if arguments.pid:
        print(cost_row(f"pid {arguments.pid}", arguments.pid, arguments.seconds, arguments.rate))
        return
    command = [
        sys.executable,
        sys.argv[0],
        "--serve",
        "--seconds",
        str(arguments.seconds),
        "--rate",
        str(arguments.rate),
    ]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout
        base_url = server.stdout.readline().strip()
        try:
            for name in arguments.clients or DEFAULT_CLIENTS:
                print(measured_client(name, base_url, arguments), flush=True)
        finally:
            server.terminate()


def main() -> None:
    """Reads the arguments and plays the part asked for."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("clients", nargs="*", help=f"{', '.join(CLIENTS)}; NAME+0.05 pauses 0.05 s between reads")
    parser.add_argument("--seconds", type=float, default=20.0, help="length of the measured window")
    parser.add_argument("--rate", type=float, default=100.0, help="tokens per second of the fake server")
    parser.add_argument("--pid", type=int, help="measure this process instead")
    parser.add_argument("--serve", action="store_true", help="be the fake server only")
    parser.add_argument("--client", help=argparse.SUPPRESS)
    parser.add_argument("--url", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.serve:
        asyncio.run(serve(arguments))
    elif arguments.client:
        asyncio.run(run_client(arguments.client, arguments.url))
    else:
        measure(arguments)


if __name__ == "__main__":
    main()
