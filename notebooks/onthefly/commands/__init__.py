"""Which on-the-fly accelerator pays, on this machine, at your size, and why.

Each command is a module here: its docstring is the help, `add_arguments`
names what it takes, and `run` does it and returns the exit code.
"""

import importlib
import sys

from onthefly.terminal import Interrupted, Parser, command

COMMANDS = ("confirm", "choose", "compare")
SHELLS = "bash", "zsh", "tcsh"


def parser():
    """Return the parser of the whole command line."""
    import shtab

    made = Parser(
        __doc__,
        prog="onthefly",
        epilog="Exit codes: 0 done; 1 compare found something slower; 2 "
        "refused, with the reason in a line; 130 interrupted.",
    )
    made.add_argument(
        "--version", action="version", version=f"onthefly {_version()}"
    )
    shtab.add_argument_to(
        made, "--completion", help="print completions for a shell"
    )
    subs = made.add_subparsers(metavar="COMMAND", required=True)
    for name in COMMANDS:
        module = importlib.import_module(f"onthefly.commands.{name}")
        summary = module.__doc__.strip().splitlines()[0]
        sub = subs.add_parser(
            name, text=module.__doc__, help=summary, whole=True
        )
        module.add_arguments(sub)
        sub.set_defaults(run=module.run)
    return made


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
    options = parser().parse_args(argv)
    try:
        return options.run(options)
    except Interrupted:
        raise
    except KeyboardInterrupt:
        raise Interrupted("interrupted; nothing written") from None
