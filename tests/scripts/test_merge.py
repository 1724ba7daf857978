"""Runs in several folders, brought together in one."""

import json

import nbformat
import pytest

import merge
from onthefly import results
from small_books import digest, save_results


def make(build, stem, *, identity="abc", day=1, text="1", finished=True):
    """Write what the run of a page leaves, as on a machine "box"."""
    slug = stem[3:]
    notebook = nbformat.v4.new_notebook(
        cells=[nbformat.v4.new_code_cell(text)]
    )
    path = build / ("executed" if finished else "partial") / f"{stem}.ipynb"
    path.parent.mkdir(parents=True, exist_ok=True)
    nbformat.write(notebook, path)
    if not finished:
        return
    measured = save_results(build / "results", slug)
    data = json.loads(measured.read_text())
    data["onthefly"]["machine"]["id"] = identity
    measured.write_text(json.dumps(data))
    stamp = {
        "chapter": slug,
        "preset": "S",
        "device": "auto",
        "machine": "box",
        "started": f"2026-01-0{day}T03:04:05+00:00",
        "duration_s": 1.5,
        "key": {"lab": {}, "read": {}, "recorded": {}, "lost": {}},
        "notebook_sha256": digest(path),
    }
    path.with_suffix(".json").write_text(json.dumps(stamp))


def merged(folder, *parts):
    """Run the command into folder/all; return its exit code."""
    named = [str(folder / part) for part in parts]
    return merge.main([*named, "--build", str(folder / "all")])


def test_the_newest_run_of_each_page_counts(tmp_path, capsys):
    make(tmp_path / "a", "10_first", day=2, text="new")
    make(tmp_path / "a", "20_second")
    make(tmp_path / "b", "10_first", day=1, text="old")
    make(tmp_path / "b", "30_third", finished=False)
    assert merged(tmp_path, "b", "a") == 1
    told = capsys.readouterr().out.splitlines()
    assert [line.partition(":")[0] for line in told] == [
        "first", "second", "third",
    ]  # fmt: skip
    first = tmp_path / "all" / "executed" / "10_first.ipynb"
    assert nbformat.read(first, 4).cells[0].source == "new"
    kept = tmp_path / "all" / "results" / "box"
    assert {path.stem for path in kept.iterdir()} == {"first", "second"}
    assert results.load(kept / "first.json").machine["id"] == "abc"
    make(tmp_path / "c", "10_first", day=1, text="older")
    assert merged(tmp_path, "c") == 0 and not capsys.readouterr().out
    assert nbformat.read(first, 4).cells[0].source == "new"


def test_a_part_may_be_named_twice_or_be_the_whole(tmp_path, capsys):
    make(tmp_path / "a", "10_first")
    make(tmp_path / "all", "20_second")
    assert merged(tmp_path, "a", "a", "all") == 0
    assert len(capsys.readouterr().out.splitlines()) == 1
    pages = (tmp_path / "all" / "executed").glob("*.ipynb")
    assert sorted(path.stem for path in pages) == ["10_first", "20_second"]


def test_a_run_that_did_not_end_is_left_out(tmp_path):
    make(tmp_path / "a", "10_first")
    page = tmp_path / "a" / "executed" / "10_first.ipynb"
    page.write_text(page.read_text() + " ")  # not the one that is stamped
    assert merged(tmp_path, "a") == 0
    assert not (tmp_path / "all" / "executed").exists()


def test_two_machines_of_one_name_are_refused(tmp_path, capsys):
    make(tmp_path / "a", "10_first")
    make(tmp_path / "b", "20_second", identity="def")
    assert merged(tmp_path, "a", "b") == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert "second.json" in line and "ONTHEFLY_MACHINE" in line
    assert not (tmp_path / "all" / "executed").exists()


@pytest.mark.parametrize("part", ["none", "all"])
def test_a_folder_without_a_run_is_refused(tmp_path, capsys, part):
    assert merged(tmp_path, part) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert part in line and "no output of a run" in line
    assert not (tmp_path / "none").exists()
