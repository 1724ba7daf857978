"""The rules for a cell, each on its own.

Each yields (what is wrong, the repair).  The style of code (its lines, its
syntax, a bare except) is ruff's.
"""

import ast
import re

from IPython.core.inputtransformer2 import TransformerManager

from form import markdown, numbers

# The methods of a chapter that write on its page, and their arguments.
WRITES = {
    "figure": ("chart", "name"),
    "picture": ("data",),
    "plot": ("data",),
    "judge": ("claim", "quantity", "why"),
    "cannot": ("claim", "reason"),
    "unresolved": ("claim", "reason"),
}
TEXTS = ("alt", "caption", "why", "reason")
NUMBERED_LINK = re.compile(
    r"\]\(\S*(?:\d\d|case)_\w.*\)"
    r"|\{(?:doc|ref|numref|any|download)\}`.*\b(?:\d\d|case)_\w+.*`"
)
NUMBERED_NAME = re.compile(r"\b[Cc]hapters? \d+")


def broken(cell):
    """Yield what is wrong with a cell."""
    rule = {"code": _code, "markdown": _markdown}.get(cell["cell_type"])
    yield from rule(cell["source"]) if rule else ()


def parse(source):
    """Return the syntax tree of a code cell, magics included.

    None where it has none: ruff names the error.
    """
    try:
        return ast.parse(TransformerManager().transform_cell(source))
    except SyntaxError:
        return None


def _code(source):
    """Yield what is wrong with a code cell."""
    if "allow_errors" in source:
        yield "allow_errors", "mend the cell; see CONTRIBUTING.md"
    tree = parse(source)
    for node in ast.walk(tree) if tree else ():
        yield from _call(node)
        yield from _compared(node)


def _compared(node):
    """Yield what is wrong with a comparison of the preset."""
    if not isinstance(node, ast.Compare):
        return
    sides = (node.left, *node.comparators)
    if any(isinstance(s, ast.Name) and s.id == "preset" for s in sides):
        yield (
            f"line {node.lineno}: the preset is compared, and others exist",
            "ask book.pick(S=..., M=...)",
        )


def _call(node):
    """Yield what is wrong with a call of a method that writes."""
    _, words = written(node)
    for name in TEXTS:
        for part in ast.walk(words[name]) if name in words else ():
            text = part.value if isinstance(part, ast.Constant) else ""
            for _, number in numbers.typed(text if type(text) is str else ""):
                what = (
                    f'line {part.lineno}: typed number "{number}" in {name}'
                )
                yield what, "use an f-string with the measured value"


def written(node):
    """Return (method, {argument: its node}) of a call that writes.

    ("", {}) for another node; the figures of pyplot are none of the book's.
    """
    method = getattr(getattr(node, "func", None), "attr", None)
    if not isinstance(node, ast.Call) or method not in WRITES:
        return "", {}
    if getattr(node.func.value, "id", None) in ("plt", "pyplot"):
        return "", {}
    words = dict(zip(WRITES[method], node.args, strict=False))
    return method, words | {k.arg: k.value for k in node.keywords}


def _markdown(source):
    """Yield what is wrong with a Markdown cell."""
    yield from _evaluated(source)
    for passage in markdown.passages(source):
        yield from _unevaluated(passage)
        for line, words in _numbered(passage):
            what = f'line {line}: link by chapter number "{words}"'
            yield what, "link by label, {ref}`races`"
        for line, words in numbers.typed(passage.words):
            line += passage.line - 1
            what = f'line {line}: typed machine number "{words}"'
            yield (
                what,
                "take it from the run, {eval}`gain`; what is set and not "
                "measured is a formula, $95\\,\\%$",
            )


def _evaluated(source):
    """Yield what is wrong with the expressions of the prose."""
    for line, expression in markdown.expressions(source):
        try:
            tree = ast.parse(expression, mode="eval")
        except (SyntaxError, ValueError) as error:
            why = error.args[0]
            what = f"line {line}: {{eval}}`{expression}` is no expression"
            yield f"{what}: {why}", "write one that Python reads"
            continue
        for node in ast.walk(tree):
            for what, repair in _call(node):
                yield re.sub(r"^line \d+", f"line {line}", what), repair


def _unevaluated(passage):
    """Yield an {eval} that is none to the book."""
    if (place := passage.words.find("{eval}")) >= 0:
        line = passage.line + passage.words.count("\n", 0, place)
        yield (
            f"line {line}: {{eval}} that is no role",
            "write {eval}`gain`: around a backtick two of them, within a "
            "table no |, within HTML none",
        )


def _numbered(passage):
    """Yield (line, words) of each chapter called by its number."""
    for line, target in passage.links:
        if NUMBERED_LINK.fullmatch(target):
            yield line, target
    for match in NUMBERED_NAME.finditer(passage.words):
        above = passage.words.count("\n", 0, match.start())
        yield passage.line + above, match[0]
