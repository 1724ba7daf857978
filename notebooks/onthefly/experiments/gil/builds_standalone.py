"""Import a build of the C extension.

Stand-alone: runs under any Python from 3.6, with nothing installed.
"""

import importlib
import sys


def hits(folder, shots=9):
    """Return the hits that the extension in `folder` counts."""
    sys.path.insert(0, folder)
    return importlib.import_module("pi_c").hits(shots, 1)
