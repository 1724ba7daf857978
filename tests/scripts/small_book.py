"""Small books for tests: tiny chapters, run by the real scripts/run.py."""

import contextlib
import json
import os
import subprocess
import sys

import nbformat

import run as run_script
from conftest import ROOT, call

PARAMETERS = 'preset = "S"\ndevice = "auto"\nseed = 2018\nscale = 1.5'


def write_chapter(folder, name, *sources, tags=()):
    """Write a chapter: a heading, the parameters, the cells; return it."""
    code = nbformat.v4.new_code_cell
    cells = [
        nbformat.v4.new_markdown_cell(f"# {name}"),
        code(PARAMETERS, metadata={"tags": ["parameters"]}),
        *[code(s, metadata={"tags": list(tags)}) for s in sources],
    ]
    kernel = {"name": "python3", "display_name": "P", "language": "python"}
    book = nbformat.v4.new_notebook(
        cells=cells, metadata={"kernelspec": kernel}
    )
    folder.mkdir(exist_ok=True)
    nbformat.write(book, folder / name)
    return folder / name


def options(folder, *arguments):
    """Return the arguments by which run.py runs the chapters in `folder`."""
    place = "--notebooks", folder / "notebooks", "--build", folder / "build"
    return [*place, *arguments]


def command(folder, *arguments):
    """Return the command line that runs the chapters in `folder`."""
    line = options(folder, *arguments)
    return [sys.executable, ROOT / "scripts" / "run.py", *line]


def environment(**extra):
    """Return an environment in which this machine has a name of its own."""
    return {**os.environ, "ONTHEFLY_MACHINE": "box", **extra}


def run(folder, *arguments, **extra):
    """Run run.py to its end, in this process; return how it ended."""
    line = options(folder, *arguments)
    with contextlib.chdir(folder):
        return call(run_script.main, *line, environment=environment(**extra))


def run_apart(folder, *arguments, **extra):
    """Run run.py to its end, in its own process, which is returned."""
    return subprocess.run(
        command(folder, *arguments), env=environment(**extra), cwd=folder,
        capture_output=True, text=True, timeout=120,
    )  # fmt: skip


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
