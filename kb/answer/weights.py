"""Weights of the evidence signals (kb.answer.signals), fitted by scripts/fit_answer.py on the open halves."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

# The reading sets have no tables and hardly a prohibition; these are set by hand: a row is meant when the question
# names its first cell or a value that the row is about, and who asks how much does not ask what is forbidden.
_BY_HAND = {"forbids": -0.8, "rowkey": 0.5, "condition": 1.0}

WITHOUT_SIMILARITY: Mapping[str, float] = {
    **_BY_HAND, "bias": -2.288, "coverage": 2.119, "rarest": -0.077, "context": 1.112, "missing": -1.642, "run": 0.638,
    "text": 0.492, "meaning": 0.413, "path": -0.072, "first": 1.033, "length": -0.217, "short": -0.164,
    "position": 0.296, "item": -0.067, "elsewhere": -0.586, "quantity": 0.419, "when": 0.378, "why": 0.183,
    "how": 0.153, "who": 0.022, "where": 0.679, "what": 0.096, "echo": 0.137, "neighbour": -0.128,
}  # fmt: skip
WITH_SIMILARITY: Mapping[str, float] = {
    **_BY_HAND, "bias": -3.538, "coverage": 1.922, "rarest": -0.238, "context": 1.872, "missing": -1.856, "run": 0.633,
    "text": 0.524, "meaning": 0.33, "path": -0.172, "first": 1.241, "length": -0.158, "short": -0.126,
    "position": 0.233, "item": -0.043, "elsewhere": -0.765, "quantity": 0.485, "when": 0.448, "why": 0.277,
    "how": 0.251, "who": 0.013, "where": 1.039, "what": 0.111, "echo": 0.133, "neighbour": 0.191, "similar": 1.606,
}  # fmt: skip
# Without an embedder: `meaning` and `similar` are not known.
LEXICAL: Mapping[str, float] = {
    **_BY_HAND, "bias": -2.567, "coverage": 2.315, "rarest": -0.112, "context": 1.156, "missing": -1.718, "run": 0.879,
    "text": 0.496, "path": 0.186, "first": 1.198, "length": -0.133, "short": -0.211, "position": 0.383,
    "item": -0.054, "elsewhere": -0.504, "quantity": 0.257, "when": 0.425, "why": 0.197, "how": 0.026, "who": -0.052,
    "where": 0.592, "what": 0.117, "echo": 0.144, "neighbour": -0.087,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Answers:
    """Weights of kb.answer.answerable, the chance below which the documents do not say, and the score likewise."""

    weights: Mapping[str, float]
    refuse_below: float
    weakest: float = 0.0


# By (question in Chinese, with an embedder); `scripts/fit_answer.py --answers`, --mode similar and --mode lexical.
# `refuse_below` lies between the chance below which one in twenty of all answerable questions of the open halves falls
# and that for those whose right document comes first. Without an embedder the chance was fitted on large trees and is
# too high in small ones, where the score of the unit still tells: `weakest` is by hand, so that of
# tests/eval/sample_questions.py at most one question is answered wrongly.
ANSWERS: Mapping[tuple[bool, bool], Answers] = {
    (True, True): Answers(
        {"bias": -2.603, "score": 0.578, "similar": 1.094, "nearest": 2.651, "confidence": 2.126, "lacks": -0.804,
         "section_lacks": -0.798, "number_lacked": -0.5, "denial_differs": -0.055, "vicinity_lacks": -1.31},
        refuse_below=0.43,
    ),
    (True, False): Answers(
        {"bias": 0.845, "confidence": 3.22, "coverage": 0.635, "lacks": -1.269, "section_lacks": -0.131,
         "unknown": -1.473, "unknown_character": -1.094, "vicinity_lacks": -2.376},
        refuse_below=0.41,
        weakest=0.2,
    ),
    (False, True): Answers(
        {"bias": -1.173, "similar": 0.65, "nearest": 1.601, "confidence": 1.469, "section_lacks": -1.241,
         "number_lacked": -0.402, "denial_differs": -0.058, "denied": -0.356, "fresh_name": 0.127,
         "elsewhere": -0.348, "unknown": -0.439, "vicinity_lacks": -0.859},
        refuse_below=0.38,
    ),
    (False, False): Answers(
        {"bias": 0.489, "confidence": 2.167, "coverage": 0.064, "lacks": -0.215, "section_lacks": -0.805,
         "number_lacked": -0.265, "denied": -0.17, "elsewhere": -0.052, "unknown": -2.019, "vicinity_lacks": -1.646},
        refuse_below=0.39,
        weakest=0.25,
    ),
}  # fmt: skip

# The same where the best evidence is in the other language, by whether the question is Chinese: words say nothing then.
ACROSS: Mapping[bool, Answers] = {
    True: Answers(
        {"bias": -1.39, "similar": 2.179, "confidence": 0.664, "number_lacked": -0.54},
        refuse_below=0.4,
    ),
    False: Answers(
        {"bias": -1.472, "similar": 1.441, "nearest": 0.958, "confidence": 1.439, "number_lacked": -0.624},
        refuse_below=0.36,
    ),
}
