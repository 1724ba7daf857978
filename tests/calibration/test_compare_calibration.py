"""onthefly compare on what is known: false alarms, and a slow-down put in.

Hours, on a machine that does nothing else::

    pytest -m calibration tests/calibration/test_compare_calibration.py

All runs are kept in _build/calibration, so that a second start goes on where
the first one was ended.  With RECORD=1 in the environment both parts together
rewrite book/regression.json, from which the book makes a page.
"""

import json
import os
import subprocess
import sys

import error_rates
import pytest
import slow_kernel

from commandline import ROOT
from onthefly import files
from onthefly.compare import ranks, runs
from onthefly.folders import build_dir
from reading import calibration

pytestmark = pytest.mark.calibration

PAGES = ("first-benchmark", "cost-of-a-call", "whole-arrays")
PRESET = "S"
RUNS, SPLITS = 20, 200  # unchanged runs, and ways to halve them
TRIALS, EACH = 10, 15  # of the slow-down, and the runs of a side in each


def repeat(count, pages, build, *more):
    """Run pages so many times more, each result kept."""
    if count > 0:
        script = [sys.executable, ROOT / "scripts" / "run.py", *pages]
        own = ["--preset", PRESET, "--build", build, "--repeat", str(count)]
        subprocess.run([*script, *own, *more], check=True)


@pytest.fixture(scope="module")
def build():
    """Where the runs are kept."""
    return build_dir() / "calibration"


@pytest.fixture(scope="module")
def same(build):
    """The Side of runs of which none was changed."""
    folder = build / "unchanged"
    have = 0
    if (folder / "data").exists():
        pages = runs.read(str(folder)).pages
        have = min(len(pages.get(page, ())) for page in PAGES)
    repeat(RUNS - have, PAGES, folder)
    side = runs.read(str(folder))
    pages = {page: side.pages[page][:RUNS] for page in PAGES}
    return runs.Side(side.name, pages)


@pytest.fixture(scope="module")
def false_alarms(same):
    """What is called among the unchanged runs."""
    return error_rates.unchanged(same, SPLITS)


@pytest.fixture(scope="module")
def slowed(build):
    """What is detected of a kernel that does a tenth more work."""
    folder = build / "slowed"
    begun = (folder / "against").exists()
    have = len(error_rates.paired(folder)) if begun else 0
    missing = TRIALS * EACH - have
    if missing > 0:
        folder.mkdir(parents=True, exist_ok=True)
        copy = slow_kernel.inject(folder)
        repeat(
            missing, [slow_kernel.PAGE], folder,
            "--notebooks", copy, "--against", ROOT / "notebooks",
        )  # fmt: skip
    return error_rates.trials(folder, TRIALS, EACH)


def test_at_most_one_in_a_hundred_is_a_false_alarm(false_alarms):
    own = false_alarms["numbers"][ranks.NUMBER]
    called, of = own["called"][calibration.BEYOND], own["series"] * SPLITS
    assert calibration.few(called, of), f"{called} of {of}"


def test_nine_in_ten_slow_downs_are_detected(slowed):
    trials = slowed["numbers"][ranks.NUMBER]
    assert calibration.most(calibration.times_found(trials), TRIALS)


@pytest.mark.skipif("RECORD" not in os.environ, reason="RECORD is not set")
def test_the_record_is_written(same, false_alarms, slowed):
    data = {
        "of": same.whose,
        "pages": list(PAGES),
        "unchanged": false_alarms,
        "planted": slowed,
    }
    files.write(
        calibration.RECORD, json.dumps(data, indent=1, allow_nan=False) + "\n"
    )
    assert files.json_data(calibration.RECORD) == data
