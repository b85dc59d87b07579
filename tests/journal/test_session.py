"""A session file holds the whole run, survives every failure to save, and never raises anything but one sentence."""

from __future__ import annotations

import os
import tomllib
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from specui.domain.errors import UnreadableFile, UsageError
from specui.domain.events import Event, Marked
from specui.journal import session
from specui.journal.columns import value_of, word_of
from specui.journal.session import Session
from tests.domain.strategies import events, json_values

if TYPE_CHECKING:
    from pathlib import Path

    from specui.domain.units import JsonValue


@settings(max_examples=150, deadline=None)
@given(st.lists(events, max_size=8, unique_by=lambda e: e.seq))
def test_there_and_back_is_the_same(happened: list[Event]) -> None:
    """Property 6: the events come back, whatever they hold (None, lone surrogates, unknown kinds: C82, C84)."""
    saved = Session({"format": 1, "id": "x"}, tuple(sorted(happened, key=lambda e: e.seq)))

    text = session.to_toml(saved).encode("utf-8")

    assert saved.events == session.parse(text, "x").events


@given(json_values)
def test_a_word_says_its_value(value: JsonValue) -> None:
    """A word has no blank and gives its value back."""
    word = word_of(value)

    assert 1 == len(word.split())
    assert value == value_of(word)


def test_a_column_is_a_literal_string() -> None:
    """Also words with quotes of both kinds need no escapes of TOML, which would make a long file slow to read."""
    saved = Session({"id": "x"}, (Event(1, 0.5, Marked("it's")), Event(2, 1.0, Marked('"so" \\'))))

    text = session.to_toml(saved)

    assert 'label = \'"it\\u0027s" "\\"so\\"\\u0020\\\\"\'' in text.splitlines()
    assert saved.events == session.parse(text.encode(), "x").events


def test_a_column_whose_words_are_json_only_together_is_refused() -> None:
    """Reading a column at once must not let through what is no word."""
    text = b"format = 1\n[events.marked]\nseq = '1 2'\nt = '1 2'\nlabel = '[\"a\" \"b\"]'\n"

    with pytest.raises(UnreadableFile, match="event 1"):
        session.parse(text, "x")


def test_unknown_keys_are_kept() -> None:
    """What a later version added to the file is still there after saving again."""
    text = b'format = 1\nlater = 7\n[session]\nid = "x"\ncolour = "red"\n[events]\n[more]\nk = 1\n'

    again = tomllib.loads(session.to_toml(session.parse(text, "x")))

    assert (7, "red", {"k": 1}) == (again["later"], again["session"]["colour"], again["more"])


def test_a_newer_format_is_never_written_over(tmp_path: Path) -> None:
    """It opens read-only, and the sentence says what to do."""
    newer = session.parse(b"format = 99\n[events]\n", "x")

    assert newer.is_read_only
    with pytest.raises(UsageError, match="update specui"):
        session.save(newer, tmp_path / "x.toml")


BROKEN: dict[str, bytes] = {
    "empty": b"",
    "zeros": b"\x00" * 100,
    "cut": b'format = 1\n[events.marked]\nseq = "1 2',
    "latin-1": b"format = 1\n# caf\xe9\n[events]\n",
    "twice": b"format = 1\nformat = 1\n",
    "nested": b"format = 1\na = " + b"[" * 2000 + b"]" * 2000,
    "uneven": b'format = 1\n[events.marked]\nseq = "1 2"\nt = "1"\n',
    "no JSON": b'format = 1\n[events.marked]\nseq = "1"\nt = "{"\nlabel = "a"\n',
    "no format": b"[events]\n",
    "format is a word": b'format = "one"\n[events]\n',
    "no events": b"format = 1\n",
    "bad other": b'format = 1\n[events]\nother = ["{"]\n',
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_file_is_one_sentence(name: str, tmp_path: Path) -> None:
    """C86: whatever the bytes, one UnreadableFile that names the file, in one line."""
    path = tmp_path / "s.toml"
    path.write_bytes(BROKEN[name])

    with pytest.raises(UnreadableFile) as caught:
        session.load(path)

    assert str(path) in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "data", [b"format = 1\nn = 1180591620717411303424\n[events]\n", b"\xef\xbb\xbfformat = 1\n[events]\n"]
)
def test_odd_but_sound_files_are_read(data: bytes, tmp_path: Path) -> None:
    """C86: a number of 70 bits and a byte-order mark are no reason to refuse."""
    path = tmp_path / "s.toml"
    path.write_bytes(data)

    assert () == session.load(path).events


def test_a_folder_and_a_huge_file_are_refused(tmp_path: Path) -> None:
    """C86: a folder named like a session, and a file of 200 MB, are told apart from sessions before they are read."""
    (tmp_path / "d.toml").mkdir()
    with (tmp_path / "huge.toml").open("wb") as file:
        file.truncate(200_000_000)

    with pytest.raises(UnreadableFile, match="is no file"):
        session.load(tmp_path / "d.toml")
    with pytest.raises(UnreadableFile, match="too large"):
        session.load(tmp_path / "huge.toml")
    with pytest.raises(UnreadableFile, match="does not exist"):
        session.load(tmp_path / "none.toml")


def test_a_failed_save_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """C84: where the new file cannot be completed, the old one is whole and no piece is left behind."""
    path = tmp_path / "s.toml"
    session.save(Session({"format": 1}, (Event(1, 0.0, Marked("old")),)), path)
    before = path.read_bytes()

    def full(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(UsageError, match="No space left"):
        session.save(Session({"format": 1}, (Event(1, 0.0, Marked("new")),)), path)

    assert before == path.read_bytes()
    assert [path] == list(tmp_path.iterdir())


def test_saving_into_a_missing_folder_names_it(tmp_path: Path) -> None:
    """The sentence holds the path and the reason."""
    with pytest.raises(UsageError, match="No such file"):
        session.save(Session({"format": 1}, ()), tmp_path / "none" / "s.toml")
