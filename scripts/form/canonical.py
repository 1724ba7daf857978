"""The one canonical text of a notebook, and the ids of its cells."""

import copy
import re

import nbformat

from form import markdown
from onthefly import files
from reading import notebooks

# The metadata block of a chapter.  Nothing that a run or an editor adds
# (versions, widgets, papermill's timings) belongs in git.
METADATA = {
    "kernelspec": {
        "display_name": "Python 3",
        "language": "python",
        "name": "python3",
    },
    "language_info": {"name": "python"},
}
CELL_METADATA = {"tags", "mystnb"}
ID = re.compile(r"[a-z]+(-[a-z0-9]+)*")


def dumps(notebook):
    """Return the canonical text of a notebook."""
    node = nbformat.from_dict(notebook)
    return nbformat.v4.writes(node).rstrip("\n") + "\n"


def fix(path, name=None):
    """Repair the notebook at `path`; return whether it was changed.

    Raises Refused, with `name`, where it is no notebook.
    """
    text = dumps(repaired(notebooks.read(path, name)))
    if text == path.read_text(encoding="utf-8"):
        return False
    files.write(path.resolve(), text)
    return True


def metadata(notebook):
    """Return the metadata that a chapter should have.

    One that times nothing says so there.
    """
    own = {} if notebooks.times(notebook) else {"onthefly": {"times": False}}
    return {**copy.deepcopy(METADATA), **own}


def repaired(notebook):
    """Return it in canonical form; what only a person can mend stays."""
    notebook = copy.deepcopy(notebook)
    notebook["metadata"] = metadata(notebook)
    notebook["nbformat_minor"] = max(5, notebook["nbformat_minor"])
    for cell in notebook["cells"]:
        kept = CELL_METADATA & cell["metadata"].keys()
        cell["metadata"] = {key: cell["metadata"][key] for key in kept}
        if not notebooks.tags(cell):
            cell["metadata"].pop("tags", None)
        if cell["cell_type"] == "code":
            cell["outputs"], cell["execution_count"] = [], None
    _name_cells(notebook["cells"])
    return notebook


def good_id(name):
    """Tell whether a cell's id is words that a person can read."""
    return isinstance(name, str) and len(name) <= 64 and ID.fullmatch(name)


def _name_cells(cells):
    """Give a readable id to each cell whose id is none, in place."""
    taken = {cell["id"] for cell in cells if good_id(cell.get("id"))}
    seen, section = set(), "start"
    for cell in cells:
        heading = _heading(cell)
        section = slug(heading) or section
        if not good_id(cell.get("id")) or cell["id"] in seen:
            stem = _id_stem(cell, section, bool(heading))
            cell["id"] = _free(stem, taken)
            taken.add(cell["id"])
        seen.add(cell["id"])


def _heading(cell):
    """Return the first heading of a Markdown cell, or ""."""
    if cell["cell_type"] != "markdown":
        return ""
    found = markdown.passages(cell["source"])
    return next((p.words for p in found if p.level), "")


def _id_stem(cell, section, is_heading):
    """Return what a cell is about, as the stem of its id."""
    if "parameters" in notebooks.tags(cell):
        return "parameters"
    if cell["cell_type"] != "code":
        return section if is_heading else f"{section}-text"
    defined = re.search(r"^def ([a-z]\w*)", cell["source"], re.M)
    drawn = re.search(r"\.figure\(\s*\w+,\s*\"([\w-]+)\"", cell["source"])
    name = (drawn or defined)[1] if drawn or defined else ""
    return slug(name) or f"{section}-code"


def _free(stem, taken):
    """Return `stem`, or `stem` with the first number that is not taken."""
    if stem not in taken:
        return stem
    n = 2
    while f"{stem}-{n}" in taken:
        n += 1
    return f"{stem}-{n}"


def slug(text):
    """Return `text` as at most five lower-case words joined by hyphens."""
    words = re.findall(r"[a-z0-9]+", text.lower().replace("'", ""))
    while words and not words[0].isalpha():
        words.pop(0)
    return "-".join(words[:5])[:50].rstrip("-")
