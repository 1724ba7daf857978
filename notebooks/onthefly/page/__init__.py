"""What a page of the book imports: it measures, concludes, and is judged.

A page is a notebook, ``notebooks/threads/races.ipynb``, and a module beside
it, ``races.py``.  The notebook measures by a :class:`Chapter`; the module
says what follows from the measurements, one function a value; the notebook's
last cell, ``book.conclude(globals())``, works all of them out.
"""

from onthefly.page.chapter import Chapter
from onthefly.page.conclusions import answer, expect, figure, judge, table
from onthefly.page.verdicts import unresolved

__all__ = [
    "Chapter",
    "answer",
    "expect",
    "figure",
    "judge",
    "table",
    "unresolved",
]
