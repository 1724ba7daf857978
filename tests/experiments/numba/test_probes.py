"""Probes of what Numba compiles: their outcomes, and those that die."""

import pytest

from onthefly.experiments.numba import probes, probes_child


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


def test_reduce_compiles_by_its_own_name():
    source = probes.probes()["modules"]["functools"]
    assert probes_child.outcome("modules", source) == "same"


def test_a_coroutine_that_is_used_does_not_compile():
    source = probes.probes()["language"]["async def"]
    assert probes_child.outcome("language", source).startswith("refused")
