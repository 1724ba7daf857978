"""The tree that Sphinx reads, and what it is made from.

A build is made from whole trees: code, pages, ledger, recorded results, and
the runs.  So there is no list of what it reads that one could forget to
extend.
"""

import importlib.metadata
import re
import sys

import nbformat

from commandline import ROOT
from onthefly import files, reports
from onthefly.errors import UserError
from onthefly.folders import PACKAGE
from onthefly.page import results
from onthefly.page.checkout import NOTEBOOKS, file_hash
from reading import notebooks, stamps, toc
from rendering.paths import signpost
from rendering.plain import staged

SETTINGS = ("_config.yml", toc.NAME)
TREES = (NOTEBOOKS, ROOT / "scripts", ROOT / "book")
# A heading with a label, to which other pages may refer.
LABELLED = re.compile(r"^\(([\w-]+)\)=\n+#+ (.+)$", re.M)
ASSETS = ("*.bib", "_static/**/*", "_ext/*.py")


def stamp_of(root, build, chapter):
    """Return the stamp of a finished chapter.

    root     folder of the table of contents that names it
    build    folder of generated files
    chapter  its name, as "part/topic"

    Raises UserError unless its notebook is there, whole, and the one that the
    stamp was written for.
    """
    notebook = build / "executed" / f"{chapter}.ipynb"
    path = stamps.path_of(notebook)
    repair = f"run scripts/run.py {notebook.stem}"
    for file in (path, notebook):
        if not file.exists():
            toc.check(root, toc.FOLDER + chapter)
            raise UserError(
                f"{chapter}: not finished, {file} is missing; {repair}"
            )
    stamp = stamps.read(path)
    if not stamp["key"]:
        raise UserError(f"{chapter}: its last run did not end; {repair}")
    if stamp["notebook_sha256"] != file_hash(notebook):
        raise UserError(
            f"{chapter}: {notebook} is not the notebook that was stamped; "
            f"{repair} --force"
        )
    return stamp


def runs(root, build, chapters):
    """Return ({name: stamp}, {name: why not}) of chapters, finished or not.

    Arguments as of `stamp_of`, names of chapters in the place of one.  Raises
    UserError where no chapter is finished.
    """
    stamps, faults = {}, {}
    for name in chapters:
        try:
            stamps[name] = stamp_of(root, build, name)
        except UserError as error:
            faults[name] = error
    if faults and not stamps:
        raise next(iter(faults.values()))
    return stamps, {name: str(error) for name, error in faults.items()}


def placeholder(root, chapter):
    """Return the notebook that stands for an unfinished chapter, as bytes.

    It has the chapter's headings that other pages refer to, and no more.
    """
    file = f"{toc.FOLDER}{chapter}.ipynb"
    found = [home / file for home in (root, ROOT) if (home / file).exists()]
    cells = notebooks.read(found[0])["cells"] if found else []
    texts = [c["source"] for c in cells if c["cell_type"] == "markdown"]
    headings = [pair for text in texts for pair in LABELLED.findall(text)]
    (label, title), *others = headings or [(chapter, chapter)]
    command = f"scripts/run.py {chapter.rpartition('/')[2]}"
    missing = "This page is missing in this copy: its last run did not end."
    lines = [f"({label})=", f"# {title}", ""]
    lines += [f"**{missing}** `{command}` runs it, and says why.", ""]
    for other, heading in others:
        lines += [f"({other})=", f"## {heading}", ""]
    cell = nbformat.v4.new_markdown_cell("\n".join(lines), id="missing")
    # As executed: what the extension finds no run of, it does not replace.
    page = nbformat.v4.new_notebook(cells=[cell], metadata={"papermill": {}})
    return nbformat.writes(page).encode()


def inputs(root, build, chapters):
    """Return {name: hash or version} of all that a build is made from.

    chapters  names of the pages, as "part/topic"

    Files have their paths as names, installed packages their own.
    """
    paths = [root / name for name in SETTINGS]
    for name in chapters:
        notebook = build / "executed" / f"{name}.ipynb"
        paths += [notebook, stamps.path_of(notebook)]
    made = results.results_dir(), build / "data"
    for tree in (*TREES, root / "book", *made):
        paths += _files(tree)
    packages = {
        f"package {package.name}": package.version
        for package in importlib.metadata.distributions()
    }
    return {
        "python": sys.version,
        **packages,
        **{str(path): file_hash(path) for path in paths},
    }


def _files(tree):
    """Return the files of a tree, without caches and what is hidden."""
    return [
        path
        for path in tree.rglob("*")
        if path.is_file()
        and not any(
            part.startswith(".") or part == "__pycache__"
            for part in path.relative_to(tree).parts
        )
    ]


def frame(root, inputs):
    """Return those of the inputs that Sphinx does not follow by itself.

    They are the settings, the table of contents, the tools, and Sphinx's
    extensions with the lab, which these import.
    """
    settings = {str(root / name) for name in SETTINGS}
    code = tuple(f"{folder}/" for folder in (root / "book" / "_ext", PACKAGE))
    return {
        name: value
        for name, value in inputs.items()
        if "/" not in name or name in settings or name.startswith(code)
    }


def sources(root, build, chapters):
    """Return {path in the stage: bytes} of settings, assets and chapters.

    chapters  names of the pages, as "part/topic"
    """
    paths = [root / name for name in SETTINGS]
    for pattern in ASSETS:
        paths += [p for p in (root / "book").glob(pattern) if p.is_file()]
    found = {p.relative_to(root).as_posix(): p.read_bytes() for p in paths}
    colours = reports.FOLDER / "colours.css"
    found[f"book/_static/{colours.name}"] = colours.read_bytes()
    documents = toc.documents(root)
    for name in chapters:
        document = f"{toc.FOLDER}{name}"
        found[f"{document}.ipynb"] = _signed(
            staged(build / "executed" / f"{name}.ipynb"),
            signpost(document, documents),
        )
    return found


def _signed(notebook, text):
    """Return the bytes of a notebook with a last cell of Markdown, if any."""
    if text:
        cell = nbformat.v4.new_markdown_cell(text, id="routes")
        notebook.cells.append(cell)
    return nbformat.writes(notebook).encode()


def write(wanted, folder):
    """Make `folder` hold exactly `wanted`; leave what is unchanged alone.

    wanted  {path in the folder: bytes}

    Sphinx reads again what is newer than its last reading.
    """
    for path in [p for p in folder.rglob("*") if p.is_file()]:
        if path.relative_to(folder).as_posix() not in wanted:
            path.unlink()
    for name, data in wanted.items():
        path = folder / name
        if not path.exists() or path.read_bytes() != data:
            files.write(path, data)
