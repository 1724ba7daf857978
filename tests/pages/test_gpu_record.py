"""Pages rendered from the record of a machine with a GPU, on one without."""

import dataclasses
import os
import shutil
import subprocess
import sys

import pytest

from commandline import ROOT
from conftest import MACHINE
from onthefly import files
from onthefly.measure import data, machine, records
from onthefly.measure.samples import Samples, Series
from onthefly.page import results
from onthefly.tools import occupancy

LAWS = files.yaml_data(ROOT / "tests/stand_ins/gpu_laws.yml")
PAGE, CLAIM = "numba-cuda", "numba-cuda-against-python"
PARTS = ("book", "notebooks", "scripts")


def series(name, size, call, each=0.0, power=1.0, first=None):
    """Return the Series of a law, which scatters by a hundredth."""
    seconds = call + each * (size or 1) ** power
    values = tuple(seconds * (1 + (k % 5 - 2) / 100) for k in range(10))
    return Series(name, size, first or 10 * seconds, values)


def samples(laws):
    return Samples(
        series(name, size, **law)
        for name, law in laws["series"].items()
        for size in laws.get("sizes", [None])
    )


@pytest.fixture(scope="module")
def copy(tmp_path_factory):
    """A copy of the book, with what a machine that nobody has recorded.

    What its GPU took is made up; all else is the recorded machine's.
    """
    folder = tmp_path_factory.mktemp("book")
    for name in PARTS:
        shutil.copytree(ROOT / name, folder / name)
    return folder


@pytest.fixture
def book(copy, gpus):
    gpus({})
    limits = dataclasses.asdict(occupancy.KNOWN["H200 (9.0)"])
    for page, groups in LAWS.items():
        own = data.load(records.RECORDED / MACHINE / f"{page}.json")
        own.machine = machine.record() | {
            "slug": "stand-in",
            "packages": own.machine["packages"] | {"numba-cuda": "0.30.0"},
        }
        machine.end(own.machine)
        for group, laws in groups.items():
            own.groups[group] = data.Group({}, [samples(laws)], [data.now()])
        own.look("device limits", {}, limits)
        data.save(own, copy / "book/data/stand-in" / f"{page}.json")
    return copy


@pytest.mark.slow
@pytest.mark.parametrize("slug", LAWS)
def test_a_page_concludes_from_a_gpus_timings(book, slug):
    done = subprocess.run(
        [sys.executable, book / "scripts/run.py", slug, "--data", "stand-in"],
        env={
            **{k: v for k, v in os.environ.items() if k != "GPUS"},
            "PYTHONPATH": str(book / "notebooks"),
            "ONTHEFLY_BUILD": str(book / "build"),
        },
        cwd=book,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    run = results.load(book / f"build/results/stand-in/{slug}.json")
    assert run.machine["gpus"][0]["name"] == "NVIDIA H200"
    assert not set(run.unmeasured) & LAWS[slug].keys()
    (page,) = book.glob(f"build/executed/*/{slug.replace('-', '_')}.ipynb")
    text = page.read_text(encoding="utf-8")
    assert "Recorded on stand-in" in text and "NVIDIA H200" in text
    if slug == PAGE:
        ways = samples(LAWS[PAGE]["ways"])
        slow, fast = (
            ways.series(name, ways.sizes()[-1]).values[0]
            for name in ("Python", "Numba CUDA")
        )
        assert run.quantities[CLAIM].value == pytest.approx(slow / fast)
