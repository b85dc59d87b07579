"""What every test may rely on: a home of its own, and nothing of the machine's settings."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path

PROXY_VARIABLES = {"http_proxy", "https_proxy", "all_proxy", "no_proxy"}


@pytest.fixture(autouse=True)
def own_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep runs and settings in the test's own folder, and hide the variables that engines and clients obey."""
    monkeypatch.setenv("SPECUI_HOME", str(tmp_path))
    for name in list(os.environ):
        if name.startswith("LLAMA_") or name.lower() in PROXY_VARIABLES:
            monkeypatch.delenv(name)
