"""A library that is missing costs a page its own cells, and no more.

The library is one that no machine has: its table's entry is planted.
"""

import dataclasses
import json

import pytest
from IPython.core.interactiveshell import InteractiveShell
from IPython.utils.capture import capture_output
from traitlets.config import Config

from onthefly import claims, clock, libraries, lost, page, results
from onthefly.libraries import LIBRARIES, Library, Missing
from onthefly.tools import processes

SLUG = "case-the-update-that-held"  # a page with claims that all can judge
NOWHERE = Library("Nowhere", "nowhere_lib", ("nowhere",))
KERNEL = "import nowhere_lib\n\n\ndef work():\n    return 1\n"


@pytest.fixture
def nowhere(monkeypatch, tmp_path):
    """A library that is missing, and a module that needs it: `needy`."""
    monkeypatch.setitem(LIBRARIES, "nowhere", NOWHERE)
    (tmp_path / "needy.py").write_text(KERNEL)
    monkeypatch.syspath_prepend(tmp_path)
    return NOWHERE


class Notebook:
    """Cells that run one after the other in a shell of their own."""

    def __init__(self, shell):
        self.shell = shell

    def run(self, source):
        """Run a cell; return (whether it counts as run, what it showed)."""
        with capture_output() as shown:
            done = self.shell.run_cell(source)
        texts = [shown.stdout, shown.stderr]
        texts += [str(output.data) for output in shown.outputs]
        return done.success, "".join(texts)

    def __getitem__(self, name):
        return self.shell.user_ns[name]

    def lost(self, *names):
        """Tell of each name whether it is lost."""
        return [isinstance(self[name], lost.Lost) for name in names]


@pytest.fixture
def cells(nowhere):
    """A notebook whose first cell was ``%load_ext onthefly.lost``."""
    config = Config()
    config.HistoryManager.enabled = False
    config.InteractiveShell.colors = "nocolor"
    InteractiveShell.clear_instance()
    notebook = Notebook(InteractiveShell.instance(config=config))
    assert notebook.run("%load_ext onthefly.lost") == (True, "")
    yield notebook
    lost.unload_ipython_extension(notebook.shell)
    InteractiveShell.clear_instance()


def test_of_a_cell_only_the_imports_that_need_it_are_lost(cells):
    good, shown = cells.run(
        "import nowhere_lib as no, math\n"
        "from needy import work\n"
        "from math import pi, tau as t\n"
        "import os.path\n"
        "after = pi"
    )
    assert good and shown.count("Nowhere is missing") == 1
    assert cells.lost("no", "work", "math", "pi", "t", "os", "after") == [
        True, True, False, False, False, False, False]  # fmt: skip


def test_a_cell_that_needs_it_is_one_line_and_the_page_goes_on(cells):
    cells.run("from needy import work\nkept = stale = 1")
    good, shown = cells.run("new = 2\nmade = work()\nstale = 3\nprint('no')")
    assert good and "Lost here" in shown and "Nowhere is missing" in shown
    assert "Traceback" not in shown and "no\n" not in shown
    assert cells.lost("kept", "new", "made", "stale") == [
        False, False, True, True]  # fmt: skip
    good, shown = cells.run("f'{made}'")
    assert good and "Lost here" in shown
    assert cells.run("print(kept)") == (True, "1\n")


@pytest.mark.parametrize(
    "statement",
    [
        "for k in range(2):\n    rows.append(k)\n    work()",
        "rows[0] = work()",
        "rows += [work()]",
        "rows.extend([1]), work()",
    ],
)
def test_what_a_lost_cell_had_begun_to_fill_is_lost(cells, statement):
    cells.run("from needy import work\nrows = [7]")
    assert cells.run(statement)[0]
    assert cells.lost("rows") == [True]


def test_what_is_lost_within_a_function_is_lost_where_it_is_called(cells):
    cells.run("from needy import work\ndef later():\n    return work()")
    assert cells.lost("later") == [False]
    good, shown = cells.run("found = later()")
    assert good and "Lost here" in shown and cells.lost("found") == [True]
    cells.run("def late():\n    import needy")
    assert "Lost here" in cells.run("late()")[1]


def test_a_number_of_the_prose_that_is_lost_is_a_dash(cells):
    cells.run("from needy import work\nhere = 1")
    cells.run("gain = work()")
    lost_ones = ["gain", "gain.short", "f'{gain}'", "work()", " (gain > 1)"]
    asked = [*lost_ones, "here + 1", "nowhere", "1 +"]
    said = cells.shell.user_expressions({text: text for text in asked})
    for text in lost_ones:
        data = said[text]["data"]
        assert data["text/plain"] == "–" and "Nowhere" in data["text/html"]
    assert said["here + 1"]["data"] == {"text/plain": "2"}
    assert said["nowhere"]["ename"] == "NameError"
    assert said["1 +"]["ename"] == "SyntaxError"


def test_another_error_of_a_statement_that_uses_it_is_the_loss(cells):
    cells.run("import json, needy")
    good, shown = cells.run("json.dumps(needy)")  # a TypeError
    assert good and "Lost here" in shown


@pytest.mark.parametrize(
    ("source", "error"),
    [
        ("1 / 0", "ZeroDivisionError"),
        ("import no_such_module", "ModuleNotFoundError"),
        ("from math import no_such_name", "ImportError"),
        ("no_such_name", "NameError"),
        ("x =", "SyntaxError"),
        ("raise ImportError('of no name')", "ImportError"),
    ],
)
def test_every_other_error_fails_as_ever(cells, source, error):
    cells.run("import needy")
    good, shown = cells.run(source)
    assert not good and error in shown and "Lost" not in shown


def test_a_broken_library_is_no_missing_one(cells, tmp_path):
    (tmp_path / "nowhere_lib.py").write_text("import nowhere_lib.part")
    good, shown = cells.run("import nowhere_lib")
    assert not good and "nowhere_lib.part" in shown


def test_a_library_that_is_needed_fails_the_page(cells, monkeypatch):
    needed = Library("Nowhere", "nowhere_lib", ("nowhere",), needed=True)
    monkeypatch.setitem(LIBRARIES, "nowhere", needed)
    assert not cells.run("import nowhere_lib")[0]


def test_what_is_lost_can_be_handed_on_and_not_used(nowhere):
    thing = lost.Lost(nowhere)
    ways = {"there": len, "lost": thing}
    assert ways["lost"] is thing and "Nowhere is missing" in repr(thing)
    for use in (
        str, bool, len, float, list, hash,
        lambda x: x(), lambda x: x.y.z(), lambda x: x[0], lambda x: x + 1,
        lambda x: 1 / x, lambda x: x < 1, lambda x: x == 1, lambda x: 1 in x,
        lambda x: f"{x}", lambda x: setattr(x, "y", 1),
    ):  # fmt: skip
        with pytest.raises(Missing, match="Nowhere is missing"):
            use(thing)


def test_of_some_ways_those_that_lack_nothing_are_taken(nowhere, capsys):
    ways = {"there": abs, "lost": lost.Lost(nowhere), "lazy": import_it}
    assert lost.present(ways, 3) == {"there": abs}
    with pytest.raises(TypeError):
        lost.present(ways, "a text")


def import_it(*_):
    import nowhere_lib

    return nowhere_lib


def fail_for_it():
    try:
        import_it()
    except ImportError as error:
        raise RuntimeError("no way") from error


def test_the_library_is_found_behind_other_errors(nowhere):
    for call in (import_it, fail_for_it):
        with pytest.raises((ImportError, RuntimeError)) as caught:
            call()
        assert libraries.lacking(caught.value) is nowhere
    assert libraries.lacking(ImportError("a", name="nowhere_lib.b"))
    assert not libraries.lacking(ImportError("a", name="nowhere_library"))
    assert not libraries.lacking(ValueError("nowhere_lib"))


def test_what_a_program_lacks_is_told_here(nowhere):
    with pytest.raises(processes.Failed, match="nowhere_lib") as caught:
        processes.answer("importlib", "import_module", "nowhere_lib")
    assert libraries.lacking(caught.value) is nowhere


def test_the_stopwatch_leaves_out_the_ways_that_are_lost(nowhere):
    ways = {"there": int, "lost": lost.Lost(nowhere), "lazy": import_it}
    times = clock.measure(ways, budget=0.05)
    assert times.names == ["there"]
    assert times.lost == {"lost": nowhere, "lazy": nowhere}
    for ask in (times.seconds, times.sizes):
        with pytest.raises(Missing):
            ask("lost")
    with pytest.raises(Missing):
        times.scaled(2).ratio("there", "lazy")
    with pytest.raises(KeyError):
        times.seconds("never named")
    with pytest.raises(ImportError):
        clock.measure({"lazy": import_it}, budget=0.05)


@pytest.mark.parametrize("first", ["apart", "unknown"])
def test_so_do_samplers(nowhere, first):
    samplers = {"there": lambda: 1.0, "lazy": import_it}
    times = clock.sample(samplers, budget=0.05, first=first)
    assert times.names == ["there"] and times.lost == {"lazy": nowhere}


@pytest.fixture
def book(cells, shown):
    """The notebook, with the chapter on races begun in it."""
    cells.run("from onthefly.page import Chapter")
    assert cells.run(f"book = Chapter('{SLUG}')")[0]
    cells.run("from needy import work\nfrom onthefly.clock import measure")
    return cells


def test_a_way_that_is_left_out_may_be_asked_for_by_its_name(book):
    book.run("book.keep(measure({'a': int, 'b': work}, budget=0.1), 'g')")
    book.run("from onthefly.lost import present")
    book.run("ways = present({'c': work, 'd': dict})")
    assert list(book["ways"]) == ["d"]
    for name in "bc":
        good, shown = book.run(f"{{'a': 1}}['{name}']")
        assert good and "Lost here" in shown
    assert not book.run("{'a': 1}['e']")[0]


def test_the_claims_of_a_lost_cell_have_cards_and_reasons(book, shown):
    count = len(shown)
    book.run("x = work()\nbook.judge('gil-switch-interval', x)")
    (card,) = shown[count:]
    assert "not measurable here" in card and "Nowhere is missing" in card
    book.run(
        "from onthefly.quantity import Quantity\n"
        "if True:\n"
        "    book.judge('gil-switch-interval', Quantity.exact(0.005, 's'))"
    )
    assert "✓ reproduced" in shown[-1]
    assert "gil-switch-interval" not in book["book"]._results.reasons


def test_the_results_say_what_was_lost(book, tmp_path, monkeypatch):
    every = claims.load().of(SLUG)
    book.run("book.keep(measure({'a': int, 'b': work}, budget=0.1), 'g')")
    named = [claim.id for claim in every]
    book.run(f"ids = {named}\nwork()")
    assert book.run("book.close()") == (True, "")
    (path,) = tmp_path.glob(f"results/*/{SLUG}.json")
    found = results.load(path)
    judged = [c.id for c in every if c.kind != "history"]
    assert found.lost == {"Nowhere": ["g | b", *judged]}
    assert all("Nowhere" in found.reasons[name] for name in judged)


def test_a_page_may_lose_all_that_it_measures(book, tmp_path):
    named = [claim.id for claim in claims.load().of(SLUG)]
    book.run(f"ids = {named}\nwork()")
    book.run("book.close()")
    (path,) = tmp_path.glob(f"results/*/{SLUG}.json")
    assert results.load(path).timings == {}
    assert json.loads(path.read_text())["benchmarks"] == []


def test_a_claim_that_no_lost_cell_names_still_must_be_judged(book):
    book.run("work()")
    good, shown = book.run("book.close()")
    assert not good and "was not judged" in shown


def test_a_claim_may_say_itself_what_it_needs(shown, nowhere, monkeypatch):
    ledger = claims.load()
    changed = {
        name: dataclasses.replace(claim, needs=("nowhere",))
        for name, claim in ledger.claims.items()
        if claim.chapter == SLUG
    }
    monkeypatch.setattr(
        claims, "load", lambda: dataclasses.replace(
            ledger, claims=changed)
    )  # fmt: skip
    chapter = page.Chapter(SLUG)
    chapter.keep(clock.measure({"a": int}, budget=0.1), "g")
    chapter.close()
    judged = [c.id for c in changed.values() if c.kind != "history"]
    assert chapter._results.lost == {"Nowhere": judged}
