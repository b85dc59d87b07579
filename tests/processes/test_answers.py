"""Answers that are refused, and speculation that never drafts (C24, C42)."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from tests.processes.driving import Machine


TOO_LONG = {
    "code": 400,
    "message": "request (3031 tokens) exceeds the available context size (512 tokens), try increasing it",
    "type": "exceed_context_size_error",
    "n_prompt_tokens": 3031,
    "n_ctx": 512,
}


@pytest.mark.parametrize(
    ("refusal", "told"),
    [
        ([400, "application/json", json.dumps({"error": TOO_LONG})], ["3031 tokens", "512 tokens", "slots", "--ctx"]),
        ([200, "text/plain", json.dumps({"error": TOO_LONG})], ["3031", "512", "slots"]),
        ([401, "application/json", '{"error":{"code":401,"message":"Invalid API Key"}}'], ["Invalid API Key"]),
        ([502, "text/html", "<html><h1>Bad Gateway</h1></html>"], ["HTTP 502", "proxy", "Bad Gateway"]),
        ([500, "application/json", '{"error":"out of \\u001b[31mslots"}'], ["out of ␛[31mslots"]),
        ([503, "application/json", ""], ["HTTP 503", "empty"]),
    ],
)
def test_a_refused_request_is_told_in_the_servers_words(machine: Machine, refusal: list[Any], told: list[str]) -> None:
    """Both numbers of a context that is too small, and that it is divided among the slots; one line, no trace."""
    ended = machine.run(*machine.usual(machine.engine(refuses=refusal)), "--json")
    assert ended.code == 1
    (said,) = [line for line in ended.err.splitlines() if line.startswith("  failed: ")]
    assert [] == [words for words in told if words not in said]
    assert said.startswith("  failed: one, turn 1: ")
    assert ended.report["requests"] == 0
    assert ended.all("request-finished")[-1]["error"] in said
    assert "Traceback" not in ended.err + (ended.folder / "runner.log").read_text()
    ended.ensure_whole()


@pytest.mark.parametrize(("method", "drafting"), [("ngram-simple", "absent"), ("draft-mtp", "zero")])
def test_speculation_that_drafts_nothing_has_no_acceptance(machine: Machine, method: str, drafting: str) -> None:
    """Neither 0 % nor 100 %: unknown, and a hint that it brings nothing. The answers count."""
    words = ["--method", method, "--no-baseline"]
    usual = machine.usual(machine.engine(drafting=drafting))
    ended = machine.run(*usual, *words)
    assert ended.code == 0
    row = next(line for line in ended.out.splitlines() if line.startswith("| llama-server"))
    assert "–" in row
    assert "%" not in row
    assert "nothing was drafted" in ended.err
    (case,) = json.loads(machine.verb("report", "last", "--format", "json").stdout)["models"][0]["cases"]
    assert case["acceptance"] is None
    assert case["mean_length"] is None
    assert case["tokens_per_step"] == pytest.approx(1.0)
    assert case["speed_tok_per_s"] == pytest.approx(200, rel=0.01)
    assert any("nothing was drafted" in note for note in case["notes"])
    ended.ensure_whole()


def test_drafts_without_a_count_of_the_kept_have_no_acceptance(machine: Machine) -> None:
    """`draft_n` alone says that something was drafted: the share stays unknown, and no hint is given."""
    words = ["--method", "draft-mtp", "--no-baseline", "--json"]
    ended = machine.run(*machine.usual(machine.engine(drafting="no kept")), *words)
    assert ended.code == 0
    assert ended.report["acceptance"] is None
    assert "nothing was drafted" not in ended.err
    ended.ensure_whole()


def test_a_server_without_the_speculation_is_refused(machine: Machine) -> None:
    """It serves, yet `/slots` says that it does not speculate: its numbers would be taken for the drafter's."""
    words = ["--method", "draft-mtp", "--no-baseline"]
    ended = machine.run(*machine.usual(machine.engine(speculative=False)), *words)
    assert ended.code == 1
    assert "draft-mtp is off" in ended.one("case-failed")["reason"]
    assert [] == ended.all("request-sent")
    ended.ensure_whole()
