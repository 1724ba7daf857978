"""The export of a store, read by asv itself."""

import json
import os
import statistics
import subprocess
import sys

import history
import pytest
from asv.benchmarks import Benchmarks
from asv.config import Config
from asv.results import Results, iter_results
from keeping import asv_results, commits
from keeping.store import Store

import kept
from conftest import call
from onthefly import results
from onthefly.refused import Refused

NAME = "one_decorator.ways"


@pytest.fixture
def store(tmp_path):
    """An empty store."""
    return Store(str(tmp_path / "store"), create=True)


def git(root, *arguments):
    """Run git in a folder; return what it prints."""
    own = {
        f"GIT_{who}_{what}": "a@b"
        for who in ("AUTHOR", "COMMITTER")
        for what in ("NAME", "EMAIL")
    }
    return subprocess.run(
        ["git", "-C", root, *arguments], env={**os.environ, **own},
        check=True, capture_output=True, text=True,
    ).stdout.strip()  # fmt: skip


@pytest.fixture
def root(tmp_path):
    """A checkout of two commits; its `commits` are in a list."""
    folder = tmp_path / "root"
    folder.mkdir()
    git(folder, "init", "-q", "-b", "trunk")
    for text in ("one", "two"):
        (folder / "file").write_text(text)
        git(folder, "add", "file")
        git(folder, "commit", "-qm", text)
    return folder


def revisions(root):
    """Return the commits of a checkout, the first first."""
    return git(root, "rev-list", "--reverse", "HEAD").split()


def exported(store, root):
    """Export a store; return (folder, runs, lines of what was left out)."""
    folder = root.parent / "asv"
    done, left = asv_results.export(store, root, folder)
    return folder, done, left


def config(folder):
    """Return asv's own reading of the settings."""
    return Config.load(str(folder / "asv.conf.json"))


def test_asv_reads_each_median(store, root, tmp_path):
    path = kept.run(tmp_path, ratio=3)
    first, _ = revisions(root)
    store.put(path, first)
    folder, done, left = exported(store, root)
    assert (done, left) == (1, [])
    (file,) = folder.glob("results/box/*-*.json")
    assert file.name.startswith(first[:8])
    read = Results.load(str(file), machine_name="box")
    assert read.commit_hash == first
    assert read.date == 1000 * int(git(root, "show", "-s", "--format=%at",
                                       first))  # fmt: skip
    assert read.params["preset"] == "S"
    own = config(folder)
    own.results_dir = str(folder / "results")
    known = Benchmarks.load(own)[NAME]
    values = read.get_result_value(NAME, known["params"])
    places = [(w, n) for w in known["params"][0] for n in known["params"][1]]
    found = dict(zip(places, values, strict=True))
    for series in results.load(path).timings["ways"]:
        middle = statistics.median(series.values)
        place = repr(series.name), repr(series.size)
        assert found.pop(place) == pytest.approx(middle)
    assert found == {("'fast'", "10"): None}


def test_each_commit_library_and_machine_has_its_file(store, root, tmp_path):
    first, second = revisions(root)
    store.put(kept.run(tmp_path, day=0), first)
    store.put(kept.run(tmp_path, day=1), second)
    store.put(kept.run(tmp_path, day=2, packages={"numpy": "9"}), second)
    store.put(kept.run(tmp_path, day=3, id="abc"), second)
    folder, done, _ = exported(store, root)
    assert done == 4
    read = list(iter_results(str(folder / "results")))
    assert sorted(
        (r.params["machine"], r.commit_hash, r.params["numpy"]) for r in read
    ) == sorted(
        [("box", first, "2.4.6"), ("box", second, "2.4.6"),
         ("box", second, "9"), ("box-abc", second, "2.4.6")]
    )  # fmt: skip


def test_runs_of_one_commit_stand_together(store, root, tmp_path):
    first, _ = revisions(root)
    for day, ratio in enumerate([2, 4, 4]):
        store.put(kept.run(tmp_path, day=day, ratio=ratio), first)
    folder, _, _ = exported(store, root)
    (read,) = iter_results(str(folder / "results"))
    known = json.loads((folder / "results/benchmarks.json").read_text())
    values = read.get_result_value(NAME, known[NAME]["params"])
    assert max(filter(None, values)) == pytest.approx(400e-6, rel=0.01)


def test_a_run_without_a_commit_is_left_out_and_named(store, root, tmp_path):
    first, _ = revisions(root)
    store.put(kept.run(tmp_path, day=0), first)
    for day, commit in enumerate(["", "f" * 40, first + commits.DIRTY], 1):
        store.put(kept.run(tmp_path, day=day), commit)
    _, done, left = exported(store, root)
    assert done == 1
    assert len(left) == 3


def test_a_damaged_run_is_left_out_and_named(store, root, tmp_path):
    first, _ = revisions(root)
    for day in range(2):
        store.put(kept.run(tmp_path, day=day), first)
    path = sorted((tmp_path / "store" / "objects").rglob("*.json"))[0]
    path.chmod(0o644)
    path.write_text("{}")
    _, done, (line,) = exported(store, root)
    assert done == 1
    assert path.name in line


def test_groups_of_like_names_stay_apart():
    both = {("a-b", "c d"): {}, ("a-b", "c-d"): {}}
    asv_results._name(both)
    assert len({about["name"] for about in both.values()}) == 2


def test_a_folder_that_holds_something_is_refused(store, root, tmp_path):
    (tmp_path / "asv").mkdir()
    (tmp_path / "asv" / "mine").write_text("mine")
    with pytest.raises(Refused, match="not empty"):
        exported(store, root)
    assert [p.name for p in (tmp_path / "asv").iterdir()] == ["mine"]


def test_the_command_exports_recorded_runs(store, tmp_path):
    from commandline import ROOT

    path = ROOT / "book/results/amd-epyc-2c/races.json"
    url = ["--store", tmp_path / "store"]
    assert call(history.main, "add", path, *url).returncode == 0
    done = call(history.main, "export", "--asv", tmp_path / "asv", *url)
    assert done.returncode == 0, done.stderr
    assert len(list(iter_results(str(tmp_path / "asv" / "results")))) == 1


@pytest.mark.slow
def test_asv_publishes_it(store, root, tmp_path):
    for day, commit in enumerate(revisions(root)):
        store.put(kept.run(tmp_path, day=day, ratio=2 + day), commit)
    folder, _, _ = exported(store, root)
    done = subprocess.run(
        [sys.executable, "-m", "asv", "publish", "--no-pull"],
        cwd=folder, env={**os.environ, "HOME": str(tmp_path)},
        capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    index = json.loads((folder / "html" / "index.json").read_text())
    assert list(index["benchmarks"]) == [NAME]
    assert list(index["revision_to_hash"].values()) == revisions(root)
    (graph,) = folder.glob(f"html/graphs/arch/**/{NAME}.json")
    assert len(json.loads(graph.read_text())) == 2
