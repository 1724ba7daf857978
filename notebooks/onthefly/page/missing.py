"""What a missing library costs a page: the cells that need it, and no more.

A cell says what it needs by a tag: ``needs-torch``, with the library's key in
the table of libraries.  The engine leaves it out where the library is not
here, and each later cell that reads a name which a cell left out would have
bound.  So it does with a cell that fails for want of something, as of a
compiler.  One line stands in the place of each.
"""

import ast
import html
import subprocess

from IPython.display import HTML, display

from onthefly.environment import repairs
from onthefly.measure import libraries
from onthefly.tools import cell_names

TAG = "needs-"
DASH = '<abbr class="otf-missing" title="{}">–</abbr>'

# In a page's kernel: names of what its cells and candidates lacked so far,
# and {candidate: the same} of those that were left out.
left_out = []
candidates = {}
# {name: why it has no value}, of the names that cells left out would bind.
names = {}


class Unknown(TypeError):
    """Raised where a missing value would have to be known.

    reason  why it is missing
    """

    def __init__(self, reason):
        super().__init__(
            f"missing, so there is nothing to go through ({reason}); "
            "repair: do this in a function of the page's module"
        )
        self.reason = reason


class Missing:
    """A value that cannot be had here, and why; the prose shows a dash.

    What is worked out from it in a cell is missing, too: its attributes,
    items, sums and comparisons.
    """

    def __init__(self, reason):
        self.reason = reason

    def __getattr__(self, name):
        if name.startswith("_"):  # what Python and IPython look for
            raise AttributeError(name)
        return self

    def _same(self, *_, **__):
        return self

    __getitem__ = __call__ = _same
    __add__ = __radd__ = __sub__ = __rsub__ = __neg__ = _same
    __mul__ = __rmul__ = __truediv__ = __rtruediv__ = _same
    __gt__ = __lt__ = __ge__ = __le__ = _same

    def __iter__(self):
        raise Unknown(self.reason)

    __len__ = __iter__

    def __bool__(self):
        return False

    def __str__(self):
        return "–"

    def __format__(self, spec):
        return "–"

    def __repr__(self):
        return f"Missing({self.reason!r})"

    def _repr_pretty_(self, printer, cycle):
        printer.text("–")

    def _repr_html_(self):
        return DASH.format(html.escape(self.reason))


class Cells:
    """The cells of one page, in their order: which are left out.

    lacks  {name: what is missing}, of names that a cell left out would have
           bound
    """

    def __init__(self):
        self.lacks = {}

    def lack(self, source, tags=()):
        """Return what a cell, or an expression, lacks; "" for nothing.

        Raises KeyError for a tag that names no library of the table.
        """
        for tag in tags:
            if tag.startswith(TAG):
                library = libraries.LIBRARIES[tag.removeprefix(TAG)]
                if not library.here():
                    return library.name
        bound = set()
        for read, binds in _statements(source) if self.lacks else ():
            for name in sorted(read - bound):
                if name in self.lacks:
                    return self.lacks[name]
            bound |= binds
        return ""

    def bound_by(self, cell):
        """Return the names that a cell binds, sorted."""
        return sorted(set().union(*(b for _, b in _statements(cell.source))))

    def done(self, source, lack=""):
        """Note that a cell was run, or left out for want of something."""
        if not (lack or self.lacks):
            return
        for _, binds in _statements(source):
            for name in binds:
                if lack:
                    self.lacks[name] = lack
                else:
                    self.lacks.pop(name, None)


def running(cells):
    """Return the sources of those code cells that a run does not leave out.

    cells  of a notebook, in their order
    """
    order, sources = Cells(), []
    for cell in cells:
        if cell["cell_type"] == "code":
            source = "".join(cell["source"])
            lack = order.lack(source, cell["metadata"].get("tags", []))
            order.done(source, lack)
            sources += [] if lack else [source]
    return sources


def _statements(source):
    """Return what `cell_names.statements` yields; nothing if it is no Python.

    The kernel says best what is wrong with that.
    """
    try:
        return list(cell_names.statements(source))
    except SyntaxError:
        return []


def line(name, what="Left out"):
    """Return the line that says what is left out, and for want of what."""
    return (
        f'<p class="otf-machine otf-missing">{html.escape(what)}: '
        f"{html.escape(name)} is missing.</p>"
    )


def line_of(reason):
    """Return the line in the place of a figure or table, and why."""
    said = html.escape(f"Not shown: {reason}.")
    return f'<p class="otf-machine otf-missing">{said}</p>'


def wanted(error):
    """Return the name of what an error was raised for want of, or "".

    Who asks a dict for a candidate that was left out wants its library.
    """
    if isinstance(error, Unknown):
        return "a recorded measurement"
    name = libraries.lacking(error)
    if not name and isinstance(error, KeyError) and error.args:
        name = candidates.get(error.args[0], "")
    return name


def explained(error):
    """Return what an error does not say of a build that failed, or "".

    That is the compiler's own words, and the repair where it is known.
    """
    while error is not None:
        if isinstance(error, subprocess.CalledProcessError) and error.stderr:
            words = error.stderr
            if isinstance(words, bytes):
                words = words.decode(errors="replace")
            return repairs.of_build(words)
        if isinstance(error, OSError) and repairs.of_place(str(error)):
            return repairs.of_place(str(error))
        error = error.__cause__ or error.__context__
    return ""


class Unchecked(Missing):
    """A condition on what is missing: the prose shows nothing for it."""

    def __str__(self):
        return ""

    def _repr_pretty_(self, printer, cycle):
        printer.text("")

    def _repr_html_(self):
        return ""


def reason_of(error):
    """Return why an error's cause is that something is missing, or ""."""
    if isinstance(error, Unknown):
        return error.reason
    name = wanted(error)
    return f"{name} is missing" if name else ""


def first(values):
    """Return the first Missing among values, or None."""
    return next((v for v in values if isinstance(v, Missing)), None)


def reads_missing(expression, known):
    """Tell whether an expression reads a name that has no value here.

    known  {name: value} of the page
    """
    reads, _ = cell_names.of(ast.parse(expression).body[0])
    return any(
        isinstance(known.get(name, known), Missing)
        or (name in names and name not in known)
        for name in reads
    )


def present(functions, *arguments):
    """Return those of some functions, {name: function}, that lack nothing.

    Each is called once.  One that needs a library that is missing is left
    out, with a line that says so; the stopwatch does that by itself.
    """
    working, lacks = {}, {}
    for name, function in functions.items():
        with libraries.spared(lacks, name):
            function(*arguments)
            working[name] = function
    leave_out(lacks)
    return working


def skip(lack, bound):
    """Note that a cell was left out for want of something.

    bound  the names that it would have bound
    """
    left_out.append(lack)
    names.update(dict.fromkeys(bound, f"{lack} is missing"))


def leave_out(lacks):
    """Note and show which candidates are left out: {name: what it lacks}."""
    candidates.update(lacks)
    left_out.extend(lacks.values())
    for candidate, name in lacks.items():
        display(HTML(line(name, f"{candidate} is left out")))
