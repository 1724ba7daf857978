"""Sweeps over versions: what is asked for, kept, found and refused."""

import dataclasses
import json
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
from onthefly.refused import Broken, Refused
from rendering import sweeps
from running import preconditions
from sweeping import environments, job, kept, kernels, steps, versions, words

# --- versions ---------------------------------------------------------------

EVERY = ["0.68.0", "0.61.2", "0.61.0", "0.60.0", "0.60.1rc1", "0.59.1",
         "1.0.0"]  # fmt: skip


def test_a_range_has_the_newest_patch_of_each_minor():
    wanted = versions.asked("0.59:0.61")
    found = [v for v in EVERY if wanted.has(versions.Version(v))]
    assert versions.newest_of_minors(found) == ["0.59.1", "0.60.0", "0.61.2"]


def test_an_end_may_be_left_open():
    first = versions.asked("0.61:")
    assert [v for v in EVERY if first.has(versions.Version(v))] == [
        "0.68.0", "0.61.2", "0.61.0", "1.0.0"]  # fmt: skip


def test_a_list_is_taken_as_it_stands_oldest_first():
    assert versions.asked("0.61.2, 0.60") == ["0.60", "0.61.2"]
    assert versions.requirement("numba", "0.60") == "numba==0.60.*"
    assert versions.requirement("numba", "0.61.2") == "numba==0.61.2"


@pytest.mark.parametrize("text", ["", "new:old", "0.61", "0.62:0.60", "a,b"])
def test_what_is_no_list_of_versions_is_refused(text):
    with pytest.raises(Refused, match="FROM:TO"):
        versions.asked(text)


def facts(version, free=False):
    """Return what an interpreter says of itself, as far as it matters."""
    return {"version": version, "free_threaded": free, "path": version}


def test_interpreters_are_versions_and_those_that_lack_are_named():
    here = [facts("3.9.1"), facts("3.9.18"), facts("3.11.2"),
            facts("3.13.0"), facts("3.13.0", free=True)]  # fmt: skip
    found = versions.of_python(versions.asked("3.9:3.12"), here)
    assert list(found) == ["3.9.18", "3.10", "3.11.2", "3.12"]
    assert found["3.10"] is None and found["3.9.18"]["path"] == "3.9.18"
    assert list(versions.of_python(versions.asked("3.11,3.13"), here)) == [
        "3.11.2", "3.13.0", "3.13.0t"]  # fmt: skip


# --- kernels ----------------------------------------------------------------


def test_a_page_has_the_kernels_that_its_notebook_imports():
    found, left = kernels.of_pages(["one-decorator"])
    names = {k.name: k for k in found}
    assert {"pi_numba", "pi_numba_forced"} <= names.keys()
    assert "numba" in names["pi_numba"].needs
    assert "compiler" in left["pi_c"]


def test_plain_python_needs_nothing_and_has_lists():
    (found,), _ = kernels.in_file(kernels.FOLDER / "collatz_python.py")
    assert (found.needs, found.form) == (frozenset(), "lists")


def test_a_name_is_a_function_s_or_else_a_file_s():
    found, left = kernels.of_pages(["one-decorator"])
    (one,) = kernels.chosen(found, left, ["pi_numba"])
    several = kernels.chosen(found, left, ["pi_numba_streams", "pi_numba"])
    assert one.name == "pi_numba"
    assert {k.module for k in several} > {one.module}
    assert len({k.name for k in several}) == len(several) > 3


def test_every_kernel_takes_what_its_problem_gives():
    every, _ = kernels.every()
    for kernel in every:
        assert (kernels.FOLDER / f"{kernel.problem}.py").exists()
        assert kernel.module.rpartition(".")[2] in str(kernel.files)
    assert not kernels.DEVICES & {name for k in every for name in k.needs}


# --- steps ------------------------------------------------------------------


def a_sweep(levels, noise=0.02, rounds=9, seed=0, **more):
    """Return a Sweep of pi_numba whose versions have these times."""
    draw = random.Random(seed)
    rows = [
        kept.Row(
            f"0.{50 + k}.0",
            runs=[
                {"round": number, "others": 0.0,
                 "seconds": {"pi_numba": level * draw.gauss(1, noise)}}
                for number in range(rounds)
            ],
        )
        for k, level in enumerate(levels)
    ]  # fmt: skip
    return kept.Sweep("numba", "scripts/sweep.py", ["pi_numba"], 100, rounds,
                      {}, machine.record(), rows, **more)  # fmt: skip


def found_in(some):
    return steps.find(steps.timings(some, "pi_numba"))


@pytest.mark.parametrize("seed", range(4))
def test_a_step_is_found_where_it_is(seed):
    (step,) = found_in(a_sweep([1.0] * 4 + [1.45] * 6, seed=seed))
    assert (step.before, step.after) == ("0.53.0", "0.54.0")
    assert step.ratio > 1.4
    assert step.ratio < 1.5


def test_it_may_become_faster_and_there_may_be_two():
    found = found_in(a_sweep([1.0] * 4 + [0.6] * 4 + [0.9] * 4))
    assert [s.after for s in found] == ["0.54.0", "0.58.0"]
    assert found[0].ratio < 1 < found[1].ratio.value


@pytest.mark.parametrize("noise", [0.005, 0.03, 0.1])
def test_noise_is_no_step(noise):
    count = sum(
        bool(found_in(a_sweep([1.0] * 11, noise, seed=seed)))
        for seed in range(20)
    )
    assert count == 0


def test_what_is_below_the_threshold_is_no_step():
    assert not found_in(a_sweep([1.0] * 5 + [1.03] * 5, noise=0.002))


def test_two_versions_are_enough_and_one_is_not():
    assert len(found_in(a_sweep([1.0, 1.5]))) == 1
    assert not found_in(a_sweep([1.0]))


def test_a_version_that_failed_costs_only_itself():
    some = a_sweep([1.0] * 4 + [1.45] * 6)
    some.rows[2].reason, some.rows[2].runs = "no wheel", []
    some.rows[7].runs = some.rows[7].runs[:2]  # then it ended
    some.rows[7].reason = "ended: SIGSEGV"
    (step,) = found_in(some)
    assert step.after == "0.54.0"
    table = words.rows(some, "pi_numba")
    assert "no wheel" in table[2][-1] and "SIGSEGV" in table[7][-1]
    assert [row[4] != "" for row in table].index(True) == 4


def test_few_processes_do_not_tell_that_there_is_no_step():
    (chart,) = words.charts(a_sweep([1.0] * 6, rounds=3))
    assert "too few" in chart.finding


# --- what is kept -----------------------------------------------------------


def test_a_sweep_comes_back_as_it_was_kept(tmp_path):
    some = a_sweep([1.0, 2.0])
    kept.save(some, tmp_path / "a.json")
    assert kept.load(tmp_path / "a.json") == some


def test_a_damaged_file_is_named(tmp_path):
    path = tmp_path / "a.json"
    kept.save(a_sweep([1.0, 2.0]), path)
    data = json.loads(path.read_text())
    data["rows"][1]["runs"][0]["seconds"]["pi_numba"] = -1.0
    path.write_text(json.dumps(data))
    with pytest.raises(Broken, match="pi_numba"):
        kept.load(path)


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
        "--size", "1000", "--build", folder, *more,
    )  # fmt: skip


def state(folder):
    (path,) = (folder / "sweep" / "python").glob("*.json")
    return path, kept.load(path)


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
    kept.save(some, path)
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
        (["numba", "0.60", "--pages", "one-decorator"], ["no sweep"]),
        (["numba", "0.60:0.61", "--pages", "one-decorater"],
         ["one-decorator"]),
        (["torch", "2.9:2.13", "--pages", "one-decorator"],
         ["torch", "numba"]),
        (["numba", "0.60:0.61", "--kernels", "pi_nunba"], ["pi_numba"]),
        (["numba", "0.60:0.61", "--kernels", "pi_c"], ["compiler"]),
        (["python", "3.9:3.11", "--pages", "first-benchmark"],
         ["first-benchmark", "--kernels"]),
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


def test_uv_s_reason_is_one_line():
    said = (
        "error: No solution found when resolving dependencies\n"
        "  cause: Because numba==0.55.2 has no usable wheels and you require "
        "numba==0.55.2, we can conclude that it is unsatisfiable.\n\n"
        "hint: Wheels are required\n"
    )
    found = environments.reason(said)
    assert found.startswith("Because numba==0.55.2 has no usable wheels")
    assert environments.reason("x " * 500).endswith("…")


def test_an_environment_that_cannot_be_is_told(tmp_path):
    with pytest.raises(environments.Impossible, match="=="):
        environments.make(
            tmp_path, "x", sys.executable, {"numpy==2.0,==3.0", "numpy"}
        )


def test_the_standard_library_is_timed_where_no_environment_can_be(tmp_path):
    """What cannot be resolved costs the kernels that need it."""
    (plain,) = kernels.in_file(kernels.FOLDER / "pi_python.py")[0]
    needy = dataclasses.replace(
        plain, name="pi_needy", needs=frozenset({"numpy==2.0,==3.0"})
    )
    own = ".".join(map(str, sys.version_info[:2]))
    wanted = versions.asked(f"3.3,{own}")
    asked = job.Job("python", wanted, [plain, needy], 100, 1, "",
                    tmp_path / "a.json", tmp_path / "envs")  # fmt: skip
    some = job.begun(asked)
    pythons = {r.version: p for r, p in job.prepared(some, asked)}
    job.measure(some, asked, pythons, tell=lambda _: None)
    row = kept.load(tmp_path / "a.json").rows[1]
    assert list(row.runs[0]["seconds"]) == ["pi_python"]
    assert "numpy" in row.lost["pi_needy"]


def test_a_process_that_ends_costs_its_version_alone(tmp_path):
    found, _ = kernels.in_file(kernels.FOLDER / "pi_python.py")
    own = ".".join(map(str, sys.version_info[:2]))
    asked = job.Job("python", versions.asked(f"3.3,{own}"), found, 100, 1,
                    "", tmp_path / "a.json", tmp_path / "envs")  # fmt: skip
    some = job.begun(asked)
    pythons = {"3.3": shutil.which("false")}
    pythons |= {some.rows[1].version: sys.executable}
    job.measure(some, asked, pythons, tell=lambda _: None)
    broken, good = kept.load(tmp_path / "a.json").rows
    assert broken.reason and not broken.runs
    assert len(good.runs) == 1 and not good.reason


@pytest.mark.slow
def test_what_was_measured_before_ctrl_c_is_kept(tmp_path):
    own = ".".join(map(str, sys.version_info[:2]))
    command = [sys.executable, ROOT / "scripts" / "sweep.py", "python",
               f"3.3,{own}", "--kernels", "pi_python", "--size", "1000",
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


def test_the_page_without_a_sweep_says_so(tmp_path):
    assert sweeps.NONE in sweeps.page(tmp_path)


def test_the_page_shows_figure_table_command_and_machine(tmp_path):
    some = a_sweep([1.0] * 4 + [1.45] * 6, seed=1)
    some.machine["slug"] = "quiet-box"
    kept.save(some, tmp_path / "quiet-box" / "a.json")
    text = sweeps.page(tmp_path)
    for part in ("<svg", "<table", "quiet-box", some.command, "0.53.0"):
        assert part in text
    assert sweeps.NONE not in text


# --- real environments ------------------------------------------------------


@pytest.mark.slow
def test_two_numpys_are_swept_without_touching_this_environment(tmp_path):
    """A version that does not exist is a row, and costs only itself."""
    listed = [sys.executable, "-m", "pip", "freeze"]
    before = subprocess.run(listed, capture_output=True).stdout
    done = call(
        sweep.main, "numpy", "1.26.4,2.0.2,2.9999", "--kernels", "pi_numpy",
        "--repeat", "6", "--size", "1000", "--build", tmp_path,
        "--to", tmp_path / "book", "--record", "box",
    )  # fmt: skip
    if "Failed to fetch" in done.stdout + done.stderr:
        pytest.skip("no package index can be reached")
    assert (done.returncode, done.stderr) == (0, "")
    (path,) = (tmp_path / "book").glob("box/*.json")
    old, new, none = kept.load(path).rows
    assert [r.packages["numpy"] for r in (old, new)] == ["1.26.4", "2.0.2"]
    assert [len(r.runs) for r in (old, new)] == [6, 6]
    assert none.reason and not none.runs
    assert subprocess.run(listed, capture_output=True).stdout == before
