"""The embedded engine: `python -m specui.engines.llama.embedded` is a llama-server made of the package xllamacpp.

It takes llama-server's flags (see `--help`), answers the same HTTP, and all that it logs goes to file descriptor 2.
Where `LLAMA_SERVER_ROUTER_PORT` is set, lines `cmd_child_to_router:state:{…}` about the load go to stdout.

It lives as long as its standard input is held open: end of file or a line `cmd_router_to_child:exit` ends it with
code 0; while the model loads, anything on standard input ends it the way SIGTERM does. Started with a standard input
that is at its end already (`</dev/null`) it ends at once, with code 1. At a terminal it reads nothing: Ctrl+C ends it.

SIGTERM and SIGINT end it with code 0 once it serves, and kill it while it loads, as llama-server does. Streams that are
open are cut off. What keeps it from serving is said on stderr in llama-server's words, and the code is 1.
"""

from __future__ import annotations

import fcntl
import functools
import importlib
import os
import select
import signal
import sys
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn, assert_never

from specui.domain.errors import UsageError
from specui.engines.llama.embedded_flags import Setting, help_text, parse, refusal, settings_of_environment
from specui.engines.llama.embedded_values import Member, Put

if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import ModuleType

PACKAGE = "xllamacpp"
DEFAULT_PORT = 8080
EXIT_LINE = b"cmd_router_to_child:exit"
# How xllamacpp's error begins when its log bears the reason, with llama-server's "exiting due to …" last. A thread
# writes that log piece by piece until the interpreter has ended: a line of ours would come to stand inside one of it.
SAID_BY_ITSELF = "Failed to init server"


def main(arguments: Sequence[str] | None = None) -> int:
    """Serve, or show what was asked for; the code to exit with. Ends the process itself when told to end."""
    try:
        settings = parse(sys.argv[1:] if arguments is None else arguments)
        asked = {setting.flag.names[0] for setting in settings}
        if "-h" in asked:
            sys.stdout.write(help_text())
        elif "--version" in asked:
            sys.stderr.write(version_line(_installed_version()) + "\n")
        elif "--list-devices" in asked:
            sys.stdout.write(_device_list(_library()))
        else:
            _serve((*settings_of_environment(os.environ), *settings))
    except UsageError as error:
        sys.stderr.write(f"{error}\n")
        return 1
    return 0


def version_line(version: str) -> str:
    """The package's version in llama-server's form; the last part of it is the build of llama.cpp within."""
    return f"version: {PACKAGE} {version} (build {version.rpartition('.')[2]}, commit {PACKAGE})"


def common_params(library: ModuleType, settings: Sequence[Setting]) -> Any:  # Any: a package without types
    """CommonParams with every setting put in, and what llama-server derives from them."""
    params = library.CommonParams()
    params.port = DEFAULT_PORT
    for setting in settings:
        _put(setting, params, library)
    if not params.model.path:
        raise UsageError("error: --model is required")
    draft = params.speculative.draft
    for follower, leader in (
        (params.cpuparams_batch, params.cpuparams),
        (draft.cpuparams, params.cpuparams),
        (draft.cpuparams_batch, params.cpuparams_batch),
    ):
        follower.n_threads = leader.n_threads if follower.n_threads < 0 else follower.n_threads
    if params.enable_reasoning >= 0:
        thinking = "true" if params.enable_reasoning else "false"
        params.default_template_kwargs = {"enable_thinking": thinking, **params.default_template_kwargs}
    return params


class Parent:
    """Whoever holds our standard input open, and with it this process."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._rest = b""

    def is_over(self) -> bool:
        """Whether the end, or the line that asks for it, has already come. Does not wait."""
        ready, _, _ = select.select([self._descriptor], [], [], 0)
        return bool(ready) and self._heard_the_end()

    def wait(self) -> None:
        """Return at the end of file or once the line that asks for the end has come."""
        while not self._heard_the_end():
            pass

    def ends_us_by_signal(self, *, wanted: bool) -> None:
        """Let the kernel send SIGTERM as soon as standard input ends or says something, or no longer.

        The load holds the interpreter's lock from its first moment to its last, so no thread could notice.
        """
        flags = fcntl.fcntl(self._descriptor, fcntl.F_GETFL)
        fcntl.fcntl(self._descriptor, fcntl.F_SETOWN, os.getpid())
        fcntl.fcntl(self._descriptor, fcntl.F_SETSIG, signal.SIGTERM)
        fcntl.fcntl(self._descriptor, fcntl.F_SETFL, flags | os.O_ASYNC if wanted else flags & ~os.O_ASYNC)

    def _heard_the_end(self) -> bool:
        chunk = os.read(self._descriptor, 4096)
        *lines, self._rest = (self._rest + chunk).split(b"\n")
        return not chunk or EXIT_LINE in (line.strip() for line in lines)


def _serve(settings: Sequence[Setting]) -> NoReturn:
    """Load the model and serve until told to end."""
    parent = _watched_parent()
    if "LLAMA_SERVER_ROUTER_PORT" not in os.environ:
        os.dup2(2, 1)  # with the variable xllamacpp does it, and keeps the old stdout for its lines about the load
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    library = _library()
    params = common_params(library, settings)
    try:
        server = library.Server(params)
    except (RuntimeError, ValueError, MemoryError) as error:
        if str(error).startswith(SAID_BY_ITSELF):
            sys.exit(1)
        raise UsageError(f"error: the embedded engine did not start: {error}") from error
    _stay(server, parent)


def _watched_parent() -> Parent | None:
    """Whoever holds standard input open; None at a terminal. Raises UsageError where nobody does any more."""
    if os.isatty(0):
        return None
    parent = Parent(_taken_stdin())
    parent.ends_us_by_signal(wanted=True)
    if parent.is_over():
        raise UsageError("error: standard input is at its end: nobody holds this server open")
    return parent


def _stay(server: object, parent: Parent | None) -> NoReturn:
    """Hold the server until the end is asked for. Its own destructor waits for open streams: it is never run."""
    signal.signal(signal.SIGTERM, _leave)  # only now: a handler cannot run while the load holds the interpreter
    signal.signal(signal.SIGINT, _leave)
    while parent is None:
        signal.pause()
    parent.ends_us_by_signal(wanted=False)
    parent.wait()
    _leave()


def _leave(*_: object) -> NoReturn:
    os._exit(0)


def _taken_stdin() -> int:
    """Our standard input, moved away from descriptor 0, where a pipe stands that says nothing and never ends.

    With the router variable xllamacpp reads descriptor 0 itself, and would end with code 1 or go on without HTTP.
    """
    if sys.stdin is None:  # it was closed; descriptor 0 may be anything by now
        return os.open(os.devnull, os.O_RDONLY)
    ours = os.dup(0)
    silent, _ = os.pipe()
    os.dup2(silent, 0)
    return ours


def _put(setting: Setting, params: object, library: ModuleType) -> None:
    value = setting.value
    try:
        for path in setting.flag.fields:
            *owners, field = path.split(".")
            owner = functools.reduce(getattr, owners, params)
            resolved = (
                [_resolved(item, library) for item in value] if isinstance(value, list) else _resolved(value, library)
            )
            setattr(owner, field, _combined(setting.flag.kind.put, getattr(owner, field), resolved))
    except (AttributeError, ValueError, TypeError, OverflowError) as error:
        raise refusal(setting.written, str(error)) from error
    except OSError as error:
        raise refusal(setting.written, f"error: failed to open file '{value}' ({error.strerror})") from error


def _resolved(value: object, library: ModuleType) -> object:
    return getattr(getattr(library, value.enumeration), value.name) if isinstance(value, Member) else value


def _combined(put: Put, present: Any, value: Any) -> object:  # Any: fields of a package without types
    """What a field becomes when a value is put into what is present."""
    match put:
        case "set":
            return value
        case "extend":
            return type(present)([*present, *value])
        case "merge":
            return {**present, **value}
        case "each" if len(value) == 1:
            return value * len(present)
        case "front" | "each":
            if len(value) > len(present):
                raise ValueError(f"got {len(value)} input configs, but system only has {len(present)} devices")
            return [*value, *present[len(value) :]]
        case "set-from-file":
            return Path(value).read_text(encoding="utf-8")
        case "extend-from-file":
            lines = Path(value).read_text(encoding="utf-8").splitlines()
            return [*present, *(line for line in lines if line and not line.startswith("#"))]
    assert_never(put)


def _library() -> ModuleType:
    try:
        return importlib.import_module(PACKAGE)
    except ModuleNotFoundError as error:
        if error.name == PACKAGE:
            raise _missing() from error
        raise UsageError(f"error: the package {PACKAGE} cannot be loaded: {error}") from error
    except ImportError as error:
        raise UsageError(f"error: the package {PACKAGE} cannot be loaded: {error}") from error


def _installed_version() -> str:
    try:
        return metadata.version(PACKAGE)
    except metadata.PackageNotFoundError as error:
        raise _missing() from error


def _missing() -> UsageError:
    return UsageError(f'error: the embedded engine needs the package {PACKAGE}: pip install "specui[embedded]"')


def _device_list(library: ModuleType) -> str:
    """The devices that are no CPU, as llama-server lists them."""
    devices = [device for device in library.get_device_info() if not device["type"].name.endswith("_CPU")]
    lines = [
        f"{device['name']}: {device['description']} "
        f"({device['memory_total'] // 2**20} MiB, {device['memory_free'] // 2**20} MiB free)"
        for device in devices
    ]
    return "Available devices:\n" + "".join(f"  {line}\n" for line in lines or ["(none)"])


if __name__ == "__main__":
    sys.exit(main())
