"""Sweeps over versions: what is asked for, recorded, drawn and refused."""

import dataclasses
import json
import random
import shutil
import signal
import subprocess
import sys

import pytest

import record_sweep
from conftest import call
from onthefly import commands, folders
from onthefly.commands import sweep
from onthefly.errors import CorruptFile, UserError
from onthefly.measure import machine
from onthefly.sweep import kernels, own, record, report, trials, versions
from onthefly.terminal import lock
from onthefly.tools import processes, uv
from rendering import sweeps

OWN = ".".join(map(str, sys.version_info[:2]))
SIZES = [1000, 10_000]


# --- versions and kernels ---------------------------------------------------


def test_versions_are_a_range_of_minor_ones_or_a_list():
    assert versions.asked("0.58:0.61") == ["0.58", "0.59", "0.60", "0.61"]
    assert versions.asked("0.61.2, 0.60") == ["0.60", "0.61.2"]


@pytest.mark.parametrize(
    "text", ["", "new:old", "0.61", "0.62:0.60", "a,b", "1.26:2.4", "0.61:"]
)
def test_what_is_no_list_of_versions_is_refused(text):
    with pytest.raises(UserError, match="FROM:TO"):
        versions.asked(text)


def test_interpreters_are_versions_and_those_that_lack_are_named():
    here = [
        {"version": version, "free_threaded": free, "path": version}
        for version, free in (
            ("3.9.1", False), ("3.9.18", False), ("3.11.2", False),
            ("3.13.0", False), ("3.13.0", True),
        )
    ]  # fmt: skip
    paths = versions.of_python(["3.9", "3.10", "3.11", "3.13"], here)
    assert list(paths) == ["3.9.18", "3.10", "3.11.2", "3.13.0", "3.13.0t"]
    assert paths["3.10"] is None and paths["3.9.18"] == "3.9.18"


def test_a_file_stands_for_the_kernels_in_it():
    some = kernels.chosen("numba", ["pi_numba", "pi_numba_streams"])
    assert {"pi_numba", "pi_numba_forced"} <= {k.name for k in some}
    assert all("numba" in k.needs for k in some)


def test_plain_python_needs_nothing_and_has_lists():
    (kernel,) = kernels.in_module("onthefly.kernels.collatz.collatz_python")
    assert (kernel.needs, kernel.form) == (frozenset(), "lists")


# --- steps ------------------------------------------------------------------


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
    return record.Sweep("numba", "onthefly sweep numba 0.50:0.60",
                        ["pi_numba"], SIZES,
                        rounds, {}, machine.record(), rows)  # fmt: skip


def steps_of(some):
    return report.steps(some.timings("pi_numba"), 1000)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize(
    ("levels", "after"),
    [
        ([1.0] * 4 + [1.45] * 6, ["0.54.0"]),
        ([1.0] * 4 + [0.6] * 4 + [0.9] * 4, ["0.54.0", "0.58.0"]),
        ([1.0] * 5 + [1.03] * 5, []),  # below the threshold
        ([1.0, 1.5], ["0.51.0"]),
        ([1.0], []),
    ],
)
def test_a_step_is_found_where_it_is(levels, after, seed):
    steps = steps_of(a_sweep(levels, seed=seed))
    assert [version for _, version in steps] == after


@pytest.mark.parametrize("noise", [0.005, 0.03, 0.1])
def test_noise_is_no_step(noise):
    levels = [1.0] * 11
    assert not any(
        steps_of(a_sweep(levels, noise, seed=seed)) for seed in range(20)
    )


def test_a_small_step_of_the_newest_version_is_found():
    """The fit alone, for which it is a piece of one, finds 5 of these 20."""
    levels = [1.0] * 9 + [1.15]
    found = [steps_of(a_sweep(levels, 0.04, seed=seed)) for seed in range(20)]
    assert sum(map(bool, found)) >= 14


def test_a_version_that_failed_costs_only_itself():
    some = a_sweep([1.0] * 4 + [1.45] * 6)
    some.rows[2].reason, some.rows[2].runs = "no wheel", []
    some.rows[7].runs = some.rows[7].runs[:2]  # then it ended
    some.rows[7].reason = "ended: SIGSEGV"
    assert [after for _, after in steps_of(some)] == ["0.54.0"]
    _, rows = report.table(some, "pi_numba")
    notes = {row[1]: row[-1] for row in rows}
    assert notes["0.52.0"] == "no wheel"
    assert notes["0.57.0"] == "ended: SIGSEGV"


def test_what_an_element_costs_in_larger_calls_is_known_by_version():
    some = a_sweep([1.0], rise=1.6)
    more = a_sweep([1.0], rise=1.0, noise=0.01).rows[0]
    some.rows.append(dataclasses.replace(more, version="0.51.0"))
    times = some.timings("pi_numba")
    (before,), (after,) = (
        report.rises(times, name).values() for name in times.names
    )
    assert before > 1.5 and after < 1.05


# --- the command ------------------------------------------------------------


def python_sweep(folder, *more):
    """Sweep the interpreter of the tests, and one that is not there."""
    return call(
        commands.main, "sweep", "python", f"3.3,{OWN}",
        "--kernels", "pi_python", "--sizes", "1000", "--build", folder, *more,
    )  # fmt: skip


def state(folder):
    (path,) = (folder / "sweep" / "python").glob("*.json")
    return path, record.load(path)


def test_what_is_kept_is_not_measured_again(tmp_path):
    done = python_sweep(tmp_path, "--repeat", "1")
    assert done.returncode == 0 and "round 1 of 1" in done.stderr
    path, first = state(tmp_path)
    assert "ONTHEFLY_PYTHONS" in first.rows[0].reason
    assert list(first.rows[1].runs[0]["seconds"]) == ["pi_python"]
    assert path.with_name(f"{path.stem}-1.svg").exists()
    done = python_sweep(tmp_path, "--repeat", "2", "--json")
    assert json.loads(done.stdout)["steps"] == {"pi_python": []}
    _, second = state(tmp_path)
    assert second.rows[1].runs[0] == first.rows[1].runs[0]
    assert [r["round"] for r in second.rows[1].runs] == [0, 1]


def test_what_was_measured_from_other_sources_is_not_mixed(
    tmp_path, monkeypatch
):
    python_sweep(tmp_path, "--repeat", "1")
    path, _ = state(tmp_path)
    before = path.read_bytes()
    monkeypatch.setattr(sweep, "_hashed", lambda path: (str(path), "0"))
    assert python_sweep(tmp_path, "--repeat", "1").returncode == 0
    assert len(list(path.parent.glob("*.json"))) == 2
    assert path.read_bytes() == before


def test_two_sweeps_at_once_are_refused(tmp_path):
    """They would write the same file, and the same environments."""
    with lock.alone(tmp_path / "sweep"):
        done = python_sweep(tmp_path, "--repeat", "1")
    assert done.returncode == 2 and len(done.stderr.splitlines()) == 1
    assert not list((tmp_path / "sweep").rglob("*.json"))


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        ("0.60:0.61", "--kernels"),
        ("0.60 --kernels pi_numba", "fewer than two"),
        ("0.60:0.61 none.py:f", "no such file"),
        ("0.60:0.61 mine.py", "FILE.py:FUNCTION"),
        ("0.60:0.61 none.py:f --kernels pi_numba", "one of them"),
        ("0.60:0.61 --kernels pi_nunba", "pi_numba"),
        ("0.60:0.61 --kernels pi_numba --repeat 0", "--repeat"),
    ],
)
def test_what_cannot_be_done_is_refused_in_a_line(tmp_path, arguments, word):
    done = call(commands.main, "sweep", "numba", *arguments.split(),
                "--build", tmp_path)  # fmt: skip
    assert done.returncode == 2
    (line,) = done.stderr.splitlines()
    assert word in line
    assert not list(tmp_path.iterdir())


def test_a_process_that_ends_costs_its_version_alone(tmp_path):
    some, path = a_sweep([1.0, 1.0], rounds=0), tmp_path / "a.json"
    some.repeat, some.kernels = 1, ["pi_python"]
    timed = kernels.in_module("onthefly.kernels.pi.pi_python")
    pythons = {"0.50.0": shutil.which("false"), "0.51.0": sys.executable}
    trials.measure(some, timed, pythons, path, print)
    broken, good = record.load(path).rows
    assert broken.reason and not broken.runs
    assert len(good.runs) == 1 and not good.reason


@pytest.mark.slow
def test_what_was_measured_before_ctrl_c_is_kept(tmp_path):
    command = [sys.executable, "-m", "onthefly", "sweep", "python",
               f"3.3,{OWN}", "--kernels", "pi_python", "--sizes", "1000",
               "--build", tmp_path, "--repeat", "50"]  # fmt: skip
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        for line in process.stderr:
            if "round 3" in line:
                process.send_signal(signal.SIGINT)
                break
        _, said = process.communicate()
    assert process.returncode == 130 and "kept in" in said
    assert 2 <= len(state(tmp_path)[1].rows[1].runs) < 50


# --- a function of one's own ---------------------------------------------


MINE = """
import random
from beside import limit

def total(numbers):
    return sum(numbers[:limit])

def count(n):
    return n

def sort(numbers):
    numbers.sort()

def numbers(n):
    return [random.random() for _ in range(n)]
"""


@pytest.fixture
def mine(tmp_path):
    """A file of functions, with a module beside it."""
    (tmp_path / "beside.py").write_text("import numpy\nlimit = 100\n")
    path = tmp_path / "mine.py"
    path.write_text(MINE)
    return path


def test_a_function_rests_on_what_its_file_imports(mine):
    (one,) = own.chosen("numpy", [f"{mine}:total"], "numbers")
    assert [path.name for path in one.files] == ["beside.py", "mine.py"]
    assert one.needs == {"numpy"}
    with pytest.raises(UserError, match="does not import numba"):
        own.chosen("numba", [f"{mine}:total"], "")
    with pytest.raises(UserError, match="did you mean total"):
        own.chosen("numpy", [f"{mine}:totla"], "")


def test_a_function_is_timed_with_what_its_maker_makes(mine):
    (total, count) = (
        own.chosen("python", [f"{mine}:{name}"], maker)[0]
        for name, maker in (("total", "numbers"), ("count", ""))
    )
    for one in total, count:
        small, large = trials.once(sys.executable, one, [10, 1000])
        assert small > 0 and large > 0


def test_what_changes_its_arguments_is_not_timed(mine):
    (sort,) = own.chosen("python", [f"{mine}:sort"], "numbers")
    with pytest.raises(processes.Failed, match="changes its arguments"):
        trials.once(sys.executable, sort, [10])


def test_without_uv_one_line_says_how_to_get_it(mine, monkeypatch):
    monkeypatch.setattr(
        uv.importlib.util,
        "find_spec",
        lambda name: None if name == "uv" else name,
    )
    monkeypatch.setattr(uv.shutil, "which", lambda name: None)
    done = call(commands.main, "sweep", "numpy", "2.0:2.2", f"{mine}:total")
    assert done.returncode == 2
    assert "uv is missing" in done.stderr and "onthefly[sweep]" in done.stderr


def test_an_installed_package_is_alone_for_other_versions(
    tmp_path, monkeypatch
):
    monkeypatch.setattr(folders, "CHECKOUT", None)
    monkeypatch.setenv("ONTHEFLY_BUILD", str(tmp_path))
    for _ in range(2):
        assert [p.name for p in folders.home().iterdir()] == ["onthefly"]


# --- the page ---------------------------------------------------------------


def test_a_damaged_file_is_named(tmp_path):
    path = tmp_path / "box" / "a.json"
    record.save(a_sweep([1.0, -2.0]), path)
    with pytest.raises(CorruptFile, match="pi_numba"):
        sweeps.page(tmp_path)


@pytest.mark.parametrize(
    ("change", "word"),
    [
        ({}, ""),
        ({"repeat": 3}, "--repeat"),
        ({"made_from": {"/home/mine.py": "0"}}, "--kernels"),
    ],
)
def test_a_sweep_of_kernels_is_recorded(tmp_path, change, word):
    some = a_sweep([1.0, 1.0], rounds=change.get("repeat", 9))
    some.made_from = change.get("made_from", {"kernels/pi.py": "0"})
    record.save(some, tmp_path / "a.json")
    done = call(record_sweep.main, tmp_path / "a.json", "--name", "box",
                "--to", tmp_path / "book")  # fmt: skip
    assert done.returncode == (2 if word else 0) and word in done.stderr
    if not word:
        kept = record.load(tmp_path / "book" / "box" / "a.json")
        assert kept.machine["slug"] == "box"


def test_what_is_recorded_is_drawn():
    recorded = [record.load(p) for p in sweeps.ARCHIVE.glob("*/*.json")]
    text = sweeps.page()
    assert recorded
    assert text.count("<figure") >= len(recorded)
    for some in recorded:
        assert sweeps.again(some) in text and some.machine["slug"] in text


# --- real environments ------------------------------------------------------


@pytest.mark.slow
def test_two_numpys_are_swept_without_touching_this_environment(tmp_path):
    """A version that does not exist is a row, and costs only itself."""
    listed = [sys.executable, "-m", "pip", "freeze"]
    before = subprocess.run(listed, capture_output=True).stdout
    done = call(
        commands.main, "sweep", "numpy", "1.26.4,2.0.2,2.9999",
        "--kernels", "pi_numpy", "--repeat", "6", "--sizes", "1e3,1e4",
        "--build", tmp_path,
    )  # fmt: skip
    if "Failed to fetch" in done.stdout + done.stderr:
        pytest.skip("no package index can be reached")
    assert done.returncode == 0
    (path,) = (tmp_path / "sweep" / "numpy").glob("*.json")
    old, new, none = record.load(path).rows
    assert [r.packages["numpy"] for r in (old, new)] == ["1.26.4", "2.0.2"]
    assert [len(r.runs) for r in (old, new)] == [6, 6]
    assert none.reason and not none.runs
    assert subprocess.run(listed, capture_output=True).stdout == before
