"""What a debugger sees, and where an error surfaces.

The debugger is Python's own pdb; in place of a person, a list of commands.
"""

import dataclasses
import io
import linecache
import pdb
import re
import sys
import sysconfig
import traceback

# Files that are nobody's own program.
_LIBRARY = (
    "site-packages",
    "dist-packages",
    "<frozen",
    sysconfig.get_path("stdlib"),
    __file__,
)
_PLACE = re.compile(r'File "(.+?)", line (\d+)')


class _Scripted(pdb.Pdb):
    """A pdb that reads its commands, and does not say where it stands."""

    def __init__(self, commands, answers):
        typed = io.StringIO("\n".join([*commands, "continue", ""]))
        super().__init__(
            stdin=typed, stdout=answers, readrc=False, nosigint=True
        )
        self.use_rawinput, self.prompt = False, ""

    def print_stack_entry(self, *_, **__):
        pass


def said(call, *commands):
    """Return what pdb answers at each `breakpoint()` of a call.

    call      function without arguments
    commands  of pdb, as "p chosen"; at each stop all of them are given

    A list of lines.  The call goes on after each stop; an error that it
    raises is raised here, too.
    """
    answers = io.StringIO()

    def stop():
        debugger = _Scripted(commands, answers)
        debugger.reset()
        debugger.interaction(_user(sys._getframe(1)), None)

    before, sys.breakpointhook = sys.breakpointhook, stop
    try:
        call()
    finally:
        sys.breakpointhook = before
    return answers.getvalue().splitlines()


def _user(frame):
    """Return the next frame outward that is not a library's."""
    while _library(frame.f_code.co_filename) and frame.f_back:
        frame = frame.f_back
    return frame


def _library(file):
    return any(part in file for part in _LIBRARY)


@dataclasses.dataclass(frozen=True)
class Surfaced:
    """An error, and where it came up.

    kind     its class's name
    message  its text
    lines    the lines of the program that its traceback passes through,
             outermost first
    """

    kind: str
    message: str
    lines: tuple[str, ...]

    def through(self, words):
        """Tell whether the traceback passes through a line with words."""
        return any(words in line for line in self.lines)

    def places(self):
        """Return the lines that the message names as where a node was made.

        Two lists: those of the program, each once, and the files of all.
        """
        named = _PLACE.findall(self.message)
        own = [
            linecache.getline(file, int(number)).strip()
            for file, number in named
            if not _library(file)
        ]
        return list(dict.fromkeys(own)), [file for file, _ in named]


def surfaced(call):
    """Return the Surfaced error of a call, or None where it raises none.

    call  function without arguments
    """
    try:
        call()
    except Exception as error:
        frames = traceback.extract_tb(error.__traceback__)[1:]
        lines = [
            linecache.getline(frame.filename, frame.lineno).strip()
            for frame in frames
            if not _library(frame.filename)
        ]
        return Surfaced(type(error).__name__, str(error), tuple(lines))
    return None
