"""Chapters on the workers of a cluster: real ones, on this machine."""

import contextlib
import json
import os
import re
import signal
import subprocess
import sys
import time

import psutil
import pytest

from commandline import ROOT
from conftest import gone
from onthefly.measure import machine
from onthefly.page import results
from small_books import (
    MEASURES,
    assert_refused,
    command,
    environment,
    outputs,
    project,
    run,
    stamp,
    write_chapter,
)

pytestmark = pytest.mark.slow

TIMED = """
import time
begun = time.time()
time.sleep(1)
print(begun, time.time())
"""
# The first try says which process the kernel is, and waits for its end.
WAIT = """
import os, pathlib, time
path = pathlib.Path({!r})
again = path.exists()
path.write_text(str(os.getpid()))
time.sleep(0 if again else 60)
print(os.environ.get("OMP_NUM_THREADS"))
"""
# Appended to a worker's program: what it returns of a page, by its name.
LIES = """

honest = run
NOTEBOOK = '{"cells": [], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}'
LIE = dict(
    machine="box", milliseconds=1500, failure=None, notebook=NOTEBOOK,
    data="", results="", log="",
)
LIES = {
    "none": None,
    "bare": {"machine": "box"},
    "nan": LIE | {"milliseconds": float("nan")},
    "host": LIE | {"machine": "../../evil"},
    "more": LIE | {"figures": {"../../evil.svg": "<svg/>"}},
    "why": LIE | {"failure": {"number": "1", "line": [], "reason": 7}},
    "noise": LIE | {"notebook": "no JSON"},
    "cells": LIE | {"notebook": NOTEBOOK.replace("cells", "sells")},
    "kind": LIE | {"notebook": NOTEBOOK.replace("[]", "[7]")},
    "half": LIE | {"notebook": "\\ud800"},
    "told": LIE | {"results": "{}"},
    "data": LIE | {"data": "{}"},
}


def run(name, text, *rest):
    page = name.removeprefix("a/")
    if page in LIES:
        return LIES[page]
    answer = honest(name, text, *rest)
    if page == "other":
        own, wrong = '"page": "other"', '"page": "x"'
        answer["data"] = answer["data"].replace(own, wrong)
    return answer
"""


def until(ask, seconds=60):
    """Return what `ask` returns, once it raises nothing."""
    end = time.monotonic() + seconds
    while True:
        try:
            return ask()
        except (OSError, ValueError):
            assert time.monotonic() < end
            time.sleep(0.05)


class Cluster:
    """A scheduler, and workers each on an address of its own."""

    def __init__(self, folder, workers=1):
        self.folder, self.processes = folder, []
        file = folder / "scheduler.json"
        self._start("scheduler", "--port", "0", "--scheduler-file", file)
        self.address = until(lambda: json.loads(file.read_text())["address"])
        for _ in range(workers):
            self.worker()

    def worker(
        self, resources="MACHINE=1", nanny="--no-nanny", host="", **more
    ):
        """Start a worker; return when it is in.

        more  root, first: as of `_start`; variables of its environment
        """
        number = len(self.processes)
        self._start(
            "worker", self.address, "--resources", resources, "--nthreads", 1,
            "--host", host or f"127.0.0.{number + 1}",
            "--local-directory", self.folder, nanny, **more,
        )  # fmt: skip
        log = self.folder / f"{number}.log"
        until(lambda: log.read_text().index("Registered to"))

    def _start(self, name, *options, root=ROOT, first="", **more):
        """Start a program of Dask's with the checkout in `root`."""
        paths = [first, root / "scripts", root / "notebooks"]
        more["PYTHONPATH"] = os.pathsep.join(map(str, paths))
        options = [f"distributed.cli.dask_{name}", "--no-dashboard", *options]
        with open(self.folder / f"{len(self.processes)}.log", "w") as log:
            process = subprocess.Popen(
                [sys.executable, "-m", *map(str, options)],
                env=environment(**more), stdout=log, stderr=log,
            )  # fmt: skip
        self.processes.append(process)

    def run(self, folder, *arguments):
        """Run the chapters in a folder; return the ended process."""
        return run(folder, "--scheduler", self.address, *arguments)

    def end(self):
        for process in self.processes:
            process.kill()
            process.wait()


@pytest.fixture(scope="module")
def make(tmp_path_factory):
    """A function that starts a cluster of so many good workers."""
    with contextlib.ExitStack() as stack:

        def make(workers=1):
            cluster = Cluster(tmp_path_factory.mktemp("cluster"), workers)
            stack.callback(cluster.end)
            return cluster

        yield make


@pytest.fixture(scope="module")
def cluster(make):
    """A cluster of one worker."""
    return make()


@pytest.fixture
def page(tmp_path):
    """A folder with one page that does nothing."""
    write_chapter(tmp_path / "notebooks", "a/page.ipynb", "1")
    return tmp_path


def test_pages_come_back_one_at_a_time_and_say_their_machine(
    cluster, tmp_path
):
    folder = tmp_path / "notebooks"
    write_chapter(
        folder, "a/first.ipynb", TIMED, MEASURES.replace("SLUG", "first")
    )
    write_chapter(folder, "b/second.ipynb", TIMED)
    write_chapter(folder, "c/third.ipynb", "1 / 0")
    done = cluster.run(tmp_path)
    assert done.returncode == 1 and done.stderr == ""
    build, name = tmp_path / "build", f"box-{machine.identity()[:6]}"
    record = stamp(tmp_path, "a/first.json")
    assert record["machine"] == record["key"]["machine"] == name
    assert 1 < record["duration_s"] < 60
    measured = results.load(build / "results" / name / "first.json")
    assert measured.machine["slug"] == name
    row = re.search(r"^third +FAILED.*\n(.*)\n(.*)\n(.*)$", done.stdout, re.M)
    assert "cell 3/3: 1 / 0" in row[1] and "ZeroDivisionError" in row[2]
    assert row[3].endswith("build/partial/c/third.ipynb")
    assert [p.name for p in build.glob("partial/*/*")] == ["third.ipynb"]
    (_, end), (begin, _) = sorted(
        [float(moment) for moment in outputs(path).split()]
        for path in build.glob("executed/*/*.ipynb")
    )
    assert begin > end
    again = cluster.run(tmp_path, "first", "second")
    assert again.stdout.count("up to date") == 2, again.stdout
    here = run(tmp_path, "first", "--plan")  # which has another name
    assert "would be " in here.stdout and "machine" in here.stdout
    other = cluster.run(tmp_path, "first", "--plan", "-p", "scale", "2")
    assert other.stdout == "first: would be told: parameters scale\n"


@pytest.fixture
def start(tmp_path):
    """A function that starts a page which waits: (process, kernel's pid)."""
    file = tmp_path / "kernel"
    code = WAIT.format(str(file))
    write_chapter(tmp_path / "notebooks", "a/wait.ipynb", code)

    def start(cluster):
        process = subprocess.Popen(
            command(tmp_path, "--scheduler", cluster.address), cwd=tmp_path,
            env=environment(PYTHONPATH=str(ROOT / "notebooks")), text=True,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        )  # fmt: skip
        return process, until(lambda: int(file.read_text()))

    return start


def test_a_killed_worker_costs_its_page_a_repeat(make, start, tmp_path):
    cluster = make(0)
    cluster.worker(nanny="--nanny")
    write_chapter(tmp_path / "notebooks", "b/after.ipynb", "1")
    process, kernel = start(cluster)
    guard = psutil.Process(kernel).parent()
    guard.parent().kill()  # the worker: a nanny starts another
    out, err = process.communicate(timeout=100)
    assert process.returncode == 0, out + err
    assert gone(kernel)
    pages = tmp_path / "build" / "executed"
    assert outputs(pages / "a/wait.ipynb") == "None\n"
    assert (pages / "b/after.json").exists()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL])
def test_the_end_of_the_client_ends_what_runs_there(cluster, start, number):
    process, kernel = start(cluster)
    process.send_signal(number)
    _, err = process.communicate(timeout=30)
    assert gone(kernel)
    if number == signal.SIGINT:
        assert process.returncode == 130
        assert len(err.splitlines()) == 1 and "wait" in err


def test_the_end_of_the_scheduler_fails_what_is_left(make, start):
    cluster = make()
    process, kernel = start(cluster)
    cluster.processes[0].kill()
    out, err = process.communicate(timeout=60)
    assert process.returncode == 1, out + err
    assert err == "" and "scheduler" in out
    assert gone(kernel)


def test_what_a_worker_makes_up_fails_its_page_and_no_other(make, tmp_path):
    root = project(tmp_path / "other")
    with open(root / "scripts/running/remote.py", "a") as file:
        file.write(LIES)
    folder = tmp_path / "far" / "down" / "book"
    folder.mkdir(parents=True)
    lies = [*re.findall(r'^    "(\w+)": .+,$', LIES, re.M), "other"]
    for name in (*lies, "first"):
        source = MEASURES.replace("SLUG", name)
        write_chapter(folder / "notebooks", f"a/{name}.ipynb", source)
    cluster = make(0)
    cluster.worker(root=root)
    done = cluster.run(folder)
    assert done.returncode == 1 and done.stderr == "", done.stderr
    assert "Traceback" not in done.stdout
    rows = re.findall(r"^(\w+) +FAILED .*\n +\S.+$", done.stdout, re.M)
    assert sorted(rows) == sorted(lies)
    kept = [
        *folder.glob("build/results/*/*"),
        *folder.glob("build/ex*/*/*.js*"),
    ]
    assert {path.stem for path in kept} == {"first"}
    assert not [*tmp_path.rglob("evil*")]


def other_state(folder):
    """Return a worker's options that give it another lab and ledger."""
    root = project(folder / "other")
    for name in ("notebooks/onthefly/measure/clock.py", "book/claims.yml"):
        with open(root / name, "a") as file:
            file.write("# another state\n")
    return {"root": root}


def other_numpy(folder):
    """Return a worker's options that make its NumPy another's."""
    about = folder / "site" / "numpy-2.1.3.dist-info" / "METADATA"
    about.parent.mkdir(parents=True)
    about.write_text("Metadata-Version: 2.1\nName: numpy\nVersion: 2.1.3\n")
    return {"first": about.parents[1]}


def no_commands(folder):
    """Return a worker's options that give it no commands."""
    return {"root": folder}


@pytest.mark.parametrize(
    "options, words",
    [
        (other_state, ["files measure/clock.py", "book claims.yml"]),
        (other_numpy, ["numpy 2.1.3 there"]),
        (no_commands, ["running"]),
    ],
)
def test_a_worker_that_differs_is_named(make, page, options, words):
    cluster = make()
    cluster.worker(**options(page))
    assert_refused(cluster.run(page), "tcp://127.0.0.3", *words)
    assert not (page / "build").exists()


def test_a_page_for_a_gpu_needs_a_worker_that_declares_one(make, tmp_path):
    write_chapter(tmp_path / "notebooks", "devices/numba_cuda.ipynb", "1")
    cluster = make()
    done = cluster.run(tmp_path)
    assert_refused(done, "numba-cuda", "GPU=1", "--device cpu")
    cluster.worker("MACHINE=1,GPU=1", ONTHEFLY_MACHINE="card")
    done = cluster.run(tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "on card-" in done.stdout


def test_workers_that_would_disturb_one_another_are_refused(make, page):
    cluster = make(0)
    cluster.worker("GPU=1", host="127.0.0.9")
    assert_refused(cluster.run(page), "MACHINE", "--resources")
    cluster.worker(host="127.0.0.9")
    cluster.worker(host="127.0.0.9")
    assert_refused(cluster.run(page), "127.0.0.9", "2 workers")


def test_no_scheduler_is_one_line(page):
    address = "tcp://127.0.0.1:1"  # where nothing listens
    assert_refused(run(page, "--scheduler", address), address)
