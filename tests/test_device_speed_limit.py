"""The device's kernels on the processor, their instructions, roofs, energy
and error law; and the trials on a stand-in for CuPy."""

import ctypes
import importlib
import itertools
import json
import math
import random
import sys
import time
import types

import numpy as np
import pytest

from cases import bad_shots
from onthefly import machine
from onthefly.experiments.gpu import best as device_best
from onthefly.experiments.gpu import energy as energy_meter
from onthefly.experiments.gpu import roofs as device_roofs
from onthefly.experiments.gpu import sass as cuda_sass
from onthefly.experiments.gpu.simulator import Simulator
from onthefly.experiments.speed import error_law
from onthefly.kernels import pi_cuda_limit, pi_limit, sigmas
from onthefly.kernels import pi_device_limit as limit
from onthefly.quantity import EXAMPLE, Quantity
from onthefly.timings import Series, Timings
from onthefly.tools import cpp

COMPILER = pytest.mark.skipif(bool(cpp.missing()), reason="no C++ compiler")
SASS = pytest.mark.skipif(
    bool(cuda_sass.missing()), reason=cuda_sass.missing() or "-"
)
GPU = pytest.mark.skipif(
    not (machine.has_cuda() and machine.available("cupy")),
    reason="CuPy sees no CUDA device",
)
SEED = 2018
ways = pytest.mark.parametrize("way", limit.WAYS)


# The hits.


@COMPILER
@ways
@pytest.mark.parametrize("shots", [1, 3, 5, 255, 257, 1000, 2**20 + 6])
def test_the_compiled_text_counts_what_numpy_counts(way, shots):
    own = limit.hits_host(way, shots, SEED)
    assert np.array_equal(own, limit.hits_numpy(way, shots, SEED))
    assert len(own) == -(-shots // limit.BLOCK)


@COMPILER
@ways
def test_the_launch_does_not_change_the_hits(way):
    shots = 2 * limit.BLOCK + 77
    found = [limit.hits_host(way, shots, 5, blocks) for blocks in (1, 2, 7)]
    found.append(limit.hits_host_threads(way, shots, 5, 2))
    assert all(np.array_equal(found[0], other) for other in found)
    assert np.array_equal(limit.hits_host(way, shots, 5, 1, 1, 3),
                          found[0][1:])  # fmt: skip


@ways
def test_estimates_lie_within_five_sigma(way):
    shots = 2**20
    hits = limit.hits_numpy(way, shots, 1).sum()
    assert sigmas(4 * hits / shots, shots) < 5
    assert hits != limit.hits_numpy(way, shots, 2).sum()


@COMPILER
@bad_shots
def test_bad_shots_are_refused(shots, error):
    with pytest.raises(error, match="shots must be"):
        limit.hits_host("hash", shots, 1)
    with pytest.raises(error, match="shots must be"):
        limit.hits_numpy("hash", shots, 1)


@COMPILER
def test_one_function_returns_pi():
    pi = limit.pi_device_limit(10**5, random.Random(3))
    assert pi == limit.pi_device_limit(10**5, random.Random(3))
    assert sigmas(pi, 10**5) < 5


def test_the_hash_is_that_of_the_processor():
    shots = limit.BLOCK + 12345
    own = limit.hits_numpy("hash", shots, 9).sum()
    assert own == pi_limit.hits_limit_threads(shots, 1, 9)


def test_philox_gives_the_published_words():
    """Random123's known answers."""
    ones = 0xFFFFFFFF
    zero = [0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8]
    full = [0x408F276D, 0x41C83B0E, 0xA20BC7C6, 0x6D5451FD]
    assert [int(v) for v in limit.philox([0] * 4, (0, 0))] == zero
    assert [int(v) for v in limit.philox([ones] * 4, (ones, ones))] == full


def signed(word, bits):
    """Return so many bits as a signed number."""
    return word - (word >> (bits - 1) << bits)


@pytest.mark.parametrize("way", ["hash, tuned", "hash, wide products"])
def test_words_are_decided_as_by_unbounded_integers(way):
    rng = random.Random(4)
    words = [rng.getrandbits(32) for _ in range(2000)]
    words += [0, 1, 0x7FFFFFFF, 0xFFFFFFFF, 0x80000000, 0x00008000]
    found = limit.inside(way, np.array(words, np.uint64))
    for word, hit in zip(words, found.tolist(), strict=True):
        y = signed(word & 0xFFFF, 16)
        wide = way == "hash, wide products"
        x = signed(word, 32) / 2**16 if wide else signed(word, 32) >> 16
        assert hit == (x * x + y * y < 2**30)


def test_the_corner_is_what_it_is_said_to_be():
    corner = np.array([0x80008000], np.uint64)
    found = {w: int(limit.inside(w, corner)[0]) for w in limit.WAYS
             if w.startswith("hash")}  # fmt: skip
    assert found.pop("hash") == 1  # wraps, as the processor's kernel
    assert set(found.values()) <= {0}


@COMPILER
def test_only_rounding_and_low_bits_make_the_ways_differ():
    assert limit.differing(limit.TUNED, 2**18, SEED) == 0
    assert limit.differing("hash, float64", 2**18, SEED) == 0
    assert limit.differing("hash, wide products", 2**20, SEED) > 0


# The grids.


@pytest.mark.parametrize("bits", [1, 2, 3, 6, 9])
@pytest.mark.parametrize("threads", [1, 3])
def test_points_are_counted_right(bits, threads):
    side = range(2**bits)
    points = itertools.product(side, side)
    inside = sum(x * x + y * y < 4**bits for x, y in points)
    assert limit.quarter_points(bits, threads) == inside


def test_the_grids_pi_is_that_of_its_points():
    many = 4 * limit.quarter_points(24) / 4**24
    assert many == pi_limit.lattice_pi(24)
    assert limit.lattice_pi("hash") > limit.lattice_pi(limit.TUNED)
    assert abs(limit.lattice_pi("hash, wide products") - math.pi) < 1e-6


def test_the_wide_grid_is_counted_right_word_by_word():
    """All words whose lower half is one of a few."""
    high = np.arange(2**16, dtype=np.uint64) << np.uint64(16)
    for low in (0, 1, 0x7FFF, 0x8000, 0xFFFF):
        hits = limit.inside("hash, wide products", high | np.uint64(low))
        assert limit.wide_column(low) == hits.sum()


def test_an_offset_shows_from_where_chance_is_as_small():
    shots = error_law.reach(1e-4)
    assert math.sqrt(math.pi * (4 - math.pi) / shots) == pytest.approx(1e-4)


# The error law.


def test_batches_are_the_errors_of_ever_larger_parts():
    rng = np.random.default_rng(1)
    hits = rng.binomial(1000, math.pi / 4, 4**6)
    law = error_law.batches(hits, 1000)
    assert list(law) == [1000 * 4**k for k in range(5)]
    for shots, q in law.items():
        assert q.low < math.sqrt((4 - math.pi) / math.pi / shots) * 1.3
        assert q.high > math.sqrt((4 - math.pi) / math.pi / shots) / 1.3
    assert abs(error_law.deviation(hits, 1000, math.pi)) < 5
    assert abs(error_law.deviation(hits, 1000, math.pi + 0.01)) > 5


def test_the_exponents_interval_holds_as_often_as_it_says():
    """Two runs each, as on the page; 95 % of the intervals must hold."""
    rng, hold, found = np.random.default_rng(2), 0, []
    for _ in range(200):
        points = {}
        for size, pieces in ((100, 4000), (2**20, 1000)):
            hits = rng.binomial(size, math.pi / 4, pieces)
            points |= error_law.batches(hits, size)
        q = error_law.power(points)
        found.append(q.value)
        hold += q.low < -0.5 < q.high
    assert 180 <= hold <= 198
    assert np.std(found) == pytest.approx((q.high - q.low) / 3.92, rel=0.2)


def test_another_law_and_too_few_sizes_are_seen():
    points = {n: Quantity(n**-0.25, 0.9 * n**-0.25, 1.1 * n**-0.25)
              for n in (10, 100, 1000, 10**4)}  # fmt: skip
    assert error_law.power(points).value == pytest.approx(-0.25)
    with pytest.raises(ValueError, match="needs 3"):
        error_law.power({10: points[10], 100: points[100]})


def test_a_law_survives_a_table():
    laws = {"a": {100: Quantity(0.1, 0.05, 0.2)}}
    back = error_law.points_of(error_law.rows(laws), "box")
    assert back["a"][100].short == "0.100 (recorded)"
    assert error_law.recorded("no such chapter") == {}
    row = error_law.whole("w", np.array([785]), 1000, math.pi)
    assert row["shots"] == "1.000e+03"


# Instructions.

LISTING = """\
.text.hits:
        /*0000*/                   MOV R1, c[0x0][0x28] ;
.L_x_1:
        /*0010*/                   IMAD R3, R3, R2, RZ ;
        /*0020*/              @!P0 LOP3.LUT R4, R3, R5, RZ, 0x3c, !PT ;
        /*0030*/                   IMAD.WIDE.U32 R4, R4, R5, R6 ;
        /*0040*/               @P1 BRA `(.L_x_1) ;
.L_x_2:
        /*0050*/                   BRA `(.L_x_2);
"""


def test_a_loop_of_the_listing_is_found_and_counted():
    assert cuda_sass.loops(LISTING) == [
        ["IMAD", "LOP3.LUT", "IMAD.WIDE.U32", "BRA"], ["BRA"]]  # fmt: skip
    units = [cuda_sass.unit(name) for name in cuda_sass.hot_loop(LISTING)]
    assert units == ["multiply-add", "shift and logic", "wide product",
                     "flow"]  # fmt: skip
    with pytest.raises(ValueError, match="no loop"):
        cuda_sass.hot_loop("")


@pytest.mark.parametrize(
    ("name", "unit"),
    [("IMAD.HI.U32", "wide product"), ("IMAD.MOV.U32", "multiply-add"),
     ("DSETP.GEU.AND", "float64"), ("I2F.F64.S16", "to float64"),
     ("I2FP.F32.S32", "to float32"), ("FFMA", "float32"),
     ("FSETP.GEU.AND", "shift and logic"), ("UIADD3", "uniform"),
     ("XMAD.MRG", "part of a product"), ("LDG.E", "memory"),
     ("LEA.HI", "shift and logic")],
)  # fmt: skip
def test_each_instruction_has_its_unit(name, unit):
    assert cuda_sass.unit(name) == unit


@ways
def test_every_way_is_counted_or_recorded(way):
    counts, compiler = cuda_sass.counted(lambda n: limit.source(way, n))
    assert compiler and counts["shift and logic"] >= 7
    assert not {"memory", "flow"} & set(counts)


def test_a_disassembler_that_refuses_is_named(monkeypatch, tmp_path):
    refuses = tmp_path / "nvdisasm"
    refuses.write_text("#!/bin/sh\necho no such format >&2\nexit 1\n")
    refuses.chmod(0o755)
    monkeypatch.setattr(cuda_sass, "_tool", lambda name: str(refuses))
    monkeypatch.setattr(cuda_sass, "_cubin", lambda text, path: None)
    cuda_sass.disassembled.cache_clear()
    assert cuda_sass.missing.__wrapped__() == (
        "nvdisasm refuses: no such format"
    )


def test_the_byte_that_cupy_cuts_off_is_put_back(monkeypatch, tmp_path):
    compiler = types.SimpleNamespace(
        compile_using_nvrtc=lambda text, options: (b"\x7fELF", {})
    )
    monkeypatch.setattr(cuda_sass, "_nvrtc", lambda: compiler)
    path = tmp_path / "kernel.cubin"
    cuda_sass._cubin("", path)
    assert path.read_bytes() == b"\x7fELF\0"


def test_a_source_that_nobody_recorded_is_named(monkeypatch):
    monkeypatch.setattr(cuda_sass, "missing", lambda: "no disassembler")
    with pytest.raises(KeyError, match=r"scripts/instructions\.py"):
        cuda_sass.counted(lambda n: f"turns = {n}")


@SASS
def test_the_recorded_counts_are_those_of_todays_text():
    recorded = json.loads(cuda_sass.RECORDED.read_text("utf-8"))
    if recorded["compiler"] != cuda_sass.compiler():
        pytest.skip(f"recorded by {recorded['compiler']}")
    for way in (limit.TUNED, "SplitMix64"):
        key = cuda_sass.key(limit.source(way, 8))
        assert recorded["counts"][key] == cuda_sass.per_turn(
            lambda n, way=way: limit.source(way, n)
        )


# Roofs.


@COMPILER
@pytest.mark.parametrize("name", device_roofs.ROOFS)
def test_no_roof_loses_its_work(name):
    own = device_roofs.run_host(name, 2, 2)
    assert np.array_equal(own, device_roofs.run_numpy(name, 2, 2))
    assert len(np.unique(own)) > 1
    assert device_roofs.steps(3, 512) == 3 * 64 * 512


@SASS
@pytest.mark.parametrize("name", set(device_roofs.ROOFS) - {
    "any", "64-bit multiply-add"})  # fmt: skip
def test_a_roofs_loop_is_of_its_kind(name):
    sass = cuda_sass.disassembled(device_roofs.source(name))
    units = [cuda_sass.unit(n) for n in cuda_sass.hot_loop(sass)]
    steps = device_roofs.REPEATS * device_roofs.CHAINS
    results = device_roofs.ROOFS[name].results
    passes = round(units.count(name) / (steps * results))
    assert passes >= 1
    assert abs(units.count(name) - passes * steps * results) <= 4


def exact(**seconds):
    """Return Timings without noise."""
    return Timings(Series(k, None, 1.0, (s,) * 8) for k, s in seconds.items())


def test_the_roof_is_the_unit_that_needs_longest():
    roofs = exact(**{name: 1.0 for name in device_roofs.ROOFS}
                  | {"wide product": 4.0, "any": 0.5})  # fmt: skip
    counts = {"shift and logic": 9, "multiply-add": 5, "wide product": 2}
    need = device_roofs.needs(counts, roofs)
    assert {k: q.value for k, q in need.items()} == {
        "shift and logic": 9.0, "multiplier": 13.0, "any instruction": 8.0,
    }  # fmt: skip
    assert device_roofs.roof(need)[0] == "multiplier"
    half = device_best.quotient(need["multiplier"],
                                Quantity(26, 13, 52, "s"), "%")  # fmt: skip
    assert (half.value, half.low, half.high, half.unit) == (0.5, 0.25, 1, "%")
    few = Quantity(26, -math.inf, math.inf, "s")
    for pair in ((few, few), (few, half), (half, few)):
        part = device_best.quotient(*pair, "%")
        assert (part.low, part.high) == (-math.inf, math.inf)


def test_an_examples_roof_stays_an_example():
    roofs = exact(**{name: 1.0 for name in device_roofs.ROOFS})
    roofs = Timings(roofs, origin=EXAMPLE)
    need = device_roofs.needs({"float32": 2, "multiply-add": 1}, roofs)
    assert {q.origin for q in need.values()} == {EXAMPLE}


# The best of each library.


def test_candidates_are_checked_before_they_are_timed():
    with pytest.raises(ValueError, match="wrong: π = 3"):
        device_best.timed({"wrong": (lambda n: 3.0, 10**6)}, 0.1)
    times = device_best.timed({"right": (lambda n: math.pi, 10**6)}, 0.1)
    assert times.seconds("right").value > 0
    scaled = device_best.scaled(exact(a=2.0), 3)
    assert scaled.seconds("a").value == 6.0


def test_the_processors_candidates_estimate_pi():
    for way, shots in device_best.on_processor(2).values():
        few = min(shots, 2**22)
        assert sigmas(way(few), few) < 5


# Energy.


class Meter:
    """A clock and a counter of so many watts, renewed every `step`."""

    def __init__(self, watts, step=0.1):
        self.now, self.watts, self.step = 0.0, watts, step

    def clock(self):
        self.now += 1e-4
        return self.now

    def joules(self):
        return self.now // self.step * self.step * self.watts

    def work(self):
        self.now += 0.007


def test_energy_is_counted_from_change_to_change():
    meter = Meter(200)
    seconds, joules, runs = energy_meter.spent(
        meter.work, meter.joules, 1.0, meter.clock
    )
    assert joules / seconds == pytest.approx(200, rel=0.02)
    assert runs == pytest.approx(seconds / 0.0071, rel=0.05)
    steps = energy_meter.update(meter.joules, 4, meter.clock)
    assert steps == pytest.approx([0.1] * 4, rel=0.02)


def test_a_dead_counter_is_refused():
    meter = Meter(0)
    with pytest.raises(RuntimeError, match="does not change"):
        energy_meter.spent(meter.work, meter.joules, 0.1, meter.clock)
    with pytest.raises(RuntimeError, match="does not change"):
        energy_meter.update(meter.joules, 1, meter.clock)


def test_energy_a_shot_is_power_times_time():
    times = exact(**{"a joule, idle": 0.01, "a joule, k": 0.002,
                     "10^9 shots, k": 0.001})  # fmt: skip
    whole, net = energy_meter.per_shots(times, "k")
    assert (whole.value, net.value, whole.unit) == (0.5, 0.4, "J")


def test_the_processors_counters_are_read_and_unrolled(tmp_path):
    none, why = energy_meter.processor_counter(tmp_path)
    assert none is None and "no RAPL" in why
    zone = tmp_path / "intel-rapl:0"
    zone.mkdir()
    (zone / "max_energy_range_uj").write_text("999999\n")
    (zone / "energy_uj").write_text("900000\n")
    (zone / "name").write_text("package-0\n")
    board = tmp_path / "intel-rapl:1"  # would count the package twice
    board.mkdir()
    (board / "name").write_text("psys\n")
    joules, why = energy_meter.processor_counter(tmp_path)
    (zone / "energy_uj").write_text("100000\n")
    assert joules() == pytest.approx(0.2) and not why
    (zone / "energy_uj").unlink()
    _, why = energy_meter.processor_counter(tmp_path)
    assert "repair" in why


# Numba's kernel, in the simulator.


def test_numbas_kernel_counts_the_same_in_the_simulator():
    with Simulator() as sim:
        for shots, shape in ((1, (1, 1)), (37, (2, 5)), (2**9, (1, 32))):
            found = np.zeros(1, np.uint32)
            sim.launch(pi_cuda_limit.hits_limit, *shape, shots, 7, found)
            assert found[0] == limit.hits_numpy("hash", shots, 7)[0]


@pytest.mark.skipif(bool(pi_cuda_limit.missing()), reason="no CUDA device")
def test_numbas_kernel_counts_the_same_on_the_device():
    shots = 3 * limit.BLOCK + 5
    own = limit.hits_numpy("hash", shots, 7)
    for blocks in (None, 1, 7):
        assert np.array_equal(pi_cuda_limit.hits_cuda(shots, 7, blocks), own)


# The trials, on a device or on a stand-in for CuPy.


class RawKernel:
    """CuPy's RawKernel by a C++ compiler: all threads in turn."""

    def __init__(self, code, name):
        self.after = limit._AFTER
        if name == "roof":
            kind = next(k for k in ("double", "float", "wide", "word")
                        if f"{k} *out" in code)  # fmt: skip
            self.after = device_roofs._AFTER % (256, kind)
        self.code, self.run, self.name = code, None, name

    def __call__(self, grid, block, arguments):
        assert block == (256,)
        if self.run is None:
            self.run = limit.compiled(limit.BEFORE + self.code + self.after)
        *numbers, last = arguments
        arrays = [a for a in arguments if isinstance(a, np.ndarray)]
        plain = [ctypes.c_uint64(int(n)) for n in numbers
                 if not isinstance(n, np.ndarray)]  # fmt: skip
        if self.name == "roof":
            plain = [ctypes.c_uint(n.value) for n in plain]
            last[:] = 1000
        self.run(*plain, ctypes.c_void_p(arrays[0].ctypes.data),
                 ctypes.c_uint(grid[0]))  # fmt: skip


class Event:
    def record(self):
        self.time = time.perf_counter()

    def synchronize(self):
        pass


@pytest.fixture
def trials(monkeypatch):
    """The trials: on the device, or with a stand-in for CuPy."""
    if machine.has_cuda() and machine.available("cupy"):
        from onthefly.experiments.gpu import limit_trials

        return limit_trials
    if cpp.missing():
        pytest.skip("no C++ compiler")
    fake = types.ModuleType("cupy")
    for name in ("zeros", "uint32", "uint64", "int64"):
        setattr(fake, name, getattr(np, name))
    fake.asnumpy, fake.RawKernel = np.asarray, RawKernel
    device = types.SimpleNamespace(
        attributes={"MultiProcessorCount": 1,
                    "MaxThreadsPerMultiProcessor": 2048},
        pci_bus_id="0000:00:00.0", synchronize=lambda: None)  # fmt: skip
    fake.cuda = types.SimpleNamespace(
        is_available=lambda: False,
        Device=lambda: device, Event=Event,
        get_elapsed_time=lambda a, b: 1000 * (b.time - a.time))  # fmt: skip
    monkeypatch.setitem(sys.modules, "cupy", fake)
    name = "onthefly.experiments.gpu.limit_trials"
    monkeypatch.delitem(sys.modules, name, raising=False)
    module = importlib.import_module(name)
    yield module
    sys.modules.pop(name, None)


def test_the_trials_count_the_same_hits(trials):
    shots = limit.BLOCK + 99
    for way in (limit.TUNED, "Philox"):
        own = limit.hits_numpy(way, shots, 3)
        found = trials.cp.asnumpy(trials.hits_device(way, shots, 3, 2))
        assert np.array_equal(found, own)
        part = trials.hits_device(way, shots, 3, span=(1, 2), unroll=2)
        assert trials.cp.asnumpy(part).tolist() == own[1:].tolist()
    assert sigmas(trials.pi_device(10**5), 10**5) < 5


def test_the_trials_have_the_series_that_the_page_asks_for(trials):
    times = trials.ways(0.1, shots=2**12)
    assert times.names == list(limit.WAYS)
    shapes = trials.shapes(0.1, 2**12, (1, 8), (1, 2))
    assert shapes.names == ["1 a pass", "8 a pass"]
    assert trials.sizes(0.1, (10, 12)).sizes() == [2**10, 2**12]


def test_a_long_run_is_a_chain_of_launches(trials, monkeypatch):
    monkeypatch.setattr(trials, "CHUNK", 1)
    shots = 3 * limit.BLOCK
    found = trials.law("hash", shots, 5, 60)
    assert np.array_equal(found, limit.hits_numpy("hash", shots, 5))
    assert len(trials.law("hash", shots, 5, 0)) == 1


def test_the_roofs_are_measured_and_checked(trials, monkeypatch):
    few = {k: device_roofs.ROOFS[k] for k in ("multiply-add", "float32")}
    monkeypatch.setattr(device_roofs, "ROOFS", few)
    monkeypatch.setattr(trials, "SAMPLE", 1e-5)
    times = trials.roofs(0.01)
    assert set(times.names) == {*few, *(f"cycles, {k}" for k in few)}
    assert all(q.value > 0 for q in device_roofs.a_cycle(times).values())
    wrong = dict(few)
    wrong["multiply-add"] = device_roofs.dataclasses.replace(
        few["multiply-add"], twin=lambda a, m, k: a
    )
    monkeypatch.setattr(device_roofs, "ROOFS", wrong)
    with pytest.raises(ValueError, match="other numbers"):
        trials.roofs(0.01)


@GPU
def test_the_device_reads_and_adds_faster_than_the_kernel_needs(trials):
    times = trials.memory(0.5)
    assert set(times.names) == {"bytes", "atomic additions"}


@GPU
def test_the_device_counts_its_energy(trials):
    times = trials.energy(0.3, 2, (limit.TUNED,))
    whole, net = energy_meter.per_shots(times, limit.TUNED)
    assert whole.value > net.value > 0
