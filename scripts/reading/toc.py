"""The table of contents: which pages the book has, in which order."""

import difflib

from commandline import ROOT
from onthefly import files
from onthefly.errors import UserError
from onthefly.page.checkout import PAGE, name_of

NAME = "_toc.yml"
FOLDER = "notebooks/"


def documents(root):
    """Return the documents that `root`/_toc.yml names, in its order.

    A document is a path below `root` without suffix, as "book/index".
    Raises UserError, with the place and the repair, where the file is missing
    or is no table of contents.
    """
    path = root / NAME
    contents = files.yaml_data(path)
    if not isinstance(contents, dict) or not contents.get("root"):
        raise UserError(
            f"{path}: not a table of contents; begin it with "
            '"format: jb-book" and "root: book/index"'
        )
    return [
        name.removesuffix(".ipynb").removesuffix(".md")
        for name in _entries(contents, path)
    ]


def chapters(root):
    """Return the names of the chapters, as "part/topic", in its order.

    Raises UserError for one that lies elsewhere, too.
    """
    names = [n for n in documents(root) if n.startswith(FOLDER)]
    for name in names:
        if not PAGE.fullmatch(name.removeprefix(FOLDER)):
            raise UserError(
                f"{root / NAME}: {name!r} is no chapter; it is called "
                f"{FOLDER}PART/TOPIC, in lower case"
            )
    return [name.removeprefix(FOLDER) for name in names]


def ordered(paths, root):
    """Return paths of chapters in the order of `root`/_toc.yml, if any.

    Those that it does not name come last.
    """
    names = chapters(root) if (root / NAME).exists() else []
    place = {name: number for number, name in enumerate(names)}
    return sorted(
        paths, key=lambda path: (place.get(name_of(path), len(place)), path)
    )


def check(root, name):
    """Raise UserError for a document that is nowhere.

    name  as `documents` returns it; what `root` lacks is this checkout's
    """
    known = {
        path.relative_to(folder).with_suffix("").as_posix()
        for folder in (root, ROOT)
        for pattern in (f"{FOLDER}*/*.ipynb", "book/*.md")
        for path in folder.glob(pattern)
    }
    if name not in known:
        near = difflib.get_close_matches(name, known, n=1)
        repair = f"did you mean {near[0]}?" if near else "take it out"
        raise UserError(f"{root / NAME}: no page {name!r}; {repair}")


def written(root):
    """Return `chapters`, each of which has a notebook.

    Raises UserError for one that has none, where `root` has notebooks at all.
    """
    names = chapters(root)
    if any((root / FOLDER).glob("*/*.ipynb")):
        for name in names:
            check(root, FOLDER + name)
    return names


def _entries(node, path):
    """Yield each file that a part of the table names, in its order."""
    if isinstance(node, list):
        for item in node:
            yield from _entries(item, path)
    if not isinstance(node, dict):
        return
    if "glob" in node:
        raise UserError(
            f"{path}: glob {node['glob']!r}: the order of its pages is not "
            "said; list each with file"
        )
    for key in ("root", "file"):
        if not isinstance(node.get(key, ""), str):
            raise UserError(
                f"{path}: {key} {node[key]!r} is no name of a page; write "
                "its path without suffix"
            )
    yield from (node[key] for key in ("root", "file") if key in node)
    for value in node.values():
        yield from _entries(value, path)
