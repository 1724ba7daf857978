"""The store of runs: nothing is lost, replaced or deleted in it."""

import errno
import json
import os
import random
import re
import signal
import subprocess
import sys
import time

import pytest
from fsspec.implementations.local import LocalFileSystem

import history
import kept
import run as run_script
from conftest import ROOT, call
from keeping import commits, place
from keeping.keeper import keeper
from keeping.store import MARK, Store, path_of
from onthefly.provenance import LAB
from onthefly.refused import Refused
from small_books import command, environment, write_chapter

SAVE = """
import sys
sys.path.insert(0, {tests!r})
import pathlib, kept
from onthefly import results
path = kept.run(pathlib.Path("{folder}"), page="good")
results.save(results.load(path))
"""


@pytest.fixture
def store(tmp_path):
    """An empty store."""
    return Store(str(tmp_path / "store"), create=True)


def files(folder):
    """Return {path: bytes} of all files in a folder."""
    return {p: p.read_bytes() for p in folder.rglob("*") if p.is_file()}


def add(*arguments):
    """Run history.py add in this process."""
    return call(history.main, "add", *arguments)


def writer(paths, url):
    """Start a process that adds what is in a folder."""
    return subprocess.Popen(
        [sys.executable, ROOT / "scripts" / "history.py", "add", paths,
         "--store", url, "--commit", "HEAD"],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip


def test_a_run_is_kept_as_it_is_and_listed_without_reading_it(
    store, tmp_path
):
    path = kept.run(tmp_path, ratio=3, day=2, machine="mill", preset="M")
    assert store.put(path, "c0ffee")
    ((entry,), faults) = store.entries()
    assert not faults
    assert (entry.page, entry.machine, entry.preset) == (
        kept.PAGE, "mill", "M",
    )  # fmt: skip
    assert entry.time == "2026-03-03T12:00:00+00:00"
    assert entry.commit == "c0ffee"
    assert entry.lab
    (ratio,) = entry.ratios
    assert ratio.of == ("times", "ways", "slow", "fast")
    assert (ratio.size, ratio.value) == (100, pytest.approx(3))
    assert store.read(entry) == path.read_bytes()


def test_the_ratio_of_a_claim_comes_before_that_of_the_ways(store, tmp_path):
    store.put(kept.run(tmp_path, ratio=3, claim=True))
    ((entry,), _) = store.entries()
    assert [r.of for r in entry.ratios] == [
        ("claim", kept.CLAIM),
        ("times", "ways", "slow", "fast"),
    ]
    assert entry.ratios[0].quantity.value == pytest.approx(9)


def test_the_same_content_is_kept_once_and_nothing_is_replaced(
    store, tmp_path
):
    path = kept.run(tmp_path)
    assert store.put(path, "first")
    before = files(tmp_path / "store")
    assert not store.put(path, "second")
    assert files(tmp_path / "store") == before
    ((entry,), _) = store.entries()
    assert entry.commit == "first"


@pytest.mark.parametrize("url", ["foo://there/x", "", "  "])
def test_a_place_that_nobody_knows_is_one_line(url, tmp_path):
    done = add(kept.run(tmp_path), "--store", url)
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert url.strip() in done.stderr


def test_a_package_that_is_missing_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "s3fs", None)
    with pytest.raises(Refused, match="s3fs") as refused:
        Store("s3://bucket/runs", create=True)
    assert "\n" not in str(refused.value)


def test_a_folder_that_holds_something_else_is_refused(tmp_path):
    (tmp_path / "mine.txt").write_text("mine")
    with pytest.raises(Refused, match=r"mine\.txt"):
        Store(str(tmp_path), create=True)
    assert len(files(tmp_path)) == 1


def test_a_store_of_another_version_is_refused(store, tmp_path):
    mark = tmp_path / "store" / MARK
    mark.chmod(0o644)
    mark.write_text(mark.read_text().replace("1", "2"))
    for create in (True, False):
        with pytest.raises(Refused, match=MARK):
            Store(str(tmp_path / "store"), create=create)


def test_who_reads_begins_no_store(tmp_path):
    with pytest.raises(Refused, match="no store"):
        Store(str(tmp_path / "none"))
    assert not (tmp_path / "none").exists()


def test_a_damaged_object_is_named_and_stays(store, tmp_path):
    bad, good = (kept.run(tmp_path, day=k) for k in (0, 1))
    store.put(bad)
    store.put(good)
    entries, _ = store.entries()
    path = tmp_path / "store" / path_of(entries[0].digest)
    path.chmod(0o644)
    path.write_bytes(path.read_bytes()[:-7])
    before = files(tmp_path / "store")
    count, faults = store.check()
    assert count == 2
    assert [path.name in line for line in faults] == [True]
    with pytest.raises(Refused, match=path.name):
        store.read(entries[0])
    with pytest.raises(Refused, match=path.name):
        store.put(bad)
    assert store.read(entries[1]) == good.read_bytes()
    assert files(tmp_path / "store") == before


@pytest.mark.parametrize(
    "damage",
    [
        lambda data: data[:-20],
        lambda data: b"",
        lambda data: b"[]",
        lambda data: b"\xff" + data,
        lambda data: data.replace(b'"value": 2', b'"value": 3'),
        lambda data: data.replace(b'"format": 1', b'"format": 99'),
    ],
)
def test_a_damaged_entry_is_named_and_left_out(store, tmp_path, damage):
    store.put(kept.run(tmp_path, ratio=2))
    store.put(kept.run(tmp_path, day=1))
    bad, _ = store.names()
    path = tmp_path / "store" / bad
    path.chmod(0o644)
    data = damage(path.read_bytes())
    assert data != path.read_bytes()
    path.write_bytes(data)
    entries, (line,) = store.entries()
    assert bad in line
    assert "\n" not in line
    assert [e.moment.day for e in entries] == [2]
    listed = call(history.main, "list", "--store", tmp_path / "store")
    assert listed.returncode == 1
    assert bad in listed.stderr


def test_a_writer_that_ended_half_way_is_completed_by_the_next(
    store, tmp_path, monkeypatch
):
    path = kept.run(tmp_path)
    create = place.Folder.create

    def dies(self, name, data):
        if name.startswith("index"):
            raise KeyboardInterrupt
        return create(self, name, data)

    with monkeypatch.context() as patch:
        patch.setattr(place.Folder, "create", dies)
        with pytest.raises(KeyboardInterrupt):
            store.put(path)
    assert store.entries() == ([], [])
    assert len(store.check()[1]) == 1
    assert store.put(path)
    assert store.check() == (1, [])


def test_what_a_killed_writer_left_is_no_run_and_goes(store, tmp_path):
    path = kept.run(tmp_path)
    store.put(path)
    (name,) = store.names()
    part = (tmp_path / "store" / name).with_name(f"{place.PART}abc")
    part.write_text("{")
    store.put(kept.run(tmp_path, day=1))
    assert part.exists()  # somebody may be writing it
    assert len(store.entries()[0]) == 2
    old = time.time() - 2 * place.STALE
    os.utime(part, (old, old))
    store.put(kept.run(tmp_path, day=2))
    assert not part.exists()


def test_a_run_that_is_not_there_begins_no_store(tmp_path):
    done = add(tmp_path / "none.json", "--store", tmp_path / "store")
    assert done.returncode == 2 and "none.json" in done.stderr
    assert not (tmp_path / "store").exists()


def test_a_page_of_which_nothing_is_kept_is_named(store, tmp_path):
    store.put(kept.run(tmp_path))
    listed = [
        call(history.main, "list", "--store", tmp_path / "store", "--page", p)
        for p in (kept.PAGE, "one-decorater")
    ]
    assert [done.returncode for done in listed] == [0, 2]
    assert kept.PAGE in listed[1].stderr


def test_what_is_no_results_file_is_left_out_and_named(tmp_path):
    good = kept.run(tmp_path / "runs")
    open_ = kept.run(tmp_path / "runs", day=1, finished=False)
    (tmp_path / "runs" / "other.json").write_text("{}")
    done = add(tmp_path / "runs", "--store", tmp_path / "store")
    assert done.returncode == 1
    assert done.stdout.count("left out: ") == 2
    assert "other.json" in done.stdout
    assert open_.parent.parent.name in done.stdout
    entries, _ = Store(str(tmp_path / "store")).entries()
    assert [e.moment.day for e in entries] == [1]
    assert entries[0].commit == ""
    again = add(good, "--store", tmp_path / "store")
    assert again.returncode == 0
    assert "0 added" in again.stdout


def test_a_recorded_run_has_the_commit_that_recorded_it(tmp_path):
    path = ROOT / "book/results/amd-epyc-2c/races.json"
    add(path, "--store", tmp_path / "store")
    ((entry,), _) = Store(str(tmp_path / "store")).entries()
    assert re.fullmatch("[0-9a-f]{40}", entry.commit)


def test_a_bucket_holds_the_same(tmp_path):
    store = Store(f"memory://{tmp_path}", create=True)
    path = kept.run(tmp_path)
    assert store.put(path, "first")
    assert not store.put(path, "second")
    assert not store.place.create(store.names()[0], b"other")
    again = Store(f"memory://{tmp_path}")
    ((entry,), _) = again.entries()
    assert entry.commit == "first"
    assert again.read(entry) == path.read_bytes()
    assert again.check() == (1, [])
    with pytest.raises(Refused, match="not empty"):
        Store(f"memory://{tmp_path}/objects", create=True)


def test_a_disk_without_links_is_a_place_too(store, tmp_path, monkeypatch):
    def refuse(*_):
        raise OSError(errno.EPERM, "not permitted")

    monkeypatch.setattr(os, "link", refuse)
    path = kept.run(tmp_path)
    assert store.put(path)
    assert not store.put(path)
    assert store.check() == (1, [])
    assert not list((tmp_path / "store").rglob(f"{place.PART}*"))


def test_elsewhere_folders_are_made_but_not_what_they_stand_in(tmp_path):
    def remote(folder):
        system = LocalFileSystem(use_listings_cache=False)
        return place.Remote(f"there:/{folder}", system, str(folder))

    there = remote(tmp_path / "store")
    assert there.create("objects/ab/c.json", b"{}")
    assert not there.create("objects/ab/c.json", b"other")
    assert there.names() == ["objects/ab/c.json"]
    assert there.read(["objects/ab/c.json", "none"]) == {
        "objects/ab/c.json": b"{}",
        "none": None,
    }
    with pytest.raises(Refused, match=r"b\.json"):
        remote(tmp_path / "no" / "bucket").create("b.json", b"{}")
    assert not (tmp_path / "no").exists()


@pytest.mark.slow
def test_two_writers_at_once_lose_nothing(tmp_path):
    for k in range(400):  # every second one is of both
        path = kept.run(tmp_path / "all", ratio=1 + k / 100, day=k)
        for name, other in (("a", 1), ("b", 3)):
            if k % 4 != other:
                to = tmp_path / name / path.parent.parent.name / "box"
                to.mkdir(parents=True)
                os.link(path, to / path.name)
    store = tmp_path / "store"
    both = [writer(tmp_path / name, store) for name in ("a", "b")]
    said = [process.communicate(timeout=120) for process in both]
    assert [process.returncode for process in both] == [0, 0], said
    entries, faults = Store(str(store)).entries()
    assert not faults
    assert len(entries) == 400
    assert Store(str(store)).check() == (400, [])
    new = [int(re.search(r"(\d+) added", out)[1]) for out, _ in said]
    assert sum(new) == 400
    assert not list(store.rglob(f"{place.PART}*"))


@pytest.mark.slow
def test_a_killed_writer_leaves_a_store_that_is_read(tmp_path):
    for k in range(150):
        kept.run(tmp_path / "runs", day=k)
    store, rng, kills = tmp_path / "store", random.Random(1), 0
    for _ in range(6):
        process = writer(tmp_path / "runs", store)
        while not list(store.glob("index/*/*/*")):  # it has begun
            time.sleep(0.005)
            assert process.poll() is None
        time.sleep(rng.uniform(0, 0.2))
        process.send_signal(signal.SIGKILL)
        kills += process.wait() == -signal.SIGKILL
        process.communicate()
        entries, faults = Store(str(store)).entries()
        assert not faults
        for entry in entries:
            assert Store(str(store)).read(entry)
    assert kills
    assert add(tmp_path / "runs", "--store", store).returncode == 0
    assert Store(str(store)).check() == (150, [])


def chapter(tmp_path):
    """Write a chapter that saves results, as run.py runs them."""
    folder = tmp_path / "elsewhere"
    text = SAVE.format(tests=str(ROOT / "tests"), folder=folder)
    write_chapter(tmp_path / "notebooks", "10_good.ipynb", text)


def test_a_place_that_is_none_is_refused_before_anything_runs(tmp_path):
    chapter(tmp_path)
    line = command(tmp_path, "--store", "foo://x")[2:]
    done = call(run_script.main, *line, environment=environment())
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert not (tmp_path / "build" / "executed").exists()


@pytest.mark.slow
def test_a_finished_chapter_is_kept(tmp_path):
    chapter(tmp_path)
    store = tmp_path / "store"
    line = command(tmp_path, "--store", store)[2:]
    done = call(run_script.main, *line, environment=environment())
    assert done.returncode == 0, done.stdout
    ((entry,), _) = Store(str(store)).entries()
    (path,) = (tmp_path / "build" / "results").rglob("*.json")
    assert Store(str(store)).read(entry) == path.read_bytes()
    assert entry.commit
    again = call(run_script.main, *line, environment=environment())
    assert "up to date" in again.stdout
    assert len(Store(str(store)).entries()[0]) == 1


def test_a_store_that_fails_later_costs_no_chapter(tmp_path):
    keep = keeper(str(tmp_path / "store"), {LAB})
    assert keep(kept.run(tmp_path), LAB) == ""
    index = tmp_path / "store" / "index"
    index.rename(tmp_path / "away")
    index.write_text("no folder")
    path = kept.run(tmp_path, day=1)
    said = keep(path, LAB)
    assert path.name in said
    assert "\n" not in said


def test_each_run_has_the_commit_of_its_own_checkout(tmp_path):
    """Of the lab that made it, which need not be this one."""
    labs = [tmp_path / name / "onthefly" for name in ("other", "copy")]
    for lab in labs:
        lab.mkdir(parents=True)
        (lab / "clock.py").write_text("")
    git = ["git", "-c", "user.name=a", "-c", "user.email=a", "-C", labs[0]]
    for line in (["init", "-q"], ["add", "."], ["commit", "-qm", "first"]):
        subprocess.run([*git, *line], check=True)
    keep = keeper(str(tmp_path / "store"), {LAB, *labs})
    for day, lab in enumerate((LAB, *labs)):
        assert keep(kept.run(tmp_path, day=day), lab) == ""
    entries, _ = Store(str(tmp_path / "store")).entries()
    own, other, copy = (entry.commit for entry in entries)
    assert own == commits.of_checkout(ROOT)
    assert commits.named(labs[0], "HEAD") == other
    assert copy == ""


def test_an_entry_is_text_that_says_its_format(store, tmp_path):
    store.put(kept.run(tmp_path))
    (name,) = store.names()
    told = json.loads((tmp_path / "store" / name).read_text())
    assert told["format"] == 1
    assert told["entry"]["page"] == kept.PAGE
