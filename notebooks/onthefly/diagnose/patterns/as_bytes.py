"""A function that reads a text character by character, as one of bytes."""

import ast

from onthefly.diagnose.patterns import trees

RANGES = {  # in ASCII
    "isdigit": ((48, 57),),
    "isupper": ((65, 90),),
    "islower": ((97, 122),),
    "isalpha": ((65, 90), (97, 122)),
    "isalnum": ((48, 57), (65, 90), (97, 122)),
    "isspace": ((9, 13), (28, 32)),
}


def text_as_bytes_tree(function, texts):
    """Change a function's tree so that it reads bytes.

    Parameters
    ----------
    function  its tree
    texts     set of names of the parameters that are texts

    Returns
    -------
    Whether it was changed.  Where a text is used otherwise than by its
    characters, it is not, and the tree must be thrown away

    """
    if texts & trees.writes(*function.body):
        return False
    elements = _elements(function, texts)
    if not texts & trees.reads(*function.body):
        return False
    change = _Change(texts, elements)
    function.body = [change.visit(each) for each in function.body]
    return change.certain


def _elements(function, texts):
    """Return the names of variables that hold a character each time."""
    values = {}
    for node in ast.walk(function):
        if isinstance(node, ast.Assign):
            for target in node.targets:
                _note(values, target, node.value)
        elif isinstance(node, ast.For | ast.comprehension):
            _note_loop(values, node.target, node.iter, texts)
        elif isinstance(node, ast.AugAssign | ast.AnnAssign):
            _note(values, node.target, None)
    elements = set(values)
    while True:  # take out what holds something else, and what holds that
        left = {
            name
            for name in elements
            if all(_is_character(v, texts, elements) for v in values[name])
            and not all(isinstance(v, ast.Constant) for v in values[name])
        }
        if left == elements:
            return elements
        elements = left


def _note(values, target, value):
    pairs = [(target, value)]
    if isinstance(target, ast.Tuple):
        parts = [None] * len(target.elts)
        if isinstance(value, ast.Tuple) and len(value.elts) == len(parts):
            parts = value.elts
        pairs = zip(target.elts, parts, strict=True)
    for one, what in pairs:
        if isinstance(one, ast.Name):
            values.setdefault(one.id, []).append(what)


def _note_loop(values, target, over, texts):
    """Note what a loop's variables hold; a text's element as `text[0]`."""
    sources = [over]
    targets = [target]
    if isinstance(target, ast.Tuple):
        targets = target.elts
        if trees.calls(over, "enumerate"):
            sources = [None, over.args[0]]
        elif trees.calls(over, "zip"):
            sources = over.args
        if len(sources) != len(targets):
            sources = [None] * len(targets)
    for one, source in zip(targets, sources, strict=True):
        is_text = isinstance(source, ast.Name) and source.id in texts
        value = trees.expression(f"{source.id}[0]") if is_text else None
        _note(values, one, value)


def _is_character(node, texts, elements):
    if isinstance(node, ast.Constant):
        value = node.value
        return isinstance(value, str) and len(value) < 2 and value.isascii()
    if isinstance(node, ast.Name):
        return node.id in elements
    return (
        isinstance(node, ast.Subscript)
        and isinstance(node.value, ast.Name)
        and node.value.id in texts
        and not isinstance(node.slice, ast.Slice)
    )


class _Change(ast.NodeTransformer):
    """Exchanges characters for numbers; `certain` tells whether it could.

    A character, or a text, is changed where its use is known, and never
    visited there; what is visited as such is of an unknown use.
    """

    def __init__(self, texts, elements):
        self.texts = texts
        self.elements = elements
        self.certain = True

    def _is(self, node):
        return _is_character(node, self.texts, self.elements)

    def _changes(self, node):
        """Tell whether a node is a character that was one of a text."""
        return self._is(node) and not isinstance(node, ast.Constant)

    def _number(self, node):
        if isinstance(node, ast.Constant):
            return ast.Constant(ord(node.value) if node.value else -1)
        if isinstance(node, ast.Subscript):
            node.slice = self.visit(node.slice)
        return node

    def visit_Name(self, node):
        if node.id in self.texts | self.elements:
            self.certain = False
        return node

    def visit_Subscript(self, node):
        if self._is(node):
            self.certain = False
        return self.generic_visit(node)

    def visit_Assign(self, node):
        if self._assigns_characters(node.targets[0], node.value):
            if isinstance(node.value, ast.Tuple):
                node.value.elts = [
                    self._number(v) if self._is_element(t) else self.visit(v)
                    for t, v in zip(
                        node.targets[0].elts, node.value.elts, strict=True
                    )
                ]
            else:
                node.value = self._number(node.value)
            return node
        return self.generic_visit(node)

    def _is_element(self, node):
        return isinstance(node, ast.Name) and node.id in self.elements

    def _assigns_characters(self, target, value):
        if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple):
            return any(map(self._is_element, target.elts))
        return self._is_element(target)

    def visit_For(self, node):
        node.iter = self._visit_over(node.iter)
        node.body = [self.visit(each) for each in node.body]
        node.orelse = [self.visit(each) for each in node.orelse]
        return node

    def visit_comprehension(self, node):
        node.iter = self._visit_over(node.iter)
        node.ifs = [self.visit(each) for each in node.ifs]
        return node

    def _visit_over(self, over):
        if isinstance(over, ast.Name) and over.id in self.texts:
            return over
        if trees.calls(over, "enumerate", "zip", "reversed"):
            over.args = [self._visit_over(each) for each in over.args]
            return over
        return self.visit(over)

    def visit_Call(self, node):
        of_text = (
            len(node.args) == 1
            and isinstance(node.args[0], ast.Name)
            and node.args[0].id in self.texts
        )
        if trees.calls(node, "len") and of_text:
            return node
        if len(node.args) == 1 and self._changes(node.args[0]):
            number = self._number(node.args[0])
            if trees.calls(node, "ord"):
                return number
            if trees.calls(node, "int"):
                return ast.BinOp(number, ast.Sub(), ast.Constant(48))
        method = getattr(node.func, "attr", "")
        if method in RANGES and self._changes(node.func.value):
            return self._between(node.func.value, RANGES[method])
        return self.generic_visit(node)

    def _between(self, node, ranges):
        number = trees.text(self._number(node))
        tests = [f"{low} <= {number} <= {high}" for low, high in ranges]
        return trees.expression(f"({' or '.join(tests)})")

    def visit_Compare(self, node):
        sides = [node.left, *node.comparators]
        if not any(map(self._changes, sides)):
            return self.generic_visit(node)
        if isinstance(node.ops[0], ast.In | ast.NotIn) and len(sides) == 2:
            return self._membership(node)
        if all(map(self._is, sides)) and not any(
            isinstance(op, ast.In | ast.NotIn | ast.Is | ast.IsNot)
            for op in node.ops
        ):
            node.left, *node.comparators = map(self._number, sides)
            return node
        return self.generic_visit(node)

    def _membership(self, node):
        letters = _letters(node.comparators[0])
        if letters is None:
            return self.generic_visit(node)
        number = trees.text(self._number(node.left))
        tests = [f"{number} == {ord(each)}" for each in letters]
        new = trees.expression(f"({' or '.join(tests) or 'False'})")
        if isinstance(node.ops[0], ast.NotIn):
            new = ast.UnaryOp(ast.Not(), new)
        return new


def _letters(node):
    """Return the characters that `in` asks for, or None."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        letters = sorted(set(node.value))
    elif isinstance(node, ast.Tuple | ast.List | ast.Set):
        letters = [getattr(each, "value", None) for each in node.elts]
    else:
        return None
    good = all(
        isinstance(each, str) and len(each) == 1 and each.isascii()
        for each in letters
    )
    return letters if good else None
