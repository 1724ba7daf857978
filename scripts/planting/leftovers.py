"""What earlier runs have left: broken, half, poorer, of another version."""

import os
import re
import time

from onthefly import files
from planting import books
from planting.disk import record
from planting.registry import fault

KEEP = """
from onthefly import results, timings
series = timings.Series("a", None, 1e-3, (1e-3, 2e-3))
group = timings.Timings([series], 2)
results.save(results.Results("good", preset, timings={"a": group}))
"""


@fault(slow=True)
def broken_stamp_and_results(folder):
    """The stamp and the results of a chapter's last run are cut off."""
    books.write_chapter(folder / "notebooks", "10_good.ipynb", KEEP)
    assert books.run(folder).returncode == 0
    build = folder / "build"
    left = build / "executed/10_good.json", build / "results/box/good.json"
    for path in left:
        path.write_text(path.read_text()[:50])
    assert books.run(folder, "--plan").stdout == "good: would run: stamp\n"
    done = books.run(folder)
    assert done.returncode == 0, done.stdout + done.stderr
    for path in left:
        said = rf"{path.name}: line \d.*set aside as {path.name}\.broken"
        assert re.search(said, done.stdout), done.stdout
        assert path.with_name(f"{path.name}.broken").stat().st_size == 50
    assert books.run(folder, "--plan").stdout == "good: up to date\n"
    return done


@fault(slow=True)
def broken_record_of_the_build(folder):
    """The record of what the last build was made from is empty."""
    book = books.Book(folder)
    book.pretend()
    book.record.parent.mkdir()
    book.record.touch()
    done = book.make()
    assert done.returncode == 0, done.stderr
    assert "set aside as inputs.json.broken" in done.stdout
    assert "unchanged" in book.make().stdout
    return done


@fault
def results_of_another_version(folder):
    """The results of an earlier run are of another version of the book."""
    books.write_chapter(folder / "notebooks", "10_good.ipynb", "1")
    old = folder / "build" / "results" / "box" / "good.json"
    old.parent.mkdir(parents=True)
    old.write_text('{"onthefly": {"format": 0}}')
    done = books.run(folder)
    books.assert_refused(done, str(old))
    assert old.read_text() == '{"onthefly": {"format": 0}}'
    return done


@fault
def broken_recorded_results(folder):
    """A recorded results file is cut off; nothing could make it anew."""
    path = books.save_results(folder / "build" / "results")
    kept = books.save_results(folder / "shelf")
    kept.write_text(kept.read_text()[:500])
    done = record(folder, path)
    books.assert_refused(done, f"{kept}: ", "git")
    assert kept.stat().st_size == 500
    return done


@fault
def poorer_results(folder):
    """Results that lack a series, or are of a smaller preset, are kept."""
    kept = books.save_results(folder / "shelf")
    before = kept.read_text().replace('"preset": "S"', '"preset": "M"')
    kept.write_text(before)
    path = books.save_results(folder / "build" / "results")
    old, new = (f'"series_name": "{name}"' for name in "bc")
    path.write_text(path.read_text().replace(old, new))
    done = record(folder, path)
    assert done.returncode == 2, done.stdout
    said = done.stderr.splitlines()
    assert len(said) == 2 and "preset S" in said[0], said
    assert "(g: b)" in said[1], said
    assert kept.read_text() == before
    return done


@fault(slow=True)
def half_a_file_of_a_killed_writer(folder):
    """A writer was killed: half a stamp lies beside its place."""
    books.write_chapter(folder / "notebooks", "10_good.ipynb", "1")
    left = folder / "build" / "executed" / ".10_good.json.abcd1234"
    left.parent.mkdir(parents=True)
    left.write_text("half")
    old = time.time() - 2 * files.STALE
    os.utime(left, (old, old))
    done = books.run(folder)
    assert done.returncode == 0, done.stdout
    names = {path.name for path in left.parent.iterdir()}
    assert names == {"10_good.ipynb", "10_good.json"}, names
    return done
