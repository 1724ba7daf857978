"""What a loop adds up, in a variable or by a key, added at once."""

import ast

from onthefly.diagnose.patterns import grouping, products, trees
from onthefly.diagnose.patterns.axes import NoForm
from onthefly.diagnose.patterns.forms import Form, filled


class Sums:
    """The part of an ArrayLoop that knows sums."""

    def _is_dict(self, name):
        return grouping.is_empty_dict(self.values.get(name))

    def _group(self, found, mask):
        if len(self.form.axes) != 1:
            raise NoForm("a dict in two loops")
        keys, values = self._of(found["k"]), self._of(found["v"])
        if not keys.axes:
            raise NoForm("one key")
        if not values.axes and not trees.same(values.tree, ast.Constant(1)):
            raise NoForm("the same each time")
        trees_of = [
            self._masked(f.tree, f.axes, mask) for f in (keys, values)
        ]
        whole = self._is_whole(self._inlined(found["k"]))
        new = grouping.sums_in_dict(
            self.form, found["d"].id, *trees_of, whole
        )
        self.done += [*self.form.before, *new]
        self.form.before = []
        self.totals.add(found["d"].id)
        self.replaced.add(found["d"].id)

    def _is_whole(self, key):
        """Tell whether keys can be expected to be 0, 1, 2, …."""
        if trees.calls(key, "int", "math.floor"):
            return True
        if isinstance(key, ast.BinOp):
            fits = isinstance(key.op, ast.Mod | ast.FloorDiv)
            return fits and self._is_whole(key.left)
        root = isinstance(key, ast.Subscript) and self.form.subscripts(key)
        return bool(root) and root[0] in self.whole_keys

    def _accumulate(self, target, op, value, mask):
        if isinstance(target, ast.Subscript):
            self._into_array(target, op, value, mask)
            return
        if not isinstance(target, ast.Name):
            raise NoForm("an attribute")
        name = target.id
        if name in self.form.known:
            self._along(name, op, value, mask)
            return
        if name in trees.reads(value) or isinstance(value, ast.List):
            raise NoForm("no plain sum")
        self.totals.add(name)
        sign = "+" if isinstance(op, ast.Add) else "-"
        if isinstance(op, ast.Mult):
            self._product(name, value, mask)
        elif isinstance(op, ast.Add | ast.Sub):
            total = self._sum(value, mask)
            self._emit(f"{name} {sign}= TOTAL", TOTAL=total)
        else:
            raise NoForm("no sum")

    def _product(self, name, value, mask):
        form = self._of(value)
        self._every(form)
        self.form.note("np.prod")
        tree = self._masked(form.tree, form.axes, mask)
        self._emit(f"{name} *= np.prod(VALUES)", VALUES=tree)

    def _sum(self, value, mask):
        """Return the tree of the sum of all turns."""
        if mask is None:
            self._read = self._read | trees.reads(value)
            product = products.sum_of_product(self.form, value, [])
            if product is not None:
                return product
        form = self._of(value)
        if not form.axes and len(self.form.axes) == 1:
            return self._count(form.tree, mask)
        self._every(form)
        if len(self.form.axes) > 1 and not self._has_matrix(value):
            raise NoForm("a matrix of its own")
        self.form.note("np.sum")
        tree = self._masked(form.tree, form.axes, mask)
        return filled("np.sum(VALUES)", VALUES=tree)

    def _count(self, tree, mask):
        if mask is None:
            raise NoForm("the same each time")
        if not mask.axes:
            raise NoForm("a condition that stays")
        self.form.note("np.count_nonzero")
        count = filled("np.count_nonzero(MASK)", MASK=mask.tree)
        if trees.same(tree, ast.Constant(1)):
            return count
        return filled("TIMES * COUNT", TIMES=tree, COUNT=count)

    def _has_matrix(self, value):
        """Tell whether an array is indexed by all loops."""
        names = {a.index for a in self.form.axes}
        return any(
            names <= trees.reads(node)
            for node in ast.walk(value)
            if isinstance(node, ast.Subscript)
        )

    def _along(self, name, op, value, mask):
        """Sum over the innermost loop, into a turn's own variable."""
        form = self.form
        start = form.known[name]
        outer = [a.index for a in form.axes[:-1]]
        if mask is not None or not isinstance(op, ast.Add):
            raise NoForm("no plain sum in a loop")
        if not isinstance(start.tree, ast.Constant | ast.Name):
            raise NoForm("a sum that is continued")
        self._read = self._read | trees.reads(value)
        distance = products.squared_distance(form, self._inlined(value))
        moved = None if distance else self._moved(value)
        if distance is not None:
            tree = distance.tree
        elif moved is not None:
            tree = moved
        else:
            tree = self._sum_along(value, outer)
        if getattr(start.tree, "value", None) != 0:
            tree = filled("START + SUM", START=start.tree, SUM=tree)
        self._emit(f"{name} = VALUES", VALUES=tree)
        form.known[name] = Form(ast.Name(name, ast.Load()), frozenset(outer))

    def _inlined(self, value):
        """Return a value in which a turn's own difference is written out."""
        return trees.exchanged(value, getattr(self, "trees_of_own", {}))

    def _sum_along(self, value, outer):
        product = products.sum_of_product(self.form, value, outer)
        if product is not None:
            return product
        form = self._of(value)
        self._every(form)
        if len(self.form.axes) != 2 or not self._has_matrix(value):
            raise NoForm("too large an array")
        self.form.note("np.sum")
        return filled("np.sum(VALUES, axis=1)", VALUES=form.tree)

    def _moved(self, value):
        """Return the tree of a sum of a window that moves, or None."""
        if len(self.form.axes) != 2:
            return None
        outer, inner = self.form.axes
        i, j = outer.index, inner.index
        if not trees.same(inner.start, ast.Constant(0)):
            return None
        plain = trees.first_match([f"x_[{i} + {j}]", f"x_[{j} + {i}]"], value)
        if plain and isinstance(plain["x"], ast.Name):
            self.form.axes.pop()
            zero = ast.Constant(0)
            new = self.form.windows(plain["x"], "sum", zero, inner.stop)
            self.form.axes.append(inner)
            return new.tree
        found = trees.first_match(
            [
                f"x_[{i} + {j}] * w_[{j}]",
                f"w_[{j}] * x_[{i} + {j}]",
            ],
            value,
        )
        if not found or not isinstance(found["w"], ast.Name):
            return None
        x, w = trees.text(found["x"]), found["w"].id
        self.form.sources |= {x, w}
        self.form.note("np.correlate")
        code = f'np.correlate({x}, {w}, "valid")[START:STOP]'
        tree = trees.expression(code)
        tree.slice.lower, tree.slice.upper = outer.start, outer.stop
        return tree
