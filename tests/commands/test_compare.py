"""Two sets of runs compared: generated ones of which the truth is known."""

import functools
import json
import re

import numpy as np
import pytest

from conftest import call
from onthefly import commands
from onthefly.compare import ranks
from onthefly.measure import data, machine
from onthefly.measure.samples import Samples, Series
from small_books import assert_refused

compare = functools.partial(call, commands.main, "compare")
PAGE, SIZES = "races", (10, 100, 1000)
NAMES = ("loop", "arrays", "threads", "pool")
SERIES = len(NAMES) * len(SIZES)
GPU = {"name": "H200", "memory": 1, "driver": "580", "runtime": "12.8"}


@pytest.fixture(scope="module")
def record():
    """The record of this machine, made once."""
    return machine.record()


@pytest.fixture
def write(tmp_path, record):
    """A function that writes the runs of a side, and returns its folder.

    factors    {name: how many times as long as by default}
    disturbed  the numbers of runs in which all takes longer
    about      changes of the machine record
    lab        {file: hash} that the runs were made from
    """

    def side(
        name,
        runs,
        factors=(),
        spread=0.01,
        about=(),
        disturbed=(),
        preset="S",
        lab=None,
    ):
        rng = np.random.default_rng(len(name) + 7 * runs)
        own = data.Data(PAGE, preset, machine={**record, **dict(about)})
        key = {"files": lab or {}}
        for number in range(1, runs + 1):
            series = []
            for way in NAMES:
                for size in SIZES:
                    seconds = 1e-6 * size * dict(factors).get(way, 1)
                    seconds *= 1.4 if number in disturbed else 1
                    # One factor a process, and one a sample.
                    noise = rng.normal(0, spread, 9)
                    noise[1:] = noise[0] + noise[1:] / 10
                    values = tuple(seconds * np.exp(noise[1:]))
                    series.append(Series(way, size, None, values))
            own.add("ways", key, Samples(series, 2))
        place = tmp_path / name / "data" / preset / own.machine["slug"]
        data.save(own, place / f"{PAGE}.json")
        return tmp_path / name

    return side


def compared(base, new, *more):
    """Compare two folders; return (how it ended, its data)."""
    data = json.loads(compare(base, new, "--json", *more).stdout)
    return compare(base, new, *more), data


def verdicts(data):
    """Return {name: verdicts of its sizes} of the data."""
    collected = {}
    for row in data["series"]:
        collected.setdefault(row["name"], set()).add(row["verdict"])
    return collected


def test_a_planted_difference_is_called_and_no_other(write):
    factors = {"loop": 1.1, "pool": 0.8, "threads": 1.02}
    done, data = compared(write("base", 9), write("new", 9, factors))
    by_name = verdicts(data)
    assert done.returncode == 1 and data["regressions"] == len(SIZES)
    assert by_name["loop"] == {"slower"} and by_name["pool"] == {"faster"}
    assert by_name["arrays"] == {"unchanged"}
    first = data["series"][0]
    assert first["name"] == "loop"
    assert first["low"] < 1.1 < first["high"] and first["low"] > 1.05


def test_disturbed_runs_do_not_count(write):
    base = write("base", 10, disturbed=(2, 5, 6))
    new = write("new", 11, {"loop": 1.1}, disturbed=(1,))
    done, data = compared(base, new)
    assert done.returncode == 1 and verdicts(data)["loop"] == {"slower"}
    for row in data["series"]:
        assert row["runs"] == [10, 11] and row["counted"] == [7, 10]


def test_what_scatters_is_too_noisy(write):
    noisy = {"spread": 0.3}
    _, data = compared(write("base", 9, **noisy), write("new", 9, **noisy))
    assert data["counts"] == {"too noisy": SERIES}


def test_a_change_below_the_runs_own_noise_is_not_called(write):
    """Two levels of a side's runs are noise, however the other one lies."""
    rng = np.random.default_rng(3)
    base = np.repeat([1.0, 1.2], 5) * np.exp(rng.normal(0, 1e-3, 10))
    new = 1.21 * np.exp(rng.normal(0, 1e-3, 10))
    (finding,) = ranks.findings([(base, new)])
    assert finding.adjusted < 0.05  # the ranks alone say so
    assert not finding.called


def test_fewer_samples_make_nothing_slower():
    """The least of six samples is larger than that of sixty."""
    rng = np.random.default_rng(4)
    base, new = (
        [tuple(np.exp(rng.normal(0, 0.1, count))) for _ in range(10)]
        for count in (60, 6)
    )
    naive = [[min(run) for run in side] for side in (base, new)]
    fair = ranks.one_each((base, new), min)
    before, after = (ranks.findings([pair])[0] for pair in (naive, fair))
    assert before.verdict == "slower" and not after.called


def test_too_few_repeats_call_nothing_and_say_how_many_would(write):
    factors = dict.fromkeys(NAMES, 2.0)
    done, data = compared(write("base", 3), write("new", 3, factors))
    assert done.returncode == 2
    assert data["counts"] == {"too few repeats": SERIES}
    assert f"--repeat {ranks.needed(SERIES)}" in done.stdout


def test_enough_repeats_are_named_where_many_are_disturbed(write):
    """What is named suffices although as many are set aside again."""
    factors = {"loop": 1.1}
    base, new = (
        write(name, 8, some, disturbed=(2, 4, 6, 8))
        for name, some in (("base", {}), ("new", factors))
    )
    done, _ = compared(base, new)
    assert done.returncode == 2
    runs = int(re.search(r"--repeat (\d+)", done.stdout)[1])
    disturbed = range(2, runs + 1, 2)
    base, new = (
        write(name, runs, some, disturbed=disturbed)
        for name, some in (("before", {}), ("after", factors))
    )
    done, data = compared(base, new)
    assert done.returncode == 1 and verdicts(data)["loop"] == {"slower"}


@pytest.mark.parametrize("series", [1, 7, 100])
def test_the_repeats_needed_are_enough_and_not_one_more(series):
    """Of so many series one differs, without overlap."""
    runs = ranks.needed(series)

    def verdict(runs):
        base = np.linspace(1, 1.01, runs)
        pairs = [(base, base)] * (series - 1) + [(base, 2 * base)]
        return ranks.findings(pairs)[-1].verdict

    assert verdict(runs) == "slower"
    assert verdict(runs - 1) == "too few repeats"


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"preset": "M"}, "preset: S → M"),
        ({"about": {"gpus": [GPU]}}, "GPU: none → H200"),
        ({"lab": {"kernels/a.py": "1"}}, "lab: kernels/a.py"),
    ],
    ids=str,
)
def test_what_else_differs_is_named_and_nothing_is_judged(
    write, change, words
):
    done, data = compared(write("base", 5), write("new", 5, **change))
    assert done.returncode == 2
    assert data["counts"] == {"not comparable": SERIES}
    assert words in data["not comparable"][PAGE]


def test_the_lab_may_be_what_is_compared(write):
    base = write("base", 9, lab={"kernels/a.py": "1"})
    new = write("new", 9, {"loop": 1.1}, lab={"kernels/a.py": "2"})
    done, _ = compared(base, new)
    assert done.returncode == 2 and "--despite lab" in done.stdout
    assert compared(base, new, "--despite", "lab")[0].returncode == 1


def test_a_run_on_both_sides_is_refused(write):
    """It would look like no change."""
    base = write("base", 4)
    done = compare(f"{base}@1:3", f"{base}@3:9")
    assert_refused(done, "both sides")


def test_the_page_needs_no_other_file(write):
    file = write("base", 9).parent / "page.html"
    new = write("new", 9, {"loop": 1.1})
    compare(file.with_name("base"), new, "--html", file)
    text = file.read_text()
    assert "slower" in text
    assert "http" not in text and "src=" not in text


def broken(base):
    """Break one of a side's files."""
    next(base.rglob("*.json")).write_text("{")
    return base


@pytest.mark.parametrize(
    ("spoil", "words"),
    [
        (broken, ["races.json: line 1", "not JSON", "restore"]),
        (lambda base: base / "none", ["none", "no such folder", "intel"]),
        (lambda base: f"{base}@3:4", ["no sessions from 3"]),
        (lambda base: "", ["empty"]),  # a variable that is not set
    ],
)
def test_what_cannot_be_used_is_one_line(write, spoil, words):
    base = write("base", 2)
    assert_refused(compare(spoil(base), base), *words)


# --- other versions, and pyperf's own files -----------------------------


def edited(folder, change):
    """Change the JSON of a side's one file; return the folder."""
    (path,) = folder.rglob("*.json")
    suite = json.loads(path.read_text())
    del suite["onthefly"]["checksum"]
    change(suite["onthefly"]["groups"]["ways"])
    path.write_text(json.dumps(suite))
    return folder


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda g: g.update(versions=["9.0"] * 5), "onthefly: "),
        (lambda g: g["versions"].append("9.0"), "onthefly differs within"),
        (lambda g: g["key"].update(instrument=9), "instrument: unknown → 9"),
    ],
)
def test_another_version_of_the_package_is_named(write, change, words):
    done, data = compared(write("base", 5), edited(write("new", 5), change))
    assert done.returncode == 2
    assert words in data["not comparable"][PAGE]


def plain(path, seconds, **about):
    """Write a file as pyperf does, of 8 processes; return its path."""
    rng = np.random.default_rng(len(path.name))
    runs = [
        {"metadata": {"date": "2026-01-01 00:00:00"},
         "values": list(seconds * np.exp(rng.normal(0, 0.01, 3)))}
        for _ in range(8)
    ]  # fmt: skip
    about = {"cpu_count": 2, "unit": "second", **about}
    benchmark = {"metadata": {"name": "sort"}, "runs": [{}, *runs]}
    path.write_text(json.dumps({
        "benchmarks": [benchmark], "metadata": about, "version": "1.0"
    }))  # fmt: skip
    return path


def test_files_of_pyperf_are_compared(tmp_path):
    base, new = (
        plain(tmp_path / f"{name}.json", seconds)
        for name, seconds in (("base", 1e-3), ("new", 1.2e-3))
    )
    done, data = compared(base, new)
    (row,) = data["series"]
    assert (row["page"], row["verdict"]) == ("sort", "slower")
    assert row["runs"] == [8, 8] and done.returncode == 1


def test_what_differs_between_files_of_pyperf_is_named(tmp_path):
    base = plain(tmp_path / "base.json", 1.0, python_version="3.11.7")
    new = plain(tmp_path / "new.json", 1.0, python_version="3.13.0")
    done = compare(base, new)
    assert done.returncode == 2 and "3.11.7 → python 3.13.0" in done.stdout
    assert compare(base, new, "--despite", "interpreter").returncode == 0


def test_what_pyperf_counts_in_bytes_is_refused(tmp_path):
    base = plain(tmp_path / "base.json", 1.0)
    new = plain(tmp_path / "new.json", 1.0, unit="byte")
    assert_refused(compare(new, base), "not in seconds")
