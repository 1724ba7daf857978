"""What the statements of a cell import, bind and change, by their syntax."""

import ast

# Methods of lists, dicts and sets that change them.
_CHANGING = {
    "add", "append", "discard", "extend", "insert", "pop", "remove",
    "setdefault", "update",
}  # fmt: skip
_IMPORT = """\
try:
    pass
except ImportError as __error__:
    if {give}(__error__) is None:
        raise
    {name} = {give}(__error__)
"""


def parted(statements, give):
    """Return statements in which each name is imported by itself.

    give  name of a function of an ImportError: what it returns stands in the
          place of what is not imported; None, and the error is raised

    Imports within other statements, and of ``*``, stay as they are.
    """
    return [new for old in statements for new in _parted(old, give)]


def _parted(statement, give):
    if not isinstance(statement, ast.Import | ast.ImportFrom) or any(
        alias.name == "*" for alias in statement.names
    ):
        return [statement]
    return [_guarded(statement, alias, give) for alias in statement.names]


def _guarded(statement, alias, give):
    """Return the import of one name, which may fail."""
    text = _IMPORT.format(name=_bound(alias), give=give)
    (guarded,) = ast.parse(text).body
    single = dict(ast.iter_fields(statement)) | {"names": [alias]}
    guarded.body = [type(statement)(**single)]
    for node in ast.walk(guarded):
        ast.copy_location(node, statement)
    return guarded


def _bound(alias):
    """Return the name that a part of an import binds."""
    return alias.asname or alias.name.partition(".")[0]


def named(statements):
    """Return the names that stand in statements, as a list."""
    nodes = [node for one in statements for node in ast.walk(one)]
    return [node.id for node in nodes if isinstance(node, ast.Name)]


def texts(statements):
    """Return the strings that stand in statements, as a set."""
    nodes = [node for one in statements for node in ast.walk(one)]
    found = [node.value for node in nodes if isinstance(node, ast.Constant)]
    return {value for value in found if isinstance(value, str)}


def changed(statements):
    """Return the names that statements bind, and those of what they change.

    A list is changed by an assignment to one of its elements, or by a method
    that is known to change it.
    """
    found = _Changed()
    for statement in statements:
        found.visit(statement)
    return found.names


class _Changed(ast.NodeVisitor):
    def __init__(self):
        self.names = set()

    def visit_Name(self, node):
        if not isinstance(node.ctx, ast.Load):
            self.names.add(node.id)

    def visit_FunctionDef(self, node):  # what is within is its own
        self.names.add(node.name)

    visit_AsyncFunctionDef = visit_ClassDef = visit_FunctionDef

    def visit_Lambda(self, node):
        pass

    visit_ListComp = visit_SetComp = visit_DictComp = visit_Lambda
    visit_GeneratorExp = visit_Lambda

    def visit_alias(self, node):
        self.names.add(_bound(node))

    def visit_Subscript(self, node):
        if not isinstance(node.ctx, ast.Load):
            self._holder(node.value)
        self.generic_visit(node)

    def visit_Call(self, node):
        if getattr(node.func, "attr", None) in _CHANGING:
            self._holder(node.func.value)
        self.generic_visit(node)

    def _holder(self, node):
        if isinstance(node, ast.Name):
            self.names.add(node.id)
