"""TensorFlow in the book: what it prints, and what it computes."""

import os
import platform
import re
import subprocess
import sys
from types import SimpleNamespace

import numpy as np
import pytest

pytest.importorskip("onthefly.tools.quiet_tensorflow", exc_type=ImportError)

from conftest import gone
from onthefly import machine
from onthefly.experiments.graphs import forms
from onthefly.experiments.graphs import workers as tensorflow_workers
from onthefly.kernels import add_tensorflow, pi_ports, sigmas, tank_tensorflow
from onthefly.kernels import pi_tensorflow_session as graphs
from onthefly.tools import quiet_tensorflow
from onthefly.tools.quiet_tensorflow import tf

LOG = """
from onthefly.tools.quiet_tensorflow import tf
log = tf.compat.v1.logging
for kind in (log.info, log.warning, log.error):
    tf.print("a line by", kind.__name__, output_stream=kind)
tf.function(lambda x: x + 1, jit_compile=True)(tf.zeros(3))
"""


FATAL = """
import os
from onthefly.tools.quiet_tensorflow import no_information
with no_information():
    for letter in "IWEF":
        os.write(2, f"{letter}0000 a line\\n".encode())
    os.abort()
"""


def lines(code, level=None, check=True):
    """Return {letter: lines} that TensorFlow's log got from `code`.

    The code runs in a fresh process, with oneDNN on, whose line is the one
    that no level hides; `level` is the environment's, or None.  A line
    begins with I, W, E or F and the day.
    """
    environment = {
        k: v for k, v in os.environ.items() if k != "TF_CPP_MIN_LOG_LEVEL"
    }
    environment["TF_ENABLE_ONEDNN_OPTS"] = "1"
    if level is not None:
        environment["TF_CPP_MIN_LOG_LEVEL"] = level
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        check=check,
        text=True,
        env=environment,
    )
    return {
        letter: re.findall(rf"^{letter}\d{{4}} .*$", done.stderr, re.M)
        for letter in "IWEF"
    }


def test_information_is_hidden_and_warnings_are_not():
    found = lines(LOG)
    assert found["I"] == []
    assert any("a line by warn" in line for line in found["W"])
    assert any("a line by error" in line for line in found["E"])


def test_the_last_words_of_a_crash_come_through():
    found = lines(FATAL, check=False)
    assert found["I"] == []
    assert [len(found[letter]) for letter in "WEF"] == [1, 1, 1]


def test_a_level_of_the_environment_is_kept():
    assert any("a line by info" in line for line in lines(LOG, "0")["I"])


@pytest.mark.parametrize("gpu", [True, False])
def test_cusolver_is_opened_for_a_gpu_alone(monkeypatch, gpu):
    opened = []
    finder = SimpleNamespace(load_nvidia_dynamic_lib=opened.append)
    there = {"tensorflow-gpu": gpu}
    monkeypatch.setattr(machine, "available", there.get)
    monkeypatch.setitem(
        sys.modules, "cuda", SimpleNamespace(pathfinder=finder)
    )
    quiet_tensorflow.open_cusolver()
    assert opened == ["cusolver"] * gpu


def test_without_cusolver_tensorflow_is_left_to_complain(monkeypatch):
    monkeypatch.setattr(machine, "available", lambda need: True)
    monkeypatch.setitem(sys.modules, "cuda", None)  # not installed
    quiet_tensorflow.open_cusolver()


SHOTS = 100_000


@pytest.fixture(scope="module", autouse=True)
def server():
    """One import of TensorFlow for all workers."""
    before = dict(os.environ)
    tensorflow_workers.start_server()
    yield
    os.environ.clear()
    os.environ.update(before)


@pytest.mark.parametrize("way", ["numpy", "numpy_ones", "tensorflow"])
def test_a_port_estimates_pi(way):
    library = tf if way == "tensorflow" else np
    port = getattr(pi_ports, f"port_{way}")
    assert sigmas(port(library, SHOTS), SHOTS) < 5


def test_the_port_to_torch_estimates_pi():
    torch = pytest.importorskip("torch")
    assert sigmas(pi_ports.port_torch(torch, SHOTS), SHOTS) < 5


def test_repaired_numpy_estimates_pi():
    rng = np.random.default_rng(7)
    assert sigmas(pi_ports.pi_numpy_single(SHOTS, rng), SHOTS) < 5
    assert sigmas(pi_ports.pi_numpy_double(SHOTS), SHOTS) < 5


def test_counts_agree_on_the_same_points():
    x, y = np.random.default_rng(7).random((2, SHOTS), np.float32)
    found = graphs.count_inside(tf.constant(x), tf.constant(y))
    assert int(found) == pi_ports.count_numpy(x, y)
    assert 0 < int(found) < SHOTS


def test_edits_are_counted():
    same = pi_ports.edits(pi_ports.port_numpy)
    assert same == {"lines": 0, "beyond the prefix": 0, "calls": 0}
    only = pi_ports.edits(pi_ports.port_numpy_ones)
    assert only == {"lines": 1, "beyond the prefix": 1, "calls": 1}
    prefix = pi_ports.edits(pi_ports.port_cupy)
    assert prefix == {"lines": 6, "beyond the prefix": 0, "calls": 0}
    assert pi_ports.edit_kinds(pi_ports.port_cupy) == ["prefix"]
    assert pi_ports.edits(pi_ports.port_tensorflow)["calls"] > 0


ADDS = ["eager", "unrolled", "session", "while", "function"]


@pytest.mark.parametrize("way", ADDS)
@pytest.mark.parametrize("steps", [0, 1, 3])
def test_steps_are_added(way, steps):
    array = np.arange(4, dtype=np.float32)
    found = getattr(add_tensorflow, f"add_{way}")(array, steps)
    assert found.dtype == np.float32
    assert np.array_equal(found, array + steps)


def test_nodes_are_built_and_run():
    feed = {"a:0": np.zeros(2, np.float32)}
    kept = add_tensorflow.session(
        add_tensorflow.build_unrolled, 5, folding=False
    )
    loop = add_tensorflow.session(add_tensorflow.build_while)
    assert _steps(kept, feed) == (5, 5)
    assert _steps(loop, feed | {"steps:0": 5}) == (1, 5)


def _steps(session, feeds):
    """Return the additions in a session's graph, and those of a run."""
    ran = [node for node, _ in add_tensorflow.trace(session, feeds)]
    built = add_tensorflow.names(session.graph)
    return tuple(map(add_tensorflow.steps_in, (built, ran)))


TOOLS = ["array", "scatter", "variable", "autograph"]


@pytest.mark.parametrize("tool", TOOLS)
def test_a_tool_gives_numbas_levels(tool):
    inflow = np.random.default_rng(3).integers(1, 10, 60)
    levels = tank_tensorflow.tank_numba(inflow, 25)
    assert levels.max() <= 25 and 0 in levels
    found = getattr(tank_tensorflow, f"tank_{tool}")(
        tf.constant(inflow), tf.constant(25, tf.int64)
    )
    assert np.array_equal(found, levels)


def test_each_form_becomes_nodes():
    found = forms.found()
    assert all(found.values())
    assert found["loop, function"] == found["loop, statement"]
    assert found["branch, function"] == found["branch, statement"]


@pytest.fixture(scope="module")
def worker():
    with tensorflow_workers.Worker(1, 1) as made:
        yield made


def test_a_worker_has_its_own_settings(worker):
    ask = tf.config.threading.get_intra_op_parallelism_threads
    assert worker.ask(threads_of_an_operation) == 1
    assert ask() == 0  # here: TensorFlow chooses
    found = worker.ask(pi_ports.pi_eager, SHOTS)
    assert sigmas(found, SHOTS) < 5


def threads_of_an_operation():
    """Return the worker's number of intra-op threads."""
    return tf.config.threading.get_intra_op_parallelism_threads()


def test_an_error_in_a_worker_comes_back_as_one_line(worker):
    with pytest.raises(RuntimeError, match="worker: ValueError: shots"):
        worker.ask(graphs.pi_tensorflow_session, 0)
    found = worker.ask(graphs.pi_tensorflow_session, SHOTS)
    assert sigmas(found, SHOTS) < 5


def test_a_worker_that_has_ended_is_named():
    ends = pytest.raises(RuntimeError, match="worker ended: 3")
    with tensorflow_workers.Worker() as made, ends:
        made.ask(os._exit, 3)


def test_workers_end_with_the_process_that_started_them():
    code = """
import os, signal
from onthefly.experiments.graphs import workers
worker = workers.Worker()
print(worker.ask(os.getpid), flush=True)
os.kill(os.getpid(), signal.SIGKILL)
"""
    done = subprocess.run(
        [sys.executable, "-c", code], stdout=subprocess.PIPE, text=True
    )
    assert gone(int(done.stdout), 20)


def test_a_worker_may_keep_its_memory():
    glibc = platform.libc_ver()[0] == "glibc"
    with tensorflow_workers.Worker() as made:
        assert made.ask(tensorflow_workers.keep_memory) == glibc
        total = made.ask(add_tensorflow.add_pair, 1000)
    assert total.shape == (1000,)
    assert 0 <= float(tf.reduce_min(total)) < float(tf.reduce_max(total)) <= 2


def test_the_order_of_statements_decides_the_mode():
    assert tensorflow_workers.modes_found() == tensorflow_workers.ORDERS


def test_onednn_takes_dense_kernels_only():
    with tensorflow_workers.Worker(
        fresh=True, TF_ENABLE_ONEDNN_OPTS="1"
    ) as made:
        dense = made.ask(add_tensorflow.dense_kernels)
        pi = made.ask(graphs.kernels, 100)
    assert "Sqrt" in dense and "Sqrt" in pi
    assert not any("Mkl" in kernel for kernel in pi)
