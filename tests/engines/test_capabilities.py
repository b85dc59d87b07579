"""What a llama-server can do is read from what it says of itself, in every shape it has said it."""

from __future__ import annotations

import os
import re
import select
import stat
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from specui.domain.errors import EngineUnusable
from specui.domain.plan import METHODS
from specui.engines.llama.capabilities import (
    Capabilities,
    Device,
    method_named,
    method_words,
    parse_devices,
    parse_help,
    parse_version,
    probe,
    signal_sentence,
)
from specui.engines.llama.embedded_flags import BY_NAME, help_text

DATA = Path(__file__).parent.parent / "data" / "help"
B10434 = (DATA / "llama-server-b10434.txt").read_text(encoding="utf-8")
B11669 = (DATA / "llama-server-b11669.txt").read_text(encoding="utf-8")

# Shapes of builds that are not at hand, shortened.
OF_2024 = """
usage: ./llama-server [options]

general:

  -h,    --help, --usage          print usage and exit
  -fa,   --flash-attn             enable Flash Attention (default: disabled)
  -m,    --model FNAME            model path
  -md,   --model-draft FNAME      draft model for speculative decoding (default: unused)
         --draft N                number of tokens to draft for speculative decoding (default: 5)
         --embedding(s)           restrict to only support embedding use case
"""
OF_2025 = """
-fa,   --flash-attn                     enable Flash Attention (default: disabled)
                                        (env: LLAMA_ARG_FLASH_ATTN)
--draft-max, --draft, --draft-n N       number of tokens to draft for speculative decoding (default: 16)
                                        (env: LLAMA_ARG_DRAFT_MAX)
--draft-min, --draft-n-min N            minimum number of draft tokens to use (default: 0)
--draft-p-min P                         minimum speculative decoding probability (greedy) (default: 0.8)
-md,   --model-draft FNAME              draft model for speculative decoding (default: unused)
"""
OF_MARCH_2026 = """
-fa,   --flash-attn [on|off|auto]       set Flash Attention use ('on', 'off', or 'auto', default: 'auto')
-md,   --model-draft FNAME              draft model for speculative decoding (default: unused)
--spec-type [none|ngram-cache|ngram-simple|ngram-map-k|ngram-map-k4v|ngram-mod]
                                        type of speculative decoding to use when no draft model is provided
                                        (default: none)
"""


def words_of(help_: str) -> dict[str, str]:
    return method_words(parse_help(help_))


@pytest.mark.parametrize("help_", [B10434, B11669])
def test_a_flag_listed_only_as_removed_is_absent(help_: str) -> None:
    """The newest help still lists `--draft-max`, with "the argument has been removed" behind it or below it."""
    flags = parse_help(help_).flags
    assert flags.isdisjoint({"--draft", "--draft-n", "--draft-max", "--draft-min", "--draft-n-min"})
    assert flags.isdisjoint({"--spec-ngram-size-n", "--spec-ngram-size-m", "--spec-ngram-min-hits"})
    assert flags >= {"--spec-draft-n-max", "--spec-draft-n-min", "--spec-draft-p-min", "--draft-p-min", "-md"}


def test_the_removal_may_stand_on_the_next_line_and_be_broken() -> None:
    """A long list of names pushes the description below it, where it is wrapped."""
    removed = (
        "--draft, --draft-n, --draft-max, --draft-most N\n"
        + 40 * " "
        + "the argument has\n"
        + 40 * " "
        + "been removed"
    )
    assert parse_help(f"{removed}\n--port PORT   port\n").flags == {"--port"}


def test_every_alias_and_negative_form_is_a_flag() -> None:
    """Aliases share a line with both forms of a switch, long and short; their description may start below."""
    flags = parse_help(B11669).flags
    assert flags >= {"-t", "--threads", "-c", "--ctx-size", "-kvu", "--kv-unified", "-no-kvu", "--no-kv-unified"}
    assert flags >= {"--spec-draft-n-cpu-moe", "-ncmoed", "--n-cpu-moe-draft", "--fim-qwen-1.5b-default", "-a", "-np"}
    assert flags >= {"--slots", "--no-slots", "--metrics", "-lv", "--verbosity", "--no-ui", "--no-webui", "-cram"}
    assert parse_help("--[no-]mmap, -x    whether to map").flags == {"--mmap", "--no-mmap", "-x"}


def test_flags_in_descriptions_are_not_flags() -> None:
    """A description may begin a line with another flag's name."""
    below = "--spec-one N   the first\n" + 40 * " " + "--spec-two or --spec-three\n"
    assert parse_help(below).flags == {"--spec-one"}


def test_a_help_of_2024_is_indented() -> None:
    """Names without a short form stood nine spaces in."""
    options = parse_help(OF_2024)
    assert options.flags >= {"-h", "--usage", "--draft", "-md", "--model-draft", "--embedding", "-fa"}
    assert not options.flash_attn_takes_value


def test_the_embedded_engine_is_read_like_any_other() -> None:
    """Its help has the same layout, so each of its flags is found and nothing else."""
    options = parse_help(help_text())
    assert options.flags == set(BY_NAME)
    assert tuple(method_words(options)) == METHODS


@pytest.mark.parametrize(
    ("help_", "takes_value"),
    [
        (B10434, True),
        (OF_MARCH_2026, True),
        ("-fa,   --flash-attn FA                  set Flash Attention use", True),
        ("-fa, --flash-attn [on|off|auto]", True),
        (OF_2025, False),
        ("-fa, --flash-attn", False),
        ("--flash-attn enable Flash Attention", False),
        ("", False),
    ],
)
def test_flash_attention_is_a_switch_or_takes_a_value(help_: str, takes_value: bool) -> None:
    """A bare `-fa` swallows the next flag where a value is required."""
    assert parse_help(help_).flash_attn_takes_value is takes_value


@pytest.mark.parametrize("help_", [B10434, B11669])
def test_new_builds_offer_every_method_under_our_names(help_: str) -> None:
    """Since May 2026 our names are llama.cpp's."""
    assert words_of(help_) == {name: name for name in METHODS}


@pytest.mark.parametrize(
    "help_",
    [
        "--spec-type [none|ngram-simple|mtp]  types",
        "--spec-type none,ngram-simple,mtp",
        "--spec-type {none,ngram-simple,mtp}\n          types",
        "--spec-type TYPE    one of: none, ngram-simple, mtp (default: none)",
        "--spec-type none,ngram-simple,\n            mtp",
        "--spec-type [none|ngram-simple|\n             mtp]",
        "--spec-type TYPE    the method (default: none)\n       - none: off\n       - ngram-simple: a\n       - mtp: b",
    ],
)
def test_only_listed_methods_are_offered_each_with_its_own_word(help_: str) -> None:
    """Early builds say `mtp` where later ones say `draft-mtp`; lists come in several shapes."""
    assert words_of(f"-md, --model-draft FNAME   drafter\n{help_}\n") == {
        "none": "none",
        "draft-mtp": "mtp",
        "ngram-simple": "ngram-simple",
    }


@pytest.mark.parametrize("help_", [OF_2024, OF_2025])
def test_a_build_without_spec_type_drafts_when_given_a_drafter(help_: str) -> None:
    """Before January 2026 there is no word to say: `-md` is all."""
    assert words_of(help_) == {"none": "", "draft-simple": ""}


def test_a_build_whose_types_are_all_n_grams_drafts_when_given_a_drafter() -> None:
    """From January to April 2026 `--spec-type` was for "when no draft model is provided"."""
    words = words_of(OF_MARCH_2026)
    assert words["draft-simple"] == ""
    assert tuple(words) == tuple(m for m in METHODS if m in {"none", "draft-simple"} or m.startswith("ngram-"))


def test_nothing_is_offered_by_a_help_that_says_nothing() -> None:
    """Without a drafter flag only `none` is left."""
    assert words_of("no such option") == {"none": ""}


def test_a_name_with_underscores_is_the_same_method() -> None:
    """Logs and helps of early 2026 wrote `ngram_mod`; a word of no method is none."""
    assert [method_named(w) for w in ("ngram_mod", "draft", "eagle3", "copyspec")] == [
        "ngram-mod",
        "draft-simple",
        "draft-eagle3",
        None,
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ((DATA / "version-b11669.txt").read_text(encoding="utf-8"), (11669, "Debian")),
        ((DATA / "version-b10434.txt").read_text(encoding="utf-8"), (None, "7e4c0a9")),
        ("version: 9235 (d14ce3dab)\nbuilt with GNU 11.4.0 for Linux x86_64", (9235, "d14ce3dab")),
        ("  Device 0: AMD Radeon RX 7900 XT, gfx1100 (0x1100)\nversion: 6123 (abc1234)", (6123, "abc1234")),
        ("version: 0 (unknown)", (None, None)),
        ("version: xllamacpp unknown (build unknown, commit xllamacpp)", (None, None)),
        ("", (None, None)),
    ],
)
def test_the_version_has_three_forms(text: str, expected: tuple[int | None, str | None]) -> None:
    """Build numbers 0 and 1 come from a tree without its history: they order nothing, so they are unknown."""
    assert parse_version(text) == expected


def test_one_gpu_with_two_backends_is_two_devices() -> None:
    """The name is what `--device` takes; a bracket in a description is part of it."""
    listing = (
        "Available devices:\n"
        "  ROCm0: AMD Radeon 8060S Graphics (98304 MiB, 19195 MiB free)\n"
        "  Vulkan0: AMD Radeon 8060S Graphics (RADV STRIX_HALO (x)) (114163 MiB, 80334 MiB free)\r\n"
        "  RPC0[192.168.1.2:50052]: far (0 MiB, 0 MiB free)\n"
    )
    assert parse_devices(listing) == (
        Device("ROCm0", "AMD Radeon 8060S Graphics", 98304 << 20, 19195 << 20, False),
        Device("Vulkan0", "AMD Radeon 8060S Graphics (RADV STRIX_HALO (x))", 114163 << 20, 80334 << 20, False),
        Device("RPC0[192.168.1.2:50052]", "far", None, None, False),
    )


@pytest.mark.parametrize("name", ["llvmpipe (LLVM 20.1.2, 256 bits)", "SwiftShader Device (LLVM 10)", "lavapipe"])
def test_a_gpu_drawn_by_the_cpu_is_marked(name: str) -> None:
    """Such a device is slower than the CPU it runs on."""
    (device,) = parse_devices(f"Available devices:\n  Vulkan2: {name} (24105 MiB, 23027 MiB free)\n")
    assert device.software


def test_a_recorded_listing_is_read() -> None:
    """Debian's build lists Mesa's llvmpipe."""
    (device,) = parse_devices((DATA / "devices-llvmpipe.txt").read_text(encoding="utf-8"))
    assert (device.name, device.software, device.total_bytes) == ("Vulkan0", True, 24105 << 20)


@pytest.mark.parametrize(
    "text",
    [
        "Available devices:\n  (none)\n",
        "error: invalid argument: --list-devices\n",
        "ggml_vulkan: 0 = AMD Radeon RX 7900 XTX (RADV NAVI31) (radv) | uma: 0 | fp16: 1 | warp size: 64\n"
        "load_backend: loaded Vulkan backend from /usr/lib/libggml-vulkan.so\n"
        "ggml_cuda_init: found 1 ROCm devices (Total VRAM: 20464 MiB):\n"
        "  Device 0: AMD Radeon RX 7900 XT, gfx1100 (0x1100), VMM: no, Wave Size: 32, VRAM: 20464 MiB\n"
        "ggml_cuda_init: failed to initialize ROCm: no ROCm-capable device is detected\n"
        "Available devices:\n",
        "",
    ],
)
def test_no_devices_are_made_of_noise(text: str) -> None:
    """Drivers speak before the list, on either stream; a CPU-only machine has none."""
    assert parse_devices(text) == ()


def test_noise_around_devices_is_passed_over() -> None:
    """What a driver says between two devices hides neither."""
    text = "ggml_vulkan: x\nAvailable devices:\n  A0: one (9 MiB, 1 MiB free)\nwarn: y\n  B0: two (9 MiB, 1 MiB free)\n"
    assert [device.name for device in parse_devices(text)] == ["A0", "B0"]


LINES = st.lists(
    st.one_of(
        st.text(max_size=60),
        st.sampled_from([*B11669.splitlines()[330:420], *OF_2024.splitlines(), "  A0: b (1 MiB, 1 MiB free)"]),
    ),
    max_size=12,
).map("\n".join)


@given(LINES)
def test_no_text_breaks_the_parsers(text: str) -> None:
    """Whatever a program prints, flags are spellings, methods are ours in our order, and sizes are whole."""
    options = parse_help(text)
    assert all(re.match(r"--?[A-Za-z\[]", flag) for flag in options.flags)
    words = tuple(method_words(options))
    assert words == tuple(name for name in METHODS if name in words)
    assert all(device.total_bytes is None or device.total_bytes > 0 for device in parse_devices(text))
    build, _ = parse_version(text)
    assert build is None or build > 1


def test_a_help_of_one_endless_line_is_read_in_no_time() -> None:
    """Nothing in the parsers grows with the square of a line."""
    for text in ("--spec-type " + "a" * 300_000, "-x " * 100_000, "-x, " * 100_000, " " * 300_000, "  a: (" * 60_000):
        parse_help(text)
        parse_devices(text)
        parse_version(text)


def program(folder: Path, body: str, name: str = "llama-server") -> str:
    """A shell script that stands for a llama-server."""
    path = folder / name
    path.write_text(f"#!/bin/sh\n{body}\n", encoding="utf-8")
    path.chmod(0o755)
    return str(path)


def asked(path: str, timeout_s: float = 20.0) -> Capabilities:
    return probe([path], {"PATH": os.environ["PATH"]}, timeout_s)


def test_a_program_is_asked_three_things(tmp_path: Path) -> None:
    """The version comes on stderr, the rest on stdout; words before the question stay."""
    (tmp_path / "help.txt").write_text(B11669, encoding="utf-8")
    script = program(
        tmp_path,
        'test "$1" = serve || exit 9\ncase "$2" in\n'
        '--version) printf "noise \\377\\nversion: 9235 (d14ce3dab)\\n" >&2;;\n'
        f"--help) cat {tmp_path}/help.txt;;\n"
        '--list-devices) printf "Available devices:\\n  Vulkan0: x (5 MiB, 4 MiB free)\\n";; esac',
    )
    can = probe([script, "serve"], {"PATH": os.environ["PATH"]})
    assert (can.build, can.commit, can.version_text) == (9235, "d14ce3dab", "version: 9235 (d14ce3dab)")
    assert can.methods == METHODS
    assert can.flash_attn_takes_value
    assert [device.name for device in can.devices] == ["Vulkan0"]
    assert can.has("-md")
    assert not can.has("--draft-max")
    assert can.first("--draft-max", "--spec-draft-n-max", "-md") == "--spec-draft-n-max"
    assert can.first("--draft-max") is None


def test_a_program_gets_the_environment_it_is_given_and_no_input(tmp_path: Path) -> None:
    """Nothing of ours leaks in, and a program that reads its input meets its end."""
    script = program(tmp_path, 'cat\necho "--$CHOSEN N  x"\nenv | grep -c SPECUI_HOME | sed "s/^/--seen-/"')
    can = probe([script], {"PATH": os.environ["PATH"], "CHOSEN": "chosen"})
    assert can.flags == {"--chosen", "--seen-0"}


def test_a_build_too_old_to_list_devices_is_usable(tmp_path: Path) -> None:
    """It refuses that one question, or dies at it; its help lacks the flag, which tells the case from "no device"."""
    for death in ("exit 1", "kill -SEGV $$"):
        script = program(tmp_path, f'case "$1" in --list-devices) echo "error: invalid argument" >&2; {death};; esac')
        can = asked(script)
        assert can.devices == ()
        assert not can.has("--list-devices")


def test_a_version_that_is_refused_is_unknown(tmp_path: Path) -> None:
    """What counts is the help."""
    can = asked(program(tmp_path, 'test "$1" = --help && echo "--port N  x" || exit 1'))
    assert (can.build, can.version_text) == (None, "")
    assert can.flags == {"--port"}


def refused(path: str, timeout_s: float = 20.0) -> str:
    with pytest.raises(EngineUnusable) as caught:
        asked(path, timeout_s)
    return str(caught.value)


def test_a_missing_program_is_named(tmp_path: Path) -> None:
    """The path as it was given, or the bare name, and what to do."""
    assert refused(f"{tmp_path}/gone").startswith(f"{tmp_path}/gone was not found: ")
    assert refused("no-such-llama-server").startswith("no-such-llama-server was not found: ")


def test_a_program_without_its_interpreter_is_not_called_missing(tmp_path: Path) -> None:
    """The system says "no such file" of a file that is there."""
    path = tmp_path / "llama-server"
    path.write_text("#!/no/such/interpreter\n", encoding="utf-8")
    path.chmod(0o755)
    assert "the interpreter or loader that it names is not on this system" in refused(str(path))


def test_what_may_not_be_run_is_told_apart(tmp_path: Path) -> None:
    """A file without the right to run, a folder, a file of no known format, and a name no system has."""
    script = program(tmp_path, "")
    Path(script).chmod(stat.S_IRUSR)
    assert refused(script) == f"{script} is not executable: allow it with chmod +x, or choose another file"
    assert refused(str(tmp_path)) == f"{tmp_path} is a folder: give the path of the llama-server in it"
    plain = tmp_path / "model.gguf"
    plain.write_bytes(b"GGUF\x03\x00\x00\x00")
    plain.chmod(0o755)
    assert refused(str(plain)) == f"{plain} cannot be started: Exec format error"
    assert "cannot be started" in refused("a\0b")
    with pytest.raises(EngineUnusable):
        probe([], {})


def test_an_illegal_instruction_is_named(tmp_path: Path) -> None:
    """A binary for another CPU dies without a word of its own, also inside a shell that passes the code on."""
    cause = "was killed by SIGILL (illegal instruction): this binary was built for another CPU"
    script = program(tmp_path, "kill -ILL $$")
    assert refused(script) == f"{script} {cause}"
    wrapper = program(tmp_path, f"{script}\nexit $?", "wrapper")
    assert refused(wrapper) == f"{wrapper} {cause}"


def test_a_missing_library_shows_the_loaders_line(tmp_path: Path) -> None:
    """The loader ends with code 127 and one line on stderr."""
    line = "llama-server: error while loading shared libraries: libamdhip64.so.6: cannot open shared object file"
    script = program(tmp_path, f'echo "{line}" >&2; exit 127')
    assert refused(script) == f"{script} does not start for want of a library: {line}"


def test_a_program_that_does_not_answer_is_killed_with_its_children(tmp_path: Path) -> None:
    """A wrapper's child does not outlive the question: the pipe that only it holds comes to its end."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    try:
        script = program(tmp_path, f"(echo up; exec sleep 60) > {pipe} & wait")
        assert refused(script, 1.0) == f"{script} gave no answer to --version within 1 s"
        os.set_blocking(reader, True)
        assert os.read(reader, 9) == b"up\n"
        assert select.select([reader], [], [], 30)[0] == [reader]
        assert os.read(reader, 9) == b""
    finally:
        os.close(reader)


def test_a_refused_help_shows_its_last_words(tmp_path: Path) -> None:
    """A bad variable breaks every question."""
    line = 'error while handling environment variable "LLAMA_ARG_SPEC_TYPE": unknown speculative type: zzz'
    script = program(tmp_path, f"echo first >&2; echo '{line}' >&2; echo >&2; exit 1")
    assert refused(script) == f"{script} --help ended with code 1: {line}"
    assert refused(program(tmp_path, "exit 3", "mute")).endswith("mute --help ended with code 3: it said nothing")


@pytest.mark.parametrize(
    ("code", "sentence"),
    [
        (-4, "killed by SIGILL (illegal instruction): this binary was built for another CPU"),
        (132, "killed by SIGILL (illegal instruction): this binary was built for another CPU"),
        (-9, "killed by SIGKILL (kill): most often the system was out of memory"),
        (134, "killed by SIGABRT (abort): it stopped itself, as it does for a drafter that does not fit"),
        (-15, "killed by SIGTERM (request to end)"),
        (-13, "killed by SIGPIPE"),
        (-200, "killed by signal 200"),
        (1, "ended with exit code 1"),
        (255, "ended with exit code 255"),
    ],
)
def test_an_end_by_signal_is_a_sentence(code: int, sentence: str) -> None:
    """A return code is a negative signal, or 128 more than one behind a shell, or a plain code."""
    assert signal_sentence(code) == sentence


@pytest.mark.engine
def test_the_stock_engine_is_usable() -> None:
    """A real build names its version, offers every method that its help lists, and knows its removed flags."""
    path = os.environ.get("SPECUI_TEST_LLAMA_SERVER")
    if path is None:
        pytest.skip("SPECUI_TEST_LLAMA_SERVER names no llama-server")
    can = asked(path)
    assert can.version_text
    assert can.methods[0] == "none"
    assert can.has("--model")
    assert can.first("--spec-draft-n-max", "--draft-max") is not None
