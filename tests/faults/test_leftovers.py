"""What earlier runs have left: broken, poorer, of another version."""

import re

import pytest

from small_books import (
    MEASURES,
    assert_refused,
    record,
    run,
    save_results,
    write_chapter,
)

KEEP = MEASURES.replace("SLUG", "good")


@pytest.mark.slow
def test_a_broken_stamp_and_broken_results_are_set_aside(tmp_path):
    write_chapter(tmp_path / "notebooks", "a/good.ipynb", KEEP)
    assert run(tmp_path).returncode == 0
    build = tmp_path / "build"
    left = (
        build / "executed/a/good.json",
        build / "results/box/good.json",
        build / "data/S/box/good.json",
    )
    for path in left:
        path.write_text(path.read_text()[:50])
    done = run(tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    for path in left:
        line = rf"{path.name}: line \d.*set aside as {path.name}\.broken"
        assert re.search(line, done.stdout), done.stdout
        assert path.with_name(f"{path.name}.broken").stat().st_size == 50
    assert run(tmp_path, "--plan").stdout == "good: up to date\n"


def test_a_recorded_file_that_is_broken_is_named_and_stays(tmp_path):
    """Nothing could make it anew."""
    path = save_results(tmp_path / "build" / "results")
    save_results(tmp_path / "book" / "results", place="data")
    (kept,) = (tmp_path / "book" / "data").rglob("*.json")
    kept.write_text(kept.read_text()[:500])
    assert_refused(record(tmp_path, path), f"{kept}: ", "git")
    assert kept.stat().st_size == 500
