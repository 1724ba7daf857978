"""How much memory a version of a program takes, in a process of its own."""

from onthefly.measure import libraries
from onthefly.tools import processes

CHILD = "onthefly.experiments.worked.memory_child"


def peaks(modules, *arguments):
    """Return {name: bytes or None} that each version's process held at most.

    modules    {name: module}, as in `versions`
    arguments  of each

    The interpreter and the libraries that a version imports are part of it;
    other processes that it starts are not.
    """
    taken = {"nothing": processes.answer(CHILD, "nothing")}
    for name, module in modules.items():
        with libraries.spared({}, name):
            taken[name] = processes.answer(CHILD, "peak", module, *arguments)
    return taken
