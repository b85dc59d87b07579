"""Loads that are slow, endless or noisy (C10, C11)."""

from __future__ import annotations

import signal
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.processes.driving import Machine


@pytest.mark.parametrize(
    "slow", [{"refuse_s": 0.6}, {"load_s": 0.6}, {"refuse_s": 0.4, "load_s": 0.4, "dots": True}], ids=str
)
def test_a_slow_load_is_waited_for(machine: Machine, slow: dict[str, float]) -> None:
    """Refused connections and 503 are no failure while the process lives."""
    ended = machine.run(*machine.usual(machine.engine(**slow)), "--json")
    assert ended.code == 0
    assert ended.report["requests"] == 1
    assert ended.one("server-ready")["load_ms"] >= 600
    ended.ensure_whole()


@pytest.mark.parametrize("endless", [{"load_s": -1, "dots": True}, {"listens": False}], ids=["dots", "never listens"])
def test_an_endless_load_can_be_stopped(machine: Machine, endless: dict[str, float]) -> None:
    """`specui stop` from another terminal ends it within three seconds."""
    running = machine.start(*machine.usual(machine.engine(**endless)))
    running.journal.wait_for("server-starting")
    assert machine.verb("stop", "last").returncode == 0
    ended = running.ended(within_s=3)
    assert ended.code == 130
    assert ended.one("run-finished")["outcome"] == "stopped"
    ended.ensure_whole()


def test_a_long_load_is_explained(machine: Machine) -> None:
    """After five seconds the person reads how long it has been, the engine's last words and the way out."""
    running = machine.start(*machine.usual(machine.engine(load_s=-1, dots=True)))
    running.says("still loading after 5 s")
    running.process.send_signal(signal.SIGINT)
    ended = running.ended(within_s=3)
    (said,) = [line for line in ended.err.splitlines() if "still loading" in line]
    assert "..." in said
    assert len(said) < 250
    assert "Ctrl+C stops" in said
    assert ended.code == 130


@pytest.mark.parametrize("dies", [None, 1])
def test_a_talkative_engine_is_not_held_up(machine: Machine, dies: int | None) -> None:
    """300 kB before it listens, one line of 100 kB, bytes that are no text: it is ready, or its death is told."""
    ended = machine.run(*machine.usual(machine.engine(noise=True, dies_loading=dies)), "--json")
    assert ended.code == (0 if dies is None else 1)
    log = (ended.folder / "server-1.log").read_bytes()
    assert len(log) > 300_000
    assert b"\xff\xfe" in log
    assert len((ended.folder / "journal.jsonl").read_bytes()) < 30_000
    if dies is not None:
        (said,) = [line for line in ended.err.splitlines() if line.startswith("  failed: ")]
        assert len(said) < 700
    ended.ensure_whole()
