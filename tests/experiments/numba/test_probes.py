"""Probes of what Numba compiles: their outcomes, and those that die."""

import sys

import pytest

from onthefly.experiments.numba import probes, probes_child, stacks


def outcome(body, head=""):
    """Return the outcome of a probe."""
    return probes_child.outcome("language", probes.source(head, "n", body))


@pytest.mark.parametrize(
    ("body", "head", "word"),
    [
        ("return n + 1", "", "same"),
        ("class A: pass", "", "refused"),
        ("return n.nothing", "", "gone"),
        ("return n +", "", "not in this Python"),
        ("return 1", "import no_such_module", "not installed"),
        ("return NOW", "NOW = 1 if JIT else 2", "differs"),
    ],
)
def test_a_probe_has_an_outcome(body, head, word):
    assert outcome(body, head).partition(":")[0] == word


@pytest.mark.parametrize(
    "death", ["os.kill(os.getpid(), 9)", "os._exit(0)", "raise SystemExit"]
)
def test_a_probe_that_dies_is_a_crash_and_the_next_one_runs(death):
    body = probes.source("", "n", "return n")
    die = f"import os\n{death}\n{body}"
    rows = [("language", source) for source in (body, die, body)]
    assert probes_child.outcomes(rows) == ["same", "crash", "same"]


@pytest.mark.parametrize("parts", [1, 3])
def test_stacks_are_probed_at_once(monkeypatch, parts):
    few = {
        "language": {
            name: probes.source("", "n", body)
            for name, body in (("print", "print(n)\nreturn n"), ("bad", "x"))
        },
        "call forms": {"inner": probes.source("", "n", "return n")},
    }
    monkeypatch.setattr(probes, "probes", lambda: few)
    here = {"one": sys.executable, "other": sys.executable}
    outcomes = stacks.outcomes(here, parts=parts)
    assert outcomes["one"] == outcomes["other"]
    assert outcomes["one"]["call forms"] == {"inner": "same"}
    assert outcomes["one"]["language"] == {
        "print": "same",
        "bad": "gone: name 'x' is not defined",
    }
