"""The environment check: what works, what is broken, what is not there."""

import json
import os
import re
import subprocess
import sys

import pytest

import check_env
import run as run_script
from checking import apart, devices, faults, ready
from checking.trial import on_device
from checking.trials import TRIALS
from conftest import call
from onthefly import claims, machine
from onthefly.libraries import LIBRARIES, version
from onthefly.provenance import NOTEBOOKS
from onthefly.refused import Refused


def run(*args, path=""):
    """Run the command; `path` is searched for modules before all others."""
    paths = os.pathsep.join([str(path), str(NOTEBOOKS)])
    return call(
        check_env.main, *args, environment=os.environ | {"PYTHONPATH": paths}
    )


def rows(done):
    """Return {name: result} of a run with --json."""
    return {row["name"]: row for row in json.loads(done.stdout)}


def broken(folder, module, body):
    """Put a package called `module` that runs `body` into `folder`."""
    (folder / module).mkdir()
    (folder / module / "__init__.py").write_text(body)


@pytest.mark.slow
def test_all_that_is_required_works_here():
    names = [n for n, entry in TRIALS.items() if entry.kind == "required"]
    assert {"numba", "tensorflow", "torch", "jax", "dask"} <= {*names}
    done = run("--json", *names)
    required = rows(done).values()
    assert [r["name"] for r in required if r["state"] != "OK"] == []
    assert all(row["version"] and row["detail"] for row in required)
    assert done.returncode == 0
    assert done.stderr == ""


CRASH = "import os, signal; os.kill(os.getpid(), signal.SIGSEGV)"
FAULTS = {
    "not there": (
        "raise ModuleNotFoundError(\"No module named 'numba'\")",
        "missing",
        "No module named 'numba'",
    ),
    "broken": (
        "raise ImportError('no libllvm\\nand more')",
        "FAIL",
        "ImportError: no libllvm",
    ),
    "wrong": (
        "njit = lambda f: lambda n: 0",
        "FAIL",
        "AssertionError",
    ),
    "crashes": (CRASH, "FAIL", "ended by SIGSEGV"),
    "exits": ("import os; os._exit(0)", "FAIL", "it ended without a word"),
}


@pytest.mark.parametrize("body, state, detail", FAULTS.values(), ids=FAULTS)
def test_a_fault_is_named_and_harms_no_other(tmp_path, body, state, detail):
    broken(tmp_path, "numba", body)
    done = run("numba", "numpy", path=tmp_path)
    lines = done.stdout.splitlines()
    assert lines[1].split()[:2] == [state, "numba"]
    assert f"{detail}; lost: the Numba measurements" in lines[1]
    assert lines[2].split()[:2] == ["OK", "numpy"]
    assert "required, but not working: numba; repair:" in done.stderr
    assert len(done.stderr.splitlines()) == 1
    assert done.returncode == 1


def test_it_is_said_which_pages_lose_how_many_claims(tmp_path):
    body = "raise ModuleNotFoundError('no dask')"
    broken(tmp_path, "dask", body)
    (row,) = rows(run("dask", "--json", path=tmp_path)).values()
    ledger = claims.load()
    lost = [c for c in ledger.claims.values() if "dask" in c.needs]
    assert lost and f"{len(lost)} claims" in row["lost"]
    for slug in {claim.chapter for claim in lost}:
        count = sum(claim.chapter == slug for claim in lost)
        assert f"{slug} {count}" in row["lost"]
    (row,) = rows(run("numpy", "--json")).values()
    assert "claims" not in row["lost"]


@pytest.mark.slow
def test_a_library_that_hangs_is_ended(tmp_path, monkeypatch):
    broken(tmp_path, "numba", "import threading; threading.Event().wait()")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    monkeypatch.setattr(apart, "TIME_LIMIT", 1)
    result = apart.run("numba")
    assert (result.state, result.detail) == ("FAIL", "no answer in 1 s")


def test_what_is_optional_may_be_missing(tmp_path):
    broken(tmp_path, "pytest", "raise ModuleNotFoundError('no pytest')")
    done = run("test tools", path=tmp_path)
    assert done.stdout.splitlines()[1].startswith("missing test tools")
    assert "lost: make test" in done.stdout
    assert (done.returncode, done.stderr) == (0, "")


def test_an_unknown_name_is_refused():
    done = run("nunba")
    assert done.returncode == 2
    assert done.stdout == ""
    assert len(done.stderr.splitlines()) == 1
    assert "'nunba'" in done.stderr and "numba," in done.stderr


# The GPU: what the libraries and the driver say, as users reported it

MIXED = "two CUDA versions are mixed"
MISSING = "library of the CUDA toolkit is missing"
OLD = "driver is older"
PTX = "too new for the driver"
SAID = [
    ("Insufficient Permissions", "no permission"),
    ("could not open /dev/nvidia0: Permission denied", "no permission"),
    ("Failed to initialize NVML: Driver/library version mismatch",
     "old kernel module"),
    ("RM has detected an NVML/RM version mismatch.", "old kernel module"),
    ("Error 803: system has unsupported display driver / cuda driver "
     "combination", "old kernel module"),
    ("RuntimeError: Unexpected error from cudaGetDeviceCount(). Did you run "
     "some cuda functions before calling NumCudaDevices() that might have "
     "already set an error? Error 802: system not yet initialized",
     "not linked up"),
    ("[802] Call to cuInit results in UNKNOWN_CUDA_ERROR", "not linked up"),
    ("RuntimeError: The NVIDIA driver on your system is too old (found "
     "version 12020). Please update your GPU driver", OLD),
    ("cudaErrorInsufficientDriver: CUDA driver version is insufficient for "
     "CUDA runtime version", OLD),
    ("LinkerError: [222] Call to cuLinkAddData results in "
     "CUDA_ERROR_UNSUPPORTED_PTX_VERSION\nptxas application ptx input, "
     "line 9; fatal   : Unsupported .version 8.7; current version is '8.4'",
     PTX),
    ("ptxas application ptx input, line 9; fatal   : Unsupported .version "
     "8.7; current version is '8.4'\nERROR NVJITLINK_ERROR_PTX_COMPILE: JIT "
     "the PTX (<cudapy-ptx>)", PTX),
    ("CUDA error: the provided PTX was compiled with an unsupported "
     "toolchain.", PTX),
    ("torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 20.00 "
     "MiB. GPU 0 has a total capacity of 23.65 GiB of which 11.06 MiB is "
     "free.", "another process"),
    ("Call to cuMemAlloc results in CUDA_ERROR_OUT_OF_MEMORY",
     "another process"),
    ("OutOfMemoryError: Out of memory allocating 512 bytes (allocated so "
     "far: 0 bytes).", "another process"),
    ("cudaErrorDevicesUnavailable: CUDA-capable device(s) is/are busy or "
     "unavailable", "another process"),
    ("ImportError: libcusparse.so.12: undefined symbol: "
     "__nvJitLinkComplete_12_4, version libnvJitLink.so.12", MIXED),
    ("RuntimeError: cuDNN version incompatibility: PyTorch was compiled "
     "against (8, 7, 0) but found runtime version (8, 2, 4).", MIXED),
    ("cuda_dnn.cc:522] Loaded runtime CuDNN library: 9.1.0 but source was "
     "compiled with: 9.3.0.", MIXED),
    ("Outdated cuDNN installation found.\nVersion JAX was built against: "
     "91002\nMinimum supported: 910\nInstalled version: 902", MIXED),
    ("RuntimeError: CUDA error: no kernel image is available for execution "
     "on the device", "no code for this card"),
    ("Error at driver init: \nCUDA driver library cannot be found.",
     "driver's own library"),
    ("RuntimeError: Found no NVIDIA driver on your system. Please check that "
     "you have an NVIDIA GPU and installed a driver", "driver's own library"),
    ("ImportError: libcuda.so.1: cannot open shared object file: No such "
     "file or directory", "driver's own library"),
    ("RuntimeError: CuPy failed to load libnvrtc.so.12: OSError: "
     "libnvrtc.so.12: cannot open shared object file: No such file or "
     "directory", MISSING),
    ("NvvmSupportError: libNVVM cannot be found. Do `conda install "
     "cudatoolkit`: library nvvm not found", MISSING),
    ("RuntimeError: TensorFlow sees no GPU\ngpu_device.cc:2343] Cannot "
     "dlopen some GPU libraries. Please make sure the missing libraries "
     "mentioned above are installed properly", MISSING),
    ("RuntimeError: TensorFlow sees no GPU\ncuda_driver.cc:314] failed call "
     "to cuInit: CUDA_ERROR_NO_DEVICE: no CUDA-capable device is detected",
     "CUDA sees no device"),
    ("RuntimeError: No CUDA GPUs are available", "CUDA sees no device"),
    ("RuntimeError: TensorFlow sees no GPU", "TensorFlow sees no GPU"),
    ("RuntimeError: numba-cuda 0.30.4 does not work with NumPy 2.5.0: module "
     "'numpy' has no attribute 'row_stack'", "too new for numba-cuda"),
    ("RuntimeError: CUDA unknown error - this may be due to an incorrectly "
     "set up environment, e.g. changing env variable CUDA_VISIBLE_DEVICES "
     "after program start.", "bad state"),
    ("Driver Not Loaded", "driver is not running"),
    ("GPU is lost", "lost or damaged"),
    ("RuntimeError: Failed to find C compiler. Please specify via CC "
     "environment variable", "no C compiler"),
    ("no answer in 120 s", "it hangs"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "name"), SAID)
def test_the_usual_faults_are_told_from_their_words(text, name):
    fault = faults.of_text(text)
    assert name in fault.name
    assert f"{fault.name}; repair: {fault.repair}" == str(fault)


def test_every_fault_is_one_that_somebody_met():
    met = {faults.of_text(text).name for text, _ in SAID}
    assert met == {fault.name for fault in faults.FAULTS}


@pytest.mark.parametrize(
    "text", ["AssertionError", "ended by SIGSEGV", "TensorRT not found", ""]
)
def test_an_unknown_fault_stays_as_it_is(text):
    assert faults.of_text(text) is None


H200 = {
    "name": "NVIDIA H200", "driver": "580.65.06", "cuda": (13, 0),
    "capability": (9, 0), "total": 141 * 2**30, "free": 140 * 2**30,
    "others": [],
}  # fmt: skip


@pytest.mark.parametrize(
    ("change", "toolkit", "words"),
    [
        ({}, "13.0.3", []),
        ({}, "12.8.1", []),
        ({}, "", []),
        ({"driver": "550.54.14", "cuda": (12, 4)}, "13.0.3",
         ["550.54.14 knows CUDA 12.4", "toolkit here is 13.0.3"]),
        ({"driver": "550.54.14", "cuda": (12, 4)}, "12.8.1", []),
        ({"capability": (7, 0)}, "13.0.3", ["7.0", "CUDA 13 leaves out"]),
        ({"capability": (7, 0)}, "12.8.1", []),
        ({"free": 60 * 2**30, "others": [12, 7]}, "13.0.3",
         ["of 141 GiB only 60.0", "processes: 12, 7"]),
        ({"free": 60 * 2**30}, "", ["not visible here"]),
        ({"total": 3 * 2**30, "free": 1.8 * 2**30}, "", ["only 1.8 are"]),
    ],
)  # fmt: skip
def test_the_device_is_looked_at_before_any_library(change, toolkit, words):
    found = faults.of_device(H200 | change, toolkit)
    assert len(found) == bool(words)
    for word in words:
        assert word in str(found[0]) and "repair: " in str(found[0])


def test_the_device_is_told_in_one_line():
    assert devices.device_line(H200, "13.0.3") == (
        "NVIDIA H200, 141 GiB (140 free), compute capability 9.0; "
        "driver 580.65.06, CUDA 13.0; toolkit 13.0.3"
    )


def test_a_closed_device_file_is_named(tmp_path):
    open_, closed = tmp_path / "nvidia0", tmp_path / "nvidia1"
    open_.touch()
    # Not there is as good as closed; root may open whatever there is.
    assert devices.forbidden([open_, closed]) == [closed]


@pytest.mark.skipif(machine.has_cuda(), reason="there is a GPU")
def test_without_a_gpu_there_is_one_line():
    done = run("--gpu")
    assert done.returncode == 1 and done.stdout == ""
    (line,) = done.stderr.splitlines()
    assert line.startswith("check_env.py: no GPU here (")


def stand_in(monkeypatch, folder, **bodies):
    """Let a device be there, and libraries that do as `bodies` say."""
    for module, body in bodies.items():
        broken(folder, module, body)
    monkeypatch.setenv("PYTHONPATH", str(folder))
    monkeypatch.setattr(devices, "look", lambda: [H200])
    monkeypatch.setattr(devices.machine, "toolkit", lambda: "13.0.3")
    monkeypatch.setattr(devices.glob, "glob", lambda pattern: [])


OLD_DRIVER = (
    "raise RuntimeError('cudaErrorInsufficientDriver: CUDA driver version "
    "is insufficient for CUDA runtime version')"
)
NOT_THERE = "raise ModuleNotFoundError('it is not there')"
NOT_READY = {"cupy": OLD_DRIVER, "torch": CRASH, "tensorflow": NOT_THERE,
             "numba": NOT_THERE, "jax": NOT_THERE}  # fmt: skip


def test_a_library_that_fails_or_crashes_is_a_finding(tmp_path, monkeypatch):
    stand_in(monkeypatch, tmp_path, **NOT_READY)
    said = []
    _, wrong = ready.check_gpu(lambda line: said.append(str(line)))
    assert said[0].startswith("NVIDIA H200")
    states = {re.split(r"\s+", line)[1]: line.split()[0] for line in said[1:]}
    assert states["cupy"] == states["torch-cuda"] == "FAIL"
    for name in ("numba-cuda", "tensorflow-cuda", "jax-cuda"):
        assert states[name] == "missing"
    lines = "\n".join(wrong)
    assert "cupy: RuntimeError: cudaErrorInsufficientDriver" in lines
    assert f"{OLD} than the CUDA runtime; repair: a driver" in lines
    assert "torch-cuda: ended by SIGSEGV" in lines
    assert "no library uses the GPU" in lines


def test_the_log_tells_why_tensorflow_sees_no_gpu(tmp_path, monkeypatch):
    log = "Cannot dlopen some GPU libraries."
    body = (
        f"import sys; print({log!r}, file=sys.stderr)\n"
        "class test: is_built_with_cuda = lambda: True\n"
        "class config: list_physical_devices = lambda kind: []\n"
    )
    stand_in(monkeypatch, tmp_path, tensorflow=body)
    result = apart.run("tensorflow-cuda")
    assert result.detail == "RuntimeError: TensorFlow sees no GPU"
    assert MISSING in result.repair


CLASH = """\
float64, void = [], lambda *_: None


def compile_ptx(*_, **__):
    import numpy

    numpy.has_no_such_function


class cuda:
    compile_ptx = compile_ptx
"""


def test_a_numpy_too_new_for_numba_cuda_is_told(tmp_path, monkeypatch):
    stand_in(monkeypatch, tmp_path, numba=CLASH)
    about = tmp_path / "numba_cuda-0.30.4.dist-info"
    about.mkdir()
    (about / "METADATA").write_text(
        "Metadata-Version: 2.1\nName: numba-cuda\nVersion: 0.30.4\n"
    )
    result = apart.run("numba-cuda")
    assert result.state == "FAIL"
    assert "numba-cuda 0.30.4 does not work with NumPy" in result.detail
    assert "requirements-gpu.lock" in result.repair


# As their distributions say, which cost no time to ask.
WITHOUT_CUDA = {
    "torch": version("torch").endswith("+cpu"),
    "tensorflow": bool(version("tensorflow-cpu")),
    "jax": not version("jax-cuda12-plugin", "jax-cuda13-plugin"),
}


@pytest.mark.slow
@pytest.mark.parametrize("library", WITHOUT_CUDA)
def test_a_build_without_cuda_is_missing_and_no_fault(library):
    if not WITHOUT_CUDA[library]:
        pytest.skip("a build for CUDA")
    result = apart.run(f"{library}-cuda")
    assert result.state == "missing"
    assert result.detail == "a build without CUDA"


def test_a_run_on_a_gpu_that_is_not_ready_is_refused(tmp_path, monkeypatch):
    stand_in(monkeypatch, tmp_path, **NOT_READY)
    with pytest.raises(Refused) as caught:
        run_script.check_device("cuda")
    assert len(str(caught.value).splitlines()) == 3


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
    for own, wanted in (({}, ours), ({name: other}, other)):
        done = subprocess.run(
            [sys.executable, "-c", code],
            env=environment | {"PYTHONPATH": str(NOTEBOOKS)} | own,
            capture_output=True,
            text=True,
        )
        assert done.stdout.strip() == wanted


@pytest.mark.parametrize("key", LIBRARIES)
def test_every_library_of_the_table_has_its_trial(key):
    entry = LIBRARIES[key]
    if entry.alone:
        assert TRIALS[key].kind != "gpu"
        assert TRIALS[key].packages == entry.packages
    if entry.sees:
        assert TRIALS[on_device(key)].kind == "gpu"
        assert TRIALS[on_device(key)].packages == entry.cuda


def test_no_device_is_tried_without_the_table():
    named = {on_device(key) for key, e in LIBRARIES.items() if e.sees}
    assert named == {n for n, t in TRIALS.items() if t.kind == "gpu"}
