"""Print what the code of a checkout says its measurements are made from.

Run by `recording.migration` with the package of another checkout on the path.
JSON: {page's slug: [[cell, first line, last line, code], ...]}, of the
statements that ask, where cells are those that run.
"""

import importlib.util
import json
import pathlib
import sys


def keys_of(cells):
    """Return [[cell, first line, last, code]] of what a page may ask for."""
    from onthefly import dependencies, missing

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


def keys_before_dependencies(cells):
    """Do the same where the package has no module `dependencies` yet."""
    from onthefly.provenance import LAB

    from onthefly import keys, missing
    from reading import measurements, notebooks

    order, sources = missing.Cells(), []
    for cell in cells:
        if cell["cell_type"] == "code":
            lack = order.lack(cell["source"], notebooks.tags(cell))
            order.done(cell["source"], lack)
            sources += [] if lack else [cell["source"]]
    places = {
        id(statement): [number, statement.first, statement.last]
        for number, source in enumerate(sources)
        for statement in keys.statements(source)
    }
    return [
        [*places[id(statement)], keys.code_of(key)]
        for statement, key in measurements.asked(cells, {}, LAB)
    ]


def main():
    """Print the keys of the pages that are named."""
    here = importlib.util.find_spec("onthefly.dependencies")
    find = keys_of if here else keys_before_dependencies
    from reading import notebooks

    found = {}
    for path in sys.argv[1:]:
        slug = path.rpartition("/")[2].removesuffix(".ipynb")
        cells = notebooks.read(pathlib.Path(path))["cells"]
        found[slug.replace("_", "-")] = find(cells)
    print(json.dumps(found))


if __name__ == "__main__":
    main()
