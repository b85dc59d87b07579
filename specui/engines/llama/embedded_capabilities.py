"""What the embedded engine can do, told without starting it."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, version

from specui.domain.errors import EngineUnusable
from specui.engines.llama.capabilities import Capabilities, method_words, parse_help
from specui.engines.llama.embedded_flags import help_text

PACKAGE = "xllamacpp"


def embedded_capabilities() -> Capabilities:
    """Its build and flags. Raises EngineUnusable where the package is not installed."""
    try:
        installed = version(PACKAGE)
    except PackageNotFoundError as error:
        remedy = 'pip install "specui[embedded]"'
        raise EngineUnusable(f"the embedded engine needs the package {PACKAGE}: {remedy}") from error
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
