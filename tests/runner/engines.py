"""The real engines that tests run: the embedded one, and the llama-server that a variable names."""

from __future__ import annotations

import os

import pytest

STOCK = os.environ.get("SPECUI_TEST_LLAMA_SERVER")
ENGINES = [
    "embedded",
    pytest.param(STOCK, marks=pytest.mark.skipif(not STOCK, reason="SPECUI_TEST_LLAMA_SERVER is not set")),
]
