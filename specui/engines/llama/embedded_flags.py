"""llama-server's flags as the embedded engine takes them: one table, and its parsing without a side effect.

The table names fields of `xllamacpp.CommonParams` by dotted path, so nothing here needs the package. Names, refusals
and help follow llama-server's, so that what reads the one reads the other.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from specui.domain.errors import UsageError
from specui.engines.llama.embedded_values import KINDS, SPEC_TYPES, Kind, Reader, Value, texts

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


@dataclass(frozen=True, slots=True)
class Flag:
    """One row of the table."""

    names: tuple[str, ...]
    negative: tuple[str, ...]
    """Names that stand for the kind's `off`."""
    metavar: str
    """What the value is called in the help; empty where no value is taken."""
    fields: tuple[str, ...]
    """Paths on CommonParams that all get the same value; empty for a flag that only shows something."""
    kind: Kind
    help: str


@dataclass(frozen=True, slots=True)
class Setting:
    """A flag as it was given, with its value."""

    flag: Flag
    written: str
    """The name that was used, for messages."""
    value: Value


def parse(arguments: Sequence[str]) -> tuple[Setting, ...]:
    """The settings of a command line, in its order: of two with one flag the later wins, unless the flag collects.

    Raises UsageError with llama-server's own sentence for an unknown flag, a bad value or a missing one.
    """
    settings = []
    rest = list(arguments)
    while rest:
        written, attached = _split(rest.pop(0))
        flag = BY_NAME.get(written)
        if flag is None or (flag.kind.read is None and attached is not None):
            raise UsageError(f"error: invalid argument: {written}" + ("" if attached is None else f"={attached}"))
        if flag.kind.read is None:
            settings.append(Setting(flag, written, flag.kind.off if written in flag.negative else flag.kind.on))
            continue
        if attached is None and not rest:
            raise refusal(written, "expected value for argument")
        settings.append(_setting(flag, flag.kind.read, written, rest.pop(0) if attached is None else attached))
    return tuple(settings)


def settings_of_environment(environment: Mapping[str, str]) -> tuple[Setting, ...]:
    """What the environment sets: of llama-server's variables only LLAMA_API_KEY is honoured."""
    keys = environment.get("LLAMA_API_KEY")
    return () if keys is None else (Setting(BY_NAME["--api-key"], "LLAMA_API_KEY", texts(keys)),)


def refusal(written: str, why: str) -> UsageError:
    """The error for a value that cannot be used, in llama-server's form."""
    return UsageError(f'error while handling argument "{written}": {why}')


def help_text() -> str:
    """Every flag in the layout of llama-server's help."""
    return "\n\n".join(
        f"----- {title} params -----\n\n" + "".join(map(_help_of, flags)) for title, flags in FLAGS.items()
    )


def _split(argument: str) -> tuple[str, str | None]:
    """A long flag, its underscores made dashes, and the text behind an equals sign; a short flag as it is."""
    if not argument.startswith("--"):
        return argument, None
    name, equals, attached = argument.partition("=")
    return name.replace("_", "-"), attached if equals else None


def _setting(flag: Flag, read: Reader, written: str, text: str) -> Setting:
    try:
        return Setting(flag, written, read(text))
    except ValueError as error:
        raise refusal(written, str(error)) from error


def _help_of(flag: Flag) -> str:
    first, *others = (*flag.names, *flag.negative)
    names = f"{first}, ".ljust(7) + ", ".join(others) if others else first
    head = f"{names} {flag.metavar}".rstrip()
    margin = "\n" + " " * 40
    text = flag.help + (margin + flag.kind.note if flag.kind.note else "")
    return (head.ljust(40) if len(head) <= 37 else head + margin) + text + "\n"


def _rows(table: str, within: str = "") -> tuple[Flag, ...]:
    """The flags of a table whose columns are names / negative names, value, fields, kind and help; `-` for none."""
    flags = []
    for row in table.strip().splitlines():
        written, metavar, fields, kind, text = row.split(" | ")
        names, _, negative = written.partition(" / ")
        paths = tuple(within + field for field in fields.split() if field != "-")
        value = "" if metavar == "-" else metavar.replace("SPEC_TYPES", ",".join(SPEC_TYPES))
        flags.append(Flag(tuple(names.split()), tuple(negative.split()), value, paths, KINDS[kind], text))
    return tuple(flags)


_COMMON = """
-h --help --usage | - | - | show | print usage and exit
--version | - | - | show | show version and build info
--list-devices | - | - | show | print list of available devices and exit
-t --threads | N | cpuparams.n_threads | whole | CPU threads to generate with (default: all)
-tb --threads-batch | N | cpuparams_batch.n_threads | whole | the same for prompts (default: same as --threads)
-c --ctx-size | N | n_ctx | whole | size of the prompt context (default: 0, 0 = loaded from model)
-n --predict --n-predict | N | n_predict | whole | number of tokens to predict (default: -1, -1 = infinity)
-b --batch-size | N | n_batch | whole | logical maximum batch size (default: 2048)
-ub --ubatch-size | N | n_ubatch | whole | physical maximum batch size (default: 512)
--swa-full | - | swa_full | switch | use full-size SWA cache (default: false)
-fa --flash-attn | [on|off|auto] | flash_attn_type | flash | set Flash Attention use (default: 'auto')
-kvo --kv-offload / -nkvo --no-kv-offload | - | no_kv_offload | inverse | KV cache offloading (default: enabled)
-ctk --cache-type-k | TYPE | cache_type_k | cache | KV cache data type for K (default: f16)
-ctv --cache-type-v | TYPE | cache_type_v | cache | KV cache data type for V (default: f16)
-lm --load-mode | MODE | load_mode | load | model loading mode (default: auto)
--mmap / --no-mmap | - | load_mode | mmap | the same as --load-mode mmap or none
--mlock | - | load_mode | mlock | the same as --load-mode mlock
-ot --override-tensor | PATTERN=BUFFER,... | tensor_buft_overrides | text | override tensor buffer type
-ngl --gpu-layers --n-gpu-layers | N | n_gpu_layers | layers | layers in VRAM, a number, 'auto' or 'all' (default: auto)
-sm --split-mode | {none,layer,row,tensor} | split_mode | split | how to split the model across GPUs (default: layer)
-ts --tensor-split | N0,N1,N2,... | tensor_split | shares | proportions of the model for each GPU, e.g. 3,1
-mg --main-gpu | INDEX | main_gpu | whole | the GPU to use with --split-mode none (default: 0)
-fit --fit | [on|off] | fit_params | fit | adjust unset arguments to fit in device memory (default: 'on')
-fitt --fit-target | MiB0,MiB1,MiB2,... | fit_params_target | margins | margin per device for --fit (default: 1024)
-fitc --fit-ctx | N | fit_params_min_ctx | whole | smallest ctx size that --fit sets (default: 4096)
-m --model | FNAME | model.path | text | model path to load
--offline | - | offline | switch | prevents network access
-lv --verbosity --log-verbosity | N | verbosity | whole | 1 error, 2 warning, 3 info, 4 trace, 5 debug (default: 3)
"""
_SAMPLING = """
-s --seed | SEED | sampling.seed | seed | RNG seed (default: -1, use random seed for -1)
--temp --temperature | N | sampling.temp | real | temperature (default: 0.80)
--top-k | N | sampling.top_k | whole | top-k sampling (default: 40, 0 = disabled)
--top-p | N | sampling.top_p | real | top-p sampling (default: 0.95, 1.0 = disabled)
--min-p | N | sampling.min_p | real | min-p sampling (default: 0.05, 0.0 = disabled)
"""
_DRAFTER = """
-md --model-draft --spec-draft-model | FNAME | mparams.path | text | draft model for speculative decoding
--spec-draft-n-max | N | n_max | n-max | number of tokens to draft (default: 3)
--spec-draft-n-min | N | n_min | whole | minimum number of draft tokens to use (default: 0)
--spec-draft-p-min --draft-p-min | P | p_min | real | minimum probability (greedy) (default: 0.00)
--spec-draft-p-split --draft-p-split | P | p_split | real | split probability (default: 0.10)
--spec-draft-sampling | {greedy,probabilistic} | probabilistic | draws | how the draft is sampled (default: greedy)
--spec-draft-backend-sampling / --no-spec-draft-backend-sampling | - | backend_sampling | switch | (default: enabled)
-devd --device-draft --spec-draft-device | <dev1,dev2,..> | devices | text | devices of the draft model, or none
-ngld --gpu-layers-draft --n-gpu-layers-draft --spec-draft-ngl | N | n_gpu_layers | layers | its layers in VRAM
-ctkd --cache-type-k-draft --spec-draft-type-k | TYPE | cache_type_k | cache | its cache data type for K (default: f16)
-ctvd --cache-type-v-draft --spec-draft-type-v | TYPE | cache_type_v | cache | its cache data type for V (default: f16)
-td --threads-draft --spec-draft-threads | N | cpuparams.n_threads | whole | (default: same as --threads)
-tbd --threads-batch-draft --spec-draft-threads-batch | N | cpuparams_batch.n_threads | whole | (default: as -tb)
-otd --override-tensor-draft --spec-draft-override-tensor | PATTERN=BUFFER,... | tensor_buft_overrides | text | as -ot
"""
_SPECULATIVE = """
--spec-type | SPEC_TYPES | types | types | comma-separated list of types of speculative decoding to use (default: none)
--spec-synth-len | L | synth_len | real | target mean synthetic acceptance length (benchmarking only)
--spec-synth-rates | P0,P1,... | synth_rates | reals | acceptance probability of each position (benchmarking only)
--spec-ngram-mod-n-min | N | ngram_mod.n_min | mod-min | minimum number of ngram tokens to use (default: 48)
--spec-ngram-mod-n-max | N | ngram_mod.n_max | mod-max | maximum number of ngram tokens to use (default: 64)
--spec-ngram-mod-n-match | N | ngram_mod.n_match | size-n | ngram-mod lookup length (default: 24)
--spec-ngram-simple-size-n | N | ngram_simple.size_n | size-n | length of lookup n-gram (default: 12)
--spec-ngram-simple-size-m | N | ngram_simple.size_m | size-m | length of draft m-gram (default: 48)
--spec-ngram-simple-min-hits | N | ngram_simple.min_hits | min-hits | minimum hits (default: 1)
--spec-ngram-map-k-size-n | N | ngram_map_k.size_n | size-n | length of lookup n-gram (default: 12)
--spec-ngram-map-k-size-m | N | ngram_map_k.size_m | size-m | length of draft m-gram (default: 48)
--spec-ngram-map-k-min-hits | N | ngram_map_k.min_hits | min-hits | minimum hits (default: 1)
--spec-ngram-map-k4v-size-n | N | ngram_map_k4v.size_n | size-n | length of lookup n-gram (default: 12)
--spec-ngram-map-k4v-size-m | N | ngram_map_k4v.size_m | size-m | length of draft m-gram (default: 48)
--spec-ngram-map-k4v-min-hits | N | ngram_map_k4v.min_hits | min-hits | minimum hits (default: 1)
-lcs --lookup-cache-static | FNAME | ngram_cache.lookup_cache_static | text | lookup cache that is only read
-lcd --lookup-cache-dynamic | FNAME | ngram_cache.lookup_cache_dynamic | text | lookup cache that generation updates
"""
_SERVER = """
-a --alias | STRING | model_alias | names | model name aliases, comma-separated (to be used by API)
--host | HOST | hostnames | texts | addresses to listen on, comma-separated (default: 127.0.0.1)
--port | PORT | port | whole | port to listen (default: 8080, 0 = any free port)
-np --parallel | N | n_parallel | whole | number of server slots (default: 1, -1 = auto)
--warmup / --no-warmup | - | warmup | switch | perform warmup with an empty run (default: enabled)
-kvu --kv-unified / -no-kvu --no-kv-unified | - | kv_unified | switch | one KV buffer shared across all sequences
-ctxcp --ctx-checkpoints --swa-checkpoints | N | n_ctx_checkpoints | whole | context checkpoints per slot (default: 32)
-cms --checkpoint-min-step | N | checkpoint_min_step | whole | tokens between checkpoints (default: 8192)
-cram --cache-ram | N | cache_ram_mib | whole | cache size in MiB (default: 8192, -1 - no limit, 0 - disable)
--cache-idle-slots / --no-cache-idle-slots | - | cache_idle_slots | switch | save idle slots (default: enabled)
--cache-prompt / --no-cache-prompt | - | cache_prompt | switch | prompt caching (default: enabled)
--cache-reuse | N | n_cache_reuse | whole | min chunk size to reuse from the cache via KV shifting (default: 0)
-mm --mmproj | FILE | mmproj.path | text | path to a multimodal projector file
--ui --webui / --no-ui --no-webui | - | ui | switch | whether to enable the Web UI (default: enabled)
--api-key | KEY | api_keys | names | API keys, comma-separated (env: LLAMA_API_KEY)
--api-key-file | FNAME | api_keys | key-file | file with API keys, one per line, # = comment
-to --timeout | N | timeout_read timeout_write | whole | server read/write timeout in seconds (default: 3600)
--sse-ping-interval | N | sse_ping_interval | whole | server SSE ping interval in seconds (-1 = disabled, default: 30)
--threads-http | N | n_threads_http | whole | threads to process HTTP requests (default: -1)
--metrics | - | endpoint_metrics | switch | prometheus compatible metrics endpoint (default: disabled)
--props | - | endpoint_props | switch | changing global properties via POST /props (default: disabled)
--slots / --no-slots | - | endpoint_slots | switch | slots monitoring endpoint (default: enabled)
--jinja / --no-jinja | - | use_jinja | switch | jinja template engine for chat (default: enabled)
--chat-template | JINJA_TEMPLATE | chat_template | text | chat template (default: the model's)
--chat-template-file | JINJA_TEMPLATE_FILE | chat_template | file | the same from a file
--chat-template-kwargs | STRING | default_template_kwargs | object | params of the template, a JSON object
--reasoning-format | FORMAT | reasoning_format | format | where thoughts are returned (default: auto)
-rea --reasoning | [on|off|auto] | enable_reasoning | reasoning | thinking in the chat (default: 'auto')
--reasoning-budget | N | sampling.reasoning_budget_tokens | budget | tokens for thinking (default: -1, unrestricted)
"""

FLAGS: dict[str, tuple[Flag, ...]] = {
    "common": _rows(_COMMON),
    "sampling": _rows(_SAMPLING),
    "speculative": _rows(_SPECULATIVE, "speculative.") + _rows(_DRAFTER, "speculative.draft."),
    "example-specific": _rows(_SERVER),
}
"""Every supported flag, under the headings of llama-server's help."""

BY_NAME: dict[str, Flag] = {
    name: flag for flags in FLAGS.values() for flag in flags for name in (*flag.names, *flag.negative)
}
"""Every spelling of every flag."""
