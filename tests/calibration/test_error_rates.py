"""What counts compare.py's errors, on generated runs: quick, unlike them."""

import importlib.util
import json
import random

import error_rates
import numpy as np
import pytest
import slow_kernel

from comparing import calibration, ranks, runs
from onthefly import machine, results
from onthefly.errors import CorruptFile
from onthefly.provenance import LAB
from onthefly.samples import Series
from onthefly.timings import Timings
from rendering import regression
from rendering.copy import Copy


@pytest.fixture(scope="module")
def build(tmp_path_factory):
    """Generated runs, unchanged and slowed, as run.py keeps them."""
    folder = tmp_path_factory.mktemp("runs")
    rng, about = np.random.default_rng(5), machine.record()

    def run(place, page, slow=1.0):
        series = [
            Series(
                name, size, None,
                tuple(size * 1e-6 * slow**(name in slow_kernel.SERIES)
                      * np.exp(rng.normal(0, 0.01, 5))),
            )
            for name in (*slow_kernel.SERIES, "NumPy")
            for size in (10, 100)
        ]  # fmt: skip
        made = results.Results(
            page, "XS", timings={"ways": Timings(series, 2)},
            machine=about, lab={"kernels/a.py": str(slow)},
        )  # fmt: skip
        results.save(made, folder / place)

    for number in range(1, 25):
        run(f"unchanged/repeats/{number:03}", "races")
        run(f"slowed/against/{number:03}", slow_kernel.PAGE)
        run(f"slowed/repeats/{number:03}", slow_kernel.PAGE, 1.1)
    return folder


@pytest.fixture
def same(build):
    """The Side of unchanged runs."""
    return runs.read(str(build / "unchanged"))


def test_false_alarms_and_detections_are_counted_and_become_the_page(
    build, same, tmp_path, monkeypatch
):
    unchanged = error_rates.unchanged(same, 30)
    slowed = error_rates.trials(build / "slowed", 3, 8)
    own = unchanged["numbers"][ranks.NUMBER]
    assert own["series"] == 6 and own["called"][calibration.MATTERS] == 0
    # Steps only ever let fewer through.
    steps = [own["called"][step] for step in calibration.STAGES]
    assert steps == sorted(steps, reverse=True)
    trials = slowed["numbers"][ranks.NUMBER]
    assert calibration.times_found(trials) == 3
    file = tmp_path / "regression.json"
    file.write_text(json.dumps({
        "of": same.whose, "pages": ["races"], "unchanged": unchanged,
        "planted": slowed,
    }))  # fmt: skip
    monkeypatch.setattr(calibration, "RECORD", file)
    assert "**3 of 3**" in regression.page(Copy({}))
    file.write_text('{"of": 1}')
    with pytest.raises(CorruptFile):
        regression.page(Copy({}))


def test_without_a_record_the_page_shows_no_figures(tmp_path, monkeypatch):
    monkeypatch.setattr(calibration, "RECORD", tmp_path / "none.json")
    text = regression.page(Copy({}))
    assert "<figure" not in text and "{" not in text.replace("{ref}", "")


def test_a_slow_down_that_is_not_there_is_not_detected(build, tmp_path):
    """The unchanged side on both sides."""
    for side in ("against", "repeats"):
        (tmp_path / side).symlink_to(build / "slowed" / "against")
    slowed = error_rates.trials(tmp_path, 3, 8)
    assert calibration.times_found(slowed["numbers"][ranks.NUMBER]) == 0


def test_an_unstable_comparison_is_caught(same, monkeypatch):
    """Calls that rest on nothing show up as false alarms."""
    monkeypatch.setattr(ranks, "LEVEL", 0.9)
    own = error_rates.unchanged(same, 50)["numbers"][ranks.NUMBER]
    assert own["called"][calibration.ALONE] > 0.5 * 50 * own["series"]


def test_the_slow_kernel_does_a_tenth_more_and_the_same(tmp_path):
    there = slow_kernel.inject(tmp_path) / "onthefly"
    assert (tmp_path / "book" / "claims.yml").exists()
    changed = [
        path.relative_to(LAB).as_posix()
        for path in LAB.rglob("*.py")
        if path.read_bytes() != (there / path.relative_to(LAB)).read_bytes()
    ]
    assert changed == [slow_kernel.KERNEL]
    drawn = {}
    for name, lab in (("was", LAB), ("is", there)):
        spec = importlib.util.spec_from_file_location(
            name, lab / slow_kernel.KERNEL
        )
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        rng = Counted(3)
        drawn[name] = module.pi_python(1000, rng), rng.count
    assert drawn["was"][0] == drawn["is"][0]
    assert drawn["is"][1] == (1 + slow_kernel.WORK) * drawn["was"][1]


class Counted(random.Random):
    """A stream that counts what is drawn."""

    count = 0

    def random(self):
        self.count += 1
        return super().random()
