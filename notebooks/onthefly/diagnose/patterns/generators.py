"""Generator expressions in calls of `sum` and its like, as loops."""

import ast
import copy

from onthefly.diagnose.patterns import trees

TAKEN = "sum", "min", "max", "any", "all"

START = {
    "sum": "RESULT = 0",
    "any": "RESULT = False",
    "all": "RESULT = True",
    "min": "RESULT = 0\nNONE_YET = True",
    "max": "RESULT = 0\nNONE_YET = True",
}
STEP = {
    "sum": "RESULT += VALUE",
    "any": "if VALUE:\n RESULT = True\n break",
    "all": "if not VALUE:\n RESULT = False\n break",
    "min": "each = VALUE\nif NONE_YET or each < RESULT:\n"
    " RESULT = each\n NONE_YET = False",
    "max": "each = VALUE\nif NONE_YET or each > RESULT:\n"
    " RESULT = each\n NONE_YET = False",
}
EMPTY = 'if NONE_YET:\n raise ValueError("of no values")'


def without_generators(function):
    """Change a function's tree; return whether something was changed."""
    hoist = _Hoist(trees.identifiers(function))
    function.body = hoist.block(function.body)
    return hoist.changed


class _Hoist(ast.NodeTransformer):
    """Puts a loop before each statement that has such a call."""

    def __init__(self, used):
        self.used = used
        self.changed = False
        self.before = []

    def block(self, body):
        done = []
        for statement in body:
            self.before = []
            statement = self._statement(statement)
            done += [*self.before, statement]
        return done

    def _statement(self, statement):
        for field in ("value", "iter", "test"):
            node = getattr(statement, field, None)
            if isinstance(statement, ast.While) or node is None:
                continue  # what a `while` asks is asked again and again
            setattr(statement, field, self.visit(node))
        before = self.before
        for field in ("body", "orelse", "finalbody"):
            inner = getattr(statement, field, None)
            if isinstance(inner, list):
                setattr(statement, field, self.block(inner))
        self.before = before
        return statement

    def _stay(self, node):
        return node  # perhaps never run, or more than once

    visit_Lambda = visit_ListComp = visit_SetComp = visit_DictComp = _stay
    visit_GeneratorExp = visit_FunctionDef = _stay

    def visit_IfExp(self, node):
        node.test = self.visit(node.test)
        return node

    def visit_BoolOp(self, node):
        node.values[0] = self.visit(node.values[0])
        return node

    def visit_Call(self, node):
        name = trees.dotted(node.func)
        generator = _generator(node)
        if generator is None or name not in (*TAKEN, "list"):
            return self.generic_visit(node)
        if name == "list" and len(node.args) == 1 and not node.keywords:
            self.changed = True
            return ast.ListComp(generator.elt, generator.generators)
        if not _is_plain(node, name, generator):
            return node
        self.changed = True
        return self._loop(node, name, generator)

    def _loop(self, node, name, generator):
        """Put a loop before the statement; return the name of its result."""
        generator = self._renamed(generator)
        names = {
            "RESULT": trees.fresh(f"_{name}", self.used),
            "NONE_YET": trees.fresh("_none_yet", self.used),
            "each": trees.fresh("_each", self.used),
            "VALUE": generator.elt,
        }
        start = trees.exchanged(trees.statements(START[name]), names)
        if name == "sum" and len(node.args) == 2:
            start[0].value = node.args[1]
        body = trees.exchanged(trees.statements(STEP[name]), names)
        for part in reversed(generator.generators):
            for test in reversed(part.ifs):
                body = [ast.If(test, body, [])]
            body = [ast.For(part.target, part.iter, body, [])]
        self.before += [*start, *body]
        if name in ("min", "max"):
            self.before += self._if_empty(node, names)
        return ast.Name(names["RESULT"], ast.Load())

    def _if_empty(self, node, names):
        ends = trees.exchanged(trees.statements(EMPTY), names)
        if node.keywords:
            new = trees.statements(f"{names['RESULT']} = 0")
            new[0].value = node.keywords[0].value
            ends[0].body = new
        return ends

    def _renamed(self, generator):
        """Return the generator with names that the function has not."""
        names = {
            name: trees.fresh(f"_{name}", self.used)
            for name in trees.writes(generator)
        }
        first = copy.deepcopy(generator.generators[0].iter)
        new = trees.exchanged(generator, names)
        new.generators[0].iter = first  # is read outside of the generator
        return new


def _is_plain(node, name, generator):
    keywords = [each.arg for each in node.keywords]
    allowed = [[]] if name not in ("min", "max") else [[], ["default"]]
    nested = any(
        isinstance(each, ast.GeneratorExp | ast.NamedExpr | ast.Lambda)
        for each in ast.walk(generator)
        if each is not generator
    )
    count = 2 if name == "sum" else 1
    return keywords in allowed and len(node.args) <= count and not nested


def _generator(node):
    """Return the generator expression that a call's first argument is."""
    first = node.args[0] if node.args else None
    if isinstance(first, ast.GeneratorExp):
        return first
    if trees.calls(first, "map") and len(first.args) == 2:
        called, over = first.args
        if trees.dotted(called):
            new = trees.expression(f"({trees.dotted(called)}(v) for v in y)")
            new.generators[0].iter = over
            return new
        if isinstance(called, ast.Lambda) and len(called.args.args) == 1:
            new = trees.expression(f"(0 for {called.args.args[0].arg} in y)")
            new.elt, new.generators[0].iter = called.body, over
            return new
    return None
