"""What a page of the book imports: it measures, concludes, and is judged.

A page is a notebook, ``notebooks/threads/races.ipynb``, and a module beside
it, ``races.py``.  The notebook measures by a :class:`Chapter`; the module
says what follows from the measurements, one function a value; the notebook's
last cell, ``book.conclude(globals())``, works all of them out.
"""

import importlib

_MODULES = {
    "Chapter": "chapter",
    "answer": "conclusions",
    "expect": "conclusions",
    "figure": "conclusions",
    "judge": "conclusions",
    "table": "conclusions",
    "unresolved": "verdicts",
}
__all__ = list(_MODULES)


# When they are asked for: commands import other modules of this package, and
# the charts of a Chapter take half of a second to load.
def __getattr__(name):
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    module = importlib.import_module(f"{__name__}.{_MODULES[name]}")
    return getattr(module, name)
