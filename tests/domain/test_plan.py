"""Cases, their labels and baselines; a plan file with every error and its line."""

from __future__ import annotations

import contextlib
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from specui.domain.errors import PlanError, UnreadableFile, UsageError
from specui.domain.plan import Case, EngineChoice, Model, Speculation, case_problems, with_baselines
from specui.domain.plan_file import PlanDraft, plan_draft
from specui.domain.prompts import prompt_set
from specui.domain.sweep import ModelFactor, SpeculationFactor, Sweep, cases_of
from specui.domain.toml_lines import document

MODEL = Model("Qwen3.6-27B-Q8_0", "qwen", "/m/Qwen3.6-27B-Q8_0.gguf")
ROCM = EngineChoice("rocm", "binary", ("/opt/rocm/llama-server",))
VULKAN = EngineChoice("vulkan", "binary", ("/opt/vulkan/llama-server",))


@pytest.mark.parametrize(
    ("case", "label"),
    [
        (Case(MODEL, ROCM, Speculation("draft-dflash", 6, draft_model="/d")), "rocm dflash n6"),
        (Case(MODEL, VULKAN, Speculation("draft-mtp", 3)), "vulkan mtp n3"),
        (Case(MODEL, VULKAN, Speculation("draft-mtp")), "vulkan mtp n3"),
        (Case(MODEL, ROCM), "rocm none"),
        (Case(MODEL, VULKAN, Speculation("draft-dflash", 6, p_min=0.6, draft_model="/d")), "vulkan dflash n6 pmin0.6"),
        (Case(MODEL, VULKAN, Speculation("ngram-mod"), settings={"ctk": "q8_0"}), "vulkan ngram-mod n64 ctk=q8_0"),
        (Case(MODEL, ROCM, Speculation("draft-mtp,ngram-mod", 3)), "rocm mtp,ngram-mod n3"),
        (Case(MODEL, ROCM, device="ROCm0"), "rocm none"),
        (Case(MODEL, replace(ROCM, several_devices=True), device="ROCm1"), "rocm ROCm1 none"),
        (Case(MODEL, ROCM, settings={"ctx": 8192, "flash_attn": "on", "ngl": 99}), "rocm none ngl=99 fa=on"),
    ],
)
def test_a_label_says_what_differs(case: Case, label: str) -> None:
    """Engine, method, draft length, then what is not the default, in the shortest spelling."""
    assert label == case.label()


def test_a_baseline_is_the_case_without_speculation() -> None:
    """Everything else is equal; what concerns the drafter alone does not count."""
    case = Case(MODEL, ROCM, Speculation("draft-mtp", 3), settings={"ctk": "q8_0", "draft_ctk": "q8_0"})
    same = Case(MODEL, ROCM, settings={"ctk": "q8_0"})

    assert same.is_baseline_of(case)
    assert same.is_baseline_of(same)
    assert not Case(MODEL, ROCM).is_baseline_of(case)
    assert not Case(MODEL, VULKAN, settings={"ctk": "q8_0"}).is_baseline_of(case)


def test_missing_baselines_are_added_once_each() -> None:
    """One for every model, engine and setting; none where it is there already."""
    cases = (
        Case(MODEL, ROCM, Speculation("draft-mtp", 2)),
        Case(MODEL, ROCM, Speculation("draft-mtp", 3)),
        Case(MODEL, VULKAN, Speculation("draft-mtp", 3)),
        Case(MODEL, VULKAN),
    )

    labels = [c.label() for c in with_baselines(cases)]

    assert ["rocm none", "rocm mtp n2", "rocm mtp n3", "vulkan mtp n3", "vulkan none"] == labels


@pytest.mark.parametrize(
    ("speculation", "words"),
    [
        (Speculation("draft-magic"), "unknown"),
        (Speculation("none,draft-mtp"), "mixes none"),
        (Speculation("draft-mtp", 0), "n_max 0"),
        (Speculation("draft-mtp", 3, n_min=4), "n_min 4"),
        (Speculation("draft-mtp", 3, p_min=1.5), "p_min 1.5"),
        (Speculation("draft-dflash", 6), "-md PATH"),
    ],
)
def test_an_impossible_case_says_why(speculation: Speculation, words: str) -> None:
    """Each problem is one sentence."""
    problems = case_problems(Case(MODEL, ROCM, speculation))

    assert 1 == len(problems)
    assert words in problems[0]


class Names:
    """A resolver that knows every model, two engines and one drafter."""

    def model(self, name: str) -> Model:
        """A model of any name but one."""
        if name == "missing.gguf":
            raise UsageError("there is no model missing.gguf")
        return replace(MODEL, name=name, path=f"/m/{name}")

    def engine(self, name: str | None) -> EngineChoice:
        """Two engines, the first by default."""
        return VULKAN if name == "vulkan" else ROCM

    def drafter(self, model: Model, method: str, name: str | None) -> str | None:
        """A drafter that pairs."""
        return f"/d/{name}" if name not in (None, "auto") else f"/d/{method}"


def test_a_sweep_is_the_product_of_its_factors() -> None:
    """Methods that need no limit are not multiplied; equal cases come once; exclusions fall out."""
    sweep = Sweep(
        models=(ModelFactor(("a", "b")),),
        engines=("rocm", "vulkan"),
        speculations=(
            SpeculationFactor(("none", "draft-mtp"), n_max=(1, 2)),
            SpeculationFactor(("draft-dflash",), n_max=(6,)),
        ),
        excludes=({"model": "B", "method": "draft-dflash"},),
    )

    labels = [(c.model.name, c.label()) for c in cases_of(sweep, Names())]

    of_one = ["none", "mtp n1", "mtp n2", "dflash n6"]
    expected = [("a", f"{e} {m}") for e in ("rocm", "vulkan") for m in of_one]
    expected += [("b", f"{e} {m}") for e in ("rocm", "vulkan") for m in of_one[:-1]]
    assert expected == labels


def test_every_problem_of_a_sweep_is_told_at_once() -> None:
    """A missing model does not hide an impossible limit."""
    sweep = Sweep(
        models=(ModelFactor(("missing.gguf", "a")),), speculations=(SpeculationFactor(("draft-mtp",), p_min=(7.0,)),)
    )

    with pytest.raises(PlanError) as caught:
        cases_of(sweep, Names())

    assert ["there is no model missing.gguf", "p_min 7 lies outside 0 … 1"] == list(caught.value.problems)


PLAN = b"""title = "Qwen3.6 matrix"
prompts = "two-questions"
repeats = 3
[workload]
mode = "as-used"
max_tokens = 2048
[[matrix.model]]
path = "Qwen3.6-27B-Q8_0.gguf"
settings = { ctx = 8192 }
[[matrix.engine]]
name = ["rocm", "vulkan"]
[[matrix.speculation]]
method = "draft-mtp"
n_max = [1, 2, 3, 4]
[[matrix.speculation]]
method = "draft-dflash"
draft_model = "auto"
n_max = [4, 6]
[[exclude]]
model = "gemma*"
[settings]
ngl = 99
flash_attn = ["on", "off"]
"""


def test_a_plan_file_is_read() -> None:
    """Every part of it lands where it belongs."""
    draft = plan_draft(document(PLAN, "plan.toml"))

    assert ("Qwen3.6 matrix", "two-questions", 3) == (draft.title, draft.prompts, draft.repeats)
    assert {"mode": "as-used", "max_tokens": 2048} == draft.workload
    assert ("rocm", "vulkan") == draft.sweep.engines
    assert {"ngl": (99,), "flash_attn": ("on", "off")} == draft.sweep.settings
    assert 2 * 2 * (4 + 2 + 1) == len(cases_of(draft.sweep, Names()))


BAD = b"""title = "x"
repeats = 0
[workload]
temprature = 1.0
max_tokens = "many"
[[matrix.model]]
settings = { ctx = 1 }
[[matrix.speculation]]
method = "mtp"
[[matrix.speculation]]
n_max = [1, 5000]
"""


def test_every_error_of_a_plan_has_its_line() -> None:
    """All at once, each with file, line, key and what is right."""
    with pytest.raises(PlanError) as caught:
        plan_draft(document(BAD, "plan.toml"))

    problems = "\n".join(caught.value.problems)
    for words in (
        "plan.toml:2: repeats is 0",
        "plan.toml:4: temprature means nothing here; did you mean temperature?",
        "plan.toml:5: max_tokens is 'many'",
        "plan.toml:6: a model needs a path",
        "plan.toml:9: method 'mtp' is unknown",
        "plan.toml:11: n_max is 5000",
        "plan.toml:10: a speculation needs a method",
    ):
        assert words in problems


@given(st.binary(max_size=120) | st.text(max_size=120).map(lambda s: s.encode("utf-8", "surrogatepass")))
def test_any_bytes_are_a_plan_or_a_sentence(data: bytes) -> None:
    """No plan file raises anything else."""
    read: list[object] = []

    with contextlib.suppress(PlanError, UnreadableFile):
        read.append(plan_draft(document(data, "plan.toml")))

    assert all(isinstance(draft, PlanDraft) for draft in read)


@pytest.mark.parametrize(
    "data", [b"", b"[[prompt]]\n", b"[[prompt]]\nturns = []\n", b'[[prompt]]\nturns = [""]\n', b"prompt = 1\n"]
)
def test_a_prompt_set_without_words_is_refused(data: bytes) -> None:
    """A prompt needs turns that say something."""
    with pytest.raises(PlanError, match=r"p\.toml"):
        prompt_set(document(data, "p.toml"), "p")


def test_two_prompts_of_one_name_are_refused() -> None:
    """Results are told apart by the prompt's id."""
    data = b'[[prompt]]\nid = "a"\nturns = ["x"]\n[[prompt]]\nid = "a"\nturns = ["y"]\n'

    with pytest.raises(PlanError, match="two prompts are called 'a'"):
        prompt_set(document(data, "p.toml"), "p")
