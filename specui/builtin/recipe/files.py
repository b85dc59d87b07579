"""The learnt weights as GGUF files."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any

import numpy as np
from gguf import GGUFWriter

from specui.builtin.recipe import nets, words
from specui.builtin.recipe.drafters import BLOCK_SIZE

if TYPE_CHECKING:
    from pathlib import Path

    from specui.builtin.recipe.nets import Size, Weights
    from specui.builtin.recipe.words import Tokenizer

CONTEXT_TOKENS = 2048
SUMS_FILE = "SHA256SUMS"
CHAT_TEMPLATE = (
    "{%- for m in messages -%}{{ '<|im_start|>' + m['role'] + '\\n' + m['content'] + '<|im_end|>\\n' }}{%- endfor -%}"
    "{%- if add_generation_prompt -%}{{ '<|im_start|>assistant\\n' }}{%- endif -%}"
)

_ORDINARY, _CONTROL = 1, 3
"""Kinds of tokens, as GGUF numbers them."""

_IN_FULL = ("conf_proj.weight",)
"""Matrices that llama.cpp wants in 32 bits."""


def as_stored(weights: Weights) -> Weights:
    """The weights as a file gives them back: matrices rounded to 16 bits."""
    return {name: w.half().float() if _is_half(name, w.ndim) else w for name, w in weights.items()}


def write_all(folder: Path, tokenizer: Tokenizer, target: Weights, drafters: dict[str, Weights]) -> list[Path]:
    """Writes the target, its MTP block inside, every drafter, and the sums of all; gives the models' paths."""
    shared = {name: target[name] for name in ("token_embd.weight", "output_norm.weight", "output.weight")}
    taps = {"target_layers": list(nets.TAPS)}
    plans: dict[str, tuple[str, Size, int, dict[str, Any], Weights]] = {
        "target": ("mimo2", nets.TARGET, nets.TARGET.layers + 1, _MIMO, target | drafters["mtp"]),
        "mtp": ("mimo2", nets.TARGET, nets.TARGET.layers + 1, _MIMO, shared | drafters["mtp"]),
        "draft-simple": ("llama", nets.SIMPLE, 1, {}, drafters["draft-simple"]),
        "eagle3": (
            "eagle3",
            nets.TARGET,
            1,
            taps | {"target_hidden_size": nets.TARGET.width},
            drafters["eagle3"],
        ),
        "dflash": ("dflash", nets.TARGET, 2, taps | {"block_size": BLOCK_SIZE}, drafters["dflash"]),
        "dspark": ("dflash", nets.TARGET, 2, taps | {"block_size": BLOCK_SIZE} | _DSPARK, drafters["dspark"]),
    }
    paths = []
    for name, (architecture, size, blocks, extra, weights) in plans.items():
        paths.append(folder / f"{name}.gguf")
        writer = GGUFWriter(paths[-1], architecture)
        _describe(writer, f"specui-toy-{name}")
        _add_vocabulary(writer, tokenizer)
        _add_sizes(writer, architecture, size, blocks, extra)
        _add_weights(writer, weights)
        writer.write_header_to_file()
        writer.write_kv_data_to_file()
        writer.write_tensors_to_file()
        writer.close()
    sums = (f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n" for path in sorted(paths))
    (folder / SUMS_FILE).write_text("".join(sums))
    return paths


_MIMO: dict[str, Any] = {
    "expert_feed_forward_length": 0,
    "attention.sliding_window": CONTEXT_TOKENS,
    # llama.cpp wants one sliding layer at least; the window is as long as the context, so it leaves nothing out.
    "attention.sliding_window_pattern": [False] * nets.TARGET.layers + [True],
    "rope.freq_base_swa": nets.ROPE_BASE,
    "nextn_predict_layers": 1,
}
_DSPARK: dict[str, Any] = {"sample_from_anchor": False, "has_confidence_head": True}


def _describe(writer: GGUFWriter, name: str) -> None:
    writer.add_string("general.name", name)
    writer.add_string("general.type", "model")
    writer.add_string("general.license", "cc0-1.0")
    writer.add_string("general.description", "A toy that comes with specui: it learnt a small text written for it.")


def _add_vocabulary(writer: GGUFWriter, tokenizer: Tokenizer) -> None:
    specials = len(words.SPECIALS)
    kinds = [_CONTROL] * specials + [_ORDINARY] * (len(tokenizer.tokens) - specials)
    writer.add_string("tokenizer.ggml.model", "gpt2")
    writer.add_string("tokenizer.ggml.pre", "gpt-2")
    writer.add_array("tokenizer.ggml.tokens", tokenizer.tokens)
    writer.add_array("tokenizer.ggml.token_type", kinds)
    writer.add_array("tokenizer.ggml.merges", [f"{a} {b}" for a, b in tokenizer.merges])
    ids = {"eos": words.TURN_ENDS, "bos": words.PADDING, "eot": words.TURN_ENDS, "padding": words.PADDING}
    for name, token in (ids | {"mask": words.MASK}).items():
        writer.add_uint32(f"tokenizer.ggml.{name}_token_id", token)
    writer.add_bool("tokenizer.ggml.add_bos_token", False)
    writer.add_bool("tokenizer.ggml.add_eos_token", False)
    writer.add_string("tokenizer.chat_template", CHAT_TEMPLATE)


def _add_sizes(writer: GGUFWriter, architecture: str, size: Size, blocks: int, extra: dict[str, Any]) -> None:
    sizes: dict[str, Any] = {
        "context_length": CONTEXT_TOKENS,
        "embedding_length": size.width,
        "block_count": blocks,
        "feed_forward_length": size.ffn,
        "attention.head_count": size.heads,
        "attention.head_count_kv": size.kv_heads,
        "attention.key_length": nets.HEAD,
        "attention.value_length": nets.HEAD,
        "attention.layer_norm_rms_epsilon": nets.EPSILON,
        "rope.dimension_count": nets.HEAD,
        "rope.freq_base": nets.ROPE_BASE,
        "vocab_size": size.vocabulary,
    }
    for name, value in (sizes | extra).items():
        key = f"{architecture}.{name}"
        match value:
            case bool():
                writer.add_bool(key, value)
            case int():
                writer.add_uint32(key, value)
            case float():
                writer.add_float32(key, value)
            case _:
                writer.add_array(key, value)


def _add_weights(writer: GGUFWriter, weights: Weights) -> None:
    for name in sorted(weights):
        kind = np.float16 if _is_half(name, weights[name].ndim) else np.float32
        writer.add_tensor(name, weights[name].numpy().astype(kind))


def _is_half(name: str, sides: int) -> bool:
    return sides == 2 and name not in _IN_FULL
