"""Windows that move along an array, and distances of rows."""

import ast

from onthefly.diagnose.patterns import trees
from onthefly.diagnose.patterns.axes import (
    NoForm,
    is_negative,
    minus,
    offset,
    plus,
    sliced,
)
from onthefly.diagnose.patterns.forms import Form, is_zero

WINDOWS = {"mean": "mean", "sum": "sum", "max": "max", "min": "min"}
WINDOWS |= {"std": "std", "var": "var", "median": "median", "ptp": "ptp"}


class Windows:
    """The part of an ArrayForm that knows windows and distances."""

    def _distance(self, node):
        """Return the form of the distance of two rows, or None."""
        if len(self.axes) != 2:
            return None
        rows = trees.first_match(
            [
                "np.linalg.norm(a_[i_] - b_[j_])",
                "math.dist(a_[i_], b_[j_])",
                "np.sqrt(np.sum((a_[i_] - b_[j_]) ** 2))",
                "np.sqrt(((a_[i_] - b_[j_]) ** 2).sum())",
                "math.sqrt(np.sum((a_[i_] - b_[j_]) ** 2))",
                "math.sqrt(((a_[i_] - b_[j_]) ** 2).sum())",
            ],
            node,
        )
        order = [axis.index for axis in self.axes]
        if not rows or order != [getattr(rows[k], "id", "") for k in "ij"]:
            return None
        return self.distances(rows["a"], rows["b"], "euclidean")

    def distances(self, one, other, metric):
        """Return the form of the distances of the rows of two arrays."""
        for each in (one, other):
            if not isinstance(each, ast.Name):
                raise NoForm("rows of something without a name")
            self.sources.add(each.id)
        self.note("scipy.spatial.distance.cdist")
        tree = trees.expression(f'cdist({one.id}, {other.id}, "{metric}")')
        if metric == "euclidean":
            tree.args.pop()
        return Form(tree, frozenset(axis.index for axis in self.axes[:2]))

    def _window(self, node):
        """Return the form of `np.mean(x[i:i + d])`, or None."""
        name, part = _reduced(node)
        found = name and trees.match("x_[a_:b_]", part)
        if not found or not isinstance(found["x"], ast.Name):
            return None
        place = len(self.axes) - 1
        axis = self.axes[place]
        first, last = (offset(found[k], axis.index) for k in "ab")
        if first is None or last is None or len(self.axes) > 1:
            return None
        return self.windows(found["x"], name, first, minus(last, first))

    def windows(self, array, name, first, width):
        """Return the form of a reduction of windows that move along."""
        axis = self.axes[0]
        x, d = array.id, trees.text(width)
        self.sources.add(x)
        tree = self._windows_of(x, d, name)
        every = trees.expression(f"len({x}) - ({d}) + 1")
        begin, end = (plus(at, first) for at in (axis.start, axis.stop))
        stop = trees.exchanged(end, self.lengths())
        whole = is_zero(minus(trees.exchanged(stop, self.lengths()), every))
        if is_negative(begin):
            raise NoForm("from the end")
        if not (is_zero(begin) and whole):
            tree = ast.Subscript(tree, sliced(begin, end), ast.Load())
        return Form(tree, frozenset([axis.index]))

    def lengths(self):
        """Return {name: tree} of variables that are set to lengths."""
        return {
            name: tree
            for name, tree in self.values.items()
            if "len(" in trees.text(tree) or ".shape[" in trees.text(tree)
        }

    def _windows_of(self, x, d, name):
        if name not in ("mean", "sum"):
            self.note("np.lib.stride_tricks.sliding_window_view")
            view = f"np.lib.stride_tricks.sliding_window_view({x}, {d})"
            return trees.expression(f"np.{name}({view}, axis=1)")
        over = f" / {d}" if name == "mean" else ""
        if self.cumsum:
            self.note("np.cumsum")
            sums = trees.fresh("sums", self.used)
            self.before += trees.statements(
                f"{sums} = np.concatenate(([0.0], np.cumsum({x})))"
            )
            return trees.expression(f"({sums}[{d}:] - {sums}[:-{d}]){over}")
        self.note("np.convolve")
        return trees.expression(
            f'np.convolve({x}, np.ones({d}){over}, "valid")'
        )


def _reduced(node):
    """Return the name of a reduction and the tree of what it reduces."""
    name = trees.dotted(node.func)
    if name in ("sum", "max", "min") or name.startswith(("np.", "numpy.")):
        if len(node.args) == 1:
            return WINDOWS.get(name.split(".")[-1]), node.args[0]
    elif isinstance(node.func, ast.Attribute) and not node.args:
        return WINDOWS.get(node.func.attr), node.func.value
    return None, None
