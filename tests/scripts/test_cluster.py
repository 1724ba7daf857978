"""Chapters on the workers of a cluster: real ones, on this machine."""

import json
import os
import re
import signal
import socket
import subprocess
import sys
import time

import psutil
import pytest

from conftest import gone
from onthefly import machine, results
from onthefly.provenance import NOTEBOOKS
from small_books import (
    assert_refused,
    command,
    environment,
    outputs,
    project,
    run,
    stamp,
    write_chapter,
)

TIMED = """
import time
begun = time.time()
time.sleep(1)
print(begun, time.time())
"""
SAVE = """
from onthefly import results, samples, timings
series = samples.Series("a", None, 1e-3, (1e-3, 2e-3), 1, 0.0)
groups = {"g": timings.Timings([series], 2)}
results.save(results.Results("first", preset, timings=groups))
"""
# The first try says which process the kernel is, and waits for its end.
WAIT = """
import os, pathlib, time
path = pathlib.Path({path!r})
again = path.exists()
path.write_text(str(os.getpid()))
time.sleep(0 if again else 60)
print("whole")
"""
# Appended to a worker's program: what it returns of a page, by its name.
LIES = """

honest = run
NOTEBOOK = '{"cells": [], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}'


def lie_of(name):
    lie = {
        "machine": "box", "seconds": 1.5, "failure": None, "results": "",
        "notebook": NOTEBOOK, "log": "",
    }
    lies = {
        "none": None,
        "list": [lie],
        "bare": {"machine": "box"},
        "text": lie | {"seconds": "1"},
        "nan": lie | {"seconds": float("nan")},
        "host": lie | {"machine": "../../evil"},
        "more": lie | {"figures": {"../../evil.svg": "<svg/>"}},
        "why": lie | {"failure": {"number": "1", "line": [], "reason": 7}},
        "noise": lie | {"notebook": "no JSON"},
        "cells": lie | {"notebook": NOTEBOOK.replace("cells", "sells")},
        "kind": lie | {"notebook": NOTEBOOK.replace("[]", "[7]")},
        "half": lie | {"notebook": "\\ud800"},
        "data": lie | {"results": "{}"},
    }
    return lies[name]


def run(page):
    name = page["name"][3:-6]
    if name not in ("first", "other"):
        return lie_of(name)
    answer = honest(page)
    if name == "other":
        own, wrong = '"chapter": "other"', '"chapter": "x"'
        answer["results"] = answer["results"].replace(own, wrong)
    return answer
"""


def until(ask, seconds=30):
    """Return what `ask` returns, once it raises nothing."""
    end = time.monotonic() + seconds
    while True:
        try:
            return ask()
        except (OSError, ValueError, ZeroDivisionError):
            assert time.monotonic() < end
            time.sleep(0.05)


class Cluster:
    """A scheduler, and workers each on an address of its own."""

    def __init__(self, folder):
        self.folder, self.processes = folder, []
        file = folder / "scheduler.json"
        self.scheduler = self._start(
            "dask_scheduler", "--host", "127.0.0.1", "--port", "0",
            "--no-dashboard", "--scheduler-file", file,
        )  # fmt: skip
        self.address = until(lambda: json.loads(file.read_text())["address"])

    def worker(
        self, resources="MACHINE=1", root=NOTEBOOKS.parent, host=None, **extra
    ):
        """Start a worker in a checkout; return its process, once it is in.

        extra  variables of its environment
        """
        number = len(self.processes)
        log = self.folder / f"worker-{number}.log"
        process = self._start(
            "dask_worker", self.address, "--no-nanny", "--nthreads", "1",
            "--no-dashboard", "--local-directory", self.folder,
            "--host", host or f"127.0.0.{number + 1}",
            "--resources", resources, log=log,
            PYTHONPATH=os.pathsep.join(
                filter(None, [extra.pop("first", ""), f"{root}/notebooks"])
            ), **extra,
        )  # fmt: skip
        until(lambda: "Registered to" in log.read_text() or 1 / 0)
        return process

    def _start(self, name, *arguments, log=os.devnull, **extra):
        with open(log, "w") as file:
            process = subprocess.Popen(
                [sys.executable, "-m", f"distributed.cli.{name}",
                 *map(str, arguments)],
                env=environment(**extra), stdout=file, stderr=file,
            )  # fmt: skip
        self.processes.append(process)
        return process

    def end(self):
        for process in self.processes:
            process.kill()
            process.wait()


@pytest.fixture(scope="module")
def make(tmp_path_factory):
    """A function that starts a cluster of so many good workers."""
    made = []

    def make(workers=1):
        cluster = Cluster(tmp_path_factory.mktemp("cluster"))
        made.append(cluster)
        for _ in range(workers):
            cluster.worker()
        return cluster

    yield make
    for cluster in made:
        cluster.end()


@pytest.fixture(scope="module")
def cluster(make):
    """A cluster of one worker."""
    return make()


@pytest.fixture(scope="module")
def spread(cluster, tmp_path_factory):
    """Run two pages, and one that fails; return (folder, process)."""
    folder = tmp_path_factory.mktemp("spread")
    write_chapter(folder / "notebooks", "10_first.ipynb", TIMED, SAVE)
    write_chapter(folder / "notebooks", "20_second.ipynb", TIMED)
    write_chapter(folder / "notebooks", "30_third.ipynb", "1 / 0")
    return folder, run(folder, "--scheduler", cluster.address)


def name():
    """Return what this machine is called on a cluster, in these tests."""
    return f"box-{machine.identity()[:6]}"


@pytest.mark.slow
def test_pages_come_back_whole_and_say_their_machine(spread):
    folder, done = spread
    assert done.returncode == 1 and done.stderr == ""
    build = folder / "build"
    record = stamp(folder, "10_first.json")
    assert record["machine"] == record["key"]["machine"] == name()
    assert 1 < record["duration_s"] < 60
    measured = results.load(build / "results" / name() / "first.json")
    assert measured.machine["slug"] == name()
    assert measured.machine["id"] == machine.identity()
    row = re.search(r"^third +FAILED.*\n(.*)\n(.*)\n(.*)$", done.stdout, re.M)
    assert "cell 3/3: 1 / 0" in row[1] and "ZeroDivisionError" in row[2]
    assert row[3].endswith("build/partial/30_third.ipynb")
    assert not (build / "partial" / "10_first.ipynb").exists()


@pytest.mark.slow
def test_a_machine_runs_one_page_at_a_time(spread):
    folder, _ = spread
    paths = (folder / "build" / "executed").glob("*.ipynb")
    (_, end), (begin, _) = sorted(
        [float(moment) for moment in outputs(path).split()] for path in paths
    )
    assert begin > end


@pytest.mark.slow
def test_what_is_up_to_date_stays_so(spread, cluster):
    folder, _ = spread
    asked = "--scheduler", cluster.address
    done = run(folder, "first", "second", *asked)
    assert done.returncode == 0
    assert done.stdout.count("up to date") == 2, done.stdout
    here = run(folder, "first", "--plan")  # which has another name
    assert "would run: " in here.stdout and "machine" in here.stdout
    other = run(folder, "first", "--plan", *asked, "-p", "scale", "2")
    assert other.stdout == "first: would run: parameters scale\n"


def start(folder, file, cluster):
    """Start a run, wait for its kernel; return (process, kernel's pid)."""
    process = subprocess.Popen(
        command(folder, "--scheduler", cluster.address), cwd=folder,
        env=environment(PYTHONPATH=str(NOTEBOOKS)), text=True,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip
    return process, until(lambda: int(file.read_text()), 60)


@pytest.mark.slow
def test_a_killed_worker_costs_its_page_a_repeat(make, tmp_path):
    cluster, file = make(2), tmp_path / "kernel"
    folder = tmp_path / "notebooks"
    write_chapter(folder, "10_wait.ipynb", WAIT.format(path=str(file)))
    write_chapter(folder, "20_after.ipynb", "1")
    process, kernel = start(tmp_path, file, cluster)
    parents = {p.pid for p in psutil.Process(kernel).parents()}
    (victim,) = (p for p in cluster.processes if p.pid in parents)
    victim.kill()
    out, err = process.communicate(timeout=100)
    assert process.returncode == 0, out + err
    assert gone(kernel)
    pages = tmp_path / "build" / "executed"
    assert outputs(pages / "10_wait.ipynb") == "whole\n"
    assert (pages / "20_after.json").exists()


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL])
def test_the_end_of_the_client_ends_what_runs_there(
    cluster, tmp_path, number
):
    file = tmp_path / "kernel"
    code = WAIT.format(path=str(file))
    write_chapter(tmp_path / "notebooks", "10_wait.ipynb", code)
    process, kernel = start(tmp_path, file, cluster)
    process.send_signal(number)
    _, err = process.communicate(timeout=30)
    assert gone(kernel)
    if number == signal.SIGINT:
        assert process.returncode == 130
        assert len(err.splitlines()) == 1 and "wait" in err


@pytest.mark.slow
def test_the_end_of_the_scheduler_fails_what_is_left(make, tmp_path):
    cluster, file = make(), tmp_path / "kernel"
    code = WAIT.format(path=str(file))
    write_chapter(tmp_path / "notebooks", "10_wait.ipynb", code)
    process, kernel = start(tmp_path, file, cluster)
    cluster.scheduler.kill()
    out, err = process.communicate(timeout=60)
    assert process.returncode == 1, out + err
    assert err == "" and "has gone" in out
    assert gone(kernel)


@pytest.mark.slow
def test_what_a_worker_makes_up_fails_its_page_and_no_other(make, tmp_path):
    root = project(tmp_path / "other")
    with open(root / "scripts/running/remote.py", "a") as file:
        file.write(LIES)
    folder = tmp_path / "far" / "down" / "book"
    folder.mkdir(parents=True)
    lies = [*re.findall(r'^        "(\w+)": ', LIES, re.M)[2:], "other"]
    for name_ in (*lies, "first"):
        source = SAVE.replace("first", name_)
        write_chapter(folder / "notebooks", f"10_{name_}.ipynb", source)
    cluster = make(0)
    cluster.worker(root=root)
    done = run(folder, "--scheduler", cluster.address)
    assert done.returncode == 1 and done.stderr == "", done.stderr
    assert "Traceback" not in done.stdout
    rows = dict(re.findall(r"^(\w+) +FAILED .*\n +(.+)$", done.stdout, re.M))
    assert sorted(rows) == sorted(lies)
    assert all(
        re.search("^(what it returned|its )", r) for r in rows.values()
    )
    assert {p.stem for p in tmp_path.rglob("*.json")
            if "build" in p.parts} == {"first", "10_first"}  # fmt: skip
    assert not [*tmp_path.rglob("evil*")]


@pytest.mark.slow
def test_a_worker_of_another_state_is_named(make, tmp_path):
    root = project(tmp_path / "other")
    for name_ in ("notebooks/onthefly/clock.py", "book/claims.yml"):
        with open(root / name_, "a") as file:
            file.write("# another state\n")
    write_chapter(tmp_path / "notebooks", "10_page.ipynb", "1")
    cluster = make()
    cluster.worker(root=root)
    done = run(tmp_path, "--scheduler", cluster.address)
    assert_refused(done, "tcp://127.0.0.", "lab clock.py", "book claims.yml")
    assert not (tmp_path / "build").exists()


@pytest.mark.slow
def test_a_worker_with_another_numpy_is_named(make, tmp_path):
    about = tmp_path / "site" / "numpy-2.1.3.dist-info" / "METADATA"
    about.parent.mkdir(parents=True)
    about.write_text("Metadata-Version: 2.1\nName: numpy\nVersion: 2.1.3\n")
    write_chapter(tmp_path / "notebooks", "10_page.ipynb", "1")
    cluster = make()
    cluster.worker(first=str(about.parents[1]))
    done = run(tmp_path, "--scheduler", cluster.address)
    assert_refused(done, "tcp://127.0.0.", "numpy 2.1.3 there")
    assert not (tmp_path / "build").exists()


@pytest.mark.slow
def test_a_page_for_a_gpu_needs_a_worker_that_declares_one(make, tmp_path):
    write_chapter(tmp_path / "notebooks", "90_numba_cuda.ipynb", "1")
    cluster = make()
    asked = "--scheduler", cluster.address
    done = run(tmp_path, *asked)
    assert_refused(done, "numba-cuda", "GPU=1", "--device cpu")
    cluster.worker("MACHINE=1,GPU=1", ONTHEFLY_MACHINE="card")
    done = run(tmp_path, *asked)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "on card-" in done.stdout


@pytest.mark.slow
def test_workers_that_would_disturb_one_another_are_refused(make, tmp_path):
    write_chapter(tmp_path / "notebooks", "10_page.ipynb", "1")
    cluster = make(0)
    cluster.worker("GPU=1", host="127.0.0.9")
    asked = "--scheduler", cluster.address
    assert_refused(run(tmp_path, *asked), "MACHINE", "--resources")
    cluster.worker(host="127.0.0.9")
    cluster.worker(host="127.0.0.9")
    assert_refused(run(tmp_path, *asked), "127.0.0.9", "2 workers")


@pytest.mark.slow
def test_no_scheduler_is_one_line_within_seconds(tmp_path):
    write_chapter(tmp_path / "notebooks", "10_page.ipynb", "1")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        address = f"tcp://127.0.0.1:{free.getsockname()[1]}"
        begun = time.monotonic()
        done = run(tmp_path, "--scheduler", address)
    assert_refused(done, address, "no Dask scheduler")
    assert time.monotonic() - begun < 60
