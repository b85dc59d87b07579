"""Every module is short, says what it is for, and takes its annotations as text."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import specui

PACKAGE = Path(specui.__file__).parent
LONGEST_LINES = 300

every_module = pytest.mark.parametrize(
    "module",
    [pytest.param(path, id=path.relative_to(PACKAGE).as_posix()) for path in sorted(PACKAGE.rglob("*.py"))],
)


@every_module
def test_a_module_is_short(module: Path) -> None:
    """No module is longer than 300 lines: what is longer holds two ideas."""
    assert len(module.read_text(encoding="utf-8").splitlines()) <= LONGEST_LINES


@every_module
def test_a_module_says_what_it_is_for(module: Path) -> None:
    """The first statement of a module is a docstring that begins on its first line."""
    docstring = ast.get_docstring(_parsed(module), clean=False)
    assert docstring is not None
    assert docstring[:1].strip() != ""


@every_module
def test_a_module_with_code_takes_annotations_as_text(module: Path) -> None:
    """`from __future__ import annotations` stands first in every module that is more than a docstring."""
    after_docstring = _parsed(module).body[1:]
    first = [ast.unparse(statement) for statement in after_docstring[:1]]
    assert first in ([], ["from __future__ import annotations"])


def _parsed(module: Path) -> ast.Module:
    return ast.parse(module.read_bytes(), filename=str(module))
