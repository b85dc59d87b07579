"""The real command line driven from outside: as a person does it, with a fake engine behind it."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import stat
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from specui.journal import session

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

FAKE = Path(__file__).resolve().parent.parent / "programs" / "fake_llama_server.py"
HELP = FAKE.parent.parent / "data" / "help"
PROBES = f"""case $1 in
--version) exec cat '{HELP}/version-b11669.txt' >&2 ;;
--help) exec cat '{HELP}/llama-server-b11669.txt' ;;
--list-devices) echo 'Available devices:'; exit ;;
esac
"""
"""What the fake engine answers too, at a tenth of its time."""

SPECUI = (sys.executable, "-P", "-m", "specui")
DEADLINE_S = 40.0
"""Far beyond what anything here takes: where it passes, something hangs."""

Json = dict[str, Any]  # Any: an event of a journal, as it stands there
Found = TypeVar("Found")


def until(look: Callable[[], Found], what: str, within_s: float = DEADLINE_S) -> Found:
    """What `look` gives as soon as it is true; fails when the deadline passes."""
    deadline = time.monotonic() + within_s
    while not (found := look()):
        if time.monotonic() > deadline:
            raise AssertionError(f"not so within {within_s:g} s: {what}")
        time.sleep(0.02)
    return found


def is_alive(pid: int) -> bool:
    """Whether a process runs; a zombie does not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text(errors="replace").rsplit(")", 1)[1].split()[0] not in "ZX"
    except OSError:
        return False


def is_zombie(pid: int) -> bool:
    """Whether a process has ended and nobody has waited for it."""
    try:
        return Path(f"/proc/{pid}/stat").read_text(errors="replace").rsplit(")", 1)[1].split()[0] == "Z"
    except OSError:
        return False


def parent_of(pid: int) -> int:
    """The process that started another."""
    return int(Path(f"/proc/{pid}/stat").read_text(errors="replace").rsplit(")", 1)[1].split()[1])


@dataclass(frozen=True)
class Journal:
    """A run's folder and what its journal holds by now."""

    folder: Path

    @property
    def events(self) -> list[Json]:
        """Every whole line after the header, each of which must be JSON."""
        *lines, _ = (self.folder / "journal.jsonl").read_bytes().split(b"\n")
        return [json.loads(line) for line in lines[1:] if line]

    @property
    def kinds(self) -> list[str]:
        """The events by kind."""
        return [event["kind"] for event in self.events]

    def all(self, kind: str) -> list[Json]:
        """The events of one kind."""
        return [event for event in self.events if event["kind"] == kind]

    def one(self, kind: str) -> Json:
        """The only event of a kind."""
        (event,) = self.all(kind)
        return event

    def wait_for(self, kind: str, count: int = 1, within_s: float = DEADLINE_S) -> Json:
        """The event of a kind that makes them so many, once it is there."""
        until(lambda: len(self.all(kind)) >= count, f"{count} × {kind} in {self.folder}", within_s)
        return self.all(kind)[count - 1]

    def engine_pids(self) -> list[int]:
        """The process numbers of every engine that was started."""
        return [event["pid"] for event in self.all("server-starting")]

    def ensure_whole(self) -> None:
        """The journal is read to its end, the session loads and holds the same, and no engine is left."""
        events = self.events
        assert list(range(1, len(events) + 1)) == [event["seq"] for event in events]
        assert events[-1]["kind"] == "run-finished"
        kept = session.load(self.folder / "session.toml")
        assert len(events) == len(kept.events)
        assert [] == [pid for pid in self.engine_pids() if is_alive(pid) or is_zombie(pid)]

    def modes(self) -> set[tuple[str, int]]:
        """What kind of thing lies in the folder, itself included, with which permissions."""
        paths = [self.folder, *self.folder.rglob("*")]
        return {("folder" if p.is_dir() else "file", stat.S_IMODE(p.stat().st_mode)) for p in paths}


@dataclass(frozen=True)
class Ended(Journal):
    """A command that has ended, and the run that it began, if it did."""

    code: int
    out: str
    err: str

    @property
    def report(self) -> Json:
        """The only case of the JSON document that `--json` printed."""
        (model,) = json.loads(self.out)["report"]["models"]
        (case,) = model["cases"]
        return dict(case)


@dataclass
class Running:
    """A `specui run` in the foreground."""

    process: subprocess.Popen[str]
    runs: Path
    out: Path
    err: Path
    known: frozenset[Path]
    """Folders of earlier runs."""

    @property
    def journal(self) -> Journal:
        """The run's journal, once it is there."""
        until(self._folder, f"a run below {self.runs}: {self.err.read_text()}")
        return Journal(self._folder() or Path())

    def says(self, words: str, within_s: float = DEADLINE_S) -> None:
        """Wait until some words stand on standard error."""
        until(lambda: words in self.err.read_text(), f"{words!r} in {self.err.read_text()!r}", within_s)

    def ended(self, within_s: float = DEADLINE_S) -> Ended:
        """Wait for its end."""
        code = self.process.wait(within_s)
        return Ended(self._folder() or Path(), code, self.out.read_text(), self.err.read_text())

    def _folder(self) -> Path | None:
        found = [p for p in sorted(self.runs.glob("*/journal.jsonl")) if p.parent not in self.known]
        return found[0].parent if found else None


@dataclass
class Machine:
    """A home of its own with a model, a prompt, and engines that behave as they are told."""

    home: Path
    env: dict[str, str]
    before: tuple[str, ...] = ()
    """Words that start what `run` starts."""
    started: list[Running] = field(default_factory=list)

    def engine(self, name: str = "llama-server", /, **behaviour: Any) -> Path:  # Any: values of JSON
        """A fake llama-server of that name or path; what it may do stands in the program."""
        path = self.home / name
        path.parent.mkdir(parents=True, exist_ok=True)
        told = path.with_name(f".{path.name}.json")
        told.write_text(json.dumps({"record": str(self.record_of(path)), **behaviour}))
        words = f"exec '{sys.executable}' -S -E '{FAKE}' \"$@\""
        probes = "" if "probe_dies" in behaviour else PROBES
        path.write_text(f"#!/bin/sh\n{probes}FAKE_LLAMA='{told}' {words}\n")
        path.chmod(0o755)
        return path

    def record_of(self, engine: Path) -> Path:
        """Where a fake engine notes its start and its requests."""
        return engine.with_name(f".{engine.name}.jsonl")

    def noted(self, engine: Path, key: str) -> list[Json]:
        """What a fake engine noted that has some key."""
        path = self.record_of(engine)
        lines = path.read_text().splitlines() if path.exists() else []
        return [note for line in lines if key in (note := json.loads(line))]

    def model(self, name: str = "model.gguf") -> Path:
        """A file that passes for a model."""
        path = self.home / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"GGUF" + name.encode())
        return path

    def usual(self, engine: Path) -> list[str]:
        """One case without speculation and one question of one turn."""
        prompts = self.home / "one.toml"
        prompts.write_text('[[prompt]]\nid = "one"\nturns = ["Hello?"]\n')
        model = str(self.model())
        return ["-m", model, "--engine", str(engine), "--prompts", str(prompts), "--max-tokens", "24"]

    def run(self, *words: str, **env: str) -> Ended:
        """`specui run WORDS` to its end."""
        return self.start(*words, **env).ended()

    def start(self, *words: str, **env: str) -> Running:
        """`BEFORE specui run WORDS`, left running; it and its run are ended with the test."""
        runs, number = self.home / "runs", len(self.started)
        out, err = self.home / f"out-{number}", self.home / f"err-{number}"
        known = frozenset(p.parent for p in runs.glob("*/journal.jsonl"))
        with out.open("wb") as out_file, err.open("wb") as err_file:
            process = subprocess.Popen(
                [*self.before, *SPECUI, "run", *words], stdin=subprocess.DEVNULL, stdout=out_file, stderr=err_file,
                text=True, env=self.env | env, cwd=self.home, start_new_session=True,
            )  # fmt: skip
        self.started.append(Running(process, runs, out, err, known))
        return self.started[-1]

    def verb(self, *words: str, **env: str) -> subprocess.CompletedProcess[str]:
        """Any other verb to its end."""
        return subprocess.run(
            [*SPECUI, *words], capture_output=True, text=True, env=self.env | env, cwd=self.home, timeout=DEADLINE_S
        )

    def plan(self, text: str, name: str = "plan.toml") -> Path:
        """A plan file."""
        path = self.home / name
        path.write_text(text)
        return path

    def end_all(self) -> None:
        """Leave nothing behind: followers, runners and engines."""
        for running in self.started:
            if running.process.poll() is None:
                running.process.kill()
            running.process.wait()
        for journal in map(Journal, (p.parent for p in (self.home / "runs").glob("*/journal.jsonl"))):
            for pid in filter(is_alive, journal.engine_pids()):
                with contextlib.suppress(OSError):
                    os.kill(parent_of(pid), signal.SIGKILL)
                    os.killpg(pid, signal.SIGKILL)


def environment(base: Mapping[str, str], home: Path) -> dict[str, str]:
    """A plain environment with a home of its own."""
    kept = {name: base[name] for name in ("PATH", "LANG", "LC_ALL") if name in base}
    return kept | {"HOME": str(home), "SPECUI_HOME": str(home)}
