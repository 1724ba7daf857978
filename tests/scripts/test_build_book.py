"""The book's build: when it refuses, what it leaves, what its pages load.

The refusals and failures are tried on a book of one small chapter; what the
pages hold, on the real one.
"""

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import urllib.parse
from html.parser import HTMLParser
from pathlib import Path

import nbformat
import pytest

from onthefly import clock, machine, page, presets, results, timings

ROOT = Path(__file__).resolve().parents[1]
SCRIPT = ROOT / "scripts" / "build_book.py"
CHAPTER = "10_method"
TOC = """\
format: jb-book
root: book/index
chapters:
  - file: notebooks/10_method
  - file: book/measuring
  - file: book/cost_model
  - file: book/status
"""
# A line, but for the next to last size, which takes thrice as long.
SIZES = (10**2, 10**3, 10**4, 10**5, 10**6, 10**7, 10**8)
BENDS = (1, 1, 1, 1, 1, 3, 1)


class Book:
    """A book of one chapter in a folder of its own."""

    def __init__(self, folder):
        self.root, self.build = folder / "root", folder / "build"
        self.index = self.build / "html" / "index.html"
        self.page = self.build / "html" / "book" / "index.html"
        (self.root / "book").mkdir(parents=True)
        shutil.copy(ROOT / "_config.yml", self.root)
        for name in ("_static", "_ext"):
            shutil.copytree(ROOT / "book" / name, self.root / "book" / name)
        shutil.copy(ROOT / "book" / "references.bib", self.root / "book")
        (self.root / "_toc.yml").write_text(TOC)
        self.write("index", "# A book\n\nIts first page.\n")
        self.write("measuring", "# How results are measured\n")
        self.execute()

    def write(self, name, text):
        (self.root / "book" / f"{name}.md").write_text(text)

    def execute(self):
        """Put a finished chapter, its stamp and its results in place."""
        cell = nbformat.v4.new_markdown_cell("# A chapter\n\nAll is well.\n")
        notebook = nbformat.v4.new_notebook(cells=[cell])
        executed = self.build / "executed"
        executed.mkdir(parents=True)
        self.notebook = executed / f"{CHAPTER}.ipynb"
        self.stamp = executed / f"{CHAPTER}.json"
        nbformat.write(notebook, self.notebook)
        stamp = {
            "chapter": "method",
            "preset": "S",
            "device": "auto",
            "machine": machine.slug(),
            "started": "2026-01-02T03:04:05+00:00",
            "duration_s": 65.0,
            "key": {"cells": "of this run"},
            "notebook_sha256": digest(self.notebook),
        }
        self.stamp.write_text(json.dumps(stamp))
        series = [
            timings.Series("a", n, 0.1, (1e-6 + 1e-9 * n * bend,) * 6)
            for n, bend in zip(SIZES, BENDS, strict=True)
        ]
        series.append(timings.Series("b", None, 0.1, (0.1,) * 6))
        kept = results.Results(
            "method", "S", timings={"g": timings.Timings(series)}
        )
        results.save(kept, self.build / "results")

    def make(self, *arguments):
        """Run the script; return the finished process."""
        env = {k: v for k, v in os.environ.items() if "ONTHEFLY" not in k}
        command = [sys.executable, SCRIPT, "--root", self.root]
        return subprocess.run(
            [*command, "--build", self.build, *arguments],
            capture_output=True, text=True, env=env, timeout=120,
        )  # fmt: skip

    def state(self):
        """Return {page: content hash and time} of the built book."""
        pages = sorted(self.index.parent.rglob("*.html"))
        return {p: (digest(p), p.stat().st_mtime_ns) for p in pages}


def digest(path):
    return hashlib.sha256(path.read_bytes()).hexdigest()


@pytest.fixture
def book(tmp_path):
    """A small book that is not built yet."""
    return Book(tmp_path)


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """A small book that is built; each test leaves it built."""
    small = Book(tmp_path_factory.mktemp("book"))
    made = small.make()
    assert made.returncode == 0, made.stderr
    return small


def refuses(book, *words):
    """Assert one line that holds `words`, exit 2, and no book."""
    made = book.make()
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
    refuses(book, "10_method", "did not end", "run.py 10_method")


def test_a_notebook_other_than_the_stamped_one_is_refused(book):
    book.notebook.write_text(book.notebook.read_text() + "\n")
    refuses(book, CHAPTER, "not the notebook that was stamped", "--force")


@pytest.mark.parametrize("text", ["{", "[]", "{}"])
def test_a_stamp_that_is_broken_is_refused(book, text):
    book.stamp.write_text(text)
    refuses(book, str(book.stamp), "run scripts/run.py")


def test_a_broken_table_of_contents_names_its_line(book):
    (book.root / "_toc.yml").write_text("format: jb-book\nroot: [\n")
    refuses(book, "_toc.yml, line 3", "repair")


def test_results_of_another_version_are_refused(book):
    (path,) = (book.build / "results").glob("*/method.json")
    data = json.loads(path.read_text())
    data["onthefly"]["format"] = 99
    path.write_text(json.dumps(data))
    refuses(book, str(path), "99", "run the chapter again")


def test_an_unchanged_book_is_left_alone(built):
    before = built.state()
    made = built.make()
    assert made.returncode == 0
    assert "unchanged" in made.stdout
    assert built.state() == before


def test_changed_prose_and_results_reach_the_page(built):
    built.write("index", "# A book\n\nAnother first page.\n")
    assert built.make().returncode == 0
    assert "Another first page" in built.page.read_text()


def test_a_failed_build_leaves_the_last_good_book(built):
    good = (built.root / "book" / "index.md").read_text()
    before = built.state()
    built.write("index", "# A book\n\n{doc}`nowhere`\n")
    for _ in range(2):  # the second must not take the first for built
        made = built.make()
        assert made.returncode == 1
        assert "nowhere" in made.stderr
        assert "left" in made.stderr
        assert built.state() == before
    built.write("index", good)
    assert built.make().returncode == 0


def test_the_cost_model_is_tested_on_sizes_left_out(built):
    text = (built.build / "html" / "book" / "cost_model.html").read_text()
    assert "Over 1 series" in text  # "b" has no sizes
    assert "2 of 3 sizes" in text  # all but the bent one
    assert "1,000 to 10,000,000" in text


def test_the_status_page_says_what_ran(built):
    text = (built.build / "html" / "book" / "status.html").read_text()
    assert machine.slug() in text
    assert "1 min 05 s" in text.replace("\N{NO-BREAK SPACE}", " ")
    assert "2026-01-02 03:04 UTC" in text
    assert "not measurable here" in text


def pages(html):
    """Return {page: text} of the real book, without the theme's templates."""
    return {
        path: path.read_text(encoding="utf-8")
        for path in sorted(html.rglob("*.html"))
        if "_static" not in path.parts
    }


class Assets(HTMLParser):
    """Collect what a page loads by itself; links to follow are no assets."""

    def __init__(self, text):
        super().__init__()
        self.found = []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        given = dict(attrs)
        names = ["src", "poster", "data"] + ["href"] * (tag == "link")
        self.found += [given[n] for n in names if given.get(n)]
        self.found += urls(given.get("style") or "")

    def handle_data(self, data):
        if self.lasttag == "style":
            self.found += urls(data)


def urls(css):
    """Return what a style sheet loads."""
    return re.findall(r"url\(\s*['\"]?([^'\")]+)", css)


def is_local(url):
    return not urllib.parse.urlsplit(url).netloc


def test_assets_are_seen():
    text = "<script src='//a/x.js'></script><link href='y.css'><a href='z'>"
    text += "<style>p { background: url(https://b/c.png) }</style>"
    assert Assets(text).found == ["//a/x.js", "y.css", "https://b/c.png"]


def test_no_page_loads_from_another_host(html):
    away = {
        path.name: outside
        for path, text in pages(html).items()
        if (outside := [u for u in Assets(text).found if not is_local(u)])
    }
    assert not away


def test_no_style_sheet_loads_from_another_host(html):
    sheets = list(html.rglob("*.css"))
    assert sheets
    for path in sheets:
        assert all(map(is_local, urls(path.read_text("utf-8")))), path


def test_every_asset_of_a_page_is_there(html):
    missing = []
    for path, text in pages(html).items():
        for url in Assets(text).found:
            name = urllib.parse.unquote(urllib.parse.urlsplit(url).path)
            if not is_local(url) or url.startswith("data:"):
                continue
            if not (path.parent / name).exists():
                missing.append(f"{path.name}: {url}")
    assert not missing


def test_every_chapter_and_page_is_in_the_book(html):
    toc = (ROOT / "_toc.yml").read_text()
    names = re.findall(r"(?:root|file): (\S+)", toc)
    assert len(names) > 4
    for name in names:
        assert (html / f"{name}.html").exists(), name


def test_the_status_page_has_a_row_for_each_chapter(html):
    text = (html / "book" / "status.html").read_text("utf-8")
    stamps = sorted((html.parent / "executed").glob("*.json"))
    assert stamps
    for path in stamps:
        assert f"notebooks/{path.stem}.html" in text
        assert json.loads(path.read_text())["machine"] in text


def test_the_page_on_measuring_says_what_the_lab_does():
    text = (ROOT / "book" / "measuring.md").read_text("utf-8")
    for said in (
        f"{timings.CONFIDENCE:.0%}".replace("%", " % {term}`interval`"),
        f"above {timings.NOISY_SPREAD:.0%}".replace("%", " %"),
        f"at least {clock.MIN_SAMPLE * 1000:g} ms",
        f"{clock.MAX_ROUNDS} rounds",
        *(f"| {mark} {name} |" for name, (mark, _) in page.SYMBOLS.items()),
    ):
        assert said in text, said


def test_every_preset_is_on_the_page_on_measuring(html):
    text = (html / "book" / "measuring.html").read_text("utf-8")
    for name in presets.NAMES:
        assert f">{name}</span></code>" in text
        budget = f"{presets.BUDGET[name]:g} s"
        assert budget in text
