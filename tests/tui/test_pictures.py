"""Pictures of the golden journals as text; any size holds them; and words from outside are words in all of them."""

from __future__ import annotations

import unicodedata
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from specui.domain.events import (
    CaseAdded,
    CaseFailed,
    CaseStarted,
    Event,
    HostSampled,
    Marked,
    RunStarted,
    ServerLoading,
    ServerReady,
)
from specui.domain.plan import Case, EngineChoice, Model, Speculation
from specui.domain.request_facts import CountersRead, FirstToken, RequestFinished, RequestSent, StepsDecoded
from specui.domain.run import Run, fold
from specui.domain.text import one_line
from specui.journal.playhead import Playhead
from specui.tui.pictures.ascii import plain
from specui.tui.pictures.headline import clock
from specui.tui.pictures.rows import row_width
from specui.tui.pictures.transport import transport
from tests.domain.runs import PLAN, answered, case, finished, run_of, sent
from tests.tui.drawings import DRAWN, LINES, MOMENTS, PANELS, at, drawing, text_of
from tests.tui.pilots import JOURNALS, story_events

if TYPE_CHECKING:
    from specui.domain.events import Fact
    from specui.tui.pictures.rows import Row

STORIES = sorted(path.stem for path in JOURNALS.glob("*.jsonl"))
DRAWINGS = [(story, seq) for story, numbers in MOMENTS.items() for seq in numbers]

HOSTILE = (
    "[/]", "[/red]", "[link=file:///etc/passwd]x[/link]", "[@click=app.boom]x[/]", "$primary {x} %s \\[b]", "\x1b[2J",
    "\x1b]52;c;AAAA\x07", "\x9b31m", "a\x00b", "\u202eabc", "\u2066abc\u2069", "\ud800", "\udc80x", "a\nb\r\nc\td",
    "漢字" * 30, "👩‍👧❤\ufe0f", "e" + "\u0301" * 40, "", " ", "x" * 500,
)  # fmt: skip


@pytest.mark.parametrize(("story", "seq"), DRAWINGS)
def test_a_moment_is_drawn_as_it_was_reviewed(story: str, seq: int) -> None:
    """Every panel and line at a chosen event, in two sizes: `python -m tests.tui.drawings` draws them anew."""
    expected = (DRAWN / f"{story}-{seq}.txt").read_text(encoding="utf-8")

    assert expected.splitlines() == drawing(story, seq).splitlines()


def test_there_is_no_drawing_that_nobody_compares() -> None:
    """Each file belongs to a moment."""
    assert {f"{story}-{seq}.txt" for story, seq in DRAWINGS} == {path.name for path in DRAWN.iterdir()}


def assert_fits(run: Run, width: int, height: int) -> None:
    """At most so many rows, none of them wider."""
    for name, panel in PANELS.items():
        rows = panel(run, width, height)
        assert len(rows) <= height, name
        assert all(row_width(row) <= width for row in rows), name
    for name, line in LINES.items():
        assert name == "doing" or row_width(line(run, width)) <= width, name


@cache
def moments(story: str) -> tuple[Run, ...]:
    """The run after every seventh event, and at its end."""
    count = len(story_events(story))
    return tuple(at(story, seq) for seq in [*range(0, count, 7), count + 9])


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(STORIES), st.integers(0, 99), st.integers(0, 300), st.integers(0, 80))
@example("normal", 99, 0, 0)
@example("normal", 99, 300, 80)
def test_every_size_holds_every_picture(story: str, index: int, width: int, height: int) -> None:
    """From nothing to the largest terminal, at any moment of any story."""
    states = moments(story)

    assert_fits(states[min(index, len(states) - 1)], width, height)


@pytest.mark.parametrize("size", [(w, h) for w in (*range(14), 60) for h in (0, 1, 2, 3, 4, 5, 9)])
def test_the_smallest_sizes_hold_every_picture(size: tuple[int, int]) -> None:
    """Cells where no frame, no label or no bar fits."""
    for story in ("normal", "server-fails", "stopped"):
        assert_fits(moments(story)[-1], *size)


def odd_runs(value: float, count: int) -> Run:
    """A run whose figures are as large, small or false as a journal can have them."""
    times = abs(value)
    steps = StepsDecoded(1, count, times, 9, 3, (times,), (count,), (9,), (3,))
    facts: list[Fact] = [
        sent(1), FirstToken(1), steps, finished(1, count, times, 9, 3), sent(2, number=2), steps,
        HostSampled(value, count, count, 1, value), finished(2, count, value, 9, 3, prompt=(count, value, 0)),
    ]  # fmt: skip
    return run_of([case("none"), case()], *facts)


@pytest.mark.parametrize("value", [0.0, -1.0, 5e-324, 1e-300, 1e300, 1e308])
@pytest.mark.parametrize("count", [0, 2, -7, 10**15])
def test_no_number_breaks_a_picture(value: float, count: int) -> None:
    """Property 9: nothing raises, nothing overflows its size."""
    for size in ((58, 10), (20, 6), (200, 40)):
        assert_fits(odd_runs(value, count), *size)


@pytest.mark.parametrize("t", [1e9, 1e17, 8e307])
def test_no_moment_breaks_a_picture(t: float) -> None:
    """A clock that went mad is drawn, too."""
    begun = run_of([case("none"), case()], *answered(1))
    run = fold([Event(begun.seq + 1, t, HostSampled(1.0, 1, 1, 1, 1.0)), Event(begun.seq + 2, t, Marked("x"))], begun)

    assert_fits(run, 118, 10)


def test_counters_without_positions_draw_no_bar() -> None:
    """An engine may count drafts and say nothing of positions."""
    reads = [CountersRead(1, None, 0, 0, 0, (), 0), CountersRead(1, 1, 10, 30, 20, (), 11)]
    run = run_of([case()], reads[0], *answered(1, end=finished(1, 31, 900.0, 30, 20)), reads[1])

    assert_fits(run, 58, 7)


# Words from outside


def hostile_run(text: str, *, has_failed: bool = False, is_loading: bool = False) -> Run:
    """A run in which everything that somebody else may name is called `text`."""
    model = Model(text, text, text, toy=True)
    engine = EngineChoice(text, "binary", (text,), several_devices=True)
    cases = [Case(model, engine, s, text, {text: text}) for s in (Speculation(), Speculation(text or "none", 3))]
    facts: list[Fact] = [RunStarted(replace(PLAN, title=text, repeats=3), {"cpus": text}, {text: text})]
    facts += [*(CaseAdded(n, c) for n, c in enumerate(cases, 1)), CaseStarted(1, (text,), 1)]
    facts.append(ServerLoading(1, text, 0.5))
    if not is_loading:
        facts.append(ServerReady(1, 9.0, text, 8192, text, True, 33, 33, True))
        facts += [RequestSent(1, 1, 1, 1, text, "measure", text), FirstToken(1)]
        facts.append(StepsDecoded(1, 9, 900.0, None, None, text=((None, None, "answer", text),)))
        facts += [RequestFinished(1, 40, 9.0, 0, 9, 900.0, None, None, "server", 9.0, text, text), Marked(text)]
    if has_failed:
        facts.append(CaseFailed(1, text))
    return fold(Event(seq, seq * 0.1, fact) for seq, fact in enumerate(facts, 1))


def all_rows(run: Run) -> list[Row]:
    """Every row of every picture in three widths, and the transport line."""
    rows: list[Row] = []
    for width in (20, 80, 300):
        rows += [row for panel in PANELS.values() for row in panel(run, width, 12)]
        rows += [line(run, width) for line in LINES.values()]
    return rows


def acts(sign: str) -> bool:
    """Whether a terminal may do something on it, or turn the text around."""
    return (
        unicodedata.category(sign) in ("Cc", "Cs") or sign in "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
    )


@settings(max_examples=20, deadline=None)
@given(st.text(st.characters(), max_size=30))
def test_nothing_from_outside_acts_on_the_terminal(text: str) -> None:
    """Property 10: no control character is left in any row, whoever named what."""
    for run in (hostile_run(text), hostile_run(text, has_failed=True), hostile_run(text, is_loading=True)):
        assert not [sign for row in all_rows(run) for _, told in row for sign in told if acts(sign)]


@pytest.mark.parametrize("text", HOSTILE, ids=lambda text: ascii(text)[:24])
def test_hostile_names_are_harmless(text: str) -> None:
    """C101, C102: in every place at once, in every width; styles are ours alone."""
    for run in (hostile_run(text), hostile_run(text, has_failed=True), hostile_run(text, is_loading=True)):
        assert not [sign for row in all_rows(run) for _, told in row for sign in told if acts(sign)]
        assert_fits(run, 100, 12)


@pytest.mark.parametrize("text", [text for text in HOSTILE if 0 < len(one_line(text)) <= 24], ids=ascii)
def test_hostile_names_are_shown_as_they_are(text: str) -> None:
    """Nothing is taken for markup or left out: model, device, build, prompt, stage, reason and marker."""
    shown, run = one_line(text), hostile_run(text)
    head = transport(Playhead(9.0, end_s=9.0), list(run.marks), [], 200)

    assert shown in text_of(LINES["headline"](run, 300))
    assert 2 <= text_of(LINES["after-load"](run, 300)).count(shown)
    assert shown in text_of(LINES["question"](run, 300))
    assert f"▲ {shown}" in text_of(head)
    assert f"failed: {shown}" in text_of(LINES["after-load"](hostile_run(text, has_failed=True), 300))
    assert shown.replace("_", " ") in text_of(LINES["after-load"](hostile_run(text, is_loading=True), 300))


# The line of a replay


def test_the_line_of_a_replay() -> None:
    """Where it stands, requests as ticks, markers as triangles, and the last marker's name where there is room."""
    head = Playhead(5.0, 2.0, False, 10.0)
    marks, starts = [(2.0, "window opened"), (9.0, "later")], [0.0, 5.0, 7.0]

    assert "‖ ×2 paused  ┿━━▲━━━━━●──┼───▲─  00:05 / 00:10" == text_of(transport(head, marks, starts, 46))
    assert text_of(transport(head, marks, starts, 90)).endswith("00:05 / 00:10  ▲ window opened")
    assert "‖ ×2 paused    00:05…" == text_of(transport(head, marks, starts, 21))
    assert "at the end" in text_of(transport(head.sought(99.0), marks, starts, 60))
    assert "plays" in text_of(transport(head.resumed(), marks, starts, 60))


@settings(max_examples=60, deadline=None)
@given(
    st.floats(0, 1e300),
    st.floats(0, 1e300),
    st.lists(st.tuples(st.floats(0, 1e300), st.text(max_size=30)), max_size=4),
    st.lists(st.floats(0, 1e300), max_size=4),
    st.integers(0, 300),
)
def test_the_line_of_a_replay_has_its_width(
    position_s: float, end_s: float, marks: list[tuple[float, str]], starts: list[float], width: int
) -> None:
    """Even where a marker lies behind the end that is known by now."""
    assert width == row_width(transport(Playhead(position_s, 1.0, True, end_s), marks, starts, width))


@pytest.mark.parametrize(
    ("seconds", "expected"),
    [(0.0, "00:00"), (41.9, "00:41"), (3599.0, "59:59"), (3723.0, "1:02:03"), (9e5, "250:00:00")],
)
def test_lengths_of_time(seconds: float, expected: str) -> None:
    """Minutes and seconds; hours where there are any."""
    assert expected == clock(seconds)


@pytest.mark.parametrize(("story", "seq"), DRAWINGS)
def test_every_drawing_can_be_told_in_ascii(story: str, seq: int) -> None:
    """Sign by sign, so that each stays where it is; the words of these stories are ASCII themselves."""
    told = plain(drawing(story, seq))

    assert [] == [sign for sign in told if not sign.isascii()]
    assert len(drawing(story, seq)) == len(told)
