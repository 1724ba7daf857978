"""Faults in what the prose says: expressions that have no value."""

from onthefly import machine
from planting import books
from planting.registry import fault

PAGE = "10_first_benchmark.ipynb"
WRONG = {
    "{eval}`gian.short`": "NameError: name 'gian' is not defined",
    "{eval}`gain +`": "SyntaxError: invalid syntax",
}


def _run(folder, says):
    """Run a page whose prose says something; return the ended process."""
    books.write_chapter(folder / "notebooks", PAGE, "gain = 7", says=says)
    return books.run(folder, ONTHEFLY_MACHINE=machine.slug())


@fault(slow=True)
def prose_without_a_value(folder):
    """Of a page in a finished book, the prose asks for what is not there."""
    book = books.Book(folder)
    good = _run(folder, "{eval}`gain`")
    assert good.returncode == 0, good.stdout
    assert book.make().returncode == 0
    before = book.state()
    for says, error in WRONG.items():
        done = _run(folder, f"It gains\n{says}.")
        assert done.returncode == 1 and done.stderr == ""
        place, why, _ = done.stdout.splitlines()[-3:]
        assert f"cell 1/3: # {PAGE}" in place
        assert f"{says}: {error}" in why
        book.make()
        assert book.state() == before
    return done


@fault(slow=True)
def prose_that_was_not_filled(folder):
    """A page in a finished book was executed by plain papermill."""
    book = books.Book(folder)
    before = book.pretend()
    book.execute([books.said("# A chapter\n\n{eval}`gain`", {})])
    done = book.make()
    assert done.returncode == 1 and book.state() == before
    (line,) = [x for x in done.stderr.splitlines() if "WARNING" in x]
    assert "cell 1: {eval}`gain`: no value is stored" in line
    assert f"run.py {book.notebook.stem} --force" in line
    return done
