"""llama-server as an engine: started for one case, checked, asked, and stopped."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from specui.domain.events import ServerExited, ServerStarting, Warned
from specui.engines.llama.asking import LlamaServer
from specui.engines.llama.capabilities import Capabilities, signal_sentence
from specui.engines.llama.client import LlamaClient
from specui.engines.llama.command import (
    HOST,
    chosen_port,
    command_words,
    engine_environment,
    recorded_environment,
)
from specui.engines.llama.logs import failure_reason
from specui.engines.llama.ports import free_port
from specui.engines.llama.process import EngineProcess
from specui.engines.llama.readiness import PortTaken, Start, until_ready, verified
from specui.engines.llama.words import Words

if TYPE_CHECKING:
    from specui.domain.plan import Case
    from specui.engines.base import Emit

PORT_TRIES = 3


@dataclass(frozen=True, slots=True)
class LlamaEngine:
    """Starts one server per case. `token` makes the served name ours alone on this machine."""

    can: Capabilities
    log_of: Callable[[int], Path]
    environ: Mapping[str, str]
    token: str
    api_key: str | None = field(default=None, repr=False)

    def command(self, case: Case) -> tuple[str, ...]:
        """The words that start it, with port 0 for "any"."""
        return command_words(case, self.can, chosen_port(case) or 0, self.token)

    @asynccontextmanager
    async def serving(self, number: int, case: Case, emit: Emit) -> AsyncIterator[LlamaServer]:
        """A loaded server that speculates as the case asks; gone when the context is left."""
        for tries_left in reversed(range(PORT_TRIES if chosen_port(case) is None else 1)):
            start, process = self._launch(number, case, emit)
            client = LlamaClient(f"http://{HOST}:{start.port}", self.api_key)
            server = LlamaServer(number, client, start.words, emit, case.speculation.draft_bound())
            try:
                await until_ready(start, process, client, emit)
                await verified(start, process, client, emit)
                yield server
                return
            except PortTaken as error:
                if not tries_left:
                    raise
                emit(Warned("port-taken", f"{error}: trying another port", number))
            finally:
                await self._stop(start, process, client, emit)

    def _launch(self, number: int, case: Case, emit: Emit) -> tuple[Start, EngineProcess]:
        port = chosen_port(case) or free_port()
        alias = f"{self.token}-{number}"
        argv = command_words(case, self.can, port, alias)
        env = engine_environment(self.environ, case.engine.env, self.api_key)
        words = Words(self.log_of(number))
        process = EngineProcess(argv, env, self.log_of(number))
        said = recorded_environment(env, case.engine.env)
        try:
            since = emit(ServerStarting(number, process.pid, process.started_at(), argv, said))
        except BaseException:
            process.kill()
            raise
        return Start(number, case, self.can, port, alias, words, since), process

    async def _stop(self, start: Start, process: EngineProcess, client: LlamaClient, emit: Emit) -> None:
        """Close our streams, end the process, say how it ended. A death that we asked for is no failure."""
        ended = process.exit()
        died = ended is not None
        if not died:
            await client.settled()
        await client.close()
        ended = ended or await process.stop()
        start.words.all_new_lines()
        reason = None
        if died:
            reason = failure_reason(list(start.words.last))
            if ended.signal is not None:
                reason = signal_sentence(-ended.signal) + (f"; its last words: {reason}" if reason else "")
        emit(ServerExited(start.number, ended.code, ended.signal, not died, reason))
