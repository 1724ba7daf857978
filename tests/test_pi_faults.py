"""The probe of page faults, and the ways that avoid them."""

import platform

import numpy as np
import pytest

from onthefly.experiments.memory import faults
from onthefly.kernels import pi_numpy as arrays
from onthefly.kernels import sigmas

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
    with faults.Probe() as probe:
        small, large = (probe.ask(n, way) for n in (1000, 20_000))
    assert 0 < small["seconds"] < large["seconds"]
    assert min(small["faults"], large["faults"]) >= 0


@glibc
def test_an_allocator_that_keeps_its_memory_faults_less():
    with faults.Probe() as plain:
        lost = plain.ask(30_000)["faults"]
        freed = plain.ask(30_000, freed=31 * 2**20)["faults"]
    with faults.Probe(faults.settings(BOTH)) as probe:
        kept = probe.ask(30_000)["faults"]
    assert lost > 100 > 10 > max(kept, freed)


@glibc
def test_system_calls_are_counted():
    fixed = {"mmap_threshold": 2**17, "trim_threshold": 2**30}
    with faults.Probe(faults.settings(fixed)) as probe:
        calls = probe.ask(30_000, trace=4)
        none = probe.ask(1000, trace=4)
    if calls is None:
        pytest.skip("one process may not watch another here")
    assert calls["mmap"] == calls["munmap"] >= 4 and none == {}


def test_a_probe_that_ended_says_so(capfd):
    with (
        faults.Probe() as probe,
        pytest.raises(RuntimeError, match="Probe ended: 1"),
    ):
        probe.ask(1000, "no such way")
        probe.ask(1000)
    assert "no such way" in capfd.readouterr().err


@pytest.mark.parametrize("chunk", [None, 1, 999, 10_000, 10**6])
def test_buffers_count_every_shot(chunk):
    if chunk == 1:
        assert arrays.pi_numpy_buffers(3, chunk=1) in (0, 4 / 3, 8 / 3, 4)
        return
    pi = arrays.pi_numpy_buffers(12_345, np.random.default_rng(3), chunk)
    assert sigmas(pi, 12_345) < 5


@pytest.mark.parametrize("count", [1, 2, 3])
def test_threads_with_streams_of_their_own_repeat(count):
    first, again = (
        arrays.pi_numpy_threads(10**5 + 1, arrays.spawn(7, count))
        for _ in range(2)
    )
    assert first == again and sigmas(first, 10**5 + 1) < 5


@glibc
def test_what_a_reused_temporary_leaves_holds_the_heap():
    """The first reuse leaves a block; what it lies above is kept."""
    heap = faults.settings({"mmap_threshold": 2**30})
    with faults.Probe(heap) as probe:
        small, large = 10_000, 100_000
        first = {n: probe.ask(n)["faults"] for n in (small, large)}
        later = {n: probe.ask(n, reuse=True)["faults"] for n in first}
    assert first[small] > 10 > later[small]
    assert first[large] < 10 < later[large]


@pytest.mark.skipif(platform.system() != "Linux", reason="an ELF file")
def test_thread_local_bytes_are_read_from_the_library():
    umath = np._core._multiarray_umath.__file__
    assert faults.thread_bytes(umath) > 1000
    with pytest.raises(ValueError, match="not an ELF file"):
        faults.thread_bytes(__file__)
