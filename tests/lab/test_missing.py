"""What a missing library costs: which cells, candidates and claims.

The library is one that no machine has: its table's entry is added.
"""

import pytest

from onthefly import page
from onthefly.measure import clock, libraries
from onthefly.measure.libraries import LIBRARIES, Library, Missing
from onthefly.measure.quantity import Quantity
from onthefly.page import claims, missing
from onthefly.page.checkout import NOTEBOOKS
from onthefly.page.missing import Cells
from onthefly.page.verdicts import Verdicts
from onthefly.tools import processes

SLUG = "case-the-update-that-held"  # a page with claims that all can judge


@pytest.fixture(autouse=True)
def nowhere(monkeypatch):
    """The name of a library that is missing; no cell was left out yet."""
    library = Library("Nowhere", "nowhere_lib", ("nowhere",))
    monkeypatch.setitem(LIBRARIES, "nowhere", library)
    monkeypatch.setattr(missing, "left_out", [])
    monkeypatch.setattr(missing, "candidates", {})
    monkeypatch.setattr(missing, "names", {})
    return library.name


def left_out(*cells):
    """Return which of some cells are left out, each a source and its tags."""
    page, lacks = Cells(), []
    for source, *tags in cells:
        lacks.append(page.lack(source, tags))
        page.done(source, lacks[-1])
    return [lack == "Nowhere" for lack in lacks]


IMPORT = ("from needy import work", "needs-nowhere")


@pytest.mark.parametrize(
    ("cells", "expected"),
    [
        # A tag decides, and no import.
        ([("import nowhere_lib",), ("x = 1", "needs-numpy")], [0, 0]),
        # What reads a name that is missing, and what reads its names.
        ([IMPORT, ("x = 1",), ("y = work(x)",), ("z = y",), ("x",)],
         [1, 0, 1, 1, 0]),
        ([IMPORT, ("def f():\n    return work()",), ("f()",)], [1, 1, 1]),
        # An older value is not taken for the one that is missing.
        ([("x = 1",), IMPORT, ("x = work()",), ("x",)], [0, 1, 1, 1]),
        # What is bound once more is there.
        ([IMPORT, ("x = work()",), ("x = 1",), ("x",)], [1, 1, 0, 0]),
        ([IMPORT, ("x = work()",), ("x = 1\nx",)], [1, 1, 0]),
        ([IMPORT, ("x = work()",), ("x += 1",)], [1, 1, 1]),
        ([IMPORT, ("for k in [work]: 0",), ("for k in [1]: k",)], [1, 1, 0]),
        # What a cell adds to is there without it.
        ([("ways = {}",), ("ways['a'] = work", "needs-nowhere"), ("ways",)],
         [0, 1, 0]),
        # What is no Python is the kernel's to say.
        ([IMPORT, ("work(",)], [1, 0]),
    ],
)  # fmt: skip
def test_the_cells_that_are_left_out(cells, expected):
    assert left_out(*cells) == list(map(bool, expected))


def test_a_tag_of_no_library_is_an_error():
    with pytest.raises(KeyError, match="nobody"):
        Cells().lack("x = 1", ["needs-nobody"])


def import_it(*_):
    import nowhere_lib

    return nowhere_lib


def fail_for_it():
    try:
        import_it()
    except ImportError as error:
        raise RuntimeError("no way") from error


def test_the_library_is_named_behind_other_errors(nowhere):
    for call in (import_it, fail_for_it):
        with pytest.raises((ImportError, RuntimeError)) as caught:
            call()
        assert libraries.lacking(caught.value) == nowhere
    assert libraries.lacking(ImportError("a", name="nowhere_lib.b"))
    assert not libraries.lacking(ImportError("a", name="nowhere_library"))
    assert not libraries.lacking(ValueError("nowhere_lib"))


def test_what_a_program_lacks_is_named_here(nowhere):
    with pytest.raises(processes.Failed, match="nowhere_lib") as caught:
        processes.answer("importlib", "import_module", "nowhere_lib")
    assert libraries.lacking(caught.value) == nowhere


def test_what_a_program_says_is_missing_is_so_here(tmp_path):
    code = "from onthefly.measure.libraries import Missing\n"
    code += "def work():\n    raise Missing('Python.h')"
    (tmp_path / "builds.py").write_text(code)
    environment = {"PYTHONPATH": f"{tmp_path}:{NOTEBOOKS}"}
    with (
        processes.Program("builds", environment=environment) as program,
        pytest.raises(processes.Failed) as caught,
    ):
        program.ask("work")
    assert libraries.lacking(caught.value) == "Python.h"


def test_a_broken_library_is_no_missing_one(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "nowhere_lib.py").write_text("import nowhere_lib.part")
    with pytest.raises(ImportError) as caught:
        import_it()
    assert not libraries.lacking(caught.value)


def test_of_some_functions_those_that_lack_nothing_are_taken(capsys):
    ways = {"there": abs, "lazy": import_it}
    assert missing.present(ways, 3) == {"there": abs}
    assert missing.wanted(KeyError("lazy")) == missing.left_out[0]
    assert not missing.wanted(KeyError("there"))


def test_the_stopwatch_leaves_out_what_lacks_a_library(nowhere):
    times = clock.measure({"there": int, "lazy": import_it}, budget=0.05)
    assert times.names == ["there"] and times.missing == {"lazy": nowhere}
    with pytest.raises(Missing, match="Nowhere is missing"):
        times.series("lazy")
    with pytest.raises(ImportError):
        clock.measure({"lazy": import_it}, budget=0.05)


def test_the_results_say_what_is_missing(shown, nowhere):
    chapter = page.Chapter(SLUG)
    times = clock.measure({"a": int, "b": import_it}, budget=0.1)
    chapter.collect("g", lambda: times)
    missing.skip(nowhere, ["gain"])
    here = "gil-switch-interval"
    judged = Verdicts(chapter.results, claims.load(), False, None, set())
    judged.judge(here, Quantity.exact(0.005, "s"))
    chapter.close()
    judged.close([nowhere])
    kept = chapter.results
    lost = [
        claim.id for claim in claims.load().of(SLUG)
        if claim.kind != "history" and claim.id != here
    ]  # fmt: skip
    assert kept.missing == {nowhere: ["g | b", *lost]}
    assert here in kept.quantities
    assert missing.names == {"gain": "Nowhere is missing"}
    for name in lost:
        assert "Nowhere" in kept.reasons[name]
        assert f'id="claim-{name}"' in judged.as_html()
