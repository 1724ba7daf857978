"""The command for a machine with a GPU, on small books and without a GPU."""

import contextlib
import json
import os
import shutil
import subprocess
import sys
import types
import zipfile
from unittest import mock

import pytest

import gpu_box
from conftest import ROOT, call
from onthefly.environment import devices, ready
from onthefly.errors import UserError
from onthefly.measure import data, machine
from onthefly.page import results
from onthefly.page.checkout import pages
from recording import parcel
from running import engine, forecast, on_device, request
from small_books import assert_refused, environment, project, write_chapter

# A page: what it takes by CuPy is measured where the test says so, for no
# library sees a GPU; what it takes by JAX is not.
PAGE = """
import os
from onthefly.measure.samples import Samples, Series
from onthefly.page import Chapter, results

book = Chapter("SLUG", preset, device, seed, data)
here = book.on_gpu("LIBRARY") or "ONTHEFLY_TEST_SEES" in os.environ
take = lambda: Samples([Series("a", None, 1e-3, (1e-3,) * 8)])
book.collect("copies", take, here=here)
book.collect("adds", take, here=book.on_gpu("jax"))
CHECK
book.close()
book.results.finished = True
results.save(book.results)
"""
FAILS = "assert 'ONTHEFLY_TEST_MENDED' in os.environ, 'a wrong sum'"
SECONDS = {"good": 5, "broken": 6, "endless": 5000}


def write(folder, slug, library="cupy", check=""):
    """Write a page that measures on a GPU."""
    source = PAGE.replace("SLUG", slug).replace("LIBRARY", library)
    write_chapter(
        folder / "notebooks",
        f"a/{slug}.ipynb",
        source.replace("CHECK", check),
    )


def small(folder):
    """Write a book of five pages, one of them without a GPU."""
    write(folder, "good")
    write(folder, "broken", check=FAILS)
    write(folder, "endless")
    write(folder, "by_jax", "jax")
    write_chapter(folder / "notebooks", "b/plain.ipynb", "1")
    return folder


@contextlib.contextmanager
def gpu(folder, works=("cupy",)):
    """Let there be a GPU on which these trials go well."""

    def trial(name):
        return ("OK", "") if name in works else ("missing", "not here")

    durations = folder / "durations.json"
    kept = {"machine": "epyc", "seconds": {"S": SECONDS}}
    durations.write_text(json.dumps(kept))
    with (
        mock.patch.object(devices, "check", lambda: (["A GPU"], [])),
        mock.patch.object(ready, "try_alone", trial),
        mock.patch.object(forecast, "RECORDED", durations),
    ):
        yield


def box(folder, *arguments, **extra):
    """Run the command on the small book; return how it ended."""
    given = {"ONTHEFLY_TEST_SEES": "1", "CUDA_VISIBLE_DEVICES": ""} | extra
    line = [
        *arguments, "--preset", "S", "--notebooks", folder / "notebooks",
        "--build", folder / "build", "--book", folder / "book",
    ]  # fmt: skip
    with contextlib.chdir(folder):
        return call(gpu_box.main, *line, environment=environment(**given))


def said(done, slug):
    """Return the last line of a page, without its name."""
    lines = [x for x in done.stdout.splitlines() if x.startswith(f"{slug} ")]
    return lines[-1].removeprefix(slug).strip()


# A lease of a GPU: two calls of the same command


@pytest.fixture(scope="module")
def lease(tmp_path_factory):
    """Run the command twice; return (folder, first process, second)."""
    folder = small(tmp_path_factory.mktemp("lease"))
    line = "--minutes", "5", "--to", folder / "out"
    with gpu(folder):
        first = box(folder, *line)
        zipfile.ZipFile(folder / "out/box.zip").extractall(folder / "first")
        second = box(folder, *line, ONTHEFLY_TEST_MENDED="1")
    return folder, first, second


@pytest.mark.slow
def test_what_runs_is_recorded_and_what_does_not_is_named(lease):
    folder, first, _ = lease
    assert first.returncode == 1, first.stdout + first.stderr
    assert "A GPU\n" in first.stdout
    assert said(first, "good").endswith(", recorded")
    assert "lacks 'adds' (no GPU for JAX)" in first.stdout
    assert "lacks 'copies'" not in first.stdout
    assert said(first, "broken").startswith("FAILED: AssertionError: a wrong")
    assert "broken.ipynb" in first.stdout  # what it leaves
    assert said(first, "endless").startswith("not run: needs about 84.9")
    assert "min left" in said(first, "endless")
    assert said(first, "by-jax") == "not run: no GPU for JAX"
    assert "plain" not in first.stdout
    assert "gpu_box.py --minutes 5 --to" in first.stdout.splitlines()[-1]
    assert first.stdout.splitlines()[-1].endswith("with broken, endless")
    kept = data.load(folder / "book/data/box/good.json")
    assert kept.machine["slug"] == "box" and set(kept.groups) == {"copies"}
    assert results.load(folder / "book/results/box/good.json").finished


@pytest.mark.slow
def test_a_second_call_goes_on_with_the_rest(lease):
    folder, first, second = lease
    assert said(second, "good") == "up to date, recorded"
    assert said(second, "broken").endswith(", recorded")
    assert said(second, "endless").startswith("not run: needs about 84.9")
    assert second.stdout.splitlines()[-1].endswith("goes on with endless")
    assert "good: cell" in first.stdout and "broken: cell" in second.stdout
    assert "good: cell" not in second.stdout
    recorded = {path.stem for path in folder.glob("book/data/box/*")}
    assert recorded == {"good", "broken"}


@pytest.mark.slow
def test_what_is_packed_is_recorded_elsewhere(lease, tmp_path):
    folder, *_ = lease
    packed = {p.name for p in (folder / "first").rglob("*") if p.is_file()}
    assert packed - {"broken.log"} == {"good.json", "broken.ipynb"}
    there = "--book", tmp_path, "--take", folder / "out/box.zip"
    done = call(gpu_box.main, *there)
    assert done.returncode == 0, done.stderr
    for kind in ("data", "results"):
        names = {"good.json", "broken.json"}
        assert {p.name for p in (tmp_path / kind / "box").iterdir()} == names
        for name in names:
            place = f"{kind}/box/{name}"
            written = (tmp_path / place).read_text()
            assert written == (folder / "book" / place).read_text()
    again = call(gpu_box.main, *there)
    assert again.stdout.count(": unchanged") == 4


@pytest.mark.slow
def test_a_page_longer_than_all_the_time_is_begun_where_it_is_first(lease):
    folder, *_ = lease
    with gpu(folder):
        done = box(folder, "endless", "--minutes", "1")
    assert done.returncode == 0, done.stdout + done.stderr
    assert said(done, "endless").endswith(", recorded")


@pytest.mark.slow
def test_an_interrupt_loses_only_the_page_that_runs(tmp_path):
    write(tmp_path, "good")
    write(tmp_path, "broken")
    real = engine.run

    def run(job, row):
        if job.name == "broken":
            raise KeyboardInterrupt
        return real(job, row)

    with gpu(tmp_path), mock.patch.object(engine, "run", run):
        done = box(tmp_path, "--minutes", "5", "--to", tmp_path / "out")
    assert done.returncode == 130
    assert "interrupted in broken; what is measured is kept" in done.stderr
    (page,) = tmp_path.glob("book/data/box/*")
    names = zipfile.ZipFile(tmp_path / "out/box.zip").namelist()
    assert page.name == "good.json" and f"data/box/{page.name}" in names


@pytest.mark.slow
def test_a_library_that_sees_the_gpu_by_now_has_its_page_run_again(lease):
    folder, *_ = lease
    with gpu(folder, ("cupy", "jax-cuda")):
        done = box(folder, "good", "--minutes", "5")
    assert said(done, "good").startswith("run in ")


# Without a GPU


def test_without_a_gpu_it_is_one_line(tmp_path):
    write(tmp_path, "good")
    done = box(tmp_path)
    assert_refused(done, "no GPU here: ", "--rehearse")
    assert done.stdout == "" and not (tmp_path / "book").exists()


def test_a_gpu_that_no_library_uses_is_one_line(tmp_path):
    write(tmp_path, "good")
    with gpu(tmp_path, works=()):
        done = box(tmp_path)
    assert_refused(done, "no library uses the GPU; repair: ")
    assert not (tmp_path / "book").exists()


def test_a_trial_that_went_well_is_not_repeated(tmp_path):
    write(tmp_path, "by_jax", "jax")
    tried = []
    with gpu(tmp_path):
        trial = ready.try_alone
        for _ in range(2):
            with mock.patch.object(
                ready, "try_alone", lambda n: tried.append(n) or trial(n)
            ):
                assert box(tmp_path).returncode == 0
    assert tried.count("cupy") == 1 and tried.count("jax-cuda") == 2


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--minutes", "0"], ["--minutes 0: give more than 0"]),
        (["--minutes", "nan"], ["--minutes nan"]),
        (["--minutes", "soon"], ["--minutes", "'soon'"]),
        (["--name", "H200"], ["--name 'H200'", "small letters"]),
        (["god"], ["unknown chapter 'god'", "did you mean good?"]),
        (["--rehearse", "--to", "x"], ["--rehearse: not with", "nothing"]),
        (["--rehearse", "--name", "x"], ["--rehearse: not with", "nothing"]),
        (["--take", "no.zip"], ["no.zip: No such file"]),
    ],
)
def test_a_bad_request_is_one_line(tmp_path, arguments, words):
    write(tmp_path, "good")
    assert_refused(box(tmp_path, *arguments), *words)
    assert not (tmp_path / "build").exists()


def test_a_simulator_measures_nothing(tmp_path):
    write(tmp_path, "good")
    with gpu(tmp_path):
        done = box(tmp_path, NUMBA_ENABLE_CUDASIM="1")
    assert_refused(done, "NUMBA_ENABLE_CUDASIM is set", "repair: ")


def test_another_machine_of_the_kind_keeps_its_name(tmp_path):
    write(tmp_path, "good")
    for name in ("box", "h200"):
        own = data.Data("good", "S")
        own.machine |= {"slug": name, "id": "abc"}
        data.save(own, tmp_path / "book" / "data" / name / "good.json")
    done = box(tmp_path, "--name", "h200")
    assert_refused(done, "--name h200: another machine", "repair: ")
    with mock.patch.dict(os.environ, ONTHEFLY_MACHINE="box"):
        asked = gpu_box.parse(["--book", str(tmp_path / "book")])
        assert gpu_box.name_of(asked) == machine.unique_slug() != "box"


def test_a_python_without_the_books_libraries_is_one_line(tmp_path):
    done = subprocess.run(
        [sys.executable, "-S", ROOT / "scripts" / "gpu_box.py"],
        env=environment(PYTHONPATH=str(ROOT / "notebooks")),
        cwd=tmp_path, capture_output=True, text=True,
    )  # fmt: skip
    assert_refused(done, "has no numpy", "papermill", "repair: book/gpu_box")


def apart():
    """Return the command that lets another run without a network."""
    line = ["unshare", "--map-root-user", "--net"]
    works = (
        shutil.which(line[0])
        and not subprocess.run(
            [*line, "true"], capture_output=True
        ).returncode
    )
    return line if works else []


@pytest.mark.slow
def test_a_rehearsal_needs_neither_git_nor_network(tmp_path):
    copy = project(tmp_path / "copy")
    write(copy, "good")
    assert not (copy / ".git").exists()
    before = {p for p in copy.rglob("book/*/*/*.json")}
    done = subprocess.run(
        [*apart(), sys.executable, copy / "scripts/gpu_box.py", "--rehearse"],
        env=environment(PYTHONPATH=str(copy / "notebooks")),
        cwd=tmp_path, capture_output=True, text=True, timeout=100,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    assert said(done, "good").startswith("run in ")
    assert "lacks 'copies' (no GPU for CuPy)" in done.stdout
    assert "nothing was measured on a GPU, nothing recorded" in done.stdout
    assert (copy / "_build/rehearsal/executed/a/good.ipynb").exists()
    assert {p for p in copy.rglob("book/*/*/*.json")} == before


# Which pages, and how long


CELLS = """
import random
here = book.on_gpu("cupy")
size = 10
where = "cuda" if here else "cpu"
def copied():
    return where
%matplotlib inline
book.collect("host", lambda: size)
book.collect("direct", take, here=book.on_gpu("torch"))
book.collect("by names", take, here=here)
book.collect("by a function", copied)
book.cached("versions", take, here=here, anywhere=True)
asked = book.on_gpu
book.measure("unnamed", {"a": asked})
"""


def test_a_measurement_on_a_gpu_is_told_from_the_cells():
    cells = [
        {"cell_type": "code", "source": line + "\n"}
        for line in CELLS.replace("\n    ", "\r    ").split("\n")
    ]
    for cell in cells:
        cell["source"] = cell["source"].replace("\r", "\n")
    assert on_device.measurements(cells) == {
        "direct": {"torch"},
        "by names": {"cupy"},
        "by a function": {"cupy"},
        "unnamed": set(),
    }


@pytest.mark.parametrize(
    ("reasons", "done"),
    [([], True), (["recorded good"], True), (["recorded a", "cells"], False),
     (["never run"], False)],
)  # fmt: skip
def test_a_record_alone_runs_no_page_again(reasons, done):
    """The record that a page has just got is one."""
    job = types.SimpleNamespace(
        reasons=reasons, chapter=types.SimpleNamespace(cells=[]), data="none"
    )
    assert on_device.is_done(job, {"cupy"}) is done


def test_the_pages_about_devices_measure_on_a_gpu():
    asking = {
        path
        for path in pages()
        if on_device.measurements(request.read(path).cells)
    }
    every = set(pages())
    assert {p for p in every if p.parent.name == "devices"} <= asking
    assert {p for p in every if p.parent.name == "threads"} & asking == set()


# What is carried


@pytest.mark.parametrize(
    ("members", "words"),
    [
        (None, "damaged, or no archive"),
        ([], "holds the record of 0 machines"),
        (["data/a/x.json", "data/b/x.json"], "the record of 2 machines"),
        (["../data/a/x.json", "/data/a/x.json"], "record of 0 machines"),
    ],
)
def test_an_archive_of_another_form_is_refused(tmp_path, members, words):
    path = tmp_path / "h200.zip"
    path.write_text("x")
    if members is not None:
        with zipfile.ZipFile(path, "w") as archive:
            for member in members:
                archive.writestr(member, "{}")
    with pytest.raises(UserError, match=words):
        parcel.unpack(path, tmp_path / "in")
    assert not (tmp_path / "data").exists()
