"""Sweeps over versions: what is asked for, recorded, drawn and refused."""

import dataclasses
import json
import platform
import random
import shutil
import signal
import subprocess
import sys

import pytest

import sweep
from commandline import ROOT
from conftest import call
from onthefly import machine
from onthefly.errors import CorruptFile, UserError
from rendering import sweeps
from running import preconditions
from sweeping import kernels, record, steps, sweep_report, trials, versions

# --- versions ---------------------------------------------------------------


def test_a_range_names_the_minor_versions_between():
    assert versions.asked("0.58:0.61") == ["0.58", "0.59", "0.60", "0.61"]


def test_a_list_is_taken_as_it_stands_oldest_first():
    assert versions.asked("0.61.2, 0.60") == ["0.60", "0.61.2"]
    assert versions.requirement("numba", "0.60") == "numba==0.60.*"
    assert versions.requirement("numba", "0.61.2") == "numba==0.61.2"


@pytest.mark.parametrize(
    "text", ["", "new:old", "0.61", "0.62:0.60", "a,b", "1.26:2.4", "0.61:"]
)
def test_what_is_no_list_of_versions_is_refused(text):
    with pytest.raises(UserError, match="FROM:TO"):
        versions.asked(text)


def facts(version, free=False):
    """Return what an interpreter says of itself, as far as it matters."""
    return {"version": version, "free_threaded": free, "path": version}


def test_interpreters_are_versions_and_those_that_lack_are_named():
    here = [facts("3.9.1"), facts("3.9.18"), facts("3.11.2"),
            facts("3.13.0"), facts("3.13.0", free=True)]  # fmt: skip
    paths = versions.of_python(versions.asked("3.9:3.12"), here)
    assert list(paths) == ["3.9.18", "3.10", "3.11.2", "3.12"]
    assert paths["3.10"] is None and paths["3.9.18"] == "3.9.18"
    assert list(versions.of_python(versions.asked("3.11,3.13"), here)) == [
        "3.11.2", "3.13.0", "3.13.0t"]  # fmt: skip


# --- kernels ----------------------------------------------------------------


def test_a_page_has_the_kernels_that_its_notebook_imports():
    some = kernels.chosen("numba", ["one-decorator"], [])
    names = {k.name: k for k in some}
    assert {"pi_numba", "pi_numba_forced"} <= names.keys()
    assert all("numba" in k.needs for k in some)


def test_plain_python_needs_nothing_and_has_lists():
    (kernel,), _ = kernels.in_file(kernels.FOLDER / "collatz_python.py")
    assert (kernel.needs, kernel.form) == (frozenset(), "lists")


# --- steps ------------------------------------------------------------------


SIZES = [1000, 10_000]


def a_sweep(levels, noise=0.02, rounds=9, seed=0, rise=1.0):
    """Return a Sweep of pi_numba whose versions have these times.

    rise  of an element's time from the first of two sizes to the second
    """
    draw = random.Random(seed)
    rows = [
        record.Row(
            f"0.{50 + k}.0",
            runs=[
                {"round": number, "others": 0.0, "seconds": {"pi_numba": [
                    size * level * factor * draw.gauss(1, noise)
                    for size, factor in zip(SIZES, (1, rise), strict=True)
                ]}}
                for number in range(rounds)
            ],
        )
        for k, level in enumerate(levels)
    ]  # fmt: skip
    return record.Sweep("numba", "scripts/sweep.py", ["pi_numba"], SIZES,
                        rounds, {}, machine.record(), rows)  # fmt: skip


def steps_of(some, size=1000):
    return steps.find(some.timings("pi_numba"), size)


@pytest.mark.parametrize("seed", range(4))
def test_a_step_is_found_where_it_is(seed):
    (step,) = steps_of(a_sweep([1.0] * 4 + [1.45] * 6, seed=seed))
    assert (step.before, step.after) == ("0.53.0", "0.54.0")
    assert step.ratio > 1.4
    assert step.ratio < 1.5


def test_it_may_become_faster_and_there_may_be_two():
    first, second = steps_of(a_sweep([1.0] * 4 + [0.6] * 4 + [0.9] * 4))
    assert [first.after, second.after] == ["0.54.0", "0.58.0"]
    assert first.ratio < 1 < second.ratio.value


@pytest.mark.parametrize("noise", [0.005, 0.03, 0.1])
def test_noise_is_no_step(noise):
    count = sum(
        bool(steps_of(a_sweep([1.0] * 11, noise, seed=seed)))
        for seed in range(20)
    )
    assert count == 0


def test_what_is_below_the_threshold_is_no_step():
    assert not steps_of(a_sweep([1.0] * 5 + [1.03] * 5, noise=0.002))


def test_two_versions_are_enough_and_one_is_not():
    assert len(steps_of(a_sweep([1.0, 1.5]))) == 1
    assert not steps_of(a_sweep([1.0]))


def test_a_version_that_failed_costs_only_itself():
    some = a_sweep([1.0] * 4 + [1.45] * 6)
    some.rows[2].reason, some.rows[2].runs = "no wheel", []
    some.rows[7].runs = some.rows[7].runs[:2]  # then it ended
    some.rows[7].reason = "ended: SIGSEGV"
    (step,) = steps_of(some)
    assert step.after == "0.54.0"
    head, rows = sweep_report.table(some, "pi_numba")
    notes = {row[1]: row[-1] for row in rows}
    assert "no wheel" in notes["0.52.0"] and "SIGSEGV" in notes["0.57.0"]
    marked = [row[1] for row in rows if row[head.index("step")]]
    assert marked == ["0.54.0"] * len(SIZES)


def test_what_an_element_costs_in_larger_calls_is_told_by_version():
    some = a_sweep([1.0, 1.0], rise=1.6)
    some.rows[1] = dataclasses.replace(
        a_sweep([1.0], rise=1.0, noise=0.01).rows[0], version="0.51.0"
    )
    times = some.timings("pi_numba")
    (before,), (after,) = (
        steps.rises(times, name).values() for name in times.names
    )
    assert before > 1.5 and after < 1.05


# --- what is kept -----------------------------------------------------------


def test_a_sweep_comes_back_as_it_was_kept(tmp_path):
    some = a_sweep([1.0, 2.0])
    record.save(some, tmp_path / "a.json")
    assert record.load(tmp_path / "a.json") == some


def test_a_damaged_file_is_named(tmp_path):
    path = tmp_path / "a.json"
    record.save(a_sweep([1.0, 2.0]), path)
    data = json.loads(path.read_text())
    data["rows"][1]["runs"][0]["seconds"]["pi_numba"] = [-1.0, 1.0]
    path.write_text(json.dumps(data))
    with pytest.raises(CorruptFile, match="pi_numba"):
        record.load(path)


def test_what_is_left_is_what_no_round_has_and_no_failed_version():
    some = a_sweep([1.0, 2.0, 3.0], rounds=3)
    some.rows[0].runs.pop(1)
    some.rows[2].reason, some.rows[2].runs = "no wheel", []
    left = some.left()
    assert {k: [r.version for r in v] for k, v in left.items()} == {
        1: ["0.50.0"]
    }


# --- the command ------------------------------------------------------------


def python_sweep(folder, *more, environment=None):
    """Sweep the interpreter of the tests, and one that is not there."""
    own = ".".join(map(str, sys.version_info[:2]))
    return call(
        sweep.main, "python", f"3.3,{own}", "--kernels", "pi_python",
        "--sizes", "1000", "--build", folder, *more,
    )  # fmt: skip


def state(folder):
    (path,) = (folder / "sweep" / "python").glob("*.json")
    return path, record.load(path)


def test_interpreters_are_swept_and_what_is_kept_is_not_measured_again(
    tmp_path,
):
    done = python_sweep(tmp_path, "--repeat", "1")
    assert (done.returncode, done.stderr) == (0, "")
    path, first = state(tmp_path)
    assert "ONTHEFLY_PYTHONS" in first.rows[0].reason
    assert list(first.rows[1].runs[0]["seconds"]) == ["pi_python"]
    assert path.with_name(f"{path.stem}-1.svg").exists()
    assert python_sweep(tmp_path, "--repeat", "2").returncode == 0
    _, second = state(tmp_path)
    assert second.rows[1].runs[0] == first.rows[1].runs[0]
    assert [r["round"] for r in second.rows[1].runs] == [0, 1]


def test_two_sweeps_at_once_are_refused(tmp_path):
    """They would write the same file, and the same environments."""
    with preconditions.alone(tmp_path / "sweep"):
        done = python_sweep(tmp_path, "--repeat", "1")
    assert done.returncode == 2 and len(done.stderr.splitlines()) == 1
    assert not list((tmp_path / "sweep").rglob("*.json"))


def test_what_was_measured_from_other_sources_is_not_mixed(tmp_path):
    python_sweep(tmp_path, "--repeat", "1")
    path, some = state(tmp_path)
    some.made_from["notebooks/onthefly/kernels/pi_python.py"] = "0" * 64
    record.save(some, path)
    before = path.read_bytes()
    done = python_sweep(tmp_path, "--repeat", "1")
    assert done.returncode == 2
    (line,) = done.stderr.splitlines()
    assert "pi_python.py" in line and "--force" in line
    assert path.read_bytes() == before
    assert python_sweep(tmp_path, "--repeat", "1", "--force").returncode == 0


@pytest.mark.parametrize(
    ("arguments", "words_"),
    [
        (["numba", "0.60:0.61"], ["--pages"]),
        (["numba", "0.60", "--pages", "one-decorator"], ["fewer than two"]),
        (["numba", "0.60:0.61", "--pages", "one-decorater"],
         ["one-decorator"]),
        (["numba", "0.60:0.61", "--kernels", "pi_nunba"], ["pi_numba"]),
        (["numba", "0.60:0.61", "--kernels", "pi_c"], ["compiler"]),
        (["numba", "0.60:0.61", "--kernels", "pi_numba", "--repeat", "0"],
         ["--repeat"]),
        (["numba", "0.60:0.61", "--kernels", "pi_numba", "--record", "A b"],
         ["--record"]),
        (["numba", "0.60:0.61", "--kernels", "pi_numba", "--repeat", "3",
          "--record", "box"], ["--repeat"]),
    ],
    ids=lambda value: " ".join(value),
)  # fmt: skip
def test_what_cannot_be_done_is_refused_in_a_line(
    tmp_path, arguments, words_
):
    done = call(sweep.main, *arguments, "--build", tmp_path)
    assert done.returncode == 2
    (line,) = done.stderr.splitlines()
    for word in words_:
        assert word in line
    assert not list(tmp_path.iterdir())


def two_pythons():
    """Return a Sweep of this interpreter and of one that is not there."""
    rows = [record.Row("3.3"), record.Row(platform.python_version())]
    return record.Sweep("python", "", ["pi_python"], [100, 300], 1, {},
                        machine.record(), rows)  # fmt: skip


def test_versions_that_cannot_be_had_say_why(tmp_path):
    some = two_pythons()
    (plain,) = kernels.in_file(kernels.FOLDER / "pi_python.py")[0]
    needy = dataclasses.replace(plain, needs=frozenset({"numpy==2.0,==3.0"}))
    paths = {"3.3": None, some.rows[1].version: sys.executable}
    assert sweep.prepared(some, [needy], paths, tmp_path) == {}
    absent, unsolved = some.rows
    assert "ONTHEFLY_PYTHONS" in absent.reason
    assert "numpy" in unsolved.reason
    assert list(sweep.prepared(some, [plain], paths, tmp_path).values()) == [
        sys.executable
    ]


def test_a_process_that_ends_costs_its_version_alone(tmp_path):
    some, path = two_pythons(), tmp_path / "a.json"
    timed, _ = kernels.in_file(kernels.FOLDER / "pi_python.py")
    pythons = {"3.3": shutil.which("false")}
    pythons |= {some.rows[1].version: sys.executable}
    trials.measure(some, timed, pythons, path, lambda _: None)
    broken, good = record.load(path).rows
    assert broken.reason and not broken.runs
    assert len(good.runs) == 1 and not good.reason


@pytest.mark.slow
def test_what_was_measured_before_ctrl_c_is_kept(tmp_path):
    own = ".".join(map(str, sys.version_info[:2]))
    command = [sys.executable, ROOT / "scripts" / "sweep.py", "python",
               f"3.3,{own}", "--kernels", "pi_python", "--sizes", "1000",
               "--build", tmp_path, "--repeat", "50"]  # fmt: skip
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        for line in process.stdout:
            if "round 3" in line:
                process.send_signal(signal.SIGINT)
                break
        _, said = process.communicate()
    assert process.returncode == 130
    (line,) = said.splitlines()
    _, some = state(tmp_path)
    count = len(some.rows[1].runs)
    assert f"{count} processes are kept" in line and 2 <= count < 50


# --- the page ---------------------------------------------------------------


def test_the_page_shows_figure_table_command_and_machine(tmp_path):
    some = a_sweep([1.0] * 4 + [1.45] * 6, seed=1)
    some.machine["slug"] = "quiet-box"
    record.save(some, tmp_path / "quiet-box" / "a.json")
    text = sweeps.page(tmp_path)
    for part in ("<svg", "<table", "quiet-box", some.command, "0.53.0"):
        assert part in text
    assert "No sweep is recorded" not in text


def test_what_is_recorded_is_drawn():
    recorded = sorted(record.ARCHIVE.glob("*/*.json"))
    text = sweeps.page()
    assert recorded
    assert text.count("To make it again") == len(recorded)
    assert text.count("<figure") >= len(recorded)


# --- real environments ------------------------------------------------------


@pytest.mark.slow
def test_two_numpys_are_swept_without_touching_this_environment(tmp_path):
    """A version that does not exist is a row, and costs only itself."""
    listed = [sys.executable, "-m", "pip", "freeze"]
    before = subprocess.run(listed, capture_output=True).stdout
    done = call(
        sweep.main, "numpy", "1.26.4,2.0.2,2.9999", "--kernels", "pi_numpy",
        "--repeat", "6", "--sizes", "1e3,1e4", "--build", tmp_path,
        "--to", tmp_path / "book", "--record", "box",
    )  # fmt: skip
    if "Failed to fetch" in done.stdout + done.stderr:
        pytest.skip("no package index can be reached")
    assert (done.returncode, done.stderr) == (0, "")
    (path,) = (tmp_path / "book").glob("box/*.json")
    old, new, none = record.load(path).rows
    assert [r.packages["numpy"] for r in (old, new)] == ["1.26.4", "2.0.2"]
    assert [len(r.runs) for r in (old, new)] == [6, 6]
    assert none.reason and not none.runs
    assert subprocess.run(listed, capture_output=True).stdout == before
