"""Processes whose TensorFlow has settings of its own."""

import os
import platform

import psutil
import pytest

from onthefly.experiments.graphs import workers
from onthefly.kernels import z_score
from onthefly.kernels.pi import pi_ports
from onthefly.tools.processes import Ended
from onthefly.tools.quiet_tensorflow import tf

SHOTS = 100_000


@pytest.fixture(scope="module")
def origin():
    """One import of TensorFlow for all workers."""
    before = dict(os.environ)
    with workers.start() as made:
        yield made
    os.environ.clear()
    os.environ.update(before)


@pytest.fixture(scope="module")
def worker(origin):
    with workers.fork(origin, 1, 1) as made:
        yield made


def test_what_workers_are_forked_from_has_run_nothing(origin, worker):
    """TensorFlow's threads would be lost in a copy of the process."""
    threads = {pid: psutil.Process(pid).num_threads()
               for pid in (origin.pid, worker.pid)}  # fmt: skip
    worker.ask(pi_ports.pi_eager, SHOTS)
    ran = psutil.Process(worker.pid).num_threads()
    assert threads[origin.pid] < ran
    assert psutil.Process(origin.pid).num_threads() == threads[origin.pid]


def test_a_worker_has_its_own_settings(worker):
    ask = tf.config.threading.get_intra_op_parallelism_threads
    assert worker.ask(ask) == 1
    assert ask() == 0  # here: TensorFlow chooses
    assert z_score(worker.ask(pi_ports.pi_eager, SHOTS), SHOTS) < 5


def test_a_worker_that_has_ended_is_named(origin):
    with workers.fork(origin) as made, pytest.raises(Ended, match="worker"):
        made.ask(os._exit, 3)
    with workers.fork(origin) as made:  # the others are none the worse
        assert made.ask(os.getpid) == made.pid


def test_a_worker_may_keep_its_memory(origin):
    glibc = platform.libc_ver()[0] == "glibc"
    with workers.fork(origin) as made:
        assert made.ask("keep_memory") == glibc
