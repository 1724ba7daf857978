"""Sums of products of arrays, as `@`, `np.dot` or `np.einsum`."""

import ast

from onthefly.diagnose.patterns import trees
from onthefly.diagnose.patterns.axes import NoForm

LETTERS = "ijklmn"


def sum_of_product(form, value, kept):
    """Return the tree of a sum of products over some axes, or None.

    Parameters
    ----------
    form   the ArrayForm, in the innermost loop
    value  tree of what is summed
    kept   names of the axes' indices that the result has, in its order

    """
    factors = [_factor(form, part) for part in _product(value)]
    if len(factors) < 2 or None in factors:
        return None
    letters = {
        axis.index: letter
        for axis, letter in zip(form.axes, LETTERS, strict=False)
    }
    if {name for _a, names in factors for name in names} != set(letters):
        return None
    terms = ["".join(letters[n] for n in names) for _a, names in factors]
    arrays = [trees.text(array) for array, _names in factors]
    result = "".join(letters[name] for name in kept)
    for name, _subscripts in map(form.subscripts, _product(value)):
        form.sources.add(name)
    return trees.expression(_written(form, terms, arrays, result))


def _written(form, terms, arrays, result):
    if len(terms) == 2:
        one, other = terms
        a, b = arrays
        for (s, x), (t, y) in (
            ((one, a), (other, b)),
            ((other, b), (one, a)),
        ):
            if s[-1] == t[0] and s[:-1] + t[1:] == result and s[-1:] != t[1:]:
                shared = s[-1] not in result and len(s + t) > 2
                if shared:
                    form.note(f"{x} @ {y}")
                    return f"{x} @ {y}"
        if one == other and not result and len(one) == 1:
            form.note("np.dot")
            return f"np.dot({a}, {b})"
    form.note("np.einsum")
    code = f"{','.join(terms)}->{result}"
    return f'np.einsum("{code}", {", ".join(arrays)})'


def _product(node):
    """Return the factors of a product."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult):
        return [*_product(node.left), *_product(node.right)]
    square = trees.match("x_ ** 2", node)
    return [square["x"], square["x"]] if square else [node]


def _factor(form, node):
    """Return the array and the names of its axes, or None: something else."""
    found = isinstance(node, ast.Subscript) and form.subscripts(node)
    if not found:
        return None
    name, subscripts = found
    by_index = {axis.index: axis for axis in form.axes}
    names = [getattr(each, "id", None) for each in subscripts]
    if not set(names) <= set(by_index) or len(set(names)) < len(names):
        return None
    if name in form.tables:
        raise NoForm(name)
    ends = [by_index[each] for each in names]
    tree = ast.Name(name, ast.Load())
    if not all(axis.whole for axis in ends):
        parts = [
            ast.Slice()
            if axis.whole
            else ast.Slice(
                None
                if trees.same(axis.start, ast.Constant(0))
                else axis.start,
                axis.stop,
            )
            for axis in ends
        ]
        inside = parts[0] if len(parts) == 1 else ast.Tuple(parts, ast.Load())
        tree = ast.Subscript(tree, inside, ast.Load())
    return tree, names


def squared_distance(form, value):
    """Return the Form of a sum of squared differences of rows, or None."""
    found = trees.first_match(
        [
            "(a_[i_][k_] - b_[j_][k_]) ** 2",
            "(a_[i_, k_] - b_[j_, k_]) ** 2",
            "(a_[i_][k_] - b_[j_][k_]) * (a_[i_][k_] - b_[j_][k_])",
            "(a_[i_, k_] - b_[j_, k_]) * (a_[i_, k_] - b_[j_, k_])",
        ],
        value,
    )
    if found is None or len(form.axes) != 3:
        return None
    order = [axis.index for axis in form.axes]
    if order != [getattr(found[key], "id", "") for key in "ijk"]:
        return None
    return form.distances(found["a"], found["b"], "sqeuclidean")
