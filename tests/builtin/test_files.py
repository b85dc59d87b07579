"""The files that the recipe writes are, but for what was learnt, those that come with specui."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

torch = pytest.importorskip("torch", reason="the toys are made with torch, which specui itself does not need")
jinja2 = pytest.importorskip("jinja2", reason="torch brings it; the chat template is tried with it")
gguf = pytest.importorskip("gguf", reason="the toys are written with gguf, which specui itself does not need")

from specui import builtin  # noqa: E402 - the checks come first
from specui.builtin.recipe import learning  # noqa: E402 - as above
from specui.builtin.recipe.drafters import MARKOV_RANK  # noqa: E402 - as above
from specui.builtin.recipe.files import CHAT_TEMPLATE, as_stored, write_all  # noqa: E402 - as above
from specui.builtin.recipe.rows import rendered  # noqa: E402 - as above

if TYPE_CHECKING:
    from specui.builtin.recipe.nets import Weights
    from specui.builtin.recipe.words import Tokenizer

NAMES = ["dflash", "draft-simple", "dspark", "eagle3", "mtp", "target"]
FREE = ("tokenizer.ggml.tokens", "tokenizer.ggml.merges", "tokenizer.chat_template")
"""What may differ in value: what was learnt, and how the template is spelt."""

LARGEST_BYTES = 8_000_000

Networks = tuple["Weights", "dict[str, Weights]"]


@pytest.fixture(scope="module")
def networks() -> Networks:
    """The target and the drafters, with drawn weights."""
    torch.manual_seed(1)
    drafters = {
        "mtp": learning.new_mtp(),
        "eagle3": learning.new_eagle(1.0),
        "dflash": learning.new_dflash(),
        "dspark": learning.new_dflash(MARKOV_RANK),
        "draft-simple": learning.new_simple(),
    }
    return _drawn(learning.new_target()), {name: _drawn(weights) for name, weights in drafters.items()}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory, networks: Networks, tokenizer: Tokenizer) -> Path:
    """All files, freshly written."""
    folder = tmp_path_factory.mktemp("toys")
    paths = write_all(folder, tokenizer, *networks)
    assert sorted(paths) == sorted(folder.glob("*.gguf"))
    sums = {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in paths}
    assert sums == {name: value for value, name in map(str.split, (folder / "SHA256SUMS").read_text().splitlines())}
    return folder


def test_the_files_are_those_that_come_with_specui(folder: Path) -> None:
    """By their names."""
    assert NAMES == sorted(path.stem for path in folder.glob("*.gguf"))
    assert NAMES == sorted(path.stem for path in _shipped().glob("*.gguf"))


def test_the_files_are_small(folder: Path) -> None:
    """They are part of the package, so everybody downloads them."""
    assert sum(path.stat().st_size for path in folder.iterdir()) <= LARGEST_BYTES


@pytest.mark.parametrize("name", NAMES)
def test_a_file_has_the_tensors_of_the_shipped_one(folder: Path, name: str) -> None:
    """The same names, each with the same shape and number format."""
    assert _tensors(_shipped() / f"{name}.gguf") == _tensors(folder / f"{name}.gguf")


@pytest.mark.parametrize("name", NAMES)
def test_a_file_has_the_metadata_of_the_shipped_one(folder: Path, name: str) -> None:
    """The same keys with values of the same kinds; what is said in general.* is free."""
    assert _kinds(_shipped() / f"{name}.gguf") == _kinds(folder / f"{name}.gguf")


@pytest.mark.parametrize("name", NAMES)
def test_a_file_has_the_sizes_of_the_shipped_one(folder: Path, name: str) -> None:
    """The values too, so that a change of a network is seen here."""
    assert _values(_shipped() / f"{name}.gguf") == _values(folder / f"{name}.gguf")


@pytest.mark.parametrize("name", NAMES)
def test_a_file_holds_the_tokenizer(folder: Path, tokenizer: Tokenizer, name: str) -> None:
    """Its tokens and merges, and that it is a byte-level BPE."""
    fields = gguf.GGUFReader(folder / f"{name}.gguf").fields

    assert tokenizer.tokens == fields["tokenizer.ggml.tokens"].contents()
    assert [f"{a} {b}" for a, b in tokenizer.merges] == fields["tokenizer.ggml.merges"].contents()
    assert "gpt2" == fields["tokenizer.ggml.model"].contents()


@pytest.mark.parametrize("name", NAMES)
def test_the_chat_template_writes_what_was_learnt(folder: Path, name: str) -> None:
    """A conversation as it stands in a row; to answer, the toys begin behind the name of the assistant."""
    talk = ("Who are you?", "I am a toy.", "Really?")
    messages = [{"role": ("user", "assistant")[i % 2], "content": said} for i, said in enumerate(talk)]
    template = gguf.GGUFReader(folder / f"{name}.gguf").fields["tokenizer.chat_template"].contents()

    def written(**options: bool) -> str:
        return str(jinja2.Template(template, keep_trailing_newline=True).render(messages=messages, **options))

    assert CHAT_TEMPLATE == template
    assert rendered(talk) == written()
    assert f"{rendered(talk)}<|im_start|>assistant\n" == written(add_generation_prompt=True)


def test_a_file_holds_the_weights(folder: Path, networks: Networks) -> None:
    """Value for value as they are rounded for a file; the target's file holds its MTP block, and MTP's the tables."""
    target, drafters = networks
    shared = {name: target[name] for name in ("token_embd.weight", "output_norm.weight", "output.weight")}
    expected = drafters | {"target": target | drafters["mtp"], "mtp": shared | drafters["mtp"]}

    for name, weights in expected.items():
        stored = as_stored(weights)
        found = {t.name: torch.tensor(t.data) for t in gguf.GGUFReader(folder / f"{name}.gguf").tensors}
        assert stored.keys() == found.keys()
        assert [] == [key for key in stored if not torch.equal(stored[key], found[key].float())]


def test_rounding_twice_is_rounding_once(networks: Networks) -> None:
    """What was read from a file is written as it is."""
    target, drafters = networks
    for weights in (target, *drafters.values()):
        once = as_stored(weights)
        again = as_stored(once)
        assert [] == [name for name in once if not torch.equal(once[name], again[name])]
        assert [(torch.float32, w.shape) for w in weights.values()] == [(w.dtype, w.shape) for w in once.values()]


def test_norms_and_the_confidence_head_are_kept_in_full(networks: Networks) -> None:
    """All other matrices are rounded."""
    dspark = networks[1]["dspark"]
    stored = as_stored(dspark)

    kept = {name for name in dspark if torch.equal(dspark[name], stored[name])}

    assert {name for name, w in dspark.items() if w.ndim == 1 or name == "conf_proj.weight"} == kept


def _shipped() -> Path:
    return Path(builtin.__file__).parent / "data"


def _tensors(path: Path) -> dict[str, tuple[list[int], str]]:
    return {t.name: (t.shape.tolist(), t.tensor_type.name) for t in gguf.GGUFReader(path).tensors}


def _fields(path: Path) -> dict[str, Any]:  # Any: gguf has no types
    fields = gguf.GGUFReader(path).fields
    return {key: field for key, field in fields.items() if not key.startswith(("general.", "GGUF."))}


def _kinds(path: Path) -> dict[str, list[str]]:
    return {key: [kind.name for kind in field.types] for key, field in _fields(path).items()}


def _values(path: Path) -> dict[str, Any]:  # Any: whatever a file may hold
    return {key: field.contents() for key, field in _fields(path).items() if key not in FREE}


def _drawn(weights: Weights) -> Weights:
    return {name: torch.randn_like(w) for name, w in weights.items()}
