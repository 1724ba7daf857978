"""How far a page is from one story: what a reader meets on it.

Shown code should be the subject.  Lines that judge, keep, caption,
name or format are plumbing: they are counted here, and nothing is refused.
"""

import ast
import collections
import math
import re
import statistics

from form import cells
from form.folded import is_hidden
from form.markdown import passages
from reading import notebooks

# Methods of a chapter whose calls are plumbing from end to end.
CALLS = {
    "judge": "judge", "cannot": "judge", "expect": "judge", "keep": "keep",
}  # fmt: skip
KEYWORDS = {
    "alt": "alt", "caption": "caption", "why": "judge", "reason": "judge",
}  # fmt: skip


def advice(path, name):
    """Return one line on a page: its shown cells, plumbing and words.

    Raises Refused, with `name`, where the file is no notebook.
    """
    book = notebooks.read(path, name)
    shown = [cell["source"].strip("\n") for cell in book["cells"]
             if cell["cell_type"] == "code" and cell["source"].strip()
             and not is_hidden(cell)]  # fmt: skip
    words = sum(
        len(re.findall(r"\w[\w'’-]*", passage.words))
        for cell in book["cells"]
        if cell["cell_type"] == "markdown"
        for passage in passages(cell["source"])
    )
    return f"{name}: advice: {_code(shown)}; {words} words"


def _code(shown):
    """Return what to say of the sources of the shown cells."""
    if not shown:
        return "no shown cells"
    lengths = sorted(len(source.split("\n")) for source in shown)
    most = lengths[math.ceil(0.9 * len(lengths)) - 1]
    kinds = [kind for source in shown for kind in plumbing(source).values()]
    parts = ", ".join(
        f"{kind} {count}"
        for kind, count in collections.Counter(kinds).items()
    )
    return (
        f"{len(shown)} shown cells of {statistics.median(lengths):g} lines "
        f"(median; 90 % have {most} at most); plumbing in {len(kinds)} "
        f"of {sum(lengths)} lines" + (f" ({parts})" if parts else "")
    )


def plumbing(source):
    """Return {line: kind} of the lines of a code cell that are plumbing."""
    tree = cells.parse(source)
    found = {}
    for node in ast.walk(tree) if tree else ():
        for part, kind in _parts(node):
            for line in range(part.lineno, part.end_lineno + 1):
                found.setdefault(line, kind)  # the outermost names it
    return found


def _parts(node):
    """Yield (node, kind) of what is plumbing in a node of a cell's tree."""
    if isinstance(node, ast.JoinedStr):
        yield node, "format"
    if not isinstance(node, ast.Call):
        return
    method = getattr(node.func, "attr", getattr(node.func, "id", None))
    if method in CALLS and isinstance(node.func, ast.Attribute):
        yield node, CALLS[method]
    if method == "format":
        yield node, "format"
    for keyword in node.keywords:
        if keyword.arg in KEYWORDS:
            yield keyword, KEYWORDS[keyword.arg]
    called, arguments = cells.written(node)
    if called == "figure" and "name" in arguments:
        yield arguments["name"], "name"
