"""A function's loops and comprehensions, on whole arrays."""

import ast
import collections

from onthefly.diagnose.patterns import trees
from onthefly.diagnose.patterns.array_form import ArrayForm
from onthefly.diagnose.patterns.array_loops import ArrayLoop
from onthefly.diagnose.patterns.axes import NoForm
from onthefly.diagnose.patterns.comprehensions import Comprehensions
from onthefly.diagnose.patterns.liveness import needed_after

LISTS = list, tuple, collections.deque, range


class OnArrays:
    """Rewrites a function.

    function  its tree, which is changed
    notes     names of the routines used
    cumsum    whether sums of windows are taken by cumulative sums
    """

    def __init__(self, function, inputs, cumsum=False):
        self.function = function
        names = trees.parameters(function)
        self.inputs = dict(zip(names, inputs, strict=False))
        self.cumsum = cumsum
        self.used = trees.identifiers(function)
        self.values = values_of(function)
        self.notes = []
        self.sources = set()
        self.replaced = set()
        self.whole_keys = {
            name for name, value in self.inputs.items() if _whole(value)
        }

    def rewrite(self):
        """Change the function; return whether something was changed."""
        if "np" in trees.writes(self.function) | set(self.inputs):
            return False
        self.function.body = self._block(self.function.body)
        self._without_starts()
        firsts = [
            name
            for name in self.inputs
            if name in self.sources and isinstance(self.inputs[name], LISTS)
        ]
        if self.notes:
            lines = "\n".join(f"{n} = np.asarray({n})" for n in firsts)
            place = 1 if ast.get_docstring(self.function) else 0
            self.function.body[place:place] = trees.statements(lines)
        return bool(self.notes)

    def _form(self):
        tables = {
            name
            for name, value in self.inputs.items()
            if isinstance(value, dict)
        }
        return ArrayForm([], self.values, self.used, tables, self.cumsum)

    def _block(self, body):
        done = []
        for statement in body:
            done += self._statement(statement)
        return done

    def _statement(self, statement):
        if isinstance(statement, ast.For):
            new = self._loop(statement)
            if new is not None:
                return new
        before = []
        for field in ("value", "test", "iter"):
            node = getattr(statement, field, None)
            if isinstance(node, ast.expr) and not isinstance(
                statement, ast.While
            ):
                new, lines = self._expression(node)
                setattr(statement, field, new)
                before += lines
        for field in ("body", "orelse"):
            inner = getattr(statement, field, None)
            if isinstance(inner, list) and not isinstance(
                statement, ast.FunctionDef | ast.ClassDef
            ):
                setattr(statement, field, self._block(inner))
        return [*before, statement]

    def _loop(self, loop):
        form = self._form()
        try:
            turn = ArrayLoop(
                form, self.function, loop, self.values, self.whole_keys
            )
            new = turn.statements()
            lines = self._made_arrays(form.sources)
        except NoForm:
            return None
        if not new or not form.notes:
            return None
        self._note(form)
        self.replaced |= turn.replaced
        return [*lines, *new]

    def _without_starts(self):
        """Take out the making of arrays and dicts that are made anew."""
        body = self.function.body
        for statement in list(body):
            if isinstance(statement, ast.Assign):
                names = trees.writes(statement)
                after = needed_after(self.function, statement)
                plain = isinstance(statement.targets[0], ast.Name)
                if plain and names <= self.replaced and not names & after:
                    body.remove(statement)

    def _expression(self, node):
        change = Comprehensions(self._form)
        new = change.visit(node)
        lines = []
        try:
            for form in change.forms:
                lines += self._made_arrays(form.sources)
        except NoForm:
            return node, []
        for form in change.forms:
            form.notes = form.notes or ["whole arrays"]
            self._note(form)
        return new, [*lines, *change.before]

    def _note(self, form):
        self.sources |= form.sources
        for name in form.notes:
            if name not in self.notes:
                self.notes.append(name)

    def _may_be_no_array(self, name):
        """Tell whether a variable may hold an iterator, a list, a dict."""
        value = self.values.get(name)
        if value is None:  # of a loop, or set at several places
            return any(isinstance(v, LISTS) for v in self.inputs.values())
        iterators = "zip", "map", "filter", "enumerate", "iter", "dict", "set"
        return trees.calls(value, *iterators) or isinstance(
            value, ast.Dict | ast.Set | ast.GeneratorExp | ast.JoinedStr
        )

    def _made_arrays(self, sources):
        """Return statements that make arrays of the function's own lists."""
        lines = []
        for name in sorted(sources):
            if name in self.inputs:
                if not _is_numeric(self.inputs[name]):
                    raise NoForm(f"{name} holds no numbers")
            elif self._may_be_no_array(name):
                raise NoForm(f"{name} may be no array")
            elif isinstance(
                self.values.get(name), ast.List | ast.ListComp
            ) or trees.calls(self.values.get(name), "list", "sorted"):
                lines.append(f"{name} = np.asarray({name})")
        return trees.statements("\n".join(lines))


def _is_numeric(value):
    while isinstance(value, LISTS) and len(value):
        value = value[0]
    if hasattr(value, "dtype"):
        return getattr(value.dtype, "kind", "") in "iufcb"
    return isinstance(value, int | float | complex | list | range | dict)


def _whole(value):
    """Tell whether all are whole numbers, 0, 1, 2, …, and none is large.

    `np.bincount` makes an array as long as the largest says.
    """
    if hasattr(value, "dtype"):
        fits = getattr(value.dtype, "kind", "") in "iu" and value.ndim == 1
        most = 10 * value.size + 10**6 if fits else 0
        return bool(
            fits and value.size and 0 <= value.min() <= value.max() < most
        )
    if not isinstance(value, LISTS) or not len(value):
        return False
    most = 10 * len(value) + 10**6
    whole = set(map(type, value)) == {int}
    return whole and 0 <= min(value) <= max(value) < most


def values_of(function):
    """Return {name: tree} of what is assigned once to variables."""
    found, counts = {}, collections.Counter()
    for node in ast.walk(function):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            counts[node.id] += 1
        if isinstance(node, ast.Assign) and len(node.targets) == 1:
            found |= _assigned(node.targets[0], node.value)
        if isinstance(node, ast.AnnAssign) and node.value:
            found |= _assigned(node.target, node.value)
    return {name: node for name, node in found.items() if counts[name] == 1}


def _assigned(target, value):
    if isinstance(target, ast.Name):
        return {target.id: value}
    names = getattr(target, "elts", ())
    if not all(isinstance(each, ast.Name) for each in names):
        return {}
    if isinstance(value, ast.Tuple) and len(value.elts) == len(names):
        parts = value.elts
    elif isinstance(value, ast.Attribute) and value.attr == "shape":
        parts = [
            ast.Subscript(value, ast.Constant(k), ast.Load())
            for k in range(len(names))
        ]
    else:
        return {}
    return {n.id: part for n, part in zip(names, parts, strict=True)}
