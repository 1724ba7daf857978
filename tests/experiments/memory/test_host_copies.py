"""Copies in processes whose C library has settings."""

from unittest import mock

import pytest

from onthefly.clock import sample
from onthefly.experiments.memory import host_copies
from onthefly.experiments.memory import host_copies_child as child


@pytest.mark.parametrize("distance", [0, 16, 4095, -64])
def test_arrays_lie_where_they_are_told(distance):
    source, target = child.arrays(5000, distance)
    assert (target.ctypes.data - source.ctypes.data - distance) % 4096 == 0
    assert source.size == target.size == 5000


@pytest.mark.parametrize("threshold", [None, 10**9])
def test_copies_are_timed_by_their_distance_and_size(threshold):
    with host_copies.Copier(threshold) as copier:
        samplers = {"copy": copier.by_distance(5000)}
        times = sample(samplers, sizes=[-64, 16], rounds=6, first="unknown")
        assert times.sizes("copy") == [-64, 16]
        assert min(times.series("copy", 16).values) > 0
        assert copier.by_size(16)(5000) > 0


def test_the_setting_reaches_the_process(monkeypatch):
    program = mock.Mock()
    monkeypatch.setattr(host_copies, "Program", program)
    copy = host_copies.Copier(8192).by_size(16)
    assert not program.called  # nothing is copied yet
    copy(5000)
    setting = program.call_args.kwargs["environment"]["GLIBC_TUNABLES"]
    assert setting == "glibc.cpu.x86_rep_movsb_threshold=8192"


def test_a_processor_promises_what_is_known():
    assert set(host_copies.promises()) <= {"erms", "fsrm"}


def test_neighbours_are_told_by_their_size():
    found = host_copies.neighbours([4096, 2**16])
    assert list(found) == [4096, 2**16]
    assert all(0 <= distance < 4096 for distance in found.values())
