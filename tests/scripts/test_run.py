"""The runner: real runs of scripts/run.py over tiny notebooks."""

import contextlib
import json
import re
import shutil
import signal
import subprocess
import time

import pytest

import run as run_script
from conftest import ROOT, call, gone
from onthefly.errors import UserError
from onthefly.measure import data, machine
from running import request
from small_books import (
    MEASURES,
    assert_refused,
    command,
    environment,
    outputs,
    save_results,
    stamp,
    write_chapter,
)

SAVE = MEASURES.replace("SLUG", "good")
# Tells which process the kernel is, then waits until something ends it.
WAIT = """
import os, pathlib, time
folder = pathlib.Path(os.environ["ONTHEFLY_BUILD"])
(folder / "kernel").write_text(str(os.getpid()))
time.sleep(0 if "ONTHEFLY_TEST_QUICK" in os.environ else 60)
"""
FLAKY = "import os\nassert 'ONTHEFLY_TEST_FAIL' not in os.environ, 'asked'"


def run(folder, *arguments, **extra):
    """Run run.py to its end, in this process; return how it ended."""
    line = command(folder, *arguments)[2:]
    with contextlib.chdir(folder):
        return call(run_script.main, *line, environment=environment(**extra))


# One run with every way to fail


@pytest.fixture(scope="module")
def mixed(tmp_path_factory):
    """Run good and failing chapters once; return (folder, process)."""
    folder = tmp_path_factory.mktemp("mixed")
    write = write_chapter
    chapters = folder / "notebooks"
    # A copy, so that nobody who edits the lab meanwhile changes the outcome.
    shutil.copytree(ROOT / "notebooks/onthefly", chapters / "onthefly")
    write(chapters, "a/good.ipynb", "print(preset, scale, seed)", SAVE)
    write(chapters, "b/fails.ipynb", "print('first')", "\n\ny = 1 / 0", "1")
    killed = "import os # the end\nos.kill(os.getpid(), 9)"
    worker = (
        "import multiprocessing as mp, time\n"
        "w = mp.get_context('fork').Process(target=time.sleep, args=[99])\n"
        "w.start(); print(w.pid)"
    )
    write(chapters, "c/killed.ipynb", worker, killed)
    write(
        chapters, "d/late.ipynb", "import time; print('x')", "time.sleep(99)"
    )
    write(chapters, "e/leaves.ipynb", "import sys\nsys.exit(0)", "1")
    write(
        chapters, "f/lesson_error.ipynb", "1 / 0", tags=["raises-exception"]
    )
    write(chapters, "g/unsaid.ipynb", "gain = 7", says="{eval}`gian.short`")
    endless = "__import__('time').sleep(99)"
    write(chapters, "h/waits.ipynb", says=f"{{eval}}`{endless}`")
    done = run(folder, "--limit", "10", "-p", "scale", "2")
    return folder, done


@pytest.mark.slow
def test_good_chapters_finish_beside_failing_ones(mixed):
    folder, done = mixed
    assert done.returncode == 1, done.stdout + done.stderr
    files = (folder / "build" / "executed").glob("*/*")
    good = ("good", "lesson_error")
    assert {path.name for path in files} == {
        stem + end for stem in good for end in (".ipynb", ".json")
    }
    assert outputs(folder / "build/executed/a/good.ipynb") == "S 2.0 2018\n"
    stamped = stamp(folder, "a/good.json")
    assert stamped["chapter"] == "good" and stamped["preset"] == "S"
    assert stamped["seed"] == 2018 and stamped["machine"] == "box"
    assert (folder / "build/results/box/good.json").exists()
    assert "\x1b" not in done.stdout and done.stderr == ""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("slug", "cell", "reason"),
    [
        ("fails", "cell 4/5: y = 1 / 0", "ZeroDivisionError: division"),
        ("killed", "cell 4/4: import os # the end", "signal 9 (SIGKILL)"),
        ("killed", "cell 4/4: import os # the end", "GiB are available"),
        ("late", "cell 4/4: time.sleep(99)", "time limit of 10 s"),
        ("leaves", "cell 3/4: import sys", "SystemExit: 0"),
        ("unsaid", "cell 1/3: # g/", "{eval}`gian.short`: NameError: name"),
        ("waits", "cell 1/2: # h/", "time limit of 10 s"),
    ],
)
def test_the_table_says_which_cell_and_why(mixed, slug, cell, reason):
    _, done = mixed
    table = done.stdout[done.stdout.index("\ngood ") :]
    row = re.search(rf"^{slug} +FAILED.*\n(.*)\n(.*)\n(.*)$", table, re.M)
    assert cell in row[1] and reason in row[2]
    assert row[3].endswith(f"/{slug}.ipynb") and "build/partial/" in row[3]


@pytest.mark.slow
def test_partial_notebooks_hold_what_ran(mixed):
    folder, _ = mixed
    partial = folder / "build" / "partial"
    assert outputs(partial / "b/fails.ipynb") == "first\n"
    assert outputs(partial / "d/late.ipynb") == "x\n"


@pytest.mark.slow
def test_a_dead_kernels_worker_does_not_stay(mixed):
    folder, _ = mixed
    worker = int(outputs(folder / "build/partial/c/killed.ipynb"))
    assert gone(worker)


@pytest.mark.slow
def test_what_is_finished_is_not_run_again(mixed):
    folder, _ = mixed
    before = (folder / "build/executed/a/good.json").read_text()
    done = run(folder, "good", "lesson_error", "-p", "scale", "2.0")
    assert done.returncode == 0
    assert done.stdout.count("up to date") == 2 and "cell" not in done.stdout
    assert (folder / "build/executed/a/good.json").read_text() == before


# Requests that are refused


@pytest.fixture(scope="module")
def refusing(tmp_path_factory):
    """Return a folder with a good chapter and a broken one."""
    folder = tmp_path_factory.mktemp("refusing")
    chapters = folder / "notebooks"
    write_chapter(chapters, "a/good.ipynb", "1")
    broken = write_chapter(chapters, "b/broken.ipynb", "1")
    lines = broken.read_text().splitlines()
    lines[3] += ",,"
    broken.write_text("\n".join(lines))
    (chapters / "b/list.ipynb").write_text("[1]")
    untagged = write_chapter(chapters, "d/untagged.ipynb", "1")
    untagged.write_text(untagged.read_text().replace('"parameters"', '"p"'))
    return folder


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["god"], ["unknown chapter 'god'", "did you mean good?"]),
        (
            ["good", "--preset", "XL"],
            ["unknown preset 'XL'", "S, M, L, talk"],
        ),
        (["good", "-p", "sed", "1"], ["parameter 'sed'", "mean seed?"]),
        (["good", "-p", "seed", "one"], ["parameter seed: 'one' is no int"]),
        (["good", "--limit", "nan"], ["--limit"]),
        (["good", "--jobs", "0"], ["--jobs"]),
        (["good", "--turbo"], ["unrecognized arguments: --turbo"]),
        ([], ["b/broken.ipynb: line 4, column", "not JSON"]),
        (["list"], ["b/list.ipynb: not a notebook"]),
        (["untagged"], ["d/untagged.ipynb: 0 cells are tagged"]),
    ],
)
def test_a_bad_request_is_one_line_and_runs_nothing(
    refusing, arguments, words
):
    done = run(refusing, *arguments)
    assert_refused(done, *words)
    assert not (refusing / "build").exists()


def test_what_another_machine_of_this_name_measured_is_not_mixed(tmp_path):
    write_chapter(tmp_path / "notebooks", "a/good.ipynb", "1")
    save_results(tmp_path / "build" / "results", "other")
    other = tmp_path / "build" / "data" / "S" / "box" / "other.json"
    own = json.loads(other.read_text())
    own["onthefly"]["machine"]["id"] = "abc"
    del own["onthefly"]["checksum"]
    other.write_text(json.dumps(own))
    done = run(tmp_path)
    assert_refused(done, "other.json", machine.unique_slug()[-7:])


def test_cuda_without_a_device_is_refused(monkeypatch):
    monkeypatch.setattr(request.machine, "has_cuda", lambda: False)
    with pytest.raises(UserError, match="no CUDA device"):
        request.check_options("S", "cuda", "here")


# Runs that are ended


def start(folder, *arguments, **extra):
    """Start run.py, wait for its kernel; return (process, kernel's pid)."""
    busy = folder / "build" / "kernel"
    busy.unlink(missing_ok=True)
    process = subprocess.Popen(
        command(folder, *arguments), env=environment(**extra), cwd=folder,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    end = time.monotonic() + 60
    while not (busy.exists() and busy.read_text()):
        assert process.poll() is None and time.monotonic() < end
        time.sleep(0.05)
    return process, int(busy.read_text())


@pytest.mark.slow
def test_ended_runs_leave_nothing_that_counts(tmp_path):
    """A good run, then by force: Ctrl-C, kill -9, and a good run again."""
    write_chapter(tmp_path / "notebooks", "a/wait.ipynb", WAIT)
    write_chapter(tmp_path / "notebooks", "b/after.ipynb", "1")
    assert run(tmp_path, "wait", ONTHEFLY_TEST_QUICK="1").returncode == 0
    first = (tmp_path / "build/executed/a/wait.ipynb").read_bytes()

    process, kernel = start(tmp_path, "--force")
    second = run(tmp_path, "wait", "--force")
    assert second.returncode == 2 and "another run" in second.stderr
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=30)
    assert process.returncode == 130
    assert re.fullmatch(
        r"run\.py: interrupted in wait; .*a/wait\.ipynb\n", err
    )
    assert (tmp_path / "build/partial/a/wait.ipynb").exists()
    assert gone(kernel)

    process, kernel = start(tmp_path)  # no --force: Ctrl-C's run is not done
    process.kill()
    process.communicate()
    assert gone(kernel)

    executed = tmp_path / "build" / "executed"
    assert (executed / "a/wait.ipynb").read_bytes() == first
    assert not (executed / "b/after.ipynb").exists()
    done = run(tmp_path, ONTHEFLY_TEST_QUICK="1")
    assert done.returncode == 0 and done.stdout.count(": done in") == 2
    assert (executed / "a/wait.ipynb").read_bytes() != first


MEASURES_ANEW = """
from onthefly.page import Chapter
book = Chapter("the-roof", preset, device, seed, data)
book.measure("ways", {"int": int})
book.close()
whose = book.whose
"""


@pytest.mark.slow
def test_a_page_names_the_run_that_measured(tmp_path):
    write_chapter(
        tmp_path / "notebooks", "a/the_roof.ipynb", MEASURES_ANEW,
        says="{eval}`whose`",
    )  # fmt: skip
    assert run(tmp_path).returncode == 0
    kept = tmp_path / "build/data/S/box/the-roof.json"
    own = data.load(kept)
    own.machine["time"] = "2001-01-01T00:00:00+00:00"
    own.groups["ways"].key = {}  # so that it is measured anew
    data.save(own, kept)
    assert run(tmp_path).returncode == 0
    executed = tmp_path / "build/executed/a/the_roof.ipynb"
    told = executed.read_text()
    assert "Measured on box" in told and "2001" not in told


@pytest.mark.slow
def test_a_forced_run_that_fails_takes_the_stamp_back(tmp_path):
    write_chapter(tmp_path / "notebooks", "a/flaky.ipynb", FLAKY)
    executed = tmp_path / "build" / "executed" / "a/flaky.ipynb"
    assert run(tmp_path).returncode == 0
    first = executed.read_bytes()
    done = run(tmp_path, "--force", ONTHEFLY_TEST_FAIL="1")
    assert done.returncode == 1 and "AssertionError: asked" in done.stdout
    assert executed.read_bytes() == first
    again = run(tmp_path)
    assert again.returncode == 0 and ": done in" in again.stdout
