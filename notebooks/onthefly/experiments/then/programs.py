"""Programs under the TensorFlow of then, and today's, each in a process."""

import contextlib
import importlib.metadata
import pathlib
import sys

from onthefly.experiments.then import environments
from onthefly.tools.processes import Program

QUIET = {"TF_CPP_MIN_LOG_LEVEL": "3", "CUDA_VISIBLE_DEVICES": ""}
TODAY = "today"


def pythons():
    """Return {version: path of its interpreter}, TODAY last."""
    return environments.made("tensorflow-") | {TODAY: sys.executable}


def here(*versions):
    """Tell whether this machine has all of these versions."""
    return {*versions} <= {*pythons()}


def program(child, version, **variables):
    """Return a Program under one version.

    child      full name of its module
    variables  of its environment, beside QUIET
    """
    return Program(
        child,
        python=pythons()[version],
        environment=QUIET | variables,
    )


@contextlib.contextmanager
def started(child, pairs):
    """Yield a process for each (version, way), where `start` is told the way.

    child  full name of their module, which has a `start`

    All versions import it at once, each once: a process is a copy of its
    version's.
    """
    with contextlib.ExitStack() as running:
        enter = running.enter_context
        origins = {v: enter(program(child, v)) for v in dict(pairs)}
        copies = [enter(origins[version].fork()) for version, _ in pairs]
        for copy, (_, way) in zip(copies, pairs, strict=True):
            copy.send("start", way)
        for copy in copies:
            copy.receive()
        yield copies


def versions():
    """Return {version: {package: its version}}, as installed."""
    import numpy as np

    from onthefly.tools.quiet_tensorflow import tf

    then = environments.made("tensorflow-")
    today = {"NumPy": np.__version__, "TensorFlow": tf.__version__}
    return {v: _installed(then[v]) for v in then} | {TODAY: today}


def _installed(python):
    """Return {package: version} of TensorFlow and NumPy of then."""
    sites = pathlib.Path(python).parents[1].glob("lib/python*/site-packages")
    found = importlib.metadata.distributions(path=[*map(str, sites)])
    every = {one.name: one.version for one in found}
    return {name: every[name.lower()] for name in ("NumPy", "TensorFlow")}
