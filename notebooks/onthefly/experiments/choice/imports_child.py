"""A process that has imported nothing yet: what does an import take?"""

import importlib
import os
import time

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")


def imported(module):
    """Return the seconds that the import of a module takes, the first."""
    start = time.perf_counter()
    importlib.import_module(module)
    return time.perf_counter() - start
