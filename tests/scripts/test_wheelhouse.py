"""The wheelhouse: fetched here, checked and installed there."""

import shutil
import subprocess

import gpu_packages
import pytest

import lock
import wheelhouse

PROJECT = """\
[project]
name = "small"
dependencies = ["alpha"]
[project.optional-dependencies]
test = ["beta"]
cpu = ["torch"]
gpu = ["small[cpu]", "gamma==1.0"]
"""

pytestmark = pytest.mark.slow  # pip fetches and installs


@pytest.fixture(scope="module")
def small(tmp_path_factory):
    """A small project, and an index of empty wheels."""
    folder = tmp_path_factory.mktemp("small")
    index, root = folder / "index", folder / "root"
    index.mkdir()
    (root / "notebooks").mkdir(parents=True)
    for name in ("setuptools", "beta", "gamma", "delta", "torch"):
        gpu_packages.empty_wheel(index, name, "1.0")
    gpu_packages.empty_wheel(index, "alpha", "1.0", {"": ["delta"]})
    gpu_packages.empty_wheel(index, "alpha", "2.0")
    (root / "pyproject.toml").write_text(PROJECT)
    (root / "requirements.lock").write_text("alpha==1.0\n")
    return folder


def looks_into(index, monkeypatch):
    """Let pip look into an index, and nowhere else."""
    for name, value in lock.USUAL.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(index))


@pytest.fixture
def box(small, tmp_path, monkeypatch):
    """A copy of them, into which pip looks."""
    for name in ("index", "root"):
        shutil.copytree(small / name, tmp_path / name)
    looks_into(tmp_path / "index", monkeypatch)
    return tmp_path


@pytest.fixture(scope="module")
def fetched(small):
    """The wheels of the project, fetched once."""
    with pytest.MonkeyPatch.context() as monkeypatch:
        looks_into(small / "index", monkeypatch)
        assert fetch(small) == 0
    return small / "wheels"


@pytest.fixture
def full(fetched, box):
    """A copy of the project with its wheels."""
    shutil.copytree(fetched, box / "wheels")
    return box


def fetch(box, *more):
    """Run the command that fills box/wheels; return its exit code."""
    return wheelhouse.main(
        ["fetch", "--to", str(box / "wheels"), "--root", str(box / "root"),
         *more]
    )  # fmt: skip


def install(box, folder="wheels"):
    """Run the command that makes box/venv; return its exit code."""
    return wheelhouse.main(
        ["install", str(box / folder), "--venv", str(box / "venv"),
         "--root", str(box / "root")]
    )  # fmt: skip


def said(capsys):
    """Return the lines on the standard error."""
    return capsys.readouterr().err.splitlines()


# What an environment has, and where it looks.
SEEN = """
import importlib.metadata, sys
for found in importlib.metadata.distributions():
    print(f"{found.name}=={found.version}")
print(*sys.path)
"""


def test_what_is_fetched_here_is_installed_there(full):
    box = full
    names = {path.name.partition("-")[0] for path in box.glob("wheels/*.whl")}
    assert names == {"setuptools", "alpha", "beta", "gamma", "delta", "torch"}
    text = (box / "wheels" / "requirements.txt").read_text()
    assert text.startswith(f"# {wheelhouse.here()}\n")
    assert "alpha==1.0 --hash=sha256:" in text  # as the lock says
    # What pip's settings name there is not looked at.
    gpu_packages.empty_wheel(box / "index", "torch", "1.0+cpu")
    assert install(box) == 0
    python = box / "venv" / "bin" / "python"
    seen = subprocess.run(
        [python, "-c", SEEN], capture_output=True, text=True
    ).stdout.split()
    assert {"alpha==1.0", "delta==1.0", "torch==1.0"} <= set(seen)
    assert str(box / "root" / "notebooks") in seen
    assert (box / "venv" / ".installed").exists()


@pytest.mark.parametrize(
    ("damage", "words"),
    [
        (lambda path: path.unlink(), "missing; repair: copy"),
        (lambda path: path.write_bytes(b"other"), "damaged; repair: copy"),
    ],
)
def test_an_incomplete_wheelhouse_is_refused(full, capsys, damage, words):
    box = full
    for name in ("alpha", "gamma"):
        (path,) = box.glob(f"wheels/{name}-*.whl")
        damage(path)
    assert install(box) == 2
    lines = said(capsys)
    assert len(lines) == 2
    assert all(words in line for line in lines)
    assert not (box / "venv").exists()


def test_a_wheelhouse_of_another_python_is_refused(full, capsys):
    box = full
    path = box / "wheels" / "requirements.txt"
    text = path.read_text().replace("# Python 3.", "# Python 2.")
    path.write_text(text)
    assert install(box) == 2
    assert "made for Python 2." in said(capsys)[0]
    assert not (box / "venv").exists()


def test_a_folder_that_is_none_is_refused(box, capsys):
    assert install(box, "nowhere") == 2
    assert "repair: name a folder that" in said(capsys)[0]


def test_what_cannot_be_had_leaves_no_folder(box, capsys):
    (box / "index" / "delta-1.0-py3-none-any.whl").unlink()
    assert fetch(box) == 2
    (line,) = said(capsys)
    assert "No matching distribution" in line and "delta" in line
    assert list(box.glob("wheels*")) == []


def test_a_build_without_cuda_is_refused_for_a_gpu(box, capsys):
    (box / "index" / "torch-1.0-py3-none-any.whl").unlink()
    gpu_packages.empty_wheel(box / "index", "torch", "1.0+cpu")
    assert fetch(box) == 2
    (line,) = said(capsys)
    assert "torch-1.0+cpu" in line and "a build without CUDA" in line
    assert list(box.glob("wheels*")) == []
    assert fetch(box, "--extra", "cpu") == 0


def test_what_is_there_is_not_overwritten(full, capsys):
    box = full
    assert fetch(box) == 2
    (box / "venv").mkdir()
    assert install(box) == 2
    assert all("is there; repair: remove it" in x for x in said(capsys))
    assert not list((box / "venv").iterdir())


def test_an_unknown_extra_is_refused(box, capsys):
    assert fetch(box, "--extra", "tpu") == 2
    assert "one of test, cpu, gpu" in said(capsys)[0]


def test_an_extra_keeps_to_its_own_lock(box):
    gpu_packages.empty_wheel(box / "index", "beta", "2.0")
    own = box / "root" / "requirements-gpu.lock"
    own.write_text("alpha==2.0\nbeta==1.0\n")
    assert fetch(box) == 0
    names = {path.name[:9] for path in box.glob("wheels/*.whl")}
    assert {"alpha-2.0", "beta-1.0-"} <= names
    assert fetch(box, "--extra", "cpu", "--to", str(box / "cpu")) == 0
    assert list(box.glob("cpu/alpha-1.0-*"))


def test_the_extras_of_this_book_are_read():
    found = wheelhouse.requirements(gpu_packages.ROOT, "gpu-cuda13", "test")
    for text in ("numba", "hypothesis", "torch==2.13.0", "tensorflow-cpu",
                 "cupy-cuda13x[ctk]==14.2.*"):  # fmt: skip
        assert text in found
    assert not any(text.startswith("onthefly") for text in found)
