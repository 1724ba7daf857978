"""What a missing library costs a page: the cells that need it, and no more.

A cell says what it needs by a tag: ``needs-torch``, with the library's key in
the table of libraries.  The engine leaves it out where the library is not
here, and each later cell that reads a name which a cell left out would have
bound.  So it does with a cell that fails for want of something, as of a
compiler.  One line stands in the place of each.
"""

import html

from IPython.display import HTML, display

from onthefly import libraries
from onthefly.tools import cell_names

TAG = "needs-"
DASH = '<abbr class="otf-missing" title="{} is missing">–</abbr>'

# In a page's kernel: names of what its cells and candidates lacked so far,
# and {candidate: the same} of those that were left out.
left_out = []
candidates = {}


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


def wanted(error):
    """Return the name of what an error was raised for want of, or "".

    Who asks a dict for a candidate that was left out wants its library.
    """
    name = libraries.lacking(error)
    if not name and isinstance(error, KeyError) and error.args:
        name = candidates.get(error.args[0], "")
    return name


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


def leave_out(lacks):
    """Note and show which candidates are left out: {name: what it lacks}."""
    candidates.update(lacks)
    left_out.extend(lacks.values())
    for candidate, name in lacks.items():
        display(HTML(line(name, f"{candidate} is left out")))
