"""Small books for tests: tiny chapters, run by the real scripts/run.py."""

import json
import os
import subprocess
import sys

import nbformat

from conftest import ROOT

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


def command(folder, *arguments):
    """Return the command line that runs the chapters in `folder`."""
    return [
        sys.executable, ROOT / "scripts" / "run.py",
        "--notebooks", folder / "notebooks", "--build", folder / "build",
        *arguments,
    ]  # fmt: skip


def environment(**extra):
    """Return an environment in which this machine has a name of its own."""
    return {**os.environ, "ONTHEFLY_MACHINE": "box", **extra}


def run(folder, *arguments, **extra):
    """Run run.py to its end and return the finished process."""
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
