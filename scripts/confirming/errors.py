"""Errors in one line; of Numba's, its first complaint and the place."""

import pathlib
import re

_COLOUR = re.compile(r"\x1b\[[0-9;]*m")
# What it says of its own work before it complains.
_OWN_WORK = re.compile(
    r"^(\[\d+\] )?Failed in nopython mode pipeline.*\n"
    r"|^- Resolution failure for .* arguments:\n",
    re.M,
)
# What follows the complaint: its place, candidates, how Numba came there.
_REST = re.compile(r'^\s*(File "|During: |There are \d+ candidate|$)', re.M)
_SIGNATURE = re.compile(r"No implementation of .*\n\s*\n\s*>>> .*")
_NOISE = re.compile(r", defined at .*| at 0x[0-9a-f]+")
_PLACE = re.compile(r'File "(?P<file>[^"\n]+)", line (?P<line>\d+)')
_RAISED = re.compile(r"\.* Raised from (None|(?P<file>.+) \((?P<line>\d+)\))")


def one_line(error):
    """Return an error as one line, without addresses of objects."""
    text = " ".join(re.sub(" at 0x[0-9a-f]+", "", str(error)).split())
    return f"{type(error).__name__}: {text}" if text else type(error).__name__


def of_numba(error, function):
    """Return ``file:line: what Numba says`` of an error of its compiler.

    function  whose place is named where Numba names none
    """
    text = _COLOUR.sub("", str(error))
    return f"{_place(error, text, function)}: {_complaint(error, text)}"


def _complaint(error, text):
    """Return the first paragraph that is not about Numba's own work."""
    message = _OWN_WORK.sub("", _RAISED.sub("", text)).strip()
    # A signature comes after an empty line, and belongs to what is said.
    signature = _SIGNATURE.match(message)
    rest = _REST.search(message, signature.end() if signature else 1)
    words = " ".join(_NOISE.sub("", message[: rest and rest.start()]).split())
    return words.rstrip(":.") or type(error).__name__


def _place(error, text, function):
    """Return ``file:line``, as deep in the user's code as Numba says."""
    named = [*_PLACE.finditer(text), *_RAISED.finditer(text)]
    places = [(m["file"], m["line"]) for m in named if m["file"]]
    loc = getattr(error, "loc", None)
    if loc is not None and loc.line:
        places.append((loc.filename, loc.line))
    code = function.__code__
    places.append((code.co_filename, code.co_firstlineno))
    file, line = next(p for p in places if not _is_numbas(p[0]))
    return f"{pathlib.Path(file).name}:{line}"


def _is_numbas(file):
    import numba

    own = pathlib.Path(numba.__file__).resolve().parent
    return own in pathlib.Path(file).resolve().parents
