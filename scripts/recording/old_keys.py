"""Print what the code of a checkout says its measurements are made from.

Run by `recording.migration` with the package of another checkout on the path.
JSON: {page's slug: [[cell, first line, last line, code], ...]}, of the
statements that ask, where cells are those that run.
"""

import importlib
import importlib.util
import json
import pathlib
import sys


def keys_of(cells):
    """Return [[cell, first line, last, code]] of what a page may ask for."""
    dependencies, missing = map(_module, ("dependencies", "missing"))
    sources = missing.running(cells)
    places = {
        id(statement): [number, statement.first, statement.last]
        for number, source in enumerate(sources)
        for statement in dependencies.statements(source)
    }
    return [
        [*places[id(statement)], dependencies.code_of(key)]
        for statement, key in dependencies.asked(sources, {})
    ]


def _module(name):
    """Return a module of the checkout's package: once, all lay on its top."""
    where = "onthefly.page"
    if importlib.util.find_spec(where + ".dependencies") is None:
        where = "onthefly"
    return importlib.import_module(f"{where}.{name}")


def main():
    """Print the keys of the pages that are named."""
    from reading import notebooks

    found = {}
    for path in sys.argv[1:]:
        slug = path.rpartition("/")[2].removesuffix(".ipynb")
        cells = notebooks.read(pathlib.Path(path))["cells"]
        found[slug.replace("_", "-")] = keys_of(cells)
    print(json.dumps(found))


if __name__ == "__main__":
    main()
