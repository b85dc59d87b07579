"""How often a screen looks: as seldom as it can, and never where the terminal does not keep up."""

from __future__ import annotations

from queue import Queue
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, cast

import pytest

from specui.domain.events import ServerReady
from specui.domain.run import Run
from specui.tui.pace import FULL_QUEUE, computes_here, is_terminal_behind, pace_s
from tests.domain.runs import case, run_of

if TYPE_CHECKING:
    from textual.app import App


def on(device: str | None, layers_on_gpu: int | None) -> Run:
    """A run whose engine computes there."""
    return run_of([case()], ServerReady(1, None, None, None, device, None, 33, layers_on_gpu, None))


@pytest.mark.parametrize(
    ("device", "layers", "expected"),
    [
        ("CPU", None, True), ("cpu (8 threads)", None, True), (None, 0, True), ("ROCm0", 0, True),
        ("ROCm0", 33, False), ("ROCm0", None, False), (None, None, False), (None, 1, False),
    ],
)  # fmt: skip
def test_where_an_engine_computes(device: str | None, layers: int | None, expected: bool) -> None:
    """By its own word; where it says nothing it is not taken for one of this processor."""
    assert expected is computes_here(on(device, layers))


def test_before_an_engine_is_ready_nothing_is_known() -> None:
    """A run without a case, and one that loads."""
    assert [False, False] == [computes_here(Run()), computes_here(run_of([case()]))]


@pytest.mark.parametrize(
    ("wanted_hz", "is_living", "is_focused", "expected"),
    [
        (None, True, True, 0.5), (None, False, True, 0.25), (None, True, False, 1.0), (None, False, False, 1.0),
        (10.0, True, True, 0.1), (10.0, True, False, 0.1), (0.1, False, True, 10.0),
    ],
)  # fmt: skip
def test_seconds_between_two_looks(wanted_hz: float | None, is_living: bool, is_focused: bool, expected: float) -> None:
    """Half as often while the processor is at work for the engine; once a second unseen; else as was wished."""
    assert expected == pace_s(on("CPU", 0), wanted_hz, is_living=is_living, is_focused=is_focused)


def test_an_engine_elsewhere_is_not_disturbed() -> None:
    """Then the screen looks as often as it likes."""
    assert 0.25 == pace_s(on("ROCm0", 33), None, is_living=True, is_focused=True)


def app_with(driver: object) -> App[Any]:  # Any: whatever the app returns
    """As much of an app as is looked at."""
    return cast("App[Any]", SimpleNamespace(_driver=driver))


@pytest.mark.parametrize(("waiting", "expected"), [(0, False), (FULL_QUEUE, False), (FULL_QUEUE + 1, True)])
def test_a_terminal_is_behind_where_writes_wait(waiting: int, expected: bool) -> None:
    """More of them than a picture takes."""
    queue: Queue[str] = Queue()
    for _ in range(waiting):
        queue.put("x")

    assert expected is is_terminal_behind(app_with(SimpleNamespace(_writer_thread=SimpleNamespace(_queue=queue))))


@pytest.mark.parametrize("driver", [None, SimpleNamespace(), SimpleNamespace(_writer_thread=None)])
def test_where_writes_cannot_be_seen_nothing_is_held_back(driver: object) -> None:
    """A driver without a writer, as in tests, or of another Textual."""
    assert not is_terminal_behind(app_with(driver))
