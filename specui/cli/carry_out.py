"""What a runner's process does: a plan carried out into a journal, with the engines of this machine."""

from __future__ import annotations

import asyncio
import logging
import os
import platform
import signal
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from specui import __version__
from specui.cli.resolve import capabilities
from specui.cli.secrets import API_KEY, Secrets
from specui.cli.sessions import session_of
from specui.domain.codec import FORMAT
from specui.domain.errors import EngineUnusable, SpecuiError
from specui.domain.events import Warned
from specui.engines.llama.engine import LlamaEngine
from specui.journal import lock, session, store, wishes
from specui.journal.folder import RunFolder
from specui.journal.writer import JournalWriter
from specui.probes.host import host_facts
from specui.runner.recorder import Recorder, folder_stamp, wall_clock
from specui.runner.runner import Runner
from specui.runner.sampling import Sampling

if TYPE_CHECKING:
    from pathlib import Path

    from specui.domain.plan import Case, Plan
    from specui.domain.units import Record
    from specui.runner.detach import Answer

log = logging.getLogger(__name__)


def carry_out(plan: Plan, runs: Path, secrets: Secrets, answer: Answer) -> int:
    """Make the run's folder, say where it is, and carry the plan out; exit code 0 where every case went well."""
    try:
        folder = store.create(runs, plan.title, folder_stamp())
        writer = JournalWriter(folder.journal, _header(folder, plan))
    except SpecuiError as error:
        answer({"error": str(error)})
        return 2
    signal.signal(signal.SIGPIPE, signal.SIG_IGN)
    _write_log(folder)
    with writer:
        outcome = asyncio.run(_carried_out(plan, folder, writer, secrets, answer))
    return 0 if outcome in ("finished", "stopped") else 1


async def _carried_out(plan: Plan, folder: RunFolder, writer: JournalWriter, secrets: Secrets, answer: Answer) -> str:
    recorder = Recorder(writer)
    sampling = Sampling(recorder.emit, recorder.now)
    engines = _Engines(folder, secrets)
    others = [f.id for f in store.folders(folder.path.parent)[:50] if f.id != folder.id and lock.is_held(f.journal)]
    shared = [f"another run lives on this machine ({name}): they slow each other down" for name in others]
    runner = Runner(
        plan,
        host_facts(),
        _versions(),
        sampling.emit,
        engines.engine_for,
        lambda: wishes.take(folder.inbox),
        tuple(Warned("other-run", text) for text in shared),
        sampling.carry_on,
    )
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, runner.stop, "SIGTERM")
    answer({"path": str(folder.path)})
    try:
        outcome = await runner.carry_out()
    finally:
        recorder.flush()
    session.save(session_of(folder), folder.session)
    return outcome


@dataclass(frozen=True, slots=True)
class _Engines:
    """The engines of one run."""

    folder: RunFolder
    secrets: Secrets = field(repr=False)

    def engine_for(self, case: Case) -> LlamaEngine:
        """The engine of a case. Raises EngineUnusable where its program does not run."""
        if case.engine.kind == "scripted":
            raise EngineUnusable("a scripted engine serves tests only")
        token = f"specui-{os.getpid()}"
        environ = {**os.environ, **self.secrets}
        can, key = capabilities(case.engine), self.secrets.get(API_KEY)
        return LlamaEngine(can, self.folder.server_log, environ, token, key)


def _header(folder: RunFolder, plan: Plan) -> Record:
    header: Record = {
        "format": FORMAT,
        "id": folder.id,
        "title": plan.title,
        "created": wall_clock(),
        "specui": __version__,
    }
    return header | ({"note": plan.note} if plan.note else {})


def _versions() -> Record:
    """Versions that bear on what was measured."""
    return {"specui": __version__, "python": platform.python_version()}


def _write_log(folder: RunFolder) -> None:
    """Standard error and the log into the run's own file."""
    descriptor = os.open(folder.log, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o600)
    os.dup2(descriptor, 2)
    os.close(descriptor)
    logging.basicConfig(level=logging.WARNING, format="%(asctime)s %(levelname)s %(name)s %(message)s")
