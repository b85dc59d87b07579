"""From a started process to a server that answers, is ours, and speculates as asked."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from specui.domain.errors import LaunchFailed, SpeculationOff
from specui.domain.events import ServerLoading, ServerReady, Warned
from specui.domain.plan import Case
from specui.domain.text import one_line
from specui.domain.units import JsonValue, Seconds
from specui.engines.llama import logs
from specui.engines.llama.capabilities import Capabilities
from specui.engines.llama.chunks import count
from specui.engines.llama.command import chosen_port
from specui.engines.llama.deaths import death, last_words
from specui.engines.llama.ports import is_of, listeners, port_owner
from specui.engines.llama.words import Words

if TYPE_CHECKING:
    from specui.engines.base import Emit
    from specui.engines.llama.client import LlamaClient
    from specui.engines.llama.process import EngineProcess, Exit

_POLL_S: Seconds = 0.05
_FOREIGN_S: Seconds = 1.0
_REMEDY = "stop it, or choose another port"


class PortTaken(LaunchFailed):
    """Something else listens on the port that the server was given."""


@dataclass(slots=True)
class Start:
    """One attempt to start a server, and what its log has told so far."""

    number: int
    case: Case
    can: Capabilities
    port: int
    alias: str
    words: Words
    since: Seconds
    layers: logs.LayersOffloaded | None = None
    device: str | None = None
    thinking: bool | None = None
    added: list[str] = field(default_factory=list)
    """Methods that the engine says it added."""
    stage: tuple[str, float] = ("", -1.0)

    def heard(self, emit: Emit) -> bool:
        """Take in new log lines; whether there were any."""
        lines = self.words.new_lines()
        for line in lines:
            self._hear(line, emit)
        return bool(lines)

    def _hear(self, line: str, emit: Emit) -> None:
        match logs.read_line(line):
            case logs.LoadProgress(stage=stage, fraction=fraction):
                if (stage, fraction) != self.stage:
                    self.stage = (stage, fraction or 0.0)
                    emit(ServerLoading(self.number, stage, fraction))
            case logs.LayersOffloaded() as layers:
                self.layers = layers
            case logs.DeviceBuffer(device=device):
                self._place(device)
            case logs.ThinkingKnown(thinking=thinking):
                self.thinking = thinking
            case logs.SpeculationAdded(method=method):
                self.added.append(method)
            case logs.Clamped() as clamped:
                text = (
                    f"the drafter's block holds {clamped.clamped_to} tokens: n_max {clamped.asked} was lowered to that"
                )
                emit(Warned("clamped", text, self.number))
            case logs.Checkpoints():
                text = "this model cannot roll back: a partly kept draft costs a second pass of the target"
                emit(Warned("checkpoints", text, self.number))
            case _:
                if "using config file:" in line:
                    emit(
                        Warned(
                            "config-file", f"the engine reads a configuration file: {one_line(line, 160)}", self.number
                        )
                    )

    def _place(self, buffer: str) -> None:
        """A device from the name of a weights buffer (`ROCm0`, `CPU_Mapped`); one of the host says nothing."""
        name = buffer.partition("_")[0]
        if "_Host" not in buffer and (self.device is None or self.device == "CPU"):
            self.device = name


async def until_ready(start: Start, process: EngineProcess, client: LlamaClient, emit: Emit) -> None:
    """Wait as long as the process lives, however slow its disk.

    Raises PortTaken or LaunchFailed, with the most telling of its last words.
    """
    while True:
        start.heard(emit)
        if (ended := process.exit()) is not None:
            raise await _died(start, ended, client)
        if await client.health() == "ready":
            break
        await asyncio.sleep(_POLL_S)
    await _ensure_ours(start, process, client)
    start.heard(emit)


async def _ensure_ours(start: Start, process: EngineProcess, client: LlamaClient) -> None:
    """Another server on the same port would answer for the one that we started, even with the same model."""
    names = _names(await client.json("/v1/models")) | _names(await client.json("/props"))
    if start.alias in names and chosen_port(start.case) is None:
        return
    holders = await asyncio.to_thread(listeners, start.port)
    others = {pid for pid in holders if not is_of(pid, process.pid)}
    if _is_ours(start, names, bool(holders - others), bool(others)):
        return
    if (ended := await process.wait(_FOREIGN_S)) is not None:
        raise await _died(start, ended, client)
    raise LaunchFailed(f"port {start.port} is answered by another server{_naming(names)}: {_REMEDY}")


def _is_ours(start: Start, names: set[str], we_listen: bool, others_listen: bool) -> bool:
    """By the name that no other server bears, else by who holds the port, where that can be seen, else by the model.

    Two may hold one port at once: then nobody knows who answers. Inside a container ours is a stranger with our name.
    """
    if start.alias in names or we_listen:
        return not (we_listen and others_listen)
    return not others_listen and (start.case.model.path in names or not names)


def _names(value: JsonValue) -> set[str]:
    """Every name and path under which a server says it serves its model."""
    if not isinstance(value, dict):
        return set()
    data = value.get("data")
    rows = [value, *(data if isinstance(data, list) else [])]
    names = [row.get(key) for row in rows if isinstance(row, dict) for key in ("id", "model_alias", "model_path")]
    aliases = [row.get("aliases") for row in rows if isinstance(row, dict)]
    several = [name for entry in aliases if isinstance(entry, list) for name in entry]
    return {name for name in [*names, *several] if isinstance(name, str) and name}


def _naming(names: set[str]) -> str:
    """What another server serves, by its longest name: mostly a path."""
    return f" ({one_line(max(sorted(names), key=len), 120)})" if names else ""


async def _died(start: Start, ended: Exit, client: LlamaClient) -> LaunchFailed:
    if "couldn't bind" not in (last_words(start.words) or ""):
        return LaunchFailed(death(start.case, ended, start.words, " while loading"))
    owner = await asyncio.to_thread(port_owner, start.port)
    serving = _naming(_names(await client.json("/props", _FOREIGN_S))) if owner else ""
    return PortTaken(f"port {start.port} is already in use{f' by {owner}' if owner else ''}{serving}: {_REMEDY}")


async def verified(start: Start, client: LlamaClient, emit: Emit) -> None:
    """Say what the server did after loading.

    Raises SpeculationOff where it serves without the speculation that the case asks for.
    """
    slots, props = await client.json("/slots"), await client.json("/props")
    slot = slots[0] if isinstance(slots, list) and slots and isinstance(slots[0], dict) else {}
    settings = props.get("default_generation_settings") if isinstance(props, dict) else None
    told = slot.get("speculative")
    speculative = told if isinstance(told, bool) else (True if start.added else None)
    now = emit(ServerLoading(start.number, "ready", 1.0))
    emit(
        ServerReady(
            start.number,
            round(1000 * (now - start.since), 3),
            _build(start, props),
            count(slot.get("n_ctx")) or (count(settings.get("n_ctx")) if isinstance(settings, dict) else None),
            start.device,
            speculative,
            start.layers.total if start.layers else None,
            start.layers.on_gpu if start.layers else None,
            start.thinking,
        )
    )
    _note_context(start, count(slot.get("n_ctx")), emit)
    if start.case.speculation.method == "none" or speculative:
        return
    start.heard(emit)
    reason = logs.speculation_off_reason(list(start.words.last))
    if speculative is False or reason is not None:
        why = reason or "the engine gives no reason; does the drafter fit the target?"
        raise SpeculationOff(f"the server runs, but {start.case.speculation.method} is off: {why}")
    emit(Warned("speculation-unknown", "this engine does not tell whether it speculates", start.number))


def _note_context(start: Start, n_ctx: int | None, emit: Emit) -> None:
    """Where the user asked for a context and the engine runs another."""
    asked = start.case.settings.get("ctx")
    if isinstance(asked, int) and asked and n_ctx is not None and n_ctx != asked:
        emit(Warned("context", f"a slot holds {n_ctx} tokens of context, though {asked} were asked for", start.number))


def _build(start: Start, props: Any) -> str | None:  # Any: JSON from the server
    said = props.get("build_info") if isinstance(props, dict) else None
    if isinstance(said, str) and said and not said.startswith("b0-"):
        return one_line(said, 60)
    return f"b{start.can.build}" if start.can.build else None
