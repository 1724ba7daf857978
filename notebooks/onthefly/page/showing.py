"""What a page shows: pictures, tables, and code of the book's package."""

import ast
import html
import inspect
import pathlib
import re
import textwrap

from IPython.display import HTML, Markdown

from onthefly import figures, files
from onthefly.figures import diagrams, plots
from onthefly.folders import PACKAGE, build_dir
from onthefly.measure.quantity import Quantity
from onthefly.measure.timings import table


class Figures:
    """The pictures of one page, each under a name of its own.

    slug  the page's
    """

    def __init__(self, slug):
        self._slug, self._names = slug, {}

    def draw(self, data, name, *, alt="", caption="", **options):
        """Return the HTML of a figure; write its SVG file.

        data          Timings, Quantities or a Chart, as in `plots.chart`
        alt, caption  the finding; by default made from the data
        options       of `plots.chart`
        """
        chart = plots.chart(data, **options)
        stem = re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")
        number = self._names[stem] = self._names.get(stem, 0) + 1
        stem += f"-{number}" if number > 1 else ""
        file = build_dir() / "figures" / self._slug / f"{stem}.svg"
        return HTML(
            figures.as_html(chart, stem, alt=alt, caption=caption, file=file)
        )


def diagram(name):
    """Return a diagram of a mechanism as HTML: see `figures.diagrams`."""
    return HTML(diagrams.diagram(name))


# A script's last lines, which run it; what it imports for them alone.
RUN = re.compile(r'\n+if __name__ == "__main__":\n.*\Z', re.S)
LANGUAGES = {".py": "python", ".pyx": "cython", ".c": "c", ".cpp": "cpp",
             ".rs": "rust"}  # fmt: skip


def program(*paths):
    """Return files of the package as HTML, in full.

    paths  as "kernels/pi/pi_numba.py"; of several, each is folded under its
           name
    """
    if len(paths) == 1:
        return HTML(f'<div class="otf-program">{_listed(paths[0])}</div>')
    folds = "".join(
        f"<details><summary>{html.escape(pathlib.Path(path).name)}</summary>"
        f"{_listed(path)}</details>"
        for path in paths
    )
    return HTML(f'<div class="otf-program">Code: {folds}</div>')


def printed(seen):
    """Return a command and what it printed, as HTML.

    seen  {"command": text, "output": text}
    """
    text = f"$ {seen['command']}\n\n{seen['output']}"
    lines = "\n".join(_filled(html.escape(text)))
    return HTML(f'<div class="otf-terminal"><pre>{lines}</pre></div>')


def _listed(path):
    """Return a file as HTML, without its docstring and what runs it."""
    from pygments import highlight
    from pygments.formatters import HtmlFormatter
    from pygments.lexers import get_lexer_by_name

    file = PACKAGE / path
    text = files.text(file)
    if file.suffix == ".py":
        text = RUN.sub("\n", _without_docstring(text))
        if "sys." not in text:
            text = text.replace("import sys\n", "")
    lexer = get_lexer_by_name(LANGUAGES[file.suffix])
    shown = highlight(text.strip("\n"), lexer, HtmlFormatter())
    return "\n".join(_filled(shown.strip()))


def _filled(text):
    """Yield lines of HTML, none blank: a blank one ends HTML in Markdown."""
    return (line if line.strip() else "<span></span>"
            for line in text.split("\n"))  # fmt: skip


def _without_docstring(text):
    first = ast.parse(text).body[0]
    if not isinstance(first, ast.Expr):
        return text
    return "\n".join(text.splitlines()[first.end_lineno :])


def rows_as_html(rows, label):
    """Return a list of dicts as an HTML table, its label below it."""
    head = list(dict.fromkeys(key for row in rows for key in row))
    cells = [[_cell(row.get(key)) for key in head] for row in rows]
    caption = f'<p class="otf-caption">{html.escape(label)}</p>'
    return HTML(f"<div>{table(head, cells, label)}{caption}</div>")


def plain(rows):
    """Return a list of dicts as JSON holds it: a Quantity as text."""
    return [
        {k: str(v) if isinstance(v, Quantity) else v for k, v in row.items()}
        for row in rows
    ]


def _cell(value):
    if value is None:
        return "–"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:g}" if isinstance(value, float) else value


def code(function):
    """Return a function's source as Markdown, without its docstring."""
    function = getattr(function, "py_func", function)
    text = _undocumented(inspect.getsource(function))
    return Markdown(f"```python\n{text}\n```")


def _undocumented(source):
    """Return a function's or class's source, not indented, less docstring."""
    lines = textwrap.dedent(source).rstrip().splitlines()
    (node,) = ast.parse("\n".join(lines)).body
    if ast.get_docstring(node) is not None:
        doc = node.body[0]
        del lines[doc.lineno - 1 : doc.end_lineno]
    return "\n".join(lines)
