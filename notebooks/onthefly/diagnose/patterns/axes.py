"""Loops over positions and elements, as axes of arrays."""

import ast
import dataclasses

from onthefly.diagnose.patterns import trees


class NoForm(Exception):
    """A piece of code has no form that works on whole arrays."""


@dataclasses.dataclass(frozen=True)
class Axis:
    """What one loop counts.

    index  name of the position
    start  tree of the first position
    stop   tree of the one behind the last
    whole  whether it counts all elements of what it indexes
    """

    index: str
    start: ast.expr
    stop: ast.expr
    whole: bool

    @property
    def length(self):
        """The tree of how many turns there are."""
        return minus(self.stop, self.start)


def axis(target, over, used, known):
    """Return the Axis of a loop, and what its variables stand for.

    Parameters
    ----------
    target  tree of the loop's variable, or variables
    over    tree of what is looped over
    used    names that are in use, to which a new one is added
    known   {name: tree} of variables that are set once, such as lengths

    Returns
    -------
    (Axis, {name: tree of an element, as `x[i]`})

    Raises
    ------
    NoForm  where it loops over something else than a range or sequences

    """
    if trees.calls(over, "range") and isinstance(target, ast.Name):
        return _over_range(target.id, over.args, known), {}
    counter, sources, targets = _sources(target, over)
    index = counter or trees.fresh("i", used)
    elements = {}
    for source, one in zip(sources, targets, strict=True):
        place = ast.Name(index, ast.Load())
        element = ast.Subscript(source, place, ast.Load())
        elements |= _elements(one, element)
    stops = [_length(source) for source in sources]
    return Axis(index, ast.Constant(0), stops[0], True), elements


def _length(source):
    """Return the tree of the length of a sequence, or of all its rows."""
    depth = 0
    while isinstance(source, ast.Subscript):
        if isinstance(source.slice, ast.Slice | ast.Tuple):
            raise NoForm("over a part")
        source, depth = source.value, depth + 1
    if not isinstance(source, ast.Name):
        raise NoForm("over something that has no name")
    if not depth:
        return trees.expression(f"len({source.id})")
    return trees.expression(f"{source.id}.shape[{depth}]")


def _over_range(index, args, known):
    start, stop = ast.Constant(0), args[0]
    if len(args) > 1:
        start, stop = args[0], args[1]
    if len(args) == 3 and not trees.same(args[2], ast.Constant(1)):
        raise NoForm("in steps")
    row = trees.match("len(x_[i_])", stop)
    if row and isinstance(row["x"], ast.Name):
        stop = trees.expression(f"{row['x'].id}.shape[1]")
    from_zero = trees.same(start, ast.Constant(0))
    return Axis(index, start, stop, from_zero and is_length(stop, known))


def is_length(node, known):
    """Tell whether a tree is the length of a named sequence."""
    if isinstance(node, ast.Name):
        node = known.get(node.id, node)
    patterns = "len(x_)", "x_.shape[k_]", "len(x_[0])", "x_.size"
    found = trees.first_match(patterns, node)
    return found is not None and isinstance(found["x"], ast.Name)


def _sources(target, over):
    """Return the counter's name or None, the sequences and the targets."""
    counter = None
    if trees.calls(over, "enumerate") and len(over.args) == 1:
        pair = getattr(target, "elts", ())
        if len(pair) != 2 or not isinstance(pair[0], ast.Name):
            raise NoForm("no counter")
        counter, target, over = pair[0].id, pair[1], over.args[0]
    if trees.calls(over, "zip") and not over.keywords:
        targets = getattr(target, "elts", ())
        if len(targets) != len(over.args):
            raise NoForm("another number of variables")
        return counter, over.args, targets
    return counter, [over], [target]


def _elements(target, element):
    if isinstance(target, ast.Name):
        return {target.id: element}
    if not isinstance(target, ast.Tuple):
        raise NoForm("no variable")
    found = {}
    for place, part in enumerate(target.elts):
        item = ast.Subscript(element, ast.Constant(place), ast.Load())
        found |= _elements(part, item)
    return found


def offset(node, index):
    """Return the tree that is added to an index, or None: something else."""
    terms, number = _terms(node)
    words = trees.text(ast.Name(index, ast.Load()))
    if terms.pop(words, 0) != 1:
        return None
    if any(index in trees.reads(trees.expression(term)) for term in terms):
        return None
    return _sum(terms, number)


def plus(one, other):
    """Return the tree of a sum, plain where it can be."""
    return _joined(one, other, 1)


def minus(one, other):
    """Return the tree of a difference, plain where it can be."""
    return _joined(one, other, -1)


def _joined(one, other, sign):
    terms, number = _terms(one)
    more, value = _terms(other)
    for term, times in more.items():
        terms[term] = terms.get(term, 0) + sign * times
    return _sum(terms, number + sign * value)


def _terms(node, sign=1):
    """Return {source: how often it is added}, and the number added."""
    if isinstance(node, ast.Constant) and type(node.value) is int:
        return {}, sign * node.value
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        return _terms(node.operand, -sign)
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add | ast.Sub):
        terms, number = _terms(node.left, sign)
        last = sign if isinstance(node.op, ast.Add) else -sign
        more, value = _terms(node.right, last)
        for term, times in more.items():
            terms[term] = terms.get(term, 0) + times
        return terms, number + value
    return {trees.text(node): sign}, 0


def _sum(terms, number):
    """Return the tree of a sum, what is added before what is taken off."""
    parts = sorted(
        ((term, times) for term, times in terms.items() if times),
        key=lambda part: part[1] < 0,
    )
    words = ""
    for term, times in parts:
        if " " in term and not term.endswith(")"):
            term = f"({term})"
        if abs(times) != 1:
            term = f"{abs(times)} * {term}"
        sign = ("-" if times < 0 else "+") + " "
        words += f" {sign}{term}" if words else sign.strip("+ ") + term
    if number or not words:
        end = f" {'-' if number < 0 else '+'} {abs(number)}"
        words = words + end if words else str(number)
    return trees.expression(words)


def sliced(first, stop):
    """Return the tree of a slice, without a first place that is 0."""
    from_zero = trees.same(first, ast.Constant(0))
    return ast.Slice(None if from_zero else first, stop)


def is_negative(node):
    """Tell whether a place is counted from the end, as far as is seen."""
    return isinstance(node, ast.UnaryOp)  # the tree of -1 is one, too
