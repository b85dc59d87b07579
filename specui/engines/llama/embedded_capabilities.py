"""What the embedded engine can do, told without starting it."""

from __future__ import annotations

import importlib.util
from pathlib import Path

from specui.domain.errors import EngineUnusable
from specui.engines.llama.capabilities import Capabilities, method_words, parse_help

PACKAGE = "xllamacpp"


def embedded_capabilities() -> Capabilities:
    """Its build and flags. Raises EngineUnusable where the package is not installed."""
    installed = installed_version()
    if installed is None:
        remedy = 'pip install "specui[embedded]", or name a llama-server with --engine PATH'
        raise EngineUnusable(f"the embedded engine needs the package {PACKAGE}: {remedy}")
    from specui.engines.llama.embedded_flags import help_text  # a table that only a runner needs

    options = parse_help(help_text())
    words = method_words(options)
    build = installed.rpartition(".")[2]
    return Capabilities(
        int(build) if build.isdigit() else None,
        None,
        f"{PACKAGE} {installed}",
        options.flags,
        tuple(words),
        words,
        options.flash_attn_takes_value,
        (),
    )


def installed_version() -> str | None:
    """The version of the package, by the name of its metadata's folder; None where it is not installed.

    `importlib.metadata` says the same and takes 20 ms of every start.
    """
    spec = importlib.util.find_spec(PACKAGE)
    if spec is None or spec.origin is None:
        return None
    folders = Path(spec.origin).parent.parent.glob(f"{PACKAGE}-*.dist-info")
    return next((f.name.removeprefix(f"{PACKAGE}-").removesuffix(".dist-info") for f in folders), "0")
