"""What git knows of the ledger: a planted history."""

import json
import subprocess

import pytest

import claims as command
from onthefly.refused import Refused
from reading import history

ENTRY = """\
  - id: {}
    says: Something,
      at some length.
    expect: {{rule: near, value: {},
      unit: s}}

"""


class Checkout:
    """A repository with a ledger and results, one commit at a time."""

    def __init__(self, root):
        self.root, self._days = root, 0
        self.git("init", "--quiet")

    def git(self, *arguments):
        self._days += 1
        day = f"2026-01-{self._days:02}T00:00:00Z"
        who = ["-c", "user.name=A", "-c", "user.email=a@b.c"]
        return subprocess.run(
            ["git", *who, *arguments],
            cwd=self.root, check=True, capture_output=True, text=True,
            env={"PATH": "/usr/bin:/bin", "HOME": str(self.root),
                 "GIT_AUTHOR_DATE": day, "GIT_COMMITTER_DATE": day},
        ).stdout.strip()  # fmt: skip

    def ledger(self, **rules):
        path = self.root / history.LEDGER
        path.parent.mkdir(exist_ok=True)
        text = "".join(ENTRY.format(*rule) for rule in rules.items())
        path.write_text(f"claims:\n{text}")

    def results(self, machine, *judged):
        path = self.root / history.RESULTS / machine / "first-benchmark.json"
        path.parent.mkdir(parents=True, exist_ok=True)
        held = {"onthefly": {"quantities": {claim: {} for claim in judged}}}
        path.write_text(json.dumps(held, indent=1))

    def commit(self):
        self.git("add", ".")
        self.git("commit", "--quiet", "--message", "x")
        return self.git("rev-parse", "HEAD")


@pytest.fixture
def checkout(tmp_path):
    return Checkout(tmp_path)


def orders(checkout):
    return {age.claim: age.order for age in history.ages(checkout.root)}


def test_a_rule_that_came_first_is_told_from_one_that_did_not(checkout):
    checkout.ledger(early=1, late=1)
    checkout.commit()
    checkout.results("box", "early", "late", "along")
    checkout.ledger(early=1, late=1, along=1, unjudged=1)
    first = checkout.commit()
    checkout.results("other", "early", "late")  # a later result changes none
    checkout.ledger(early=1, late=2, along=1, unjudged=1)
    last = checkout.commit()
    found = {age.claim: age for age in history.ages(checkout.root)}
    assert set(found) == {"early", "late", "along"}
    assert found["early"].order < 0 == found["along"].order
    assert found["late"].order > 0
    assert (found["late"].rule, found["late"].result) == (last, first)
    assert found["early"].result == first


def test_the_command_names_the_late_and_counts_all(checkout, capsys):
    checkout.ledger(early=1, late=1)
    checkout.commit()
    checkout.results("box", "early", "late")
    checkout.commit()
    checkout.ledger(early=1, late=2)
    checkout.commit()
    command.check(checkout.root)
    *named, total = capsys.readouterr().out.splitlines()
    assert [line.split(":")[0] for line in named] == ["late"]
    assert total.startswith("2 claims")


def test_the_second_line_of_a_rule_counts_and_other_words_do_not(checkout):
    checkout.ledger(one=1)
    checkout.commit()
    checkout.results("box", "one")
    checkout.commit()
    path = checkout.root / history.LEDGER
    text = path.read_text()
    path.write_text(text.replace("some length", "great length"))
    checkout.commit()
    assert orders(checkout)["one"] < 0
    path.write_text(text.replace("unit: s", "unit: ms"))
    assert orders(checkout)["one"] > 0  # not committed, and so the youngest


def test_what_is_no_history_is_refused(checkout, tmp_path, monkeypatch):
    checkout.ledger(one=1)
    checkout.commit()
    checkout.results("box", "one")
    checkout.commit()
    copy = tmp_path / "copy"
    checkout.git("clone", "--quiet", "--depth=1", f"file://{tmp_path}", copy)
    with pytest.raises(Refused, match="--unshallow"):
        history.ages(copy)
    bare = tmp_path / "bare"
    bare.mkdir()
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path))
    with pytest.raises(Refused, match="not a git repository"):
        history.ages(bare)
    monkeypatch.setenv("PATH", str(bare))
    with pytest.raises(Refused, match="git is missing"):
        history.ages(checkout.root)
