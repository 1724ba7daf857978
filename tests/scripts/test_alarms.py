"""What is tried of a comparison: halves of the same, a planted kernel."""

import dataclasses
import importlib.util
import json
import random

import numpy as np
import pytest

import alarms as command
from comparing import alarms, planted, ranks, sides
from conftest import call
from onthefly import machine, results
from onthefly.provenance import LAB
from onthefly.refused import Broken, Refused
from onthefly.timings import Series, Timings
from rendering import regression
from running import preconditions


@pytest.fixture(scope="module")
def build(tmp_path_factory):
    """Generated runs, unchanged and slowed, as run.py keeps them."""
    folder = tmp_path_factory.mktemp("alarms")
    rng, about = np.random.default_rng(5), machine.record()

    def run(place, page, slow=1.0):
        series = [
            Series(
                name, size, None,
                tuple(size * 1e-6 * slow**(name in planted.SERIES)
                      * np.exp(rng.normal(0, 0.01, 5))),
            )
            for name in (*planted.SERIES, "NumPy")
            for size in (10, 100)
        ]  # fmt: skip
        lab = {"kernels/a.py": str(slow)}
        found = results.Results(
            page, "XS", timings={"ways": Timings(series, 2)},
            machine=about, lab=lab,
        )  # fmt: skip
        results.save(found, place)

    for number in range(1, 25):
        run(folder / f"unchanged/repeats/{number:03}", "races")
        run(folder / f"planted/against/{number:03}", planted.PAGE)
        run(folder / f"planted/repeats/{number:03}", planted.PAGE, 1.1)
    return folder


def run(build, file, *more):
    """Run alarms.py on runs that are there already."""
    sizes = ["--runs", 20, "--splits", 30, "--trials", 3, "--each", 8]
    return call(
        command.main, "races", "--build", build, "--to", file, *sizes, *more
    )


def test_what_is_there_is_counted_and_becomes_the_page(
    build, tmp_path, monkeypatch
):
    file = tmp_path / "regression.json"
    done = run(build, file)
    assert done.returncode == 0, done.stdout + done.stderr
    found = json.loads(file.read_text())
    assert command.told(found)[1] == (3, 3)
    own = found["unchanged"]["numbers"][ranks.NUMBER]
    assert own["series"] == 6 and own["called"][alarms.MATTERS] == 0
    # Steps only ever let fewer through.
    steps = [own["called"][step] for step in alarms.STAGES]
    assert steps == sorted(steps, reverse=True)
    monkeypatch.setattr(alarms, "RECORD", file)
    text = regression.page()
    assert "**3 of 3**" in text and text.count("<figure") == 2
    file.write_text('{"of": 1}')
    with pytest.raises(Broken, match="alarms"):
        regression.page()


def test_runs_that_were_refused_are_not_counted(tmp_path):
    """The run's own line says why: another one works in the folder."""
    file, build = tmp_path / "regression.json", tmp_path / "build"
    with preconditions.alone(build / "unchanged"):
        done = call(command.main, "races", "--to", file, "--build", build)
    assert done.returncode == 2 and "run.py" in done.stderr
    assert not file.exists()


@pytest.mark.parametrize(
    "option", ["--runs=3", "--each=3", "--trials=0", "nopage"]
)
def test_too_few_runs_to_judge_are_refused_before_any(tmp_path, option):
    done = call(command.main, option, "--build", tmp_path / "build")
    assert done.returncode == 2 and option.partition("=")[0] in done.stderr
    assert not (tmp_path / "build").exists()


def test_pages_that_time_nothing_are_refused(build, tmp_path):
    side = sides.read(str(build / "unchanged"))
    empty = {
        page: [dataclasses.replace(run, timings={}) for run in runs]
        for page, runs in side.pages.items()
    }
    with pytest.raises(Refused, match="no series"):
        alarms.unchanged(sides.Side("none", empty), 5)


def test_without_a_record_the_page_says_so(tmp_path, monkeypatch):
    monkeypatch.setattr(alarms, "RECORD", tmp_path / "none.json")
    text = regression.page()
    assert regression.NONE in text
    assert "{" not in text.replace("{ref}", "")


def test_a_slow_down_that_is_not_there_is_not_found(build, tmp_path):
    """The unchanged side on both sides: exit code 1, and it says 0."""
    other = tmp_path / "build"
    (other / "planted").mkdir(parents=True)
    (other / "unchanged").symlink_to(build / "unchanged")
    for side in ("against", "repeats"):
        source = build / "planted" / "against"
        (other / "planted" / side).symlink_to(source)
    done = run(other, tmp_path / "regression.json")
    assert done.returncode == 1 and "in 0 of 3 trials" in done.stdout


def test_an_unstable_comparison_is_caught(build, monkeypatch):
    """Calls that rest on nothing show up as false alarms."""
    side = sides.read(str(build / "unchanged"))
    monkeypatch.setattr(ranks, "LEVEL", 0.9)
    found = alarms.unchanged(side, 50)["numbers"][ranks.NUMBER]
    assert found["called"][alarms.ALONE] > 0.5 * 50 * found["series"]


def test_the_planted_kernel_does_a_tenth_more_and_the_same(tmp_path):
    copy = planted.plant(tmp_path)
    assert (tmp_path / "book" / "claims.yml").exists()
    there = copy / "onthefly"
    changed = [
        path.relative_to(LAB).as_posix()
        for path in LAB.rglob("*.py")
        if path.read_bytes() != (there / path.relative_to(LAB)).read_bytes()
    ]
    assert changed == [planted.KERNEL]
    drawn = {}
    for name, lab in (("was", LAB), ("is", there)):
        spec = importlib.util.spec_from_file_location(
            name, lab / planted.KERNEL
        )
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        rng = Counted(3)
        drawn[name] = module.pi_python(1000, rng), rng.count
    assert drawn["was"][0] == drawn["is"][0]
    assert drawn["is"][1] == (1 + planted.WORK) * drawn["was"][1]


class Counted(random.Random):
    """A stream that counts what is drawn."""

    count = 0

    def random(self):
        self.count += 1
        return super().random()


@pytest.mark.parametrize("option", ["--runs=0", "--each=-1"])
def test_a_count_that_is_none_is_refused(option):
    assert call(command.main, option).returncode == 2
