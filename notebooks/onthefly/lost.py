"""What a missing library costs a page: its own cells, and no more.

``%load_ext onthefly.lost`` stands before a page's imports.  From then on,
where a library of the table is not here:

- An import for want of it gives its name a :class:`Lost` in the place of what
  it imports; the other imports of the cell go on.
- A cell that needs it ends with one visible line.  So does one that needs
  what such a cell would have made: the names that the rest of a cell would
  have bound, or what it would have changed, are Lost from then on.
- The cell counts as run, and the page goes on.
- In the prose, a dash stands for each number that is lost.

An error in a statement that names nothing Lost is what it was.  The stopwatch
leaves out the ways that are lost, and the chapter says which of its claims
are.
"""

import ast
import dataclasses
import html

from IPython.display import HTML, display

from onthefly import libraries
from onthefly.tools import statements

_GIVE = "__lost__"  # the function that a page's imports call
_SAY = "__said__"  # the function that its prose calls
_NO_CELL = ast.Module([], [])

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
    """What was lost: for want of which library, and the texts of its cell.

    texts  every string that stands in the cell, as the names of claims; none
           where it is an import alone
    """

    library: libraries.Library
    texts: frozenset[str] = frozenset()


DASH = '<abbr class="otf-lost" title="lost: {} is missing">–</abbr>'


@dataclasses.dataclass(frozen=True)
class Dash:
    """What the prose shows in the place of a number that is lost."""

    library: libraries.Library

    def __repr__(self):
        return "–"

    def _repr_html_(self):
        return DASH.format(html.escape(self.library.name))


def _line(library, what="Lost here"):
    return (
        f'<p class="otf-machine otf-lost">{html.escape(what)}: '
        f"{html.escape(library.name)} is missing.</p>"
    )


def show(library, what="Lost here"):
    """Show the line that says what is lost, and for want of which library."""
    display(HTML(_line(library, what)))


class Keeper(ast.NodeTransformer):
    """Keeps a page going, in the shell that runs its cells.

    ways  {name: the Library that it lacks} of the ways that are left out
    """

    def __init__(self, shell):
        self.shell, self.ways = shell, {}
        self._lacks, self._told = [], None
        self._cell, self._error = _NO_CELL, None  # of the cell that runs
        self._answers = shell.user_expressions

    def tell(self, function):
        """Call one function with each Loss, those before it included."""
        self._told = function
        for library in self._lacks:
            function(Loss(library))

    def visit_Module(self, node):
        """Take a cell, before it runs: each import is to fail by itself."""
        self._cell = node
        node.body = statements.parted(node.body, _GIVE)
        return node

    def start(self):
        """Watch the shell's cells."""
        names = {_GIVE: self.give, _SAY: self.said}
        self.shell.push(names, interactive=False)
        self.shell.user_expressions = self.answers
        self.shell.ast_transformers.append(self)
        self.shell.set_custom_exc((Exception,), self.meet)
        self.shell.events.register("post_run_cell", self.pardon)

    def stop(self):
        """Watch no more."""
        self.shell.ast_transformers.remove(self)
        self.shell.set_custom_exc((), None)
        self.shell.events.unregister("post_run_cell", self.pardon)
        self.shell.user_expressions = self._answers

    def give(self, error):
        """Return a Lost for what cannot be imported; None: ask no more."""
        library = libraries.lacking(error)
        if library is None:
            return None
        if library not in self._lacks:
            self._lacks.append(library)
            show(library, "What needs it is lost on this page")
            self._report(Loss(library))
        return Lost(library)

    def answers(self, expressions):
        """Return what the shell says of the prose's expressions."""
        return self._answers(
            {key: f"{_SAY}({text!r})" for key, text in expressions.items()}
        )

    def said(self, expression):
        """Return the value of an expression, or the Dash for a lost one."""
        tree = ast.parse(expression.strip(), mode="eval")
        try:
            value = eval(compile(tree, "<prose>", "eval"), self.shell.user_ns)
        except Exception as error:
            library = self._wanted(error, [tree])
            if library is None:
                raise
            return Dash(library)
        return Dash(value._library) if isinstance(value, Lost) else value

    def meet(self, shell, kind, error, trace, tb_offset=None):
        """Take an error that ended a cell: for want of a library, or not."""
        line = _line_of(trace, shell.user_ns)
        rest = [s for s in self._cell.body if s.end_lineno >= line > 0]
        library = self._wanted(error, rest[:1])
        if library is None:
            shell.showtraceback(
                (kind, error, trace),
                tb_offset=tb_offset,
                running_compiled_code=True,
            )
            return
        self._error = error
        show(library)
        for name in statements.changed(rest):
            shell.user_ns[name] = Lost(library)
        texts = statements.texts(self._cell.body)
        self._report(Loss(library, frozenset(texts)))

    def _report(self, loss):
        if self._told:
            self._told(loss)

    def _wanted(self, error, failed):
        """Return the Library for want of which statements failed, or None."""
        return (
            libraries.lacking(error)
            or self._used(failed)
            or self._left_out(error)
        )

    def _used(self, failed):
        """Return the Library of something lost that statements use, or None.

        They fail in any case: for another reason, too, if what is lost comes
        late in them, or meets code that knows no better than a TypeError.
        """
        found = map(self.shell.user_ns.get, statements.named(failed))
        return next((x._library for x in found if isinstance(x, Lost)), None)

    def _left_out(self, error):
        """Return the Library of a way that a dict was asked for, or None."""
        if isinstance(error, KeyError) and error.args:
            return self.ways.get(error.args[0])
        return None

    def pardon(self, result):
        """Let a lost cell count as run."""
        if self._error is not None and result.error_in_exec is self._error:
            result.error_in_exec = None
        self._cell, self._error = _NO_CELL, None


def _line_of(trace, names):
    """Return the line of a cell, among whose names it ran; 0 for none."""
    while trace is not None:
        frame = trace.tb_frame
        if frame.f_globals is names and frame.f_locals is names:
            return trace.tb_lineno
        trace = trace.tb_next
    return 0


_keeper = None


def tell(function):
    """Call one function with each Loss of this page: the chapter's."""
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
