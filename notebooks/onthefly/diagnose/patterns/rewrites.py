"""A function's source, written anew so that Numba takes it, or its threads.

Each function here takes a source and returns a :class:`Rewrite`, or None
where there is nothing to write anew.
"""

import ast
import copy
import dataclasses

from onthefly.diagnose.patterns import copies, trees, tuple_rows
from onthefly.diagnose.patterns.as_bytes import text_as_bytes_tree
from onthefly.diagnose.patterns.generators import without_generators
from onthefly.diagnose.patterns.turns import changers, independent


@dataclasses.dataclass(frozen=True)
class Rewrite:
    """A function's new source.

    source    of the function, without decorators
    needs     {name: value} that it needs beside the globals of the old one
    sentence  what was changed, to tell its author
    """

    source: str
    needs: dict = dataclasses.field(default_factory=dict)
    sentence: str = ""


def parallel(source, arrays=None, names=None):
    """Write loops whose turns need no order with `numba.prange`.

    The outermost such loops over `range` are taken; those over the values of
    an argument as well, where that is known to be an array.

    Parameters
    ----------
    source  of the function
    arrays  names of the arguments that are arrays or lists, or None: unknown
    names   the function's globals; a function among them that changes its
            arguments, or draws random numbers, is not called in any order

    Returns
    -------
    A Rewrite to compile with `parallel=True`, or None

    Raises
    ------
    ValueError  where the source is no function

    """
    import numba
    import numpy

    function = trees.function(source)
    read = trees.reads(function)
    if changers({n: v for n, v in (names or {}).items() if n in read}):
        return None
    used = trees.identifiers(function)
    made = {
        "prange": trees.fresh("prange", used),
        "int64": trees.fresh("int64", used),
    }
    if not _loops_in_parallel(function, function.body, arrays, made, used):
        return None
    needs = {made["prange"]: numba.prange, made["int64"]: numpy.int64}
    line = "Write the loop with `numba.prange` and `i = np.int64(i)`."
    return Rewrite(trees.text(function), needs, line)


def _loops_in_parallel(function, body, arrays, names, used):
    """Change the loops of a block; return whether there was one."""
    changed = False
    for place, statement in enumerate(body):
        if isinstance(statement, ast.For):
            new = _loop_in_parallel(function, statement, arrays, names, used)
            if new is not None:
                body[place] = new
                changed = True
                continue
        for block in ("body", "orelse"):
            inner = getattr(statement, block, None)
            if isinstance(inner, list) and isinstance(
                statement, ast.For | ast.While | ast.If
            ):
                changed |= _loops_in_parallel(
                    function, inner, arrays, names, used
                )
    return changed


def _loop_in_parallel(function, loop, arrays, names, used):
    plain = _over_range(loop, arrays, used)
    if plain is None:
        return None
    index, ends, first = plain
    exchanges = independent(function, loop, index)
    if exchanges is None or not _only_arrays(loop, arrays, function):
        return None
    counter = trees.fresh("_" + index.lstrip("_"), used)
    head = f"for {counter} in {names['prange']}():\n {index} = 0"
    new = trees.statements(head)[0]
    new.iter.args = ends
    new.body = trees.statements(f"{index} = {names['int64']}({counter})")
    new.body += first + [_exchanged(each, exchanges) for each in loop.body]
    return new


def _over_range(loop, arrays, used):
    """Return the index, range's arguments and first statements, or None."""
    target, over = loop.target, loop.iter
    if trees.calls(over, "range") and isinstance(target, ast.Name):
        args = over.args
        if len(args) == 3 and trees.same(args[2], ast.Constant(1)):
            args = args[:2]
        return (target.id, args, []) if len(args) < 3 else None
    counted = None
    if trees.calls(over, "enumerate") and len(over.args) == 1:
        over = over.args[0]
        if not isinstance(target, ast.Tuple) or len(target.elts) != 2:
            return None
        counted, target = target.elts
    if not isinstance(over, ast.Name) or over.id not in (arrays or ()):
        return None
    if over.id in trees.writes(loop):
        return None
    if counted is not None and not isinstance(counted, ast.Name):
        return None
    index = counted.id if counted else trees.fresh("i", used)
    first = trees.statements(f"v = {over.id}[{index}]")
    first[0].targets = [copy.deepcopy(target)]
    return index, [trees.expression(f"len({over.id})")], first


def _only_arrays(loop, arrays, function):
    """Tell whether what is stored to is no argument but an array."""
    if arrays is None:
        return True
    stored = {
        each.value.id
        for each in ast.walk(loop)
        if isinstance(each, ast.Subscript)
        and isinstance(each.ctx, ast.Store)
        and isinstance(each.value, ast.Name)
    }
    return stored & set(trees.parameters(function)) <= set(arrays)


class _Statements(ast.NodeTransformer):
    def __init__(self, exchanges):
        self.exchanges = exchanges

    def visit(self, node):
        if node in self.exchanges:
            return self.exchanges[node]
        return self.generic_visit(node)


def _exchanged(statement, exchanges):
    return _Statements(exchanges).visit(statement)


def loop_of_generator(source):
    """Write `sum`, `min`, `max`, `any`, `all` of generators as loops.

    Numba takes no generator expressions.  `list(x for …)` becomes a list
    comprehension; `map` with one iterable is taken as a generator.

    Raises
    ------
    ValueError  where the source is no function

    """
    function = trees.function(source)
    if not without_generators(function):
        return None
    line = "Write the generator expression as a loop."
    return Rewrite(trees.text(function), {}, line)


def keywords_positional(source):
    """Make arguments that are given by keyword alone positional ones.

    Such a one without a default gets None for a default where it must follow
    one that has a default.

    Raises
    ------
    ValueError  where the source is no function

    """
    function = trees.function(source)
    args = function.args
    if not args.kwonlyargs or args.vararg:
        return None
    for arg, default in zip(args.kwonlyargs, args.kw_defaults, strict=True):
        args.args.append(arg)
        if default is None and args.defaults:
            default = ast.Constant(None)
        if default is not None:
            args.defaults.append(default)
    args.kwonlyargs, args.kw_defaults = [], []
    line = "Take out the `*` among the arguments."
    return Rewrite(trees.text(function), {}, line)


def text_as_bytes(source, names):
    """Make a function of texts one of their bytes.

    Characters become numbers: `"a"` is 97, `ch in "ab"` is `ch == 97 or ch
    == 98`.  Right for texts of ASCII characters alone.

    Parameters
    ----------
    source  of the function
    names   of the parameters that are texts: a name, or several

    Returns
    -------
    A Rewrite, or None where a text is used in another way than character by
    character

    Raises
    ------
    ValueError  where the source is no function

    """
    function = trees.function(source)
    names = {names} if isinstance(names, str) else set(names)
    if not text_as_bytes_tree(function, names):
        return None
    line = "A character is then a number: compare with `ord('a')`."
    return Rewrite(trees.text(function), {}, line)


def tuples_as_rows(source, name, width):
    """Make a function of a list of tuples one of an array with a row each.

    Parameters
    ----------
    source  of the function
    name    of the parameter
    width   numbers in a tuple

    Returns
    -------
    A Rewrite, or None where the tuples are used in another way than unpacked

    Raises
    ------
    ValueError  where the source is no function

    """
    function = trees.function(source)
    if not tuple_rows.unpacked(function, name, width):
        return None
    line = f"Read a row of `{name}` as `{name}[i, 0]`, `{name}[i, 1]`, …."
    return Rewrite(trees.text(function), {}, line)


def lists_copied(source, names):
    """Make a function that copies lists one that copies arrays, too.

    Parameters
    ----------
    source  of the function
    names   of the parameters that are lists

    Returns
    -------
    A Rewrite, or None where it copies none of them by ``[:]``

    Raises
    ------
    ValueError  where the source is no function

    """
    function = trees.function(source)
    first = copies.copied(function, names)
    if not first:
        return None
    line = (
        f"Copy by `{first}.copy()`: `{first}[:]` of an array is a view, and "
        "no copy."
    )
    return Rewrite(trees.text(function), {}, line)
