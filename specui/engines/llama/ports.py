"""Ports of this machine: a free one, and who holds one that is not."""

from __future__ import annotations

import os
import socket

from specui.engines.llama.command import HOST


def free_port() -> int:
    """A port that nobody listens on right now."""
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
        probe.bind((HOST, 0))
        return int(probe.getsockname()[1])


def listeners(port: int) -> frozenset[int]:
    """The processes that listen on a port, as far as this user may see them."""
    import psutil  # a quarter of a runner's start for a question that is rarely asked

    try:
        found = [c for c in psutil.net_connections("tcp") if c.laddr and c.laddr.port == port]
    except (psutil.Error, OSError):
        return frozenset()
    return frozenset(c.pid for c in found if c.pid and c.status == "LISTEN")


def port_owner(port: int) -> str | None:
    """Name and number of a process that listens on a port; None where it cannot be told."""
    import psutil  # as above

    try:
        pid = min(listeners(port), default=None)
        return None if pid is None else f"{psutil.Process(pid).name()} (process {pid})"
    except (psutil.Error, OSError):
        return None


def is_of(pid: int, leader: int) -> bool:
    """Whether a process belongs to the session that `leader` began, as all do that it started and kept."""
    try:
        return os.getsid(pid) == leader
    except OSError:
        return False
