"""specui: which speculative decoding setting is fastest on this machine, and why."""

from __future__ import annotations

__version__ = "0.1.0"
