"""CUDA kernels in Numba's simulator against the same functions on the
processor, what the compiler makes of them, and the arithmetic of launches."""

import os
import subprocess
import sys
import types

import numpy as np
import pytest
from numba import cuda, float64, void
from numba.cuda.random import uint64_to_unit_float32
from scipy import stats

from cases import bad_shots
from conftest import ROOT
from onthefly.experiments.gpu import first_call, occupancy, ptx
from onthefly.experiments.gpu.simulator import Simulator
from onthefly.kernels import pi_cuda, pi_cuda_float32, pi_cuda_sums, sigmas

STATES = pi_cuda.states(7, 64)
GTX, H200 = (occupancy.KNOWN[k] for k in ("GTX 1060 (6.1)", "H200 (9.0)"))
needs_nvvm = pytest.mark.skipif(
    bool(ptx.missing()), reason=ptx.missing() or "-"
)


@pytest.fixture(scope="module")
def sim():
    """A simulator for all tests."""
    with Simulator() as process:
        yield process


@pytest.mark.parametrize("shape", [(4, 5), (5, 4), (1, 32)])
def test_each_thread_finds_what_the_processor_finds(sim, shape):
    pi = np.ones(20)
    sim.launch(pi_cuda.pi_each, *shape, 9, pi, STATES[:20].copy())
    states = STATES.copy()
    want = [4 * pi_cuda.hits_thread(9, states, k) / 9 for k in range(20)]
    assert pi.tolist() == want


@pytest.mark.parametrize("shots", [1, 14, 15, 16, 1001])
@pytest.mark.parametrize("shape", [(1, 1), (3, 5), (2, 32)])
def test_any_launch_does_any_number_of_shots(sim, shots, shape):
    hits = np.zeros(15, np.int64)
    sim.launch(pi_cuda.hits_stride, *shape, shots, hits, STATES[:15].copy())
    used = min(15, shape[0] * shape[1])
    want = pi_cuda.hits_streams(shots, STATES[:used].copy())
    assert hits[:used].tolist() == want.tolist()
    assert not hits[used:].any()
    shares = [pi_cuda.share(shots, k, used) for k in range(used)]
    assert sum(shares) == shots and max(shares) - min(shares) <= 1


@pytest.mark.parametrize("way", pi_cuda_sums.WAYS)
@pytest.mark.parametrize("shots", [1, 45, 300])
def test_each_way_adds_up_all_hits(sim, way, shots):
    want = pi_cuda.hits_streams(shots, STATES.copy()).sum()
    found = pi_cuda_sums.hits_sum(
        way, shots, STATES.copy(), 2, 32, sim.launch
    )
    assert found == want


@pytest.mark.parametrize("threads", [1, 5, 31, 33])
def test_the_tree_takes_blocks_of_any_size(sim, threads):
    want = pi_cuda.hits_streams(100, STATES[:threads].copy()).sum()
    found = pi_cuda_sums.hits_sum(
        "shared tree", 100, STATES[:threads].copy(), 1, threads, sim.launch
    )
    assert found == want


def test_blocks_that_a_way_cannot_add_are_refused(sim):
    for way, threads in (("warp shuffle", 25), ("slots", 2048)):
        with pytest.raises(ValueError, match=f"no block of {threads}"):
            pi_cuda_sums.hits_sum(way, 9, STATES, 1, threads, sim.launch)


@bad_shots
def test_bad_shots_are_refused(sim, shots, error):
    for call in (
        lambda: pi_cuda_sums.hits_sum("slots", shots, STATES, 1, 2, None),
        lambda: pi_cuda.pi_talk(shots),
        lambda: pi_cuda.pi_cuda(shots),
        lambda: pi_cuda_float32.pi_cuda_float32(shots),
    ):
        with pytest.raises(error, match="shots must be"):
            call()


@pytest.mark.parametrize(("blocks", "threads"), [(1, 64), (3, 20), (1, 1)])
def test_a_forced_race_leaves_one_addition_a_block(sim, blocks, threads):
    total = np.zeros(1, np.int64)
    sim.launch(pi_cuda_sums.race_forced, blocks, threads, total)
    assert total[0] == blocks  # one after the other, in the simulator


def test_an_unforced_race_makes_nothing_up(sim):
    total = np.zeros(1, np.int64)
    sim.launch(pi_cuda_sums.race, 2, 16, 3, total)
    assert 1 <= total[0] <= 96


def test_the_simulator_says_what_fails(sim):
    with pytest.raises(RuntimeError, match=r"who: .*Error"):
        sim.launch(pi_cuda.who, 1, 4, 7, 7)
    test_an_unforced_race_makes_nothing_up(sim)  # and goes on


@pytest.mark.parametrize("make", [pi_cuda.states, pi_cuda.states_hashed])
def test_streams_differ_and_estimate_pi(make):
    states, shots = make(3, 500), 500_000
    assert len(np.unique(states)) == 500
    hits = pi_cuda.hits_streams(shots, states)
    assert sigmas(4 * hits.sum() / shots, shots) < 5
    rng = np.random.default_rng(1)
    binomial = rng.binomial(1000, np.pi / 4, 500)
    assert stats.epps_singleton_2samp(hits, binomial).pvalue > 1e-6
    assert hits.tolist() == (
        pi_cuda.hits_streams(shots, make(3, 500)).tolist()
    )
    assert make(4, 500).tolist() != make(3, 500).tolist()


@pytest.mark.parametrize(
    "kernel", [pi_cuda_float32.hits_float32, pi_cuda_float32.hits_single]
)
def test_single_precision_estimates_pi(sim, kernel):
    hits, shots = np.zeros(64, np.int64), 5000
    sim.launch(kernel, 2, 32, shots, hits, STATES.copy())
    assert sigmas(4 * hits.sum() / shots, shots) < 5
    again = np.zeros(64, np.int64)
    sim.launch(kernel, 2, 32, shots, again, STATES.copy())
    assert hits.tolist() == again.tolist()


def test_our_float32_stays_below_one():
    state = STATES[:1].copy()
    state["s0"], state["s1"] = 2**64 - 1, 0  # their sum is the next word
    assert pi_cuda_float32.unit_float32(state, 0) == np.float32(1 - 2**-24)
    assert uint64_to_unit_float32(np.uint64(2**63)) == 0.5


SMALL = """
from onthefly.experiments.gpu import simulator_child as child
child.complete()
from onthefly.kernels import pi_cuda, pi_cuda_float32, sigmas
from onthefly.experiments.gpu import kernel_timings as t
assert sigmas(pi_cuda.pi_talk(3, 4, 5), 60) < 5
assert sigmas(pi_cuda.pi_cuda(50, pi_cuda.stream(1, 7), 2), 50) < 5
found = pi_cuda_float32.pi_cuda_float32(50, pi_cuda.stream(1, 7), 2)
assert sigmas(found, 50) < 5
sums = t.sums(32, 0.1, sizes=[1], block=32)
assert len(sums) == 5
sweep = t.launches(9, 0.1, blocks=(1, 40), threads=(2, 25))
assert t.best_launch(sweep)[2].value > 0
assert len(t.precision(9, 32, 0.1, block=32)) == 3
pi_cuda.BLOCKS, pi_cuda.THREADS = 1, 2
pi_cuda.pi_talk.__defaults__ = 1, 2, 1
pi_cuda.stream.__defaults__ = 2,
calls = t.calls(0.1, sizes=(2, 3), rounds=1)
assert calls.sizes("kernel, by events") == [2, 3]
print("all ran")
"""


def test_what_a_device_is_timed_with_runs_in_the_simulator():
    env = os.environ | {
        "PYTHONPATH": str(ROOT / "notebooks"),
        "NUMBA_ENABLE_CUDASIM": "1",
        "NUMBA_DISABLE_JIT": "1",
    }
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", SMALL],
        env=env,
        capture_output=True,
        text=True,
    )
    assert done.stdout == "all ran\n", done.stderr


def test_a_fresh_process_tells_its_steps():
    found = first_call.parts(1)
    steps = {"import", "states, first", "states, second", "load the compiler"}
    assert steps <= set(found.names)
    first, second = (
        found.series(f"states, {k}").first for k in ("first", "second")
    )
    assert first > second > 0
    with pytest.raises(RuntimeError, match="ended: 1; KeyError: 'nothing'"):
        first_call.ask("nothing")


@needs_nvvm
def test_the_compiler_counts_and_refuses():
    single = ptx.compiled(pi_cuda_float32.hits_single, ptx.HITS)
    counts = ptx.per_shot(single)
    assert counts["double"] == 0 and counts["single"] > 3
    double = ptx.compiled(pi_cuda.pi_each, ptx.PI)
    assert ptx.per_shot(double)["double"] >= 5
    assert ptx.registers(double) in (None, *range(16, 256))
    vector = void(float64[::1])
    assert ptx.refusal(lambda x: x[0], (float64[::1],))
    assert not ptx.refusal(ptx.empty, vector)
    place = ptx.CAPABILITIES.index(ptx.lowest())
    accepted = [
        not ptx.refusal(ptx.empty, vector, cc)
        for cc in ptx.CAPABILITIES[: place + 1]
    ]
    assert accepted == [False] * place + [True]
    asked = ptx.dispatcher.get_current_device
    assert asked is cuda.get_current_device  # put back


def test_a_linker_that_refuses_is_left_clean(monkeypatch):
    calls = []

    class Linker:
        """Stands in for cuda.bindings.nvjitlink, which needs no device."""

        InputType = types.SimpleNamespace(PTX=1)

        def __getattr__(self, name):
            def call(*arguments):
                calls.append((name, arguments[0]))
                if name == "complete":
                    raise ValueError("no such instruction")
                return "handle"

            return call

    bindings = types.ModuleType("cuda.bindings")
    bindings.nvjitlink = Linker()
    monkeypatch.setitem(sys.modules, "cuda", types.ModuleType("cuda"))
    monkeypatch.setitem(sys.modules, "cuda.bindings", bindings)
    with pytest.raises(ValueError, match="no such instruction"):
        ptx.registers("broken")
    assert [name for name, _ in calls] == [
        "create", "add_data", "complete", "destroy"
    ]  # fmt: skip
    assert calls[-1] == ("destroy", "handle")


LOOP = """\
$L__BB0_1:
\tld.u64 \t%rd1, [%rd2];
\t.reg .b64 %lhs;
\tcvt.rn.f64.u64 \t%fd1, %rd1;
\tcvt.rn.f32.f64 \t%f1, %fd1;
\tsetp.le.f32 \t%p1, %f1, 0f3F800000;
\tsetp.le.f32 \t%p3, %f1, 0f3F800000;
\tatom.global.add.u64 \t%rd3, [%rd4], 1;
\t@%p2 bra \t$L__BB0_1;
"""


def test_a_loop_is_counted_by_the_shot():
    assert ptx.per_shot(LOOP) == {
        "double": 1, "single": 1, "memory": 1, "integer": 0.5,
    }  # fmt: skip
    with pytest.raises(ValueError, match="no loop"):
        ptx.per_shot("ret;")


@pytest.mark.parametrize(
    ("device", "threads", "registers", "shared", "blocks"),
    [
        (GTX, 25, 32, 0, 32),  # its places for blocks
        (GTX, 256, 32, 0, 8),  # its threads
        (GTX, 256, 64, 0, 4),  # its registers
        (GTX, 256, 33, 0, 6),  # in units of 8 a thread
        (GTX, 96, 32, 0, 21),
        (H200, 1024, 32, 0, 2),
        (H200, 128, 32, 50_000, 4),  # its shared memory
        (H200, 1024, 255, 0, 0),  # none fits
    ],
)
def test_resident_blocks(device, threads, registers, shared, blocks):
    assert occupancy.resident(device, threads, registers, shared) == blocks
    used = occupancy.occupancy(device, threads, registers, shared)
    assert 0 <= used <= 1


def test_the_talks_launch_fills_little():
    used = occupancy.filled(GTX, 40, 25)
    assert used == {
        "multiprocessors": 1, "lanes": 25 / 32, "slots": 1000 / 20480,
    }  # fmt: skip
    with pytest.raises(ValueError, match="at least 1"):
        occupancy.resident(GTX, 0)


def test_banks_and_additions():
    found = [pi_cuda_sums.bank_conflicts(s) for s in (1, 2, 32, 33)]
    assert found == [1, 2, 32, 1]
    adds = {w: pi_cuda_sums.additions(w, 4000, 3, 33)
            for w in pi_cuda_sums.WAYS}  # fmt: skip
    assert adds == {"slots": 0, "each hit": 3142, "each thread": 99,
                    "shared tree": 3, "warp shuffle": 6}  # fmt: skip


def test_what_a_c_library_writes_meanwhile_is_dropped(capfd):
    with ptx._without_stderr():
        os.write(2, b"a linker's words")
    os.write(2, b"heard")
    assert capfd.readouterr().err == "heard"


@needs_nvvm
def test_registers_are_counted_without_a_word(capfd):
    text = ptx.compiled(pi_cuda.hits_stride, ptx.HITS)
    if (count := ptx.registers(text)) is None:
        pytest.skip("no assembler")
    assert 8 < count <= 255
    assert capfd.readouterr().err == ""
