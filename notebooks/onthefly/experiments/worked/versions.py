"""The versions of a worked program: each is a function of one module."""

import functools
import importlib

from onthefly.measure import clock
from onthefly.measure.samples import MIN_ROUNDS


def function(module, name=""):
    """Return a function of a version's module.

    name  by default the module's own: of "….weblog_numba", weblog_numba
    """
    home = importlib.import_module(module)
    return getattr(home, name or module.rpartition(".")[2])


def call(module, name, *arguments):
    """Call a function of a module, which loads with the first call.

    One whose library is missing raises ImportError.
    """
    return function(module, name)(*arguments)


def measure(book, modules, make, group="versions", name=""):
    """Return the Timings of a program's versions, measured in turns.

    book     the page's Chapter
    modules  {version: module}, dotted
    make     function without arguments that makes the input: the tuple of
             what each version takes; called where the page measures
    group    what the measurement is called
    name     of the modules' functions, as of `function`
    """

    def take():
        arguments = make()
        calls = {
            version: functools.partial(call, module, name, *arguments)
            for version, module in modules.items()
        }
        return clock.measure(
            calls, budget=book.budget, least=MIN_ROUNDS, seed=book.seed
        )

    return book.collect(group, take)
