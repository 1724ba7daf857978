"""The versions of a worked program: each is a function of one module."""

import functools
import importlib

from onthefly.measure import clock
from onthefly.measure.samples import MIN_ROUNDS


def versions(modules):
    """Return {name: function} of {name: module}; loads each when called.

    modules  dotted names; the function of "….weblog_numba" is weblog_numba

    One whose library is missing raises ImportError when it is called.
    """
    return {
        name: functools.partial(_call, module)
        for name, module in modules.items()
    }


def _call(module, *arguments):
    return function(module)(*arguments)


@functools.cache
def function(module):
    """Return the function that a version's module is named after."""
    return getattr(importlib.import_module(module), module.rpartition(".")[2])


def measure(book, modules, make):
    """Return the Timings of a program's versions, measured in turns.

    book     the page's Chapter
    modules  {name: module}, as of `versions`
    make     function without arguments that makes the input: the tuple of
             what each version takes; called where the page measures
    """

    def take():
        arguments = make()
        calls = {
            name: functools.partial(call, *arguments)
            for name, call in versions(modules).items()
        }
        return clock.measure(
            calls, budget=book.budget, least=MIN_ROUNDS, seed=book.seed
        )

    return book.collect("versions", take)
