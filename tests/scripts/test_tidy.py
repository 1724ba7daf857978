"""What is linted in notebooks: each rule is broken once, and repaired."""

import functools
import json
import shutil
import subprocess
import sys

import nbformat
import pytest
from nbformat.v4 import (
    new_code_cell,
    new_markdown_cell,
    new_notebook,
    new_output,
)

import tidy
from commandline import ROOT
from linting import canonical, numbers, prose, rules

PARAMETERS = 'preset = "S"\ndevice = "auto"\nseed = 2018\ndata = "here"'


OPENING = """\
(races)=
# Races

It gains {eval}`gain`.{eval}`holds(gain > 1)`"""
CONCLUDE = "book.conclude(globals())"
EXERCISE = """\
```{exercise-start}
:label: races-own
```
Put your own in place of `mine`.
```{exercise-end}
```"""
SOLUTION = "```{solution-start} races-own\n:class: dropdown\n```"


def right_cells():
    """Return the cells of a page that breaks no rule."""
    chapter = 'book = Chapter("races")\ngain = 2'
    folded = {"tags": ["remove-cell"], **canonical.FOLDED}
    tags = folded | {"tags": ["parameters", "remove-cell"]}
    cells = [
        new_markdown_cell(OPENING, id="title"),
        new_code_cell(PARAMETERS, id="parameters", metadata=tags),
        new_code_cell(chapter, id="set-up", metadata=folded),
    ]
    for n in range(5):
        cells.append(new_markdown_cell(f"Step {n}.", id=f"step-{n}"))
        cells.append(new_code_cell(f"run({n})", id=f"hits-{n}"))
    return [
        *cells,
        new_markdown_cell("## Rules of thumb\n\n1. One.", id="rules"),
        new_markdown_cell(f"## Exercises\n\n{EXERCISE}", id="exercise"),
        new_markdown_cell(SOLUTION, id="solution"),
        new_code_cell("mine()", id="solved"),
        new_markdown_cell("```{solution-end}\n```", id="solution-end"),
        new_markdown_cell("{eval}`measurements`", id="talks"),
        new_code_cell(CONCLUDE, id="conclude", metadata=folded),
    ]


def save(path, cells):
    """Write a canonical notebook with `cells`; return its path."""
    nb = new_notebook(metadata=canonical.METADATA)
    nb["cells"] = cells  # as they are: new_notebook mends ids
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(nbformat.v4.writes(nb) + "\n", encoding="utf-8")
    return path


def reports(path):
    """Return what is wrong with a notebook, as lines."""
    return [str(finding) for finding in rules.check(path)]


@pytest.fixture
def chapter(tmp_path):
    (tmp_path / "threads").mkdir()
    return tmp_path / "threads" / "races.ipynb"


def test_a_right_notebook_has_no_findings(chapter):
    assert reports(save(chapter, right_cells())) == []


def named(cells, name):
    """Return the cell whose id is `name`."""
    return next(cell for cell in cells if cell["id"] == name)


def put(name, source, **metadata):
    """Return an edit that makes `source` that of the cell `name`."""

    def edit(cells):
        named(cells, name)["source"] = source
        named(cells, name)["metadata"].update(metadata)

    return edit


code = functools.partial(put, "hits-4")
text = functools.partial(put, "step-4")
first = functools.partial(put, "title")
parameters = functools.partial(put, "parameters")


def drop(name):
    """Return an edit that takes the cell `name` out."""
    return lambda cells: cells.remove(named(cells, name))


def edited(name, old, new):
    """Return an edit that puts `new` for `old` in the cell `name`."""

    def edit(cells):
        assert old in named(cells, name)["source"]
        source = named(cells, name)["source"].replace(old, new)
        named(cells, name)["source"] = source

    return edit


def unfold(name):
    """Return an edit that shows the folded cell `name`."""
    return lambda cells: named(cells, name)["metadata"]["tags"].remove(
        "remove-cell"
    )


def output(cells):
    cells[4]["outputs"] = [new_output("stream", text="0")]


def same_id(cells):
    cells[6]["id"] = cells[4]["id"]


def machine_id(cells):
    cells[6]["id"] = "3f2a8b1c"


BROKEN = {
    "output": (output, "outputs, counts, metadata or spaces are not"),
    "cell metadata": (code("x", collapsed=True), "metadata or spaces are"),
    "same id": (same_id, "ids, outputs"),
    "machine id": (machine_id, "ids, outputs"),
    "no title": (first("Races."), "cell title: does not start with a title"),
    "second title": (text("# Races again"), "cell step-4: a second title"),
    "no point": (first("# Races"), "does not open with its point"),
    "folded": (code("x", tags=["hide-input"]), "tag hide-input"),
    "no end of it": (drop("conclude"), "does not end with its conclusions"),
    "no measurements": (drop("talks"), "does not show its measurements"),
    "other slug": (
        edited("set-up", '"races"', '"race"'),
        "call it 'races', as the file",
    ),
    "unknown name": (text("{eval}`nothing`"), "which neither notebook nor"),
    "an interval": (text("{eval}`gain.short`"), "write .about"),
    "no rules": (drop("rules"), 'no section "Rules of thumb"'),
    "no parameters": (drop("parameters"), "0 cells are tagged"),
    "missing parameter": (parameters('preset = "S"'), "device"),
    "further parameter": (parameters(f"{PARAMETERS}\nshots = 10"), "shots"),
    "typed number": (text("A loop.\n\nIt is 3.2× faster."), "line 3: typed"),
    "shown": (unfold("set-up"), "cell set-up: the parameters, set-up"),
    "no exercise": (edited("exercise", EXERCISE, ""), "no exercise above it"),
    "no end": (drop("solution-end"), "{solution-start} without its other"),
    "no solution": (drop("solved"), "{solution-start} has no code"),
    "label": (edited("exercise", "races-own", "own"), "{exercise-start} own"),
    "open": (edited("solution", ":class: dropdown\n", ""), "is not folded"),
    "a statement": (text("{eval}`a = 1`"), "{eval}`a = 1` is no expression"),
    "no backtick": (text("A.\nSo {eval}'a'"), "line 2: {eval} that is no"),
    "in HTML": (text("<p>\n{eval}`a`</p>"), "line 2: {eval} that is no"),
}


@pytest.mark.parametrize("edit, finding", BROKEN.values(), ids=BROKEN)
def test_a_broken_rule_is_reported(chapter, edit, finding):
    cells = right_cells()
    edit(cells)
    lines = reports(save(chapter, cells))
    assert any(finding in line for line in lines), lines
    assert all("; repair: " in line for line in lines)


def test_a_name_of_the_prose_has_one_value(chapter):
    cells = right_cells()
    edited("set-up", "gain = 2", "x = 2")(cells)
    code("gain, other = 1, 1\ngain = 2")(cells)
    assert reports(save(chapter, cells)) == []  # the cell's own, at its end
    edited("solved", "mine()", "other = 3\n[gain for gain in (2, 3)]")(cells)
    assert reports(save(chapter, cells)) == []
    edited("solved", "other = 3", "gain = 3")(cells)
    (line,) = reports(save(chapter, cells))
    assert "cell solved: gain" in line


TYPED = [
    "3.2× faster",
    "from 2–3x",
    "takes 6 ms",
    "12 ns/shot",
    "10 per second",
    "twice as fast",
    "tenfold speed-up",
    "a speed-up of 7.5",
    "two orders of magnitude faster",
    "lost in 20 of 20 runs",
    "```{note}\nIt is 8x faster.\n```",
    "```python\nx\n```\n8x faster\n```python\ny\n```",
]
FINE = [
    "10^6 shots, $10^6$ shots, 10 000 shots, 2 × 10 threads",
    "CPython 3.10, 3.13t and Python 3.x; slide 7; since 2018, the 1990s",
    "a 95 % interval and a 95 % confidence interval",
    "{eval}`20 * gain`× faster, {eval}`f'{3} ms'`, {eval}``5 if '`' else 1``",
    "the interval `0.005 s` and ``5 ms``",
    "$$\nt = 3 s\n$$",
    "[Numba makes it 20x faster](https://example.org/20x)",
    "<img src='a.svg' width='80 %'>",
    "~~~python\nx = '12 ms'\n~~~",
    "```{figure} a.svg\n:width: 80 %\nThe finding.\n```",
    "0s and 1s; 64-bit; 2x2 blocks; the 2 threads; 0x1F; min(2, 4)",
]


def typed(source):
    """Return the machine numbers typed in the prose of a Markdown text."""
    passages = prose.passages(source)
    return [number for p in passages for number in numbers.typed(p.words)]


@pytest.mark.parametrize("words", TYPED)
def test_a_typed_machine_number_is_reported(words):
    assert typed(words)


@pytest.mark.parametrize("words", FINE)
def test_other_numbers_may_be_typed(words):
    assert typed(words) == []


# --- repair ----------------------------------------------------------------


def test_fix_clears_and_keeps_content(chapter):
    cells = right_cells()
    for edit in (output, same_id, machine_id):
        edit(cells)
    cells[8]["metadata"] = {"tags": ["remove-cell"], "collapsed": True}
    evaluated = {"expression": "a", "result": {"status": "ok"}}
    cells[3]["metadata"]["user_expressions"] = [evaluated]  # by JupyterLab
    nb = new_notebook(metadata={"papermill": {"duration": 3}})
    nb["cells"], nb["nbformat_minor"] = cells, 4
    for cell in nb["cells"][9:]:
        del cell["id"]
    chapter.write_text(json.dumps(nb), encoding="utf-8")
    assert canonical.fix(chapter)
    assert reports(chapter) == [] and not canonical.fix(chapter)
    after = nbformat.read(chapter, 4)
    assert [c.source for c in after.cells] == [c["source"] for c in cells]
    folded = {"tags": ["remove-cell"], **canonical.FOLDED}
    assert after.cells[8].metadata == folded
    assert after.cells[13].id == "rules-of-thumb"


# --- the command -----------------------------------------------------------


@pytest.fixture
def root(tmp_path):
    """A book with one right chapter and its table of contents."""
    save(tmp_path / "notebooks/threads/races.ipynb", right_cells())
    toc = "format: jb-book\nroot: book/index\nchapters:\n"
    page = "- file: notebooks/threads/races\n"
    (tmp_path / "_toc.yml").write_text(toc + page)
    return tmp_path


@pytest.fixture
def command(root, capsys):
    """Return a function that runs the command: (exit status, lines)."""

    def run(*args):
        status = tidy.main(["--root", str(root), *map(str, args)])
        return status, capsys.readouterr().out.splitlines()

    return run


def test_command_names_findings_and_fixes_them(root, command):
    path = root / "notebooks/threads/races.ipynb"
    cells = right_cells()
    output(cells)
    save(path, cells)
    status, (line,) = command()
    assert status == 1 and line.startswith("notebooks/threads/races.ipynb: ")
    assert line.endswith("repair: scripts/tidy.py --fix")
    fixed = "notebooks/threads/races.ipynb: repaired"
    assert command("--fix") == (0, [fixed])


@pytest.mark.parametrize("option", [[], ["--fix"]], ids=["check", "fix"])
def test_unreadable_file_is_named_and_not_touched(root, command, option):
    path = root / "notebooks/threads/broken.ipynb"
    path.write_bytes(b"\xff\xfe")
    status, lines = command(*option)
    assert status == 2  # and the other page is looked at, too
    assert "notebooks/threads/broken.ipynb: byte 0: " in "".join(lines)
    assert path.read_bytes() == b"\xff\xfe"


def test_toc_names_every_notebook_and_no_other(root, command):
    cells = right_cells()
    for name in ("exercise", "solution"):
        edited(name, "races-own", "more-own")(cells)
    edited("set-up", '"races"', '"more"')(cells)
    save(root / "notebooks/limits/more.ipynb", cells)
    (root / "notebooks/threads/races.ipynb").unlink()
    status, (more, races) = command()
    assert status == 1
    assert "notebooks/limits/more.ipynb is not listed" in more
    assert "notebooks/threads/races does not exist" in races


def test_ruff_reads_the_cells(tmp_path):
    """Style is left to it: the length of lines, a bare except, syntax."""
    cells = right_cells()
    code("try:\n    f()\nexcept:\n    f()  " + "#" * 78)(cells)
    long = save(tmp_path / "long.ipynb", cells)
    code("def f(:")(cells)
    broken = save(tmp_path / "broken.ipynb", cells)
    done = subprocess.run(
        [sys.executable, "-m", "ruff", "check", "--output-format", "concise",
         "--config", ROOT / "pyproject.toml", long, broken],
        capture_output=True, text=True,
    )  # fmt: skip
    for what in ("E501", "E722", "invalid-syntax"):
        assert what in done.stdout


def test_a_page_without_a_title_or_a_line_is_named(root):
    book = root / "book"
    book.mkdir()
    for name in ("parts.yml", "parts.schema.json"):
        shutil.copy(ROOT / "book" / name, book)
    (book / "claims.yml").write_text("chapters: {races: Races}\n")
    assert list(rules.check_contents(root)) == []
    (book / "claims.yml").write_text("chapters: {}\n")
    parts = (book / "parts.yml").read_text("utf-8")
    line = next(x for x in parts.splitlines() if "threads/races:" in x)
    (book / "parts.yml").write_text(parts.replace(line, ""))
    first, second = map(str, rules.check_contents(root))
    assert "no title of races" in first and "add under chapters" in first
    assert "threads/races is missing" in second
