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
from onthefly.tools import names

TAG = "needs-"
DASH = '<abbr class="otf-missing" title="{} is missing">–</abbr>'

left_out = []  # in a page's kernel: names of what its cells lacked so far


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
    """Return what `names.statements` yields; nothing for what is no Python.

    The kernel says best what is wrong with that.
    """
    try:
        return list(names.statements(source))
    except SyntaxError:
        return []


def line(name, what="Left out"):
    """Return the line that says what is left out, and for want of what."""
    return (
        f'<p class="otf-machine otf-missing">{html.escape(what)}: '
        f"{html.escape(name)} is missing.</p>"
    )


def present(candidates, *arguments):
    """Return those of some functions, {name: function}, that lack nothing.

    Each is called once.  One that needs a library that is missing is left
    out, with a line that says so; the stopwatch does that by itself.
    """
    working, lacks = {}, {}
    for name, candidate in candidates.items():
        with libraries.spared(lacks, name):
            candidate(*arguments)
            working[name] = candidate
    show(lacks)
    return working


def show(lacks):
    """Show what is left out: {candidate: what is missing}."""
    for candidate, name in lacks.items():
        display(HTML(line(name, f"{candidate} is left out")))
