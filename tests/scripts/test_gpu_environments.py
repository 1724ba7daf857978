"""The GPU environments: each extra resolves to one set, of one CUDA."""

import re

import gpu_packages
import pytest
import yaml

import lock
import wheelhouse
from conftest import ROOT
from onthefly.refused import Refused

LOCKED = lock.pins(ROOT / "requirements.lock")
LOCKED_GPU = lock.pins(ROOT / "requirements-gpu.lock")
CONDA = yaml.safe_load((ROOT / "environment.yml").read_text())
# The major version of CUDA in the name of a package or of an extra.
MADE_FOR = re.compile(r"[-[]cu(?:da)?(1\d)x?")
OWN = {
    "gpu": {
        "torch", "tensorflow", "cupy-cuda12x", "jax-cuda12-plugin",
        "nvidia-cudnn-cu12",
    },
    "gpu-cuda13": {
        "torch", "tensorflow-cpu", "cupy-cuda13x", "jax-cuda13-plugin",
        "nvidia-cudnn-cu13",
    },
}  # fmt: skip


pytestmark = pytest.mark.slow  # pip resolves some hundred packages


@pytest.fixture(scope="module")
def index(tmp_path_factory):
    """Options that let pip resolve from what is kept, and nothing else."""
    folder = tmp_path_factory.mktemp("wheels")
    gpu_packages.wheels(folder)
    return "--no-index", "--find-links", folder


@pytest.fixture(scope="module", params=gpu_packages.EXTRAS)
def resolved(request, index):
    """An extra, and {package: version} of what pip would install for it."""
    found, done = gpu_packages.resolve(request.param, *index)
    assert done.returncode == 0, (
        f"{done.stderr}\nIf pyproject.toml or a lock file has new versions: "
        f"python {gpu_packages.__file__}"
    )
    return request.param, {m["name"]: m["version"] for m in found}


def test_an_extra_is_of_one_cuda(resolved):
    extra, found = resolved
    major = found["cuda-toolkit"].partition(".")[0]
    assert found["cuda-bindings"].partition(".")[0] == major
    made_for = {m[1] for name in found if (m := MADE_FOR.search(name))}
    assert made_for == {major}, found
    asked = {
        m[1]
        for text in gpu_packages.requirements(extra)
        if (m := MADE_FOR.search(text))
    }
    assert asked == {major}


def test_an_extra_has_its_libraries(resolved):
    extra, found = resolved
    assert {"numba-cuda", "numba", "numpy"} | OWN[extra] <= set(found)
    # Two packages that write the same files.
    assert not {"tensorflow", "tensorflow-cpu"} <= set(found)


def test_an_extra_keeps_to_its_lock(resolved):
    extra, found = resolved
    locked = LOCKED_GPU if extra == "gpu" else LOCKED
    shared = {n: v for n, v in found.items() if n in locked}
    assert len(shared) > 10
    assert shared == {name: locked[name] for name in shared}


def test_the_lock_of_the_gpu_holds_all_of_it(resolved):
    extra, found = resolved
    assert (set(found) <= set(LOCKED_GPU)) == (extra == "gpu")


def test_both_locks_name_the_same_versions():
    both = set(LOCKED) & set(LOCKED_GPU)
    assert {n for n in both if LOCKED[n] != LOCKED_GPU[n]} == {"torch"}
    assert set(LOCKED) - both == {"tensorflow-cpu"}
    assert LOCKED["tensorflow-cpu"] == LOCKED_GPU["tensorflow"]
    assert all(
        re.match(
            "nvidia-.*-cu12$|cu|numba-cuda$|jax-cuda12-|tensorflow$|triton$",
            name,
        )
        for name in set(LOCKED_GPU) - both
    )


@pytest.mark.parametrize(
    ("extra", "locked"), [("gpu", LOCKED_GPU), ("cpu", LOCKED)]
)
def test_a_lock_has_what_its_extra_asks_for(extra, locked):
    asked = wheelhouse.requirements(ROOT, extra, "test")
    versions = dict(t.split("==") for t in asked if "==" in t)
    assert "torch" in versions
    for text, version in versions.items():
        name = lock.canonical(text.partition("[")[0])
        assert re.fullmatch(version.replace("*", r"\S+"), locked[name]), text
    for text in asked:
        name = lock.canonical(re.match(r"[\w.-]+", text)[0])
        assert name in locked, f"{name}; repair: make lock"


def test_two_cudas_in_one_environment_are_refused(index):
    _, done = gpu_packages.resolve("gpu", *index, "cupy-cuda13x[ctk]")
    assert done.returncode and "conflict" in done.stderr


def test_conda_and_pip_name_the_same_versions():
    plain = [d for d in CONDA["dependencies"] if isinstance(d, str)]
    versions = dict(d.split("=") for d in plain if "=" in d)
    (pip,) = [d["pip"] for d in CONDA["dependencies"] if isinstance(d, dict)]
    assert pip == ["-r requirements-gpu.lock", "-e .[gpu]"]
    assert LOCKED_GPU["cuda-toolkit"].startswith(
        f"{versions['cuda-version']}."
    )
    for name in ("requirements.lock", "requirements-gpu.lock"):
        assert f"Python {versions['python']}" in (ROOT / name).read_text()
    pyproject = (ROOT / "pyproject.toml").read_text()
    assert f'requires-python = ">={versions["python"]}"' in pyproject


# The program that writes the lock


PROJECT = """\
[project]
name = "small"
dependencies = ["alpha"]
[project.optional-dependencies]
test = ["beta"]
cpu = ["torch==2.0"]
gpu = ["torch==1.0", "gamma==1.*"]
"""


@pytest.fixture
def small(tmp_path):
    """A project with a lock, and an index of empty wheels."""
    for name in ("alpha", "beta", "torch", "delta"):
        gpu_packages.empty_wheel(tmp_path, name, "1.0")
        gpu_packages.empty_wheel(tmp_path, name, "2.0")
    gpu_packages.empty_wheel(tmp_path, "gamma", "1.1", {"": ["delta"]})
    (tmp_path / "pyproject.toml").write_text(PROJECT)
    (tmp_path / "requirements.lock").write_text(
        "# Notes.\nalpha==1.0\nDelta==1.0\ntorch==2.0\n"
    )
    (tmp_path / "requirements-gpu.lock").write_text("# Kept.\nold==1.0\n")
    return tmp_path


def test_the_gpu_lock_keeps_the_other_locks_versions(small):
    lock.write(small, "--no-index", "--find-links", small)
    assert (small / "requirements-gpu.lock").read_text() == (
        "# Kept.\nalpha==1.0\nbeta==2.0\ndelta==1.0\ngamma==1.1\ntorch==1.0\n"
    )


def test_a_set_that_does_not_resolve_leaves_the_lock(small):
    before = (small / "requirements-gpu.lock").read_text()
    for wheel in small.glob("gamma*"):
        wheel.unlink()
    with pytest.raises(Refused, match="No matching distribution"):
        lock.write(small, "--no-index", "--find-links", small)
    assert (small / "requirements-gpu.lock").read_text() == before
