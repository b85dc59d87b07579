"""What a llama-server program can do here: its flags, its speculation methods and its devices, asked of itself."""

from __future__ import annotations

import os
import re
import signal
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from specui.domain.errors import EngineUnusable
from specui.domain.plan import METHODS
from specui.domain.text import one_line
from specui.domain.units import Bytes, Seconds


@dataclass(frozen=True, slots=True)
class Device:
    """Something the engine can offload to. A GPU that two backends reach is listed twice."""

    name: str
    """What `--device` takes: backend and number, such as `Vulkan0`."""
    description: str
    total_bytes: Bytes | None
    free_bytes: Bytes | None
    software: bool
    """Drawn by the CPU: not worth measuring."""


@dataclass(frozen=True, slots=True)
class Options:
    """What a program's help says it takes."""

    flags: frozenset[str]
    """Every spelling that can be used; those that are listed only as removed are absent."""
    spec_words: tuple[str, ...]
    """Values of `--spec-type`, in this build's own words; empty where there is no such flag."""
    flash_attn_takes_value: bool


@dataclass(frozen=True, slots=True)
class Capabilities:
    """One program on this machine. The same path may be another program tomorrow."""

    build: int | None
    """llama.cpp's build number; None where a packager left none (0 and 1 mean that)."""
    commit: str | None
    version_text: str
    flags: frozenset[str]
    methods: tuple[str, ...]
    """Our names of the methods it offers, in our order; `none` is always among them."""
    method_words: Mapping[str, str] = field(hash=False)
    """What `--spec-type` calls each method; empty where the method is had by leaving the flag out."""
    flash_attn_takes_value: bool
    devices: tuple[Device, ...]
    """Empty on a CPU-only machine, and where the build has no `--list-devices` to ask."""

    def has(self, flag: str) -> bool:
        """Whether the program takes this spelling."""
        return flag in self.flags

    def first(self, *flags: str) -> str | None:
        """The first of these spellings that the program takes; None where it takes none of them."""
        return next((flag for flag in flags if flag in self.flags), None)


def probe(command: Sequence[str], env: Mapping[str, str], timeout_s: Seconds = 20.0) -> Capabilities:
    """Ask a program for its version, its help and its devices; each may take up to `timeout_s`.

    Raises EngineUnusable where it does not start, is killed, gives no answer, or refuses to show its help.
    """
    version = _sound_answer(command, "--version", env, timeout_s)
    helped = _sound_answer(command, "--help", env, timeout_s)
    if helped.code != 0:
        said = _last_line(helped.err) or _last_line(helped.out) or "it said nothing"
        raise EngineUnusable(f"{_program(command)} --help ended with code {helped.code}: {said}")
    listed = ""
    with suppress(EngineUnusable):
        listed = _sound_answer(command, "--list-devices", env, timeout_s).text
    options = parse_help(helped.text)
    words = method_words(options)
    version_text = _version_line(version.text) if version.code == 0 else ""
    build, commit = parse_version(version_text)
    flash, devices = options.flash_attn_takes_value, parse_devices(listed)
    return Capabilities(build, commit, version_text, options.flags, tuple(words), words, flash, devices)


_BUILD_AND_COMMIT = re.compile(r"build ([0-9]{1,9}), commit (\w{1,64})|version: ([0-9]{1,9}) \((\w{1,64})\)")


def parse_version(text: str) -> tuple[int | None, str | None]:
    """Build number and commit. None where the text has none, or one that only says "built without history"."""
    found = _BUILD_AND_COMMIT.search(text)
    if found is None:
        return None, None
    build, commit = int(found[1] or found[3]), found[2] or found[4]
    return (build if build > 1 else None), (None if commit.lower() in ("unknown", "none") else commit)


_DEVICE = re.compile(r"\s+([^\s:]\S{0,199}): (.*\S) \(([0-9]{1,15}) MiB, ([0-9]{1,15}) MiB free\)\s*")
_SOFTWARE = ("llvmpipe", "lavapipe", "swiftshader", "softpipe", "basic render driver")


def parse_devices(text: str) -> tuple[Device, ...]:
    """The devices of `--list-devices`, in its order. A size of 0 MiB is what a backend says that does not know it."""
    _, headed, listing = text.partition("Available devices:")
    devices: dict[str, Device] = {}
    for line in (listing if headed else text).splitlines():
        if (found := _DEVICE.fullmatch(line[:2000])) is None:
            continue
        name, description = found[1], found[2].strip()
        total = int(found[3]) << 20
        free = int(found[4]) << 20 if total else None
        software = any(word in description.lower() for word in _SOFTWARE)
        devices.setdefault(name, Device(name, description, total or None, free, software))
    return tuple(devices.values())


def parse_help(text: str) -> Options:
    """Flags and values of a help text, in any layout that llama.cpp has had."""
    usable = [option for option in _options(text) if "has been removed" not in option.text.lower()]
    flags = frozenset(name for option in usable for name in option.names)
    words = [word for option in usable if "--spec-type" in option.names for word in _listed_methods(option.text)]
    flash = any(option.takes_value for option in usable if {"-fa", "--flash-attn"} & option.names)
    return Options(flags, tuple(dict.fromkeys(words)), flash)


_EARLY_WORDS = {"draft": "draft-simple"} | {word: f"draft-{word}" for word in ("eagle3", "mtp", "dflash", "dspark")}
_DRAFTER_FLAGS = frozenset({"-md", "--model-draft", "--spec-draft-model"})


def method_named(word: str) -> str | None:
    """Our name for a method that some build calls `word`; None where it is no method that we know."""
    plain = word.lower().replace("_", "-")
    name = _EARLY_WORDS.get(plain, plain)
    return name if name in METHODS else None


def method_words(options: Options) -> dict[str, str]:
    """This build's word for each method it offers, in our order.

    A build whose `--spec-type` knows only n-grams, or that has none, drafts with a model as soon as it is given one.
    """
    words = {"none": ""}
    for word in options.spec_words:
        name = method_named(word)
        if name is not None and words.get(name) != name:
            words[name] = word
    if not any(name.startswith("draft-") for name in words) and _DRAFTER_FLAGS & options.flags:
        words["draft-simple"] = ""
    return {name: words[name] for name in METHODS if name in words}


_SIGNALS: dict[int, tuple[str, str]] = {
    signal.SIGILL: ("illegal instruction", "this binary was built for another CPU"),
    signal.SIGSEGV: ("invalid memory access", "a fault of this build or a driver, or a drafter that does not fit"),
    signal.SIGBUS: ("failed memory access", "a mapped file shrank, or its disk failed"),
    signal.SIGABRT: ("abort", "it stopped itself, as it does for a drafter that does not fit"),
    signal.SIGKILL: ("kill", "most often the system was out of memory"),
    signal.SIGTERM: ("request to end", ""),
    signal.SIGINT: ("interrupt", ""),
    signal.SIGHUP: ("hang-up", "its terminal went away"),
}


def signal_sentence(code: int) -> str:
    """How a process ended, to follow "was", from its return code: -n, or 128 + n behind a shell."""
    number = -code if code < 0 else code - 128
    if code >= 0 and number not in _SIGNALS:
        return f"ended with exit code {code}"
    name = signal.Signals(number).name if number in set(signal.Signals) else f"signal {number}"
    meaning, cause = _SIGNALS.get(number, ("", ""))
    return f"killed by {name}" + (f" ({meaning})" if meaning else "") + (f": {cause}" if cause else "")


@dataclass(frozen=True, slots=True)
class _Option:
    """One entry of a help text: the names, whether a value follows them, and all the rest."""

    names: frozenset[str]
    takes_value: bool
    text: str


_SPELLING = r"--?[A-Za-z\[][\w\[\].-]*"
_HEAD = re.compile(rf" {{0,16}}({_SPELLING}(?:(?: [^\s,]+)?, *{_SPELLING})*)(.*)")


def _options(text: str) -> Iterator[_Option]:
    """An entry begins near the left margin with its names; what is indented below belongs to it."""
    names: frozenset[str] = frozenset()
    lines: list[str] = []
    for line in [*text.expandtabs(8).splitlines(), "."]:
        head = _HEAD.fullmatch(line)
        if names and (head or not line.startswith(" ")):
            yield _Option(names, _begins_with_value(lines[0]), " ".join(" ".join(lines).split()))
            names = frozenset()
        if head:
            spelt = re.findall(rf"(?:^|, *)({_SPELLING})", head[1])
            names = frozenset(name.replace("[no-]", form) for name in spelt for form in ("", "no-"))
            lines = [head[2]]
        elif names:
            lines.append(line)


def _listed_methods(text: str) -> Iterator[str]:
    """Words in lists such as `a,b`, `[a|b]` and `{a,b}`, or behind dashes."""
    for piece in re.sub(r" ?([,|]) ?", r"\1", text.replace(" - ", " -")).split(" "):
        words = [word for word in re.split(r"[,|]", piece.strip("-[]{}()<>.:;'\"`")) if method_named(word)]
        yield from words if len(words) > 1 or piece[:1] in ("[", "{", "-") else ()


def _begins_with_value(rest: str) -> bool:
    """Whether a value's name stands one space behind the last spelling; a description stands further off."""
    name = rest.partition("  ")[0].strip()
    return bool(name) and (" " not in name or name[0] in "[{<" or name.split()[0].isupper())


@dataclass(frozen=True, slots=True)
class _Answer:
    code: int
    out: str
    err: str

    @property
    def text(self) -> str:
        return f"{self.out}\n{self.err}"


_LOADER = re.compile(r"rror (?:while )?loading shared librar|symbol lookup error|version `GLIBC|ibrary not loaded")


def _sound_answer(command: Sequence[str], question: str, env: Mapping[str, str], timeout_s: Seconds) -> _Answer:
    """What the program says, whatever its exit code. Raises EngineUnusable where it cannot run to its own end."""
    answer = _answer(command, question, env, timeout_s)
    lacking = [line for line in answer.err.splitlines() if _LOADER.search(line[:1000])]
    if answer.code != 0 and lacking:
        raise EngineUnusable(f"{_program(command)} does not start for want of a library: {one_line(lacking[0])}")
    if answer.code < 0 or answer.code - 128 in _SIGNALS:
        how, last = signal_sentence(answer.code), _last_line(answer.err)
        is_news = last.lower() not in how  # a shell says the same once more
        raise EngineUnusable(f"{_program(command)} was {how}" + (f"; its last words: {last}" if is_news else ""))
    return answer


def _answer(command: Sequence[str], question: str, env: Mapping[str, str], timeout_s: Seconds) -> _Answer:
    pipe = subprocess.PIPE
    try:
        process = subprocess.Popen(
            [*command, question], stdin=subprocess.DEVNULL, stdout=pipe, stderr=pipe, env=env, start_new_session=True
        )
    except (OSError, ValueError) as error:
        raise EngineUnusable(_why_not_started(_program(command), error)) from error
    with process:
        try:
            out, err = process.communicate(timeout=timeout_s)
        except BaseException as error:  # at Ctrl+C, too, nothing may stay behind
            os.killpg(process.pid, signal.SIGKILL)  # with all that a wrapper started
            if not isinstance(error, subprocess.TimeoutExpired):
                raise
            said = f"{_program(command)} gave no answer to {question} within {timeout_s:g} s"
            raise EngineUnusable(said) from error
    return _Answer(process.returncode, out.decode("utf-8", "replace"), err.decode("utf-8", "replace"))


def _why_not_started(program: str, error: Exception) -> str:
    path = Path(program)
    match error:
        case FileNotFoundError() if "/" in program and path.is_file():
            return f"{program} cannot start: the interpreter or loader that it names is not on this system"
        case FileNotFoundError():
            return f"{program} was not found: give the path of a llama-server, or put it on PATH"
        case PermissionError() if path.is_dir():
            return f"{program} is a folder: give the path of the llama-server in it"
        case PermissionError():
            return f"{program} is not executable: allow it with chmod +x, or choose another file"
        case OSError(strerror=str(reason)):
            return f"{program} cannot be started: {reason}"
        case _:
            return f"{program} cannot be started: {one_line(str(error))}"


def _program(command: Sequence[str]) -> str:
    return one_line(command[0]) if command else "the engine's empty command"


def _version_line(text: str) -> str:
    """The line that names the version; graphics drivers may speak before it."""
    lines = [line for line in text.splitlines() if line.strip()]
    return one_line(next((line for line in lines if _BUILD_AND_COMMIT.search(line[:1000])), lines[0] if lines else ""))


def _last_line(text: str) -> str:
    return one_line(next((line for line in reversed(text.splitlines()) if line.strip()), ""))
