"""The runner's own process: takes an order on standard input, answers with the run's folder, and carries it out.

Standard output holds one line of JSON and is then closed; everything else goes to the run's own log.
"""

from __future__ import annotations

import asyncio
import json
import logging
import os
import platform
import signal
import sys
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TYPE_CHECKING

from specui import __version__
from specui.cli.sessions import session_of
from specui.domain.codec import FORMAT, from_record
from specui.domain.errors import EngineError, SpecuiError
from specui.domain.plan import Case, EngineChoice, Plan
from specui.engines.llama.command import engine_environment
from specui.engines.llama.engine import LlamaEngine
from specui.journal import session, store, wishes
from specui.journal.writer import JournalWriter
from specui.probes.host import host_facts
from specui.runner.recorder import Recorder, folder_stamp, wall_clock
from specui.runner.runner import Runner

if TYPE_CHECKING:
    import argparse
    from collections.abc import Mapping

    from specui.domain.units import Record
    from specui.engines.llama.capabilities import Capabilities
    from specui.journal.store import RunFolder

log = logging.getLogger(__name__)


def configure(parser: argparse.ArgumentParser) -> None:
    """No options: the order comes on standard input."""


def run(options: argparse.Namespace) -> int:
    """Carry out the order; exit code 0 where every case went well."""
    try:
        order = json.loads(sys.stdin.buffer.read())
        plan = from_record(Plan, order["plan"])
        folder = store.create(Path(order["runs"]), plan.title, folder_stamp())
        writer = JournalWriter(folder.journal, _header(folder, plan))
    except (SpecuiError, ValueError, KeyError, OSError) as error:
        _answer({"error": str(error) or type(error).__name__})
        return 2
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGPIPE, signal.SIG_IGN)
    _redirect(folder)
    with writer:
        outcome = asyncio.run(_carried_out(plan, folder, writer, order.get("api_key")))
    return 0 if outcome in ("finished", "stopped") else 1


async def _carried_out(plan: Plan, folder: RunFolder, writer: JournalWriter, api_key: str | None) -> str:
    recorder = Recorder(writer)
    engines = _Engines(folder, api_key)
    runner = Runner(
        plan,
        host_facts(),
        {"specui": __version__, "python": platform.python_version(), **_installed("xllamacpp")},
        recorder.emit,
        engines.engine_for,
        lambda: wishes.take(folder.inbox),
    )
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, runner.stop, "SIGTERM")
    _answer({"path": str(folder.path)})
    _silence_stdout()
    try:
        return await runner.carry_out()
    finally:
        recorder.flush()
        writer.sync()
        session.save(session_of(folder), folder.session)


class _Engines:
    """One engine a program; a program is probed once a run."""

    def __init__(self, folder: RunFolder, api_key: str | None) -> None:
        self._folder = folder
        self._api_key = api_key
        self._known: dict[str, Capabilities] = {}

    def engine_for(self, case: Case) -> LlamaEngine:
        """The engine of a case. Raises EngineUnusable where its program does not run."""
        choice = case.engine
        if choice.kind == "scripted":
            raise EngineError("a scripted engine serves tests only")
        key = "\0".join(choice.command)
        if key not in self._known:
            self._known[key] = _capabilities(choice)
        token = f"specui-{os.getpid()}"
        return LlamaEngine(self._known[key], self._folder.server_log, os.environ, token, self._api_key)


def _capabilities(choice: EngineChoice) -> Capabilities:
    if choice.kind == "embedded":
        from specui.engines.llama.embedded_capabilities import embedded_capabilities  # only where it is used

        return embedded_capabilities()
    from specui.engines.llama.capabilities import probe  # costs a subprocess import only where it is used

    return probe(choice.command, engine_environment(os.environ, choice.env, None))


def _header(folder: RunFolder, plan: Plan) -> Record:
    header: Record = {
        "format": FORMAT,
        "id": folder.id,
        "title": plan.title,
        "created": wall_clock(),
        "specui": __version__,
    }
    return header | ({"note": plan.note} if plan.note else {})


def _installed(package: str) -> Record:
    try:
        return {package: version(package)}
    except PackageNotFoundError:
        return {}


def _answer(answer: Mapping[str, str]) -> None:
    sys.stdout.write(json.dumps(answer) + "\n")
    sys.stdout.flush()


def _redirect(folder: RunFolder) -> None:
    """Standard error and the log into the run's own file."""
    descriptor = os.open(folder.log, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o600)
    os.dup2(descriptor, 2)
    os.close(descriptor)
    logging.basicConfig(level=logging.WARNING, format="%(asctime)s %(levelname)s %(name)s %(message)s")


def _silence_stdout() -> None:
    nowhere = os.open(os.devnull, os.O_RDWR | os.O_CLOEXEC)
    os.dup2(nowhere, 0)
    os.dup2(nowhere, 1)
    os.close(nowhere)
