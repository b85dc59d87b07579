"""What a runner needs of an engine: something that serves one case at a time and answers questions."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, TypeAlias

from specui.domain.events import Fact
from specui.domain.plan import Case, Limits, Workload
from specui.domain.request_facts import Purpose
from specui.domain.units import Seconds, Tokens

if TYPE_CHECKING:
    from contextlib import AbstractAsyncContextManager

Emit: TypeAlias = Callable[[Fact], Seconds]
"""Takes a fact into the journal and gives the moment it was stamped with."""

Message: TypeAlias = tuple[str, str]
"""Role (`system`, `user`, `assistant`) and words."""


@dataclass(frozen=True, slots=True)
class Question:
    """One request to be sent: the conversation so far ends with `prompt`."""

    request: int
    case: int
    repeat: int
    turn: int
    prompt_id: str
    purpose: Purpose
    prompt: str
    earlier: tuple[Message, ...]
    workload: Workload
    limits: Limits


@dataclass(frozen=True, slots=True)
class Answer:
    """What came back. `error` is None where the answer is whole."""

    text: str
    thinking: str
    predicted_n: Tokens | None
    draft_n: Tokens | None
    stop_reason: str | None
    error: str | None


class Server(Protocol):
    """A configuration that is loaded and answers."""

    async def ask(self, question: Question) -> Answer:
        """Send the question, emit its facts, give the answer.

        Raises EngineError where the engine can answer no more. Cancelling it cancels the request.
        """
        ...


class Engine(Protocol):
    """A program that can serve cases."""

    def command(self, case: Case) -> tuple[str, ...]:
        """The words that would start it for the case, for the record.

        Raises EngineUnusable where it cannot serve the case.
        """
        ...

    def serving(self, number: int, case: Case, emit: Emit) -> AbstractAsyncContextManager[Server]:
        """Start it for a case and stop it at the end, in every case; its facts bear the case's number.

        Raises EngineError where it cannot be started or does not do what the case asks.
        """
        ...
