"""`watch`, `replay`, `run --watch` and bare `specui`: what they refuse, in one sentence, before a screen is drawn."""

from __future__ import annotations

import argparse
import shutil
from pathlib import Path

import pytest

from specui.cli import demo, face, replay, run, watch
from specui.cli.config import read_config
from specui.cli.face import add_screen_options, refresh_hz
from specui.cli.main import main
from specui.cli.theme import ensure_theme
from specui.domain.errors import PlanError, UsageError
from specui.journal.writer import JournalWriter

GOLDEN = Path(__file__).parent.parent / "journals" / "normal.jsonl"


@pytest.fixture
def runs(tmp_path: Path) -> Path:
    """The folder of runs of this test's home, with one ended run."""
    folder = tmp_path / "runs" / "2026-01-01T00-00-00-ended"
    folder.mkdir(parents=True)
    shutil.copy(GOLDEN, folder / "journal.jsonl")
    return tmp_path / "runs"


@pytest.mark.parametrize(
    "words",
    [[], ["watch"], ["replay", "last"], ["run", "-m", "builtin", "--watch"]],
)
def test_without_a_terminal_the_screens_decline(
    words: list[str], runs: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """C76: exit 2, and the headless verbs are named."""
    assert main(words) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert "terminal" in said.err
    assert "specui run" in said.err
    assert "\x1b" not in said.err


@pytest.mark.parametrize("word", ["me@halo", "halo:last", "http://10.0.0.5:8000"])
def test_another_machine_is_watched_there(
    word: str, runs: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """What cannot be done yet is said with the way that works."""
    monkeypatch.setattr(watch, "ensure_terminal", lambda: None)
    assert main(["watch", word]) == 2
    assert "ssh -t HOST specui watch" in capsys.readouterr().err


def test_watch_takes_the_newest_run_that_lives(runs: Path) -> None:
    """`last` is a living run where there is one, else the newest."""
    assert watch.watched("last").id == "2026-01-01T00-00-00-ended"
    older = runs / "2025-01-01T00-00-00-living"
    older.mkdir()
    with JournalWriter(older / "journal.jsonl", {"format": 1}):
        chosen = watch.watched("last")
        assert chosen.id == older.name
        assert watch.opened(chosen).is_living
    ended = watch.opened(watch.watched("last"))
    assert ended.at_end
    assert not ended.is_living


@pytest.mark.parametrize("speed", ["0", "x", "-1", "65", "nan", ""])
def test_a_speed_that_is_none_is_refused(speed: str, runs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """One sentence with the range."""
    assert main(["replay", "last", f"--speed={speed}"]) == 2
    assert "0.25 … 64" in capsys.readouterr().err


def test_what_is_replayed_must_be_there_and_over(
    runs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A missing file, an unknown run and a living one each have their sentence."""
    monkeypatch.setattr(replay, "ensure_terminal", lambda: None)
    assert main(["replay", str(tmp_path / "no.toml")]) == 2
    assert "does not exist" in capsys.readouterr().err
    assert main(["replay", "2024"]) == 2
    assert "no run is called '2024'" in capsys.readouterr().err
    living = runs / "2026-02-02T00-00-00-living"
    living.mkdir()
    with JournalWriter(living / "journal.jsonl", {"format": 1}):
        assert main(["replay", living.name]) == 2
    assert f"`specui watch {living.name}`" in capsys.readouterr().err


@pytest.mark.parametrize("text", ["0", "11", "often", "nan", "-4"])
def test_a_refresh_that_is_none_is_refused(text: str) -> None:
    """Between one look in ten seconds and ten a second."""
    with pytest.raises(UsageError, match=r"looks a second, 0\.1 … 10"):
        refresh_hz(text)


def test_the_options_of_the_screens_have_defaults() -> None:
    """Nothing has to be said to see something."""
    parser = argparse.ArgumentParser()
    add_screen_options(parser)
    options = parser.parse_args([])
    assert (options.refresh, options.slow, options.no_mouse, options.ascii, options.theme) == (
        None, False, False, False, None,
    )  # fmt: skip


def test_the_configuration_names_a_theme_and_keys(tmp_path: Path) -> None:
    """Both reach the screens; what is no text is refused with its line."""
    path = tmp_path / "config.toml"
    path.write_text('theme = "light"\n[keys]\n"live.skip" = "f8"\n')
    config = read_config(path)
    assert config.theme == "light"
    assert config.keys == {"live.skip": "f8"}
    path.write_text("[keys]\nlive.skip = 8\n")
    assert read_config(path).keys == {"live": {"skip": 8}}, "the screens check them"
    path.write_text("theme = 3\n")
    with pytest.raises(PlanError, match="theme"):
        read_config(path)


@pytest.mark.parametrize(
    "words", [["watch", "last"], ["replay", "last"], ["run", "-m", "builtin", "--watch"], ["demo"]]
)
def test_a_theme_that_does_not_exist_is_refused(
    words: list[str], runs: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Exit 2 with those there are, one's own among them, before a run is started or a screen drawn."""
    own = runs.parent / "themes"
    own.mkdir()
    (own / "mine.toml").write_text("broken", encoding="utf-8")
    (own / "other.toml").write_text('name = "yours"', encoding="utf-8")
    for module in (face, watch, replay, run):
        monkeypatch.setattr(module, "ensure_terminal", lambda: None)
    monkeypatch.setattr(demo, "has_terminal", lambda: True)

    assert main([*words, "--theme=nope"]) == 2
    assert "no theme is called 'nope'; there are ansi, dark, light, mine, yours" in capsys.readouterr().err
    assert [folder.name for folder in runs.iterdir()] == ["2026-01-01T00-00-00-ended"]


def test_a_theme_that_exists_passes(runs: Path) -> None:
    """And so does none."""
    ensure_theme("light")
    ensure_theme(None)
