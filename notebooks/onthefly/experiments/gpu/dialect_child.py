"""What CUDA's Python takes of NumPy, under any Numba from 0.38 on.

The program that `dialect` asks under the Python of then, 3.6.  A kernel is
typed and lowered to LLVM's language; NVIDIA's compiler library, which would
come next, need not be here.
"""

PASSES, REFUSED = "passes", "refused"
# How Numba's typing and lowering say no; the last two by accident.
REFUSALS = {"NumbaError", "NotImplementedError", "TypeError"}


def function(source):
    """Return the function `f` of a source."""
    space = {}
    exec(source, space)
    return space["f"]


def outcome(compile, source):
    """Return what a compiler makes of a source of a function `f`.

    compile  function of a function; raises what the compiler raises

    PASSES; REFUSED, where Numba's typing or lowering says no; or the name of
    another error, which tells nothing of the function.
    """
    try:
        compile(function(source))
    except Exception as error:
        kinds = [kind.__name__ for kind in type(error).__mro__]
        return REFUSED if REFUSALS & set(kinds) else kinds[0]
    return PASSES


def outcomes(sources):
    """Return {name: outcome} of Numba 0.38's compiler for kernels.

    sources  {name: source of a function `f` of an array of float64}
    """
    from numba import float64, types
    from numba.cuda.compiler import compile_cuda

    from onthefly.experiments.numba import old_numba_child

    old_numba_child.keep_environments()

    def compile(kernel):
        array = (float64[::1],)
        compile_cuda(kernel, types.void, array, debug=False, inline=False)

    return {name: outcome(compile, text) for name, text in sources.items()}


def lowest():
    """Return the lowest compute capability that Numba's driver takes."""
    from numba.cuda.cudadrv import driver

    return list(driver.MIN_REQUIRED_CC)
