"""Titles from anywhere: the folder stays where runs are kept, and the title stays what it was (C103)."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING

from specui.journal import session

if TYPE_CHECKING:
    from tests.processes.driving import Machine

HALF = "\ud800\udcff"
TITLES = [
    "../../.bashrc",
    "/etc/x",
    "..",
    "x" * 300,
    "-leading.",
    "\u0440\u0430\u0443",
    "\x1b[2J\x07 [b]x[/b]\n\ty",
    HALF,
]
"""A way out, a root, no name at all, too long a one, an option, letters that only look Latin, controls, no text."""


def test_the_folder_stays_below_runs_and_the_title_is_text(machine: Machine) -> None:
    """Every folder lies directly in runs and bears a plain name; every title is kept as it was given."""
    usual = machine.usual(machine.engine(dies_loading=1))
    for title in TITLES:
        given = title.encode("utf-8", "surrogatepass").decode("utf-8", "surrogateescape")
        assert machine.run(*usual, f"--title={given}", "--detach").code == 0
    runs = (machine.home / "runs").resolve()
    folders = [folder.resolve() for folder in runs.iterdir()]
    assert len(TITLES) == len(folders)
    assert {runs} == {folder.parent for folder in folders}
    assert [] == [f for f in folders if len(os.fsencode(f.name)) > 100 or not f.name.isascii() or f.name[-1] in " .-"]
    shown = {row["title"] for row in json.loads(machine.verb("list", "--json").stdout)}
    assert {HALF} == set(TITLES) - shown
    plain = machine.verb("list").stdout
    assert "\x1b" not in plain
    assert len(TITLES) == len(plain.splitlines())


def test_a_session_with_a_hostile_inside_runs_below_runs(machine: Machine) -> None:
    """A file that calls itself `../x`, by its title and its id, is run again like any other."""
    first = machine.run(*machine.usual(machine.engine()), "--title=../../\x1b[2Jx")
    assert first.code == 0
    kept = session.load(first.folder / "session.toml")
    hostile = machine.home / "hostile.toml"
    session.save(session.Session(kept.header | {"id": "../../y", "title": "../../z"}, kept.events), hostile)
    again = machine.run(str(hostile), "--yes")
    assert again.code == 0
    assert (machine.home / "runs").resolve() == again.folder.resolve().parent
    assert again.one("run-started")["plan"]["title"] == "../../\x1b[2Jx"
    assert "\x1b" not in again.out + again.err
    again.ensure_whole()


def test_a_run_is_found_by_its_name_alone(machine: Machine) -> None:
    """No path leads out of the runs, and no link into them is one: each in a harmless sentence."""
    ended = machine.run(*machine.usual(machine.engine(dies_loading=1)))
    for word in ("../../etc", "..", "", "\x1b[2J*"):
        found = machine.verb("tail", word)
        assert (found.returncode, len(found.stderr.splitlines()), "\x1b" in found.stderr) == (2, 1, False)
    elsewhere = ended.folder.rename(machine.home / "elsewhere")
    (machine.home / "runs" / "2099-01-01T00-00-00-x").symlink_to(elsewhere)
    assert [] == json.loads(machine.verb("list", "--json").stdout)
    assert machine.verb("report", "last").returncode == 2
