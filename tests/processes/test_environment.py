"""Whatever the environment says and paths are called, the engine of this machine is reached (C12, C13, C20)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.processes.driving import Machine

NOBODY = "http://127.0.0.1:9"
ENVIRONMENTS: dict[str, dict[str, str]] = {
    "proxies": {"HTTP_PROXY": NOBODY, "http_proxy": NOBODY, "HTTPS_PROXY": NOBODY, "NO_PROXY": "localhost"},
    "socks of no version": {"ALL_PROXY": "socks://127.0.0.1:7890", "all_proxy": "socks://127.0.0.1:7890"},
    "socks 5": {"ALL_PROXY": "socks5://127.0.0.1:7890", "HTTPS_PROXY": "socks5h://127.0.0.1:7890"},
    "bare IPv6": {"HTTP_PROXY": NOBODY, "NO_PROXY": "localhost,127.0.0.1,::1,[::1]"},
    "networks": {"HTTP_PROXY": NOBODY, "no_proxy": "10.0.0.0/8,fd00::/8"},
    "certificates": {"SSL_CERT_FILE": "/nonexistent.pem", "SSL_CERT_DIR": "/nonexistent", "REQUESTS_CA_BUNDLE": "/no"},
    "no URL": {"HTTP_PROXY": "not a url", "HTTPS_PROXY": "http://[::1", "ALL_PROXY": "://"},
    "llama.cpp": {"LLAMA_ARG_PORT": "1", "LLAMA_API_KEY": "sk", "LLAMA_ARG_SPEC_TYPE": "zzz", "LLAMA_CACHE": "/no"},
    "python": {"PYTHONSAFEPATH": "1", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0", "PYTHONWARNINGS": "error"},
}


@pytest.mark.parametrize("name", ENVIRONMENTS)
def test_the_own_server_is_reached_whatever_the_environment(machine: Machine, name: str) -> None:
    """No proxy, certificate or setting of another program comes between; the engine does not see them either."""
    engine = machine.engine()
    ended = machine.run(*machine.usual(engine), "--json", **ENVIRONMENTS[name])
    assert (ended.code, "Traceback" in ended.err) == (0, False)
    assert ended.report["requests"] == 1
    (start,) = machine.noted(engine, "env")
    unwanted = ("PROXY", "LLAMA_ARG", "LLAMA_API", "LLAMA_CACHE")
    assert [] == [variable for variable in start["env"] if any(word in variable.upper() for word in unwanted)]
    ended.ensure_whole()


NAMES = [
    "AI LLMS/Ünï (1)/gemma-3 12b.gguf",
    '-leading, it\'s "quoted" $HOME `id` & ; | * ?.gguf',
    "new\nline \u202eright\u2066 .gguf",
]


@pytest.mark.parametrize("name", NAMES)
def test_a_model_may_be_called_anything(machine: Machine, name: str) -> None:
    """The engine gets the very path, as one word and absolute; tables show it harmlessly."""
    engine = machine.engine("my engines/Ünï (2)/llama-server")
    usual = machine.usual(engine)
    model = machine.model(name)
    ended = machine.run(f"--model={name}", *usual[2:])
    assert ended.code == 0
    (start,) = machine.noted(engine, "argv")
    assert str(model) == start["argv"][start["argv"].index("-m") + 1]
    assert [str(engine), "-m", str(model)] == ended.one("server-starting")["argv"][:3]
    assert "\u202e" not in ended.out + ended.err
    ended.ensure_whole()


@pytest.mark.parametrize("home", ["~", "$HOME"])
def test_home_is_understood_wherever_a_path_is_written(machine: Machine, home: str) -> None:
    """In options, in a plan and in config.toml: `~` and variables are expanded, since no shell does it."""
    engine, model = machine.engine("my engines/llama-server"), machine.model("AI LLMS/m 1.gguf")
    prompts = machine.usual(engine)[5]
    by_options = machine.run("-m", f"{home}/AI LLMS/m 1.gguf", "--engine", f"{home}/my engines/llama-server",
                             "--prompts", f"{home}/one.toml")  # fmt: skip
    plan = f'prompts = "{home}/one.toml"\n[[matrix.model]]\npath = "{home}/AI LLMS/m 1.gguf"\n'
    plan += f'[[matrix.engine]]\nname = "{home}/my engines/llama-server"\n'
    by_plan = machine.run(str(machine.plan(plan)))
    config = f'model_dirs = ["{home}/AI LLMS"]\n[[engine]]\nname = "mine"\n'
    config += f'command = ["{home}/my engines/llama-server"]\n'
    machine.plan(config, "config.toml")
    by_config = machine.run("-m", "m 1", "--engine", "mine", "--prompts", prompts)
    assert [0, 0, 0] == [ended.code for ended in (by_options, by_plan, by_config)]
    starts = [note["argv"] for note in machine.noted(engine, "argv")]
    assert [str(model)] * 3 == [argv[argv.index("-m") + 1] for argv in starts]


def test_a_command_line_with_a_leading_dash_is_taken_over(machine: Machine) -> None:
    """What llama-server itself takes as a value is taken as one, whatever it begins with."""
    engine, model = machine.engine(), machine.model("-m.gguf")
    usual = machine.usual(engine)
    ended = machine.run(*usual[4:], "--", str(engine), "-m", "-m.gguf", "-ngl", "-1", "--temp", "-0")
    assert ended.code == 0
    (start,) = machine.noted(engine, "argv")
    assert str(model) == start["argv"][start["argv"].index("-m") + 1]


def test_a_plain_locale_keeps_names_whole(machine: Machine) -> None:
    """Journal and session hold the letters themselves, whatever the terminal can show."""
    model = machine.model("Ünï.gguf")
    engine = machine.engine()
    ended = machine.run("-m", str(model), *machine.usual(engine)[2:], "--title", "Überprüfung", LC_ALL="C", LANG="C")
    assert ended.code == 0
    header = json.loads((ended.folder / "journal.jsonl").read_text().splitlines()[0])
    assert header["title"] == "Überprüfung"
    assert Path(ended.one("case-added")["configuration"]["model"]["path"]) == model
    ended.ensure_whole()
