"""The book's build, on a book of one small chapter.

When it refuses, what it leaves, what its pages say; and a build by hand.
"""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest

import build_book
import small_books as books
from commandline import ROOT
from conftest import call
from onthefly import machine
from small_books import TOC

# Of the extension that sets the table of contents.
pytestmark = pytest.mark.filterwarnings("ignore:nodes.Node.traverse")

CHAPTER = "10_first_benchmark"


@pytest.fixture
def book(tmp_path):
    """A small book that is not built yet."""
    return books.Book(tmp_path)


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """A small book that is built; each test leaves it built."""
    small = books.Book(tmp_path_factory.mktemp("book"))
    made = small.make()
    assert made.returncode == 0, made.stderr
    return small


def refuses(book, *words):
    """Assert one line that holds `words`, exit 2, and no book.

    In this process; what builds has one of its own, as Sphinx's extensions
    look at all that is there.
    """
    own = {k: v for k, v in os.environ.items() if "ONTHEFLY" not in k}
    made = call(build_book.main, *book.arguments(), environment=own)
    assert made.returncode == 2
    assert made.stderr.count("\n") == 1, made.stderr
    for word in words:
        assert word in made.stderr
    assert not book.index.parent.exists()


def test_a_chapter_that_never_finished_is_refused(book):
    book.stamp.unlink()
    refuses(book, CHAPTER, "not finished", f"run scripts/run.py {CHAPTER}")


def test_a_chapter_without_its_notebook_is_refused(book):
    book.notebook.unlink()
    refuses(book, CHAPTER, "not finished", str(book.notebook))


def test_a_run_that_did_not_end_is_refused(book):
    stamp = json.loads(book.stamp.read_text())
    book.stamp.write_text(json.dumps({**stamp, "key": None}))
    refuses(book, CHAPTER, "did not end", f"run.py {CHAPTER}")


def test_a_notebook_other_than_the_stamped_one_is_refused(book):
    book.notebook.write_text(book.notebook.read_text() + "\n")
    refuses(book, CHAPTER, "not the notebook that was stamped", "--force")


@pytest.mark.parametrize("text", ["", "{", "[]", "{}"])
def test_a_stamp_that_is_broken_is_refused(book, text):
    book.stamp.write_text(text)
    refuses(book, str(book.stamp), "run scripts/run.py")


@pytest.mark.slow
def test_results_of_another_version_are_refused(book):
    (path,) = (book.build / "results").glob("*/first-benchmark.json")
    data = json.loads(path.read_text())
    data["onthefly"]["format"] = 99
    path.write_text(json.dumps(data))
    refuses(book, str(path), "99", "run the chapter again")


@pytest.mark.slow
def test_an_unchanged_book_is_left_alone(built):
    before = built.state()
    made = built.make()
    assert made.returncode == 0
    assert "unchanged" in made.stdout
    assert built.state() == before


def test_the_record_of_the_last_build_must_fit_its_book(tmp_path):
    record, index = tmp_path / "inputs.json", tmp_path / "index.html"
    index.write_text("the book")
    written = index.stat().st_mtime_ns
    last = {"frame": "f", "pages": "p"}
    record.write_text(json.dumps({**last, "written": written}))
    assert build_book.last_inputs(record, index) == last
    os.utime(index, ns=(written, written + 1))  # built over by hand
    assert build_book.last_inputs(record, index) == {}


@pytest.mark.slow
def test_a_failed_build_leaves_the_last_good_book_until_a_good_one(built):
    before = built.state()
    built.write("index", "# A book\n\n{doc}`nowhere`\n")
    for _ in range(2):  # the second must not take the first for built
        made = built.make()
        assert made.returncode == 1
        assert "nowhere" in made.stderr
        assert "left" in made.stderr
        assert built.state() == before
    built.write("index", "# A book\n\nAnother first page.\n")
    assert built.make().returncode == 0
    assert "Another first page" in built.page.read_text()


@pytest.mark.slow
def test_the_cost_model_is_tested_on_sizes_left_out(built):
    text = (built.build / "html" / "book" / "cost_model.html").read_text()
    assert "2 of 3 sizes" in text  # all but the bent one; "b" has no sizes
    assert "1,000 to 10,000,000" in text


@pytest.mark.slow
def test_the_status_page_says_what_ran(built):
    text = (built.build / "html" / "book" / "status.html").read_text()
    assert machine.slug() in text
    assert "1 min 05 s" in text.replace("\N{NO-BREAK SPACE}", " ")
    assert "2026-01-02 03:04 UTC" in text
    assert "not measurable here" in text


SAID = """\
# A chapter

:::{admonition} In short
It gains {eval}`gain`, says {eval}`name`{eval}`nothing`.
:::

Before {eval}`picture` between {eval}`nothing`, after.
{eval}`nothing`

{eval}`nothing`

| a head |
|---|
| {eval}`cell` |

- an item
  {eval}`picture`
"""
VALUES = {
    "gain": {"text/plain": "12.3× (11.9 to 12.8)"},
    "name": {"text/plain": "'a name'"},
    "nothing": {"text/plain": "", "text/html": ""},
    "picture": {"text/html": "<figure>It.</figure>", "text/plain": "<Chart>"},
    "cell": {"text/html": "<abbr>–</abbr>", "text/plain": "–"},
}


EXERCISE = """\
```{{exercise-start}}
:label: {0}
```
Do this: {0}.
```{{exercise-end}}
```"""
SOLUTION = """\
```{{solution-start}} {0}
:class: dropdown
```"""


def exercise(label, code):
    """Return the cells of an exercise and of its solution."""
    markdown = nbformat.v4.new_markdown_cell
    return [
        markdown(EXERCISE.format(label)),
        markdown(SOLUTION.format(label)),
        nbformat.v4.new_code_cell(code),
        markdown("```{solution-end}\n```"),
    ]


@pytest.fixture(scope="module")
def told(tmp_path_factory):
    """A built book: its chapter has prose and exercises, and lost a way."""
    book = books.Book(tmp_path_factory.mktemp("told"))
    book.write("measuring", f"# A page\n\n{EXERCISE.format('elsewhere')}\n")
    cells = [
        books.prose_cell(SAID, VALUES),
        nbformat.v4.new_markdown_cell("{ref}`second`"),
        *exercise("first", "one = 1"),
        *exercise("second", "two"),
    ]
    book.execute(cells, {"TensorFlow": ["a-claim", "ways | eager"]})
    made = book.make()
    assert made.returncode == 0, made.stderr
    return book.build / "html"


@pytest.mark.slow
def test_the_status_page_says_what_was_lost(told):
    status = (told / "book/status.html").read_text()
    assert "TensorFlow" in status and "a-claim" in status


@pytest.mark.slow
def test_the_prose_shows_the_values_of_the_run(told):
    page = (told / f"notebooks/{CHAPTER}.html").read_text()
    body = page[page.index("A chapter<a") : page.index("</article>")]
    body = re.sub(r"</?span[^>]*>", "", re.sub(r"\s+", " ", body))
    assert "It gains 12.3× (11.9 to 12.8), says a name.</p>" in body
    picture = "<figure>It.</figure>"
    assert f"<p>Before </p> {picture}<p> between, after.</p>" in body
    assert "<p><abbr>–</abbr></p></td>" in body
    assert f"<p>an item </p> {picture}</li>" in body
    assert "<p></p>" not in body and "{eval}" not in body


@pytest.mark.slow
def test_exercises_are_counted_on_each_page_and_solutions_folded(told):
    page = (told / f"notebooks/{CHAPTER}.html").read_text()
    assert page.count("Exercise 1") == 1 and page.count("Exercise 2") == 2
    _, *solutions = page.split('<div class="solution dropdown admonition"')
    inside = [re.sub(r"<[^>]+>", "", text) for text in solutions]
    assert "one = 1" in inside[0] and "two" in inside[1]
    ids = re.findall(r' id="([^"]+)"', page)
    assert len(ids) == len(set(ids))
    other = (told / "book/measuring.html").read_text()
    assert "Exercise 1" in other


@pytest.fixture
def by_hand(book):
    """The pages, as text, of a book that jupyter-book built by itself.

    Of its two chapters the second has been executed.
    """
    chapters = {
        CHAPTER: "(first)=\n# A chapter\n\n{eval}`unknown`",
        "20_more": "(more)=\n# Another\n\n{eval}`unknown`",
    }
    (book.root / "notebooks").mkdir()
    for name, text in chapters.items():
        write_notebook(book.root / "notebooks" / f"{name}.ipynb", text)
    executed = book.root / "_build" / "executed" / "20_more.ipynb"
    executed.parent.mkdir(parents=True)
    write_notebook(executed, "(more)=\n# Another\n\nAll is well.")
    extra = "  - file: notebooks/20_more\n"
    (book.root / "_toc.yml").write_text(TOC + extra)
    for name in ("status", "cost_model", "scoreboard", "what_changed"):
        shutil.copy(ROOT / "book" / f"{name}.md", book.root / "book")
    book.write("index", "# A book\n\n{ref}`first`, {ref}`more`\n")
    # What lies about must not be read: each label would stand twice.
    shutil.copytree(book.root / "notebooks", book.root / ".venv" / "lib")
    tool = Path(sys.executable).with_name("jupyter-book")
    made = subprocess.run(
        [tool, "build", "--warningiserror", "--nitpick", book.root],
        capture_output=True, text=True, timeout=120,
        env={k: v for k, v in os.environ.items() if "ONTHEFLY" not in k},
    )  # fmt: skip
    assert made.returncode == 0, made.stderr
    html = book.root / "_build" / "html" / "notebooks"
    return {
        name: re.sub(r"<[^>]+>", "", (html / f"{name}.html").read_text())
        for name in chapters
    }


def write_notebook(path, text):
    cell = nbformat.v4.new_markdown_cell(text)
    nbformat.write(nbformat.v4.new_notebook(cells=[cell]), path)


@pytest.mark.slow
def test_a_build_by_hand_shows_executed_chapters_or_what_to_run(by_hand):
    assert f"scripts/run.py {CHAPTER}" in by_hand[CHAPTER]
    assert "All is well." in by_hand["20_more"]
    assert "run.py" not in by_hand["20_more"]
