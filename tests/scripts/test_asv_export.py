"""Runs written as asv's results, read and published by asv itself."""

import statistics
import subprocess

import pytest
from asv.benchmarks import Benchmarks
from asv.config import Config
from asv.results import iter_results

import asv_export
from commandline import ROOT
from conftest import call
from onthefly.measure import data
from onthefly.measure.samples import Samples, Series

NAME = "one_decorator.ways_of_it"
SPREAD = (1.0, 1.001, 1.002, 0.999, 0.998, 1.0, 1.0005)


def commit(revision):
    """Return the full name of a commit of this checkout."""
    return subprocess.run(
        ["git", "-C", ROOT, "rev-parse", revision],
        check=True, capture_output=True, text=True,
    ).stdout.strip()  # fmt: skip


@pytest.fixture
def save(tmp_path):
    """A function that saves a made-up run's data; returns the file.

    ratio  of the times of its two variants
    about  changes of the machine record
    lab, packages  of its key
    """

    def run(place="run", ratio=2.0, about=(), lab=None, packages=None):
        cases = [("slow", 10, ratio), ("slow", 100, ratio), ("fast", 100, 1)]
        series = [
            Series(name, n, 0.1, tuple(k * n * 1e-6 * s for s in SPREAD))
            for name, n, k in cases
        ]
        made = data.Data("one-decorator", "S")
        key = {"files": lab or {}, "packages": packages or {"numpy": "2"}}
        made.add("ways of it", key, Samples(series, 4))
        made.machine |= {"slug": "box", "id": ""} | dict(about)
        path = tmp_path / place / "box" / "one-decorator.json"
        data.save(made, path)
        return path

    return run


@pytest.fixture
def export(tmp_path):
    """A function that calls the command, to a folder of the test."""
    return lambda *line: call(
        asv_export.main, *line, "--to", tmp_path / "asv"
    )


def medians(folder):
    """Return {(variant, size): seconds} of the only results there."""
    (run,) = iter_results(str(folder / "results"))
    config = Config.load(str(folder / "asv.conf.json"))
    config.results_dir = str(folder / "results")
    variants, sizes = params = Benchmarks.load(config)[NAME]["params"]
    values = run.get_result_value(NAME, params)
    places = [(variant, size) for variant in variants for size in sizes]
    return dict(zip(places, values, strict=True))


def test_asv_reads_each_median(save, export, tmp_path):
    path = save()
    assert export(path, "--commit", "HEAD").returncode == 0
    (run,) = iter_results(str(tmp_path / "asv" / "results"))
    assert run.commit_hash == commit("HEAD")
    assert run.params["machine"] == "box" and run.params["preset"] == "S"
    values = medians(tmp_path / "asv")
    for series in data.load(path).groups["ways of it"].samples():
        place = repr(series.name), repr(series.size)
        middle = statistics.median(series.values)
        assert values.pop(place) == pytest.approx(middle)
    assert values == {("'fast'", "10"): None}


def test_each_commit_library_and_machine_adds_a_file(save, export, tmp_path):
    export(save("a"), "--commit", "HEAD~1")
    other = save("b", packages={"numpy": "9"})
    export(other, save("c", about={"id": "abc"}), "--commit", "HEAD")
    assert {
        (run.params["machine"], run.commit_hash, run.params["numpy"])
        for run in iter_results(str(tmp_path / "asv" / "results"))
    } == {
        ("box", commit("HEAD~1"), "2"),
        ("box", commit("HEAD"), "9"),
        ("box-abc", commit("HEAD"), "2"),
    }


def test_a_run_that_has_no_commit_is_left_out_and_named(
    save, export, tmp_path
):
    done = export(save(lab={"measure/clock.py": "0" * 64}))
    assert done.returncode == 1
    assert "one-decorator.json" in done.stderr
    assert len(done.stderr.splitlines()) == 1
    assert not (tmp_path / "asv").exists()


def test_a_page_that_times_nothing_adds_nothing(save, export, tmp_path):
    path = tmp_path / "looks.json"
    data.save(data.Data("what-came-before", "S"), path)
    done = export(path, save(), "--commit", "HEAD")
    assert done.returncode == 0, done.stderr
    assert len(list(iter_results(str(tmp_path / "asv" / "results")))) == 1


def test_a_folder_of_something_else_is_refused(save, export, tmp_path):
    (tmp_path / "asv").mkdir()
    (tmp_path / "asv" / "mine").write_text("mine")
    done = export(save())
    assert done.returncode == 2 and "no folder of asv" in done.stderr
    assert [p.name for p in (tmp_path / "asv").iterdir()] == ["mine"]
