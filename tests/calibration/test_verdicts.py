"""How often a verdict is wrong, in simulated runs whose truth is known.

With truths at the edges of each rule's band, 1 % inside and 1 % outside,
where it errs most, at most 5 % of the verdicts may be wrong under any noise;
"not resolved" is none.  On a quiet machine at least 90 % must be right at
truths twice as far as an edge.
"""

import pytest
from simulated_runs import HITS, NOISE, QUESTIONS

from onthefly.page import claims

RUNS = 1000
calibration = pytest.mark.calibration
EDGES = [
    (name, kind, hits)
    for name in QUESTIONS
    for kind in NOISE
    # Nothing hits anybody on a quiet machine.
    for hits in HITS[: 1 if kind == "quiet" else len(HITS)]
]


def wrong_at_edges(question, kind, hits, runs):
    """Return the share of wrong verdicts at the worst truth near an edge."""
    truths = question.near_edges()
    return max(question.tried(t, kind, hits, runs)[0] for t in truths)


@calibration
@pytest.mark.parametrize(("name", "kind", "hits"), EDGES)
def test_a_verdict_is_seldom_wrong(name, kind, hits):
    assert wrong_at_edges(QUESTIONS[name], kind, hits, RUNS) <= 0.05


@pytest.mark.parametrize("name", QUESTIONS)
def test_a_verdict_is_seldom_wrong_where_one_candidate_spreads(name):
    # 2.5 % by design, and chance
    assert wrong_at_edges(QUESTIONS[name], "spread", "one", 80) <= 0.08


@pytest.mark.parametrize("runs", [30, pytest.param(RUNS, marks=calibration)])
@pytest.mark.parametrize("name", QUESTIONS)
def test_a_quiet_machine_resolves_what_is_far(name, runs):
    question = QUESTIONS[name]
    for truth in question.beyond:
        _, right = question.tried(truth, "quiet", HITS[0], runs)
        assert right >= 0.9


@pytest.mark.parametrize(
    ("kind", "hits", "decides"),
    [
        ("load on one core", "both", True),
        ("load on one core", "each", True),
        ("load on one core", "one", False),
        ("load on all cores", "one", False),
    ],
)
def test_load_leaves_open_what_lacks_cores(kind, hits, decides):
    question = QUESTIONS["near"]
    wrong, right = question.tried(max(question.beyond), kind, hits, 30)
    assert wrong == 0 and (right > 0) == decides


def test_a_rule_that_does_not_look_at_the_interval_is_seen(monkeypatch):
    def by_the_value(q, expect):
        good = q.value >= expect["value"]
        return "reproduced" if good else "contradicted", ""

    monkeypatch.setitem(claims.RULES, "at least", by_the_value)
    assert wrong_at_edges(QUESTIONS["at least"], "quiet", "both", 50) > 0.05
