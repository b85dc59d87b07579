"""The embedded engine's command line: what is understood, and in which words the rest is refused."""

from __future__ import annotations

import subprocess
import sys
from importlib import metadata

import pytest

from specui.domain.errors import UsageError
from specui.engines.llama import embedded
from specui.engines.llama.embedded_flags import BY_NAME, FLAGS, help_text, parse, settings_of_environment
from specui.engines.llama.embedded_values import SPEC_TYPES, Member, Value

MIB = 1024 * 1024


def values_of(*arguments: str) -> list[Value]:
    return [setting.value for setting in parse(arguments)]


def refusal_of(*arguments: str) -> str:
    with pytest.raises(UsageError) as caught:
        parse(arguments)
    return str(caught.value)


@pytest.mark.parametrize(
    "arguments",
    [("--ctx-size", "2048"), ("-c", "2048"), ("--ctx-size=2048",), ("--ctx_size", "2048"), ("--ctx_size=2048",)],
)
def test_one_flag_may_be_written_in_several_ways(arguments: tuple[str, ...]) -> None:
    """Short and long names, an equals sign, and underscores in long names mean the same."""
    (setting,) = parse(arguments)
    assert (setting.flag, setting.value) == (BY_NAME["-c"], 2048)


def test_settings_keep_the_order_of_the_command_line() -> None:
    """Two settings of one flag are both there, the later one last."""
    assert [(setting.written, setting.value) for setting in parse(["-c", "1", "-b", "2", "-c", "3"])] == [
        ("-c", 1),
        ("-b", 2),
        ("-c", 3),
    ]


def test_only_the_name_is_split_and_mended() -> None:
    """An equals sign or an underscore inside a value stays."""
    assert values_of("--model=/m/a_b=c.gguf", "-ot", "blk_0=CPU") == ["/m/a_b=c.gguf", "blk_0=CPU"]


def test_a_value_may_look_like_a_flag() -> None:
    """What follows a flag with a value is that value."""
    assert values_of("--seed", "-1", "-np", "-1", "-cram", "-1") == [2**32 - 1, -1, -1]


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (("--metrics",), True),
        (("--no-slots",), False),
        (("--no-kv-offload",), True),
        (("-kvo",), False),
        (("--no-mmap",), Member("llama_load_mode", "LLAMA_LOAD_MODE_NONE")),
        (("--mlock",), Member("llama_load_mode", "LLAMA_LOAD_MODE_MLOCK")),
        (("-lm", "dio"), Member("llama_load_mode", "LLAMA_LOAD_MODE_DIRECT_IO")),
        (("-fa", "on"), Member("llama_flash_attn_type", "LLAMA_FLASH_ATTN_TYPE_ENABLED")),
        (("-fa", "auto"), Member("llama_flash_attn_type", "LLAMA_FLASH_ATTN_TYPE_AUTO")),
        (("-ctkd", "iq4_nl"), Member("ggml_type", "GGML_TYPE_IQ4_NL")),
        (
            ("--reasoning-format", "deepseek-legacy"),
            Member("common_reasoning_format", "COMMON_REASONING_FORMAT_DEEPSEEK_LEGACY"),
        ),
        (("-rea", "off"), 0),
        (("-ngl", "all"), -2),
        (("-ngld", "99"), 99),
        (("-fit", "off"), False),
        (("-fitt", "512,1024"), [512 * MIB, 1024 * MIB]),
        (("-ts", "3,1"), [3.0, 1.0]),
        (("--spec-synth-rates", "0.9,0.5"), [0.9, 0.5]),
        (("--spec-draft-sampling", "probabilistic"), True),
        (("--no-spec-draft-backend-sampling",), False),
        (("-a", "one, two"), ["one", "two"]),
        (("--chat-template-kwargs", '{"enable_thinking": false, "n": "1"}'), {"enable_thinking": "false", "n": '"1"'}),
    ],
)
def test_values_mean_what_llama_server_means(arguments: tuple[str, ...], expected: Value) -> None:
    """Switches, enumerations, lists, MiB and JSON become the values of xllamacpp's fields."""
    assert values_of(*arguments) == [expected]


def test_types_of_speculation_collect() -> None:
    """Lists and repetitions of --spec-type are kept in their order, as one list each."""
    assert values_of("--spec-type", "ngram-mod,draft-mtp", "--spec-type=none") == [
        [SPEC_TYPES["ngram-mod"], SPEC_TYPES["draft-mtp"]],
        [SPEC_TYPES["none"]],
    ]
    assert BY_NAME["--spec-type"].kind.put == "extend"


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("--bogus-flag",), "error: invalid argument: --bogus-flag"),
        (("--bogus_flag=3",), "error: invalid argument: --bogus-flag=3"),
        (("model.gguf",), "error: invalid argument: model.gguf"),
        (("-c=5",), "error: invalid argument: -c=5"),
        (("--metrics=1",), "error: invalid argument: --metrics=1"),
        (("--draft-max", "3"), "error: invalid argument: --draft-max"),
        (("-c",), 'error while handling argument "-c": expected value for argument'),
        (("--spec-type", "foo"), 'error while handling argument "--spec-type": unknown speculative type: foo'),
        (("--spec_type", "none,foo"), 'error while handling argument "--spec-type": unknown speculative type: foo'),
        (("-ctk", "q9_9"), 'error while handling argument "-ctk": Unsupported cache type: q9_9'),
        (("-fa", "maybe"), "error while handling argument \"-fa\": error: unknown value for --flash-attn: 'maybe'"),
        (("-lm", "foo"), 'error while handling argument "-lm": invalid value'),
        (("--spec-draft-n-max", "-1"), 'error while handling argument "--spec-draft-n-max": invalid value'),
        (
            ("--spec-ngram-simple-size-n", "0"),
            'error while handling argument "--spec-ngram-simple-size-n": '
            "ngram size N must be between 1 and 1024 inclusive",
        ),
        (("-c", "12k"), 'error while handling argument "-c": invalid value: 12k (a whole number is expected)'),
        (("--temp", "hot"), 'error while handling argument "--temp": invalid value: hot (a number is expected)'),
        (
            ("--chat-template-kwargs", "[]"),
            'error while handling argument "--chat-template-kwargs": invalid value: a JSON object is expected',
        ),
    ],
)
def test_refusals_are_llama_servers_sentences(arguments: tuple[str, ...], sentence: str) -> None:
    """What is unknown, unusable or missing is named in one sentence, under the name that was used."""
    assert refusal_of(*arguments) == sentence


def test_the_first_mistake_is_the_one_that_is_named() -> None:
    """Reading stops at the first argument that cannot be used."""
    assert refusal_of("-c", "1", "--one", "--two") == "error: invalid argument: --one"


def test_the_key_of_the_environment_is_a_setting() -> None:
    """LLAMA_API_KEY counts as --api-key; without it the environment sets nothing."""
    (setting,) = settings_of_environment({"LLAMA_API_KEY": "a,b", "LLAMA_ARG_CTX_SIZE": "5"})
    assert (setting.flag, setting.value) == (BY_NAME["--api-key"], ["a", "b"])
    assert settings_of_environment({"LLAMA_ARG_CTX_SIZE": "5"}) == ()


def test_no_name_is_given_twice() -> None:
    """Every spelling belongs to one row of the table."""
    names = [name for flags in FLAGS.values() for flag in flags for name in (*flag.names, *flag.negative)]
    assert len(names) == len(set(names))


def test_help_is_laid_out_as_llama_servers() -> None:
    """Short names are padded, long heads stand on a line of their own, and the types of speculation are listed."""
    lines = help_text().splitlines()
    assert lines[0] == "----- common params -----"
    assert (
        "-c,    --ctx-size N                     size of the prompt context (default: 0, 0 = loaded from model)"
        in lines
    )
    assert "--spec-type " + ",".join(SPEC_TYPES) in lines
    assert "--slots, --no-slots                     slots monitoring endpoint (default: enabled)" in lines
    described = {word.strip(",") for line in lines if line.startswith("-") for word in line.split()}
    assert set(BY_NAME) <= described


def test_importing_the_engine_does_not_import_the_package() -> None:
    """The extension of 100 MB is loaded by main alone."""
    code = "import sys, specui.engines.llama.embedded; print('xllamacpp' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "False\n"


def test_version_is_llama_servers_line(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """It goes to stderr, and the build is the last component of the package's version."""
    monkeypatch.setattr(metadata, "version", lambda _: "2026.10.11549")
    assert embedded.main(["--version"]) == 0
    assert capsys.readouterr() == ("", "version: xllamacpp 2026.10.11549 (build 11549, commit xllamacpp)\n")


def test_a_missing_package_is_named_with_its_remedy(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without xllamacpp there is one line that says how to get it, and code 1."""
    monkeypatch.setitem(sys.modules, "xllamacpp", None)
    assert embedded.main(["--list-devices"]) == 1
    line = 'error: the embedded engine needs the package xllamacpp: pip install "specui[embedded]"\n'
    assert capsys.readouterr() == ("", line)


def test_help_goes_to_stdout(capsys: pytest.CaptureFixture[str]) -> None:
    """--help prints the table and ends with code 0."""
    assert embedded.main(["--help"]) == 0
    assert capsys.readouterr() == (help_text(), "")
