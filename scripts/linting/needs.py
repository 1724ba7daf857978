"""The tags needs-LIB: which cells rest on a library that may be missing.

A cell that imports one, or a module of the lab that does so at its top level,
has its tag.  LIB is the library's key in the lab's table.
"""

from onthefly.measure.libraries import LIBRARIES
from onthefly.page import dependencies
from reading import notebooks

PREFIX = "needs-"
OPTIONAL = {
    library.module: key
    for key, library in LIBRARIES.items()
    if not library.needed
}


def broken(notebook):
    """Yield (cell, what is wrong, the repair) of a page's tags."""
    for cell in notebook["cells"]:
        tags = {
            tag.removeprefix(PREFIX)
            for tag in notebooks.tags(cell)
            if tag.startswith(PREFIX)
        }
        for key in sorted(tags - LIBRARIES.keys()):
            known = ", ".join(OPTIONAL.values())
            yield cell, f"tag {PREFIX}{key} of no library", f"use of {known}"
        if cell["cell_type"] != "code":
            continue
        for key in sorted(required(cell["source"]) - tags):
            what = f"it rests on {LIBRARIES[key].name}, which may be missing"
            yield cell, what, f'tag it "{PREFIX}{key}"'


def required(source):
    """Return the keys of the libraries that a cell cannot run without."""
    return dependencies.libraries_of(source, OPTIONAL)
