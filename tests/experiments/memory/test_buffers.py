"""Where numbers lie, who shares them, and a reader that may be ended."""

import os
import signal

import numpy as np
import psutil
import pytest

from onthefly.experiments.memory import buffers
from onthefly.tools.quiet_tensorflow import tf


@pytest.mark.parametrize("offset", [0, 4, 16, 60])
def test_an_array_lies_where_it_is_asked_to(offset):
    array = buffers.aligned(10, offset)
    assert array.shape == (10,) and array.dtype == np.float32
    assert buffers.address(array) % 64 == offset


def test_sharing_is_no_copying():
    torch = pytest.importorskip("torch")
    array = buffers.aligned(10)
    assert buffers.shares(torch.from_numpy, array) == (True, "yes")
    assert buffers.shares(torch.tensor, array) == (False, "no")
    assert buffers.shares(np.copy, array) == (False, "no")
    assert buffers.shares(np.asarray, array) == (True, "yes")
    constant = tf.constant(array)
    there = buffers.address(buffers.to_tensorflow(array))
    assert there == array.ctypes.data != buffers.address(constant)
    same, write = buffers.shares(memoryview, constant)
    assert same and write == "cannot be written"


@pytest.mark.parametrize(("offset", "shared"), [(0, True), (4, False)])
def test_a_session_is_asked_for_the_address_it_reads(offset, shared):
    array = buffers.aligned(1000, offset)
    seen = buffers.fed_address(array)
    assert (seen == array.ctypes.data) == shared
    assert seen % 64 == 0  # TensorFlow's own copy lies there, too


def test_a_reader_of_aligned_memory_reads_and_ends():
    reader = buffers.start_reading()
    assert buffers.readings(reader, 0, 0) == ["it reads 7.0"] * 2
    assert not psutil.pid_exists(reader.pid)


def test_a_reader_that_is_ended_has_a_reading():
    reader = buffers.start_reading()
    os.kill(reader.pid, signal.SIGKILL)
    assert buffers.readings(reader, 0) == ["the process is ended by SIGKILL"]
