"""From options and files to a plan that can be carried out here."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from specui import builtin
from specui.cli.config import read_config
from specui.cli.resolve import EMBEDDED_COMMAND, MachineResolver
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
    from collections.abc import Mapping

    from specui.cli.places import Places

DEFAULT_PROMPTS = "two-questions"
LARGEST_PLAN_BYTES = 4 * 1024 * 1024


def plan_of(draft: PlanDraft, places: Places, beside: Path) -> Plan:
    """The plan of a draft, its names looked up. Raises UsageError or EngineError."""
    prompts = find_prompts(draft.prompts or DEFAULT_PROMPTS, places, beside)
    workload = checks.workload_of({**_set_workload(prompts), **draft.workload})
    resolver = MachineResolver(read_config(places.config), beside)
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


def plan_of_file(path: Path, places: Places, overrides: Mapping[str, Any]) -> Plan:  # Any: checked workload values
    """The plan in a file: a plan, or a session, which is one too. Raises UsageError or EngineError."""
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
        return _plan_of_session(path, places)
    draft = plan_draft(document(data, str(path)))
    merged = replace(draft, title=draft.title or path.stem, workload={**draft.workload, **overrides})
    return plan_of(merged, places, path.absolute().parent)


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


def _plan_of_session(path: Path, places: Places) -> Plan:
    from specui.journal import session  # the facts it knows take 0.1 s to load: not for every plan

    run = session.load(path).run()
    if run.plan is None or not run.cases:
        raise UnreadableFile(f"{path} holds no plan, so it cannot be run again")
    resolver = MachineResolver(read_config(places.config), path.absolute().parent)
    cases = tuple(_case_here(state.case, resolver, path) for state in run.cases)
    return replace(run.plan, cases=cases)


def _case_here(case: Case, resolver: MachineResolver, path: Path) -> Case:
    """A case of a session with model, drafter and engine as they are found on this machine."""
    model = case.model
    if case.model.toy:
        model = resolver.model(builtin.WORD)
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
