"""What a person types, and what comes back: one clear line, the right exit code, nothing heavy loaded."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from specui import __version__
from specui.cli.main import VERBS, Parser, main
from specui.cli.options import add_case_options, draft_of
from specui.cli.secrets import without_secrets
from specui.cli.takeover import taken_over
from specui.domain.errors import UsageError
from specui.domain.plan import Case, EngineChoice, Model

if TYPE_CHECKING:
    from pathlib import Path

    from specui.domain.plan_file import PlanDraft


def specui(*words: str, env: dict[str, str] | None = None) -> subprocess.CompletedProcess[str]:
    """The command in a process of its own."""
    return subprocess.run(
        [sys.executable, "-P", "-m", "specui", *words],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
        env={**os.environ, **(env or {})},
    )


def drafted(*words: str) -> PlanDraft:
    """The plan of some options."""
    parser = Parser(prog="specui run")
    add_case_options(parser)
    return draft_of(parser.parse_args(list(words)), [])


def test_version_and_help(capsys: pytest.CaptureFixture[str]) -> None:
    """The version is one line; every verb is in the overview and tells its options."""
    assert 0 == main(["--version"])
    assert f"specui {__version__}\n" == capsys.readouterr().out
    assert 0 == main(["help"])
    overview = capsys.readouterr().out
    assert [] == [verb for verb in VERBS if f"specui {verb}" not in overview]
    for verb in VERBS:
        with pytest.raises(SystemExit) as ended:
            main(["help", verb])
        assert 0 == ended.value.code
        assert f"specui {verb}" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ([], "specui demo"),
        (["fly"], "there is no verb 'fly'"),
        (["run"], "name a model with -m"),
        (["run", "-m", "none.gguf"], "there is no model none.gguf"),
        (["run", "-m", "builtin", "--method", "magic"], "'magic' is unknown"),
        (["run", "-m", "builtin", "--method", "mtp", "--n-max", "0"], "--n-max is 0"),
        (["run", "-m", "builtin", "--method", "mtp", "--n-max", "1,,2"], "is no comma list"),
        (["run", "-m", "builtin", "--engine", "/no/such/server"], "there is no engine"),
        (["run", "-m", "builtin", "--prompts", "none"], "there is no prompt set none"),
        (["run", "-m", "builtin", "--n-max", "4"], "--n-max without --method: nothing would speculate"),
        (["run", "-m", "builtin", "-md", "d.gguf"], "-md without --method"),
        (["run", "-m", "builtin", "-fa", "maybe"], "--flash-attn is 'maybe', not on, off or auto"),
        (["run", "none.toml", "--engine", "embedded"], "leave --engine out"),
        (["run", "-m", "/dev/null"], "is no regular file"),
        (["run", "--", "env", "A=b", "llama-server", "-m", "x"], "set the variables in your shell"),
        (["run", "-m", "builtin", "--bogus"], "unrecognized arguments: --bogus"),
        (["run", "none.toml"], "cannot be read"),
        (["run", "/"], "is a folder"),
        (["report", "none.toml"], "does not exist"),
        (["report", "last"], "there is no run in"),
        (["stop"], "there is no run in"),
        (["tail", "2026"], "there is no run in"),
        (["export", "last"], "there is no run in"),
    ],
)
def test_a_wrong_command_is_one_line_and_exit_2(
    words: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """What, where, what to do, on standard error; nothing on standard output."""
    assert 2 == main(words)

    out, err = capsys.readouterr()
    assert "" == out
    assert said in err
    assert not words or 1 == err.count("\n")


def test_a_headless_run_loads_no_screen() -> None:
    """`specui run` imports neither textual nor rich, in the command and in the runner's modules alike."""
    program = (
        "import sys\n"
        "import specui.cli.run, specui.cli.finish, specui.cli.carry_out, specui.engines.llama.tending\n"
        "print(sorted(m for m in sys.modules if m.split('.')[0] in ('textual', 'rich')))\n"
    )

    ran = subprocess.run([sys.executable, "-P", "-c", program], capture_output=True, text=True, check=True, timeout=60)

    assert "[]\n" == ran.stdout


def test_the_command_loads_no_event_loop_before_the_runner_starts() -> None:
    """What only a runner or a follower needs is not paid for by every command."""
    program = (
        "import sys\nimport specui.cli.run\nprint([m for m in ('asyncio', 'httpx', 'tomli_w') if m in sys.modules])\n"
    )

    ran = subprocess.run([sys.executable, "-P", "-c", program], capture_output=True, text=True, check=True, timeout=60)

    assert "[]\n" == ran.stdout


def test_comma_lists_are_factors() -> None:
    """Each option that names a factor takes several values; a plus mixes methods; llama.cpp's spellings work."""
    draft = drafted(
        "-m",
        "a,b",
        "--spec-type",
        "draft-mtp,mtp+ngram-mod",
        "--spec-draft-n-max",
        "1,2",
        "-c",
        "4096,8192",
        "-fa",
        "on",
    )

    assert ("a", "b") == draft.sweep.models[0].names
    assert ("draft-mtp", "draft-mtp,ngram-mod") == draft.sweep.speculations[0].methods
    assert (1, 2) == draft.sweep.speculations[0].n_max
    assert {"ctx": (4096, 8192), "flash_attn": ("on",)} == draft.sweep.settings


def test_a_file_with_a_comma_in_its_name_is_one_model(tmp_path: Path) -> None:
    """A name that exists is not taken apart."""
    path = tmp_path / "a,b.gguf"
    path.touch()

    assert (str(path),) == drafted("-m", str(path)).sweep.models[0].names


@pytest.mark.parametrize(
    ("word", "meant"), [("on", "on"), ("TRUE", "on"), ("1", "on"), ("off", "off"), ("Auto", "auto")]
)
def test_flash_attention_has_one_spelling(word: str, meant: str) -> None:
    """What llama-server understands is understood, and called by one name."""
    assert {"flash_attn": (meant,)} == drafted("-m", "a", "-fa", word).sweep.settings


STRANGE = """format = 1
[session]
id = "2026-01-01T00-00-00-not-here"
[events.run-started]
seq = "1"
t = "0.0"
plan = '{"title":"t","prompt_set":"s","prompts":[{"id":"p","turns":["x"]}]}'
host = "{}"
versions = "{}"
[events.case-added]
seq = "2"
t = "0.0"
case = "1"
configuration = '{"model":{"name":"toy","family":"t","path":"/m","toy":true},ENGINE}'
"""
PROGRAM = '"engine":{"name":"e","kind":"binary","command":["PROGRAM"]}'


@pytest.mark.parametrize("more", [[], ["--dry-run"]])
def test_a_foreign_session_starts_nothing_unseen(
    more: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Not even to ask the program it names what it can do."""
    program = tmp_path / "evil"
    program.write_text(f"#!/bin/sh\ntouch {tmp_path}/started\n")
    program.chmod(0o755)
    (tmp_path / "s.toml").write_text(STRANGE.replace("ENGINE", PROGRAM.replace("PROGRAM", str(program))))

    assert 2 == main(["run", str(tmp_path / "s.toml"), *more])

    err = capsys.readouterr().err
    assert str(program) in err
    assert "--yes" in err
    assert not (tmp_path / "started").exists()


@pytest.mark.parametrize("verb", ["run", "export"])
def test_nothing_but_a_session_is_written_over(verb: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """`--output` never costs a model, a plan or a note."""
    pytest.importorskip("xllamacpp", reason="the embedded engine is not installed")
    path = tmp_path / "model.gguf"
    path.write_bytes(b"GGUF precious")
    run = tmp_path / "runs" / "2026-01-01T00-00-00-x"
    run.mkdir(parents=True)
    (run / "journal.jsonl").write_bytes(b'{"format":1,"id":"x"}\n')
    words = ["-m", "builtin", "--engine", "embedded"] if verb == "run" else ["last"]

    assert 2 == main([verb, *words, "--output", str(path)])

    assert "is left as it is" in capsys.readouterr().err
    assert b"GGUF precious" == path.read_bytes()


def test_options_beside_a_plan_change_how_often_it_is_asked(tmp_path: Path) -> None:
    """Repeats, prompts and the workload are honoured."""
    pytest.importorskip("xllamacpp", reason="the embedded engine is not installed")
    text = '[[matrix.model]]\npath = "builtin"\n[[matrix.engine]]\nname = "embedded"\n'
    (tmp_path / "plan.toml").write_text(text)

    ran = specui("run", str(tmp_path / "plan.toml"), "--repeats", "5", "--prompts", "demo", "--dry-run")

    assert "1 case × 25 requests (demo, repeated 5×)" in ran.stdout, ran.stderr


def test_a_command_line_in_use_is_taken_apart() -> None:
    """Known flags become options, removed spellings too; what is left stays in its order."""
    words = "llama-server -m /m.gguf -md /d.gguf --spec_type draft-mtp,ngram-mod --draft-max=6 -fa --jinja --port 9000"

    options, extra = taken_over([*words.split(" "), "-ngl", "99"])

    assert ["--engine", "llama-server", "--model", "/m.gguf", "--draft-model", "/d.gguf"] == options[:6]
    assert ["--method", "draft-mtp+ngram-mod", "--n-max", "6", "--flash-attn", "on"] == options[6:12]
    assert ["--n-gpu-layers", "99"] == options[12:]
    assert ["--jinja"] == extra
    with pytest.raises(UsageError, match="ends after -m"):
        taken_over(["llama-server", "-m"])


@pytest.mark.parametrize("words", [["--api-key", "sk-3"], ["--api-key=sk-3"], ["--jinja", "--api-key", "sk-3"]])
def test_a_key_never_enters_a_plan(words: list[str]) -> None:
    """C104: it is taken out before anything can write it."""
    case = Case(Model("m", "m", "/m"), EngineChoice("e", "binary"), settings={"extra": list(words)})

    cases, secrets = without_secrets((case,))

    assert {"LLAMA_API_KEY": "sk-3"} == secrets
    assert "sk-3" not in repr(cases)


def test_a_dry_run_shows_every_case_and_starts_nothing(tmp_path: Path) -> None:
    """A plan file with relative names works from any folder."""
    (tmp_path / "m.gguf").write_bytes(b"GGUF")
    (tmp_path / "plan.toml").write_text(
        '[[matrix.model]]\npath = "m.gguf"\n[[matrix.engine]]\nname = "embedded"\n'
        '[[matrix.speculation]]\nmethod = "draft-mtp"\nn_max = [1, 2]\n'
    )
    pytest.importorskip("xllamacpp", reason="the embedded engine is not installed")

    ran = specui("run", str(tmp_path / "plan.toml"), "--dry-run")

    assert 0 == ran.returncode, ran.stderr
    assert ["embedded none", "embedded mtp n1", "embedded mtp n2"] == [
        line[5:].partition("  ")[0] for line in ran.stdout.splitlines()[1::2]
    ]
    assert f"-m {tmp_path / 'm.gguf'} " in ran.stdout.splitlines()[2]
    assert not (tmp_path / "runs").exists()


def test_an_empty_list_is_an_empty_document(capsys: pytest.CaptureFixture[str]) -> None:
    """`list --json` always prints one."""
    assert 0 == main(["list", "--json"])
    assert [] == json.loads(capsys.readouterr().out)


@pytest.mark.parametrize(
    "env",
    [
        {"LC_ALL": "POSIX", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0"},
        {"PYTHONIOENCODING": "ascii"},
        {"LC_ALL": "en_US.ISO-8859-1", "PYTHONUTF8": "0"},
    ],
)
def test_a_poor_locale_harms_nothing(env: dict[str, str]) -> None:
    """C77: text that the locale cannot spell is printed as UTF-8."""
    ran = subprocess.run(
        [sys.executable, "-P", "-m", "specui", "run", "-m", "Ünï-模型.gguf"],
        capture_output=True,
        timeout=60,
        check=False,
        env={**os.environ, **env},
    )

    assert 2 == ran.returncode
    assert "Ünï-模型.gguf".encode() in ran.stderr
    assert b"Traceback" not in ran.stderr


def test_a_closed_pipe_ends_quietly() -> None:
    """`specui help | head -1` shows no traceback."""
    with subprocess.Popen(
        [sys.executable, "-P", "-m", "specui", "help"], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as ran:
        assert ran.stdout is not None
        assert ran.stderr is not None
        ran.stdout.close()
        assert b"Traceback" not in ran.stderr.read()
