"""Who may import whom."""

from __future__ import annotations

import subprocess
import sys
import sysconfig
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_no_import_goes_upwards() -> None:
    """Every contract of pyproject.toml is kept: the floors, textual in the screens only, a pure domain."""
    lint_imports = Path(sysconfig.get_path("scripts")) / "lint-imports"
    checked = subprocess.run(
        [sys.executable, lint_imports, "--no-logo", "--no-cache"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert checked.returncode == 0, checked.stdout + checked.stderr
