"""The llama.cpp binding: libraries, backends and GGUF models that lie inside other files.

The only module that imports `llama_cpp`, and only inside functions. The package's own `__init__` pulls in a web
server's worth of modules (1.1 s); its ctypes layer alone takes 0.1 s, so only that is imported.
"""

from __future__ import annotations

import contextlib
import ctypes
import functools
import importlib
import importlib.util
import os
import sys
import types
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from kb.config import ModelFile
from kb.errors import AlmanacError
from kb.plain import one_line

# GGML_LOG_LEVEL_ERROR of ggml.h.
_ERROR = 4
_LONGEST_REASON = 160
# How SentencePiece writes the space before a word.
_WORD_BEGINS = "\u2581"
# The log-probability of a piece that the vocabulary only knows as unknown, or as bytes.
_RAREST = -20.0


def api() -> Any:
    """The ctypes layer `llama_cpp.llama_cpp`. `load_backend` must have been called before."""
    return sys.modules["llama_cpp.llama_cpp"]


@functools.cache
def load_backend(libraries: Path, variant: Path) -> None:
    """Load llama.cpp from `libraries` with the CPU library `variant`. Once per process; quiet on stderr.

    Raises AlmanacError when the libraries cannot be loaded (a home folder mounted noexec, say).
    """
    os.environ["LLAMA_CPP_LIB_PATH"] = str(libraries)
    if "llama_cpp" not in sys.modules:
        found = importlib.util.find_spec("llama_cpp")
        if found is None or not found.submodule_search_locations:
            raise AlmanacError("native_missing", path="llama_cpp")
        package = types.ModuleType("llama_cpp")
        package.__path__ = list(found.submodule_search_locations)
        sys.modules["llama_cpp"] = package
    try:
        library = importlib.import_module("llama_cpp.llama_cpp")
        ggml = ctypes.CDLL(str(libraries / "libggml.so"))
        ggml.ggml_backend_load.restype = ctypes.c_void_p
        ggml.ggml_backend_load.argtypes = [ctypes.c_char_p]
        library.llama_log_set(_silence(), ctypes.c_void_p(0))
        if not ggml.ggml_backend_load(str(variant).encode()):
            raise AlmanacError("native_unusable")
    except (OSError, RuntimeError) as error:
        sys.modules.pop("llama_cpp", None)
        raise AlmanacError("native_missing", path=f"{libraries} ({error})") from error
    library.llama_backend_init()


@functools.cache
def _silence() -> Any:
    """A log callback that drops everything: a native library must not write into the interface or MCP."""
    return api().llama_log_callback(lambda level, text, data: None)


@contextlib.contextmanager
def _heard() -> Iterator[list[str]]:
    """The errors that llama.cpp tells meanwhile, one a line."""
    errors: list[str] = []

    def hear(level: int, text: bytes, data: Any) -> None:
        if level == _ERROR:
            errors.append(text.decode("utf-8", "replace").strip())

    callback = api().llama_log_callback(hear)
    api().llama_log_set(callback, ctypes.c_void_p(0))
    try:
        yield errors
    finally:
        api().llama_log_set(_silence(), ctypes.c_void_p(0))


class Model:
    """A loaded GGUF: `pointer`, its vocabulary `vocab`. Weights are mapped from the file, never copied out.

    With `vocabulary_only` the weights are not looked at: such a model only counts tokens.
    """

    def __init__(self, source: ModelFile, *, vocabulary_only: bool = False) -> None:
        library = api()
        parameters = library.llama_model_default_params()
        parameters.vocab_only = vocabulary_only
        parameters.n_gpu_layers = 0
        parameters.load_mode = library.LLAMA_LOAD_MODE_MMAP
        libc = ctypes.CDLL(None)
        libc.fopen.restype = ctypes.c_void_p
        libc.fopen.argtypes = [ctypes.c_char_p, ctypes.c_char_p]
        libc.fseek.argtypes = [ctypes.c_void_p, ctypes.c_long, ctypes.c_int]
        libc.fclose.argtypes = [ctypes.c_void_p]
        handle = libc.fopen(os.fsencode(source.path), b"rb")
        if not handle:
            raise AlmanacError("unreadable", path=str(source.path), reason="fopen")
        try:
            libc.fseek(handle, source.offset, os.SEEK_SET)
            with _heard() as errors:
                self.pointer = library.llama_model_load_from_file_ptr(ctypes.c_void_p(handle), parameters)
        finally:
            libc.fclose(handle)
        if not self.pointer:
            reason = one_line(errors[0].rpartition(": error loading model: ")[2], _LONGEST_REASON) if errors else "?"
            raise AlmanacError("model_load_failed", name=source.name, reason=f"llama.cpp: {reason}")
        self.source = source
        self.vocab = library.llama_model_get_vocab(self.pointer)

    def close(self) -> None:
        """Free the model; contexts made from it must be freed before."""
        if self.pointer:
            api().llama_model_free(self.pointer)
            self.pointer = None

    def tokens(self, text: str, *, special: bool = True) -> list[int]:
        """The token ids of `text`; with `special`, begin and end marks are added as the model wants them."""
        data = text.encode()
        room = len(data) + 8
        buffer = (ctypes.c_int32 * room)()
        count = api().llama_tokenize(self.vocab, data, len(data), buffer, room, special, special)
        if count < 0:
            raise AlmanacError("model_load_failed", name=self.source.name, reason="tokenizer")
        return list(buffer[:count])

    @property
    def has_rates(self) -> bool:
        """Whether its vocabulary is a unigram language model, whose pieces come with their log-probabilities."""
        return bool(api().llama_vocab_type(self.vocab) == api().LLAMA_VOCAB_TYPE_UGM)

    def pieces(self, text: str) -> list[tuple[str, float]]:
        """The pieces of `text`, without the mark of a word's beginning, and their natural log-probabilities."""
        library = api()
        found = []
        for token in self.tokens(text, special=False):
            score = float(library.llama_vocab_get_score(self.vocab, token))
            piece = library.llama_vocab_get_text(self.vocab, token).decode(errors="replace").replace(_WORD_BEGINS, "")
            found.append((piece, max(score, _RAREST) if score < 0.0 else _RAREST))
        return found

    def metadata(self, key: str) -> str | None:
        """A text from the GGUF's metadata."""
        buffer = ctypes.create_string_buffer(65536)
        length = api().llama_model_meta_val_str(self.pointer, key.encode(), buffer, len(buffer))
        return buffer.value.decode("utf-8", "replace") if length >= 0 else None
