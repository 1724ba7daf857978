"""What a loop stores in an array, stored at once."""

import ast

from onthefly.diagnose.patterns import products, trees
from onthefly.diagnose.patterns.axes import NoForm
from onthefly.diagnose.patterns.forms import Form, filled


class Stores:
    """The part of an ArrayLoop that knows what is stored in arrays."""

    def _into_array(self, target, op, value, mask):
        """Take `out[i, j] += …`, and `counts[int(v)] += 1`."""
        found = self.form.subscripts(target)
        if found is None or found[0] in trees.reads(value):
            raise NoForm("no plain array")
        name, subscripts = found
        indices = [a.index for a in self.form.axes]
        at = [getattr(each, "id", None) for each in subscripts]
        if set(at) < set(indices) and mask is None and at:
            self._add_products(name, at, value, op)
        elif at == indices:
            self._store(target, ast.BinOp(target, op, value), mask)
        elif len(subscripts) == 1 and isinstance(op, ast.Add):
            self._histogram(name, subscripts[0], value, mask)
        else:
            raise NoForm("other places")

    def _add_products(self, name, at, value, op):
        self._read = self._read | trees.reads(value)
        tree = products.sum_of_product(self.form, value, at)
        if tree is None or not isinstance(op, ast.Add):
            raise NoForm("no sum of products")
        self.form.sources.add(name)
        axes = {a.index: a for a in self.form.axes}
        self._into(name, [axes[each] for each in at], tree, op)
        self.totals.add(name)

    def _into(self, name, axes, tree, op=None):
        """Set an array, or its part that the loops meet."""
        made = self.values.get(name)
        if made is not None and _makes(made, axes):
            self._emit(f"{name} = VALUES", VALUES=tree)
            self.replaced.add(name)
            return
        parts = [_slice(axis) for axis in axes]
        sign = "+=" if op is not None else "="
        self._emit(f"{name}[{', '.join(parts)}] {sign} VALUES", VALUES=tree)

    def _histogram(self, name, key, value, mask):
        keys, weights = self._of(key), self._of(value)
        self._every(keys)
        tree = self._masked(keys.tree, keys.axes, mask)
        code = f"{name} += np.bincount(KEYS, minlength=len({name}))"
        if name in self.values and trees.match(
            "[z_] * n_", self.values[name]
        ):
            code = (
                f"{name} = {name} + np.bincount(KEYS, minlength=len({name}))"
            )
        if not trees.same(weights.tree, ast.Constant(1)):
            self._every(weights)
            code = code.replace("KEYS,", "KEYS, WEIGHTS,")
        self.form.note("np.bincount")
        masked = self._masked(weights.tree, weights.axes, mask)
        if name not in self.values:
            self.form.sources.add(name)
        self._emit(code, KEYS=tree, WEIGHTS=masked)
        self.totals.add(name)

    def _store(self, target, value, mask):
        found = self.form.subscripts(target)
        if found is None:
            raise NoForm("no array")
        name, subscripts = found
        self._only_there(name, subscripts)
        places = [getattr(each, "id", None) for each in subscripts]
        if places != [a.index for a in self.form.axes]:
            raise NoForm("other places")
        form = self._of(value)
        if name not in self.values:
            self.form.sources.add(name)
        if mask is not None:
            old = self._of(target)
            self._every(mask)
            form = Form(
                filled(
                    "np.where(MASK, NEW, OLD)",
                    MASK=mask.tree, NEW=form.tree, OLD=old.tree,
                ),
                mask.axes,
            )  # fmt: skip
            self.form.note("np.where")
        self._every(form)
        if not self.form.notes:
            self.form.note("whole arrays")
        self._into(name, self.form.axes, form.tree)

    def _only_there(self, name, subscripts):
        """Refuse an array that is read at other places than stored to."""
        for node in ast.walk(self.loop):
            if not isinstance(node, ast.Subscript):
                continue
            found = self.form.subscripts(node)
            outer = found and found[0] == name and len(found[1])
            if outer == len(subscripts) and not all(
                map(trees.same, found[1], subscripts)
            ):
                raise NoForm("read elsewhere")


def _makes(made, axes):
    """Tell whether an array, or a list, of just these lengths is made."""
    lengths = [trees.text(a.stop) for a in axes]
    if not all(trees.same(a.start, ast.Constant(0)) for a in axes):
        return False
    lists = ["[x_] * n_", "[x_ for i_ in range(n_)]"]
    arrays = [
        f"np.{name}(n_{end})"
        for name in ("zeros", "empty")
        for end in ("", ", t_", ", dtype=t_")
    ]
    two = ["[[x_] * m_ for i_ in range(n_)]"]
    two += ["[[x_ for j_ in range(m_)] for i_ in range(n_)]"]
    two += [each.replace("n_", "(n_, m_)", 1) for each in arrays]
    if len(axes) == 2:
        found = trees.first_match(two, made)
    else:
        found = trees.first_match([*lists, *arrays], made)
    if found is None or "n" not in found:
        return False
    sizes = [found["n"]] + ([found["m"]] if len(axes) == 2 else [])
    of_floats = "t" not in found or trees.dotted(found["t"]) in (
        "float", "np.float64",
    )  # fmt: skip
    return of_floats and lengths == [trees.text(each) for each in sizes]


def _slice(axis):
    """Return the part of an array along an axis, as a slice's text."""
    begins = trees.same(axis.start, ast.Constant(0))
    start = "" if begins else trees.text(axis.start)
    return f"{start}:{'' if axis.whole else trees.text(axis.stop)}"
