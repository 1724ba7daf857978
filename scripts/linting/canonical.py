"""The one canonical text of a notebook, and the ids of its cells."""

import copy
import itertools
import re

import nbformat

from linting import prose
from onthefly import files
from reading import notebooks

# The metadata of a page.  Nothing that a run or an editor adds (versions,
# widgets, papermill's timings) belongs in git.
METADATA = {
    "kernelspec": {
        "display_name": "Python 3",
        "language": "python",
        "name": "python3",
    },
    "language_info": {"name": "python"},
}
CELL_METADATA = {"tags", "mystnb"}
# A cell that the page does not show is folded in JupyterLab, and in Colab.
REMOVED = "remove-cell"
FOLDED = {"jupyter": {"source_hidden": True}, "cellView": "form"}
ID = re.compile(r"[a-z]+(-[a-z0-9]+)*")


def text(notebook):
    """Return the canonical text of a notebook: what a run leaves is out."""
    notebook = nbformat.from_dict(copy.deepcopy(notebook))
    notebook["nbformat_minor"] = max(5, notebook["nbformat_minor"])
    notebook["metadata"] = nbformat.from_dict(METADATA)
    for cell in notebook["cells"]:
        for key in cell["metadata"].keys() - CELL_METADATA:
            del cell["metadata"][key]
        if not notebooks.tags(cell):
            cell["metadata"].pop("tags", None)
        if cell["cell_type"] == "code":
            cell["outputs"], cell["execution_count"] = [], None
            if REMOVED in notebooks.tags(cell):
                cell["metadata"].update(nbformat.from_dict(FOLDED))
    _name_cells(notebook["cells"])
    return nbformat.v4.writes(notebook).rstrip("\n") + "\n"


def fix(path, name=None):
    """Repair the notebook at `path`; return whether it was changed.

    Raises UserError, with `name`, where it is no notebook.
    """
    repaired = text(notebooks.read(path, name))
    if repaired == path.read_text(encoding="utf-8"):
        return False
    files.write(path.resolve(), repaired)
    return True


def good_id(name):
    """Tell whether a cell's id is words that a person can read."""
    return isinstance(name, str) and len(name) <= 64 and ID.fullmatch(name)


def _name_cells(cells):
    """Give an id, of its section, to each cell whose id is none, in place."""
    taken = {cell["id"] for cell in cells if good_id(cell.get("id"))}
    seen, section = set(), "start"
    for cell in cells:
        section = slug(_heading(cell)) or section
        if not good_id(cell.get("id")) or cell["id"] in seen:
            numbered = (f"{section}-{n}" for n in range(2, 2 + len(cells)))
            free = (id for id in (section, *numbered) if id not in taken)
            cell["id"] = next(free)
            taken.add(cell["id"])
        seen.add(cell["id"])


def _heading(cell):
    """Return the first heading of a Markdown cell, or ""."""
    if cell["cell_type"] != "markdown":
        return ""
    passages = prose.passages(cell["source"])
    return next((p.words for p in passages if p.level), "")


def slug(text):
    """Return `text` as at most five lower-case words joined by hyphens."""
    words = re.findall(r"[a-z0-9]+", text.lower().replace("'", ""))
    words = itertools.dropwhile(lambda word: not word.isalpha(), words)
    return "-".join(itertools.islice(words, 5))[:50].rstrip("-")
