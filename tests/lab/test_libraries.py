"""The table of libraries: what is here, what sees a device, who waits."""

import subprocess
import sys
import types
from unittest import mock

import pytest

from onthefly.measure import clock, libraries, machine
from onthefly.measure.libraries import LIBRARIES
from onthefly.page.checkout import pages

WITH_DEVICE = [k for k, entry in LIBRARIES.items() if entry.sees]


@pytest.fixture
def alone(monkeypatch):
    """Let no library with a device be loaded."""
    for key in WITH_DEVICE:
        monkeypatch.setitem(sys.modules, LIBRARIES[key].module, None)
    return monkeypatch


def cupy(sees, waited):
    """Return a stand-in for CuPy, which notes when it is waited for."""
    module = types.ModuleType("cupy")
    device = types.SimpleNamespace(synchronize=lambda: waited.append(1))
    module.cuda = types.SimpleNamespace(
        is_available=lambda: sees, Device=lambda: device
    )
    return module


def test_no_part_of_the_book_has_the_name_of_a_library():
    """It lies on Python's path, and would hide that one is missing."""
    tops = {entry.module.partition(".")[0] for entry in LIBRARIES.values()}
    parts = {path.parent.name for path in pages()}
    assert parts and not parts & (tops | sys.stdlib_module_names)


@pytest.mark.parametrize("sees", [True, False])
def test_the_clock_waits_for_who_sees_a_device(alone, sees):
    waited = []
    alone.setitem(sys.modules, "cupy", cupy(sees, waited))
    # Whatever the driver says: what the library sees decides.
    alone.setattr(machine, "gpus", lambda: [] if sees else [{"name": "a"}])
    clock.measure({"it": lambda: None}, budget=0.1, rounds=2)
    assert bool(waited) == sees


HIDDEN = """\
from onthefly.measure import libraries
entry = libraries.LIBRARIES["tensorflow"]
tf = entry.load()
asked = tf.config.get_visible_devices, tf.config.list_physical_devices
tf.config.set_visible_devices([], "CPU")
# TensorFlow itself, asked of what it has here in the place of a GPU.
tf.config.get_visible_devices = lambda kind: asked[0]("CPU")
tf.config.list_physical_devices = lambda kind: asked[1]("CPU")
print(entry.sees(tf), entry.uses(tf), len(libraries.waits()))
"""


@pytest.mark.slow
def test_a_tensorflow_that_hides_its_devices_is_not_waited_for():
    pytest.importorskip("tensorflow", exc_type=ImportError)
    done = subprocess.run(
        [sys.executable, "-c", HIDDEN], capture_output=True, text=True
    )
    assert done.stdout.strip() == "True False 0", done.stderr


@pytest.mark.parametrize(
    ("implementation", "error", "sees"),
    [
        ("NVIDIA", None, True),
        ("NVIDIA", AttributeError("module 'numpy' has no attribute 'x'"),
         False),  # a NumPy too new for its kernels
        ("NVIDIA", OSError("libNVVM cannot be found"), True),
        ("Built-in", None, False),  # Numba's own target
    ],
)  # fmt: skip
def test_numba_cuda_sees_a_device_for_which_it_can_compile(
    implementation, error, sees
):
    cuda = mock.Mock(implementation=implementation)
    cuda.compile_ptx.side_effect = error
    cuda.is_available.return_value = True
    assert LIBRARIES["numba-cuda"].sees(cuda) == sees


def test_to_wait_does_not_start_a_device(alone):
    torch = types.ModuleType("torch")
    torch.cuda = types.SimpleNamespace(
        is_available=lambda: True, is_initialized=lambda: False
    )  # has no synchronize
    alone.setitem(sys.modules, "torch", torch)
    (wait,) = libraries.waits()
    wait()
