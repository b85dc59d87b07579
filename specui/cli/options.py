"""The options that describe cases: each that names a factor takes a comma list."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from specui.domain import checks
from specui.domain.checks import SETTING_CHECKS, WORKLOAD_CHECKS
from specui.domain.errors import UsageError
from specui.domain.plan import METHODS
from specui.domain.plan_file import PlanDraft
from specui.domain.sweep import ModelFactor, SpeculationFactor, Sweep, Values

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable

    from specui.domain.units import JsonValue

SETTING_OPTIONS: tuple[tuple[str, tuple[str, ...], str], ...] = (
    ("ctx", ("-c", "--ctx", "--ctx-size"), "context size in tokens"),
    ("ngl", ("-ngl", "--n-gpu-layers", "--gpu-layers"), "layers on the GPU"),
    ("batch", ("-b", "--batch-size"), "batch size"),
    ("ubatch", ("-ub", "--ubatch-size"), "micro-batch size"),
    ("flash_attn", ("-fa", "--flash-attn"), "flash attention: on, off, auto"),
    ("ctk", ("-ctk", "--cache-type-k"), "type of the K cache"),
    ("ctv", ("-ctv", "--cache-type-v"), "type of the V cache"),
    ("slots", ("-np", "--parallel"), "slots"),
    ("threads", ("-t", "--threads"), "threads"),
)
_NUMBERS = frozenset({"ctx", "batch", "ubatch", "slots", "threads"})


def add_case_options(parser: argparse.ArgumentParser) -> None:
    """Everything that `run` takes to describe cases."""
    cases = parser.add_argument_group("cases (a comma list makes a case of each value)")
    cases.add_argument(
        "-m", "--model", metavar="PATH|NAME", help="target model: a file, a name, builtin, or builtin-wide"
    )
    cases.add_argument("--engine", metavar="NAME|PATH", help="embedded, a configured name, or a llama-server")
    cases.add_argument("--device", metavar="DEVICE", help="device of the engine, such as ROCm0")
    cases.add_argument("--method", "--spec-type", metavar="METHOD", help="draft-mtp, …; a+b mixes two in one case")
    cases.add_argument(
        "-md", "--draft-model", "--model-draft", "--spec-draft-model", metavar="PATH|auto", help="drafter"
    )
    cases.add_argument("--n-max", "--spec-draft-n-max", metavar="N", help="most tokens in a draft")
    cases.add_argument("--n-min", "--spec-draft-n-min", metavar="N", help="shortest draft worth verifying")
    cases.add_argument("--p-min", "--spec-draft-p-min", metavar="P", help="the drafter stops below this probability")
    for name, flags, help_text in SETTING_OPTIONS:
        cases.add_argument(*flags, dest=f"setting_{name}", metavar="VALUE", help=help_text)
    work = parser.add_argument_group("work")
    work.add_argument("--prompts", metavar="SET|FILE", help="prompt set: two-questions, core, demo, or a TOML file")
    work.add_argument("--mode", choices=("as-used", "lab"), help="natural answers, or greedy ones of fixed length")
    work.add_argument("--history", choices=("own",), help="later turns see the case's own answers")
    work.add_argument("--repeats", metavar="N", help="passes over all prompts")
    work.add_argument("--no-baseline", action="store_true", help="no case without speculation is added")
    work.add_argument("--max-tokens", metavar="N", help="longest answer")
    work.add_argument("--temperature", metavar="T")
    work.add_argument("--seed", metavar="S")
    work.add_argument("--thinking", choices=("on", "off", "model"))


def draft_of(options: argparse.Namespace, extra: list[str], title: str | None = None) -> PlanDraft:
    """The plan that the options describe. Raises UsageError at the first value that is none."""
    if options.model is None:
        raise UsageError("name a model with -m (`-m builtin` is the toy that comes with specui), or give a plan")
    settings: dict[str, Values] = {}
    for name, flags, _ in SETTING_OPTIONS:
        text = getattr(options, f"setting_{name}")
        if text is not None:
            settings[name] = tuple(_setting(name, flags[-1], word) for word in _listed(text))
    if extra:
        settings["extra"] = (list(extra),)
    sweep = Sweep(
        models=(ModelFactor(_models(options.model)),),
        engines=tuple(_listed(options.engine)) if options.engine else (None,),
        devices=tuple(_listed(options.device)) if options.device else (None,),
        speculations=(_speculation(options),),
        settings=settings,
        baseline=not options.no_baseline,
    )
    workload = workload_of_options(options)
    return PlanDraft(sweep, title, options.prompts, repeats_of_options(options) or 1, workload)


def repeats_of_options(options: argparse.Namespace) -> int | None:
    """How many passes the options ask for; None where they do not say."""
    if options.repeats is None:
        return None
    repeats: int = _number("--repeats", options.repeats, int, checks.whole(1, 1000))
    return repeats


def case_options_given(options: argparse.Namespace) -> list[str]:
    """Those options that describe cases and were given."""
    named = {"model": "-m", "draft_model": "-md"}
    names = ["model", "engine", "device", "method", "draft_model", "n_max", "n_min", "p_min"]
    given = [named.get(n, f"--{n.replace('_', '-')}") for n in names if getattr(options, n) is not None]
    given += [flags[0] for name, flags, _ in SETTING_OPTIONS if getattr(options, f"setting_{name}") is not None]
    return given + (["--no-baseline"] if options.no_baseline else [])


def workload_of_options(options: argparse.Namespace) -> dict[str, Any]:  # Any: checked values of the workload's keys
    """The workload's keys that the options set."""
    out: dict[str, Any] = {}  # Any: checked values of the workload's keys
    for name, kind in (("max_tokens", int), ("temperature", float), ("seed", int)):
        text = getattr(options, name)
        if text is not None:
            out[name] = _number(f"--{name.replace('_', '-')}", text, kind, WORKLOAD_CHECKS[name])
    for name in ("mode", "history", "thinking"):
        if getattr(options, name) is not None:
            out[name] = getattr(options, name)
    return out


def _speculation(options: argparse.Namespace) -> SpeculationFactor:
    asked = [f for f in ("draft_model", "n_max", "n_min", "p_min") if getattr(options, f) is not None]
    if asked and options.method is None:
        flag = "-md" if asked[0] == "draft_model" else f"--{asked[0].replace('_', '-')}"
        raise UsageError(f"{flag} without --method: nothing would speculate; name one, such as --method draft-simple")
    methods = tuple(_method(word) for word in _listed(options.method)) if options.method else ("none",)
    return SpeculationFactor(
        methods,
        _numbers("--n-max", options.n_max, int, checks.whole(1, 1024)),
        _numbers("--n-min", options.n_min, int, checks.whole(0, 1024)),
        _numbers("--p-min", options.p_min, float, checks.real(0, 1)),
        _models(options.draft_model) if options.draft_model else (None,),
    )


def _method(word: str) -> str:
    """A method or a mixture (`draft-mtp+ngram-mod`); short names without `draft-` are understood."""
    singles = [m if m in METHODS else f"draft-{m}" for m in word.split("+")]
    unknown = [m.removeprefix("draft-") for m in singles if m not in METHODS]
    if unknown:
        raise UsageError(f"--method {unknown[0]!r} is unknown: use one of {', '.join(METHODS)}")
    return ",".join(singles)


def _models(text: str) -> tuple[str, ...]:
    """A comma list, unless a file of that very name exists."""
    return (text,) if Path(text).expanduser().exists() else tuple(_listed(text))


def _listed(text: str) -> list[str]:
    words = [word.strip() for word in text.split(",")]
    if not all(words):
        raise UsageError(f"{text!r} is no comma list: a value is missing")
    return words


def _numbers(flag: str, text: str | None, kind: Callable[[str], Any], check: checks.Check) -> tuple[Any, ...]:
    # Any: int or float, as `kind` gives it
    return (None,) if text is None else tuple(_number(flag, word, kind, check) for word in _listed(text))


def _number(flag: str, text: str, kind: Callable[[str], Any], check: checks.Check) -> Any:  # Any: int or float
    try:
        return check(kind(text))
    except ValueError as error:
        said = str(error) if str(error).startswith("is ") else f"is {text!r}, not a number"
        raise UsageError(f"{flag} {said}") from error


def _setting(name: str, flag: str, word: str) -> JsonValue:
    if name in _NUMBERS:
        value: JsonValue = _number(flag, word, int, checks.whole(0))
        return value
    try:
        checked: JsonValue = SETTING_CHECKS[name](int(word) if word.isdecimal() and word.isascii() else word)[0]
    except ValueError as error:
        raise UsageError(f"{flag} {error}") from error
    return checked
