"""What code for NumPy's arrays computes and moves, counted while it runs.

Each operation on whole arrays reads its arguments and writes its result, also
where they are temporaries that no line of the program names.
"""

import numpy as np

from onthefly.errors import UserError
from onthefly.experiments.choice.roofs import Intensity

# Functions that make an array, and read and write none.
_MAKE = (np.empty_like, np.ndim, np.shape, np.size)


class _Log:
    flops = 0
    bytes = 0


class _Counted(np.ndarray):
    """An array whose operations are counted in its log."""

    def __array_finalize__(self, source):
        self.log = getattr(source, "log", None) or _Log()

    def __array_ufunc__(self, ufunc, method, *inputs, out=(), **options):
        if out:
            options["out"] = tuple(map(_plain, out))
        result = getattr(ufunc, method)(*map(_plain, inputs), **options)
        moved = [x for x in (*inputs, result) if np.ndim(x)]
        self.log.bytes += sum(np.asarray(x).nbytes for x in moved)
        if np.asarray(result).dtype.kind in "fc":
            self.log.flops += max(np.size(x) for x in moved)
        return out[0] if out else self._own(result)

    def __array_function__(self, function, types, inputs, options):
        if function not in _MAKE:
            raise UserError(
                f"{function.__name__}: it does not tell what it moves; "
                "repair: write it by operations, as (x * y).sum()"
            )
        return super().__array_function__(function, types, inputs, options)

    def __setitem__(self, place, value):
        part = _plain(self)[place]
        read = np.asarray(value).nbytes if np.ndim(value) else 0
        self.log.bytes += read + part.nbytes
        _plain(self)[place] = _plain(value)

    def copy(self, order="C"):
        self.log.bytes += 2 * self.nbytes
        return self._own(_plain(self).copy(order))

    def _own(self, result):
        if not np.ndim(result):
            return result
        array = result.view(_Counted)
        array.log = self.log
        return array


def _plain(value):
    return value.view(np.ndarray) if isinstance(value, _Counted) else value


def counted(function, *data):
    """Return what a function computes and moves, an Intensity for all of it.

    function  of arrays, written by operations on whole arrays
    data      its arguments

    Operations of NumPy (ufuncs), assignments to a part of an array, and
    copies are counted; one on floating-point numbers is a flop for each
    element.  Raises UserError for another function of NumPy, as `np.dot`.
    """
    log = _Log()
    given = []
    for value in data:
        if isinstance(value, np.ndarray):
            value = value.copy().view(_Counted)
            value.log = log
        given.append(value)
    function(*given)
    return Intensity(log.flops, log.bytes)
