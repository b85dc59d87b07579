"""Widens the feed-forward layers of a toy GGUF with zeros, so that a run lasts long enough to be watched and measured.

The added columns and rows are zero and are really multiplied: the text stays what it was, each token costs more.
With ``--type q8_0`` the widened matrices are stored as Q8_0, the rest is kept; the text then equals that of the
narrow file brought to Q8_0 the same way (``--ffn`` at its own width), not that of the f16 file.
"""

from __future__ import annotations

import argparse
import re
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from gguf import GGML_QUANT_SIZES, GGMLQuantizationType, GGUFReader, GGUFValueType, GGUFWriter
from gguf.quants import dequantize, quantize

if TYPE_CHECKING:
    from gguf import ReaderField, ReaderTensor

ROWS_ARE_FFN = re.compile(r"\.ffn_(gate|up)\.weight$")
COLUMNS_ARE_FFN = re.compile(r"\.ffn_down\.weight$")
STORED_TYPES = {"f16": GGMLQuantizationType.F16, "q8_0": GGMLQuantizationType.Q8_0}
WRITTEN_BY_THE_WRITER = "general.architecture"


def widen(source: Path, target: Path, ffn_width: int, stored_type: GGMLQuantizationType) -> int:
    """Copies ``source`` to ``target`` with every feed-forward layer ``ffn_width`` wide.

    Gives the number of matrices widened. Raises ValueError where the file has no feed-forward width or a greater one.
    """
    reader = GGUFReader(source)
    architecture = str(reader.fields[WRITTEN_BY_THE_WRITER].contents())
    width_key = f"{architecture}.feed_forward_length"
    if width_key not in reader.fields:
        raise ValueError(f"{source} has no {width_key}: only dense models can be widened")
    present_width = reader.fields[width_key].contents()
    if not isinstance(present_width, int) or present_width > ffn_width:
        raise ValueError(f"{width_key} of {source} is {present_width}: give one width of at least that with --ffn")

    writer = GGUFWriter(target, architecture)
    for field in reader.fields.values():
        copy_field(writer, field, ffn_width if field.name == width_key else None)
    for tensor in reader.tensors:
        shape, kind = planned(tensor, ffn_width, stored_type)
        writer.add_tensor_info(tensor.name, shape, np.dtype(np.float16), stored_bytes(shape, kind), kind)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_ti_data_to_file()
    for tensor in reader.tensors:
        writer.write_tensor_data(widened(tensor, ffn_width, stored_type) if is_ffn(tensor) else tensor.data)
    writer.close()
    return sum(map(is_ffn, reader.tensors))


def copy_field(writer: GGUFWriter, field: ReaderField, replacement: int | None) -> None:
    """Writes one key of the source; the header's own counters and the architecture are the writer's business."""
    if field.name.startswith("GGUF.") or field.name == WRITTEN_BY_THE_WRITER:
        return
    value = field.contents() if replacement is None else replacement
    item_type = field.types[-1] if field.types[0] == GGUFValueType.ARRAY else None
    writer.add_key_value(field.name, value, field.types[0], sub_type=item_type)


def is_ffn(tensor: ReaderTensor) -> bool:
    """Tells whether one of the tensor's sides is the feed-forward width."""
    return bool(ROWS_ARE_FFN.search(tensor.name) or COLUMNS_ARE_FFN.search(tensor.name))


def planned(
    tensor: ReaderTensor, ffn_width: int, stored_type: GGMLQuantizationType
) -> tuple[list[int], GGMLQuantizationType]:
    """Shape (rows first) and type under which the tensor will be stored."""
    shape = [int(length) for length in reversed(tensor.shape)]
    if ROWS_ARE_FFN.search(tensor.name):
        return [ffn_width, shape[1]], stored_type
    if COLUMNS_ARE_FFN.search(tensor.name):
        return [shape[0], ffn_width], stored_type
    return shape, tensor.tensor_type


def stored_bytes(shape: list[int], kind: GGMLQuantizationType) -> int:
    """Size of a tensor in the file."""
    block_elements, block_bytes = GGML_QUANT_SIZES[kind]
    return int(np.prod(shape)) // block_elements * block_bytes


def widened(tensor: ReaderTensor, ffn_width: int, stored_type: GGMLQuantizationType) -> np.ndarray:
    """The tensor with zeros up to the new width, in the type it is stored in."""
    shape, _ = planned(tensor, ffn_width, stored_type)
    narrow = dequantize(tensor.data, tensor.tensor_type)
    wide = np.zeros(shape, dtype=np.float32)
    wide[: narrow.shape[0], : narrow.shape[1]] = narrow
    return quantize(wide, stored_type)


def main() -> None:
    """Reads the arguments, widens, says what came out."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("source", type=Path, metavar="IN.gguf")
    parser.add_argument("target", type=Path, metavar="OUT.gguf")
    parser.add_argument("--ffn", type=int, required=True, help="new feed-forward width, a multiple of 32")
    parser.add_argument("--type", choices=sorted(STORED_TYPES), default="f16", help="how the wide matrices are stored")
    arguments = parser.parse_args()
    if arguments.ffn % 32:
        parser.error(f"--ffn {arguments.ffn} is no multiple of 32")
    if arguments.source.resolve() == arguments.target.resolve():
        parser.error("OUT.gguf would overwrite IN.gguf while it is read")
    try:
        count = widen(arguments.source, arguments.target, arguments.ffn, STORED_TYPES[arguments.type])
    except ValueError as error:
        parser.error(str(error))
    size_mb = arguments.target.stat().st_size / 1e6
    print(f"{arguments.target}: {count} matrices widened to {arguments.ffn}, {size_mb:.0f} MB")


if __name__ == "__main__":
    main()
