"""Both lock files, which `make lock` writes, against what asks for them."""

import tomllib

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from commandline import ROOT

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
OF_CUDA = ("cuda-", "nvidia-", "triton")


def locked(name):
    """Return {package: version} of a lock file."""
    lines = (ROOT / name).read_text().splitlines()
    return dict(x.split("==") for x in lines if not x.startswith("#"))


LOCKS = {
    "cpu": locked("requirements.lock"),
    "gpu": locked("requirements-gpu.lock"),
}


@pytest.mark.parametrize("extra", LOCKS)
def test_a_lock_has_what_pyproject_asks_for(extra):
    extras = PROJECT["optional-dependencies"]
    asked = PROJECT["dependencies"] + extras["test"] + extras[extra]
    for requirement in map(Requirement, asked):
        version = LOCKS[extra].get(canonicalize_name(requirement.name))
        assert version and version in requirement.specifier, requirement


def test_the_locks_differ_in_what_is_for_cuda_alone():
    cpu, gpu = LOCKS["cpu"], LOCKS["gpu"]
    shared = cpu.keys() & gpu.keys()
    assert {name for name in shared if cpu[name] != gpu[name]} == {"torch"}
    assert cpu.keys() - gpu.keys() == {"tensorflow-cpu"}
    assert cpu["tensorflow-cpu"] == gpu["tensorflow"]
    assert [n for n in cpu if n.startswith(OF_CUDA)] == ["nvidia-ml-py"]
