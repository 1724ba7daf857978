"""Simulated runs with a known truth: rules keep the bounds, or are told."""

import pytest

import simulate
from onthefly import claims
from simulating import noise, questions, runs

RUNS = 80


@pytest.mark.parametrize("name", questions.QUESTIONS)
def test_a_rule_is_seldom_wrong_at_its_edges(name):
    question = questions.QUESTIONS[name]
    for truth in question.edges:
        wrong, _ = runs.shares(question, truth, "spread", "one", RUNS, 0)
        assert wrong <= 0.08  # 2.5 % by design, and chance


@pytest.mark.parametrize("name", questions.QUESTIONS)
def test_a_quiet_machine_resolves_what_is_far(name):
    question = questions.QUESTIONS[name]
    hits = question.hits[0]
    for truth in question.beyond:
        _, right = runs.shares(question, truth, "quiet", hits, 30, 0)
        assert right >= 0.9


@pytest.mark.parametrize(
    ("kind", "hits", "decides"),
    [("neighbour", "both", True), ("neighbour", "each", True),
     ("neighbour", "one", False), ("crowd", "one", False)],
)  # fmt: skip
def test_others_leave_open_what_lacks_cores(kind, hits, decides):
    question = questions.QUESTIONS["near, a ratio"]
    far = max(question.beyond)
    wrong, right = runs.shares(question, far, kind, hits, 30, 0)
    assert wrong == 0 and (right > 0) == decides


def by_the_value(q, expect):
    """A rule that does not look at the interval."""
    return "reproduced" if q.value >= expect["value"] else "contradicted", ""


def test_the_command_tells_a_rule_that_is_often_wrong(monkeypatch, capsys):
    monkeypatch.setattr(noise, "KINDS", {"quiet": noise.KINDS["quiet"]})
    asked = ["--runs", "50", "--rule", "at least"]
    assert simulate.main(asked) == 0
    assert "BROKEN" not in capsys.readouterr().out
    monkeypatch.setitem(claims.RULES, "at least", by_the_value)
    assert simulate.main(asked) == 1
    assert "BROKEN" in capsys.readouterr().out


@pytest.mark.parametrize(
    "asked", [["--runs", "0"], ["--seed", "-1"], ["--rule", "nope"]]
)
def test_the_command_refuses(asked, capsys):
    assert simulate.main(asked) == 2
    assert capsys.readouterr().err.count("\n") == 1
