"""What a page was made from: the files and the recorded results it used.

Its key in the cache, and what `scripts/record.py` compares.  The lab's own
modules are found among those loaded; what another process loads, what a
compiler reads and what is drawn from recorded results is noted by those who
do it.
"""

import hashlib
import os
import pathlib
import re
import sys

LAB = pathlib.Path(__file__).resolve().parent
NOTEBOOKS = LAB.parent  # the folder that other processes import the lab from
ROOT = NOTEBOOKS.parent


def build_dir():
    """Return the folder of generated files (ONTHEFLY_BUILD, or _build)."""
    named = os.environ.get("ONTHEFLY_BUILD", "").strip()
    return pathlib.Path(named or ROOT / "_build")


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


_files = set()
_slugs = set()


def note_file(path):
    """Note a file of the project that this process does not import itself.

    path  a program that runs in another process, a source in C, data
    """
    _files.add(pathlib.Path(path).resolve())


def note_slug(slug):
    """Note that recorded results of a page, by its slug, were looked for."""
    _slugs.add(slug)


def slugs():
    """Return the slugs noted, sorted."""
    return sorted(_slugs)


def lab_files():
    """Return {path within the lab: hash} of all files used so far."""
    loaded = {
        pathlib.Path(module.__file__).resolve()
        for name, module in list(sys.modules.items())
        if name.partition(".")[0] == "onthefly"
        and getattr(module, "__file__", None)
    }
    paths = sorted(p for p in loaded | _files if p.is_relative_to(LAB))
    return {p.relative_to(LAB).as_posix(): file_hash(p) for p in paths}


def read_files():
    """Return {path within the project: hash} of files noted beside the lab.

    What lies outside of the project does not count.
    """
    paths = sorted(p for p in _files if not p.is_relative_to(LAB))
    return {
        p.relative_to(ROOT).as_posix(): file_hash(p)
        for p in paths
        if p.is_relative_to(ROOT)
    }


def file_hash(path):
    """Return the SHA-256 of a file in hex, or "" where none is readable."""
    try:
        return hashlib.sha256(path.read_bytes()).hexdigest()
    except (OSError, ValueError):  # ValueError: the name is none
        return ""
