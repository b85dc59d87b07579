"""`python -m specui`: the same as the command."""

from __future__ import annotations

import sys

from specui.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
