"""Facts and reasons are found in log lines of every age, behind every prefix, among noise."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from specui.engines.llama.logs import (
    Checkpoints,
    Clamped,
    ContextSize,
    DeviceBuffer,
    DraftAcceptance,
    DraftStatistics,
    EvalTime,
    LayersOffloaded,
    LoadProgress,
    LogFact,
    PromptEvalTime,
    RouterState,
    SpeculationAdded,
    ThinkingKnown,
    failure_reason,
    read_line,
    speculation_off_reason,
)

STREAMS = Path(__file__).parent.parent / "data" / "streams"
STATISTICS = (
    "#calls(b,g,a) =    1     26     26, #gen drafts =     26, #acc drafts =    25, #gen tokens =    103, "
    "#acc tokens =    93"
)


def recorded(method: str) -> list[LogFact]:
    lines = (STREAMS / f"b11669-{method}.log.txt").read_text(encoding="utf-8").splitlines()
    return [fact for line in lines if (fact := read_line(line)) is not None]


def test_the_log_of_a_request_is_read() -> None:
    """b11669 with an MTP head, at `-lv 4`; the line of shares per position tells nothing that counts do not."""
    assert recorded("draft-mtp") == [
        ContextSize(2048),
        SpeculationAdded("draft-mtp"),
        PromptEvalTime(8.90, 20, 2246.43),
        EvalTime(101.06, 120, 1177.51),
        DraftAcceptance(0.90291, 93, 103, 4.58),
        DraftStatistics("draft-mtp", 1, 26, 26, 26, 25, 103, 93, 0.033, 14.626, 0.009),
    ]


@pytest.mark.parametrize("method", ["draft-simple", "draft-eagle3", "draft-mtp", "draft-dflash", "draft-dspark"])
def test_every_method_of_b11669_has_all_lines(method: str) -> None:
    """Counts of the acceptance line and of the statistics agree after one request."""
    facts = recorded(method)
    (acceptance,) = [fact for fact in facts if isinstance(fact, DraftAcceptance)]
    (statistics,) = [fact for fact in facts if isinstance(fact, DraftStatistics)]
    assert SpeculationAdded(method) in facts
    assert (statistics.method, statistics.gen_tokens, statistics.acc_tokens) == (
        method,
        acceptance.drafted,
        acceptance.accepted,
    )


def test_nothing_drafted_has_no_acceptance_line() -> None:
    """n-gram tables that found nothing still print their statistics; without speculation there are none."""
    assert [type(fact) for fact in recorded("ngram-mod")] == [
        ContextSize,
        SpeculationAdded,
        PromptEvalTime,
        EvalTime,
        DraftStatistics,
    ]
    assert [type(fact) for fact in recorded("none")] == [ContextSize, PromptEvalTime, EvalTime]


@pytest.mark.parametrize(
    ("line", "fact"),
    [
        (
            "slot print_timing: id  0 | task 0 |        eval time =    3540.21 ms /     9 tokens (  442.53 ms per token"
            ",     2.26 tokens per second)",
            EvalTime(3540.21, 9, 2.26),
        ),
        (
            "       eval time =    1153.51 ms /    43 tokens (   26.83 ms per token,    37.28 tokens per second)",
            EvalTime(1153.51, 43, 37.28),
        ),
        (
            "generation eval time =    1153.51 ms /    43 runs   (   26.83 ms per token,    37.28 tokens per second)",
            EvalTime(1153.51, 43, 37.28),
        ),
        (
            "prompt eval time     =    6419.23 ms /  8733 tokens (    0.74 ms per token,  1360.44 tokens per second)",
            PromptEvalTime(6419.23, 8733, 1360.44),
        ),
        ("       eval time =       0.00 ms /     1 runs   (    0.00 ms per token,      inf tokens per second)", None),
        ("slot print_timing: id  0 | task 0 |       total time =    6975.25 ms /    42 tokens", None),
        (
            "draft acceptance rate = 0.57576 (  171 accepted /   297 generated)",
            DraftAcceptance(0.57576, 171, 297, None),
        ),
        (
            "[44195] 4.26.848.529 I slot print_timing: id  3 | task 0 | draft acceptance = 0.41236 ( 2235 accepted / "
            " 5420 generated)",
            DraftAcceptance(0.41236, 2235, 5420, None),
        ),
        (
            "draft acceptance = 0.64479 ( 167 accepted / 259 generated), mean acceptance length = 2.92, acceptance "
            "rate per position = (0.805, 0.632, 0.483)",
            DraftAcceptance(0.64479, 167, 259, 2.92),
        ),
        ("draft acceptance = nan (    0 accepted /     0 generated)", None),
        (
            f"0.00.369.706 I spec common_specu: statistics        draft-mtp: {STATISTICS}, #mean acc len = 4.58, "
            "#acc rate/pos = (0.962, 0.731), dur(b,g,a) = 0.033, 14.626, 0.009 ms",
            DraftStatistics("draft-mtp", 1, 26, 26, 26, 25, 103, 93, 0.033, 14.626, 0.009),
        ),
        (
            "statistics mtp: #calls(b,g,a) = 2 17 28, #gen drafts = 28, #acc drafts = 27, #gen tokens = 48, "
            "#acc tokens = 47, dur(b,g,a) = 0.009, 97.349, 0.006 ms",
            DraftStatistics("draft-mtp", 2, 17, 28, 28, 27, 48, 47, 0.009, 97.349, 0.006),
        ),
        (
            "statistics ngram_mod: #calls = 810, #gen drafts = 15, #acc drafts = 14, #gen tokens = 960, "
            "#acc tokens = 730",
            DraftStatistics("ngram-mod", None, 810, None, 15, 14, 960, 730, None, None, None),
        ),
        (f"statistics copyspec: {STATISTICS}", DraftStatistics("copyspec", 1, 26, 26, 26, 25, 103, 93, *[None] * 3)),
        ("statistics copyspec: #calls(b,g,a) = 1 317 0, #gen drafts = 0, #acc drafts = 0", None),
        ("load_tensors: offloaded 31/33 layers to GPU", LayersOffloaded(31, 33)),
        ("0.00.1 I load_tensors:      ROCm0 model buffer size =  3092.10 MiB", DeviceBuffer("ROCm0", 3092.1)),
        ("sched_reserve:        CPU compute buffer size =     3.64 MiB", None),
        ("srv    load_model: initializing, n_slots = 1, n_ctx_slot = 2048, kv_unified = 'false'", ContextSize(2048)),
        ("slot   load_model: id  0 | task -1 | new slot, n_ctx = 512", ContextSize(512)),
        ("llama_context: n_ctx         = 512", None),
        ("spec common_specu: adding speculative implementation 'draft-simple'", SpeculationAdded("draft-simple")),
        ("common_speculative_init: adding speculative implementation 'eagle3'", SpeculationAdded("draft-eagle3")),
        ("srv          init: init: chat template, thinking = 0", ThinkingKnown(False)),
        ("init: chat template, thinking = 1", ThinkingKnown(True)),
        (
            "0.00.845.101 W common_speculative_impl_draft_dflash: requested draft size (n_max=40, n_min=0) exceeds the "
            "trained block size 8 -- clamping to 7",
            Clamped(40, 7),
        ),
        ("srv    load_model: speculative decoding will use checkpoints", Checkpoints()),
        ("srv  update_slots: all slots are idle", None),
        ("", None),
    ],
)
def test_one_line_tells_one_fact_or_none(line: str, fact: LogFact | None) -> None:
    """Prefixes changed often, words now and then; a speed that is no number is no speed."""
    assert read_line(line) == fact


ROUTER = "cmd_child_to_router:state:"
LOADING = '{"state":"loading","payload":{"stages":["text_model","spec_model"],"current":"spec_model","value":%s}}'


@pytest.mark.parametrize(
    ("told", "fact"),
    [
        (LOADING % "0.56", LoadProgress("spec_model", 0.56)),
        (LOADING % "1", LoadProgress("spec_model", 1.0)),
        (LOADING % "1.5", LoadProgress("spec_model", None)),
        (LOADING % "NaN", LoadProgress("spec_model", None)),
        (LOADING % "true", LoadProgress("spec_model", None)),
        (LOADING % ("9" * 900), LoadProgress("spec_model", None)),
        ('{"state":"loading"}', RouterState("loading")),
        ('{"state":"ready","payload":{"id":"x","meta":{"n_ctx":512}}}', RouterState("ready")),
        ('{"state":"sleeping","payload":null}', RouterState("sleeping")),
        ('{"state":"loading","payload":{"current":"text_m', None),
        ('{"state":7}', None),
        ("[]", None),
        ("[" * 3900, None),
        ("", None),
    ],
)
def test_what_a_child_tells_its_router_is_read(told: str, fact: LogFact | None) -> None:
    """The load's progress is on stdout, as JSON that may be cut short."""
    assert read_line(ROUTER + told) == fact
    assert read_line(f"[8081] {ROUTER}{told}\r") == fact


FITTING = (
    "0.00.071.771 E llama_init_from_model: failed to initialize the context: dflash requires ctx_other to be set (this "
    "warning is normal during memory fitting)",
    "0.00.071.907 W operator(): failed to measure the memory of the extra model, fitting without it: failed to create "
    "llama_context from model",
    "0.00.073.097 E common_fit_params: encountered an error while trying to fit params to free device memory: failed "
    "to load model",
)
NOISE = (
    "0.00.000.960 I srv  llama_server: initializing ...",
    "0.00.072.000 W srv  llama_server: security: no API key is set and CORS allows all origins (see https://x.y/pull/1)",
    "0.00.072.100 W failed to allocate 512.00 MiB of pinned memory: out of memory",
    *FITTING,
)
END = (
    "0.00.068.175 E llama_model_load_from_file_impl: failed to load model",
    "0.00.068.209 E srv    load_model: failed to load model, '/m.gguf'",
    "0.00.068.300 I srv    operator(): operator(): cleaning up before exit...",
    "0.00.068.612 E srv  llama_server: exiting due to model loading error",
)
REASONS = [
    ("error: invalid argument: --bogus", None),
    ('error while handling argument "--draft-max": the argument has been removed. use --spec-draft-n-max', None),
    ('error while handling argument "--spec-type": unknown speculative type: mtp', None),
    ("error while handling argument \"-fa\": error: unknown value for --flash-attn: '--temp'", None),
    (
        "0.1.2.3 E srv         start: couldn't bind HTTP server socket, hostname: 127.0.0.1, port: 18992",
        "couldn't bind HTTP server socket, hostname: 127.0.0.1, port: 18992",
    ),
    (
        "main: couldn't bind to server socket: hostname=127.0.0.1 port=8080",
        "couldn't bind to server socket: hostname=127.0.0.1 port=8080",
    ),
    (
        "0.00.068.157 E llama_model_load: error loading model: unknown model architecture: 'dflash-draft'",
        "unknown model architecture: 'dflash-draft'",
    ),
    (
        "0.00.069.290 E llama_model_load: error loading model: error loading model hyperparameters: DFlash model "
        "requires 'target_layers' in GGUF metadata",
        "DFlash model requires 'target_layers' in GGUF metadata",
    ),
    (
        "0.00.058.394 E gguf_init_from_reader: invalid magic characters: 'nota', expected 'GGUF'",
        "invalid magic characters: 'nota', expected 'GGUF'",
    ),
    ("0.00.065.282 E gguf_init_from_reader: failed to read magic", "failed to read magic"),
    (
        "0.00.084.420 E gguf_init_from_file: failed to open GGUF file '/no.gguf' (No such file or directory)",
        "failed to open GGUF file '/no.gguf' (No such file or directory)",
    ),
    (
        "0.00.056.805 E llama_model_load: error loading model: tensor 'blk.1.attn_output.weight' data is not within "
        "the file bounds, model is corrupted or incomplete",
        "error loading model: tensor 'blk.1.attn_output.weight' data is not within the file bounds, model is corrupted "
        "or incomplete",
    ),
    (
        "0.0.0.0 E llama_model_load: error loading model: done_getting_tensors: wrong number of tensors; expected 81, "
        "got 58",
        "error loading model: done_getting_tensors: wrong number of tensors; expected 81, got 58",
    ),
    (
        "0.00.389.303 E ggml_aligned_malloc: insufficient memory (attempted to allocate 7812.50 MB)",
        "insufficient memory (attempted to allocate 7812.50 MB)",
    ),
    (
        "ggml_backend_cuda_buffer_type_alloc_buffer: allocating 18000.00 MiB on device 0: cudaMalloc failed: out of "
        "memory",
        "allocating 18000.00 MiB on device 0: cudaMalloc failed: out of memory",
    ),
    (
        "ggml_vulkan: Device memory allocation of size 4294967296 failed.",
        "Device memory allocation of size 4294967296 failed.",
    ),
    (
        "E alloc_tensor_range: failed to allocate Vulkan0 buffer of size 9",
        "failed to allocate Vulkan0 buffer of size 9",
    ),
    (
        "0.00.067.271 W llama_init_from_model: context type MTP requested but model doesn't contain MTP layers",
        "context type MTP requested but model doesn't contain MTP layers",
    ),
    (
        './common/speculative.cpp:1039: GGML_ASSERT(target_layer_ids_n > 0 && "DFlash model has no target_layer_ids") '
        "failed",
        'GGML_ASSERT(target_layer_ids_n > 0 && "DFlash model has no target_layer_ids") failed',
    ),
    (
        "0.0.0.0 E common_specu: EAGLE3: target layer id 77 exceeds target n_layer 30",
        "EAGLE3: target layer id 77 exceeds target n_layer 30",
    ),
    (
        "0.0.0.0 E srv    load_model: synthetic acceptance length must be finite and within [1, 4]",
        "synthetic acceptance length must be finite and within [1, 4]",
    ),
    ("ROCm error: invalid device function", None),
    ("  what():  vk::Queue::submit: ErrorDeviceLost", "what():  vk::Queue::submit: ErrorDeviceLost"),
    (
        "0.0.0.0 W spec common_specu: draft model vocab must closely match target model to use speculation but target "
        "vocab size 152064 does not match draft vocab size 32002 - difference 120062, max allowed 128",
        "target vocab size 152064 does not match draft vocab size 32002 - difference 120062, max allowed 128",
    ),
    (
        "srv    load_model: the draft model 'd.gguf' is not compatible with the target model 't.gguf'",
        "the draft model 'd.gguf' is not compatible with the target model 't.gguf'",
    ),
    ("0.0.0.0 E srv  load_model: something that nobody has seen yet", "something that nobody has seen yet"),
    ("error: --hf-repo needs a network", None),
]


@pytest.mark.parametrize(("line", "reason"), REASONS)
def test_the_cause_of_a_failed_start_is_told_before_its_consequences(line: str, reason: str | None) -> None:
    """A cause stands somewhere among noise and is followed by "failed to load model" and "exiting due to"."""
    assert failure_reason([*NOISE, line, *END]) == (reason or line)


@pytest.mark.parametrize(
    ("lines", "reason"),
    [
        (NOISE, None),
        (("I srv load_model: loading model", ""), None),
        ((), None),
        (END, "failed to load model, '/m.gguf'"),
        (END[2:], "exiting due to model loading error"),
        (
            ("0.0.0.0 E srv load_model: failed to load draft model, '/d.gguf'", *END),
            "failed to load draft model, '/d.gguf'",
        ),
        (
            ("0.0.0.0 E cmn  common_init_: failed to create context with model '/m.gguf'", *END[2:]),
            "failed to create context with model '/m.gguf'",
        ),
    ],
)
def test_without_a_cause_the_nearest_consequence_is_told(lines: tuple[str, ...], reason: str | None) -> None:
    """Noise alone is no reason, nor is a server that was killed while it loaded."""
    assert failure_reason(lines) == reason


def test_a_drafter_used_as_a_model_fails_at_what_is_noise_elsewhere() -> None:
    """b11669 says the same line twice: while fitting, and as the reason right before it gives up."""
    lines = [
        *NOISE,
        FITTING[0],
        "0.00.079.866 E cmn  common_init_: failed to create context with model '/d.gguf'",
        *END,
    ]
    assert failure_reason(lines) == "failed to initialize the context: dflash requires ctx_other to be set"


def test_a_cause_hides_no_control_character() -> None:
    """What a file or a model is called comes from outside: it must not act on a terminal."""
    said = failure_reason(["0.0.0.0 E gguf_init_from_file: failed to open GGUF file '\x1b[2J' (x)"])
    assert said == "failed to open GGUF file '␛[2J' (x)"


MISMATCH = "draft model vocab type must match target model to use speculation"


@pytest.mark.parametrize(
    ("lines", "reason"),
    [
        (
            [
                f"W spec common_specu: {MISMATCH} but vocab_type_dft = 1 while vocab_type_tgt = 2",
                "E spec common_specu: the target and draft vocabs are not compatible",
                f"E srv load_model: failed to initialize speculative decoding context: {MISMATCH}",
            ],
            f"{MISMATCH} but vocab_type_dft = 1 while vocab_type_tgt = 2",
        ),
        (
            [
                "E spec common_specu: the target and draft vocabs are not compatible",
                f"E srv load_model: failed to initialize speculative decoding context: {MISMATCH}",
            ],
            "the target and draft vocabs are not compatible",
        ),
        (
            [
                "common_speculative_are_compatible: draft model bos tokens must match target model to use speculation. "
                "add: 1 - 0, id: 1 - 0)"
            ],
            "draft model bos tokens must match target model to use speculation. add: 1 - 0, id: 1 - 0)",
        ),
        (
            ["D token 5 content differs - target '%', draft 'a'"],
            "token 5 content differs - target '%', draft 'a'",
        ),
        (
            [
                "0.00.684.889 E srv    load_model: failed to initialize speculative decoding context: draft model is "
                "not eagle3 (expected 3 extract layers, got 0)"
            ],
            "draft model is not eagle3 (expected 3 extract layers, got 0)",
        ),
        (
            [
                "0.00.066.315 E srv    load_model: failed to initialize speculative decoding context: draft-simple "
                "requires a draft context"
            ],
            "draft-simple requires a draft context",
        ),
        (
            ["W srv load_model: speculative decoding not supported by this context"],
            "speculative decoding not supported by this context",
        ),
        (
            ["E srv load_model: failed to initialize speculative decoding context: DSpark draft has no confidence head"
             ": please set --spec-draft-p-min 0"],
            "DSpark draft has no confidence head: please set --spec-draft-p-min 0",
        ),
        (
            ["E srv  load_model: failed to initialize speculative decoding context"],
            "failed to initialize speculative decoding context",
        ),
        (
            ["I the draft model 'd' is not compatible with the target model 't'. tokens will be translated between the "
             "draft and target models."],
            None,
        ),
        ([*NOISE, *END], None),
        ([], None),
    ],
)  # fmt: skip
def test_why_speculation_is_off_is_told_where_the_server_says_it(lines: list[str], reason: str | None) -> None:
    """The last line says "vocab type" for every mismatch, so any other line is better; often there is none."""
    assert speculation_off_reason([*NOISE, *lines, "I srv llama_server: model loaded"]) == reason


PIECES = st.sampled_from(
    [
        "eval time = ", "prompt ", "1.50 ms / ", "9 tokens ( ", " tokens per second", "draft acceptance = ", "0.5 (",
        " accepted /", " generated)", "statistics x: ", "#calls(b,g,a) = 1 2 3", "#gen drafts = 1", ROUTER, "{", "[",
        '"state":', '"loading"', "0.00.000.000 E ", "srv load_model: ", "error", "GGML_ASSERT(", "n_ctx_slot = ", "7",
        "failed to load model", "\x00", "\n", "normal during memory fitting", "thinking = ", "²", "٣",
    ]
)  # fmt: skip
ANY_LINE = st.one_of(st.text(), st.lists(st.one_of(PIECES, st.text(max_size=4)), max_size=20).map("".join))


@given(st.lists(ANY_LINE, max_size=5))
def test_no_line_breaks_the_readers(lines: list[str]) -> None:
    """Whatever an engine prints, there is a fact or none, and a reason of one short line or none."""
    for line in lines:
        read_line(line)
    for reason in (failure_reason(lines), speculation_off_reason(lines)):
        assert reason is None or (0 < len(reason) <= 300 and "\n" not in reason)


@pytest.mark.parametrize(
    "piece",
    [
        "a", " ", "1", "prompt eval time = 1 ms / 1 tokens (", "draft acceptance = 1 (1", "statistics a: #calls = 1 ",
        "#gen drafts = ", ROUTER + "[", "model buffer size = ", "(n_max = 1", "draft size (n_max=1", "must match ",
        "draft model vocab type must match ", "error loading model ", "failed to load model ", "OutOf", "[1] ", "0.",
        "draft-", "a::", "is not compatible with the target model ", "requires ",
    ],
)  # fmt: skip
def test_a_line_of_100_kb_is_read_in_no_time(piece: str) -> None:
    """Only the beginning of a line is looked at, and no pattern runs away on it."""
    line = piece * (100_000 // len(piece))
    for lead in ("", "0.00.000.000 E ", "eval time = 1 ms / 1 tokens ("):
        read_line(lead + line)
        failure_reason([lead + line])
        speculation_off_reason([lead + line])


def test_what_stands_far_behind_in_a_line_is_not_looked_for() -> None:
    """A fact begins within the first 4000 characters."""
    fact = "offloaded 1/2 layers to GPU"
    assert read_line("x" * 3900 + fact) == LayersOffloaded(1, 2)
    assert read_line("x" * 4000 + fact) is None
