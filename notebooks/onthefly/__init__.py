"""Python on the Fly: which accelerator pays, here, at this size, and why.

The instrument works wherever it is installed, and knows no page of the book::

    measure   the stopwatch: samples in turns, quantities, the machine
    diagnose  what would make a function faster
    predict   which method wins for a loop like yours
    compare   are two sets of runs different
    sweep     one version of a library after another
    environment  what works here; questions  what people ask
    figures   charts, and sentences from them; reports  HTML pages
    kernels   a problem, and the methods that compute it
    tools     processes, builds, devices

The book stands on it: ``page`` is what its pages import, ``experiments`` how
a question is put to the machine.  A module imports only from layers below its
own; pyproject.toml has their order, and `make check` holds it.

Importing ``onthefly`` loads nothing heavy, so that worker processes start
fast.  It also lets the libraries of one process share a GPU: unless told
otherwise, TensorFlow would take all of the device's memory at its first use,
and JAX three quarters of it.  PyTorch and CuPy take what they need.  And it
has CUDA number the GPUs as the driver's tools do, so that the one that is
named is the one that is measured.
"""

import os

os.environ.setdefault("TF_FORCE_GPU_ALLOW_GROWTH", "true")
os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")
os.environ.setdefault("CUDA_DEVICE_ORDER", "PCI_BUS_ID")


def __getattr__(name):
    """Import `confirm` when it is first asked for."""
    if name == "confirm":
        from onthefly.diagnose.diagnosis import confirm

        return confirm
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def load_ipython_extension(shell):
    """Bring `%confirm` and `%%confirm`: ``%load_ext onthefly``."""
    from onthefly.diagnose.magic import ConfirmMagics

    shell.register_magics(ConfirmMagics)
