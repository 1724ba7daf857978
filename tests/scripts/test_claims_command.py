"""The command that prints the verdict of every claim."""

import json

import pytest

import claims as command
from conftest import call
from onthefly.page import claims
from onthefly.page.verdicts import SYMBOLS
from small_books import assert_refused, run_script


def test_the_command_prints_every_claim():
    done = call(command.main, "--json")
    assert done.returncode == 0, done.stderr
    rows = json.loads(done.stdout)
    assert [r["id"] for r in rows] == list(claims.load().claims)
    assert {r["verdict"] for r in rows} <= set(SYMBOLS)
    for row in rows:
        if row["chapter"] not in claims.written():
            assert row["verdict"] == "chapter not written"
        if row["verdict"] in (claims.UNMEASURED, claims.UNRESOLVED):
            assert row["reason"]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--chapter", "race"], "'race': did you mean races?"),
        (["--machine", "nope"], "unknown machine 'nope'"),
        (["--check"], "not a git repository"),
    ],
)
def test_the_command_refuses(tmp_path, arguments, words):
    environment = {"GIT_DIR": str(tmp_path)}
    done = run_script("claims.py", *arguments, folder=tmp_path, **environment)
    assert_refused(done, words)
