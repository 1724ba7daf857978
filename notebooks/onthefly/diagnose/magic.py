"""`%confirm` and `%%confirm`: the report in a notebook."""

import argparse
import ast
import builtins
import shlex
import sys

from IPython.core.error import UsageError
from IPython.core.magic import Magics, line_cell_magic, magics_class

from onthefly.diagnose import request as asked
from onthefly.diagnose.diagnosis import Diagnosis
from onthefly.diagnose.target import Target
from onthefly.errors import UserError
from onthefly.terminal.sizes import sizes_of
from onthefly.tools import cell_names

CELL = "<cell>"  # the file of the function that a cell becomes
HELP = (
    "%confirm FUNCTION [FUNCTION ...] [--sizes 1e2:1e6] [--arg MAKER] "
    "[--threads 1:4] [--budget 24]"
)


class _Parser(argparse.ArgumentParser):
    def error(self, message):
        raise UserError(f"{message}; write {HELP}")


def _parser():
    parser = _Parser(prog="%confirm", add_help=False)
    add = parser.add_argument
    add("functions", nargs="*")
    add("--sizes")
    add("--arg")
    add("--threads")
    add("--budget", type=float, default=asked.BUDGET_S)
    add("--limit", type=float)
    return parser


@magics_class
class ConfirmMagics(Magics):
    """What `%load_ext onthefly` brings."""

    @line_cell_magic
    def confirm(self, line, cell=None):
        """Report what would make a function, or this cell, faster.

        %confirm f g --sizes 1e2:1e6 --arg maker
            f as it is, or compared with g; maker(n) gives its arguments

        %%confirm --sizes 1e2:1e6
            the function that the cell defines; or the cell's own code, with
            the values that the notebook's names have now
        """
        try:
            request = self._request(line, cell)
            with _Step() as step:
                return self._run(Diagnosis(request, step))
        except UserError as error:
            raise UsageError(f"confirm: {error}") from None

    def _run(self, diagnosis):
        try:
            return diagnosis.run()
        except KeyboardInterrupt:
            print("interrupted; this is what was measured so far",
                  file=sys.stderr)  # fmt: skip
            return diagnosis.report

    def _request(self, line, cell):
        options = _parser().parse_args(shlex.split(line))
        functions = [self._named(name) for name in options.functions]
        maker = self._named(options.arg) if options.arg else None
        sizes = options.sizes
        is_cell = False
        if cell is not None:
            function, maker, sizes = self._of_cell(cell, maker, sizes)
            functions.insert(0, function)
            is_cell = function.__code__.co_filename == CELL
        if not functions:
            raise UserError(f"no function named; write {HELP}")
        return asked.Request.of(
            [Target.of(f, is_cell) for f in functions],
            sizes_of(sizes or asked.SIZES),
            asked.threads_of(options.threads),
            options.budget,
            options.limit,
            Target.of(maker) if maker else None,
        )

    def _named(self, name):
        """Return what an expression of the notebook is."""
        try:
            value = eval(name, self.shell.user_ns)
        except Exception as error:
            raise UserError(
                f"{name}: {type(error).__name__}: {error}; name a function "
                "of this notebook"
            ) from None
        if not callable(value):
            raise UserError(f"{name}: no function; name one")
        return value

    def _of_cell(self, cell, maker, sizes):
        """Return (function, maker, sizes) of a cell."""
        tree = ast.parse(self.shell.transform_cell(cell))
        last = tree.body[-1] if tree.body else None
        if isinstance(last, ast.FunctionDef):
            self.shell.run_cell(cell)
            return self.shell.user_ns[last.name], maker, sizes
        function, inputs = _as_function(tree, self.shell.user_ns)
        return function, lambda n: inputs, "1"


def _as_function(tree, names):
    """Return (function, its arguments) that does what a cell does.

    tree   of the cell
    names  {name: value} of the notebook

    It returns the value of the last expression, or what the cell binds.
    """
    bound, read = _names(tree)
    given = [
        name
        for name in read
        if name in names
        and not callable(names[name])
        and type(names[name]).__name__ != "module"
    ]
    missing = [n for n in read if n not in {*names, *bound, *dir(builtins)}]
    if missing:
        raise UserError(f"{', '.join(missing)}: not defined in this notebook")
    body = list(tree.body)
    if body and isinstance(body[-1], ast.Expr):
        body[-1] = ast.Return(body[-1].value)
    else:
        body += (
            ast.parse(f"def f(): return {', '.join(bound) or None}")
            .body[0]
            .body
        )
    source = ast.unparse(
        ast.FunctionDef(
            "cell", _arguments(given), body, [], lineno=1, col_offset=0
        )
    )
    space = dict(names)
    exec(compile(source, CELL, "exec"), space)
    _remember(source)
    return space["cell"], tuple(names[name] for name in given)


def _arguments(names):
    return ast.parse(f"def f({', '.join(names)}): pass").body[0].args


def _remember(source):
    """Let `inspect` find the source of what a cell became."""
    import linecache

    lines = source.splitlines(keepends=True)
    linecache.cache[CELL] = len(source), None, lines, CELL


def _names(tree):
    """Return (names that a cell binds, those that it reads first)."""
    bound, first = [], []
    for statement in tree.body:
        reads, binds = cell_names.of(statement)
        first += sorted(reads - {*bound, *first})
        bound += sorted(binds - set(bound))
    return bound, first


class _Step:
    """Show each step in one line that the next one takes the place of."""

    def __init__(self):
        from IPython.display import display

        self._shown = display({"text/plain": ""}, raw=True, display_id=True)

    def __call__(self, step):
        self._show(f"{step} …")

    def _show(self, text):
        if self._shown:
            self._shown.update({"text/plain": text}, raw=True)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._show("")
