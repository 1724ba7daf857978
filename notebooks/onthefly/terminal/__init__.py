"""What every command shares: its parser, its refusals, its end.

A command is short::

    def parse(argv):
        parser = Parser(__doc__)
        parser.add_argument("--force", action="store_true", help="...")
        return parser.parse_args(argv)

    @command
    def main(argv=None):
        options = parse(argv)
        ...
        return 0  # the exit code

    if __name__ == "__main__":
        sys.exit(main())
"""

import argparse
import contextlib
import difflib
import functools
import inspect
import io
import os
import pathlib
import re
import shutil
import signal
import sys

from onthefly.errors import UserError, from_system
from onthefly.terminal import scratch

SHOWN = 4  # names in one line


class Interrupted(KeyboardInterrupt):
    """Ctrl-C, with one line that says what it ended and what is kept."""


class Parser(argparse.ArgumentParser):
    """argparse that raises UserError, in one line and without the usage.

    text  the command's docstring: its first line says what it does; with
          `whole`, --help shows all of it
    """

    def __init__(self, text, *, whole=False, **more):
        if whole:
            more["formatter_class"] = argparse.RawDescriptionHelpFormatter
        about = text if whole else text.strip().splitlines()[0]
        super().__init__(description=about, **more)

    def error(self, message):
        raise UserError(f"{message}; see --help")


def folder(text):
    """Return the folder that an option names, as a path: Parser's `type`."""
    if not text.strip():
        raise argparse.ArgumentTypeError("name a folder")
    return pathlib.Path(text)


def check_name(option, name):
    """Raise UserError for a name that cannot be a recorded machine's."""
    if not re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", name):
        raise UserError(
            f"{option} {name!r}: not a valid name; repair: use small "
            "letters, digits and single hyphens, such as h200-16c"
        )


def shown(path):
    """Return `path` as a reader would type it from here."""
    near = os.path.relpath(path)
    return str(path) if near.startswith("..") else near


def width():
    """Return how many columns a text may take in this terminal."""
    return min(max(shutil.get_terminal_size((80, 24)).columns, 40), 80)


def first(names):
    """Return the first names as text, and how many more there are."""
    names = list(names)
    more = len(names) - SHOWN
    return ", ".join(names[:SHOWN]) + (f" and {more} more" * (more > 0))


def aligned(rows, left=False):
    """Return rows of text as lines of columns, each as wide as it must be.

    rows  lists of equally many cells
    left  whether the cells stand at the left of their columns
    """
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    place = str.ljust if left else str.rjust
    return ["  ".join(map(place, row, widths)).rstrip() for row in rows]


def unknown(kind, name, known):
    """Return the UserError for a name that is none of `known`."""
    near = difflib.get_close_matches(name, known, n=1)
    hint = f"did you mean {near[0]}? " if near else ""
    return UserError(
        f"unknown {kind} {name!r}: {hint}known are: {', '.join(known)}"
    )


@contextlib.contextmanager
def _interruptible():
    """Let every polite signal do what Ctrl-C does: KeyboardInterrupt.

    A CI step that is stopped and a terminal that is closed get what Ctrl-C
    gets, and Ctrl-C also works on a job in the background, for which a
    script's shell ignores it.  What `nohup` ignores stays ignored.  One that
    comes while Python is in a place where exceptions are lost (the end of an
    object) comes again: SIGALRM.
    """
    numbers = [signal.SIGINT, signal.SIGTERM, signal.SIGALRM]
    if signal.getsignal(signal.SIGHUP) != signal.SIG_IGN:
        numbers.append(signal.SIGHUP)
    before = {
        number: signal.signal(number, signal.default_int_handler)
        for number in numbers
    }
    hook, sys.unraisablehook = sys.unraisablehook, _interrupt_again
    try:
        yield
    finally:
        sys.unraisablehook = hook
        for number, handler in before.items():
            signal.signal(number, handler)


def _interrupt_again(lost):
    """Let an interrupt that was lost come again, a moment later."""
    if lost.exc_type is KeyboardInterrupt:
        signal.setitimer(signal.ITIMER_REAL, 0.01)
    else:
        sys.__unraisablehook__(lost)


def _print_anything():
    """Let what the output's encoding does not hold be printed as \\x..."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def _drop_output():
    """Forget what could not be printed: Python would try again at its end."""
    try:
        sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def command(main=None, *, name=None):
    """Decorate a command's main(argv=None), which returns its exit code.

    name  function of argv that returns what a message begins with; by
          default the command's file name

    Each line of a UserError is printed on the standard error, after the
    command's name, and one for what the system refuses (a full disk, a
    folder that is no folder): exit code 2.  Ctrl-C and its like: one line,
    exit code 130.  A reader that has gone, as after `| head`: no line, and
    the exit code of a shell, 141.
    """
    if main is None:
        return functools.partial(command, name=name)
    file = pathlib.Path(inspect.getfile(main)).name

    @functools.wraps(main)
    def wrapped(argv=None):
        _print_anything()
        try:
            with _interruptible(), scratch.folder():
                code = main(argv)
                if sys.stdout:  # while a failure can still be shown
                    sys.stdout.flush()
                return code
        except UserError as error:
            lines, code = str(error).splitlines(), 2
        except KeyboardInterrupt as error:
            lines, code = [str(error) or "interrupted"], 130
        except BrokenPipeError:  # | head: it has read what it wanted
            lines, code = [], 128 + signal.SIGPIPE
            _drop_output()
        except OSError as error:
            lines, code = [str(from_system(error))], 2
            _drop_output()
        begin = name(argv) if name else file
        with contextlib.suppress(OSError):  # the terminal may be gone
            for line in lines:
                print(f"{begin}: {line}", file=sys.stderr)
        return code

    return wrapped
