"""The wheel holds all that specui needs: it runs where no checkout is."""

from __future__ import annotations

import os
import subprocess
import sys
import zipfile
from dataclasses import dataclass
from pathlib import Path

import pytest

import specui

ROOT = Path(__file__).parents[2]

# One worker builds the wheel for all of these tests.
pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("wheel")]


@dataclass(frozen=True, slots=True)
class Installed:
    """The wheel, installed into a folder of its own beside the dependencies of this environment."""

    wheel: Path
    """The file that was built."""
    site: Path
    """The folder that holds the installed package."""
    empty: Path
    """An empty folder to start programs in, so that no checkout is at hand."""

    def output(self, *command: str) -> str:
        """What a command prints where the installed package is found first."""
        done = subprocess.run(
            command,
            cwd=self.empty,
            env={**os.environ, "PYTHONPATH": str(self.site)},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout.strip()

    def value(self, module: str, expression: str) -> str:
        """What an expression over one imported module comes to, as text.

        `-P` keeps the current folder off the path.
        """
        return self.output(sys.executable, "-P", "-c", f"import {module}; print({expression})")


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Installed:
    """Build the wheel from the checkout and install it, without a network."""
    folder = tmp_path_factory.mktemp("wheel")
    built, site, empty = folder / "built", folder / "site", folder / "empty"
    empty.mkdir()
    _run("build", "--wheel", "--no-isolation", "--outdir", str(built), str(ROOT))
    (wheel,) = built.glob("*.whl")
    _run("pip", "install", "--quiet", "--no-deps", "--no-index", "--no-compile", "--target", str(site), str(wheel))
    return Installed(wheel, site, empty)


def test_the_installed_package_is_the_one_that_runs(installed: Installed) -> None:
    """The checks below speak of the wheel, not of the checkout that this environment points to."""
    assert installed.value("specui", "specui.__file__") == str(installed.site / "specui" / "__init__.py")


def test_the_wheel_holds_one_package_and_its_licence(installed: Installed) -> None:
    """Nothing lands beside the package: no tests, no themes at the top of somebody's site-packages."""
    with zipfile.ZipFile(installed.wheel) as wheel:
        top_level = {name.split("/")[0] for name in wheel.namelist()}
    dist_info = f"specui-{specui.__version__}.dist-info"
    assert top_level == {"specui", dist_info}
    assert (installed.site / dist_info / "licenses" / "LICENSE").is_file()


def test_every_theme_is_found(installed: Installed) -> None:
    """The folder the command line names holds the themes of the checkout, below the installed package."""
    themes = Path(installed.value("specui.cli.places", "specui.cli.places.themes_folder()"))
    assert themes.is_relative_to(installed.site / "specui")
    assert _names(themes, "*.toml") == _names(ROOT / "themes", "*.toml")


def test_every_built_in_model_is_there(installed: Installed) -> None:
    """The toy models travel in the package, so a first run needs no download."""
    models = _names(installed.site / "specui" / "builtin" / "data", "*.gguf")
    assert "target.gguf" in models
    assert models == _names(ROOT / "specui" / "builtin" / "data", "*.gguf")


def test_every_file_of_the_package_is_there(installed: Installed) -> None:
    """A text, a table or a style sheet below specui/ is not left behind."""
    kept = {path for path in _files(ROOT / "specui") if "__pycache__" not in path}
    assert kept <= _files(installed.site / "specui")


def test_the_module_tells_its_version(installed: Installed) -> None:
    """`python -m specui --version` names the program and its version."""
    assert installed.output(sys.executable, "-P", "-m", "specui", "--version") == f"specui {specui.__version__}"


def test_the_command_tells_its_version(installed: Installed) -> None:
    """So does the `specui` command that the wheel brings."""
    assert installed.output(str(installed.site / "bin" / "specui"), "--version") == f"specui {specui.__version__}"


def _run(module: str, *arguments: str) -> None:
    """Run one of Python's own tools; what it said is the failure's text."""
    done = subprocess.run([sys.executable, "-m", module, *arguments], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def _names(folder: Path, pattern: str) -> set[str]:
    return {path.name for path in folder.glob(pattern)}


def _files(folder: Path) -> set[str]:
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}
