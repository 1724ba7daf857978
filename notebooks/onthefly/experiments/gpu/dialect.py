"""What CUDA's Python can say: asked of the compiler, which needs no device.

Source: Okuda, PyCon JP 2018, slides 25 and 26.
"""

import types

from numba import float64, void

from onthefly.experiments.gpu import ptx
from onthefly.experiments.numba import probes
from onthefly.kernels import pi_cuda, pi_numba

ARRAY = (float64[::1],)
HEAD = "import numpy as np\ndef f(a):\n "


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
    """Return {what the talk says of a kernel: whether it is so}."""

    def returns(x):
        return x[0]

    def calls_a_loop(x):
        pi_numba.hits_numba(10)

    return {
        "a kernel is Python source": not ptx.refusal(pi_cuda.pi_each, ptx.PI),
        "it returns no value": bool(ptx.refusal(returns, ARRAY)),
        "it runs no loop of the CPU": not compiles(calls_a_loop),
        "it calls no function of the CPU": bool(
            ptx.refusal(pi_cuda.hits_stride, ptx.HITS)
        ),
    }


def compiles(function):
    """Tell whether a function of one array compiles as a kernel."""
    return not ptx.refusal(function, void(*ARRAY))


def numpy_sources():
    """Return {name: function of an array that uses it}: NumPy's methods
    of the talk's list, np.sqrt and np.zeros.
    """
    sources = probes.probes()["NumPy methods"] | {
        "np.sqrt": HEAD + "a[0] = np.sqrt(a[1])",
        "np.zeros": HEAD + "a[0] = np.zeros(3)[1]",
    }
    return {name: _function(text) for name, text in sources.items()}


def _function(text):
    """Return the function `f` of a source, with its result in a name."""
    space = types.SimpleNamespace()
    exec(text.replace("return ", "found = "), vars(space))
    return space.f


def repeated(pi, times):
    """Return a function of the shots that estimates π so many times."""

    def run(shots):
        for _ in range(times):
            pi(shots)

    return run
