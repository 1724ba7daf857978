"""The environment check: what works, what is broken, what is not there."""

import json
import os

import pytest

from cases import printed
from conftest import call
from onthefly import commands
from onthefly.environment import devices, ready, toolkit, trials

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
    return call(commands.main, "env", *names, environment=dict(os.environ))


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
    ],
    ids=["missing", "broken", "wrong", "crash"],
)
def test_a_fault_is_named_and_harms_no_other(install, body, state, detail):
    install("numba", body)
    done = run("numba", "numpy")
    _, numba, numpy = done.stdout.splitlines()
    assert numba.split()[:2] == [state, "numba"]
    assert detail in numba and ": confirm" in numba
    assert numpy.split()[:2] == ["OK", "numpy"]
    assert "not working: numba; repair:" in done.stderr
    assert done.returncode == 1


@pytest.mark.slow
def test_a_library_that_hangs_is_ended(install, monkeypatch):
    install("numba", "import threading; threading.Event().wait()")
    monkeypatch.setattr(ready, "LIMIT", 1)
    assert ready.try_alone("numba") == ("FAIL", "no answer in 1 s")


def test_what_a_command_can_do_without_is_no_fault(install, monkeypatch):
    """Where only the package is installed."""
    monkeypatch.setattr(ready, "CHECKOUT", None)
    for name in ("asv", "numba"):
        install(name, "import no_such_module")
    tried, wrong = ready.check(["numpy", "asv"], lambda _: None)
    assert [one.state for one in tried] == ["OK", "missing"] and not wrong
    _, (wrong,) = ready.check(["numba", "asv"], lambda _: None)
    assert "not working: numba; repair: pip install" in wrong


def test_a_missing_compiler_is_not_repaired_by_pip(tmp_path):
    variables = {**os.environ, "PATH": str(tmp_path)}
    done = call(commands.main, "env", "cc", environment=variables)
    assert done.returncode == 1
    assert "not working: cc; repair: install a C compiler" in done.stderr


def test_every_library_is_of_the_tool_or_of_the_book():
    assert not trials.TOOL.keys() & trials.BOOK.keys()
    assert trials.TRIALS.keys() == trials.TOOL.keys() | trials.BOOK.keys()


def test_json_is_printed_alone():
    done = run("numpy", "--json")
    (library,) = json.loads(done.stdout)["libraries"]
    assert (library["name"], library["state"]) == ("numpy", "OK")


def test_an_unknown_name_is_refused():
    done = run("nunba")
    assert (done.returncode, done.stdout) == (2, "")
    (line,) = done.stderr.splitlines()
    assert "'nunba': did you mean numba?" in line


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
    _, wrong = ready.check_gpu(lines.append)
    faults = "\n".join(wrong)
    assert lines[0].startswith("NVIDIA H200")
    states = {line.split()[1]: line.split()[0] for line in lines[1:]}
    assert states["jax-cuda"] == states["numba-cuda"] == "missing"
    assert "cupy: RuntimeError: cudaErrorInsufficientDriver" in faults
    assert "driver is older than the CUDA runtime; repair: " in faults
    assert "torch-cuda: ended by SIGSEGV" in faults
    assert "tensorflow-cuda: " in faults and "CUDA toolkit" in faults
    assert "no library uses the GPU; repair: " in faults


def test_a_trial_that_is_trusted_is_not_made(gpus, monkeypatch):
    gpus({})
    tried = []
    monkeypatch.setattr(
        ready, "try_alone", lambda name: tried.append(name) or ("FAIL", "no")
    )
    every, wrong = ready.check_gpu(lambda _: None, {"cupy"})
    assert set(tried) == trials.GPU_TRIALS.keys() - {"cupy"}
    assert {one.name for one in every if one.state == "OK"} == {"cupy"}
    assert "cupy" not in "".join(wrong)


@pytest.mark.parametrize(
    ("name", "ours", "other"),
    [
        ("TF_FORCE_GPU_ALLOW_GROWTH", "true", "false"),  # they share it
        ("XLA_PYTHON_CLIENT_PREALLOCATE", "false", "true"),  # so does JAX
        ("CUDA_DEVICE_ORDER", "PCI_BUS_ID", "FASTEST_FIRST"),  # as NVML
    ],
)
def test_the_lab_sets_what_nobody_has_set(monkeypatch, name, ours, other):
    code = f"import os, onthefly; print(os.environ[{name!r}])"
    monkeypatch.delenv(name, raising=False)
    assert printed(code) == ours
    monkeypatch.setenv(name, other)
    assert printed(code) == other


def nvvm(folder):
    """Put a file in the place of NVVM into a toolkit; return the toolkit."""
    place = folder / "nvvm" / "lib64"
    place.mkdir(parents=True)
    (place / "libnvvm.so.4").touch()
    return folder


def test_a_toolkit_that_alone_has_numbas_compiler_is_found(
    tmp_path, monkeypatch
):
    monkeypatch.delenv("CUDA_HOME", raising=False)
    monkeypatch.delenv("CONDA_PREFIX", raising=False)
    monkeypatch.setattr(toolkit, "_in_packages", lambda: iter(()))
    monkeypatch.setattr(toolkit, "USUAL", tmp_path / "cuda")
    monkeypatch.setenv("PATH", str(tmp_path / "own" / "bin"))
    assert toolkit.only_home() is None
    nvcc = tmp_path / "own" / "bin" / "nvcc"
    nvcc.parent.mkdir(parents=True)
    nvcc.touch(mode=0o755)
    assert toolkit.only_home() is None  # a toolkit without it
    own = nvvm(tmp_path / "own")
    assert toolkit.only_home() == own
    usual = nvvm(tmp_path / "cuda")
    assert toolkit.only_home() == usual
    monkeypatch.setenv("CUDA_HOME", "/opt/cuda")
    assert toolkit.only_home() is None


def test_a_package_with_numbas_compiler_comes_first(tmp_path, monkeypatch):
    monkeypatch.delenv("CUDA_HOME", raising=False)
    monkeypatch.setattr(toolkit, "USUAL", nvvm(tmp_path / "cuda"))
    nvvm(tmp_path / "site" / "nvidia" / "cuda_nvcc")
    monkeypatch.syspath_prepend(str(tmp_path / "site"))
    assert toolkit.only_home() is None
