"""A store of runs that cannot take one, or that holds damage."""

import re

from keeping.store import Store, path_of
from planting import books
from planting.disk import KIB
from planting.leftovers import KEEP
from planting.registry import fault


@fault
def store_that_nobody_knows(folder):
    """A run is to be kept at a place of an unknown kind."""
    books.write_chapter(folder / "notebooks", "10_good.ipynb", "1")
    done = books.run(folder, "--store", "nowhere://x")
    books.assert_refused(done, "nowhere://x: ", "name a folder")
    assert not (folder / "build" / "executed").exists()
    return done


@fault(slow=True)
def store_that_takes_no_more(folder):
    """A store takes no more when a chapter's run is finished.

    The chapter stays done, and the run can be added later.
    """
    books.write_chapter(folder / "notebooks", "10_good.ipynb", KEEP)
    assert books.run(folder).returncode == 0
    store, index = folder / "store", folder / "store" / "index"
    Store(str(store), create=True)
    index.write_text("a file in the place of a folder")
    done = books.run(folder, "--force", "--store", store)
    assert done.returncode == 1 and not done.stderr, done.stderr
    assert re.search(r"^good +done", done.stdout, re.M), done.stdout
    (line,) = re.findall(r"^ +not kept: (.*)$", done.stdout, re.M)
    assert str(index) in line and "history.py add build/" in line, line
    assert "up to date" in books.run(folder, "--store", store).stdout
    return done


@fault(slow=True)
def object_on_a_full_disk(folder):
    """The disk is full in the middle of what a store is given."""
    path = books.save_results(folder / "results")
    store = folder / "store"
    Store(str(store), create=True)
    line = "add", path, "--store", store
    done = books.call("history.py", *line, folder=folder, largest=KIB)
    books.assert_refused(done, "objects/", "File too large; ")
    assert len([p for p in store.rglob("*") if p.is_file()]) == 1
    assert books.call("history.py", *line, folder=folder).returncode == 0
    return done


@fault
def damaged_object(folder):
    """A kept run is cut off."""
    path = books.save_results(folder / "results")
    kept = Store(str(folder / "store"), create=True)
    kept.put(path)
    ((entry,), _) = kept.entries()
    damaged = folder / "store" / path_of(entry.digest)
    damaged.chmod(0o644)
    damaged.write_bytes(path.read_bytes()[:500])
    line = "check", "--store", folder / "store"
    done = books.call("history.py", *line, folder=folder)
    assert done.returncode == 1 and done.stderr.count("\n") == 1
    assert f"{damaged}: damaged; " in done.stderr, done.stderr
    assert damaged.stat().st_size == 500
    return done
