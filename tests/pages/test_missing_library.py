"""Pages, and the book, where a library is really missing.

`pytest tests/pages/test_missing_library.py -k torch` runs the pages that use
PyTorch in an environment without it, and builds the book from them.
"""

import importlib.metadata
import json
import shutil
import subprocess
import sys
import sysconfig
import venv
from pathlib import Path

import pytest

from commandline import ROOT
from conftest import MACHINE
from onthefly.measure.libraries import LIBRARIES, version
from onthefly.page import checkout, claims
from reading import notebooks
from small_books import command, environment, write_chapter


def python_without(library, folder):
    """Return the Python of an environment like this one, less a library.

    Its packages are links to those of this environment, so that it is made
    in a second and takes no room.
    """
    venv.create(folder, clear=True, symlinks=True)
    base = {"base": str(folder)}
    packages = Path(sysconfig.get_path("purelib", "venv", base))
    absent = {"__pycache__"}
    for name in filter(version, LIBRARIES[library].packages):
        files = importlib.metadata.files(name) or ()
        absent |= {file.parts[0] for file in files}
    for entry in Path(sysconfig.get_path("purelib")).iterdir():
        if entry.name not in absent and not (packages / entry.name).exists():
            (packages / entry.name).symlink_to(entry)
    for name in ("etc", "share"):  # where Jupyter's own files are
        if Path(sys.prefix, name).exists():
            (folder / name).symlink_to(Path(sys.prefix, name))
    return folder / "bin" / "python"


def pages_with(library):
    """Return the slugs of pages that lack something without a library."""
    slugs = {
        claim.chapter
        for claim in claims.load().claims.values()
        if library in claim.needs
    }
    for slug, path in claims.written().items():
        cells = notebooks.read(path)["cells"]
        tags = [tag for c in cells for tag in c["metadata"].get("tags", [])]
        if f"needs-{library}" in tags:
            slugs.add(slug)
    return sorted(slugs & claims.written().keys())


def printed(line, folder, **variables):
    """Run a command line in `folder`; return what it printed."""
    done = subprocess.run(
        [*map(str, line)], cwd=folder, env=environment(**variables),
        capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.slow
def test_a_small_page_without_a_library(tmp_path):
    python = python_without("dask", tmp_path / "python")
    write_chapter(
        tmp_path / "notebooks", "a/small.ipynb",
        "import dask\nversion = dask.__version__",
        tags=["needs-dask"], says="This is version {eval}`version`.",
    )  # fmt: skip
    printed([python, *command(tmp_path)[1:]], tmp_path)
    page = tmp_path / "build" / "executed" / "a/small.ipynb"
    assert "Dask is missing" in page.read_text(encoding="utf-8")


@pytest.mark.long
@pytest.mark.parametrize(
    "library",
    [
        key
        for key, library in LIBRARIES.items()
        if version(*library.packages) and pages_with(key)
    ],
)
def test_the_book_without_a_library(library, build, executed, tmp_path):
    copy = tmp_path / "build"
    for name in ("executed", "results", "figures"):
        shutil.copytree(build / name, copy / name)
    python = python_without(library, tmp_path / "python")
    scripts, slugs = ROOT / "scripts", pages_with(library)
    to = ["--build", copy]
    more = ["--force", "--data", MACHINE]
    printed([python, scripts / "run.py", *slugs, *more, *to], tmp_path)
    printed([python, scripts / "build_book.py", *to], tmp_path)
    # The line of a cell that was left out, or of a claim that is not judged.
    lines = f"{LIBRARIES[library].name} is missing", f"needs {library}"
    for slug in slugs:
        name = checkout.name_of(claims.written()[slug])
        page = copy / "executed" / f"{name}.ipynb"
        text = page.read_text(encoding="utf-8")
        assert any(line in text for line in lines), slug
    assert_judged_without(library, python, copy)


def assert_judged_without(library, python, build):
    """Assert that no claim that needs a library is judged, and why."""
    line = [python, ROOT / "scripts" / "claims.py", "--json"]
    rows = json.loads(printed(line, build, ONTHEFLY_BUILD=str(build)))
    needy = {
        claim.id
        for claim in claims.load().claims.values()
        if library in claim.needs and claim.kind != "history"
    }
    for row in rows:
        if row["id"] in needy and row["chapter"] in claims.written():
            assert row["verdict"] == claims.UNMEASURED, row
            assert row["reason"], row
