"""llama-server as an engine: started for one case, checked, asked, and stopped."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from specui.engines.llama.capabilities import Capabilities
from specui.engines.llama.command import chosen_port, command_words
from specui.engines.llama.launching import launched

if TYPE_CHECKING:
    from specui.domain.plan import Case
    from specui.engines.base import Emit
    from specui.engines.llama.asking import LlamaServer

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
            alias = f"{self.token}-{number}"
            new = launched(number, case, self.can, alias, self.log_of(number), self.environ, self.api_key, emit)
            from specui.engines.llama import tending  # its HTTP client takes 0.1 s of CPU: the engine loads meanwhile

            try:
                async with tending.tended(new, number, case, self.can, self.api_key, emit) as server:
                    yield server
                    return
            except tending.PortTaken as error:
                if not tries_left:
                    raise
                tending.note_port(error, number, emit)
