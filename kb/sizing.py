"""How much of Almanac a device can carry: answer model, search by meaning, context, threads.

`decide` is a pure function. Its figures were measured on x86-64 with the models that ship (see BENCHMARKS.md): the
program with its search takes 60 MB and the interface some more; a model takes its weights (mapped), about a quarter of
them again (weights in the order that the processor likes), its vocabulary, and the context.
"""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING

from kb.device import MB, Device

if TYPE_CHECKING:
    from kb.config import ModelFile

RETRIEVAL_ONLY_BELOW_MB = 512
CONTEXT_TOKENS = 2048
SMALLEST_CONTEXT, LARGEST_CONTEXT = 1024, 8192
ANSWER_TOKENS = 512  # of the context, left for what the model writes and for the examples before the question

_LACKING = ("sizing_too_small", "sizing_addresses")
_PROGRAM_MB = 100
_VOCABULARY_MB = 60  # a quarter of a million pieces
_EMBEDDING_MB = 40  # buffers of an encoder that reads 512 tokens
_WEIGHTS = 1.25
_TOKENS_PER_MODEL = 10_000  # a token of context takes a ten-thousandth of the weights (gemma 270M: 18 KB of 253 MB)
# Address space (`ulimit -v`) is counted when it is reserved: libraries and threads; logits of a batch, never touched.
_PROGRAM_ADDRESSES_MB = 200
_LOGITS_ADDRESSES_MB = 600


@dataclass(frozen=True, slots=True)
class Wishes:
    """What a person (flags) or a profile wants; None: as the device allows. `memory_mb`: use at most so much."""

    model: bool | None = None
    vectors: bool | None = None
    context_tokens: int | None = None
    threads: int | None = None
    memory_mb: int | None = None

    def over(self, others: Wishes) -> Wishes:
        """These wishes, and those of `others` where nothing is wished here."""
        own = {field.name: getattr(self, field.name) for field in fields(self)}
        return replace(others, **{name: value for name, value in own.items() if value is not None})


@dataclass(frozen=True, slots=True)
class Weights:
    """Sizes in MB: of each model (0: there is none), and of the files that they lie in (mapped whole while loading)."""

    answer_mb: int = 0
    embedder_mb: int = 0
    answer_file_mb: int = 0
    embedder_file_mb: int = 0


def weigh(answer: ModelFile | None, embedder: ModelFile | None) -> Weights:
    """The sizes of the models; a file that cannot be looked at counts with the model's own size."""

    def whole(model: ModelFile | None) -> int:
        if model is None:
            return 0
        try:
            return model.path.stat().st_size // MB
        except OSError:
            return model.size // MB

    def own(model: ModelFile | None) -> int:
        return max(1, model.size // MB) if model is not None else 0

    return Weights(own(answer), own(embedder), whole(answer), whole(embedder))


@dataclass(frozen=True, slots=True)
class Room:
    """What can be taken, in MB; None: no limit is known."""

    memory_mb: int | None
    address_mb: int | None

    def lacks(self, memory_mb: int, address_mb: int) -> str:
        """The reason why both do not fit; "" when they do."""
        if self.memory_mb is not None and memory_mb > self.memory_mb:
            return "sizing_too_small"
        return "sizing_addresses" if self.address_mb is not None and address_mb > self.address_mb else ""

    def less(self, memory_mb: int, address_mb: int) -> Room:
        """What is left after both were taken."""
        return Room(
            None if self.memory_mb is None else self.memory_mb - memory_mb,
            None if self.address_mb is None else self.address_mb - address_mb,
        )


@dataclass(frozen=True, slots=True)
class Choice:
    """Why something is as it is: a text key and what it names."""

    reason: str
    needed_mb: int = 0

    @property
    def lacking(self) -> bool:
        """Whether it is off because the device cannot carry it."""
        return self.reason in _LACKING


@dataclass(frozen=True, slots=True)
class Sizing:
    """What is used, each with its reason. `context_tokens` is what the model reads and writes together.

    `memory_mb` is what was reckoned with, None when the system does not tell.
    """

    use_model: bool
    use_vectors: bool
    context_tokens: int
    threads: int
    memory_mb: int | None
    model_choice: Choice
    vectors_choice: Choice
    context_choice: str
    threads_choice: str

    def token_budget(self, wanted: int) -> int:
        """The most tokens that the model may be given to read, of `wanted`."""
        return max(1, min(wanted, self.context_tokens - ANSWER_TOKENS))


def default_threads(cores: int) -> int:
    """Threads for the answer model: one on small machines, else all but one, four at most.

    ggml's threads wait for each other in a loop. With a thread per core and anything else running, a token takes
    a hundred times as long (measured: BENCHMARKS.md), so one core is always left over.
    """
    return max(1, min(cores - 1, 4))


def decide(device: Device, weights: Weights, wishes: Wishes, budget: int) -> Sizing:
    """What to use on `device`. `budget`: tokens that an answer may have the model read.

    Search by meaning comes before the answer model: answers are quotes without it. What `wishes` say holds, whatever
    the device has.
    """
    capped = wishes.memory_mb is not None and (device.memory_mb is None or wishes.memory_mb < device.memory_mb)
    memory = wishes.memory_mb if capped else device.memory_mb
    room = Room(memory, device.address_mb).less(_PROGRAM_MB, _PROGRAM_ADDRESSES_MB)
    needed = round(weights.embedder_mb * _WEIGHTS) + _VOCABULARY_MB + _EMBEDDING_MB
    addresses = weights.embedder_file_mb + needed
    use_vectors, vectors_choice = _choose(
        wishes.vectors, weights.embedder_mb, room.lacks(needed, addresses), _PROGRAM_MB + needed
    )
    if use_vectors:
        # Once loaded, only the model's own part of the file stays mapped.
        room = room.less(needed, needed + weights.embedder_mb)
    wanted = wishes.context_tokens or _wanted_context(budget)
    context, needed, lacking = _context(weights, wanted, wishes.context_tokens is not None, room)
    small = memory is not None and memory < RETRIEVAL_ONLY_BELOW_MB
    taken = _PROGRAM_MB if memory is None or room.memory_mb is None else memory - room.memory_mb
    needed = max(taken + needed, RETRIEVAL_ONLY_BELOW_MB)
    use_model, model_choice = _choose(wishes.model, weights.answer_mb, "sizing_too_small" if small else lacking, needed)
    return Sizing(
        use_model=use_model,
        use_vectors=use_vectors,
        context_tokens=context,
        threads=wishes.threads or default_threads(device.cores),
        memory_mb=memory,
        model_choice=model_choice,
        vectors_choice=vectors_choice,
        context_choice=_context_reason(context, wanted, wishes.context_tokens is not None),
        threads_choice="sizing_wished" if wishes.threads else "sizing_cores",
    )


def _choose(wish: bool | None, size_mb: int, lacking: str, needed_mb: int) -> tuple[bool, Choice]:
    if not size_mb:
        return False, Choice("sizing_absent")
    if wish is not None:
        return wish, Choice("sizing_wished", needed_mb)
    return not lacking, Choice(lacking or "sizing_fits", needed_mb)


def _wanted_context(budget: int) -> int:
    context = CONTEXT_TOKENS
    while context < min(budget + ANSWER_TOKENS, LARGEST_CONTEXT):
        context *= 2
    return context


def _context_reason(context: int, wanted: int, wished: bool) -> str:
    if wished:
        return "sizing_wished"
    if context < wanted:
        return "sizing_shortened"
    return "sizing_budget" if context > CONTEXT_TOKENS else "sizing_standard"


def _context(weights: Weights, wanted: int, wished: bool, room: Room) -> tuple[int, int, str]:
    """Context in tokens, memory of the model with it in MB, and why that does not fit ("": it does).

    What is `wished` is not shortened.
    """
    context = wanted
    while True:
        needed = round(weights.answer_mb * (_WEIGHTS + context / _TOKENS_PER_MODEL)) + _VOCABULARY_MB
        lacking = room.lacks(needed, weights.answer_file_mb + needed + _LOGITS_ADDRESSES_MB)
        if not lacking or wished or context <= SMALLEST_CONTEXT:
            return context, needed, lacking
        context //= 2
