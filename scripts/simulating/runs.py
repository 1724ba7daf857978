"""How often a verdict is wrong, and how often there is one."""

import dataclasses
import zlib

import numpy as np

from onthefly.claims import UNRESOLVED
from simulating import noise


@dataclasses.dataclass(frozen=True)
class Row:
    """What became of many runs of one rule, noise and way of hitting.

    wrong     the share of wrong verdicts at the worst truth
    truth     that truth
    resolved  on a quiet machine, the least share of right verdicts among
              the truths that lie twice as far as an edge; else None
    """

    rule: str
    kind: str
    hits: str
    wrong: float
    truth: float
    resolved: float | None


def shares(question, truth, kind, hits, runs, seed):
    """Return the shares of wrong and of right verdicts at one truth."""
    text = f"{question.expect} {truth} {kind} {hits}"
    rng = np.random.default_rng([seed, zlib.crc32(text.encode())])
    allowed = question.allowed(truth)
    found = [
        question.verdict(question.answer(truth, kind, hits, rng))
        for _ in range(runs)
    ]
    right = sum(verdict in allowed for verdict in found)
    return (runs - right - found.count(UNRESOLVED)) / runs, right / runs


def row(name, question, kind, hits, runs, seed):
    """Return the Row of a rule under one noise."""

    def at(truth):
        return shares(question, truth, kind, hits, runs, seed)

    wrong, truth = max((at(t)[0], t) for t in question.truths)
    resolved = None
    if kind == "quiet":
        resolved = min(at(t)[1] for t in question.beyond)
    return Row(name, kind, hits, wrong, truth, resolved)


def rows(questions, runs, seed):
    """Yield the Row of each rule, noise and way of hitting."""
    for name, question in questions.items():
        for kind in noise.KINDS:
            # Nothing hits anybody on a quiet machine.
            for hits in question.hits[: 1 if kind == "quiet" else None]:
                yield row(name, question, kind, hits, runs, seed)
