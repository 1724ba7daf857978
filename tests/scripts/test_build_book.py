"""The book's build, on a book of one small chapter.

When it refuses, what it leaves, what its pages say; and a build by hand.
"""

import importlib.util
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
from small_books import TOC

# Of the extension that sets the table of contents.
pytestmark = pytest.mark.filterwarnings("ignore:nodes.Node.traverse")

CHAPTER = "measuring/first_benchmark"


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
    own = books.environment()
    made = call(build_book.main, *book.arguments(), environment=own)
    books.assert_refused(made, *words)
    assert not book.index.parent.exists()


def edit_json(path, **changes):
    """Change a file's JSON by a dict at its top."""
    path.write_text(json.dumps(json.loads(path.read_text()) | changes))


@pytest.mark.parametrize(
    ("spoil", "words"),
    [
        (lambda book: book.stamp.unlink(), "not finished"),
        (lambda book: book.notebook.unlink(), "not finished"),
        (lambda book: edit_json(book.stamp, key=None), "did not end"),
        (lambda book: book.notebook.write_text("{}"), "that was stamped"),
    ],
    ids=["no stamp", "no notebook", "no end", "another notebook"],
)
def test_a_chapter_that_is_not_finished_is_refused(book, spoil, words):
    spoil(book)
    refuses(book, CHAPTER, words, "run.py first_benchmark")


@pytest.mark.slow
def test_a_chapter_that_failed_costs_the_book_its_page_alone(tmp_path):
    book = books.Book(tmp_path)
    contents = book.root / "_toc.yml"
    other = "notebooks/threads/races"
    contents.write_text(
        contents.read_text().replace(
            "chapters:", f"chapters:\n  - file: {other}"
        )
    )
    made = book.make()
    assert made.returncode == 1
    assert "without threads/races" in made.stderr
    html = book.index.parent
    page = re.sub(r"<[^>]+>", "", (html / f"{other}.html").read_text())
    assert "missing in this copy" in page and "run.py races" in page
    assert (html / f"notebooks/{CHAPTER}.html").exists()


def test_results_of_another_version_are_refused(book):
    edit_json(book.results, format=99)
    refuses(book, str(book.results), "99", "run the chapter again")


@pytest.mark.parametrize("text", ["", "{", "[]", "{}"])
def test_a_stamp_that_is_broken_is_refused(book, text):
    book.stamp.write_text(text)
    refuses(book, str(book.stamp), "run scripts/run.py")


@pytest.mark.parametrize(
    ("text", "place"),
    [
        (b"# A page\n\n{{ nothing }}", "'nothing' is undefined"),
        (b"# A page\n\n{% if %}", "line 3"),
        (b"\xff", "not UTF-8"),
    ],
)
def test_a_page_that_is_no_template_is_refused(book, text, place):
    (book.root / "book" / "measuring.md").write_bytes(text)
    refuses(book, "book/measuring.md", place)


def test_the_record_of_the_last_build_must_fit_its_book(tmp_path):
    record, index = tmp_path / "inputs.json", tmp_path / "index.html"
    index.write_text("the book")
    written = index.stat().st_mtime_ns
    last = {"a file": "its hash"}
    record.write_text(json.dumps({"inputs": last, "written": written}))
    assert build_book.last_inputs(record, index) == last
    os.utime(index, ns=(written, written + 1))  # built over by hand
    assert build_book.last_inputs(record, index) == {}


@pytest.mark.slow
def test_a_failed_build_leaves_the_last_good_book_until_a_good_one(built):
    before = built.state()
    assert "unchanged" in built.make().stdout and built.state() == before
    built.write("index", "# A book\n\n{doc}`nowhere`\n")
    for _ in range(2):  # the second must not take the first for built
        made = built.make()
        assert made.returncode == 1
        assert "nowhere" in made.stderr
        assert built.state() == before
    built.write("index", "# A book\n\nAnother first page.\n")
    assert built.make().returncode == 0
    assert "Another first page" in built.page.read_text()


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
def prose(tmp_path_factory):
    """A built book: its chapter has prose and exercises, and lacks a way."""
    book = books.Book(tmp_path_factory.mktemp("prose"))
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
def test_the_prose_shows_the_values_of_the_run_and_what_it_lacks(prose):
    page = (prose / f"notebooks/{CHAPTER}.html").read_text()
    body = page[page.index("A chapter<a") : page.index("</article>")]
    body = re.sub(r"</?span[^>]*>", "", re.sub(r"\s+", " ", body))
    assert "It gains 12.3× (11.9 to 12.8), says a name.</p>" in body
    picture = "<figure>It.</figure>"
    assert f"<p>Before </p> {picture}<p> between, after.</p>" in body
    assert "<p><abbr>–</abbr></p></td>" in body
    assert f"<p>an item </p> {picture}</li>" in body
    assert "<p></p>" not in body and "{eval}" not in body
    status = (prose / "book/status.html").read_text()
    assert "TensorFlow" in status and "a-claim" in status


@pytest.mark.slow
def test_the_folder_of_the_book_opens_with_its_first_page(prose):
    root = (prose / "index.html").read_text()
    assert "Its first page." in root and "<title>A book" in root
    for address in re.findall(r'(?:href|src)="(\./[^"?#]*)', root):
        assert (prose / address).exists(), address
    assert 'data-content_root="./"' in root


@pytest.mark.slow
def test_exercises_are_counted_on_each_page_and_solutions_folded(prose):
    page = (prose / f"notebooks/{CHAPTER}.html").read_text()
    assert page.count("Exercise 1") == 1 and page.count("Exercise 2") == 2
    _, *solutions = page.split('<div class="solution dropdown admonition"')
    inside = [re.sub(r"<[^>]+>", "", text) for text in solutions]
    assert "one = 1" in inside[0] and "two" in inside[1]
    ids = re.findall(r' id="([^"]+)"', page)
    assert len(ids) == len(set(ids))
    other = (prose / "book/measuring.html").read_text()
    assert "Exercise 1" in other


PART = """
b:
  title: A part
  after: do more
  pages:
    notebooks/b/more: Its page.
"""


@pytest.mark.slow
def test_a_build_by_hand_shows_what_is_there_or_how_to_get_it(book):
    """By jupyter-book itself; of two chapters the second was executed."""
    executed = book.root / "_build" / "executed"
    for folder, name, text in (
        (book.root / "notebooks", CHAPTER, "# One\n\n{eval}`unknown`"),
        (book.root / "notebooks", "b/more", "# Two\n\n{eval}`unknown`"),
        (executed, "b/more", "# Two\n\nAll is well."),
    ):
        path = folder / f"{name}.ipynb"
        path.parent.mkdir(parents=True, exist_ok=True)
        cell = nbformat.v4.new_markdown_cell(text)
        notebook = nbformat.v4.new_notebook(cells=[cell])
        nbformat.write(notebook, path)
    extra = (
        "  - file: book/parts/b\n"
        "    sections:\n    - file: notebooks/b/more\n"
    )
    (book.root / "_toc.yml").write_text(TOC + extra)
    (book.root / "book" / "parts.yml").write_text(PART)
    for name in ("status", "scoreboard", "what_changed"):
        shutil.copy(ROOT / "book" / f"{name}.md", book.root / "book")
    tool = Path(sys.executable).with_name("jupyter-book")
    made = subprocess.run(
        [tool, "build", "--warningiserror", "--nitpick", book.root],
        capture_output=True, text=True, timeout=120,
        env={k: v for k, v in os.environ.items() if "ONTHEFLY" not in k},
    )  # fmt: skip
    assert made.returncode == 0, made.stderr
    html = book.root / "_build" / "html"
    texts = {
        path.stem: re.sub(r"<[^>]+>", "", path.read_text())
        for path in html.rglob("*.html")
    }
    assert "scripts/run.py first_benchmark" in texts["first_benchmark"]
    assert "All is well." in texts["more"]
    assert "make book" in texts["scoreboard"]
    assert "After this part you can do more." in texts["b"]
    menu = (html / "book/parts/b.html").read_text()
    assert "../../notebooks/b/more.html" in menu


TRACE = """
import os, sys
opened = open(os.environ["OPENED"], "a")

def note(event, given):
    if event == "open" and isinstance(given[0], (str, os.PathLike)):
        opened.write(os.path.abspath(given[0]) + "\\n")

sys.addaudithook(note)
"""


@pytest.fixture(scope="module")
def traced(tmp_path_factory):
    """A copy of the project, a book that it built, and what that read."""
    folder = tmp_path_factory.mktemp("traced")
    project, small = books.project(folder / "copy"), books.Book(folder)
    hook, opened = folder / "hook" / "sitecustomize.py", folder / "opened"
    hook.parent.mkdir()
    hook.write_text(TRACE)
    done = books.run_script(
        "build_book.py", *small.arguments(), folder=folder, root=project,
        PYTHONPATH=f"{hook.parent}:{project / 'notebooks'}",
        OPENED=str(opened), PYTHONDONTWRITEBYTECODE="1",
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return project, small, [*map(source, opened.read_text().splitlines())]


def source(name):
    """Return the path of a file, of a compiled module that of its source."""
    path = Path(name)
    if path.parent.name == "__pycache__":
        return Path(importlib.util.source_from_cache(name))
    return path


@pytest.mark.slow
def test_each_file_that_the_build_reads_is_an_input(traced):
    project, small, opened = traced
    own = ("sphinx", "html", "stage", ".book-lock")
    made = [small.build / name for name in own]
    read = {
        path
        for path in set(opened)
        if path.is_file()
        and (
            path.is_relative_to(project) or path.is_relative_to(small.folder)
        )
        and not any(map(path.is_relative_to, made))
    }
    names = {path.name for path in read}
    # Of all kinds: the lab, its looks, this project's code, a template.
    assert names >= {"markup.py", "onthefly.mplstyle", "status.md",
                     "scoreboard_claims.html", "claims.yml", "choose.js",
                     small.notebook.name, small.results.name}  # fmt: skip
    inputs = json.loads(small.record.read_text())["inputs"]
    assert {str(p) for p in read} <= inputs.keys() | {str(small.record)}
    for path in read - {small.record}:
        assert inputs[str(path)] == books.digest(path)


@pytest.mark.slow
def test_an_edit_builds_again_and_an_untouched_tree_does_not(traced):
    project, small, _ = traced

    def build():
        done = books.run_script(
            "build_book.py", *small.arguments(), folder=small.folder,
            root=project,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        return done.stdout

    assert "unchanged" in build()
    with (project / "notebooks/onthefly/figures/markup.py").open("a") as file:
        file.write("# changed\n")
    assert "built" in build() and "unchanged" in build()


@pytest.mark.slow
def test_the_repositorys_address_brings_its_buttons(book, built):
    page = f"html/notebooks/{CHAPTER}.html"
    hosts = "mybinder.org", "colab.research", "codespaces.new", "/issues/new"
    without = (built.build / page).read_text()
    assert not [host for host in hosts if host in without]
    settings = book.root / "_config.yml"
    address = "https://github.com/someone/fly"
    settings.write_text(
        settings.read_text().replace('url: ""', f'url: "{address}"')
    )
    made = book.make()
    assert made.returncode == 0, made.stderr
    text = (book.build / page).read_text()
    fork, path = "someone/fly", f"notebooks/{CHAPTER}"
    assert f"mybinder.org/v2/gh/{fork}/main?urlpath=lab/tree/{path}" in text
    assert f"research.google.com/github/{fork}/blob/main/{path}" in text
    assert "codespaces.new/someone/fly" in text
    assert f"{address}/edit/main/notebooks/{CHAPTER}.ipynb" in text
    assert f"{address}/issues/new" in text
