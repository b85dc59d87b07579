"""Ports of this machine: a free one, and who holds one that is not."""

from __future__ import annotations

import socket

from specui.engines.llama.command import HOST


def free_port() -> int:
    """A port that nobody listens on right now."""
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
        probe.bind((HOST, 0))
        return int(probe.getsockname()[1])


def port_owner(port: int) -> str | None:
    """Name and number of the process that listens on a port; None where it cannot be told."""
    import psutil  # a quarter of a runner's start for a question that is rarely asked

    try:
        holders = [
            c.pid for c in psutil.net_connections("tcp") if c.laddr and c.laddr.port == port and c.status == "LISTEN"
        ]
        pid = next((p for p in holders if p), None)
        return None if pid is None else f"{psutil.Process(pid).name()} (process {pid})"
    except (psutil.Error, OSError):
        return None
