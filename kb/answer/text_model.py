"""The answer model: greedy completion with a kept prompt prefix, streamed, stopped within a token."""

from __future__ import annotations

import ctypes
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from kb.answer.constrained_decoding import Constraint
from kb.config import ModelFile
from kb.errors import AlmanacError
from kb.search import engine
from kb.sizing import CONTEXT_TOKENS

_BATCH = 512


# Where a GGUF's metadata ends at the latest, in the models that are used here (their vocabularies take 2-8 MB).
_METADATA_BYTES = 24_000_000
_TEMPLATE_KEY = b"tokenizer.chat_template"


def has_template(source: ModelFile) -> bool:
    """Whether a GGUF carries a chat template, told from its metadata without loading it. False when unreadable."""
    try:
        with source.path.open("rb") as file:
            file.seek(source.offset)
            return _TEMPLATE_KEY in file.read(min(_METADATA_BYTES, source.size))
    except OSError:
        return False


@dataclass(frozen=True, slots=True)
class Completion:
    """What the model wrote; times in seconds. `stopped` is True when it was cancelled."""

    text: str
    prompt_tokens: int
    reused_tokens: int
    tokens: int
    prompt_s: float
    first_s: float
    total_s: float
    stopped: bool


class TextModel:
    """A causal model from a GGUF. One completion at a time; other threads wait."""

    def __init__(self, source: ModelFile, threads: int, context_tokens: int = CONTEXT_TOKENS) -> None:
        library = engine.api()
        self._model = engine.Model(source)
        self._lock = threading.Lock()
        self._cancelled: Callable[[], bool] = lambda: False
        self.source = source
        self.context_tokens = context_tokens
        parameters = library.llama_context_default_params()
        parameters.n_ctx = context_tokens
        parameters.n_batch = parameters.n_ubatch = _BATCH
        parameters.n_threads = parameters.n_threads_batch = threads
        # Without the full window a prefix could not be kept between questions (sliding-window attention).
        parameters.swa_full = True
        self._abort = library.ggml_abort_callback(lambda data: self._cancelled())
        parameters.abort_callback = self._abort
        self._context = library.llama_init_from_model(self._model.pointer, parameters)
        if not self._context:
            self._model.close()
            raise AlmanacError("model_load_failed", name=source.name, reason="memory")
        self._memory = library.llama_get_memory(self._context)
        chain = library.llama_sampler_chain_init(library.llama_sampler_chain_default_params())
        library.llama_sampler_chain_add(chain, library.llama_sampler_init_greedy())
        self._sampler = chain
        self._kept: list[int] = []

    @property
    def template(self) -> str | None:
        """The chat template that an instruction-tuned model carries; None for a base model."""
        return self._model.metadata("tokenizer.chat_template")

    def use_threads(self, count: int) -> None:
        """Compute with `count` threads from now on."""
        with self._lock:
            engine.api().llama_set_n_threads(self._context, count, count)

    def close(self) -> None:
        """Free the native memory."""
        with self._lock:
            library = engine.api()
            if self._context:
                library.llama_sampler_free(self._sampler)
                library.llama_free(self._context)
                self._context = None
            self._model.close()

    def count(self, text: str) -> int:
        """Length of `text` in tokens."""
        return len(self._model.tokens(text))

    def apply_template(self, messages: list[tuple[str, str]]) -> str:
        """The prompt that an instruction-tuned model expects for `messages`."""
        library = engine.api()
        array = (library.llama_chat_message * len(messages))()
        for place, (role, content) in enumerate(messages):
            array[place].role = role.encode()
            array[place].content = content.encode()
        size = sum(len(content.encode()) for _, content in messages) * 2 + 4096
        buffer = ctypes.create_string_buffer(size)
        template = (self.template or "").encode()
        length = library.llama_chat_apply_template(template, array, len(messages), True, buffer, size)
        if length < 0:
            # A template that llama.cpp does not know by sight: the plain text still works.
            return "\n".join(content for _, content in messages) + "\n"
        return buffer.raw[:length].decode("utf-8", "replace")

    def warm(self, beginning: str) -> None:
        """Read `beginning` now, so that a prompt that starts with it is answered sooner."""
        with self._lock:
            tokens = self._model.tokens(beginning)
            self._feed(tokens[self._keep_prefix(tokens) :])

    def state(self) -> bytes:
        """What the model remembers of the text that it has read: `restore` brings it back in another run."""
        library = engine.api()
        with self._lock:
            size = library.llama_state_seq_get_size(self._context, 0)
            buffer = (ctypes.c_uint8 * size)()
            written = library.llama_state_seq_get_data(self._context, buffer, size, 0)
            return bytes(buffer[:written])

    def restore(self, beginning: str, state: bytes) -> bool:
        """Remember `beginning` as `state` holds it, without reading it. False when the state does not fit."""
        library = engine.api()
        with self._lock:
            tokens = self._model.tokens(beginning)
            library.llama_memory_clear(self._memory, True)
            self._kept = []
            buffer = (ctypes.c_uint8 * len(state)).from_buffer_copy(state)
            if library.llama_state_seq_set_data(self._context, buffer, len(state), 0) != len(state):
                library.llama_memory_clear(self._memory, True)
                return False
            self._kept = tokens
            return True

    def complete(
        self,
        prompt: str,
        max_tokens: int,
        stop: tuple[str, ...] = ("\n",),
        on_text: Callable[[str], None] = lambda text: None,
        cancelled: Callable[[], bool] = lambda: False,
        grammar: str = "",
    ) -> Completion:
        """Continue `prompt` until a stop text, the end token, `max_tokens`, or `cancelled` says so.

        With `grammar` (GBNF, root rule `root`) only what it allows is written; ValueError when it is broken.
        """
        with self._lock:
            self._cancelled = cancelled
            constraint = Constraint(self._model.vocab, grammar) if grammar else None
            try:
                return self._complete(prompt, max_tokens, stop, on_text, cancelled, constraint)
            finally:
                self._cancelled = lambda: False
                if constraint is not None:
                    constraint.close()

    def _complete(
        self,
        prompt: str,
        max_tokens: int,
        stop: tuple[str, ...],
        on_text: Callable[[str], None],
        cancelled: Callable[[], bool],
        constraint: Constraint | None,
    ) -> Completion:
        started = time.perf_counter()
        tokens = self._model.tokens(prompt)[-(self.context_tokens - max_tokens) :]
        reused = self._keep_prefix(tokens)
        read = self._feed(tokens[reused:])
        prompt_s = time.perf_counter() - started
        first_s = prompt_s
        written = bytearray()
        text = ""
        count = 0
        for token in self._sample(max_tokens, constraint) if read else ():
            if count == 0:
                first_s = time.perf_counter() - started
            count += 1
            written += self._piece(token)
            text = written.decode("utf-8", "ignore")
            cut = min((text.find(mark) for mark in stop if mark in text.lstrip("\n")), default=-1)
            if cut > 0:
                text = text[:cut]
                on_text(text)
                break
            on_text(text)
            if cancelled() or not self._feed([token]):
                break
        total = time.perf_counter() - started
        return Completion(text.strip(), len(tokens), reused, count, prompt_s, first_s, total, cancelled() or not read)

    def _keep_prefix(self, tokens: list[int]) -> int:
        """How many leading tokens are still in memory; the rest of the memory is dropped. At least one is fed."""
        common = 0
        for kept, wanted in zip(self._kept, tokens[:-1], strict=False):
            if kept != wanted:
                break
            common += 1
        if not engine.api().llama_memory_seq_rm(self._memory, 0, common, -1):
            engine.api().llama_memory_clear(self._memory, True)
            common = 0
        self._kept = tokens[:common]
        return common

    def _feed(self, tokens: list[int]) -> bool:
        """Let the model read `tokens`; False when it was cancelled (its memory then ends before them)."""
        library = engine.api()
        for start in range(0, len(tokens), _BATCH):
            part = tokens[start : start + _BATCH]
            array = (ctypes.c_int32 * len(part))(*part)
            if library.llama_decode(self._context, library.llama_batch_get_one(array, len(part))) != 0:
                library.llama_memory_seq_rm(self._memory, 0, len(self._kept), -1)
                return False
            self._kept.extend(part)
        return True

    def _sample(self, limit: int, constraint: Constraint | None) -> Iterator[int]:
        library = engine.api()
        for _ in range(limit):
            if constraint is not None:
                token = constraint.pick(self._context)
            else:
                token = library.llama_sampler_sample(self._sampler, self._context, -1)
            if library.llama_vocab_is_eog(self._model.vocab, token):
                return
            yield token

    def _piece(self, token: int) -> bytes:
        buffer = ctypes.create_string_buffer(256)
        length = engine.api().llama_token_to_piece(self._model.vocab, token, buffer, 256, 0, False)
        return buffer.raw[: max(length, 0)]
