"""Does a count that is made in threads come out wrong?

Stand-alone: runs under any Python from 3.6, and counts with NumPy where there
is one.  Source: Okuda, PyCon JP 2018, slides 43, 44 and 55.
"""

import random
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor

try:
    import numpy as np
except ImportError:
    np = None

TASKS = 9  # of the talk's listing
shared = 0


def local_add(marks):
    """Count the ones with ``h = h + 1``, h being local (slide 43)."""
    h = 0
    for mark in marks:
        if mark == 1:
            h = h + 1
    return h


def local_iadd(marks):
    """Count the ones with ``h += 1``, h being local."""
    h = 0
    for mark in marks:
        if mark == 1:
            h += 1
    return h


def shared_add(marks):
    """Count the ones with ``shared = shared + 1``."""
    global shared
    for mark in marks:
        if mark == 1:
            shared = shared + 1


def shared_iadd(marks):
    """Count the ones with ``shared += 1``."""
    global shared
    for mark in marks:
        if mark == 1:
            shared += 1


def count(size):
    """Count the non-zeros of fresh ones (slide 44)."""
    return int(np.count_nonzero(np.ones(size)))


def rng_count(size):
    """The same, after drawing as many random numbers (slide 44)."""
    np.random.rand(size)
    return count(size)


def count_bool(size):
    """Count fresh flags."""
    return int(np.count_nonzero(np.ones(size, bool)))


def count_int(size):
    """Count fresh integers."""
    return int(np.count_nonzero(np.ones(size, np.int64)))


def count_strided(size):
    """Count every second one of twice as many."""
    return int(np.count_nonzero(np.ones(2 * size)[::2]))


def refilled(array, counter=None):
    """Empty an array, fill it with ones, and count them."""
    array[:] = 0
    array[:] = 1
    return int((counter or np.count_nonzero)(array))


KINDS = {
    "float": count,
    "after rand": rng_count,
    "bool": count_bool,
    "int": count_int,
    "strided": count_strided,
}
LOOPS = {
    "local, h = h + 1": local_add,
    "local, h += 1": local_iadd,
    "shared, h = h + 1": shared_add,
    "shared, h += 1": shared_iadd,
}


def tasks(pool, function, size, number=TASKS):
    """Return the results of so many tasks, submitted at once."""
    futures = [pool.submit(function, size) for _ in range(number)]
    return [future.result() for future in futures]


def try_counts(
    threads, budget, kinds=KINDS, sizes=(400, 10**4, 10**5), seed=0
):
    """Count in a pool of `threads` for `budget` seconds.

    kinds  {name: function of a size that must return the size}
    sizes  of which each trial takes one by chance

    Returns {kind: {"counts", "wrong", "seen"}}: how many counts, how many
    of them wrong, and up to five wrong ones with their size.
    """
    tallies = {k: {"counts": 0, "wrong": 0, "seen": []} for k in kinds}
    pick = random.Random(seed)
    with ThreadPoolExecutor(threads) as pool:
        start = time.perf_counter()
        while True:
            for kind, function in kinds.items():
                size = pick.choice(sizes)
                wrong = [c for c in tasks(pool, function, size) if c != size]
                tallies[kind]["counts"] += TASKS
                tallies[kind]["wrong"] += len(wrong)
                tallies[kind]["seen"] += [[size, c] for c in wrong]
                tallies[kind]["seen"] = tallies[kind]["seen"][:5]
            if time.perf_counter() - start > budget:
                return tallies


def wrong_of(runs, kinds):
    """Return how many counts of some kinds are wrong, and how many there are.

    runs  results of `try_counts`, which need not have all kinds
    """
    chosen = [run[k] for run in runs for k in kinds if k in run]
    wrong = sum(f["wrong"] for f in chosen)
    return wrong, sum(f["counts"] for f in chosen)


def unfinished(size, tries, fresh, kind="float64", seed=0):
    """Count an array while another thread still fills it with ones.

    size   elements of the array
    tries  how often; each waits a random part of a fill's time
    fresh  fill new memory, or a buffer that is used again and again
    kind   of the elements

    Counts from the end, to meet the fill on its way.  Returns the counts
    that were neither 0 nor `size`.
    """
    buffer = np.ones(size, kind)
    start = time.perf_counter()
    np.copyto(np.empty(size, kind) if fresh else buffer, 1)
    taken = time.perf_counter() - start
    pick, counts = random.Random(seed), []
    with ThreadPoolExecutor(1) as pool:
        for _ in range(tries):
            if fresh:
                buffer = np.empty(size, kind)
            else:
                buffer[:] = 0
            filling = pool.submit(np.copyto, buffer, 1)
            time.sleep(pick.random() * taken)
            counts.append(int(np.count_nonzero(buffer[::-1])))
            filling.result()
    return [count for count in counts if 0 < count < size]


def try_loops(threads, budget, marks=20000):
    """Run each counting loop in `threads` threads for `budget` seconds.

    Each thread counts `marks` ones of its own; the GIL is asked for a
    hundred times as often as usual.  Returns {loop: {"runs", "wrong",
    "worst"}}: runs of all threads, those whose total was wrong, and by how
    much at the most.
    """
    before = sys.getswitchinterval()
    sys.setswitchinterval(before / 100)
    try:
        return _try_loops(threads, budget, marks)
    finally:
        sys.setswitchinterval(before)


def _try_loops(threads, budget, marks):
    global shared
    ones = [1] * marks
    tallies = {k: {"runs": 0, "wrong": 0, "worst": 0} for k in LOOPS}
    start = time.perf_counter()
    while True:
        for name, loop in LOOPS.items():
            shared = 0
            results = _at_once(loop, ones, threads)
            total = shared if results[0] is None else sum(results)
            off = abs(total - marks * threads)
            tallies[name]["runs"] += 1
            tallies[name]["wrong"] += off > 0
            tallies[name]["worst"] = max(tallies[name]["worst"], off)
        if time.perf_counter() - start > budget:
            return tallies


def _at_once(loop, marks, threads):
    """Run `loop` in threads that start together; return their results."""
    results = [None] * threads
    gate = threading.Barrier(threads)

    def work(k):
        gate.wait()
        results[k] = loop(marks)

    workers = [
        threading.Thread(target=work, args=(k,)) for k in range(threads)
    ]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    return results


def facts(size):
    """Return what the results of this interpreter hang on.

    A dict: numpy, its version or None; offset, where in its page of memory
    an array of `size` begins.
    """
    return {
        "numpy": np.__version__ if np else None,
        "offset": np.empty(size).ctypes.data % 4096 if np else None,
    }
