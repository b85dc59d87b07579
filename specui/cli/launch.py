"""Hands a plan to a runner of its own."""

from __future__ import annotations

import os
from dataclasses import replace
from typing import TYPE_CHECKING

from specui.cli.secrets import without_keys
from specui.domain.codec import as_record
from specui.runner import detach

if TYPE_CHECKING:
    from specui.cli.places import Places
    from specui.domain.plan import Plan
    from specui.domain.units import Record
    from specui.journal.store import RunFolder


def launch(plan: Plan, where: Places) -> RunFolder:
    """Start a runner for the plan; gives the folder of its run. Raises UsageError or SpecuiError."""
    cases, key = without_keys(plan.cases)
    order: Record = {"plan": as_record(replace(plan, cases=cases)), "runs": str(where.runs)}
    if key is not None:
        order["api_key"] = key
    return detach.start(order, ["carry-out"], os.environ)
