"""Which came first, a rule or its first result: asked of a real history."""

import json
import subprocess

import pytest

from reading import history

RULE = "- id: {0}\n    expect: {{rule: holds}}\n"
FORMATS = {
    "today's": {"quantities": {"later": {}, "sooner": {}}},
    "the first": {"onthefly": {"quantities": {"later": {}, "sooner": {}}}},
}


@pytest.mark.parametrize("form", FORMATS)
def test_a_rule_that_came_after_its_result_is_told(tmp_path, form):
    ledger = tmp_path / "book" / "claims.yml"
    ledger.parent.mkdir()

    def commit(ids):
        ledger.write_text("".join("  " + RULE.format(one) for one in ids))
        for line in (["init", "-q"], ["add", "."], ["commit", "-qm", "one"]):
            who = "-c", "user.name=a", "-c", "user.email=a@b"
            subprocess.run(["git", *who, *line], cwd=tmp_path, check=True)

    commit(["sooner"])
    path = tmp_path / "book" / "results" / "box" / "page.json"
    path.parent.mkdir(parents=True)
    path.write_text(json.dumps(FORMATS[form]))
    (path.parent / "other.json").write_text("[1]")
    commit(["sooner", "other"])
    commit(["sooner", "other", "later"])
    order = {age.claim: age.order for age in history.ages(tmp_path)}
    assert order == {"sooner": -1, "later": 1}
