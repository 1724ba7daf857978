"""What CUDA's Python can say: asked of the compiler, which needs no device.

Source: Okuda, PyCon JP 2018, slides 25 and 26.
"""

import re

from numba import float64, void

from onthefly.experiments.gpu import dialect_child, ptx
from onthefly.experiments.numba import probes
from onthefly.kernels.pi import pi_cuda, pi_numba
from onthefly.tools.processes import Program

ARRAY = (float64[::1],)
HEAD = "import numpy as np\ndef f(a):\n "
SHARES_NONE = "it calls no function of the CPU"  # the talk does not say so


def refuses_a_bare_call(kernel, *arguments):
    """Tell whether a call without brackets is refused for want of them."""
    try:
        kernel(*arguments)
    except ValueError as error:
        return "configuration" in str(error)
    return False


def doubles(kernels):
    """Return {name: instructions a shot that touch double precision}.

    kernels  {name: kernel with the arguments of pi_cuda.hits_stride}
    """
    return {
        name: ptx.per_shot(ptx.compiled(kernel, ptx.HITS))["double"]
        for name, kernel in kernels.items()
    }


def asked():
    """Return {what is said of a kernel: whether it is so}.

    All but SHARES_NONE is the talk's.
    """

    def returns(x):
        return x[0]

    def calls_a_loop(x):
        pi_numba.hits_numba(10)

    return {
        "a kernel is Python source": not ptx.refusal(pi_cuda.pi_each, ptx.PI),
        "it returns no value": bool(ptx.refusal(returns, ARRAY)),
        "it runs no loop of the CPU": not compiles(calls_a_loop),
        SHARES_NONE: bool(ptx.refusal(pi_cuda.hits_stride, ptx.HITS)),
    }


def compiles(function):
    """Tell whether a function of one array compiles as a kernel."""
    return not ptx.refusal(function, void(*ARRAY))


def numpy_sources():
    """Return {name: source of a function of an array that uses it}.

    NumPy's methods of the talk's list, np.sqrt and np.zeros; the result goes
    into a name, for a kernel returns none.
    """
    sources = probes.probes()["NumPy methods"] | {
        "np.sqrt": HEAD + "a[0] = np.sqrt(a[1])",
        "np.zeros": HEAD + "a[0] = np.zeros(3)[1]",
    }
    return {
        name: text.replace("return ", "found = ")
        for name, text in sources.items()
    }


def of_today():
    """Return what the compiler here says of NumPy and of devices.

    {"NumPy": {name: outcome, as of dialect_child}, "lowest": the lowest
    compute capability it compiles for, "PTX": the version that it writes}
    """

    def compile(kernel):
        ptx.compiled(kernel, void(*ARRAY))

    text = ptx.compiled(ptx.empty, void(*ARRAY))
    return {
        "NumPy": {
            name: dialect_child.outcome(compile, source)
            for name, source in numpy_sources().items()
        },
        "lowest": ptx.lowest(),
        "PTX": re.search(r"^\.version (\S+)", text, re.M)[1],
    }


def of_then(python):
    """Return what Numba 0.38 says of them, as `of_today`, without the PTX.

    python  path of the interpreter that has it
    """
    with Program(dialect_child.__name__, python=python) as program:
        return {
            "NumPy": program.ask("outcomes", numpy_sources()),
            "lowest": program.ask("lowest"),
        }


def named(outcomes, outcome):
    """Return the names of what had an outcome, as a text."""
    names = [name for name, own in outcomes.items() if own == outcome]
    return ", ".join(names) or "none"


def refused(outcomes):
    """Return how many were refused, and how many were asked."""
    said = list(outcomes.values())
    return said.count(dialect_child.REFUSED), len(said)


def repeated(pi, times):
    """Return a function of the shots that estimates π so many times."""

    def run(shots):
        for _ in range(times):
            pi(shots)

    return run
