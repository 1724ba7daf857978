"""The lab of *Python on the Fly*: measure, fit, judge, draw.

A module imports only from floors below its own, and in no circle; `make
check` holds the imports against this order::

    page                     what a chapter shows and keeps
    experiments              how a question is put to the machine
    claims  figures  lost    judging; drawing; what a missing library costs
    results                  what was measured, on disk
    clock  models            the one stopwatch; fits
    timings                  the table of samples
    quantity                 a number with its interval: the one arithmetic
    kernels                  ways of computing, and nothing else
    tools                    processes, builds, devices, assembly
    machine                  what this machine is
    engine  files            papermill's way to us; what is read and written
    libraries  nvml  presets  prose  provenance  errors
                             the table of libraries; the devices that CUDA
                             may use; sizes and budgets; numbers in the prose;
                             what a page was made from; bad input, in one line

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
