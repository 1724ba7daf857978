"""What a missing library costs a page: its own cells, and no more.

``%load_ext onthefly.lost`` stands before a page's imports.  From then on,
where a library of the table is not here:

- An import for want of it gives its name a :class:`Lost` in the place of what
  it imports; the other imports of the cell go on.
- A cell that needs it ends with one visible line.  So does one that needs
  what such a cell would have made: the names that the rest of a cell would
  have bound, or what it would have changed, are Lost from then on.
- The cell counts as run, and the page goes on.

An error in a statement that names nothing Lost is what it was.  The stopwatch
leaves out the ways that are lost, and the chapter says which of its claims
are.
"""

import ast
import dataclasses
import html

from IPython.display import HTML, display

from onthefly import libraries

_GIVE = "__lost__"  # the function that a page's imports call
_IMPORT = f"""\
try:
    pass
except ImportError as __error__:
    if {_GIVE}(__error__) is None:
        raise
    {{name}} = {_GIVE}(__error__)
"""
# Methods of lists, dicts and sets that change them: a list that a lost cell
# was to fill is lost, too.
_CHANGING = {
    "add", "append", "discard", "extend", "insert", "pop", "remove",
    "setdefault", "update",
}  # fmt: skip


# What Python asks an object for by its type, so that no __getattr__ sees it.
_QUESTIONS = (
    "setattr", "delattr", "str", "format", "bytes", "bool", "hash", "len",
    "iter", "next", "reversed", "contains", "getitem", "setitem", "delitem",
    "call", "enter", "exit", "eq", "ne", "lt", "le", "gt", "ge", "int",
    "float", "complex", "index", "fspath", "round", "abs", "neg", "pos",
    "invert", "reduce_ex",
)  # fmt: skip
_OPERATIONS = (
    "add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "matmul",
    "and", "or", "xor", "lshift", "rshift", "divmod",
)  # fmt: skip


class Lost:
    """It stands where a library that is missing would have made something.

    It can be named and handed on, and its attributes are Lost, too; so it
    may stand among the ways of doing a thing.  Whatever else is done with it
    raises libraries.Missing.
    """

    def __init__(self, library):
        object.__setattr__(self, "_library", library)

    def __getattr__(self, name):
        if name.startswith(("_ipython_", "_repr_")):  # how it is shown
            raise AttributeError(name)
        if name.startswith("_"):  # how Python asks what it can do
            raise libraries.Missing(self._library)
        return Lost(self._library)

    def __repr__(self):
        return f"<lost: {self._library.name} is missing>"

    def _repr_html_(self):
        return _line(self._library)


def _missing(self, *_, **__):
    raise libraries.Missing(self._library)


for _name in [
    *_QUESTIONS,
    *_OPERATIONS,
    *map("r{}".format, _OPERATIONS),
]:
    setattr(Lost, f"__{_name}__", _missing)


@dataclasses.dataclass(frozen=True)
class Loss:
    """A cell that was lost: for want of which library, and its texts.

    texts  every string that stands in the cell, as the names of claims
    """

    library: libraries.Library
    texts: frozenset[str]


def _line(library, what="Lost here"):
    return (
        f'<p class="otf-machine otf-lost">{html.escape(what)}: '
        f"{html.escape(library.name)} is missing.</p>"
    )


def show(library, what="Lost here"):
    """Show the line that says what is lost, and for want of which library.

    The build finds it by its metadata.
    """
    about = {"onthefly": {"lost": library.name}}
    display(HTML(_line(library, what)), metadata=about)


NO_CELL = ast.Module([], [])


def present(ways, *arguments):
    """Return those of some ways, {name: function}, that nothing lacks.

    Each is called once.  One that needs a library that is missing is left
    out, with a line that says so; the stopwatch does that by itself.
    """
    found, lacks = {}, {}
    for name, way in ways.items():
        with libraries.spared(lacks, name):
            way(*arguments)
            found[name] = way
    for name, library in lacks.items():
        leave_out(library, name)
    return found


def leave_out(library, name):
    """Say that a way is left out; asked for, it is lost."""
    show(library, f"{name} is left out")
    if _keeper is not None:
        _keeper.ways[name] = library


class Imports(ast.NodeTransformer):
    """Lets each name of a cell's own imports be imported by itself.

    cell  the syntax tree of the cell that runs
    """

    cell = NO_CELL

    def visit_Module(self, node):
        self.cell = node
        node.body = [new for old in node.body for new in _parted(old)]
        return node


def _parted(statement):
    """Return the statements in the place of one: imports, name by name."""
    if not isinstance(statement, ast.Import | ast.ImportFrom) or any(
        alias.name == "*" for alias in statement.names
    ):
        return [statement]
    return [_guarded(statement, alias) for alias in statement.names]


def _guarded(statement, alias):
    """Return the import of one name, which may be lost."""
    name = alias.asname or alias.name.partition(".")[0]
    (guarded,) = ast.parse(_IMPORT.format(name=name)).body
    single = dict(ast.iter_fields(statement)) | {"names": [alias]}
    guarded.body = [type(statement)(**single)]
    for node in ast.walk(guarded):
        ast.copy_location(node, statement)
    return guarded


class _Changed(ast.NodeVisitor):
    """The names that statements bind, and those of what they change."""

    def __init__(self, statements):
        self.names = set()
        for statement in statements:
            self.visit(statement)

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
        self.names.add(node.asname or node.name.partition(".")[0])

    def visit_Subscript(self, node):
        if not isinstance(node.ctx, ast.Load):
            self._of(node.value)
        self.generic_visit(node)

    def visit_Call(self, node):
        method = getattr(node.func, "attr", None)
        if method in _CHANGING:
            self._of(node.func.value)
        self.generic_visit(node)

    def _of(self, node):
        if isinstance(node, ast.Name):
            self.names.add(node.id)


class Keeper:
    """Keeps a page going, in the shell that runs its cells.

    ways  {name: the Library that it lacks} of the ways that are left out
    """

    def __init__(self, shell):
        self.shell, self.imports, self.ways = shell, Imports(), {}
        self._lacks, self._told = set(), []
        self._error = None

    def tell(self, function):
        """Call a function with each Loss from now on."""
        self._told.append(function)

    def start(self):
        """Watch the shell's cells."""
        self.shell.push({_GIVE: self.give}, interactive=False)
        self.shell.ast_transformers.append(self.imports)
        self.shell.set_custom_exc((Exception,), self.meet)
        self.shell.events.register("post_run_cell", self.pardon)

    def stop(self):
        """Watch no more."""
        self.shell.ast_transformers.remove(self.imports)
        self.shell.set_custom_exc((), None)
        self.shell.events.unregister("post_run_cell", self.pardon)

    def give(self, error):
        """Return a Lost for what cannot be imported; None: ask no more."""
        library = libraries.lacking(error)
        if library is None:
            return None
        if library not in self._lacks:
            self._lacks.add(library)
            show(library, "What needs it is lost on this page")
        return Lost(library)

    def meet(self, shell, kind, error, trace, tb_offset=None):
        """Take an error that ended a cell: for want of a library, or not."""
        cell, line = self.imports.cell, _line_of(trace, shell.user_ns)
        rest = [s for s in cell.body if s.end_lineno >= line > 0]
        library = (
            libraries.lacking(error)
            or _used(rest[:1], shell.user_ns)
            or self._left_out(error)
        )
        if library is None:
            shell.showtraceback(
                (kind, error, trace),
                tb_offset=tb_offset,
                running_compiled_code=True,
            )
            return
        self._error = error
        show(library)
        for name in _Changed(rest).names:
            shell.user_ns[name] = Lost(library)
        for function in self._told:
            function(Loss(library, _texts(cell)))

    def _left_out(self, error):
        """Return the Library of a way that a dict was asked for, or None."""
        if isinstance(error, KeyError) and error.args:
            return self.ways.get(error.args[0])
        return None

    def pardon(self, result):
        """Let a lost cell count as run."""
        if self._error is not None and result.error_in_exec is self._error:
            result.error_in_exec = None
        self._error, self.imports.cell = None, NO_CELL


def _line_of(trace, names):
    """Return the line of a cell, among whose names it ran; 0 for none."""
    while trace is not None:
        frame = trace.tb_frame
        if frame.f_globals is names and frame.f_locals is names:
            return trace.tb_lineno
        trace = trace.tb_next
    return 0


def _used(statements, names):
    """Return the Library of something lost that statements use, or None.

    They fail in any case: for another reason, too, if what is lost comes
    late in them, or meets code that knows no better than a TypeError.
    """
    used = [node for one in statements for node in ast.walk(one)]
    found = [names.get(n.id) for n in used if isinstance(n, ast.Name)]
    return next((x._library for x in found if isinstance(x, Lost)), None)


def _texts(cell):
    """Return the strings that stand in a cell."""
    return frozenset(
        node.value
        for node in ast.walk(cell)
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    )


_keeper = None


def tell(function):
    """Call a function with each Loss of this page from now on."""
    if _keeper is not None:
        _keeper.tell(function)


def load_ipython_extension(shell):
    """Keep the pages of a shell going: what %load_ext calls."""
    global _keeper
    _keeper = Keeper(shell)
    _keeper.start()


def unload_ipython_extension(shell):
    """Undo `load_ipython_extension`."""
    global _keeper
    _keeper.stop()
    _keeper = None
