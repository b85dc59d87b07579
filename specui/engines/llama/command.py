"""A case as the words that start llama-server for it: pure, and only flags that this build has."""

from __future__ import annotations

from typing import TYPE_CHECKING

from specui.domain.errors import EngineUnusable
from specui.domain.plan import DRAFT_LENGTHS, Case

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from specui.domain.units import JsonValue, Record
    from specui.engines.llama.capabilities import Capabilities

HOST = "127.0.0.1"

SETTING_FLAGS: dict[str, tuple[str, ...]] = {
    "ctx": ("-c", "--ctx-size"),
    "ngl": ("-ngl", "--n-gpu-layers"),
    "ctk": ("-ctk", "--cache-type-k"),
    "ctv": ("-ctv", "--cache-type-v"),
    "batch": ("-b", "--batch-size"),
    "ubatch": ("-ub", "--ubatch-size"),
    "threads": ("-t", "--threads"),
    "slots": ("-np", "--parallel"),
    "load_mode": ("-lm", "--load-mode"),
    "n_cpu_moe": ("-ncmoe", "--n-cpu-moe"),
    "draft_device": ("-devd", "--spec-draft-device", "--device-draft"),
    "draft_ngl": ("-ngld", "--spec-draft-ngl", "--n-gpu-layers-draft"),
    "draft_ctk": ("-ctkd", "--cache-type-k-draft", "--spec-draft-type-k"),
    "draft_ctv": ("-ctvd", "--cache-type-v-draft", "--spec-draft-type-v"),
    "mmproj": ("--mmproj",),
}
ALIAS_FLAGS = ("-a", "--alias")
ALWAYS_SAID = ("ctx", "slots", "threads")
DRAFTER_FLAGS = ("-md", "--spec-draft-model", "--model-draft")
N_MAX_FLAGS = ("--spec-draft-n-max", "--draft-max", "--draft")
N_MIN_FLAGS = ("--spec-draft-n-min", "--draft-min", "--draft-n-min")
P_MIN_FLAGS = ("--spec-draft-p-min", "--draft-p-min")
SPEED_VARIABLES = ("HSA_", "ROCR_", "HIP_", "GGML_", "VK_", "RADV_", "AMD_", "LD_LIBRARY_PATH")
"""Variables (by their beginning) that bear on speed: they reach the engine and the record."""

_DROPPED = frozenset({"http_proxy", "https_proxy", "all_proxy", "no_proxy", "ftp_proxy"})
_NOWHERE = "/dev/null"
_OURS = frozenset({"--host", "--port", *ALIAS_FLAGS})


def command_words(case: Case, can: Capabilities, port: int, alias: str) -> tuple[str, ...]:
    """The whole command line. Raises EngineUnusable where this build cannot do what the case asks."""
    if not can.first("-m", "--model"):
        raise EngineUnusable(f"{' '.join(case.engine.command)} --help tells of no -m: is it a llama-server?")
    words = [*case.engine.command, "-m", case.model.path, "--host", HOST, "--port", str(port)]
    words += _if_any(can, ALIAS_FLAGS, alias)
    words += _if_any(can, ("--metrics",)) + _if_any(can, ("--slots",)) + _if_any(can, ("--no-ui", "--no-webui"))
    words += _if_any(can, ("-lv", "--verbosity"), "4") + _if_any(can, ("-cram", "--cache-ram"), "0")
    if case.device is not None:
        words += _needed(can, case, ("-dev", "--device"), case.device)
    words += _settings(case, can)
    words += _speculation(case, can)
    extra = case.setting("extra")
    return (*words, *_without_ours([str(w) for w in extra] if isinstance(extra, list) else []))


def chosen_port(case: Case) -> int | None:
    """The port that the case's own engine arguments ask for."""
    extra = case.setting("extra")
    words = [str(w) for w in extra] if isinstance(extra, list) else []
    for index, word in enumerate(words):
        name, _, value = word.partition("=")
        if name == "--port":
            text = value or (words[index + 1] if index + 1 < len(words) else "")
            return int(text) if text.isdigit() and int(text) < 65536 else None
    return None


def _without_ours(words: Sequence[str]) -> list[str]:
    """Engine arguments less the address and the name, which are ours to give: by them the server is found."""
    out: list[str] = []
    rest = iter(words)
    for word in rest:
        name, _, inline = word.partition("=")
        if name not in _OURS:
            out.append(word)
        elif not inline:
            next(rest, None)
    return out


def engine_environment(own: Mapping[str, str], chosen: Mapping[str, JsonValue], api_key: str | None) -> dict[str, str]:
    """The variables an engine gets: the user's own less llama.cpp's and proxies, and what we need.

    No configuration file of a user steers a measurement: llama.cpp looks for one in a folder that is none.
    """
    kept = {k: v for k, v in own.items() if not k.startswith("LLAMA_") and k.lower() not in _DROPPED}
    ours = {"LLAMA_SERVER_ROUTER_PORT": "1", "GGML_NO_BACKTRACE": "1", "XDG_CONFIG_HOME": _NOWHERE}
    key = {"LLAMA_API_KEY": api_key} if api_key else {}
    return kept | ours | key | {str(k): str(v) for k, v in chosen.items()}


def recorded_environment(full: Mapping[str, str], chosen: Mapping[str, JsonValue]) -> Record:
    """The part of an engine's environment that the journal may hold."""
    return {k: v for k, v in sorted(full.items()) if k.startswith(SPEED_VARIABLES) or k in chosen}


def _settings(case: Case, can: Capabilities) -> list[str]:
    words: list[str] = []
    for name, flags in SETTING_FLAGS.items():
        value = case.setting(name)
        if value is None or (value == case.defaults().get(name) and name not in ALWAYS_SAID):
            continue
        words += _needed(can, case, flags, str(value))
    flash = case.setting("flash_attn")
    if flash not in (None, "auto"):
        flag = _known(can, case, ("-fa", "--flash-attn"))
        if can.flash_attn_takes_value:
            words += [flag, "on" if flash in (True, "on") else "off"]
        elif flash in (True, "on"):
            words.append(flag)
    return words


def _speculation(case: Case, can: Capabilities) -> list[str]:
    spec = case.speculation
    if spec.method == "none":
        return []
    lacking = [m for m in spec.methods() if m not in can.methods]
    if lacking:
        offered = ", ".join(m for m in can.methods if m != "none") or "no speculation"
        raise EngineUnusable(
            f"{case.engine.name} (build {can.build or 'unknown'}) has no {lacking[0]}: it offers {offered}"
        )
    words: list[str] = []
    types = [word for m in spec.methods() if (word := can.method_words[m])]
    if types:
        words += ["--spec-type", ",".join(types)]
    if spec.draft_model is not None:
        words += _needed(can, case, DRAFTER_FLAGS, spec.draft_model)
    for method in spec.methods():
        words += list(_draft_limits(case, can, method))
    return words


def _draft_limits(case: Case, can: Capabilities, method: str) -> Iterator[str]:
    spec = case.speculation
    n_max = spec.n_max or DRAFT_LENGTHS[method]
    if method.startswith("draft-"):
        yield from _needed(can, case, N_MAX_FLAGS, str(n_max))
        yield from _needed(can, case, N_MIN_FLAGS, str(spec.n_min)) if spec.n_min is not None else ()
        yield from _needed(can, case, P_MIN_FLAGS, f"{spec.p_min:g}") if spec.p_min is not None else ()
    elif method == "ngram-mod":
        n_min = spec.n_min if spec.n_min is not None else min(48, n_max)
        yield from _needed(can, case, ("--spec-ngram-mod-n-max",), str(n_max))
        yield from _needed(can, case, ("--spec-ngram-mod-n-min",), str(n_min))
    elif method != "ngram-cache" and spec.n_max is not None:
        yield from _needed(can, case, (f"--spec-{method}-size-m",), str(n_max))


def _if_any(can: Capabilities, flags: tuple[str, ...], *values: str) -> list[str]:
    flag = can.first(*flags)
    return [flag, *values] if flag else []


def _needed(can: Capabilities, case: Case, flags: tuple[str, ...], *values: str) -> list[str]:
    return [_known(can, case, flags), *values]


def _known(can: Capabilities, case: Case, flags: tuple[str, ...]) -> str:
    flag = can.first(*flags)
    if flag is None:
        build = f"{case.engine.name} (build {can.build or 'unknown'})"
        raise EngineUnusable(f"{build} has none of {', '.join(flags)}: use another build, or leave that setting out")
    return flag
