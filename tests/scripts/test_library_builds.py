"""What a source of CuPy, and a package index, say of builds for CUDA."""

import io
import json
import tarfile

import pytest

import builds
from onthefly.errors import UserError
from onthefly.experiments.history import builds as recorded
from onthefly.tools.uv import Impossible

CYTHON = """\
 *         status = cudaFree(ptr)
      Py_UNBLOCK_THREADS
      __pyx_v_status = cudaMalloc((&__pyx_v_ptr), __pyx_v_size);
      Py_BLOCK_THREADS
  __pyx_v_status = curandGenerate(__pyx_v_generator, __pyx_v_size);
  __pyx_t_1 = __pyx_f_cudaMalloc(0);
"""
HELD = "  __pyx_v_status = cudaMalloc((&__pyx_v_ptr), 1);\n"


def test_a_call_lets_go_between_the_two_macros():
    assert builds.calls(CYTHON) == {
        "cudaMalloc": True,
        "curandGenerate": False,
    }


def test_a_function_that_is_called_both_ways_holds():
    texts = {"cupy/cuda/a.cpp": CYTHON, "cupy/cuda/b.cpp": HELD}
    told = builds.cupy(texts | {"cupy/fft/__init__.py": ""})
    assert told["calls"] == {"cudaMalloc": False, "curandGenerate": False}
    assert told["modules"] == ["fft"]


def test_what_is_recorded_names_each_library():
    assert set(recorded.for_cuda()) == set(recorded.PACKAGES)
    assert recorded.calls()["cuLaunchKernel"]
    assert set(recorded.modules()) <= set(recorded.MODULES)


def test_a_build_asks_for_packages_of_cuda(monkeypatch):
    lines = "nvidia-cublas==13.4\nsympy==1.14\ntorch==2.15.0\n"
    monkeypatch.setattr(builds, "uv", lambda *_: lines)
    asked = builds.asked("torch")
    assert asked == {"version": "2.15.0", "CUDA": ["nvidia-cublas"]}


def test_what_is_not_found_is_one_line(monkeypatch):
    def uv(*_):
        raise Impossible("no network")

    monkeypatch.setattr(builds, "uv", uv)
    with pytest.raises(UserError, match="torch: no network"):
        builds.asked("torch")


def test_the_source_is_taken_from_the_index(monkeypatch):
    packed, text = io.BytesIO(), CYTHON.encode()
    with tarfile.open(fileobj=packed, mode="w:gz") as archive:
        member = tarfile.TarInfo(f"cupy-{recorded.CUPY}/cupy/cuda/a.cpp")
        member.size = len(text)
        archive.addfile(member, io.BytesIO(text))
    name = f"cupy-{recorded.CUPY}.tar.gz"
    listing = {"files": [{"filename": name, "url": f"../{name}"}]}
    answers = {
        "http://index/cupy/": json.dumps(listing).encode(),
        f"http://index/{name}": packed.getvalue(),
    }

    def urlopen(asked, timeout):
        return io.BytesIO(answers[getattr(asked, "full_url", asked)])

    monkeypatch.setattr("urllib.request.urlopen", urlopen)
    assert builds.source("http://index") == {"cupy/cuda/a.cpp": CYTHON}
    answers["http://index/cupy/"] = b"<html>"
    with pytest.raises(UserError, match="not what the package index has"):
        builds.source("http://index")
