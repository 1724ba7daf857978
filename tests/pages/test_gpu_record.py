"""A page told from the record of a machine with a GPU, on one without."""

import dataclasses
import os
import shutil
import subprocess
import sys

import pytest

from commandline import ROOT
from conftest import MACHINE
from onthefly import data, machine, results
from onthefly.tools import occupancy

PAGE, CLAIM = "numba-cuda", "numba-cuda-against-python"
DRAWN = "device-speed-limit"  # the page draws a group of it
PARTS = ("book", "notebooks", "scripts")


@pytest.fixture
def book(tmp_path, gpus):
    """A copy of the book with a record of a machine that nobody has.

    Its driver's answers are the stand-in's, its samples made up; what was
    looked at is the recorded machine's.
    """
    for name in PARTS:
        shutil.copytree(ROOT / name, tmp_path / name)
    gpus({})
    limits = dataclasses.asdict(occupancy.KNOWN["H200 (9.0)"])
    for page in (PAGE, DRAWN):
        own = data.load(data.RECORDED / MACHINE / f"{page}.json")
        own.machine = machine.record() | {
            "slug": "stand-in",
            "packages": own.machine["packages"] | {"numba-cuda": "0.30.0"},
        }
        machine.end(own.machine)
        own.groups |= data.example(page).groups
        own.look("device limits", {}, limits)
        data.save(own, tmp_path / "book/data/stand-in" / f"{page}.json")
    return tmp_path


@pytest.mark.slow
def test_its_device_is_told_and_judged_as_that_machines(book):
    done = subprocess.run(
        [sys.executable, book / "scripts/run.py", PAGE, "--data", "stand-in"],
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
    told = results.load(book / f"build/results/stand-in/{PAGE}.json")
    assert told.machine["gpus"][0]["name"] == "NVIDIA H200"
    ways = data.example(PAGE).groups["ways"].samples()
    slow, fast = (
        ways.series(name, ways.sizes()[-1]).values[0]
        for name in ("Python", "Numba CUDA")
    )
    assert told.quantities[CLAIM].value == pytest.approx(slow / fast)
    (page,) = book.glob(f"build/executed/*/{PAGE.replace('-', '_')}.ipynb")
    text = page.read_text(encoding="utf-8")
    assert "Recorded on stand-in" in text and "NVIDIA H200" in text
    assert "Not measured yet" not in text
