"""Find out what makes a slow Python function faster, on this machine.

Each command is a module here: its docstring is the help, `add_arguments`
names what it takes, and `run` does it and returns the exit code.  Only the
module of the command that was called is imported: some load much.
"""

import argparse
import ast
import importlib
import pathlib
import sys

from onthefly.errors import UserError
from onthefly.terminal import Interrupted, Parser, command

COMMANDS = ("confirm", "choose", "compare", "sweep", "questions", "env")
SHELLS = "bash", "zsh", "tcsh"


def parser(asked=COMMANDS):
    """Return the parser of the whole command line.

    asked  names of the commands that it has to know the arguments of
    """
    made = Parser(
        __doc__,
        prog="onthefly",
        epilog="Exit codes: 0 done; 1 compare found a regression, questions "
        "no match, or env a fault; 2 refused, with the reason in one line; "
        "130 interrupted.",
    )
    made.add_argument(
        "--version", action="version", version=f"onthefly {_version()}"
    )
    made.add_argument(
        "--completion",
        action=_Completion,
        choices=SHELLS,
        help="print tab completions for this shell",
    )
    subs = made.add_subparsers(metavar="COMMAND", required=True)
    for name in COMMANDS:
        text = _about(name)
        summary = text.strip().splitlines()[0]
        sub = subs.add_parser(name, text=text, help=summary, whole=True)
        if name in asked:
            module = importlib.import_module(f"onthefly.commands.{name}")
            module.add_arguments(sub)
            sub.set_defaults(run=module.run)
    return made


class _Completion(argparse.Action):
    """Print what completes the command line, and end."""

    def __call__(self, parser_, namespace, shell, option=None):
        try:
            import shtab
        except ImportError:
            raise UserError(
                f"{option} needs the package shtab; repair: pip install shtab"
            ) from None
        print(shtab.complete(parser(), shell))
        parser_.exit()


def _about(name):
    """Return a command's docstring; does not import its module."""
    path = pathlib.Path(__file__).with_name(f"{name}.py")
    return ast.get_docstring(ast.parse(path.read_text("utf-8")), clean=False)


def _version():
    from importlib.metadata import version

    return version("onthefly")


def _name(argv):
    """Return what a message begins with: the command that was called."""
    given = sys.argv[1:] if argv is None else argv
    return " ".join(["onthefly", *(w for w in given[:1] if w in COMMANDS)])


@command(name=_name)
def main(argv=None):
    """Run the command line; return the exit code."""
    given = sys.argv[1:] if argv is None else argv
    options = parser({*given[:1]} & {*COMMANDS}).parse_args(given)
    try:
        return options.run(options)
    except Interrupted:
        raise
    except KeyboardInterrupt:
        raise Interrupted("interrupted; nothing written") from None
