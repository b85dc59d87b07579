"""`python -m specui.builtin.recipe FOLDER`, or `make toys`."""

from __future__ import annotations

import sys

NEEDED = ("gguf", "numpy", "torch")

try:
    from specui.builtin.recipe.making import main
except ModuleNotFoundError as error:
    if error.name not in NEEDED:
        raise
    sys.exit(f"the toys' recipe needs {error.name}: run `make toys`, or pip install -e '.[embedded,recipe]'")

if __name__ == "__main__":
    main()
