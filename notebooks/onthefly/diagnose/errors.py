"""Errors in one line; of Numba's, its first complaint and the place."""

import pathlib
import re

# What Numba says of its own work before it complains, and after.
_BEFORE = re.compile(
    r"^(\[\d+\] )?Failed in nopython mode pipeline.*\n"
    r"|^- Resolution failure for .* arguments:\n",
    re.M,
)
_AFTER = re.compile(
    r'\s*File "|\s*During: |\s*There are \d+ candidate|\.* Raised from '
)
# What only Numba's own developers can read.
_INSIDE = re.compile(
    r" at 0x[0-9a-f]+|\(?type of variable '\$[^']*'[^.;]*|"
    r"\boperation: \S+ ?[^.;]*\$[^;]*"
)
_PLACE = re.compile(
    r'(File "|Raised from )(?!None|.*/numba/)(?P<file>[^"\n]+?)(", line | \()'
    r"(?P<line>\d+)"
)


def one_line(error):
    """Return an error as one line."""
    text = " ".join(str(error).split())
    return f"{type(error).__name__}: {text}".rstrip(": ")


def of_numba(error, function):
    """Return ``file:line: what Numba says`` of an error of its compiler.

    function  whose place is named where Numba names none of the user's
    """
    text = _BEFORE.sub("", str(error))
    complaint = " ".join(_AFTER.split(text)[0].split())
    complaint = _INSIDE.sub("", complaint)
    return f"{_place(error, text, function)}: {complaint.rstrip(' :.')}"


def _place(error, text, function):
    code, loc = function.__code__, getattr(error, "loc", None)
    file, line = code.co_filename, code.co_firstlineno
    if named := _PLACE.search(text):
        file, line = named["file"], named["line"]
    elif loc is not None and loc.line:
        file, line = loc.filename, loc.line
    return f"{pathlib.Path(file).name}:{line}"
