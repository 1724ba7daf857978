"""Small books in temporary folders, and the project's commands on them."""

import hashlib
import json
import os
import resource
import shutil
import subprocess
import sys

import nbformat

from commandline import ROOT
from onthefly.measure import data, machine, samples
from onthefly.page import dependencies, results
from reading import stamps

PARAMETERS = """preset = "S"
device = "auto"
seed = 2018
data = "here"
scale = 1.5"""

COPIED = ("scripts", "notebooks/onthefly", "book")
TOC = """\
format: jb-book
root: book/index
chapters:
  - file: notebooks/measuring/first_benchmark
  - file: book/scoreboard
  - file: book/what_changed
  - file: book/measuring
  - file: book/status
"""


def environment(**extra):
    """Return an environment in which this machine has a name of its own."""
    own = {
        name: value
        for name, value in os.environ.items()
        if "ONTHEFLY" not in name and not dependencies.chooses_code(name)
    }
    return {**own, "ONTHEFLY_MACHINE": "box", **extra}


def run_script(name, *arguments, folder, root=ROOT, largest=None, **extra):
    """Run a command of the project in `folder`; return the ended process.

    root     the project's folder
    largest  bytes that a file may get, as on a disk that is nearly full
    extra    variables of its environment
    """

    def limited():
        resource.setrlimit(resource.RLIMIT_FSIZE, (largest, largest))

    return subprocess.run(
        [sys.executable, root / "scripts" / name, *map(str, arguments)],
        env=environment(**{"PYTHONPATH": str(root / "notebooks"), **extra}),
        preexec_fn=limited if largest else None,
        cwd=folder, capture_output=True, text=True, errors="replace",
        timeout=120,
    )  # fmt: skip


def assert_refused(done, *words):
    """Assert exit code 2, and one line on the standard error with `words`."""
    assert done.returncode == 2, (done.returncode, done.stdout, done.stderr)
    assert len(done.stderr.splitlines()) == 1, done.stderr
    missing = [word for word in words if word not in done.stderr]
    assert not missing, f"{missing} not in {done.stderr!r}"


# Chapters that scripts/run.py runs


def write_chapter(folder, name, *sources, tags=(), says=""):
    """Write a chapter: a heading, the parameters, the cells; return it.

    name  of its part and its file, as "a/good.ipynb"
    says  prose below the heading
    """
    code = nbformat.v4.new_code_cell
    cells = [
        nbformat.v4.new_markdown_cell(f"# {name}\n\n{says}"),
        code(PARAMETERS, metadata={"tags": ["parameters"]}),
        *[code(s, metadata={"tags": list(tags)}) for s in sources],
    ]
    kernel = {"name": "python3", "display_name": "P", "language": "python"}
    book = nbformat.v4.new_notebook(
        cells=cells, metadata={"kernelspec": kernel}
    )
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    nbformat.write(book, path)
    return path


def command(folder, *arguments):
    """Return the command line that runs the chapters in `folder`."""
    return [
        sys.executable, ROOT / "scripts" / "run.py",
        "--notebooks", folder / "notebooks", "--build", folder / "build",
        *arguments,
    ]  # fmt: skip


def run(folder, *arguments, **extra):
    """Run the chapters in `folder` and return the ended process.

    extra  as of `run_script`
    """
    return run_script(
        "run.py", *command(folder, *arguments)[2:], folder=folder, **extra
    )


def stamp(folder, name):
    """Return the stamp of a finished chapter."""
    return json.loads((folder / "build/executed" / name).read_text())


def outputs(path):
    """Return all text that a notebook's cells printed."""
    cells = nbformat.read(path, 4).cells
    return "".join(
        output.get("text", "")
        for cell in cells
        for output in cell.get("outputs", [])
    )


# Results, and a whole project

# A cell that keeps what the page SLUG "measured", and its results.
MEASURES = """
from onthefly.measure import data, records, samples
from onthefly.page import results
series = samples.Series("a", None, 1e-3, (1e-3, 2e-3))
own = data.Data("SLUG", preset)
own.add("ways", {}, samples.Samples([series], 2))
data.save(own, records.path_of("SLUG", preset))
results.save(results.Results("SLUG", preset, machine=own.machine))
"""

KEY = {"files": {"files.py": dependencies.package().hash("files.py")}}


def save_results(
    folder,
    chapter="first-benchmark",
    machine_name="box",
    missing=None,
    place="data/S",
):
    """Save a chapter's small results in `folder`, its data beside that.

    place  of the data, beside the results

    Returns the path of the results.
    """
    series = [
        samples.Series("a", n, 0.1, (1e-6 + 1e-9 * n,) * 6)
        for n in (10**2, 10**3, 10**4, 10**5, 10**6)
    ]
    series.append(samples.Series("b", None, 0.1, (0.1,) * 6))
    measured = data.Data(chapter, "S")
    measured.machine["slug"] = machine_name
    measured.add("g", KEY, samples.Samples(series))
    path = folder.parent / place / machine_name / f"{chapter}.json"
    data.save(measured, path)
    kept = results.Results(
        chapter,
        "S",
        machine=measured.machine,
        finished=True,
        missing=missing or {},
    )
    return results.save(kept, folder)


def record(folder, path):
    """Record one results file of `folder`/build; return the process."""
    return run_script(
        "record.py", path.stem, "--name", "box", "--preset", "S",
        "--build", path.parents[2], "--machine", path.parent.name,
        "--to", folder / "book", folder=folder,
    )  # fmt: skip


def project(folder):
    """Copy this project, without its notebooks, to `folder`; return it."""
    ignored = shutil.ignore_patterns("__pycache__")
    for name in COPIED:
        shutil.copytree(ROOT / name, folder / name, ignore=ignored)
    for path in [
        *ROOT.glob("*.lock"),
        *ROOT.glob("*.yml"),
        ROOT / "Makefile",
    ]:
        shutil.copy(path, folder)
    return folder


# A book that scripts/build_book.py builds


def prose_cell(text, values):
    """Return a cell of prose and the values of its expressions.

    values  {expression: {MIME type: text}}
    """
    stored = [
        {"expression": name, "result": {"status": "ok", "data": data}}
        for name, data in values.items()
    ]
    about = {"user_expressions": stored} if stored else {}
    return nbformat.v4.new_markdown_cell(text, metadata=about)


ALL_WELL = [nbformat.v4.new_markdown_cell("# A chapter\n\nAll is well.\n")]


class Book:
    """A book of one chapter in a folder of its own, which was run."""

    def __init__(self, folder):
        self.folder = folder
        self.root, self.build = folder / "root", folder / "build"
        self.index = self.build / "html" / "index.html"
        self.page = self.build / "html" / "book" / "index.html"
        self.record = self.build / "sphinx" / "inputs.json"
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
        """Write a page of prose."""
        (self.root / "book" / f"{name}.md").write_text(text)

    def execute(self, cells=ALL_WELL, missing=None):
        """Put a finished chapter, its stamp and its results in place.

        cells, missing  what its notebook holds; what its results lack
        """
        notebook = nbformat.v4.new_notebook(
            cells=cells,
            metadata={"papermill": {}, "language_info": {"name": "python"}},
        )
        part = self.build / "executed" / "measuring"
        part.mkdir(parents=True, exist_ok=True)
        self.notebook = part / "first_benchmark.ipynb"
        self.stamp = part / "first_benchmark.json"
        nbformat.write(notebook, self.notebook)
        stamp = {
            "chapter": "first-benchmark",
            "preset": "S",
            "device": "auto",
            "machine": machine.slug(),
            "started": "2026-01-02T03:04:05+00:00",
            "duration_s": 65.0,
            "key": {part: {} for part in stamps.NAMED},
            "notebook_sha256": digest(self.notebook),
        }
        self.stamp.write_text(json.dumps(stamp))
        self.results = save_results(
            self.build / "results",
            machine_name=machine.slug(),
            missing=missing,
        )

    def arguments(self, *more):
        """Return the arguments that build it."""
        return ["--root", self.root, "--build", self.build, *more]

    def make(self, *more, **extra):
        """Build it; return the ended process."""
        return run_script(
            "build_book.py",
            *self.arguments(*more),
            folder=self.folder,
            **extra,
        )

    def state(self):
        """Return {page: content hash and time} of the built book."""
        pages = sorted(self.index.parent.rglob("*.html"))
        return {p: (digest(p), p.stat().st_mtime_ns) for p in pages}


def digest(path):
    """Return the SHA-256 of a file in hex."""
    return hashlib.sha256(path.read_bytes()).hexdigest()
