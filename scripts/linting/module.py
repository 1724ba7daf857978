"""The module beside a page: what the prose and its functions ask for exists.

It is read, not imported: a page's library may be missing here.
"""

import ast
import builtins
import re
import string

from linting import code, names, needs, numbers, prose
from onthefly import files
from onthefly.measure.libraries import LIBRARIES

KINDS = {"expect", "figure", "table", "judge", "answer"}
SHOWN = {"figure", "judge"}  # whose docstrings hold no number that is typed
PYTHONS = frozenset(dir(builtins))
PAGES = {
    *("book", "holds", "diagram", "program", "printed"),
    *("what_the_talks_said", "measurements"),
}
GIVEN = {*PAGES, *PYTHONS}


def broken(notebook, path):
    """Yield (cell or None, what is wrong, the repair).

    path  of the module beside the notebook, whether or not there is one
    """
    tree = ast.parse(files.text(path)) if path.exists() else ast.Module([])
    functions = _functions(tree)
    for key in sorted(needs.required(files.text(path)) if functions else ()):
        what = f"{path.name} rests on {LIBRARIES[key].name}, which may be"
        yield None, f"{what} missing", "import it in the function"
    bound = set().union(*map(names.bound, _sources(notebook)), GIVEN)
    known = bound | functions.keys() | set(_assigned(tree))
    for cell in notebook["cells"]:
        if cell["cell_type"] == "markdown":
            for line, expression in prose.expressions(cell["source"]):
                for name in sorted(set(names.read(expression)) - known):
                    what = f"line {line}: {name}, which {{eval}} asks for"
                    yield cell, *_unknown(what, known, name)
    for name, node in functions.items():
        place = f"{path.name}:{node.lineno}: {name}"
        if name in bound - PYTHONS:
            what = f"{place} is a name of the notebook, too"
            yield None, what, "give one of them another name"
        for one in sorted(set(_parameters(node)) - known):
            yield None, *_unknown(f"{place} asks for {one}", known, one)
        yield from _text(place, node, known)
    yield from _decided(notebook, functions)


def _sources(notebook):
    cells = notebook["cells"]
    return [c["source"] for c in cells if c["cell_type"] == "code"]


def _assigned(tree):
    """Yield the names that a module assigns, as what makes functions does."""
    for node in tree.body:
        if isinstance(node, ast.Assign):
            yield from (x.id for x in node.targets if isinstance(x, ast.Name))


def _functions(tree):
    """Return {name: node} of a module's public functions."""
    return {
        node.name: node
        for node in tree.body
        if isinstance(node, ast.FunctionDef) and node.name[0] != "_"
    }


def _parameters(node):
    return [a.arg for a in (*node.args.args, *node.args.kwonlyargs)]


def kind_of(node):
    """Return (kind, arguments) of a function by its decorator."""
    for one in node.decorator_list:
        call = one if isinstance(one, ast.Call) else None
        name = getattr(call.func if call else one, "id", "")
        if name in KINDS:
            return name, call.args if call else []
    return "", []


def _unknown(what, known, name):
    """Return (what is wrong, the repair) of a name that nothing binds."""
    from difflib import get_close_matches

    near = get_close_matches(name, known, 1)
    repair = f"bind it; nearest: {near[0]}" if near else "bind it"
    return f"{what}, which neither notebook nor module has", repair


def _text(place, node, known):
    """Yield what is wrong with the docstring of a function."""
    kind, _ = kind_of(node)
    doc = ast.get_docstring(node) or ""
    if kind not in SHOWN | {"answer", "table"}:
        return
    try:
        parts = list(string.Formatter().parse(doc))
    except ValueError as error:
        yield None, f"{place}: docstring: {error}", "double the brace"
        return
    for _, field, _, _ in parts:
        if field:
            first = re.split(r"[.\[]", field)[0]
            if first not in known:
                yield None, *_unknown(f"{place}: docstring", known, first)
    words = "".join(part[0] for part in parts)
    for _, number in numbers.typed(words) if kind in SHOWN else ():
        what = f'{place}: typed number "{number}" in its docstring'
        yield None, what, "write {gain.about}"


def _decided(notebook, functions):
    """Yield the verdicts that an assertion of the page decides before.

    What an assertion demands holds wherever the page comes to its end, so
    that a claim judged by it could not be contradicted.
    """
    trees = map(code.parse, _sources(notebook))
    demanded = {name for tree in trees for name in _demanded(tree)}
    for name, node in functions.items():
        kind, arguments = kind_of(node)
        if kind == "judge":
            for one in sorted(demanded & set(_parameters(node))):
                claim = arguments[0].value if arguments else name
                what = f"{claim} is judged by {one}, which is asserted"
                yield None, what, "let the verdict say it, drop the assertion"


def _demanded(tree):
    """Yield the names that an assertion demands: itself, or all of it."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Assert):
            test = node.test
            if isinstance(test, ast.Call) and _called(test) == "all":
                (test,) = test.args or [test]
            if isinstance(test, ast.Call) and _called(test) == "values":
                test = test.func.value
            if isinstance(test, ast.Name):
                yield test.id


def _called(call):
    """Return the name of the function or method that is called."""
    return getattr(call.func, "attr", getattr(call.func, "id", ""))
