"""The parts of the book, and the routes through it."""

import pytest
import yaml

from commandline import ROOT
from onthefly.errors import UserError
from onthefly.page import prose
from reading import notebooks, paths, toc
from rendering import paths as rendered

CELL = {
    "source": """\
(a-page)=
# A page

Nothing is counted here. The {term}`loop <a loop>` takes {eval}`time.about`
a point, so `2.5` is more. And more.{eval}`open`

A second paragraph.
""",
    "metadata": {
        "user_expressions": [
            {
                "expression": "time.about",
                "result": {"data": {"text/plain": "2.50 µs"}},
            }
        ]
    },
}


def test_the_parts_are_those_of_the_contents_in_its_order():
    listed = yaml.safe_load((ROOT / toc.NAME).read_text("utf-8"))["chapters"]
    parts = paths.parts()
    assert [part["title"] for part in listed][: len(parts)] == [
        part.title for part in parts.values()
    ]
    for part, (folder, about) in zip(listed, parts.items(), strict=False):
        assert part["file"] == f"{rendered.FOLDER}{folder}"
        files = [section["file"] for section in part["sections"]]
        assert files == list(about.pages)
        own = [f for f in files if f.startswith(toc.FOLDER)]
        assert all(f.startswith(f"{toc.FOLDER}{folder}/") for f in own)


def test_every_part_has_a_self_test_that_names_its_pages():
    tests, documents = paths.self_tests(), set(toc.documents(ROOT))
    assert list(tests) == list(paths.parts())
    asked = [one for questions in tests.values() for one in questions]
    assert {one.page for one in asked} <= documents
    for part, questions in tests.items():
        own = [one.page for one in questions]
        assert len(set(own) & set(paths.parts()[part].pages)) > 0


def test_a_route_leads_along_pages_of_the_book():
    documents = set(toc.documents(ROOT))
    for route in paths.routes().values():
        assert set(route.pages) <= documents


def test_a_page_says_where_it_stands_on_the_routes():
    documents = toc.documents(ROOT)
    route = next(iter(paths.routes().values()))
    first, second, *_, last = route.pages
    text = rendered.signpost(first, documents)
    assert f"**{route.title}**, 1 of {len(route.pages)}" in text
    assert f"next {{doc}}`/{second}`" in text
    assert f"**{route.title}**, {len(route.pages)} of" in (
        ends := rendered.signpost(last, documents)
    )
    assert "its end" in ends
    assert rendered.signpost("notebooks/nowhere/page", documents) == ""


def test_a_smaller_book_names_its_own_pages_only():
    route = next(iter(paths.routes().values()))
    first, _, third, *_ = route.pages
    text = rendered.signpost(first, [first, third])
    assert f"1 of 2; next {{doc}}`/{third}`" in text
    assert rendered.signpost(first, [first]) == ""


def test_the_finding_is_the_sentence_with_a_number():
    text = "The loop takes 2.50 µs a point, so `2.5` is more."
    assert rendered.finding(CELL) == text
    assert rendered.finding({"source": "# A page", "metadata": {}}) == ""


def test_a_question_is_no_finding():
    asking = "Does it take {eval}`time.about`?{eval}`open`"
    cell = CELL | {"source": f"# A page\n\n{asking}\n"}
    assert rendered.finding(cell) == ""


def test_a_result_with_numbers_that_are_stored_is_the_finding():
    text = "A point takes {eval}`time.about`."
    assert rendered.finding(CELL, text) == "A point takes 2.50 µs."
    other = text.replace("about", "short")
    assert rendered.finding(CELL, other) == rendered.finding(CELL)


def test_the_results_have_the_numbers_of_the_openings():
    for part in paths.parts().values():
        assert part.pages.keys() >= part.results.keys()
        for page, text in part.results.items():
            title, *_ = notebooks.read(ROOT / f"{page}.ipynb")["cells"]
            own = prose.expressions(title["source"])
            assert set(prose.expressions(text)) <= set(own), page


# What points back at a sentence that the part's page does not show.
def test_the_finding_of_a_page_stands_alone():
    """On the page of its part nothing stands before it."""
    for path in notebooks.paths(ROOT):
        title, *_ = notebooks.read(path)["cells"]
        first, *_ = rendered.sentences(title["source"])
        assert not rendered.POINTS_BACK.match(first), (path.stem, first)


def test_a_figure_is_no_finding():
    result = {"data": {"text/html": "<figure><svg></svg></figure>"}}
    opening = CELL["source"].replace("time.about", "headline")
    figure = {"expression": "headline", "result": result}
    cell = {"source": opening, "metadata": {"user_expressions": [figure]}}
    assert "time" not in rendered.finding(cell)


def test_folded_code_takes_no_time_to_read():
    prose = {"cell_type": "markdown", "source": "word " * 400, "metadata": {}}
    code = {"cell_type": "code", "source": "x\n" * 30, "metadata": {}}
    folded = code | {"metadata": {"tags": ["remove-cell"]}}
    assert rendered.minutes([prose]) == 2
    assert rendered.minutes([prose, folded]) == 2
    assert rendered.minutes([prose, folded, code]) == 4


@pytest.mark.parametrize("name", ["parts", "routes"])
def test_a_file_that_is_wrong_is_refused(tmp_path, name):
    path = tmp_path / f"{name}.yml"
    path.write_text("two-hours: {title: Two hours}\n")
    schema = (ROOT / "book" / f"{name}.schema.json").read_text("utf-8")
    path.with_suffix(".schema.json").write_text(schema)
    with pytest.raises(UserError, match="two-hours"):
        getattr(paths, name)(path)


def test_what_is_looked_up_takes_no_time():
    prose = "word " * 200
    aside = "| a | b |\n<table><tr><td>c</td></tr></table>\n"
    raw = "```{raw} html\n<p>d</p>\n```\n<details>e</details>"
    assert rendered.words_take(prose) == 1
    assert rendered.words_take(f"{prose}\n{aside}{raw}") == 1
