"""Copies, their model, and arrays that are shared; on the processor."""

import itertools
import math
import platform

import numpy as np
import pytest
import torch

from cases import bad_shots
from onthefly import figures
from onthefly.experiments.gpu import copy_trials as trials
from onthefly.experiments.memory import (
    faults,
    negative_strides,
    sharing,
    transfers,
)
from onthefly.experiments.memory import host_copies as host
from onthefly.kernels import copy_torch as copies
from onthefly.quantity import Quantity

HOW = {"budget": 0.2, "rounds": 7, "min_sample": 1e-4}
CUDA = pytest.mark.skipif(
    not torch.cuda.is_available(), reason="PyTorch sees no GPU"
)
places = pytest.mark.parametrize(
    "place", ["cpu", pytest.param("cuda", marks=CUDA)]
)


@places
@pytest.mark.parametrize("size", [1, 2, 251, 252, 4097])
def test_what_goes_in_comes_out(place, size):
    here, there = copies.pair(size, place, pinned=place == "cuda")
    assert not there.any()
    back = torch.zeros_like(here)
    copies.copy_out(copies.copy_in(here, there), back)
    assert torch.equal(back, here)
    assert here.tolist() == [k % 251 for k in range(size)]


@bad_shots
def test_a_bad_size_is_refused(shots, error):
    with pytest.raises(error):
        copies.pair(shots, "cpu")
    with pytest.raises(error):
        copies.operand("add", shots)


@places
@pytest.mark.parametrize("streams", [1, 2, 3])
@pytest.mark.parametrize("chunks", [1, 3, 4])
def test_the_pipeline_gives_the_same_on_any_streams(place, chunks, streams):
    source = torch.linspace(-1, 1, 1000)
    target = torch.zeros(1000)
    marks, lanes = copies.Marks(place), copies.lanes(place, streams)
    copies.pipeline(source, target, chunks, lanes, 3, place, marks)
    expected = torch.sin(torch.sin(torch.sin(source)))
    assert torch.allclose(target, expected, rtol=1e-5)
    found = marks.seconds()
    assert set(found) == set(
        itertools.product(["in", "work", "out", "end"], range(1, chunks + 1))
    )
    assert found["in", 1] == 0 <= found["work", 1] <= found["out", 1]


@places
def test_marks_go_forward(place):
    mark = copies.Marks(place)
    x = torch.ones(10**6, device=place)
    for label in "abc":
        x = copies.work(x, 3)
        mark(label)
    found = list(mark.seconds().values())
    assert found == sorted(found) and found[0] == 0 < found[-1]


@places
def test_a_call_returns_before_it_is_done(place):
    here, there = copies.pair(10**6, place)
    for pair in ((here, there), (there, here)):
        returned, done = copies.returns(*pair)
        assert 0 < returned <= done
    assert torch.equal(copies.pin_on_the_way(here, place).cpu(), here)
    assert copies.balance(torch.ones(10**5), place) >= 1


def test_on_one_memory_nothing_is_read_too_early():
    here, there = copies.pair(1000, "cpu")
    there.fill_(7)
    assert not copies.too_early(there, here)
    assert here.eq(7).all()
    rows = trials.read_too_early("cpu", 1000, 3)
    assert [row["last byte old"] for row in rows] == ["0 of 3"] * 2


@places
@pytest.mark.parametrize("name", copies.OPERATIONS)
@pytest.mark.parametrize("size", [1, 100, 1025])
def test_the_device_gets_numpys_result(place, name, size):
    array = copies.operand(name, size, seed=3)
    assert np.array_equal(array, copies.operand(name, size, seed=3))
    assert array.dtype == np.float32
    assert array.size == (round(math.sqrt(size)) ** 2 if name == "matmul"
                          else size)  # fmt: skip
    by_numpy, _, width, units = copies.OPERATIONS[name]
    expected = by_numpy(array)
    found = copies.there_and_back(name, array, place)
    assert np.allclose(found, expected, rtol=1e-3, atol=1e-3)
    assert expected.nbytes == width * array.size and units(4) > 0


def test_the_trials_have_the_series_that_the_page_asks_for():
    sizes = [1024, 4096, 2**14]
    times = trials.both_ways("cpu", sizes, **HOW)
    assert set(times.names) == {
        f"{way}, {memory}"
        for way in transfers.DIRECTIONS
        for memory in trials.MEMORIES
    }
    laws = {m: transfers.lines(times, m) for m in trials.MEMORIES}
    rows = transfers.constants(laws, 1e9)
    assert [row["copy"] for row in rows] == [
        "in, pageable", "out, pageable", "in, pinned", "out, pinned"
    ]  # fmt: skip
    waits = trials.without_waiting("cpu", 1000, rounds=6)
    assert len(waits) == 9
    assert all(len(series.values) == 6 for series in waits)
    work = trials.operations("cpu", [16, 64, 256], **HOW)
    way = transfers.Way(work, laws["pageable"], "FFT",
                        *copies.OPERATIONS["FFT"][2:])  # fmt: skip
    assert [n for n, _ in way.predicted] == [16, 64, 256]
    tried = trials.tried("cpu", {"sort": 100}, **HOW)
    assert tried.names == ["sort, NumPy", "sort, there and back"]


def test_a_pipeline_is_timed_whole_and_in_parts():
    pipe = trials.Pipeline("cpu", 4000)
    assert torch.allclose(pipe.run(2), pipe.expected())
    assert len(pipe.overlap(**HOW)) == 7
    line = pipe.timeline(rounds=6)
    assert line.sizes("two streams, end") == [1, 2, 3, 4]
    assert all(len(series.values) == 6 for series in line)
    ends = line.seconds("one stream, end", 4).value
    assert ends >= line.seconds("one stream, in", 4).value > 0


def test_addresses_tell_who_shares():
    found = {k: sharing.shared(*v) for k, v in sharing.on_the_host().items()}
    assert found["torch.from_dlpack(array)"] == "yes"
    assert found["torch.tensor(array)"] == "no"
    assert found["np.from_dlpack(tensor, copy=True)"] == "no"
    assert found["np.from_dlpack(tensor with gradient)"].startswith("refused")
    assert "changed" in sharing.written(np.ones(3))
    assert sharing.written(np.ones(3), torch.tensor).startswith("it has not")
    refused = sharing.written(sharing.read_only(3), lambda a: a)
    assert refused == "refused: ValueError"


@CUDA
def test_the_device_shares_too():
    ways = sharing.on_the_device()
    found = {name: sharing.shared(*case) for name, case in ways.items()}
    assert found.pop("np.from_dlpack(CUDA tensor)") != "yes"
    assert set(found.values()) == {"yes"}


def test_a_reversed_array_is_not_shared():
    found = sharing.shared(torch.from_numpy, np.ones(3)[::-1])
    assert found == "refused: ValueError"
    told = negative_strides.ending()
    assert told.startswith(("refused: ", "the process ended by signal "))


@pytest.mark.skipif(
    platform.libc_ver()[0] != "glibc", reason="settings of glibc"
)
def test_a_threshold_decides_where_the_faults_begin():
    size = 2**22
    keep = {"mmap_threshold": 2**30, "trim_threshold": 2**30}
    found = {
        name: host.ask("sweep", faults.settings(s), sizes=[size], budget=0)
        for name, s in {"kept": keep, "mapped": {"mmap_threshold": 2**20}}
        .items()
    }  # fmt: skip
    cells = {name: f[f"fresh {size}"] for name, f in found.items()}
    assert cells["mapped"]["faults"] > 100 > 10 > cells["kept"]["faults"]
    assert found["mapped"][f"used {size}"]["faults"] < 10
    assert len(cells["kept"]["seconds"]) == 6


@pytest.mark.parametrize("distance", [0, 16, 4095, -64])
def test_arrays_lie_where_they_are_told(distance):
    source, target = host.arrays(5000, distance)
    assert (target.ctypes.data - source.ctypes.data - distance) % 4096 == 0
    assert source.size == target.size == 5000
    done = host.shifted(5000, [distance], 0)
    assert min(done[str(distance)]["seconds"]) > 0
    assert set(host.neighbours([4096])) == {"4096"}


def test_a_timeline_shows_whose_it_is():
    start, end = (Quantity(t, t, t, "s", origin="box") for t in (1.0, 3.0))
    chart = figures.spans([("lane", "part", start, end)], x="time")
    assert chart.rows == [
        ["lane", "part", "1.00 s (recorded)", "3.00 s (recorded)"]
    ]
    assert chart.origin == "box"
