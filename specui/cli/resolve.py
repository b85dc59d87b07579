"""Names of models, engines and drafters turned into things of this machine."""

from __future__ import annotations

import os
import shutil
import sys
from dataclasses import dataclass, field, replace
from pathlib import Path

from specui import builtin
from specui.cli.config import Config
from specui.cli.output import note
from specui.domain.errors import EngineUnusable, UsageError
from specui.domain.plan import NEEDS_DRAFTER, EngineChoice, Model
from specui.domain.sweep import AUTO
from specui.domain.text import one_line
from specui.engines.llama.capabilities import Capabilities, probe
from specui.engines.llama.command import engine_environment
from specui.engines.llama.embedded_capabilities import embedded_capabilities, installed_version
from specui.models.find import described, expanded, model_file

EMBEDDED = "embedded"
EMBEDDED_COMMAND = (sys.executable, "-P", "-m", "specui.engines.llama.embedded")
PROGRAM = "llama-server"


@dataclass(slots=True)
class MachineResolver:
    """Looks names up here; relative paths are taken from `beside`."""

    config: Config
    beside: Path
    toys: Path
    """Where the widened toy is kept."""
    _models: dict[str, Model] = field(default_factory=dict)
    _engines: dict[str | None, EngineChoice] = field(default_factory=dict)

    def model(self, name: str) -> Model:
        """The target of that name, path, or the built-in toy, as it is or widened."""
        if name not in self._models:
            self._models[name] = self._found(name)
        return self._models[name]

    def _found(self, name: str) -> Model:
        match name:
            case builtin.WORD:
                return described(builtin.target(), builtin.NAME, toy=True)
            case builtin.WIDE_WORD:
                from specui.cli.wide_toy import wide_toy  # the event loop of its trial is loaded for this model only

                engine = self.engine(EMBEDDED if installed_version() is not None else None)
                path = wide_toy(self.toys, engine, capabilities(engine))
                return described(path, builtin.WIDE_NAME, toy=True)
            case _:
                path = model_file(name, self.config.model_dirs, self.beside)
                return described(path, None, builtin.is_toy(path))

    def engine(self, name: str | None) -> EngineChoice:
        """The engine of that name or path; for None the best that runs here, which is said."""
        if name not in self._engines:
            found = self._default() if name is None else self._named(name)
            self._engines[name] = self._told_apart(found)
        return self._engines[name]

    def drafter(self, model: Model, method: str, name: str | None) -> str | None:
        """The drafter's path. The toys pair with each other; a drafter for another model has to be named."""
        if name is not None and name != AUTO:
            return str(model_file(name, self.config.model_dirs, self.beside))
        # The widened target's own MTP head is as wide as its other layers; the head's own file is not.
        is_wide_mtp = method == "draft-mtp" and model.name == builtin.WIDE_NAME
        if not model.toy or not (method in NEEDS_DRAFTER or is_wide_mtp):
            return None
        path = builtin.drafter(method)
        return str(path) if path else None

    def _named(self, name: str) -> EngineChoice:
        if name == EMBEDDED:
            return self._embedded()
        for engine in self.config.engines:
            if engine.name == name:
                return self._binary(EngineChoice(name, "binary", engine.command, engine.env))
        found = shutil.which(name) if "/" not in name else None
        place = Path(found) if found else expanded(name, self.beside)
        if place.is_dir() and (place / PROGRAM).is_file():
            place = place / PROGRAM
        if not place.exists():
            known = ", ".join([EMBEDDED, *(e.name for e in self.config.engines)])
            raise UsageError(
                f"there is no engine {one_line(name, 200)} (no such program: {place}): use {known}, or a path"
            )
        return self._binary(EngineChoice(place.stem, "binary", (str(place),)))

    def _binary(self, engine: EngineChoice) -> EngineChoice:
        can = capabilities(engine)
        return replace(engine, several_devices=len(can.devices) > 1)

    def _embedded(self) -> EngineChoice:
        if installed_version() is None:
            remedy = 'pip install "specui[embedded]", or name a llama-server with --engine PATH'
            raise EngineUnusable(f"the embedded engine is not installed: {remedy}")
        return EngineChoice(EMBEDDED, "embedded", EMBEDDED_COMMAND)

    def _default(self) -> EngineChoice:
        """The first usable engine with a GPU, else the first usable one: configured, on PATH, embedded."""
        usable: list[EngineChoice] = []
        reasons: list[str] = []
        on_path = shutil.which(PROGRAM)
        candidates = [EngineChoice(e.name, "binary", e.command, e.env) for e in self.config.engines]
        candidates += [EngineChoice(PROGRAM, "binary", (on_path,))] if on_path else []
        for candidate in candidates:
            try:
                can = capabilities(candidate)
            except EngineUnusable as error:
                reasons.append(str(error))
                continue
            usable.append(replace(candidate, several_devices=len(can.devices) > 1))
            if any(not d.software for d in can.devices):
                return _said(usable[-1], "it has a GPU")
        try:
            usable.append(self._embedded())
        except EngineUnusable as error:
            reasons.append(str(error))
        if not usable:
            raise EngineUnusable("; ".join(reasons))
        return _said(usable[0], "no engine with a GPU was found")

    def _told_apart(self, engine: EngineChoice) -> EngineChoice:
        """Two programs of one name get the names of their folders."""
        others = [e for e in self._engines.values() if e.name == engine.name and e.command != engine.command]
        if not others or not engine.command:
            return engine
        return replace(engine, name=Path(engine.command[-1]).parent.name or engine.name)


_PROBED: dict[tuple[str, ...], Capabilities] = {}


def capabilities(engine: EngineChoice) -> Capabilities:
    """What an engine's program can do; asked once a process, so a forked runner knows what its command knew.

    Raises EngineUnusable where it does not run.
    """
    key = (engine.kind, *engine.command, *(f"{k}={v}" for k, v in engine.env.items()))
    if key not in _PROBED:
        if engine.kind == "embedded":
            _PROBED[key] = embedded_capabilities()
        else:
            _PROBED[key] = probe(engine.command, engine_environment(os.environ, engine.env, None))
    return _PROBED[key]


def _said(engine: EngineChoice, why: str) -> EngineChoice:
    note(f"engine: {engine.name} ({' '.join(engine.command[:1])}; {why})")
    return engine
