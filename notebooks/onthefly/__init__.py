"""The lab of *Python on the Fly*: measure, fit, judge, draw.

A module imports only from layers below its own, and in no circle; `make
check` holds the imports against this order::

    engine  page             how papermill runs a page; what it concludes
    experiments              how a question is put to the machine
    claims  expectations  missing  plots
                             judging; what a missing library costs; drawing
    figures                  kinds of charts
    results                  what a page concluded, on disk
    models                   fits
    findings  timings        sentences from data; Quantities from samples
    quantity                 a number with its interval: the one arithmetic
    source                   where a page's measurements come from
    clock  data  dependencies
                             the one stopwatch; what was measured, on disk;
                             what it was made from
    samples                  the table of samples
    kernels                  ways of computing, and nothing else
    tools                    processes, builds, devices, assembly
    machine                  what this machine is
    files  nvml              what is read and written; what a GPU tells
    errors  libraries  presets  prose  checkout
                             bad input, in one line; the table of libraries;
                             sizes and budgets; numbers in the prose; what a
                             page was made from

What tells (quantity and above) knows what measures (source and below) by its
data alone.

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
