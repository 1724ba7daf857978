"""The command that prints the verdict of every claim."""

import json
import os
import subprocess
import sys

import pytest

from commandline import ROOT
from onthefly import claims
from onthefly.page import SYMBOLS


def run(*arguments, **environment):
    return subprocess.run(
        [sys.executable, ROOT / "scripts" / "claims.py", *arguments],
        capture_output=True,
        text=True,
        env={**os.environ, **environment},
    )


def test_the_command_prints_every_claim():
    done = run("--json")
    assert done.returncode == 0, done.stderr
    rows = json.loads(done.stdout)
    assert {r["id"] for r in rows} == set(claims.load().claims)
    assert {r["verdict"] for r in rows} <= set(SYMBOLS)
    for row in rows:
        if row["chapter"] not in claims.written():
            assert row["verdict"] == "chapter not written"
        if row["verdict"] in (claims.UNMEASURED, claims.UNRESOLVED):
            assert row["reason"]


def test_without_a_history_the_check_refuses(tmp_path):
    done = run("--check", GIT_DIR=str(tmp_path))
    assert done.returncode == 2
    assert "not a git repository" in done.stderr
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--chapter", "race"], "'race': did you mean races?"),
        (["--machine", "nope"], "unknown machine 'nope'"),
    ],
)
def test_the_command_refuses(arguments, words):
    done = run(*arguments)
    assert done.returncode == 2
    assert words in done.stderr and done.stderr.count("\n") == 1
