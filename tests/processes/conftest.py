"""A machine of its own for every test of processes."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from tests.processes.driving import Machine, environment

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture
def machine(tmp_path: Path) -> Iterator[Machine]:
    """A home below the test's folder; whatever was started in it is gone afterwards."""
    made = Machine(tmp_path, environment(os.environ, tmp_path))
    yield made
    made.end_all()
