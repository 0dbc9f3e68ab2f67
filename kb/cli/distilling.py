"""The distiller with the models that there are: what the command line and the worker judge events with."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

from kb.answer.runtime import Runtime
from kb.config import Config
from kb.supply.distill_meaning import Lessons
from kb.supply.distill_model import judged_by, worded_by
from kb.supply.distill_propose import Distiller
from kb.supply.duplicates import Duplicates
from kb.supply.roster import default_roster, load_roster
from kb.supply.store import read_cards
from kb.versions.plumbing import Repository

_ABLE_BYTES = 1_000_000_000
"""Instruction-tuned models below this size answer every event alike: they only word."""


@contextlib.contextmanager
def open_distiller(config: Config, repository: Repository) -> Iterator[Distiller]:
    """The distiller of `repository`, with comparing by meaning, wording by a small model or judging by a big one."""
    root = repository.root
    cards, roster = read_cards(root).cards, load_roster(root) or default_roster()
    if config.embedder is None and (config.answer_model is None or not config.use_model):
        yield Distiller(repository, Duplicates(cards), roster, config.lang)
        return
    runtime = Runtime(config)
    try:
        runtime.load()
        embedder, model = runtime.embedder, runtime.text_model
        embed = None if embedder is None else embedder.embed_passages

        def complete(prompt: str, grammar: str, most: int) -> str:
            return "" if model is None else model.complete(prompt, most, grammar=grammar).text

        def instruct(prompt: str, grammar: str, most: int) -> str:
            return complete("" if model is None else model.apply_template([("user", prompt)]), grammar, most)

        able = model is not None and model.template is not None and model.source.size >= _ABLE_BYTES
        known = config.embedder is not None and Lessons.fits(config.embedder.identity)
        yield Distiller(
            repository, Duplicates(cards, embed), roster, config.lang,
            word=None if model is None or able else worded_by(complete),
            judge=judged_by(instruct) if able else None,
            lessons=None if embed is None or not known else Lessons(embed),
        )  # fmt: skip
    finally:
        runtime.close()
