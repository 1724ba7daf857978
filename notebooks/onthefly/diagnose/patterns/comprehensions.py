"""List comprehensions and generators in sums, as whole arrays."""

import ast

from onthefly.diagnose.patterns import products, trees
from onthefly.diagnose.patterns.array_form import ArrayForm
from onthefly.diagnose.patterns.axes import NoForm, axis

REDUCTIONS = {
    "sum": "np.sum",
    "np.sum": "np.sum",
    "min": "np.min",
    "max": "np.max",
    "any": "np.any",
    "all": "np.all",
    "math.fsum": "np.sum",
}
PRODUCT = (
    "[[sum(x_ * y_ for x_, y_ in zip(row_, col_)) for col_ in zip(*B_)] "
    "for row_ in A_]",
    "[[sum([x_ * y_ for x_, y_ in zip(row_, col_)]) for col_ in zip(*B_)] "
    "for row_ in A_]",
)


class Comprehensions(ast.NodeTransformer):
    """Changes the expressions of a statement.

    make     returns a new ArrayForm
    changed  whether something was changed
    forms    those that were used
    before   statements to run before
    """

    def __init__(self, make):
        self.make = make
        self.forms = []
        self.before = []

    @property
    def changed(self):
        """Whether something was changed."""
        return bool(self.forms)

    def _try(self, node, convert):
        form = self.make()
        try:
            new = convert(form, node)
        except NoForm:
            return None
        self.forms.append(form)
        self.before += form.before
        return new

    def visit_ListComp(self, node):
        new = self._try(node, _product) or self._try(node, _list)
        return new or node

    def visit_GeneratorExp(self, node):
        return node

    def visit_Call(self, node):
        if trees.dotted(node.func) in REDUCTIONS and len(node.args) == 1:
            inner = node.args[0]
            if isinstance(inner, ast.GeneratorExp | ast.ListComp):
                new = self._try(node, _reduction)
                if new is not None:
                    return new
        return self.generic_visit(node)


def _product(form, node):
    found = trees.first_match(PRODUCT, node)
    if not found or not all(isinstance(found[k], ast.Name) for k in "AB"):
        raise NoForm("no product")
    a, b = found["A"].id, found["B"].id
    form.sources |= {a, b}
    form.note(f"{a} @ {b}")
    return trees.expression(f"{a} @ {b}")


def _enter(form, node):
    """Add a comprehension's loop; return its element and its condition."""
    if len(node.generators) != 1 or node.generators[0].is_async:
        raise NoForm("several loops")
    part = node.generators[0]
    new, elements = axis(part.target, part.iter, form.used, form.values)
    form.axes.append(new)
    element = trees.exchanged(node.elt, elements)
    tests = [trees.exchanged(each, elements) for each in part.ifs]
    mask = None
    for test in tests:
        tree = form.of(test)
        if tree.axes != {new.index}:
            raise NoForm("a condition of another shape")
        both = tree.tree
        if mask is not None:
            both = trees.exchanged(
                trees.expression("np.logical_and(A, B)"),
                {"A": mask, "B": both},
            )
        mask = both
    return element, mask


def _list(form, node):
    element, mask = _enter(form, node)
    if isinstance(element, ast.ListComp) and mask is None:
        return _list(form, element)
    if trees.calls(element, "sum", "np.sum") and isinstance(
        element.args[0], ast.GeneratorExp | ast.ListComp
    ):
        return _sums(form, element.args[0], mask)
    value = form.of(element)
    if value.axes != {each.index for each in form.axes}:
        raise NoForm("the same along an axis")
    return _chosen(value.tree, mask)


def _sums(form, node, mask):
    """Return the tree of a sum for each turn of the loops around."""
    kept = [each.index for each in form.axes]
    element, inner = _enter(form, node)
    if mask is not None or inner is not None:
        raise NoForm("sums under a condition")
    tree = products.sum_of_product(form, element, kept)
    if tree is None:
        value = form.of(element)
        if len(form.axes) != 2 or len(value.axes) != 2:
            raise NoForm("too large an array")
        form.note("np.sum")
        tree = trees.expression("np.sum(VALUES, axis=1)")
        tree = trees.exchanged(tree, {"VALUES": value.tree})
    return tree


def _reduction(form, node):
    name = REDUCTIONS[trees.dotted(node.func)]
    element, mask = _enter(form, node.args[0])
    if mask is None and name == "np.sum":
        tree = products.sum_of_product(form, element, [])
        if tree is not None:
            return tree
    value = form.of(element)
    if not value.axes and mask is not None and name == "np.sum":
        form.note("np.count_nonzero")
        tree = trees.expression("np.count_nonzero(MASK) * TIMES")
        if trees.same(value.tree, ast.Constant(1)):
            tree = tree.left
        return trees.exchanged(tree, {"MASK": mask, "TIMES": value.tree})
    if value.axes != {each.index for each in form.axes}:
        raise NoForm("the same each time")
    form.note(name)
    tree = trees.expression(f"{name}(VALUES)")
    return trees.exchanged(tree, {"VALUES": _chosen(value.tree, mask)})


def _chosen(tree, mask):
    if mask is None:
        return tree
    return ast.Subscript(tree, mask, ast.Load())


__all__ = ["ArrayForm", "Comprehensions"]
