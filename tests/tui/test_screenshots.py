"""The pictures in screenshots/ are what the screens look like now."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest

from tests.tui.screenshots import FOLDER, PICTURES, Picture, drawn

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize("picture", PICTURES, ids=lambda p: p.name)
def test_a_screenshot_is_current(picture: Picture, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`make screenshots` draws them anew; look at them before they are committed."""
    monkeypatch.setenv("HOME", str(tmp_path))  # put back afterwards: drawing sets it
    path = FOLDER / f"{picture.name}.svg"
    now = asyncio.run(drawn(picture, tmp_path))
    assert path.is_file(), "run `make screenshots`"
    assert path.read_text(encoding="utf-8") == now, "run `make screenshots` and look at what changed"


def test_no_picture_is_left_over() -> None:
    """Every file in screenshots/ is one that is drawn."""
    assert {f"{p.name}.svg" for p in PICTURES} == {path.name for path in FOLDER.iterdir()}
