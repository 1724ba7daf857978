"""The check of a GPU and its libraries before pages run on it."""

import json
import os

from onthefly import files
from onthefly.environment import ready, toolkit, trials
from onthefly.errors import UserError
from onthefly.measure import machine
from onthefly.measure.libraries import LIBRARIES

MEMORY = "gpu_box.json"  # in the folder of the output


def seen(build):
    """Check the GPU and its libraries, a line for each.

    build  the folder of the output

    Returns the keys of the libraries that compute on the GPU.  A library
    that did so before, in this version, is not tried again: all of them take
    a minute.  Sets CUDA_HOME where Numba needs it.  Raises UserError, in a
    line, where no library sees a GPU.
    """
    home = toolkit.only_home() if machine.has_cuda() else None
    if home:
        os.environ[toolkit.HOME] = str(home)
        _say(f"{toolkit.HOME}={home}: only there is Numba's compiler (NVVM)")
    memory = build / MEMORY
    tried, wrong = ready.check_gpu(_say, _trusted(memory))
    worked = {x.name: x.version for x in tried if x.state == ready.OK}
    if not worked:
        raise UserError(f"{wrong[-1]}; without a GPU: --rehearse")
    for fault in wrong:
        _say(f"fault   {fault}")
    about = {"boot": machine.boot(), "worked": worked}
    files.write(memory, json.dumps(about))
    using = [trials.ON_DEVICE[name] for name in worked]
    return frozenset(
        k for k, library in LIBRARIES.items() if library in using
    )


def _say(line):
    print(line, flush=True)


def _trusted(memory):
    """Return the names of trials that went well since the machine's start."""
    try:
        kept = files.json_data(memory)
        worked = kept["worked"] if kept["boot"] == machine.boot() else {}
        return {n for n, was in worked.items() if was == trials.version(n)}
    except (UserError, AttributeError, KeyError, TypeError):
        return set()  # nothing is known, or the file is broken
