"""What a claim needs: what a library sees decides, not what NVML shows."""

import os
import sys

import pytest

from onthefly import page
from onthefly.measure.libraries import LIBRARIES
from onthefly.page import claims, needs
from onthefly.tools import devices

BLIND = "class cuda: is_available = lambda: False"
SEEING = BLIND.replace("False", "True")


@pytest.fixture
def blind(gpus):
    """A GPU that NVML shows and no library here can see."""
    if any(entry.for_cuda() for entry in LIBRARIES.values()):
        pytest.skip("builds for CUDA are here")
    gpus({})


@pytest.fixture
def planted(blind, tmp_path, monkeypatch):
    """A function that installs a CuPy with this source, beside a GPU."""

    def plant(source):
        monkeypatch.syspath_prepend(str(tmp_path))
        paths = f"{tmp_path}:{os.environ['PYTHONPATH']}"
        monkeypatch.setenv("PYTHONPATH", paths)
        (tmp_path / "cupy.py").write_text(source)
        about = tmp_path / "cupy_cuda12x-14.2.0.dist-info"
        about.mkdir()
        (about / "METADATA").write_text(
            "Metadata-Version: 2.1\nName: cupy-cuda12x\nVersion: 14.2.0\n"
        )

    devices._asked.cache_clear()
    yield plant
    devices._asked.cache_clear()
    sys.modules.pop("cupy", None)


def test_a_driver_alone_meets_no_need_of_a_device(blind):
    assert devices.machine.has_cuda() and not devices.has_cuda()
    ledger = claims.load().claims.values()
    asking = [c for c in ledger if any(map(needs.on_device, c.needs))]
    assert len(asking) > 20
    assert all(claims.unmet(claim) for claim in asking)
    for need in ("tensorflow", "torch"):
        assert needs.met(need) and not needs.met(f"{need}-gpu")
    with pytest.raises(ValueError, match="no library sees"):
        page.Chapter("numba-cuda", device="cuda")


@pytest.mark.parametrize(
    ("source", "sees"),
    [
        (SEEING, True),
        (BLIND, False),
        ("import no_such_library_of_cuda", False),
        ("import os; os.abort()", False),
    ],
)
def test_a_build_for_cuda_is_asked_in_a_process_of_its_own(
    planted, source, sees
):
    planted(source)
    assert needs.met("cupy") == needs.met("gpu") == sees
    assert "cupy" not in sys.modules
    ledger = claims.load().claims
    assert bool(claims.unmet(ledger["cupy-port-steps"])) != sees
    assert claims.unmet(ledger["cupy-port-steps"], cuda=False) == ["cupy"]


def test_without_a_device_nobody_is_asked(planted, gpus):
    planted("raise SystemExit('loaded')")
    gpus()
    assert not needs.met("cupy") and not devices.sees_cuda("cupy")
    claim = claims.load().claims["cupy-port-steps"]
    wanted, _, _ = claims.why_not(claim).partition("; recorded on ")
    assert wanted == "needs a CUDA device"


def test_what_is_missing_is_said_in_plain_words():
    unmet = ["cores>=4", "cupy", "torch-gpu", "amd-gpu", "numba"]
    said = ["a CUDA device", "4 cores", "an AMD GPU",
            "Numba, which is missing"]  # fmt: skip
    assert needs.named(unmet, device=False) == said
    assert needs.named(["cupy", "gpu"], device=True) == [
        "a CUDA device that CuPy sees",
        "a CUDA device",
    ]
    assert not needs.on_device("amd-gpu")


def test_a_run_on_the_processor_uses_no_gpu(planted, shown):
    planted(SEEING)
    chapter = page.Chapter("tensors-on-cpu-and-gpu", device="cpu")
    assert not chapter.cuda and not chapter.on_gpu("cupy")
    chapter = page.Chapter("tensors-on-cpu-and-gpu", device="cuda")
    assert chapter.cuda and chapter.on_gpu("cupy")
    assert not chapter.on_gpu("cupy", "tensorflow")


def test_other_needs_are_the_machines():
    assert needs.met("cpu") and needs.met("none") and needs.met("cores>=1")
    assert needs.met("numba") and not needs.met("cores>=100000")
    assert not needs.met("tpu") and not needs.met("no-such-library")
    assert not needs.met("no-such-library-gpu")
