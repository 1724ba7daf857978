"""What tests of several folders share; the book, run and built once."""

import collections
import contextlib
import fcntl
import io
import json
import math
import os
import re
import shutil
import subprocess
import sys
import time
from unittest import mock

import psutil
import pytest
from hypothesis import settings

from commandline import ROOT
from onthefly.measure import records
from onthefly.page import results
from onthefly.questions import answers

# An example's first call imports libraries, and machines differ in speed.
settings.register_profile("book", deadline=None)
settings.register_profile("thousand", deadline=None, max_examples=1000)
settings.load_profile("book")


# The record that `make read` tells, and the preset that it was measured at.
MACHINE = re.search(
    r"^MACHINE \?= (\S+)$", (ROOT / "Makefile").read_text("utf-8"), re.M
)[1]
PRESET = "M"
LOCAL = ("file:", "data:", "blob:")  # addresses that no other host has
BY_NAME = {"calibration", "long"}  # markers of what takes minutes


def left_out(item, config):
    """Tell whether a test takes minutes and is not named.

    Named by its marker in -m or, where there is no -m, by its file or id.
    """
    marks = {mark.name for mark in item.iter_markers()} & BY_NAME
    if chosen := config.option.markexpr:
        return bool(marks) and not any(mark in chosen for mark in marks)
    here = config.invocation_params.dir
    files = {here / name.partition("::")[0] for name in config.args}
    return bool(marks) and item.path not in files


@pytest.hookimpl(tryfirst=True)  # before xdist reads the groups
def pytest_collection_modifyitems(config, items):
    """Leave out what runs by name only, and put the others in order.

    One worker has the tests of a file, and one makes the book: what a file's
    tests load, compile or build is made once then.  The book comes first,
    for it takes longest, then files with slow tests, so that no worker is
    left with one, and what looks at the book in a browser last, by any
    worker that is free.
    """
    out = [item for item in items if left_out(item, config)]
    config.hook.pytest_deselected(items=out)
    items[:] = [item for item in items if not left_out(item, config)]
    slow = {item.path for item in items if item.get_closest_marker("slow")}

    def place(item):
        if not {"executed", "html"} & set(item.fixturenames):
            return "middle"
        return "last" if "browser" in item.fixturenames else "book"

    def order(item):
        where = ("book", "middle", "last").index(place(item))
        return where, item.path not in slow

    items.sort(key=order)
    for item in items:
        if not item.get_closest_marker("xdist_group"):
            first = place(item) == "book"
            group = "book" if first else f"{item.path.stem} {place(item)}"
            item.add_marker(pytest.mark.xdist_group(group))


def script(name, *arguments):
    """Run a script of the project and return the finished process."""
    return subprocess.run(
        [sys.executable, ROOT / "scripts" / name, *arguments],
        cwd=ROOT,
        env={**os.environ, "COLUMNS": "100"},
        capture_output=True,
        text=True,
    )


def call(main, *arguments, environment=None):
    """Call a command's main in this process; return how it ended.

    What commands load takes longer than most of what they do.

    environment  {variable: text}, all of them; by default as they are
    """
    line = list(map(str, arguments))
    given = {} if environment is None else environment
    with (
        mock.patch.dict(os.environ, given, clear=environment is not None),
        contextlib.redirect_stdout(io.StringIO()) as out,
        contextlib.redirect_stderr(io.StringIO()) as error,
    ):
        code = main(line)
    return subprocess.CompletedProcess(
        line, code, out.getvalue(), error.getvalue()
    )


def gone(pid, seconds=15):
    """Tell whether a process ends within so long; a zombie has ended."""
    end = time.monotonic() + seconds
    with contextlib.suppress(psutil.NoSuchProcess):
        process = psutil.Process(pid)
        while process.status() != psutil.STATUS_ZOMBIE:
            if time.monotonic() > end:
                return False
            time.sleep(0.02)
    return True


@pytest.fixture
def gpus(monkeypatch):
    """A function that lets NVML show GPUs, here and in other processes.

    It takes a dict a GPU, as stand_ins/pynvml.py does, and variables of the
    environment.  No library sees any of them.
    """
    from onthefly.measure import machine

    folder = str(ROOT / "tests" / "stand_ins")
    real = sys.modules.get("pynvml")

    def show(*devices, **environment):
        machine.gpus.cache_clear()
        monkeypatch.delenv("CUDA_VISIBLE_DEVICES", raising=False)
        monkeypatch.setenv("GPUS", json.dumps(devices))
        paths = [folder, os.environ.get("PYTHONPATH", "")]
        monkeypatch.setenv("PYTHONPATH", os.pathsep.join(paths))
        monkeypatch.syspath_prepend(folder)
        sys.modules.pop("pynvml", None)
        for name, value in environment.items():
            monkeypatch.setenv(name, value)

    yield show
    machine.gpus.cache_clear()
    sys.modules.pop("pynvml", None)
    if real:
        sys.modules["pynvml"] = real


@pytest.fixture(autouse=True, scope="session")
def no_settings():
    """What libraries have set in this process is no choice of a user's."""
    from onthefly.page import dependencies

    with mock.patch.object(dependencies, "settings", dict):
        yield


@pytest.fixture(scope="session")
def build():
    """The folder of the pages: the book's own, or one beside it.

    A book that tells this machine's measurements stays as it is; the
    record is told into a folder of the tests then.
    """
    plan = script("run.py", "--data", MACHINE, "--plan").stdout.splitlines()
    fresh = plan and all(line.endswith(": up to date") for line in plan)
    return ROOT / "_build" / ("" if fresh else "test")


def once(build, run, name, *arguments):
    """Run a script on the book's folder, in the first worker that asks.

    run  the id of this run of the tests; its other workers wait
    """
    build.mkdir(parents=True, exist_ok=True)
    with open(build / ".tests", "a+") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        file.seek(0)
        if (line := f"{run} {name}\n") in file.readlines():
            return
        done = script(name, "--build", build, *arguments)
        assert done.returncode == 0, done.stdout + done.stderr
        file.write(line)


@pytest.fixture(scope="session")
def executed(build, testrun_uid):
    """The folder of the pages, told from the record; runs what is stale."""
    once(build, testrun_uid, "run.py", "--data", MACHINE, "--jobs", "2")
    return build / "executed"


@pytest.fixture(scope="session")
def html(build, executed, testrun_uid):
    """The folder of the built book."""
    once(build, testrun_uid, "build_book.py")
    return build / "html"


@pytest.fixture(scope="module")
def browser():
    """One headless Chromium, Debian's, for all tests of a file."""
    from playwright.sync_api import sync_playwright

    path = shutil.which("chromium") or shutil.which("chromium-browser")
    if path is None:
        say = pytest.fail if os.environ.get("CI") else pytest.skip
        say("needs a browser: install Debian's package chromium")
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(
            executable_path=path, args=["--no-sandbox", "--disable-gpu"]
        )
        yield chromium
        chromium.close()


def listen(page):
    """Return {what: [each]} of what a page does wrong from now on."""
    heard = collections.defaultdict(list)

    def asked(request):
        if not request.url.startswith(LOCAL):
            heard["asks another host"].append(request.url)

    def said(message):
        if message.type == "error":
            heard["errors"].append(message.text)

    page.on("request", asked)
    page.on("requestfailed", lambda r: heard["not there"].append(r.url))
    page.on("pageerror", lambda error: heard["errors"].append(str(error)))
    page.on("console", said)
    return heard


@pytest.fixture(scope="session")
def sim():
    """A simulator of CUDA for all tests."""
    from onthefly.experiments.gpu.simulator import Simulator

    with Simulator() as process:
        yield process


@pytest.fixture(scope="module")
def loops():
    """Timings of two real candidates."""
    from onthefly.measure import clock

    return clock.measure(
        {"sum": lambda n: sum(range(n)), "len": lambda n: len(range(n))},
        sizes=[100, 1000],
        budget=0.5,
    )


@pytest.fixture
def measured():
    """Results with one of everything."""
    from onthefly.measure.quantity import Quantity

    return results.Results(
        "what-a-shot-buys",
        "S",
        quantities={
            "pi-error-power-law": Quantity(-0.5, -math.inf, 0.1, "", "note")
        },
        reasons={"pi-error-power-law": "because"},
        tables={"rows": [{"a": 1}]},
    )


@pytest.fixture
def shown(tmp_path, monkeypatch):
    """The HTML texts that chapters show."""
    from onthefly.page import chapter  # which loads much, as some others do

    shown = []

    def keep(*things, **_):
        shown.extend(getattr(t, "data", t) for t in things)

    monkeypatch.setattr(chapter, "display", keep)
    monkeypatch.setenv("ONTHEFLY_BUILD", str(tmp_path))
    return shown


@pytest.fixture
def archive(tmp_path, monkeypatch):
    """Empty folders in the place of what was recorded."""
    monkeypatch.setattr(results, "RECORDED", tmp_path / "results")
    monkeypatch.setattr(answers, "CONCLUDED", tmp_path / "results")
    monkeypatch.setattr(records, "RECORDED", tmp_path / "data")
    monkeypatch.setenv("ONTHEFLY_BUILD", str(tmp_path / "build"))
    return tmp_path
