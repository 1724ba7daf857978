"""An expression of a loop's turn, as one of whole arrays."""

import ast

from onthefly.diagnose.patterns import trees
from onthefly.diagnose.patterns.axes import (
    NoForm,
    is_negative,
    offset,
    plus,
    sliced,
)
from onthefly.diagnose.patterns.forms import (
    Form,
    call_of,
    is_all,
    is_zero,
    method_of,
)
from onthefly.diagnose.patterns.tables import Tables
from onthefly.diagnose.patterns.windows import Windows

# Functions of a number that have the same name in math and NumPy.
SAME = (
    "sin cos tan sinh cosh tanh exp expm1 log log2 log10 log1p sqrt fabs "
    "hypot degrees radians copysign fmod trunc isnan isinf isfinite cbrt "
    "exp2 gcd lcm"
)
# Functions of a number, and NumPy's of an array.
FUNCTIONS = {
    **{f"math.{name}": f"np.{name}" for name in SAME.split()},
    "math.asin": "np.arcsin",
    "math.acos": "np.arccos",
    "math.atan": "np.arctan",
    "math.atan2": "np.arctan2",
    "math.pow": "np.power",
    "abs": "np.abs",
    "round": "np.round",
    "pow": "np.power",
}
UFUNCS = (
    "sin cos tan sinh cosh tanh exp expm1 exp2 log log2 log10 log1p sqrt "
    "cbrt abs absolute fabs hypot arcsin arccos arctan arctan2 square power "
    "maximum minimum floor ceil trunc rint sign where isnan isinf isfinite "
    "clip round mod fmod add subtract multiply divide copysign degrees "
    "radians gcd lcm"
)
KNOWN = {f"np.{name}" for name in UFUNCS.split()}
CASTS = {"int": "int64", "float": "float64", "bool": "bool_"}


class ArrayForm(Tables, Windows):
    """Turns expressions of a loop's turn into such of whole arrays.

    axes      a list of Axis, the outermost first
    known     {name: Form} of variables that a turn sets
    values    {name: tree} of variables that are set once in the function
    tables    names of arguments that are dicts
    locals    names of arrays that the function makes by NumPy
    sources   names of what is indexed, which grows
    notes     names of routines used, which grows
    before    statements to run before, which grows
    used      names in use
    cumsum    whether sums of windows are taken by cumulative sums
    """

    def __init__(self, axes, values, used, tables=(), cumsum=False):
        self.axes = list(axes)
        self.values = values
        self.used = used
        self.tables = tables
        self.cumsum = cumsum
        self.known = {}
        self.sources = set()
        self.notes = []
        self.before = []

    def note(self, name):
        """Note that a routine is used."""
        if name not in self.notes:
            self.notes.append(name)

    def of(self, node):
        """Return the Form of an expression.

        Raises
        ------
        NoForm  where there is none

        """
        names = {axis.index for axis in self.axes} | set(self.known)
        if not names & trees.reads(node):
            return Form(node)
        method = getattr(self, f"_{type(node).__name__.lower()}", None)
        if method is None:
            raise NoForm(trees.text(node))
        return method(node)

    def joined(self, build, *nodes):
        """Return the Form of an expression that has several parts."""
        forms = [self.of(node) for node in nodes]
        axes = frozenset().union(*(form.axes for form in forms))
        return Form(build(*(form.tree for form in forms)), axes)

    def _name(self, node):
        if node.id in self.known:
            return self._deeper(self.known[node.id])
        place = self._place(node.id)
        axis = self.axes[place]
        ends = [axis.stop] if is_zero(axis.start) else [axis.start, axis.stop]
        self.note("np.arange")
        call = call_of("np.arange", *ends)
        return Form(self._expanded(call, [place]), frozenset([node.id]))

    def _deeper(self, form):
        """Return the form with places for the axes that came since."""
        places = [k for k, a in enumerate(self.axes) if a.index in form.axes]
        if not places:
            return form
        return Form(self._expanded(form.tree, places), form.axes)

    def _place(self, index):
        return [axis.index for axis in self.axes].index(index)

    def _expanded(self, tree, places):
        """Return an array of some axes so that it fits with the others."""
        behind = range(min(places), len(self.axes))
        if list(behind) == places:
            return tree
        parts = [
            ast.Slice() if place in places else ast.Constant(None)
            for place in behind
        ]
        return ast.Subscript(tree, ast.Tuple(parts, ast.Load()), ast.Load())

    def _binop(self, node):
        return self.joined(
            lambda a, b: ast.BinOp(a, node.op, b), node.left, node.right
        )

    def _unaryop(self, node):
        if isinstance(node.op, ast.Not):
            return self.joined(lambda a: call_of("np.logical_not", a),
                               node.operand)  # fmt: skip
        return self.joined(lambda a: ast.UnaryOp(node.op, a), node.operand)

    def _boolop(self, node):
        name = "and" if isinstance(node.op, ast.And) else "or"
        first, *others = node.values
        form = self.of(first)
        for other in others:
            new = self.of(other)
            tree = call_of(f"np.logical_{name}", form.tree, new.tree)
            form = Form(tree, form.axes | new.axes)
        return form

    def _compare(self, node):
        sides = [node.left, *node.comparators]
        pairs = []
        for one, op, other in zip(sides, node.ops, sides[1:], strict=False):
            pairs.append(self._compared(one, op, other))
        axes = frozenset().union(*(form.axes for form in pairs))
        tree = pairs[0].tree
        for form in pairs[1:]:
            tree = call_of("np.logical_and", tree, form.tree)
        return Form(tree, axes)

    def _compared(self, one, op, other):
        if isinstance(op, ast.In | ast.NotIn):
            return self._member(one, op, other)
        if isinstance(op, ast.Is | ast.IsNot):
            raise NoForm("is")
        return self.joined(lambda a, b: ast.Compare(a, [op], [b]), one, other)

    def _ifexp(self, node):
        self.note("np.where")
        return self.joined(
            lambda *parts: call_of("np.where", *parts),
            node.test,
            node.body,
            node.orelse,
        )

    def _call(self, node):
        for special in (self._window, self._distance, self._get):
            form = special(node)
            if form is not None:
                return form
        name = trees.dotted(node.func)
        if node.keywords:
            raise NoForm(name)
        if name in CASTS and len(node.args) == 1:
            kind = CASTS[name]
            return self.joined(
                lambda a: method_of(
                    a, "astype", trees.expression(f"np.{kind}")
                ),
                node.args[0],
            )
        if name in ("math.floor", "math.ceil"):
            return self.joined(
                lambda a: method_of(
                    call_of(f"np.{name[5:]}", a),
                    "astype",
                    trees.expression("np.int64"),
                ),
                node.args[0],
            )
        if name in ("min", "max") and len(node.args) == 2:
            name = "np.minimum" if name == "min" else "np.maximum"
        else:
            name = FUNCTIONS.get(name, name).replace("numpy.", "np.")
        if name not in KNOWN:
            raise NoForm(name)
        self.note(name)
        return self.joined(lambda *a: call_of(name, *a), *node.args)

    def _subscript(self, node):
        found = self.subscripts(node)
        if found is None:
            raise NoForm(trees.text(node))
        name, subscripts = found
        if name in self.tables:
            if len(subscripts) != 1:
                raise NoForm(name)
            keys = self.of(subscripts[0])
            _known, values, at = self._table(name, keys.tree)
            return Form(trees.expression(f"{values}[{at}]"), keys.axes)
        return self.indexed(name, subscripts)

    def subscripts(self, node):
        """Return the array's name and its subscripts, or None."""
        subscripts = []
        while isinstance(node, ast.Subscript):
            inner = node.slice
            parts = inner.elts if isinstance(inner, ast.Tuple) else [inner]
            subscripts = [*parts, *subscripts]
            node = node.value
        if not isinstance(node, ast.Name) or node.id in self.known:
            return None
        return node.id, subscripts

    def indexed(self, name, subscripts):
        """Return the Form of an array at a turn's place."""
        self.sources.add(name)
        parts, places = [], []
        for subscript in subscripts:
            part, place = self._part(subscript)
            parts.append(part)
            places += [] if place is None else [place]
        if len(set(places)) != len(places):
            raise NoForm("a diagonal")
        while parts and is_all(parts[-1]):
            parts.pop()
        tree = ast.Name(name, ast.Load())
        if parts:
            one = (
                parts[0] if len(parts) == 1 else ast.Tuple(parts, ast.Load())
            )
            tree = ast.Subscript(tree, one, ast.Load())
        if places != sorted(places):
            tree = ast.Attribute(tree, "T", ast.Load())
        names = frozenset(self.axes[place].index for place in places)
        if not places:
            raise NoForm(name)
        return Form(self._expanded(tree, sorted(places)), names)

    def _part(self, subscript):
        """Return one subscript of arrays, and its axis' place or None."""
        if isinstance(subscript, ast.Slice):
            raise NoForm("a slice in a loop")
        for place, axis in enumerate(self.axes):
            added = offset(subscript, axis.index)
            if added is not None and not self._varies(added):
                return self._range(axis, added), place
        if not self._varies(subscript):
            return subscript, None
        form = self.of(subscript)  # x[order[i]]
        if len(self.axes) > 1:
            raise NoForm("by an array in two loops")
        return form.tree, 0

    def _varies(self, node):
        names = {axis.index for axis in self.axes} | set(self.known)
        return bool(names & trees.reads(node))

    def _range(self, axis, added):
        """Return the slice of the places that a loop meets."""
        first = plus(axis.start, added)
        if is_negative(first):
            raise NoForm("from the end")
        if axis.whole and is_zero(added):
            return ast.Slice()
        return sliced(first, plus(axis.stop, added))
