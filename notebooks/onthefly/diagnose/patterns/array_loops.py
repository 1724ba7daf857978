"""Loops over arrays, as statements that work on whole arrays."""

import ast

from onthefly.diagnose.patterns import grouping, trees
from onthefly.diagnose.patterns.axes import NoForm, axis
from onthefly.diagnose.patterns.extremes import Running
from onthefly.diagnose.patterns.forms import Form
from onthefly.diagnose.patterns.liveness import needed, needed_after
from onthefly.diagnose.patterns.stores import Stores
from onthefly.diagnose.patterns.sums import Sums

# A variable changed by a value: the form, and what changes it.
CHANGES = (
    ("x_ + v_", ast.Add()),
    ("v_ + x_", ast.Add()),
    ("x_ - v_", ast.Sub()),
    ("x_ * v_", ast.Mult()),
)


class ArrayLoop(Sums, Stores, Running):
    """Turns one `for` loop into statements.

    form       its ArrayForm
    function   the tree of the function
    loop       the statement
    values     {name: tree} of what is assigned once before the loop, as by
               `out = np.zeros(n)`
    whole_keys  names of arguments that are whole numbers, 0 and above
    """

    def __init__(self, form, function, loop, values, whole_keys):
        self.form = form
        self.function = function
        self.loop = loop
        self.values = values
        self.whole_keys = whole_keys
        self.after = needed_after(function, loop)
        self.own = set()  # variables of a turn's own, in loops further out
        self.replaced = set()  # what is made anew, so that its start is not
        self.totals = set()  # what is accumulated, and so not to be read
        self.done = []

    def statements(self):
        """Return the new statements.

        Raises
        ------
        NoForm  where the loop has none

        """
        self._block([self.loop], None)
        if self.totals & self.read:
            raise NoForm("reads what it sums")
        return self.done

    @property
    def read(self):
        """Names that the new statements read as parts of expressions."""
        return self._read

    _read = frozenset()

    def _emit(self, text, **trees_of):
        """Add statements, in which names are exchanged for trees."""
        new = trees.exchanged(trees.statements(text), trees_of)
        self.done += [*self.form.before, *new]
        self.form.before = []

    def _of(self, node):
        self._read = self._read | trees.reads(node)
        return self.form.of(node)

    def _block(self, body, mask):
        place = 0
        while place < len(body):
            statement = body[place]
            if skip := trees.match("if test_:\n continue", statement):
                mask = self._also(mask, skip["test"], "np.logical_not(TEST)")
                place += 1
                continue
            place += self._step(body[place:], mask)

    def _also(self, mask, test, text="TEST"):
        """Return the Form of a mask and another test."""
        form = self._of(test)
        tree = trees.exchanged(trees.expression(text), {"TEST": form.tree})
        if mask is None:
            return Form(tree, form.axes)
        both = trees.expression("np.logical_and(A, B)")
        both = trees.exchanged(both, {"A": mask.tree, "B": tree})
        return Form(both, mask.axes | form.axes)

    def _step(self, statements, mask):
        """Take the first statements; return how many they were."""
        statement = statements[0]
        group = grouping.grows(statements)
        if group and self._is_dict(group[0]["d"].id):
            self._group(group[0], mask)
            return group[1]
        if len(statements) > 1 and self._scan(*statements[:2], mask):
            return 2
        if self._extreme(statement, mask):
            return 1
        match statement:
            case ast.For(orelse=[]):
                self._inner(statement, mask)
            case ast.If():
                self._block(statement.body, self._also(mask, statement.test))
                if statement.orelse:
                    other = self._also(
                        mask, statement.test, "np.logical_not(TEST)"
                    )
                    self._block(statement.orelse, other)
            case ast.AugAssign():
                self._accumulate(
                    statement.target, statement.op, statement.value, mask
                )
            case ast.Assign(targets=[target]):
                self._assign(target, statement.value, mask)
            case ast.Expr(value=ast.Call()):
                self._append(statement, mask)
            case ast.Pass():
                pass
            case _:
                raise NoForm(type(statement).__name__)
        return 1

    def _inner(self, loop, mask):
        """Take a loop in the loop, or the loop itself."""
        if mask is not None or len(self.form.axes) == 3:
            raise NoForm("a loop under a condition")
        form = self.form
        new, elements = axis(loop.target, loop.iter, form.used, self.values)
        ends = trees.reads(new.start, new.stop)
        if ends & ({a.index for a in form.axes} | set(form.known)):
            raise NoForm("as long as another loop says")
        form.axes.append(new)
        body = trees.exchanged(loop.body, elements)
        if set(elements) & trees.writes(*body) or new.index in trees.writes(
            *body
        ):
            raise NoForm("changes its own variable")
        if (set(elements) | {new.index}) & self.after:
            raise NoForm("the last element is used")
        outer = self.own
        known = dict(form.known)
        self._block(body, None)
        form.axes.pop()
        form.known = {
            name: value for name, value in form.known.items() if name in known
        }
        self.own = outer

    def _masked(self, tree, axes, mask):
        if mask is None or not axes:
            return tree
        if mask.axes != axes:
            raise NoForm("a condition of another shape")
        return ast.Subscript(tree, mask.tree, ast.Load())

    def _every(self, form):
        """Refuse a Form that is the same along one of the axes."""
        if form.axes != {a.index for a in self.form.axes}:
            raise NoForm("the same along an axis")

    def _assign(self, target, value, mask):
        if isinstance(target, ast.Subscript):
            self._store(target, value, mask)
            return
        for name, op in CHANGES:
            found = trees.match(name, value)
            if (
                found
                and isinstance(target, ast.Name)
                and trees.same(found["x"], target)
                and target.id not in self.own
            ):
                self._accumulate(target, op, found["v"], mask)
                return
        if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple):
            names = {getattr(each, "id", "") for each in target.elts}
            if names & trees.reads(value) or len(target.elts) != len(
                value.elts
            ):
                raise NoForm("assigned together")
            for one, what in zip(target.elts, value.elts, strict=True):
                self._assign(one, what, mask)
            return
        self._set_own(target, value, mask)

    def _set_own(self, target, value, mask):
        """Set a variable of a turn's own."""
        name = getattr(target, "id", None)
        if name is None or mask is not None:
            raise NoForm("set under a condition")
        if name in self.after or name in needed(self.loop.body):
            raise NoForm("kept from turn to turn")
        form = self._of(value)
        self.own = self.own | {name}
        self.trees_of_own = {
            **getattr(self, "trees_of_own", {}),
            name: value,
        }
        if isinstance(value, ast.Constant):
            self.form.known[name] = Form(value)
            return
        if len(self.form.axes) == 3:
            self.form.known[name] = form
            return
        self._emit(f"{name} = VALUES", VALUES=form.tree)
        self.form.known[name] = Form(ast.Name(name, ast.Load()), form.axes)

    def _append(self, statement, mask):
        found = trees.match("out_.append(value_)", statement)
        if not found or not isinstance(found["out"], ast.Name):
            raise NoForm("a call")
        name = found["out"].id
        if not self._is_empty_list(name):
            raise NoForm("not empty before")
        if len(self.form.axes) != 1 or name in self.totals:
            raise NoForm("appends in two loops")
        form = self._of(found["value"])
        self._every(form)
        if not self.form.notes:
            self.form.note("whole arrays")
        tree = self._masked(form.tree, form.axes, mask)
        self._emit(f"{name} = VALUES", VALUES=tree)
        self.totals.add(name)
        self.replaced.add(name)

    def _is_empty_list(self, name):
        made = self.values.get(name)
        empty = "[]", "list()"
        return made is not None and trees.text(made) in empty
