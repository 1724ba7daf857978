"""TensorFlow without its information lines, and with the GPU it can have.

Whoever uses TensorFlow in this project takes it from here::

    from onthefly.tools.quiet_tensorflow import tf

The C++ side reads the level once, at import: 0 shows all, 1 hides INFO
(the processor's features, XLA's service), 2 warnings, 3 errors too.  A level
that the environment sets is kept.

One information line comes before the level is read, on processors for which
oneDNN is on: a filter takes it away while TensorFlow is imported.  It is a
process of its own, so that what a crash says still comes through.  Warnings
stay visible.

On a GPU, cuSOLVER is opened first: TensorFlow 2.21.0 does not find it.
"""

import contextlib
import os
import subprocess
import sys

from onthefly.tools import devices

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "1")
# Keras computes by TensorFlow, whatever the user's own settings choose.
os.environ.setdefault("KERAS_BACKEND", "tensorflow")

_FILTER = r"""
import re, sys
information = re.compile(rb"I\d{4} |WARNING: All log messages before absl")
for line in sys.stdin.buffer:
    if not information.match(line):
        sys.stdout.buffer.write(line)
        sys.stdout.flush()
"""


def open_cusolver():
    """Open NVIDIA's cuSOLVER, where TensorFlow may use a GPU.

    In the wheel of TensorFlow 2.21.0, the library that opens NVIDIA's has
    the folders of the others on its search path (RUNPATH), that of cuSOLVER
    no longer; and where one is missing, TensorFlow uses no GPU.  What is
    open is found by its name.  PyTorch opens all of them at its import, so
    that only a program without it is affected.
    """
    if not devices.may_see("tensorflow"):
        return
    # No package that finds it, or no such library in the environment: then
    # TensorFlow looks where the system does, and says what it misses.
    with contextlib.suppress(ImportError, RuntimeError):
        from cuda import pathfinder

        pathfinder.load_nvidia_dynamic_lib("cusolver")


@contextlib.contextmanager
def no_information():
    """Take information lines from what this process writes on stderr."""
    command = [sys.executable, "-I", "-S", "-c", _FILTER]
    stderr = os.dup(2)
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=stderr) as f:
        os.dup2(f.stdin.fileno(), 2)
        try:
            yield
        finally:
            os.dup2(stderr, 2)
            os.close(stderr)


@contextlib.contextmanager
def without_keras():
    """Let TensorFlow's import leave Keras out, which nobody here uses.

    It takes a quarter of the import.  ``tf.keras`` is loaded when it is
    asked for, as TensorFlow then reads the variable anew; a choice that the
    environment makes is kept.
    """
    name = "TF_USE_LEGACY_KERAS"
    if name in os.environ:
        yield
        return
    os.environ[name] = "1"  # the old Keras, which is not installed
    try:
        yield
    finally:
        del os.environ[name]


open_cusolver()
if os.environ["TF_CPP_MIN_LOG_LEVEL"] == "0":
    with without_keras():
        import tensorflow as tf
else:
    with no_information(), without_keras():
        import tensorflow as tf

__all__ = ["no_information", "tf"]
