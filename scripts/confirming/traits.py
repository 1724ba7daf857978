"""What may be read of a function's loop in its source.

These are signs, no measurements: a report that rests on them says so.
"""

import ast
import inspect
import random
import textwrap

RANDOM = "draws random numbers"
TEXT = "works on text or in dicts"
CARRIED = "each element waits for the one before"
SUMS = "adds up"
STORES = "makes one element from one"
NEIGHBOURS = "reads an element's neighbours"
SCATTERS = "writes where the data says"
OPEN = "loops as long as the data says"
SORTS = "sorts"
RECURSES = "calls itself"

_TEXTS = {
    "split", "splitlines", "lower", "upper", "strip", "join", "startswith",
    "replace", "findall", "finditer", "most_common", "setdefault", "get",
    "items", "encode", "isalpha", "casefold", "partition",
}  # fmt: skip
_DRAWS = {"random", "integers", "uniform", "standard_normal", "normal"}
_DICTS = {"dict", "Counter", "defaultdict", "set", "str"}
_LOOPS = ast.For, ast.While, ast.comprehension
_SCALES = ast.Mult, ast.Div, ast.FloorDiv, ast.Mod, ast.Pow
_SHIFTS = ast.Add, ast.Sub


def read(functions, arguments=()):
    """Return the signs in the source of some functions; None without one.

    functions  a function, and those of the user's that it calls
    arguments  that it was called with
    """
    found = set()
    for function in functions:
        try:
            source = textwrap.dedent(inspect.getsource(function))
            tree = ast.parse(source)
        except (OSError, TypeError, SyntaxError):
            return None
        found |= _Reader(function, _Errorless().visit(tree)).signs()
    if any(map(generates, arguments)):
        found.add(RANDOM)
    return frozenset(found)


class _Errorless(ast.NodeTransformer):
    """Leaves out what is raised: its text is not what the loop works on."""

    def visit_Raise(self, node):
        return ast.copy_location(ast.Pass(), node)


class _Reader:
    """The signs in one function's tree."""

    def __init__(self, function, tree):
        self.names = function.__globals__
        self.nodes = list(ast.walk(tree))
        self.tree = tree
        self.parents = {
            child: node
            for node in self.nodes
            for child in ast.iter_child_nodes(node)
        }
        self.counters = {
            name.id
            for loop in self._all(ast.For, ast.comprehension)
            for name in ast.walk(loop.target)
            if isinstance(name, ast.Name)
            and isinstance(loop.iter, ast.Call)
            and _name(loop.iter.func) in ("range", "prange", "enumerate")
        }

    def _all(self, *kinds):
        return [node for node in self.nodes if isinstance(node, kinds)]

    def signs(self):
        """Return the set of signs."""
        tests = {
            RANDOM: self._draws,
            TEXT: self._is_text,
            CARRIED: self._carries,
            SUMS: self._sums,
            STORES: self._stores,
            NEIGHBOURS: lambda: len(self._offsets() - {0}) > 1,
            SCATTERS: self._scatters,
            OPEN: self._is_open,
            SORTS: lambda: {"sorted", "sort"} & self._called(),
            RECURSES: lambda: self.tree.body[0].name in self._called(),
        }
        found = {sign for sign, test in tests.items() if test()}
        # What waits for the one before is no sum, and its own store.
        return found - {SUMS, STORES} if CARRIED in found else found

    def _draws(self):
        """Tell whether it names a generator, or a function of one."""
        values = [self.names.get(name) for name in _names(self.tree)]
        return (
            any(generates(v) or generates(_owner(v)) for v in values)
            or random in values
            or any(n.attr in _DRAWS for n in self._all(ast.Attribute))
        )

    def _called(self):
        return {_name(call.func) for call in self._all(ast.Call)}

    def _is_text(self):
        methods = {
            c.func.attr for c in self._all(ast.Call) if _is_method(c.func)
        }
        return bool(
            methods & _TEXTS
            or self._called() & _DICTS
            or self._all(ast.Dict, ast.DictComp, ast.JoinedStr)
            or any(
                isinstance(node.left, ast.Constant)
                and isinstance(node.left.value, str)
                for node in self._all(ast.BinOp)
            )
        )

    def _carries(self):
        """Tell whether a value is made from its last one.

        It is scaled and moved, or says where the next one lies.  What is only
        scaled, or only moved, may be taken in any order.
        """
        return self._own_store() or any(
            isinstance(loop := self._loop(node), ast.For)
            and not self._ends_by_data(loop)
            and any(_made_of(node.value, n) for n in _targets(node))
            for node in self._all(ast.Assign)
        )

    def _own_store(self):
        """Tell whether an array is read behind the place it is written."""
        written = {
            _root(t)
            for node in self._all(ast.Assign, ast.AugAssign)
            for t in _places(node)
        }
        behind = {
            _root(s)
            for s in self._reads()
            if any(_offset(i, self.counters) not in (0, None)
                   for i in _indices(s))
        }  # fmt: skip
        return bool(written & behind)

    def _sums(self):
        """Tell whether it takes many numbers to one, in any order."""
        if {"sum", "fsum"} & self._called():
            return True
        return any(
            self._in_loop(node)
            and isinstance(node.op, (*_SHIFTS, *_SCALES))
            and (
                (
                    isinstance(node.target, ast.Name)
                    and not isinstance(self._loop(node), ast.While)
                )
                or any(
                    _offset(i, self.counters) is not None
                    for t in _places(node)
                    for i in _indices(t)
                )
            )
            for node in self._all(ast.AugAssign)
        )

    def _loop(self, node):
        """Return the loop around a node, or None."""
        while (node := self.parents.get(node)) and not isinstance(
            node, _LOOPS
        ):
            pass
        return node

    def _stores(self):
        appends = any(
            _is_method(c.func) and c.func.attr == "append"
            for c in self._all(ast.Call)
        )
        return appends or bool(
            self._all(ast.ListComp)
            or any(
                _offset(i, self.counters) is not None
                for node in self._all(ast.Assign)
                for t in _places(node)
                for i in _indices(t)
            )
        )

    def _scatters(self):
        """Tell whether it writes at an index that is no loop's counter."""
        return any(
            self._in_loop(node)
            and any(
                not isinstance(i, (ast.Slice, ast.Constant))
                and _offset(i, self.counters) is None
                for i in _indices(t)
            )
            for node in self._all(ast.Assign, ast.AugAssign)
            for t in _places(node)
        )

    def _is_open(self):
        return any(map(self._ends_by_data, self._all(ast.For, ast.While)))

    def _ends_by_data(self, loop):
        """Tell whether a loop ends when its data says so.

        Not one whose test only counts steps.
        """
        if any(self._loop(node) is loop for node in self._all(ast.Break)):
            return True
        return isinstance(loop, ast.While) and bool(
            _names(loop.test) & self._changed(loop)
        )

    def _changed(self, loop):
        """Return the names that a loop changes by more than a step."""
        nodes = [n for part in loop.body for n in ast.walk(part)]
        return {
            name
            for n in nodes
            if isinstance(n, (ast.Assign, ast.AugAssign))
            and not (
                isinstance(n, ast.AugAssign)
                and isinstance(n.op, _SHIFTS)
                and isinstance(n.value, ast.Constant)
            )
            for name in _targets(n)
        }

    def _reads(self):
        return [
            s
            for s in self._all(ast.Subscript)
            if isinstance(s.ctx, ast.Load)
            and not isinstance(self.parents.get(s), ast.Subscript)
        ]

    def _offsets(self):
        """Return how far from a loop's counter elements are read."""
        found = {
            _offset(i, self.counters)
            for s in self._reads()
            for i in _indices(s)
        }
        return found - {None}

    def _in_loop(self, node):
        while node := self.parents.get(node):
            if isinstance(
                node, (*_LOOPS, ast.ListComp, ast.GeneratorExp, ast.DictComp)
            ):
                return True
        return False


def generates(value):
    """Tell whether a value is a generator of random numbers."""
    kind = type(value)
    return isinstance(value, random.Random) or (
        kind.__module__.startswith("numpy.random")
        and kind.__name__ in ("Generator", "RandomState")
    )


def _owner(value):
    """Return whose method a value is, as of ``random.random``."""
    return getattr(value, "__self__", None)


def _is_method(func):
    return isinstance(func, ast.Attribute)


def _name(func):
    """Return the last name of what is called."""
    return getattr(func, "id", getattr(func, "attr", ""))


def _names(node):
    return {n.id for n in ast.walk(node) if isinstance(n, ast.Name)}


def _targets(node):
    """Return the plain names that an assignment binds."""
    given = node.targets if isinstance(node, ast.Assign) else [node.target]
    return {
        n.id
        for target in given
        for n in getattr(target, "elts", [target])
        if isinstance(n, ast.Name)
    }


def _places(node):
    """Return the subscripts that an assignment writes to."""
    given = node.targets if isinstance(node, ast.Assign) else [node.target]
    return [
        n
        for target in given
        for n in getattr(target, "elts", [target])
        if isinstance(n, ast.Subscript)
    ]


def _made_of(value, name):
    """Tell whether an expression has ``name * b + c`` or ``[name]`` in it."""
    return any(
        isinstance(part, ast.Subscript) and name in _names(part.slice)
        for part in ast.walk(value)
    ) or any(
        isinstance(part, ast.BinOp)
        and isinstance(part.op, _SHIFTS)
        and any(
            isinstance(side, ast.BinOp)
            and isinstance(side.op, _SCALES)
            and name in _names(side)
            for side in (part.left, part.right)
        )
        for part in ast.walk(value)
    )


def _root(node):
    while isinstance(node, ast.Subscript):
        node = node.value
    return ast.unparse(node)


def _indices(node):
    """Return the indices of ``a[i, j]`` and of ``a[i][j]``."""
    found = []
    while isinstance(node, ast.Subscript):
        found += getattr(node.slice, "elts", [node.slice])
        node = node.value
    return found


def _offset(index, counters):
    """Return k of an index ``i``, ``i + k`` or ``i - k``, or None."""
    if isinstance(index, ast.Name) and index.id in counters:
        return 0
    if (
        isinstance(index, ast.BinOp)
        and isinstance(index.op, _SHIFTS)
        and isinstance(index.left, ast.Name)
        and index.left.id in counters
        and isinstance(index.right, ast.Constant)
    ):
        sign = 1 if isinstance(index.op, ast.Add) else -1
        return sign * index.right.value
    return None
