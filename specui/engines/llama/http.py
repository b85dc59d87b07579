"""httpx without its command line, which would load rich into a runner that draws nothing."""

from __future__ import annotations

import sys

if "httpx" not in sys.modules:
    sys.modules["httpx._main"] = None  # type: ignore[assignment]  # None makes Python refuse the import, as httpx expects

import httpx  # only after its command line is barred

__all__ = ["httpx"]
