"""From options and files to a plan that can be carried out here."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from specui import builtin
from specui.cli.config import read_config
from specui.cli.resolve import EMBEDDED_COMMAND, MachineResolver
from specui.cli.secrets import without_secrets
from specui.domain import checks
from specui.domain.checks import WORKLOAD_CHECKS, Findings
from specui.domain.errors import PlanError, UnreadableFile, UsageError
from specui.domain.plan import Case, EngineChoice, Plan
from specui.domain.plan_file import PlanDraft, plan_draft
from specui.domain.prompts import PromptSet, prompt_set
from specui.domain.sweep import cases_of
from specui.domain.text import one_line
from specui.domain.toml_lines import document
from specui.models.find import described, expanded, model_file

if TYPE_CHECKING:
    from collections.abc import Callable

    from specui.cli.places import Places

DEFAULT_PROMPTS = "two-questions"
LARGEST_PLAN_BYTES = 4 * 1024 * 1024


def plan_of(draft: PlanDraft, places: Places, beside: Path) -> Plan:
    """The plan of a draft, its names looked up. Raises UsageError or EngineError."""
    prompts = find_prompts(draft.prompts or DEFAULT_PROMPTS, places, beside)
    workload = checks.workload_of({**_set_workload(prompts), **draft.workload})
    resolver = MachineResolver(read_config(places.config), beside, places.toys)
    cases = told_apart(cases_of(draft.sweep, resolver))
    return Plan(
        title=draft.title or default_title(cases),
        prompt_set=prompts.name,
        prompts=prompts.prompts,
        workload=workload,
        repeats=draft.repeats,
        limits=draft.limits,
        cases=cases,
        note=draft.note,
    )


@dataclass(frozen=True, slots=True)
class Changes:
    """What the options beside a plan or session change of it; None leaves it as it is."""

    workload: Mapping[str, Any]  # Any: checked workload values
    repeats: int | None = None
    prompts: str | None = None


def plan_of_file(path: Path, places: Places, changes: Changes, ensure_trusted: Callable[[str], None]) -> Plan:
    """The plan in a file: a plan, or a session, which is one too.

    `ensure_trusted` is asked about everything that a stranger's session would start or pass on, before it is.
    Raises UsageError or EngineError.
    """
    try:
        if path.is_dir():
            raise UnreadableFile(f"{path} is a folder: name a plan or a session file")
        with path.open("rb") as file:
            beginning = file.read(4096)
            is_session = b"[session]" in beginning and b"format" in beginning
            data = b"" if is_session else beginning + file.read(LARGEST_PLAN_BYTES)
    except OSError as error:
        raise UnreadableFile(f"{path} cannot be read: {error.strerror}") from error
    if is_session:
        return _changed(_plan_of_session(path, places, ensure_trusted), places, changes)
    draft = plan_draft(document(data, str(path)))
    merged = replace(
        draft,
        title=draft.title or path.stem,
        workload={**draft.workload, **changes.workload},
        repeats=changes.repeats or draft.repeats,
        prompts=_own_prompts(changes.prompts) or draft.prompts,
    )
    return plan_of(merged, places, path.absolute().parent)


def _own_prompts(name: str | None) -> str | None:
    """A prompt set given as an option: a file's path is meant from here, not from the plan's folder."""
    return str(Path.cwd() / Path(name).expanduser()) if name and Path(name).expanduser().is_file() else name


def _changed(plan: Plan, places: Places, changes: Changes) -> Plan:
    """A session's plan with the options beside it."""
    found = find_prompts(changes.prompts, places, Path.cwd()) if changes.prompts else None
    return replace(
        plan,
        workload=replace(plan.workload, **changes.workload),
        repeats=changes.repeats or plan.repeats,
        prompt_set=found.name if found else plan.prompt_set,
        prompts=found.prompts if found else plan.prompts,
    )


def find_prompts(name: str, places: Places, beside: Path) -> PromptSet:
    """A prompt set: one that comes along, one of the user's own by name, or a file."""
    known = builtin.prompt_sets()
    path = known.get(name) or places.prompts / f"{name}.toml"
    if name not in known and not path.is_file():
        path = expanded(name, beside)
    try:
        data = path.read_bytes()
    except OSError as error:
        sets = ", ".join(known)
        shown = one_line(name, 200)
        raise UsageError(f"there is no prompt set {shown} ({error.strerror}): use {sets}, or a TOML file") from error
    return prompt_set(document(data, str(path)), path.stem)


def default_title(cases: tuple[Case, ...]) -> str:
    """Models and methods in a few words."""
    models = list(dict.fromkeys(c.model.name for c in cases))
    methods = list(dict.fromkeys(c.speculation.method.replace("draft-", "") for c in cases))
    some = [m for m in methods if m != "none"] or ["none"]
    method = some[0] if len(some) == 1 else "matrix"
    return f"{models[0]} {method}" if len(models) == 1 else f"{len(models)} models {method}"


def told_apart(cases: tuple[Case, ...]) -> tuple[Case, ...]:
    """The cases as they are; raises PlanError where two of one model would bear one label."""
    seen: dict[tuple[str, str], Case] = {}
    for case in cases:
        key = (case.model.path, case.label())
        if key in seen:
            problem = f"two cases of {case.model.name} would both be called {case.label()!r}"
            raise PlanError([f"{problem}: vary one drafter or engine a plan"])
        seen[key] = case
    return cases


def _set_workload(prompts: PromptSet) -> dict[str, Any]:  # Any: checked workload values
    found = Findings(document(b"", f"prompt set {prompts.name}"))
    values = found.take(prompts.workload, "workload", WORKLOAD_CHECKS)
    if found.problems:
        raise PlanError(found.problems)
    return values


def _plan_of_session(path: Path, places: Places, ensure_trusted: Callable[[str], None]) -> Plan:
    from specui.journal import session  # the facts it knows take 0.1 s to load: not for every plan

    saved = session.load(path)
    run = saved.run()
    if run.plan is None or not run.cases:
        raise UnreadableFile(f"{path} holds no plan, so it cannot be run again")
    resolver = MachineResolver(read_config(places.config), path.absolute().parent, places.toys)
    if not (places.runs / str(saved.header.get("id", ""))).joinpath("journal.jsonl").is_file():
        ensure_trusted(_would_use([state.case for state in run.cases], {e.name for e in resolver.config.engines}))
    cases = tuple(_case_here(state.case, resolver, path) for state in run.cases)
    return replace(run.plan, cases=cases)


def _would_use(cases: list[Case], configured: set[str]) -> str:
    """The programs, engine arguments and variables of a session that its reader should have seen; empty for none."""
    words: dict[str, None] = {}
    for case in without_secrets(tuple(cases))[0]:
        engine, extra = case.engine, case.settings.get("extra")
        if engine.kind == "binary" and engine.name not in configured:
            words[f"the program {' '.join(engine.command)}"] = None
        if isinstance(extra, list) and extra:
            words[f"the engine arguments {' '.join(map(str, extra))}"] = None
        for name, value in engine.env.items():
            words[f"the variable {name}={value}"] = None
    return one_line(", ".join(words), 400)


def _case_here(case: Case, resolver: MachineResolver, path: Path) -> Case:
    """A case of a session with model, drafter and engine as they are found on this machine."""
    model = case.model
    if case.model.toy:
        model = resolver.model(builtin.WIDE_WORD if case.model.name == builtin.WIDE_NAME else builtin.WORD)
    elif not Path(model.path).is_file():
        model = described(model_file(model.name, resolver.config.model_dirs, path.parent))
    spec = case.speculation
    if spec.draft_model is not None and not Path(spec.draft_model).is_file():
        near = builtin.target().parent / Path(spec.draft_model).name
        found = near if model.toy and near.is_file() else None
        place = found or model_file(Path(spec.draft_model).name, resolver.config.model_dirs, path.parent)
        spec = replace(spec, draft_model=str(place))
    return replace(case, model=model, speculation=spec, engine=_engine_here(case, resolver))


def _engine_here(case: Case, resolver: MachineResolver) -> EngineChoice:
    engine = case.engine
    if engine.kind == "embedded":
        return replace(engine, command=EMBEDDED_COMMAND)
    if engine.kind == "scripted":
        raise UsageError("this session was made up by a script for tests: it cannot be run")
    configured = {e.name for e in resolver.config.engines}
    if engine.name in configured or not (engine.command and Path(engine.command[0]).is_file()):
        return resolver.engine(engine.name)
    return resolver.engine(engine.command[0]) if len(engine.command) == 1 else engine
