"""From evidence to words: quote, select or compose, by what the model can do; nothing unchecked is ever passed on."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from kb.answer import pieces, prompts
from kb.answer.answer import Way
from kb.answer.checker import check
from kb.answer.composing import Source, compose
from kb.answer.text_model import Completion, TextModel
from kb.texts import Lang

_MAX_ANSWER_TOKENS = 96
_MAX_COMPOSED_TOKENS = 192


@dataclass(frozen=True, slots=True)
class Wording:
    """The words of an answer: how they came about, the places of the sources they rest on, and what it took.

    `replaced` counts sentences of the model that gave way to the quote; `first_s` is the time to its first token.
    """

    text: str
    way: Way
    cited: tuple[int, ...] = (0,)
    replaced: int = 0
    tokens: int = 0
    first_s: float | None = None


@dataclass(frozen=True, slots=True)
class Task:
    """What is to be worded: the question, its sources (best first, the first one answers), and how to report and stop.

    `budget` is the most tokens that the prompt may take.
    """

    question: str
    lang: Lang
    sources: Sequence[Source]
    budget: int
    on_text: Callable[[str], None]
    cancelled: Callable[[], bool]

    @property
    def quote(self) -> str:
        """The quote that answers when nothing else does."""
        return self.sources[0].quote


def default_way(model: TextModel | None, preferred: Way | None) -> Way:
    """`preferred` where the model can do it; else compose for an instruction-tuned model, quote for a base model.

    A base model's choice holds the answer less often than the quote does (BENCHMARKS.md, answers), so it is not asked
    unless a person wants short answers.
    """
    if model is None:
        return Way.QUOTE
    able = {Way.QUOTE, Way.SELECT, Way.COMPOSE} if model.template else {Way.QUOTE, Way.SELECT}
    if preferred in able:
        return preferred
    return Way.COMPOSE if model.template else Way.QUOTE


def word(task: Task, model: TextModel | None, way: Way) -> Wording:
    """The words for `task` by `way`; the quote when there is no model, or when the task was cancelled."""
    if model is None or way is Way.QUOTE or task.cancelled():
        return _quoted(task)
    return _select(task, model) if way is Way.SELECT else _compose(task, model)


def _quoted(task: Task, replaced: int = 0, done: Completion | None = None) -> Wording:
    """The quote, in place of `replaced` sentences that the model wrote in `done`."""
    task.on_text(task.quote)
    spent = (done.tokens, done.first_s) if done else (0, None)
    return Wording(task.quote, Way.QUOTE, (0,), replaced, *spent)


def _select(task: Task, model: TextModel) -> Wording:
    """The clauses of the first source that hold the piece which the model chooses under a grammar."""
    passage = task.sources[0].text
    if model.template:
        prompt = model.apply_template(prompts.chat(task.question, [passage], task.lang))
    else:
        prompt = prompts.few_shot(task.question, passage, task.lang)
    fits = model.count(prompt) <= task.budget
    try:
        grammar = pieces.grammar([passage])
    except ValueError:
        fits = False
    if not fits:
        return _quoted(task)
    done = model.complete(
        prompt, _MAX_ANSWER_TOKENS, ("\n",), lambda text: task.on_text(text.strip()), task.cancelled, grammar=grammar
    )
    chosen = pieces.whole_clauses(done.text, passage)
    verdict = check(chosen, passage, f"{task.question} {task.sources[0].around}")
    if verdict.passed and not done.stopped:
        task.on_text(chosen)
        return Wording(chosen, Way.SELECT, (0,), 0, done.tokens, done.first_s)
    return _quoted(task, 1, done)


def _compose(task: Task, model: TextModel) -> Wording:
    """Sentences of the model over as many sources as fit, each checked before it is shown."""
    sources = list(task.sources)
    room = min(task.budget, model.context_tokens - _MAX_COMPOSED_TOKENS)
    while sources and model.count(_asked(task, model, sources)) > room:
        sources.pop()
    if not sources:
        return _quoted(task)
    checked = ""

    def grown(text: str) -> None:
        nonlocal checked
        # Only whole sentences can be checked; the last one may still grow.
        whole = _but_last(text)
        if whole == checked:
            return
        checked = whole
        composed = compose(whole, sources, task.question)
        if composed.kept:
            task.on_text(composed.text)

    done = model.complete(_asked(task, model, sources), _MAX_COMPOSED_TOKENS, ("\n\n",), grown, task.cancelled)
    composed = compose(done.text, sources, task.question)
    if done.stopped or not composed.kept:
        return _quoted(task, max(composed.replaced, 1), done)
    task.on_text(composed.text)
    return Wording(composed.text, Way.COMPOSE, composed.cited, composed.replaced, done.tokens, done.first_s)


def _asked(task: Task, model: TextModel, sources: Sequence[Source]) -> str:
    return model.apply_template(prompts.chat(task.question, [source.text for source in sources], task.lang))


def _but_last(text: str) -> str:
    """`text` up to its last sentence mark that something follows."""
    for place in range(len(text) - 2, -1, -1):
        if text[place] in "。！？\n" or (text[place] in ".!?]" and text[place + 1].isspace()):
            return text[: place + 1]
    return ""
