"""A page: what it measures, what its module concludes, what is written."""

import dataclasses
import textwrap

import pytest

from onthefly import figures, page
from onthefly.errors import UserError
from onthefly.measure import data, machine, records
from onthefly.measure.quantity import Quantity
from onthefly.measure.samples import Samples, Series
from onthefly.page import (
    checkout,
    claims,
    concluding,
    conclusions,
    results,
    showing,
    verdicts,
)
from onthefly.page.conclusions import ConclusionError, Conclusions
from onthefly.page.missing import Missing

SLUG = "case-the-update-that-held"  # a page with claims that all can judge
FREE = "what-nobody-claimed"  # no page of the book, so without claims


@pytest.fixture
def module(tmp_path):
    """A function that returns the Conclusions of a module's source."""

    def write(source, **names):
        path = tmp_path / "topic.py"
        path.write_text(
            "from onthefly.page import *\n" + textwrap.dedent(source)
        )
        return Conclusions(names, conclusions.load(path))

    return write


# --- values --------------------------------------------------------------


def test_values_are_asked_for_by_name_and_worked_out_once(module):
    values = module(
        """
        def twice(once):
            asked.append(1)
            return 2 * once

        def four(twice, asked):
            return 2 * twice + _none()

        def once(start):
            return start

        def _none():
            return 0

        asked = []
        """,
        start=1,
        asked=[],
    )
    assert dict(values.items()) == {"twice": 2, "four": 4, "once": 1}
    assert values.functions["twice"].__globals__["asked"] == [1]


def test_what_is_missing_makes_what_needs_it_missing(module, monkeypatch):
    monkeypatch.setitem(
        conclusions.missing.names, "torch_times", "no PyTorch"
    )
    values = module(
        """
        def gain(torch_times):
            return 1 / 0

        def more(gain):
            return gain + 1

        def all_of(start, gain=None):
            return start, gain
        """,
        start=1,
    )
    assert values["more"].reason == "no PyTorch"
    assert str(values["more"]["any"].attribute + 1) == "–"
    assert values["all_of"] == (1, None)


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ("def gain(tmes):\n    pass", ["topic.py:2", "gain asks for 'tmes'"]),
        ("def gain():\n    x = 1\n    return x / 0",
         ["topic.py:4", "gain", "ZeroDivisionError"]),
        ("def a(b):\n    pass\ndef b(a):\n    pass", ["a circle"]),
    ],
)  # fmt: skip
def test_an_error_names_file_line_and_function(module, source, said):
    values = module(source)
    with pytest.raises(ConclusionError) as caught:
        list(values.items())
    assert all(words in str(caught.value) for words in said)


def test_docstrings_have_gaps_for_values(module):
    values = module(
        '''
        def gain():
            """It is {ways[fast].about} here, {nothing}."""
        ''',
        ways={"fast": Quantity(3.54, 3.5, 3.6, "×")},
        nothing=Missing("none"),
    )
    text = values.text(values.functions["gain"])
    assert text == "It is 3.5× here, –."
    assert conclusions.gaps("{a.b} and {c[d]} {{e}}") == {"a", "c"}


# --- a page from its beginning to its end --------------------------------


def samples(values):
    return Samples([Series("a", None, None, values)], cores=2)


MODULE = '''
from onthefly.page import missing
from onthefly.page import answer, expect, figure, judge, table


def time(times):
    return times.seconds("a")


@expect
def is_short(time):
    return time < 3


@expect("it is long")
def is_long(time):
    return time > 3


@figure(x="time")
def time_figure(time):
    """It takes {time.about}."""
    return {"a": time}


@table
def rows(time):
    """All of it."""
    return [{"way": "a", "time": time}]


@figure
def with_others(time):
    """Of two, one is known."""
    return {"a": time, "b": missing.Missing("not here")}


@answer("some-question")
def answered(is_short):
    """About {time.about}."""
    return is_short
'''
PROSE = """# A title

It takes {eval}`time.about`, which is short.{eval}`is_short` Twice that is
little, too.{eval}`holds(2 * time < 5)`

{eval}`time_figure`

{eval}`rows`
"""


@pytest.fixture
def notebook(tmp_path, monkeypatch):
    """A function that writes a page and its module; it becomes the place."""
    from nbformat.v4 import new_markdown_cell, new_notebook, writes

    def write(slug=FREE, module=MODULE, prose=PROSE):
        folder = tmp_path / "part"
        folder.mkdir()
        path = folder / f"{slug.replace('-', '_')}.ipynb"
        path.write_text(
            writes(new_notebook(cells=[new_markdown_cell(prose)]))
        )
        path.with_suffix(".py").write_text(module)
        monkeypatch.chdir(tmp_path)

    return write


def test_a_page_concludes_what_its_module_says(notebook, shown, tmp_path):
    notebook()
    book = page.Chapter(FREE, device="cpu")
    times = book.collect("times", lambda: samples((2.0,) * 8))
    names = {"times": times, "book": book}
    book.conclude(names)
    assert str(names["time"].about) == "2.00 s" and not str(names["is_short"])
    assert "It takes 2.00 s." in names["time_figure"].data
    assert (tmp_path / f"figures/{FREE}/time.svg").exists()
    assert "All of it." in names["rows"].data
    assert not str(names["holds"](names["time"] < 5))
    assert "<figure" in names["diagram"]("gil").data
    kept = results.find(FREE)[book.machine["slug"]]
    assert kept.finished and kept.tables["rows"][0]["way"] == "a"
    assert {k: v["verdict"] for k, v in kept.expected.items()} == {
        "It takes …, which is short": "holds",
        "it is long": "not so",
        "the answer to some-question": "holds",
        "Twice that is little, too": "holds",
    }
    assert kept.answers == {"some-question": "About 2.00 s."}
    measured = names["measurements"].data
    assert "<h3>times</h3>" in measured and "2.00 s" in measured
    assert names["what_the_talks_said"].data == ""


def test_a_condition_on_what_is_missing_is_not_checked(
    notebook, shown, monkeypatch
):
    monkeypatch.setitem(conclusions.missing.names, "torch_times", "no torch")
    prose = "It gains.{eval}`holds(torch_times.a > 1, [k for k in nothing])`"
    notebook(module="", prose=prose)
    book = page.Chapter(FREE, device="cpu")
    names = {"nothing": Missing("none")}
    book.conclude(names)
    assert not book.results.expected
    assert names["holds"]([names["nothing"] > 1]).reason == "none"


def test_a_page_without_its_measurements_has_dashes(notebook, shown):
    notebook()
    book = page.Chapter(FREE, device="cpu")
    names = {"times": book.collect("times", None, here=False), "book": book}
    book.conclude(names)
    for name in ("time", "is_short"):
        assert isinstance(names[name], Missing)
    assert "no recorded machine" in names["time_figure"].data
    kept = results.find(FREE)[book.machine["slug"]]
    assert kept.unmeasured == ["times"]
    assert not kept.expected and not kept.answers


def test_a_wrong_value_is_an_error_with_its_place(notebook, shown):
    notebook(module=MODULE.replace("return is_short", "return 7"))
    book = page.Chapter(FREE, device="cpu")
    times = book.collect("times", lambda: samples((2.0,) * 8))
    with pytest.raises(ConclusionError, match=r"what_nobody.*answered"):
        book.conclude({"times": times})


# --- verdicts ------------------------------------------------------------


def judging(told=None, disturbed=()):
    run = results.Results(SLUG, "S")
    ledger, others = claims.load(), set(disturbed)
    return verdicts.Verdicts(run, ledger, False, told, others), run


CLAIM = "gil-switch-interval"
OTHERS = Quantity(0.004, 0.004, 0.004, "s", origin="box")
FIRST = Quantity.exact(0.005, "s")


@pytest.mark.parametrize(
    ("outcome", "judged", "today"),
    [
        (FIRST, FIRST, None),
        ((FIRST, Quantity.exact(0.006, "s")), FIRST, 0.006),
        ((OTHERS, FIRST), FIRST, None),
        ((None, FIRST), FIRST, None),
        ([OTHERS, FIRST, Quantity.exact(0.007, "s")], FIRST, None),
        ([Missing("nothing"), FIRST], FIRST, None),
        (Missing("nothing"), None, None),
        (OTHERS, None, None),
        (page.unresolved("both fit"), None, None),
        ((Missing("nothing"), FIRST), FIRST, None),
    ],
)
def test_the_first_that_was_measured_here_judges(outcome, judged, today):
    one, run = judging()
    verdict = one.judge(CLAIM, outcome)
    assert verdict.quantity == judged
    assert run.quantities.get(CLAIM) == judged
    assert (run.today[CLAIM].value if today else None) == today
    assert (verdict.verdict == "reproduced") == bool(judged)


def test_a_verdict_left_open_says_what_a_recorded_run_found(
    tmp_path, monkeypatch
):
    monkeypatch.setattr(results, "RECORDED", tmp_path / "recorded")
    old = results.Results(SLUG, "M", quantities={CLAIM: FIRST})
    results.save(old, results.RECORDED)
    one, _ = judging()
    decided = one.judge(CLAIM, Quantity(0.005, 0.004, 0.006, "s"))
    assert "recorded on" not in decided.reason
    open_ = one.judge(CLAIM, Quantity(0.004, 0.002, 0.006, "s"))
    assert open_.verdict == "not resolved"
    assert "5.00 ms, reproduced" in open_.reason


def test_what_others_disturbed_leaves_a_claim_open():
    one, run = judging(disturbed={"times"})
    disturbed = dataclasses.replace(FIRST, groups=frozenset({"times"}))
    assert one.judge(CLAIM, disturbed).verdict == "not resolved"
    assert run.unresolved == [CLAIM]


def test_each_claim_of_a_page_has_one_row_and_one_place():
    one, _ = judging()
    for claim in one.claims:
        one.judge(claim.id, page.unresolved("not <tried>"))
    text = one.as_html()
    assert text.count("<tr") == 2 * len(one.claims) + 1
    assert "not &lt;tried&gt;" in text
    for claim in one.claims:
        assert text.count(f'id="{verdicts.anchor(claim.id)}"') == 1


@pytest.mark.parametrize(
    "part, said",
    [("whole", "; whole of it; "), ("half: the gain", "; half: the gain; ")],
)
def test_a_row_says_which_part_was_judged(part, said):
    claim = claims.load().of(SLUG)[0]
    other = dataclasses.replace(claim, reading=claim.reading | {"part": part})
    assert said in verdicts._judged_by(other)


def test_a_claim_of_another_page_is_refused():
    with pytest.raises(KeyError, match=f"not of '{SLUG}'"):
        judging()[0].judge("pi-error-power-law", Quantity.exact(1, ""))


def test_a_claim_that_nothing_judges_is_an_error():
    with pytest.raises(ValueError, match=r"judged by no function.*@judge"):
        judging()[0].close()


# --- the machine ---------------------------------------------------------


def test_clocks_held_back_at_the_end_are_shown(gpus, shown, loops):
    gpus({"reasons": 1})
    book = page.Chapter(FREE, device="cpu")
    book.collect("loops", lambda: loops)
    gpus({"reasons": 4, "sm": 1200})
    names = {}
    book.conclude(names)
    shown = names["measurements"].data
    assert "H200 at 1200 MHz, held back: power limit." in shown
    kept = results.find(FREE)[book.machine["slug"]].machine["gpus"][0]
    assert kept["before"]["held_back"] == ["idle"]
    assert kept["after"]["held_back"] == ["power limit"]


@pytest.fixture
def book(shown, archive):
    """A page of a GPU's in a run without one."""
    return page.Chapter("numba-cuda", device="cpu")


def record(name, times, day="2026-01-02"):
    """Record `times` as another machine's."""
    about = {**machine.record(), "slug": name, "time": f"{day}T00:00:00"}
    own = data.Data("numba-cuda", "L", machine=about)
    own.add("ways", {}, times)
    data.save(own, records.RECORDED / name / "numba-cuda.json")


def test_the_last_machine_that_recorded_a_group_is_named(book):
    record("old", samples((0.5,) * 8), "2025-01-01")
    record("newest", samples((0.01,) * 8), "2026-03-04")
    record("newer", samples((0.1,) * 8), "2026-01-02")
    times = book.collect("ways", lambda: 1 / 0, here=False)
    assert times.origin == "newest, 2026-03-04, preset L"
    assert str(times.seconds("a").about) == "10.0 ms (recorded)"
    assert times.origin in times.seconds("a").about.more
    assert times.origin in book.notes.as_html("")


def test_rows_that_only_others_have_say_whose_they_are(book):
    about = {**machine.record(), "slug": "box"}
    own = data.Data("numba-cuda", "L", machine=about)
    own.look("builds", {}, [{"python": "3.6", "n": 1}, {"python": "3.9"}])
    data.save(own, records.RECORDED / "box" / "numba-cuda.json")
    rows = book.cached("builds", lambda: [{"python": "3.9"}], by=("python",))
    assert rows[0] == {"python": "3.9"} and len(rows) == 2
    assert rows[1]["python"] == "3.6" and "box" in rows[1]["recorded"]
    assert book.known("bui") == ["builds"]


def test_a_page_of_a_record_judges_as_that_machine(shown, archive):
    record("box", samples((1.0,) * 8))
    told = page.Chapter("numba-cuda", data="box")
    assert told.preset == "L" and told.machine["slug"] == "box"
    times = told.collect("ways", lambda: 1 / 0)
    assert times.origin == "" and "Recorded on box" in told.whose
    assert not told.cuda


@pytest.mark.parametrize(
    ("preset", "picked"), [("S", 1), ("M", 1), ("talk", 3)]
)
def test_pick_takes_the_nearest_smaller_preset(book, preset, picked):
    book.preset = preset
    assert book.pick(S=1, L=3) == picked


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"preset": "XL"}, "choose one of S, M, L"),
        ({"device": "tpu"}, "one of"),
    ],
)
def test_a_chapter_refuses(options, message):
    with pytest.raises(ValueError, match=message):
        page.Chapter("first-benchmark", **options)


def test_a_machine_that_recorded_nothing_is_refused(archive):
    with pytest.raises(UserError, match="no machine of that name"):
        page.Chapter("first-benchmark", data="nobody")


# --- figures -------------------------------------------------------------


def chart():
    points = {n: Quantity(n / 1e6, n / 2e6, n / 5e5, "s") for n in (10, 100)}
    return figures.lines({"a": points}, x="shots", y="time", time="y")


def test_a_figure_has_alt_text_data_and_a_file(shown, tmp_path):
    drawn = showing.Figures(SLUG)
    text = drawn.draw(
        chart(), "one", alt='rises "fast"', caption="It rises."
    ).data
    assert 'aria-label="rises &quot;fast&quot;"' in text
    assert "<figcaption>It rises.</figcaption>" in text
    assert text.count("<tr>") == 3 and "10.0 µs" in text
    assert (tmp_path / "figures" / SLUG / "one.svg").exists()
    drawn.draw(chart(), "one", caption="Again.")
    assert (tmp_path / "figures" / SLUG / "one-2.svg").exists()
    with pytest.raises(ValueError, match="alt and caption"):
        drawn.draw(chart(), "two", alt=" ", caption="c")
    silent = dataclasses.replace(chart(), finding="")
    assert drawn.draw(silent, "three", caption="It is so.")


class Example:
    def method(self):
        """Return one.

        Two lines more than that.
        """
        return 1


def test_a_method_is_shown_as_code_that_can_be_read():
    text = showing.code(Example.method).data
    code = text.strip("`").removeprefix("python\n").strip()
    assert code == "def method(self):\n    return 1"


# --- where the page is ---------------------------------------------------


def test_a_page_is_found_where_it_runs(notebook):
    notebook()
    assert checkout.find_page(FREE).name == "what_nobody_claimed.ipynb"
    assert checkout.find_page("no-such-page") is None
    assert checkout.find_page("races").parent.name == "threads"
    dask = checkout.find_page("dask")
    assert checkout.module_beside(dask).name == "dask_page.py"
    assert concluding._module(None) is None
