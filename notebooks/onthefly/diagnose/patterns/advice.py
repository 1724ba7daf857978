"""What to change in a function, in plain sentences."""

import ast
import dataclasses

from onthefly.diagnose.patterns import trees
from onthefly.diagnose.patterns.advice_code import CODE_RULES
from onthefly.diagnose.patterns.advice_errors import VAGUE, of_error
from onthefly.diagnose.patterns.advice_inputs import of_inputs

MOST = 3


@dataclasses.dataclass(frozen=True)
class Case:
    """A function that may be faster.

    tree    of its source, an ast.FunctionDef or AsyncFunctionDef
    inputs  {parameter: argument}
    names   its globals
    first   number of its first line in the file
    """

    tree: ast.AST
    inputs: dict
    names: dict
    first: int = 1

    def at(self, node):
        """Return the start of a sentence, with a line's number."""
        return f"Line {self.first + node.lineno - 1}:"

    def find(self, *kinds):
        """Return the first node of the kinds, by line, or None."""
        found = [n for n in ast.walk(self.tree) if isinstance(n, kinds)]
        found = [n for n in found if n is not self.tree]
        return min(found, key=lambda n: getattr(n, "lineno", 0), default=None)

    def call(self, *names):
        """Return the first call of one of the functions, or None."""
        found = [n for n in ast.walk(self.tree) if trees.calls(n, *names)]
        return min(found, key=lambda n: n.lineno, default=None)


def advice(source, inputs=(), error="", names=None, first=1):
    """Return at most three sentences on what to change in a function.

    Parameters
    ----------
    source  of the function
    inputs  its arguments, in a tuple
    error   Numba's text, where it refused the function
    names   the function's globals, or None
    first   number of the function's first line in its file

    Returns
    -------
    A list of sentences, the most important first; empty where nothing is
    known

    """
    case = _case(source, inputs, names, first)
    if case is None:
        return []
    found = [rule(case) for rule in CODE_RULES]
    by_place = [line for _rank, line in sorted(_ranked(found))]
    lines = [*of_inputs(case, error), *of_error(case, error)]
    urgent = [line for rank, line in sorted(_ranked(found)) if rank < 1]
    every = [*urgent, *lines, *by_place]
    every = every or of_error(case, error, VAGUE)
    return list(dict.fromkeys(every))[:MOST]


def _ranked(found):
    """Yield (rank, sentence) of what the rules returned."""
    for place, item in enumerate(found):
        if item is not None:
            rank, line = item
            yield rank + place / 1000, line


def _case(source, inputs, names, first):
    import textwrap

    try:
        tree = ast.parse(textwrap.dedent(source)).body[0]
    except (SyntaxError, IndexError):
        return None
    if not isinstance(tree, ast.FunctionDef | ast.AsyncFunctionDef):
        return None
    called = trees.parameters(tree)
    return Case(tree, dict(zip(called, inputs, strict=False)), names or {},
                first)  # fmt: skip
