"""Starting a server's process: everything that has to happen before the engine begins to load, and no more."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from specui.domain.events import ServerStarting
from specui.domain.units import Seconds
from specui.engines.llama.command import (
    chosen_port,
    command_words,
    engine_environment,
    recorded_environment,
)
from specui.engines.llama.ports import free_port
from specui.engines.llama.process import EngineProcess
from specui.engines.llama.words import Words

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from specui.domain.plan import Case
    from specui.engines.base import Emit
    from specui.engines.llama.capabilities import Capabilities


@dataclass(frozen=True, slots=True)
class Launched:
    """A server's process that has just been started."""

    process: EngineProcess
    port: int
    alias: str
    words: Words
    since: Seconds


def launched(
    number: int,
    case: Case,
    can: Capabilities,
    alias: str,
    log: Path,
    environ: Mapping[str, str],
    api_key: str | None,
    emit: Emit,
) -> Launched:
    """Start the server of a case. Raises EngineUnusable where its program cannot be started."""
    port = chosen_port(case) or free_port()
    argv = command_words(case, can, port, alias)
    env = engine_environment(environ, case.engine.env, api_key)
    words = Words(log)
    process = EngineProcess(argv, env, log)
    said = recorded_environment(env, case.engine.env)
    try:
        since = emit(ServerStarting(number, process.pid, process.started_at(), argv, said))
    except BaseException:  # whatever stopped us, the process must not stay
        process.kill()
        raise
    return Launched(process, port, alias, words, since)
