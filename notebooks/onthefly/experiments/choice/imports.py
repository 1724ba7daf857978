"""What the import of a library takes, each time in a new process."""

import functools

from onthefly.experiments.choice import imports_child
from onthefly.tools.processes import Failed, Program


def imported(module):
    """Return the seconds of a module's import in a new process.

    The files are in the system's memory from the second time on.  Raises
    ImportError where it is missing.
    """
    with Program(imports_child.__name__) as program:
        try:
            return program.ask("imported", module)
        except Failed as error:
            raise error.__cause__ or error from None


def samplers(modules):
    """Return {module: function} for `book.sample`."""
    return {name: functools.partial(imported, name) for name in modules}
