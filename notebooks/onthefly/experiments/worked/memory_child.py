"""One call of a version, in a process that has done nothing else."""

from onthefly.experiments.tensorflow import resident
from onthefly.experiments.worked.versions import function


def nothing():
    """Return the most bytes of memory that this process has held, or None."""
    return resident.peak_memory()


def peak(module, *arguments):
    """Call the version of a module; return the same."""
    function(module)(*arguments)
    return nothing()
