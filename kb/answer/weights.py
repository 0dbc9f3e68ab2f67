"""Weights of the evidence signals (kb.answer.signals), fitted by scripts/fit_answer.py on the open halves."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

# The reading sets have no tables and hardly a prohibition; these two are set by hand: a row is meant when the question
# names its first cell, and who asks how much does not ask what is forbidden.
_BY_HAND = {"forbids": -0.8, "rowkey": 0.5}

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


# By (question in Chinese, with an embedder); `scripts/fit_answer.py --answers`, --mode similar and --mode lexical. The
# thresholds refuse about one in twenty answerable questions of the open halves. Without an embedder the chance was
# fitted on large trees and is too high in small ones, where the score of the unit still tells: `weakest` is by hand, so
# that of tests/eval/sample_questions.py at most one question is answered wrongly.
ANSWERS: Mapping[tuple[bool, bool], Answers] = {
    (True, True): Answers(
        {"bias": -3.331, "score": 0.028, "similar": 0.924, "nearest": 3.732, "confidence": 2.466, "lacks": -1.799,
         "section_lacks": -1.906, "number_lacked": -0.655},
        refuse_below=0.333,
    ),
    (True, False): Answers(
        {"bias": -0.464, "confidence": 4.758, "coverage": 1.312, "lacks": -2.494, "section_lacks": -1.011,
         "number_lacked": -0.428},
        refuse_below=0.177,
        weakest=0.28,
    ),
    (False, True): Answers(
        {"bias": -2.109, "similar": 0.508, "nearest": 2.752, "confidence": 0.565, "rarest_lacked": -0.506,
         "name_lacked": -0.194, "denial_differs": -0.248, "denied": -1.807},
        refuse_below=0.31,
    ),
    (False, False): Answers(
        {"bias": -0.281, "confidence": 2.073, "coverage": 0.103, "rarest_lacked": -0.678, "name_lacked": -0.3,
         "denial_differs": -0.157, "denied": -1.794},
        refuse_below=0.325,
        weakest=0.28,
    ),
}  # fmt: skip
