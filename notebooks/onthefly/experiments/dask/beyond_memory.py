"""An array beyond the memory that a process may have: by NumPy, by Dask."""

from onthefly.tools.processes import answer

CHILD = f"{__package__}.beyond_memory_child"
SHARE = 4  # the array is so many times what the process may have


def tried(limit=2 * 2**30):
    """Return {NumPy, Dask: whether the sum of ones came out}, for a look.

    limit  bytes that each process may have, beside what it has after import
    """
    return {
        name: answer(CHILD, "summed", name, SHARE * limit // 8, limit)
        for name in ("NumPy", "Dask")
    }
