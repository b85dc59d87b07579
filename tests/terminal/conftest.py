"""A desk of its own for every test in a terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.terminal.desk import Desk

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    """A home below the test's folder; whatever was started at it is gone afterwards."""
    made = Desk(tmp_path)
    yield made
    made.end_all()
