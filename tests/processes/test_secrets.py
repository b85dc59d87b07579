"""Keys reach the engine and nothing else; what is kept is its owner's alone (C104)."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.processes.driving import is_alive, parent_of

if TYPE_CHECKING:
    from tests.processes.driving import Ended, Machine

KEY = "sk-3"
SPELLINGS = [
    pytest.param("arguments", ["--api-key", KEY], id="usual"),
    pytest.param("command", ["--metrics", f"--api-key={KEY}", "--jinja"], id="="),
    pytest.param("arguments", ["--api_key", f"{KEY},other"], id="_"),
    pytest.param("arguments", ["--api-key-file", "keys"], id="file"),
]


def written(machine: Machine) -> list[Path]:
    """Every file that specui left, where the key stands; the fake engine's own notes and plans are ours."""
    files = [p for p in (machine.home / "runs").rglob("*") if p.is_file()]
    return [
        p for p in [*files, *machine.home.glob("err-*"), *machine.home.glob("out-*")] if KEY.encode() in p.read_bytes()
    ]


def ensure_kept(machine: Machine, ended: Ended, engine: Path) -> None:
    """The engine has the key by its environment, requests carry it, nothing shows it."""
    assert ended.code == 0
    starts, asked = machine.noted(engine, "argv"), machine.noted(engine, "path")
    assert [] == [word for start in starts for word in start["argv"] if KEY in word]
    assert {KEY} == {start["env"]["LLAMA_API_KEY"].removesuffix(",other") for start in starts}
    assert {f"Bearer {KEY}"} == {note["authorization"] for note in asked}
    assert [] == written(machine)


@pytest.mark.parametrize(("form", "spelling"), SPELLINGS)
def test_a_key_among_engine_arguments_is_never_written(machine: Machine, form: str, spelling: list[str]) -> None:
    """Neither in journal, session, logs and messages, nor in what `ps` shows of runner and engine."""
    engine = machine.engine(step_s=0.03)
    (machine.home / "keys").write_text(f"# mine\n\n{KEY}\nother\n")
    usual = machine.usual(engine)
    before = usual if form == "arguments" else usual[4:]
    taken = [] if form == "arguments" else [str(engine), "-m", usual[1]]
    running = machine.start(*before, "--json", "--", *taken, *spelling)
    running.journal.wait_for("server-ready")
    (pid,) = running.journal.engine_pids()
    shown = [Path(f"/proc/{number}/cmdline").read_bytes() for number in (pid, parent_of(pid))]
    assert [] == [line for line in shown if KEY.encode() in line]
    ended = running.ended()
    ensure_kept(machine, ended, engine)
    assert {("folder", 0o700), ("file", 0o600)} == ended.modes()
    ended.ensure_whole()


def test_a_key_in_a_plan_is_never_written(machine: Machine) -> None:
    """`extra` of a plan's settings; the session that came of it can be run again, without a key."""
    engine = machine.engine()
    usual = machine.usual(engine)
    plan = machine.plan(
        f'prompts = "{usual[5]}"\n[settings]\nextra = ["--metrics", "--api-key", "{KEY}"]\n'
        f'[[matrix.model]]\npath = "{usual[1]}"\n[[matrix.engine]]\nname = "{engine}"\n'
    )
    ended = machine.run(str(plan))
    ensure_kept(machine, ended, engine)
    again = machine.run(str(ended.folder / "session.toml"), "--yes")
    assert again.code == 0
    assert [] == written(machine)


@pytest.mark.parametrize("words", [["--dry-run"], ["--detach"]])
def test_a_key_is_not_printed(machine: Machine, words: list[str]) -> None:
    """Not in the labels of a dry run, not with a run's id."""
    ended = machine.run(*machine.usual(machine.engine()), *words, "--", "--api-key", KEY)
    assert ended.code == 0
    assert KEY not in ended.out + ended.err


@pytest.mark.parametrize("name", ["LLAMA_API_KEY", "HF_TOKEN"])
def test_a_key_in_a_configured_environment_is_never_written(machine: Machine, name: str) -> None:
    """`env` of an engine in config.toml reaches the engine; the journal has the name of a secret one at most."""
    engine = machine.engine()
    machine.plan(f'[[engine]]\nname = "mine"\ncommand = ["{engine}"]\nenv = {{ {name} = "{KEY}", HSA_X = "11" }}\n',
                 "config.toml")  # fmt: skip
    usual = machine.usual(engine)
    ended = machine.run(*usual[:2], "--engine", "mine", *usual[4:])
    assert ended.code == 0
    (start,) = machine.noted(engine, "argv")
    assert [KEY, "11"] == [start["env"][name], start["env"]["HSA_X"]]
    assert ended.one("server-starting")["env"]["HSA_X"] == "11"
    assert [] == written(machine)


def test_a_wide_umask_changes_nothing(machine: Machine) -> None:
    """The folder of runs, the run, its files and its inbox belong to their owner."""
    wide = machine.home / "wide"
    wide.write_text('#!/bin/sh\numask 0\nexec "$@"\n')
    wide.chmod(0o755)
    machine.before = (str(wide),)
    ended = machine.run(*machine.usual(machine.engine()))
    assert ended.code == 0
    assert {("folder", 0o700), ("file", 0o600)} == ended.modes()
    assert 0o700 == (machine.home / "runs").stat().st_mode & 0o777
    assert not is_alive(ended.engine_pids()[0])
