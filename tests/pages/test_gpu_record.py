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


@pytest.fixture
def book(tmp_path, gpus):
    """A copy of the book, with the record of a machine that has a GPU.

    What its GPU took is made up; all else is the recorded machine's.
    """
    for name in PARTS:
        shutil.copytree(ROOT / name, tmp_path / name)
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
        data.save(own, tmp_path / "book/data/stand-in" / f"{page}.json")
    return tmp_path


@pytest.mark.slow
def test_pages_conclude_from_a_gpus_timings(book):
    done = subprocess.run(
        [sys.executable, book / "scripts/run.py", *LAWS,
         "--data", "stand-in", "--jobs", "2"],
        env={
            **{k: v for k, v in os.environ.items() if k != "GPUS"},
            "PYTHONPATH": str(book / "notebooks"),
            "ONTHEFLY_BUILD": str(book / "build"),
        },
        cwd=book,
        capture_output=True,
        text=True,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    runs = {}
    for slug, groups in LAWS.items():
        run = results.load(book / f"build/results/stand-in/{slug}.json")
        assert run.machine["gpus"][0]["name"] == "NVIDIA H200", slug
        assert not set(run.unmeasured) & groups.keys(), slug
        name = slug.replace("-", "_")
        (page,) = book.glob(f"build/executed/*/{name}.ipynb")
        text = page.read_text(encoding="utf-8")
        assert "Recorded on stand-in" in text and "NVIDIA H200" in text, slug
        runs[slug] = run
    ways = samples(LAWS[PAGE]["ways"])
    slow, fast = (
        ways.series(name, ways.sizes()[-1]).values[0]
        for name in ("Python", "Numba CUDA")
    )
    gain = runs[PAGE].quantities[CLAIM]
    assert gain.value == pytest.approx(slow / fast)
