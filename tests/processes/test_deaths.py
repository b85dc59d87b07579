"""An engine that dies: the person reads how, where, and how far it had come; nothing of it is left (C03, C09, C31)."""

from __future__ import annotations

import pytest

from tests.processes.driving import Machine, is_alive, is_zombie

ILLEGAL = "killed by SIGILL (illegal instruction): this binary was built for another CPU"
DEATHS = {
    "SIGILL": ILLEGAL,
    "SIGSEGV": "killed by SIGSEGV (invalid memory access)",
    "SIGABRT": "killed by SIGABRT (abort)",
    "SIGKILL": "killed by SIGKILL (kill): most often the system was out of memory",
}
LAST_WORDS = "AMX is not ready to be used!"


def failure(err: str) -> str:
    """The one line that says why."""
    (line,) = [line for line in err.splitlines() if line.startswith(("  failed: ", "specui: "))]
    return line


@pytest.mark.parametrize("how", ["SIGILL", 132])
def test_a_death_while_probing_is_told_before_anything_starts(machine: Machine, how: str | int) -> None:
    """Also behind a shell, whose code is 128 and the signal's number; no run is begun."""
    engine = machine.engine(probe_dies=how, says=["I srv    load_model: hello", LAST_WORDS])
    ended = machine.run(*machine.usual(engine))
    assert ended.code == 1
    said = failure(ended.err)
    assert f"{engine} was {DEATHS.get(str(how), ILLEGAL)}" in said
    assert LAST_WORDS in said
    assert [] == list(machine.home.glob("runs/*"))


@pytest.mark.parametrize("how", ["SIGILL", "SIGABRT", "SIGKILL"])
def test_a_death_while_loading_names_signal_program_and_last_words(machine: Machine, how: str) -> None:
    """The log has no error line at all, as with the vendor's wheel; the run ends at once and keeps its journal."""
    engine = machine.engine("my engines/llama-server", dies_loading=how, load_s=0.2, says=[LAST_WORDS])
    ended = machine.run(*machine.usual(engine))
    assert ended.code == 1
    said = failure(ended.err)
    assert f"{engine} was {DEATHS[how]}" in said
    assert "its last words: " in said
    assert "connect" not in said
    assert said.removeprefix("  failed: ") == ended.one("case-failed")["reason"]
    assert ended.one("run-finished")["outcome"] == "failed"
    ended.ensure_whole()


def test_a_death_behind_a_shell_is_the_same_death(machine: Machine) -> None:
    """A wrapper script that does not exec ends with code 132, which is a signal's too."""
    engine = machine.engine(dies_loading="SIGILL")
    wrapper = machine.home / "wrapper"
    wrapper.write_text(f"#!/bin/sh\n'{engine}' \"$@\"\ncode=$?\nexit $code\n")
    wrapper.chmod(0o755)
    ended = machine.run(*machine.usual(wrapper))
    assert ended.code == 1
    assert f"{wrapper} was {ILLEGAL}" in failure(ended.err)
    ended.ensure_whole()


@pytest.mark.parametrize(
    ("says", "told"),
    [
        ([], "ended with exit code 3 while loading: "),
        (["E srv  load_model: failed to load model, 'x.gguf'"], "failed to load model, 'x.gguf'"),
        (["unknown model architecture: 'foo'", "E main: exiting due to model loading error"], "architecture: 'foo'"),
    ],
)
def test_an_exit_while_loading_names_the_most_telling_line(machine: Machine, says: list[str], told: str) -> None:
    """The reason is the engine's own, with the program's path, not the code alone."""
    engine = machine.engine(dies_loading=3, says=says)
    ended = machine.run(*machine.usual(engine))
    assert ended.code == 1
    assert told in failure(ended.err)
    assert str(engine) in failure(ended.err)
    ended.ensure_whole()


@pytest.mark.parametrize("how", ["SIGILL", "SIGSEGV", "SIGKILL", 1])
def test_a_death_in_mid_stream_names_the_signal_and_keeps_the_tokens(machine: Machine, how: str | int) -> None:
    """32 chunks are 29 tokens: they stay in the journal, and the request is not counted."""
    engine = machine.engine(dies_after=32, dies_by=how, tokens=100, says=[LAST_WORDS])
    ended = machine.run(*machine.usual(engine), "--max-tokens", "100", "--json")
    assert ended.code == 1
    said = failure(ended.err)
    assert str(engine) in said
    assert DEATHS.get(str(how), "ended with exit code 1") in said
    assert "29 tokens" in said
    finished = ended.all("request-finished")[-1]
    assert finished["predicted_n"] == 29
    assert finished["error"]
    assert ended.report["requests"] == 0
    assert ended.report["speed_tok_per_s"] is None
    exited = ended.one("server-exited")
    assert exited["asked"] is False
    assert exited.get("code") == (1 if how == 1 else None)
    ended.ensure_whole()


@pytest.mark.parametrize(("method", "after"), [("none", 4), ("none", 103), ("draft-mtp", 32)])
def test_a_stream_that_just_ends_is_interrupted(machine: Machine, method: str, after: int) -> None:
    """Without a finish reason and without [DONE] an answer is not whole, however clean the connection closed."""
    engine = machine.engine(ends_after=after, tokens=100)
    words = ["--max-tokens", "100", "--method", method, "--no-baseline", "--json"]
    ended = machine.run(*machine.usual(engine), *words)
    assert ended.code == 1
    said = failure(ended.err)
    assert f"after {after - 3} tokens: the server closed the stream before the end of the answer" in said
    assert after - 3 == ended.all("request-finished")[-1]["predicted_n"]
    assert ended.report["requests"] == 0
    assert any("not counted" in note for note in ended.report["notes"])
    ended.ensure_whole()


def test_an_answer_with_a_finish_reason_is_whole_without_done(machine: Machine) -> None:
    """The finish reason is the end; what a server leaves out behind it costs nothing."""
    ended = machine.run(*machine.usual(machine.engine(ends_after=28)), "--json")
    assert ended.code == 0
    assert ended.report["requests"] == 1
    ended.ensure_whole()


def test_a_stream_without_a_word_is_said(machine: Machine) -> None:
    """A stream that is closed before its first event is no answer of zero tokens."""
    ended = machine.run(*machine.usual(machine.engine(ends_after=0)), "--json")
    assert ended.code == 1
    assert "the server closed the stream without a word" in failure(ended.err)
    ended.ensure_whole()


def test_the_next_case_runs_after_a_death(machine: Machine) -> None:
    """A case that dies costs itself alone, leaves no zombie while the next one runs, and the exit code says it."""
    bad, good = machine.engine("bad/llama-server", dies_loading="SIGILL"), machine.engine("good/other", step_s=0.02)
    running = machine.start(*machine.usual(bad), "--engine", f"{bad},{good}")
    journal = running.journal
    journal.wait_for("server-ready")
    gone, there = journal.engine_pids()
    assert (is_alive(gone), is_zombie(gone), is_alive(there)) == (False, False, True)
    ended = running.ended()
    assert ended.code == 1
    assert "(failed)" in ended.out
    assert 1 == len(ended.all("case-finished"))
    ended.ensure_whole()


def test_an_engine_that_ignores_term_is_killed_with_its_children(machine: Machine) -> None:
    """Neither the exit line nor TERM ends it: KILL does, and what it started goes with it."""
    engine = machine.engine(ignores_term=True, child=True)
    ended = machine.run(*machine.usual(engine))
    assert ended.code == 0
    assert ended.one("server-exited")["asked"] is True
    assert [False] == [is_alive(note["child"]) for note in machine.noted(engine, "child")]
    ended.ensure_whole()


@pytest.mark.parametrize("how", [{"dies_loading": 1}, {"dies_after": 8}])
def test_the_child_of_a_dead_engine_is_killed(machine: Machine, how: dict[str, int]) -> None:
    """An engine that dies by itself leaves nothing behind that would hold the memory."""
    engine = machine.engine(child=True, **how)
    ended = machine.run(*machine.usual(engine))
    assert ended.code == 1
    assert [False] == [is_alive(note["child"]) for note in machine.noted(engine, "child")]
    ended.ensure_whole()
