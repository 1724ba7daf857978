"""What *vectorize, guvectorize or njit* concludes."""

from onthefly.page import answer, expect

MANY = 1_000_000


def np_vectorize(times):
    return times.ratio("np.vectorize", "vectorize", MANY)


def against_loop(times):
    return times.ratio("vectorize", "njit", MANY)


@expect
def alike(against_loop):
    """They take about the same time."""
    return against_loop > 0.6, against_loop < 1.7


def over_numpy(times):
    return times.ratio("NumPy", "vectorize", MANY)


def parallel_loss(times):
    return times.ratio("vectorize, parallel", "vectorize", MANY)


def parallel_gain(heavy):
    return heavy.ratio("vectorize", "vectorize, parallel")


def rows_gain(rows):
    return rows.ratio("njit, called for each row", "guvectorize")


def typed_read(containers):
    return containers.ratio("typed list", "array")


def typed_made(containers):
    return containers.ratio("list to typed list", "list to array")


def typed_lost(containers):
    return containers.ratio("list to typed list", "Python, list")


def array_code(squares):
    return squares.ratio("array code, njit", "NumPy")


def loops_gain(squares):
    return squares.ratio("NumPy", "loops, njit")


def against_array_code(squares):
    return squares.ratio("array code, njit", "loops, njit")


@expect
def loops_win(against_array_code):
    """Inside njit, loops beat array code."""
    return against_array_code > 1.5


@answer("njit-on-arrays")
def njit_on_arrays(against_array_code, loops_gain):
    """Inside `njit`, write loops: for distances of points they are
    {against_array_code.about} faster than the same array code compiled, and
    {loops_gain.about} faster than NumPy. Each operation on whole arrays
    makes an array in memory, compiled or not, and a loop makes none.
    """
    return against_array_code > 1, loops_gain > 1


@answer("np-vectorize")
def np_vectorize_answer(np_vectorize, over_numpy):
    """No, it calls your Python function for each element: numba.vectorize,
    which compiles it, is {np_vectorize.about} faster on a million numbers.
    Use it for a function of single numbers with branches, and guvectorize for
    a function of rows.
    """
    return np_vectorize > 2, over_numpy > 1


@answer("typed-list")
def typed_list(typed_made, typed_read):
    """Convert the list to an array: making a numba.typed.List takes
    {typed_made.about} as long, and compiled code then reads it
    {typed_read.about} slower. A typed list is for data that grow while
    compiled code runs.
    """
    return typed_made > 1, typed_read > 1
