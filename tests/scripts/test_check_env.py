"""The environment check: what works, what is broken, what is not there."""

import os
import subprocess
import sys

import pytest

import check_env
from checking import devices, ready, repairs
from checking.trials import GPU_TRIALS, TRIALS
from conftest import call
from onthefly.libraries import LIBRARIES
from onthefly.provenance import NOTEBOOKS

CRASH = "import os, signal; os.kill(os.getpid(), signal.SIGSEGV)"


@pytest.fixture
def install(tmp_path, monkeypatch):
    """A function that puts a module that runs `body` before all others."""
    paths = [str(tmp_path), os.environ.get("PYTHONPATH", "")]
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(paths))

    def install(module, body, package="", version=""):
        (tmp_path / f"{module}.py").write_text(body)
        if package:
            about = tmp_path / f"{package}-{version}.dist-info"
            about.mkdir()
            (about / "METADATA").write_text(
                f"Metadata-Version: 2.1\nName: {package}\n"
                f"Version: {version}\n"
            )

    return install


def run(*names):
    return call(check_env.main, *names, environment=dict(os.environ))


@pytest.mark.slow
def test_every_library_works_here():
    done = run()
    states = {line.split()[0] for line in done.stdout.splitlines()[1:]}
    assert (states, done.returncode, done.stderr) == ({"OK"}, 0, "")


@pytest.mark.parametrize(
    ("body", "state", "detail"),
    [
        ("import no_numba", "missing", "No module named 'no_numba'"),
        ("raise ImportError('no libllvm\\nmore')", "FAIL", "no libllvm; "),
        ("njit = lambda f: lambda n: 0", "FAIL", "a wrong result"),
        (CRASH, "FAIL", "ended by SIGSEGV"),
        ("import os; os._exit(0)", "FAIL", "it ended without a word"),
    ],
    ids=["missing", "broken", "wrong", "crash", "exit"],
)
def test_a_fault_is_named_and_harms_no_other(install, body, state, detail):
    install("numba", body)
    done = run("numba", "numpy")
    _, numba, numpy = done.stdout.splitlines()
    assert numba.split()[:2] == [state, "numba"]
    assert detail in numba and "lost: the measurements of Numba" in numba
    assert numpy.split()[:2] == ["OK", "numpy"]
    assert "not working: numba; repair:" in done.stderr
    assert done.returncode == 1


@pytest.mark.slow
def test_a_library_that_hangs_is_ended(install, monkeypatch):
    install("numba", "import threading; threading.Event().wait()")
    monkeypatch.setattr(ready, "LIMIT", 1)
    assert ready.try_alone("numba") == ("FAIL", "no answer in 1 s")


def test_an_unknown_name_is_refused():
    done = run("nunba")
    assert (done.returncode, done.stdout) == (2, "")
    (line,) = done.stderr.splitlines()
    assert "'nunba': did you mean numba?" in line


def test_every_library_of_the_table_has_its_trial():
    for key, library in LIBRARIES.items():
        assert key in TRIALS or (not library.alone and key in GPU_TRIALS)


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("could not open /dev/nvidia0: Permission denied", "no permission"),
        ("Driver/library version mismatch", "old kernel module"),
        ("Error 802: system not yet initialized", "not linked up"),
        ("The NVIDIA driver on your system is too old", "driver is older"),
        ("CUDA_ERROR_UNSUPPORTED_PTX_VERSION", "too new for the driver"),
        ("torch.OutOfMemoryError: CUDA out of memory.", "another process"),
        ("libcusparse.so.12: undefined symbol: __nvJitLinkComplete_12_4",
         "are mixed"),
        ("no kernel image is available for execution", "no code for this"),
        ("libcuda.so.1: cannot open shared object file", "driver is missing"),
        ("libnvrtc.so.12: cannot open shared object file", "of the CUDA too"),
        ("RuntimeError: TensorFlow sees no GPU\nCannot dlopen some GPU "
         "libraries.", "of the CUDA toolkit"),
        ("RuntimeError: TensorFlow sees no GPU", "sees no device"),
        ("module 'numpy' has no attribute 'row_stack'", "NumPy is too new"),
        ("CUDA unknown error - this may be due to", "bad state"),
        ("AssertionError", ""),
    ],
)  # fmt: skip
def test_the_usual_faults_are_known_by_their_words(text, fault):
    assert fault in repairs.of_text(text)
    assert bool(repairs.of_text(text)) == bool(fault)


def test_without_a_gpu_no_library_is_tried(gpus):
    gpus()
    done = run("--gpu")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("check_env.py: no GPU here: the driver")


def test_memory_that_others_hold_is_a_fault(gpus):
    gpus({"free": 60 * 2**30})
    (line,), (fault,) = devices.check()
    assert "NVIDIA H200, 140 GiB (60 free), compute capability 9.0" in line
    assert "of 140 GiB only 60.0 are free" in fault and "repair: " in fault


def test_each_library_is_asked_to_use_the_device(gpus, install):
    gpus({})
    old = "raise RuntimeError('cudaErrorInsufficientDriver: 12.2')"
    install("cupy", old, "cupy_cuda12x", "14.2.0")
    install("torch", CRASH)
    blind = "class config: list_physical_devices = lambda kind: []\n"
    install("tensorflow", f"print('failed to load libcudnn')\n{blind}",
            "tensorflow", "2.21.0")  # fmt: skip
    for module in ("numba", "jax"):
        install(module, "import no_such_module")
    lines = []
    faults = "\n".join(ready.check_gpu(lines.append))
    assert lines[0].startswith("NVIDIA H200")
    states = {line.split()[1]: line.split()[0] for line in lines[1:]}
    assert states["jax-cuda"] == states["numba-cuda"] == "missing"
    assert "cupy: RuntimeError: cudaErrorInsufficientDriver" in faults
    assert "driver is older than the CUDA runtime; repair: " in faults
    assert "torch-cuda: ended by SIGSEGV" in faults
    assert "tensorflow-cuda: " in faults and "CUDA toolkit" in faults
    assert "no library uses the GPU; repair: " in faults


@pytest.mark.parametrize(
    ("name", "ours", "other"),
    [
        ("TF_FORCE_GPU_ALLOW_GROWTH", "true", "false"),  # they share it
        ("XLA_PYTHON_CLIENT_PREALLOCATE", "false", "true"),  # so does JAX
        ("CUDA_DEVICE_ORDER", "PCI_BUS_ID", "FASTEST_FIRST"),  # as NVML
    ],
)
def test_the_lab_sets_what_nobody_has_set(name, ours, other):
    code = f"import os, onthefly; print(os.environ[{name!r}])"
    environment = {k: v for k, v in os.environ.items() if k != name}
    for own, value in (({}, ours), ({name: other}, other)):
        done = subprocess.run(
            [sys.executable, "-c", code],
            env=environment | {"PYTHONPATH": str(NOTEBOOKS)} | own,
            capture_output=True,
            text=True,
        )
        assert done.stdout.strip() == value
