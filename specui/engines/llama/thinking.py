"""Thinking that a server leaves inline in the answer, told apart by its tags, cut anywhere between chunks."""

from __future__ import annotations

from dataclasses import dataclass, field

from specui.domain.request_facts import Channel, Origin, TextSpan

_TAGS: tuple[tuple[str, str], ...] = (
    ("<think>", "</think>"),
    ("<|channel>thought", "<channel|>"),
    ("[THINK]", "[/THINK]"),
    ("<seed:think>", "</seed:think>"),
    ("<|START_THINKING|>", "<|END_THINKING|>"),
)


@dataclass(slots=True)
class ThinkingSplitter:
    """Turns pieces of answer text into spans; tags themselves are dropped.

    Only an answer that begins with a tag thinks inline. A few characters may be held back until it is
    clear whether they are one.
    """

    _held: str = ""
    _place: tuple[int | None, Origin | None] = field(default=(None, None))
    _close: str | None = None
    _has_decided: bool = False

    def split(self, step: int | None, origin: Origin | None, text: str) -> list[TextSpan]:
        """The spans that are certain after another piece of the answer."""
        if self._has_decided and self._close is None and not self._held:
            return [(step, origin, "answer", text)]
        if not self._held:
            self._place = (step, origin)
        self._held += text
        return self._opening() if not self._has_decided else self._closing()

    def end(self) -> list[TextSpan]:
        """What was held back when the stream ended."""
        channel: Channel = "thinking" if self._close is not None else "answer"
        return self._released(len(self._held), channel)

    def _opening(self) -> list[TextSpan]:
        begun = self._held.lstrip()
        for tag, close in _TAGS:
            if begun.startswith(tag):
                self._has_decided, self._close, self._held = True, close, begun.removeprefix(tag)
                return self._closing()
        if any(tag.startswith(begun) for tag, _ in _TAGS):
            return []
        self._has_decided = True
        return self._released(len(self._held), "answer")

    def _closing(self) -> list[TextSpan]:
        if self._close is None:
            return self._released(len(self._held), "answer")
        end = self._held.find(self._close)
        if end < 0:
            return self._released(len(self._held) - _overlap(self._held, self._close), "thinking")
        spans = self._released(end, "thinking")
        self._held, self._close = self._held.removeprefix(self._close), None
        return spans + self._released(len(self._held), "answer")

    def _released(self, length: int, channel: Channel) -> list[TextSpan]:
        text, self._held = self._held[:length], self._held[length:]
        return [(*self._place, channel, text)] if text else []


def _overlap(text: str, tag: str) -> int:
    """How many characters at the end of the text may be the beginning of the tag."""
    return next((n for n in range(min(len(tag) - 1, len(text)), 0, -1) if text.endswith(tag[:n])), 0)
