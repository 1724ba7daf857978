"""Page faults counted here, and by the probe in a process of its own."""

import functools
import mmap
import platform

import numpy as np
import pytest

from onthefly.experiments.memory import faults
from onthefly.experiments.memory.faults_probe import Probe, compare, probing
from onthefly.tools import processes

glibc = pytest.mark.skipif(
    platform.libc_ver()[0] != "glibc", reason="settings of glibc"
)
BOTH = {"mmap_threshold": 2**30, "trim_threshold": 2**30}


def test_settings_are_environment_variables():
    assert faults.settings() == {}
    assert faults.settings({"top_pad": 8, "mmap_max": 0}, False) == {
        "GLIBC_TUNABLES": "glibc.malloc.top_pad=8:glibc.malloc.mmap_max=0",
        "NUMPY_MADVISE_HUGEPAGE": "0",
    }


@pytest.mark.parametrize("way", ["whole", "chunks", "buffers"])
def test_a_probe_times_and_counts(way):
    with Probe() as probe:
        small, large = (probe.timed(n, way) for n in (1000, 20_000))
    assert 0 < small[0] < large[0]
    assert min(small[1], large[1]) >= 0


@glibc
def test_an_allocator_that_keeps_its_memory_faults_less():
    with Probe() as plain:
        _, lost = plain.timed(30_000)
        _, freed = plain.timed(30_000, freed=31 * 2**20)
    with Probe(faults.settings(BOTH)) as probe:
        _, kept = probe.timed(30_000)
    assert lost > 100 > 10 > max(kept, freed)


@glibc
def test_system_calls_are_counted():
    fixed = {"mmap_threshold": 2**17, "trim_threshold": 2**30}
    with Probe(faults.settings(fixed)) as probe:
        calls = probe.system_calls(4, 30_000)
        none = probe.system_calls(4, 1000)
    if calls is None:
        pytest.skip("one process may not watch another here")
    assert calls["mmap"] == calls["munmap"] >= 4 and none == {}


def test_what_fails_in_a_copy_is_told_and_the_probe_goes_on():
    with Probe() as probe:
        count = functools.partial(probe.system_calls, 2)
        for ask in (probe.timed, count):
            with pytest.raises(processes.Failed, match="no such way"):
                ask(1000, "no such way")
            with pytest.raises(processes.Failed, match="negative"):
                ask(1000, freed=-1)
        seconds, _ = probe.timed(1000)
    assert seconds > 0


@glibc
def test_probes_are_compared_in_rounds():
    ways = {"plain": ({}, {}), "kept": (faults.settings(BOTH), {})}
    times, lost = compare(ways, [1000, 30_000], rounds=6)
    assert sorted(times.names) == ["kept", "plain"]
    assert times.first("plain", 1000) is None
    assert len(times.series("kept", 30_000).values) == 6
    assert lost["plain", 30_000] > 100 > 10 > lost["kept", 30_000]


def test_ways_of_one_environment_share_a_probe():
    kept = faults.settings(BOTH)
    ways = {
        "plain": ({}, {}),
        "chunks": ({}, {"way": "chunks"}),
        "kept": (kept, {}),
    }
    with probing(ways) as probes:
        assert list(probes) == list(ways)
        assert probes["plain"] is probes["chunks"] is not probes["kept"]
        assert probes["kept"].timed(1000)[0] > 0
    assert probes["plain"].ended() and probes["kept"].ended()


@glibc
def test_what_a_reused_temporary_leaves_holds_the_heap():
    """The first reuse leaves a block; what it lies above is kept."""
    heap = faults.settings({"mmap_threshold": 2**30})
    with Probe(heap) as probe:
        small, large = 10_000, 100_000
        first = {n: probe.timed(n)[1] for n in (small, large)}
        later = {n: probe.timed(n, reuse=True)[1] for n in first}
    assert first[small] > 10 > later[small]
    assert first[large] < 10 < later[large]


def test_faults_of_calls_are_counted_in_this_process():
    text, known = b"x" * 2**22, bytearray(2**22)

    def fresh():
        with mmap.mmap(-1, len(text)) as memory:
            memory.write(text)

    def again():
        known[:] = text

    found = faults.in_turns({"fresh": fresh, "again": again})
    assert found["fresh"] > found["again"]
    assert faults.of_call(fresh) > faults.of_call(again)


@pytest.mark.skipif(platform.system() != "Linux", reason="an ELF file")
def test_thread_local_bytes_are_read_from_the_library():
    umath = np._core._multiarray_umath.__file__
    assert faults.thread_bytes(umath) > 1000
    with pytest.raises(ValueError, match="not an ELF file"):
        faults.thread_bytes(__file__)
