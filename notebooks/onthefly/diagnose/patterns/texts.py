"""Loops over a text's characters, as methods of `str`."""

import ast

from onthefly.diagnose.patterns import trees

# Counts a word's places; the loop moves on behind a place, or by one.
FINDING = (
    "while at_ >= 0:\n n_ += 1\n at_ = t_.find(w_, at_ + step_)",
    "while at_ != -1:\n n_ += 1\n at_ = t_.find(w_, at_ + step_)",
    "while at_ > -1:\n n_ += 1\n at_ = t_.find(w_, at_ + step_)",
    "while True:\n at_ = t_.find(w_, at_)\n if at_ == -1:\n  break\n"
    " n_ += 1\n at_ += step_",
    "while True:\n at_ = t_.find(w_, at_)\n if at_ < 0:\n  break\n"
    " n_ += 1\n at_ += step_",
    "while (at_ := t_.find(w_, at_)) != -1:\n n_ += 1\n at_ += step_",
    "for i_ in range(len(t_) - len(w_) + 1):\n"
    " if t_[i_:i_ + len(w_)] == w_:\n  n_ += 1",
    "for i_ in range(len(t_)):\n if t_[i_:i_ + len(w_)] == w_:\n  n_ += 1",
    "for i_ in range(len(t_)):\n if t_.startswith(w_, i_):\n  n_ += 1",
    "for i_ in range(len(t_) - len(w_) + 1):\n"
    " if t_.startswith(w_, i_):\n  n_ += 1",
)
SUMS = (
    "sum(1 for c_ in t_ if test_)",
    "sum([1 for c_ in t_ if test_])",
    "len([c_ for c_ in t_ if test_])",
    "sum(test_ for c_ in t_)",
    "sum(int(test_) for c_ in t_)",
    "sum(1 if test_ else 0 for c_ in t_)",
)
BY_INDEX = (
    "for i_ in range(len(t_)):\n if test_:\n  n_ += 1",
    "for i_ in range(0, len(t_)):\n if test_:\n  n_ += 1",
)


def with_counts(function, texts):
    """Write counting loops with `str.count`.

    Parameters
    ----------
    function  the tree, which is changed
    texts     names of the parameters that are texts

    Returns
    -------
    Names of the methods used; none where nothing was changed

    """
    change = _Change(texts)
    change.generic_visit(function)
    return change.notes


class _Change(ast.NodeTransformer):
    def __init__(self, texts):
        self.texts = texts
        self.notes = []

    def _note(self, name):
        if name not in self.notes:
            self.notes.append(name)

    def visit_While(self, node):
        return self._finding(node) or self.generic_visit(node)

    def visit_For(self, node):
        new = self._finding(node) or self._characters(node)
        return new or self.generic_visit(node)

    def _finding(self, node):
        found = trees.first_match(FINDING, node)
        if not found or getattr(found["t"], "id", "") not in self.texts:
            return None
        if node.orelse or not isinstance(found["n"], ast.Name):
            return None
        text, word = trees.text(found["t"]), trees.text(found["w"])
        self._note(f"{text}.count({word})")
        line = f"{found['n'].id} += {text}.count({word})"
        return trees.statements(line)[0]

    def _characters(self, node):
        """Take a loop that counts characters by one or several tests."""
        character = self._character(node)
        if character is None or node.orelse or len(node.body) != 1:
            return None
        lines, seen, branch = [], "", node.body[0]
        while isinstance(branch, ast.If):
            letters = _letters(branch.test, character)
            found = len(branch.body) == 1 and trees.match(
                "n_ += 1", branch.body[0]
            )
            if not letters or not found or set(letters) & set(seen):
                return None
            seen += letters
            lines.append((trees.text(found["n"]), letters))
            if len(branch.orelse) > 1:
                return None
            branch = branch.orelse[0] if branch.orelse else None
        text = self._text(node)
        if branch is not None and not self._rest(branch, lines, text, seen):
            return None
        code = [f"{n} += {self._count(text, s)}" for n, s in lines]
        return trees.statements("\n".join(code))

    def _rest(self, branch, lines, text, seen):
        """Take a last `else: n += 1`."""
        found = trees.match("n_ += 1", branch)
        if not found or not lines:
            return False
        others = self._count(text, seen)
        lines.append((trees.text(found["n"]), None))
        self.rest = f"len({text}) - {others}"
        return True

    def _count(self, text, letters):
        if letters is None:
            return self.rest
        if len(letters) == 1:
            self._note(f"{text}.count({letters!r})")
            return f"{text}.count({letters!r})"
        self._note(f"sum(map({text}.count, {letters!r}))")
        return f"sum(map({text}.count, {letters!r}))"

    def _text(self, node):
        if isinstance(node.iter, ast.Name):
            return node.iter.id
        return node.iter.args[-1].args[0].id

    def _character(self, node):
        """Return the tree of the loop's character, or None."""
        if getattr(node.iter, "id", "") in self.texts:
            return node.target
        found = trees.first_match(["range(len(t_))", "range(0, len(t_))"],
                                  node.iter)  # fmt: skip
        if found and getattr(found["t"], "id", "") in self.texts:
            index = trees.text(node.target)
            return trees.expression(f"{found['t'].id}[{index}]")
        return None

    def visit_Call(self, node):
        found = trees.first_match(SUMS, node)
        if found and getattr(found["t"], "id", "") in self.texts:
            letters = _letters(found["test"], found["c"])
            if letters:
                return trees.expression(self._count(found["t"].id, letters))
        return self.generic_visit(node)


def _letters(test, character):
    """Return the characters that a test lets pass, or None."""
    if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.Or):
        parts = [_letters(each, character) for each in test.values]
        if None in parts:
            return None
        return "".join(dict.fromkeys("".join(parts)))
    equal = trees.first_match(["c_ == s_", "s_ == c_"], test)
    among = trees.match("c_ in s_", test)
    found = equal or among
    if not found:
        return None
    one, other = found["c"], found["s"]
    if trees.same(other, character):
        one, other = other, one
    if not trees.same(one, character):
        return None
    return _constant(other, single=equal is not None)


def _constant(node, single):
    if isinstance(node, ast.Tuple | ast.List | ast.Set) and not single:
        parts = [_constant(each, True) for each in node.elts]
        return None if None in parts else "".join(dict.fromkeys(parts))
    value = getattr(node, "value", None)
    if not isinstance(value, str) or not value or (single and len(value) > 1):
        return None
    return "".join(dict.fromkeys(value))
