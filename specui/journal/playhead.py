"""Where a replay stands, how fast it goes and whether it goes at all, as one value."""

from __future__ import annotations

from dataclasses import dataclass, replace

from specui.domain.units import Seconds

SPEEDS: tuple[float, ...] = (0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0)
"""Seconds of the run in a second of the viewer."""


@dataclass(frozen=True, slots=True)
class Playhead:
    """A place in a recording. It stays within 0 … `end_s`, and what has reached the end does not play."""

    position_s: Seconds = 0.0
    speed: float = 1.0
    playing: bool = False
    end_s: Seconds = 0.0

    @property
    def is_at_end(self) -> bool:
        """Whether nothing is left to play."""
        return self.position_s >= self.end_s

    def advanced(self, dt_s: Seconds) -> Playhead:
        """After `dt_s` seconds of the viewer; a paused one stays."""
        return self.sought(self.position_s + max(0.0, dt_s) * self.speed) if self.playing else self

    def sought(self, t: Seconds) -> Playhead:
        """At the moment `t`, or at the end of the recording that is nearer to it."""
        position = min(max(0.0, t), self.end_s)
        return replace(self, position_s=position, playing=self.playing and position < self.end_s)

    def ending(self, end_s: Seconds) -> Playhead:
        """With another end, as it becomes known while a recording is read or grows."""
        return replace(self, end_s=max(0.0, end_s)).sought(self.position_s)

    def faster(self) -> Playhead:
        """At the next higher speed, if there is one."""
        return replace(self, speed=next((s for s in SPEEDS if s > self.speed), SPEEDS[-1]))

    def slower(self) -> Playhead:
        """At the next lower speed, if there is one."""
        return replace(self, speed=next((s for s in reversed(SPEEDS) if s < self.speed), SPEEDS[0]))

    def paused(self) -> Playhead:
        """Standing still."""
        return replace(self, playing=False)

    def resumed(self) -> Playhead:
        """Playing on; from the beginning where it stood at the end. An empty recording does not play."""
        start = 0.0 if self.is_at_end else self.position_s
        return replace(self, position_s=start, playing=start < self.end_s)
