"""Themes are files: ours are whole, a broken one costs a sentence, and the terminal decides which comes first."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual.color import Color
from textual.theme import BUILTIN_THEMES, Theme

from specui.tui.themes import CHART, CHART_DEFAULTS, COLORS, FoundThemes, find_themes, fitting_theme, read_theme
from tests.tui.pilots import THEMES

OURS = ("ansi", "dark", "light")
WHOLE = '[colors]\nprimary = "#5AB0EE"\nforeground = "#DCE3EA"\nbackground = "#12161C"\n'
NEWER = {"TERM": "xterm-256color"}


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder whose files have short names."""
    monkeypatch.chdir(tmp_path)
    return Path()


def found(folder: Path, **files: str) -> FoundThemes:
    """The themes of a folder with these files."""
    for name, text in files.items():
        (folder / f"{name}.toml").write_text(text, encoding="utf-8")
    return find_themes((folder,))


def test_our_themes_are_read_without_a_word() -> None:
    """All of them, each with every colour of the screens and of the charts."""
    ours = find_themes((THEMES,))

    assert (OURS, ()) == (tuple(theme.name for theme in ours.themes), ours.problems)
    assert [(True, True), (True, False), (False, False)] == [(theme.dark, theme.ansi) for theme in ours.themes]
    for theme in ours.themes:
        assert all(getattr(theme, name) is not None for name in COLORS)
        assert {f"chart-{name.replace('_', '-')}" for name in CHART} <= set(theme.variables)


@pytest.mark.parametrize("name", OURS)
def test_a_theme_gives_textual_all_its_colours(name: str) -> None:
    """Those it does not name are made of the ones it does."""
    theme = read_theme(THEMES / f"{name}.toml")

    assert {"primary", "surface", "error", "foreground"} <= set(theme.to_color_system().generate())


def test_the_theme_of_16_colours_has_no_other() -> None:
    """Every colour is one of the terminal's own palette."""
    theme = read_theme(THEMES / "ansi.toml")
    charts = [theme.variables[f"chart-{name.replace('_', '-')}"] for name in CHART]

    assert [] == [color for color in charts if Color.parse(color).ansi is None]
    assert set(BUILTIN_THEMES["ansi-dark"].variables) <= set(theme.variables)


def test_a_small_theme_is_enough(tmp_path: Path) -> None:
    """Three colours; it is called as its file is, and the charts have colours of their own."""
    (theme,) = found(tmp_path, mine=WHOLE).themes

    assert ("mine", True, False) == (theme.name, theme.dark, theme.ansi)
    assert CHART_DEFAULTS["speed"] == theme.variables["chart-speed"]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("[colors", "Expected ']'"),
        ("", "[colors] lacks primary"),
        ('[colors]\nprimary = "red"\nforeground = "red"\n', "[colors] lacks background"),
        (WHOLE + 'pink = "#FFF"\n', "[colors] has no colour called 'pink'"),
        (WHOLE + 'accent = "reddish"\n', "[colors] accent = 'reddish' is no colour"),
        (WHOLE + "accent = 5\n", "[colors] accent = 5 is no colour"),
        (WHOLE + 'accent = ["red"]\n', "accent = ['red'] is no colour"),
        (WHOLE + "[chart.speed]\nx = 1\n", "[chart] speed = {'x': 1} is no colour"),
        ("colors = 3\n", "colors is no table"),
        ("name = 3\n" + WHOLE, "name is no text"),
        ('name = ""\n' + WHOLE, "name is no text"),
        ("x = " + "[" * 3000 + "]" * 3000, ""),
    ],
)
def test_a_broken_theme_costs_one_sentence(here: Path, text: str, reason: str) -> None:
    """It names the file and the reason; the others are read all the same."""
    told = found(here, broken=text, whole=WHOLE)

    assert ["whole"] == [theme.name for theme in told.themes]
    (problem,) = told.problems
    assert problem.startswith("the theme broken.toml is left out: ")
    assert reason in problem
    assert "\n" not in problem


def test_a_file_that_is_no_text_or_no_file_costs_one_sentence(tmp_path: Path) -> None:
    """Bytes that are no UTF-8, and a folder of that name."""
    (tmp_path / "bytes.toml").write_bytes(b"\xff\xfe")
    (tmp_path / "folder.toml").mkdir()

    told = find_themes((tmp_path, tmp_path / "missing"))

    assert ((), 2) == (told.themes, len(told.problems))


def test_a_hostile_file_name_is_shown_as_it_is(here: Path) -> None:
    """A name can hold whatever a terminal obeys."""
    (problem,) = found(here, **{"\x1b[2J[bold]\n": "x"}).problems

    assert "␛[2J[bold]" in problem
    assert problem.isprintable()


def test_a_theme_of_ones_own_takes_the_place_of_ours(tmp_path: Path) -> None:
    """The later folder counts."""
    (tmp_path / "x.toml").write_text('name = "dark"\n' + WHOLE.replace("#5AB0EE", "#010203"), encoding="utf-8")
    both = find_themes((THEMES, tmp_path))

    assert OURS == tuple(theme.name for theme in both.themes)
    assert {"#010203"} == {theme.primary for theme in both.themes if theme.name == "dark"}


@pytest.mark.parametrize(
    ("wanted", "environ", "expected"),
    [
        (None, NEWER, "dark"),
        ("light", {"TERM": "linux"}, "light"),
        ("lost", NEWER, "dark"),
        (None, {"TERM": "linux"}, "ansi"),
        (None, {"TERM": "xterm"}, "ansi"),
        (None, {}, "ansi"),
        (None, {"TERM": "xterm", "COLORTERM": "truecolor"}, "dark"),
        (None, {"TERM": "xterm", "COLORTERM": ""}, "ansi"),
        (None, {"TERM": "xterm-kitty"}, "dark"),
        (None, {"TERM": "xterm-direct"}, "dark"),
    ],
)
def test_the_first_theme_fits_the_terminal(wanted: str | None, environ: dict[str, str], expected: str) -> None:
    """The wanted one where there is such a one; 16 colours where the terminal tells of no more."""
    assert expected == fitting_theme(wanted, find_themes((THEMES,)).themes, environ)


def test_any_theme_is_better_than_none() -> None:
    """Where ours are missing."""
    assert "mine" == fitting_theme("lost", (Theme("mine", "#FFFFFF"),), {})
