"""Chapters on the workers of a cluster: a real one, on this machine."""

import json
import os
import re
import signal
import socket
import subprocess
import time

import psutil
import pytest

from conftest import gone
from onthefly import machine, results
from onthefly.provenance import NOTEBOOKS
from onthefly.tools.processes import Program
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
from spreading import facts

TIMED = """
import time
begun = time.time()
time.sleep(1)
print(begun, time.time())
"""
SAVE = """
from onthefly import results, timings
series = timings.Series("a", None, 1e-3, (1e-3, 2e-3), 1, 0.0)
groups = {"g": timings.Timings([series], 2)}
results.save(results.Results("first", preset, timings=groups))
"""
# The first try says which process the kernel is, and waits for its end.
WAIT = """
import os, pathlib, time
told = pathlib.Path({path!r})
again = told.exists()
told.write_text(str(os.getpid()))
time.sleep(0 if again else 60)
print("whole")
"""


class Cluster:
    """A scheduler, and workers that can be killed.

    programs  all of them; logs: {a worker's program: path of what it says}
    """

    def __init__(self, folder):
        self.folder, self.programs, self.logs = folder, [], {}
        file = folder / "scheduler.json"
        self._start(
            "dask_scheduler", "--host", "127.0.0.1", "--port", "0",
            "--no-dashboard", "--scheduler-file", str(file),
        )  # fmt: skip
        self.address = until(lambda: json.loads(file.read_text())["address"])

    def worker(self, *options, root=NOTEBOOKS.parent, **extra):
        """Start a worker in a checkout; return its process, once it is in.

        extra  variables of its environment
        """
        log = self.folder / f"worker-{len(self.programs)}.log"
        program = self._start(
            "dask_worker", self.address, "--no-nanny", "--nthreads", "1",
            "--no-dashboard", "--local-directory", str(self.folder), *options,
            log=log, PYTHONPATH=str(root / "notebooks"), **extra,
        )  # fmt: skip
        self.logs[program] = log
        until(lambda: "Registered to" in log.read_text() or 1 / 0)
        return program

    def _start(self, name, *arguments, log=os.devnull, **extra):
        variables = dict.fromkeys(os.environ) | environment(**extra)
        program = Program(
            f"distributed.cli.{name}", environment=variables, log=str(log)
        )
        self.programs.append(program)
        program.send("main.main", list(arguments), standalone_mode=False)
        return program

    def end(self):
        for program in self.programs:
            program.end()
            program.close()


def until(ask, seconds=30):
    """Return what `ask` returns, once it raises nothing."""
    end = time.monotonic() + seconds
    while True:
        try:
            return ask()
        except (OSError, ValueError, ZeroDivisionError):
            assert time.monotonic() < end
            time.sleep(0.05)


@pytest.fixture(scope="module")
def cluster(tmp_path_factory):
    """A cluster of two workers on one machine."""
    made = Cluster(tmp_path_factory.mktemp("cluster"))
    try:
        made.worker()
        made.worker()
        yield made
    finally:
        made.end()


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
    found = stamp(folder, "10_first.json")
    assert found["machine"] == found["key"]["machine"] == name()
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


@pytest.mark.slow
def test_a_killed_worker_costs_its_page_a_repeat(cluster, tmp_path):
    told = tmp_path / "kernel"
    folder = tmp_path / "notebooks"
    write_chapter(folder, "10_wait.ipynb", WAIT.format(path=str(told)))
    write_chapter(folder, "20_after.ipynb", "1")
    cluster.worker()
    process, kernel = started(tmp_path, told, cluster)
    victim = next(
        program
        for program in cluster.programs
        if program.pid in [p.pid for p in psutil.Process(kernel).parents()]
    )
    os.kill(victim.pid, signal.SIGKILL)
    out, err = process.communicate(timeout=100)
    assert process.returncode == 0, out + err
    assert gone(kernel)
    pages = tmp_path / "build" / "executed"
    assert outputs(pages / "10_wait.ipynb") == "whole\n"
    assert (pages / "20_after.json").exists()
    assert "its worker has ended; try 2 of 3" in out


def started(folder, told, cluster):
    """Start a run, wait for its kernel; return (process, kernel's pid)."""
    process = subprocess.Popen(
        command(folder, "--scheduler", cluster.address), cwd=folder,
        env=environment(PYTHONPATH=str(NOTEBOOKS)), text=True,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip
    return process, until(lambda: int(told.read_text()), 60)


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL])
def test_the_end_of_the_client_ends_what_runs_there(
    cluster, tmp_path, number
):
    told = tmp_path / "kernel"
    code = WAIT.format(path=str(told))
    write_chapter(tmp_path / "notebooks", "10_wait.ipynb", code)
    process, kernel = started(tmp_path, told, cluster)
    process.send_signal(number)
    _, err = process.communicate(timeout=30)
    assert gone(kernel)
    if number == signal.SIGINT:
        assert process.returncode == 130
        assert len(err.splitlines()) == 1 and "wait" in err


@pytest.mark.slow
def test_a_worker_of_another_state_is_named(cluster, tmp_path):
    root = project(tmp_path / "other")
    with open(root / "notebooks/onthefly/clock.py", "a") as file:
        file.write("# another state\n")
    write_chapter(tmp_path / "notebooks", "10_page.ipynb", "1")
    program = cluster.worker("--name", "other", root=root)
    try:
        done = run(tmp_path, "--scheduler", cluster.address)
    finally:
        program.end()
    assert_refused(done, "worker tcp://127.0.0.1:", "differs in lab clock.py")
    assert not (tmp_path / "build").exists()


@pytest.mark.slow
def test_a_page_for_a_gpu_needs_a_worker_that_declares_one(cluster, tmp_path):
    write_chapter(tmp_path / "notebooks", "90_numba_cuda.ipynb", "1")
    asked = "--scheduler", cluster.address
    done = run(tmp_path, *asked)
    assert_refused(done, "numba-cuda", "--resources GPU=1", "--device cpu")
    program = cluster.worker("--resources", "GPU=1")
    try:
        done = run(tmp_path, *asked)
    finally:
        program.end()
    assert done.returncode == 0, done.stdout + done.stderr
    (address,) = re.findall(r"tcp://[\d.:]+", done.stdout)
    assert address in cluster.logs[program].read_text()


@pytest.mark.slow
def test_no_scheduler_is_one_line_within_seconds(tmp_path):
    write_chapter(tmp_path / "notebooks", "10_page.ipynb", "1")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        address = f"tcp://127.0.0.1:{free.getsockname()[1]}"
        begun = time.monotonic()
        done = run(tmp_path, "--scheduler", address)
    assert_refused(done, address, "no Dask scheduler")
    assert time.monotonic() - begun < 20


def test_versions_that_differ_are_said():
    mine = {"lab": {"a.py": "1"}, "versions": {"CPython": "3.11.7 (main)"}}
    same = {"lab": {"a.py": "1"}, "versions": {"CPython": "3.11.7 (other)"}}
    new = {"lab": {"a.py": "2"}, "versions": {"CPython": "3.12.1 (main)"}}
    assert facts.differences(mine, mine) == []
    (build,) = facts.differences(mine, same)
    assert "(main)" in build and "(other)" in build
    files, version = facts.differences(mine, new)
    assert files == "lab a.py"
    assert version == "CPython 3.12.1 there and 3.11.7 here"
