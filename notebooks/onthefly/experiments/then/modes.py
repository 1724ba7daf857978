"""When is a program of TensorFlow 1.9 eager?

Source of the question: Okuda, PyCon JP 2018, slide 28.
"""

from onthefly.experiments.then import environments
from onthefly.tools.processes import answer

# Statements of a program, in their order; *operate* makes a tensor, *log*
# sets what is logged.
ENABLED = "enable"
ORDERS = (ENABLED, "", "operate, enable", "log, enable")


def found():
    """Return {statements: mode} of ORDERS, each in a process of its own.

    The modes are those of `modes_child`; {} where scripts/old_stack.py has
    made no TensorFlow 1.9.
    """
    python = environments.made("tensorflow-").get("1.9")
    if python is None:
        return {}
    return {
        order: answer(
            f"{__package__}.modes_child",
            "mode",
            *filter(None, order.split(", ")),
            python=python,
            environment={
                "TF_CPP_MIN_LOG_LEVEL": "3",
                "CUDA_VISIBLE_DEVICES": "",
            },
        )
        for order in ORDERS
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
