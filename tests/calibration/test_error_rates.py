"""What counts a comparison's errors, on generated runs: quickly."""

import json

import error_rates
import numpy as np
import pytest
import slow_kernel

from onthefly.compare import ranks, runs
from onthefly.errors import CorruptFile
from onthefly.measure import data, machine
from onthefly.measure.samples import Samples, Series
from reading import calibration
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
        path = folder / place / "data/S/box" / f"{page}.json"
        own = data.Data(page, "S", machine=about)
        if path.exists():
            own = data.load(path)
        key = {"lab": {"kernels/a.py": str(slow)}}
        own.add("ways", key, Samples(series, 2))
        data.save(own, path)

    for _ in range(24):
        run("unchanged", "races")
        run("slowed/against", slow_kernel.PAGE)
        run("slowed", slow_kernel.PAGE, 1.1)
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
