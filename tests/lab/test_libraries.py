"""The table of libraries: what is here, what sees a device, who waits."""

import subprocess
import sys
import types

import pytest

from cases import printed
from onthefly import clock, libraries, machine
from onthefly.libraries import LIBRARIES

WITH_DEVICE = [k for k, entry in LIBRARIES.items() if entry.sees]


def test_the_table_loads_none_of_them():
    code = (
        "import sys; from onthefly.libraries import LIBRARIES;"
        "print([e.module for e in LIBRARIES.values() if e.loaded()])"
    )
    assert printed(code) == "[]"


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


@pytest.mark.parametrize("sees", [True, False])
def test_the_clock_waits_for_who_sees_a_device(alone, sees):
    waited = []
    alone.setitem(sys.modules, "cupy", cupy(sees, waited))
    # Whatever the driver says: what the library sees decides.
    alone.setattr(machine, "gpus", lambda: [] if sees else [{"name": "a"}])
    clock.measure({"it": lambda: None}, budget=0.1, rounds=2)
    assert bool(waited) == sees


HIDDEN = """\
from onthefly import libraries
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


def numba_target(implementation="NVIDIA", error=None):
    """Return a stand-in for numba.cuda, which refuses each kernel so."""

    def compile_ptx(*_, **__):
        if error:
            raise error

    cuda = types.ModuleType("numba.cuda")
    cuda.compile_ptx, cuda.implementation = compile_ptx, implementation
    cuda.is_available = lambda: True
    return cuda


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (
            AttributeError("module 'numpy' has no attribute 'row_stack'"),
            "does not work with NumPy 2.",
        ),
        (AttributeError("module 'math' has no attribute 'cbrt'"), ""),
        (OSError("libNVVM cannot be found"), ""),
        (None, ""),
    ],
)
def test_a_numpy_that_is_too_new_for_kernels_is_named(error, said):
    cuda = numba_target(error=error)
    clash = libraries.numba_clash(cuda)
    assert said in clash and bool(said) == bool(clash)
    assert LIBRARIES["numba-cuda"].sees(cuda) != bool(said)


@pytest.mark.parametrize(
    ("version", "built"),
    [("2.13.0+cpu", False), ("2.13.0", True), ("", False)],
)
def test_a_build_says_that_it_is_for_the_processor(
    monkeypatch, version, built
):
    monkeypatch.setattr(libraries, "version", lambda *names: version)
    assert LIBRARIES["torch"].for_cuda() == built


def test_to_wait_does_not_start_a_device(alone):
    torch = types.ModuleType("torch")
    torch.cuda = types.SimpleNamespace(
        is_available=lambda: True, is_initialized=lambda: False
    )  # has no synchronize
    alone.setitem(sys.modules, "torch", torch)
    (wait,) = libraries.waits()
    wait()


@pytest.mark.slow  # loads them
@pytest.mark.parametrize("key", WITH_DEVICE)
def test_a_library_can_keep_its_device_busy(monkeypatch, key):
    monkeypatch.setattr(libraries, "NUMBERS", 1 << 10)
    monkeypatch.setattr(libraries, "TIMES", 3)
    if key == "numba-cuda":  # its compiler decides, without a device
        cuda = LIBRARIES[key].load()
        from numba import uint32, void

        from onthefly.experiments.gpu import ptx

        if why := ptx.missing():
            pytest.skip(why)
        monkeypatch.setattr(cuda, "device_array", lambda *a: None)
        work, _ = libraries._numba_work.__wrapped__(cuda)
        assert ptx.compiled(work, void(uint32[::1]))
        return
    stand_in = "numpy" if key == "cupy" else key  # by its own functions
    if not LIBRARIES[stand_in].here():
        pytest.skip(f"{stand_in} is not here")
    module = LIBRARIES[stand_in].load()
    if key == "torch":
        ones = module.ones
        monkeypatch.setattr(module, "ones", lambda n, device: ones(n))
    if key == "jax":
        devices = module.devices
        monkeypatch.setattr(module, "devices", lambda kind: devices("cpu"))
        LIBRARIES[key].wait(module)
    if key == "tensorflow":  # whatever another test has left
        module.config.set_soft_device_placement(True)
    LIBRARIES[key].busy(module)
