"""Where the book's files are: its folders, its pages, what it builds."""

import hashlib
import json
import pathlib
import re

from onthefly.folders import PACKAGE

NOTEBOOKS = PACKAGE.parent
ROOT = NOTEBOOKS.parent

PAGE = re.compile(r"[a-z0-9_]+/[a-z0-9_]+")  # PART/TOPIC


def name_of(path):
    """Return the PART/TOPIC of a page's file.

    notebooks/arrays/case_the_jump.ipynb -> arrays/case_the_jump
    """
    return f"{path.parent.name}/{path.stem}"


def slug_of(path):
    """Return a page's slug: arrays/case_the_jump.ipynb -> case-the-jump."""
    return path.stem.replace("_", "-")


def pages(folder=NOTEBOOKS):
    """Return the paths of the pages in a folder of parts, sorted."""
    found = sorted(folder.glob("*/*.ipynb"))
    return [path for path in found if PAGE.fullmatch(name_of(path))]


# A page's module has its name, unless that is a library's: JupyterLab puts a
# notebook's folder first on Python's path.
_OF_LIBRARIES = frozenset({"dask"})


def module_beside(notebook):
    """Return the path of the module beside a page's notebook."""
    end = "_page" if notebook.stem in _OF_LIBRARIES else ""
    return notebook.with_name(f"{notebook.stem}{end}.py")


def cells_of(notebook, kind):
    """Return the sources of a notebook's cells of a kind, in its order.

    kind  "code" or "markdown"
    """
    cells = json.loads(notebook.read_text(encoding="utf-8"))["cells"]
    return ["".join(c["source"]) for c in cells if c["cell_type"] == kind]


def find_page(slug):
    """Return the path of a page's notebook, or None.

    Looked for where this process works, which may be a copy of the book's
    folder or one of its parts, and then beside the lab.
    """
    name = f"{slug.replace('-', '_')}.ipynb"
    here = pathlib.Path.cwd()
    for folder in (here, NOTEBOOKS):
        for path in (folder / name, *sorted(folder.glob(f"*/{name}"))):
            if path.is_file() and PAGE.fullmatch(name_of(path)):
                return path
    return None


def file_hash(path):
    """Return the SHA-256 of a file in hex, or "" where none is readable."""
    try:
        return hashlib.sha256(path.read_bytes()).hexdigest()
    except (OSError, ValueError):  # ValueError: the name is none
        return ""
