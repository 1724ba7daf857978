"""When is a program of TensorFlow 1.9 eager?

Source of the question: Okuda, PyCon JP 2018, slide 28.
"""

import contextlib

from onthefly.experiments.then import programs

VERSION = "1.9"

# Statements of a program, in their order; *operate* makes a tensor, *log*
# sets what is logged.
ENABLED = "enable"
ORDERS = (ENABLED, "", "operate, enable", "log, enable")


def found():
    """Return {statements: mode} of ORDERS, each in a process of its own.

    The modes are those of `modes_child`; {} where scripts/old_stack.py has
    made none of that version.
    """
    if not programs.here(VERSION):
        return {}
    with contextlib.ExitStack() as opened:
        origin = opened.enter_context(
            programs.program(f"{__package__}.modes_child", VERSION)
        )
        running = {o: opened.enter_context(origin.fork()) for o in ORDERS}
        return {
            order: program.ask("mode", *filter(None, order.split(", ")))
            for order, program in running.items()
        }


def not_as_said(modes):
    """Return which programs are in another mode than the talk says.

    Eager are those alone whose first statement enables it.
    """
    return [
        order
        for order, mode in modes.items()
        if (mode == "eager") != order.startswith(ENABLED)
    ]
