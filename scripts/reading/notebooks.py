"""Notebooks, and the parameters that they set.

A notebook is read as a dict in the form of the file, with the source of each
cell as one text.  Only its shape is looked at here, so that a run with
nothing to do ends at once; linting/ checks it against the format's schema.
"""

import ast

from onthefly import files
from onthefly.errors import UserError

NEEDED = ("preset", "device")  # a run sets these two


def paths(root):
    """Return the paths of all notebooks of the book in `root`, sorted."""
    found = (root / "notebooks").rglob("*.ipynb")
    return sorted(p for p in found if ".ipynb_checkpoints" not in p.parts)


def read(path, name=None):
    """Return the notebook at `path` as a dict.

    `name` is what a message calls it; by default its path.  Each cell has a
    type, a source that is one text, and metadata; the notebook's own may be
    absent.  Raises UserError, with the place and the repair, where the file
    is no notebook of format 4.
    """
    name = name or path
    notebook = files.json_data(path, name)
    if (
        not isinstance(notebook, dict)
        or notebook.get("nbformat") != 4
        or type(notebook.get("nbformat_minor")) is not int
    ):
        raise UserError(
            f"{name}: not a notebook of format 4; restore it with git, or "
            "jupyter nbconvert --to notebook --nbformat 4"
        )
    cells = notebook.get("cells")
    if not isinstance(cells, list):
        raise UserError(f"{name}: no list of cells; restore it with git")
    if not isinstance(notebook.get("metadata", {}), dict):
        raise UserError(
            f"{name}: metadata is not a mapping; restore it with git, or "
            "save it again in JupyterLab"
        )
    for number, cell in enumerate(cells, 1):
        if fault := _fault(cell):
            raise UserError(
                f"{name}: cell {number}: {fault}; restore it with git, or "
                "save it again in JupyterLab"
            )
        cell["source"] = "".join(cell["source"])
    return notebook


def _fault(cell):
    """Return what a cell lacks of the shape that all readers rely on."""
    if not isinstance(cell, dict):
        return "not a cell"
    if not isinstance(cell.get("cell_type"), str):
        return "no type"
    source, metadata = cell.get("source"), cell.get("metadata")
    if not isinstance(source, str) and not _are_texts(source):
        return "no source"
    if not isinstance(metadata, dict):
        return "no metadata"
    if not isinstance(cell.get("outputs", []), list):
        return "no list of outputs"
    return "" if _are_texts(metadata.get("tags", [])) else "no list of tags"


def _are_texts(items):
    """Tell whether this is a list of texts."""
    return isinstance(items, list) and all(type(x) is str for x in items)


def tags(cell):
    """Return the tags of a cell."""
    return cell["metadata"].get("tags", [])


def parameters(notebook, name):
    """Return {parameter: default} of the cell tagged "parameters".

    `name` is what a message calls the notebook.  Raises UserError unless just
    one cell has the tag, each of its lines sets a name to a constant, and
    preset and device are among them.
    """
    tagged = [c for c in notebook["cells"] if "parameters" in tags(c)]
    if len(tagged) != 1:
        raise UserError(
            f"{name}: {len(tagged)} cells are tagged 'parameters'; tag one, "
            "the cell that sets preset, device, seed and data"
        )
    try:
        body = ast.parse(tagged[0]["source"]).body
        values = dict(map(_setting, body))
    except (SyntaxError, ValueError, TypeError):
        raise UserError(
            f"{name}: the parameters cell is not plain; write lines of the "
            "form name = constant"
        ) from None
    if missing := set(NEEDED) - set(values):
        raise UserError(
            f"{name}: the parameters cell does not set "
            f"{' and '.join(sorted(missing))}; add it"
        )
    return values


def _setting(statement):
    """Return (name, value) of ``name = constant``, or raise ValueError."""
    match statement:
        case ast.Assign(targets=[ast.Name(id=name)], value=value):
            return name, ast.literal_eval(value)
        case ast.AnnAssign(
            target=ast.Name(id=name), value=ast.expr() as value
        ):
            return name, ast.literal_eval(value)
    raise ValueError(f"line {statement.lineno} sets no name to a constant")
