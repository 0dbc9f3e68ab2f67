"""Putting an agent together: the knowledge's rules and data, the tools that ship, the model if it can plan."""

from __future__ import annotations

import datetime
from collections.abc import Callable
from pathlib import Path

from kb.answer.agent.knowledge import Desk
from kb.answer.agent.loop import Agent, Limits
from kb.answer.agent.planner import ModelPlanner
from kb.answer.agent.rules import in_language
from kb.answer.agent.settings import data_folder, load_rules
from kb.answer.agent.shipped import shipped_tools
from kb.answer.answerer import Answerer, HasRetriever
from kb.answer.journal import Journal
from kb.answer.text_model import TextModel
from kb.errors import KnowledgeError
from kb.search.retriever import Retriever
from kb.texts import Lang
from kb.versions.history import KnowledgeVersion


def build_agent(
    retriever: Retriever | HasRetriever,
    lang: Lang = "en",
    *,
    data: Path | None = None,
    model: TextModel | None = None,
    version: Callable[[], KnowledgeVersion] = KnowledgeVersion,
    limits: Limits | None = None,
    journal: Journal | None = None,
    clock: Callable[[], datetime.date] = datetime.date.today,
) -> Agent:
    """An agent over the knowledge of `retriever` with the tools that ship; descriptions in `lang`.

    `data` is a folder with orders.jsonl or orders.csv and *.log files; without one, the folder that the knowledge's
    agent.yaml names (sample data), if there is one. `model` plans only when it is instruction-tuned. KnowledgeError
    when `data` is not a folder or the rules are broken. Documents must be valid on the day that `clock` gives.
    `journal` keeps the codes that no document explains, as gaps.
    """
    search = retriever if isinstance(retriever, Retriever) else retriever.retriever
    rules = load_rules(search.root)
    sample = ""
    if data is not None:
        folder: Path | None = data.expanduser().absolute()
        label = str(data)
        if not data.expanduser().is_dir():
            raise KnowledgeError("agent_no_data", path=str(data))
    else:
        folder = data_folder(search.root, rules)
        label = rules.data
        sample = in_language(rules.sample, lang)
    desk = Desk(search, Answerer(search, version, clock=clock), clock)
    planner = ModelPlanner(model) if model is not None and model.template else None
    return Agent(
        shipped_tools(desk, folder, lang),
        rules,
        planner,
        limits or Limits(),
        version,
        label if folder else "",
        sample,
        journal,
    )
