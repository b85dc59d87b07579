"""The built-in models are the ones that were put there, and a file that is not is never run."""

from __future__ import annotations

import hashlib
import shutil
from typing import TYPE_CHECKING

import pytest

from specui import builtin
from specui.domain.errors import UnreadableFile

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

DATA = builtin.target().parent
METHODS = ("draft-simple", "draft-eagle3", "draft-dflash", "draft-dspark", "draft-mtp")
MOST_BYTES = 8_000_000


@pytest.fixture
def copied(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A copy of the data, taken for the package's own."""
    folder = tmp_path / "data"
    shutil.copytree(DATA, folder)
    monkeypatch.setattr(builtin, "_DATA", folder)
    monkeypatch.setattr(builtin, "_SUMS", folder / "SHA256SUMS")
    builtin._intact.cache_clear()
    yield folder
    builtin._intact.cache_clear()


def refusal() -> str:
    """What is said instead of giving the target."""
    with pytest.raises(UnreadableFile) as refused:
        builtin.target()
    return str(refused.value)


def test_every_model_has_its_sum_and_every_sum_its_model() -> None:
    """SHA256SUMS is what `sha256sum *.gguf` prints."""
    expected = [f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}" for path in sorted(DATA.glob("*.gguf"))]
    assert expected == sorted((DATA / "SHA256SUMS").read_text().splitlines(), key=lambda line: line.split()[1])


def test_every_model_has_its_use() -> None:
    """The target and one drafter for each method that drafts; the other methods need none."""
    used = {builtin.target(), *map(builtin.drafter, METHODS)}

    assert set(DATA.glob("*.gguf")) == used
    assert [None, None] == [builtin.drafter("none"), builtin.drafter("ngram-mod")]
    assert {True} == {builtin.is_toy(path) for path in used if path}


def test_the_models_are_small() -> None:
    """All that lies there, the model card included."""
    assert sum(path.stat().st_size for path in DATA.iterdir()) <= MOST_BYTES


def test_the_model_card_names_every_model() -> None:
    """In its table, so that none is without an origin and a licence."""
    card = (DATA / "README.md").read_text()
    assert [] == [path.name for path in DATA.glob("*.gguf") if f"`{path.name}`" not in card]


def test_an_intact_copy_is_given(copied: Path) -> None:
    """Wherever the package lies."""
    assert copied / "target.gguf" == builtin.target()
    assert copied / "mtp.gguf" == builtin.drafter("draft-mtp")


def test_a_damaged_model_is_refused(copied: Path) -> None:
    """One bit is enough; the others are still given."""
    path = copied / "target.gguf"
    raw = bytearray(path.read_bytes())
    raw[len(raw) // 2] ^= 1
    path.write_bytes(raw)

    assert f"the built-in model {path} is damaged: install specui again" == refusal()
    assert copied / "eagle3.gguf" == builtin.drafter("draft-eagle3")


def test_a_model_in_the_place_of_another_is_refused(copied: Path) -> None:
    """A sum counts for one name only."""
    shutil.copy(copied / "mtp.gguf", copied / "target.gguf")

    assert f"the built-in model {copied / 'target.gguf'} is damaged: install specui again" == refusal()


@pytest.mark.parametrize("name", ["target.gguf", "SHA256SUMS"])
def test_a_missing_file_is_told(name: str, copied: Path) -> None:
    """The sentence names the model, what is missing, and the remedy."""
    (copied / name).unlink()

    said = refusal()
    assert said.startswith(f"the built-in model {copied / 'target.gguf'} cannot be used (")
    assert f"({name}: No such file or directory)" in said
    assert said.endswith("): install specui again")
    assert "\n" not in said


@pytest.mark.parametrize("sums", [b"", b"\xff\xfe\n", b"0" * 64 + b"  target.gguf\n"])
def test_sums_that_are_damaged_vouch_for_nothing(sums: bytes, copied: Path) -> None:
    """Whatever stands there instead."""
    (copied / "SHA256SUMS").write_bytes(sums)

    said = refusal()
    assert said.startswith(f"the built-in model {copied / 'target.gguf'} ")
    assert said.endswith(": install specui again")
    assert "\n" not in said


def test_a_damaged_drafter_is_refused(copied: Path) -> None:
    """Like a damaged target."""
    (copied / "mtp.gguf").write_bytes(b"GGUF")

    with pytest.raises(UnreadableFile, match=r"mtp\.gguf is damaged: install specui again$"):
        builtin.drafter("draft-mtp")
