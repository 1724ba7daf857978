"""Numba on one core: its streams, stacks, probes and counts."""

import json
import os
import random
import subprocess
import sys

import numpy as np
import pytest

from cases import bad_shots
from onthefly import machine
from onthefly.experiments.numba import instructions_standalone as steps
from onthefly.experiments.numba import probes_child as probes
from onthefly.experiments.numba import stacks
from onthefly.kernels import pi_c, pi_numba, sigmas
from onthefly.kernels import pi_numba_streams as streams

KERNELS = list(streams.KERNELS)


@pytest.mark.parametrize("name", KERNELS)
def test_a_stream_estimates_pi_and_repeats(name):
    pi, stream = streams.KERNELS[name], streams.STREAMS[name]
    first = pi(10**6, stream(7))
    assert sigmas(first, 10**6) < 5
    assert pi(10**6, stream(7)) == first
    assert pi(10**6, stream(8)) != first
    assert sigmas(pi(10**5), 10**5) < 5  # the stream of the process


@pytest.mark.parametrize("name", KERNELS)
@bad_shots
def test_bad_shots_are_refused(name, shots, error):
    with pytest.raises(error, match="shots"):
        streams.KERNELS[name](shots)


def test_inlining_changes_no_number():
    found = []
    for hits in (
        pi_numba.hits_numba,
        streams.hits_lookup,
        streams.hits_forced,
    ):
        pi_numba.stream(3)
        found.append(hits(50_000))
    assert len(set(found)) == 1


@pytest.mark.parametrize("shots", [1, 155, 156, 157, 31_200])
def test_blocks_are_the_numbers_of_cpython(shots):
    rng = random.Random(11)
    points = [rng.random() ** 2 + rng.random() ** 2 for _ in range(shots)]
    hits = 4 * sum(p <= 1 for p in points) / shots
    mine = random.Random(11)
    assert streams.pi_numba_blocks(shots, mine) == hits
    if shots % streams.BLOCK == 0:
        assert mine.random() == rng.random()  # and the stream goes on


def test_generator_draws_as_numpy_does():
    x, y = np.random.default_rng(5).random((1000, 2)).T
    pi = streams.pi_numba_generator(1000, np.random.default_rng(5))
    assert pi == 4 * np.count_nonzero(x * x + y * y <= 1.0) / 1000


@pytest.mark.skipif(bool(pi_c.missing()), reason=pi_c.missing() or "-")
@pytest.mark.parametrize("seed", [0, 1, 2**64 - 1])
def test_xoshiro_counts_the_hits_of_c(tmp_path, seed):
    c = pi_c.load(pi_c.build(tmp_path))
    hits = streams.hits_xoshiro(10**5, np.uint64(seed))
    assert hits == c.hits(10**5, seed, "xoshiro")


def test_probes_tell_what_happened():
    def told(body, head=""):
        return probes.outcome(probes._source(head, "n", body))

    assert told("return n + 1") == "same"
    assert told("class A: pass").startswith("refused: ")
    assert told("return n.nothing").startswith("gone: ")
    assert told("return n +") == "not in this Python"
    assert told("return 1", "import no_such_module") == "not installed"
    assert told("return NOW", "NOW = 1 if JIT else 2") == "differs"


def test_a_probe_that_dies_is_a_crash_and_the_next_one_runs():
    body = probes._source("", "n", "return n")
    die = "import os\nos.kill(os.getpid(), 9)" + body
    rows = [("language", k, s) for k, s in enumerate([body, die, body])]
    assert list(probes.outcomes(rows)) == ["same", "crash", "same"]


def test_probes_are_those_that_the_talk_names():
    sizes = {group: len(rows) for group, rows in probes.probes().items()}
    named = {"call forms": 3, "built-ins": 18, "NumPy methods": 26}
    assert named.items() <= sizes.items()
    assert sizes["modules"] == 10
    said = {"class", "try", "except", "with", "yield"}
    assert said < set(probes.LANGUAGE)


@pytest.mark.parametrize("python", list(stacks.pythons().values()))
def test_a_stack_answers(python):
    with stacks.Stack(python) as stack:
        assert set(stack.ask("versions")) == {"Python", "NumPy", "Numba"}
        for way in ("Python", "NumPy", "Numba", "Numba on NumPy"):
            assert sigmas(stack.ask("pi", way, 10**5), 10**5) < 5
            assert stack.ask("time", way, 100, 2) > 0
        code = stack.ask("code")
        assert stacks.kinds(code)["instructions"] > 20


def test_a_stack_that_ended_is_named():
    ended = pytest.raises(RuntimeError, match="ended")
    with stacks.Stack() as stack, ended:
        stack.ask("no such command")


def test_raising_the_limit_inlines_the_draw():
    with stacks.Stack(inline=275) as stack:
        loop = stacks.first_function(stack.ask("code"))
    forced = streams.hits_forced
    forced(1)
    text = next(iter(forced.inspect_asm().values()))
    for code in (loop, stacks.first_function(text)):
        assert any("numba_rnd_shuffle" in line for line in code)


@pytest.mark.skipif(
    machine.platform.machine() != "x86_64"
    or machine.platform.system() != "Linux",
    reason="instructions are counted on Linux and x86-64 only",
)
def test_instructions_are_counted_exactly():
    with stacks.Stack() as stack:
        found = [stack.ask("instructions", "xoshiro", 4, 16)] * 1
        found.append(stack.ask("instructions", "xoshiro", 8, 16))
    if None in found:
        pytest.skip("this system lets no process be stepped")
    counts = [round(f[steps.CODE], 3) for f in found]
    assert counts[0] == counts[1]
    assert 15 < counts[0] < 120


def test_the_second_process_loads_from_the_cache():
    found = stacks.cached_starts()
    assert [loaded for _, loaded in found] == [False, True]


def test_loop_text_ends_with_a_jump_to_its_start():
    code = "f:\n\tnop\n.L1:\n\t.cfi_x\n\taddq $1, %rax\n\tjne .L1\n\tret\n"
    assert stacks.loop_text(code) == ".L1:\naddq $1, %rax\njne .L1"
    assert stacks.loop_text("f:\n\tret\n") == ""


def test_old_stack_says_what_is_missing(tmp_path):
    """Without a Python 3.6: one line, and a status that is not zero."""
    environment = os.environ | {
        "ONTHEFLY_BUILD": str(tmp_path),
        "ONTHEFLY_PYTHONS": "",
        "PYENV_ROOT": str(tmp_path),
        "PATH": str(tmp_path),
    }
    script = stacks.HERE.parents[2] / "scripts" / "old_stack.py"
    done = subprocess.run(
        [sys.executable, script],
        env=environment,
        capture_output=True,
        text=True,
    )
    if done.returncode == 0:
        pytest.skip("a Python 3.6 outside the search path")
    assert done.returncode == 2
    assert "Python 3.6" in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_probing_prints_json(tmp_path):
    done = subprocess.run(
        [sys.executable, stacks.PROBES, "--part", "3/24", "--quick"],
        check=True,
        capture_output=True,
        text=True,
    )
    rows = json.loads(done.stdout.splitlines()[-1])
    assert sum(map(len, rows.values())) == 4
