"""Hands a plan to a runner of its own."""

from __future__ import annotations

import signal
from dataclasses import replace
from typing import TYPE_CHECKING

from specui.cli.secrets import hide_arguments, without_secrets
from specui.runner import detach

if TYPE_CHECKING:
    from specui.cli.places import Places
    from specui.domain.plan import Plan
    from specui.journal.folder import RunFolder
    from specui.runner.detach import Answer


def launch(plan: Plan, where: Places) -> RunFolder:
    """Start a runner for the plan; gives the folder of its run. Raises UsageError or SpecuiError.

    From here on Ctrl+C waits until the run is followed: it must not end us and leave the run behind.
    """
    cases, secrets = without_secrets(plan.cases)
    if secrets:
        hide_arguments()

    def work(answer: Answer) -> int:
        from specui.cli.carry_out import carry_out  # a runner's modules, loaded by the runner alone

        return carry_out(replace(plan, cases=cases), where.runs, secrets, answer)

    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    return detach.start(work)
