"""A prompt set: conversations to hold, and the workload they are meant for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from specui.domain.errors import PlanError
from specui.domain.plan import Prompt
from specui.domain.text import one_line

if TYPE_CHECKING:
    from specui.domain.toml_lines import Document


@dataclass(frozen=True, slots=True)
class PromptSet:
    """Prompts under one name; `workload` holds what the set itself asks for."""

    name: str
    prompts: tuple[Prompt, ...]
    workload: Mapping[str, Any] = field(default_factory=dict)  # Any: checked where a plan takes it


def prompt_set(document: Document, name: str) -> PromptSet:
    """The set in a TOML document: `[[prompt]]` with `id` and `turns`, and `[workload]`.

    Raises PlanError with every problem and its line.
    """
    rows = document.values.get("prompt")
    if not isinstance(rows, list) or not rows:
        raise PlanError([f"{document.where} holds no [[prompt]]: give each an id and turns"])
    problems: list[str] = []
    prompts = [p for i, row in enumerate(rows) if (p := _prompt(document, i, row, problems)) is not None]
    ids = [p.id for p in prompts]
    problems += [f"{document.where}: two prompts are called {i!r}" for i in sorted(set(ids)) if ids.count(i) > 1]
    if problems:
        raise PlanError(problems)
    meta, workload = document.values.get("meta"), document.values.get("workload")
    said = meta.get("name") if isinstance(meta, dict) else None
    return PromptSet(
        one_line(said, 80) if isinstance(said, str) and said else name,
        tuple(prompts),
        workload if isinstance(workload, dict) else {},
    )


def _prompt(document: Document, index: int, row: object, problems: list[str]) -> Prompt | None:
    place = document.place(f"prompt.{index}")
    turns = row.get("turns") if isinstance(row, dict) else None
    if not isinstance(row, dict) or not isinstance(turns, list) or not turns:
        problems.append(f"{place}: a prompt needs turns, a list of what is said")
        return None
    if not all(isinstance(t, str) and t.strip() for t in turns):
        problems.append(f"{place}: every turn must be a text that is not empty")
        return None
    name, category = row.get("id"), row.get("category")
    return Prompt(
        name if isinstance(name, str) and name else f"prompt-{index + 1}",
        tuple(turns),
        category if isinstance(category, str) else None,
    )
