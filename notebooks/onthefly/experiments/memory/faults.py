"""Page faults of calls in this process.

`fresh` counts those of processes that nobody has used.

Source of the question: Okuda, PyCon JP 2018, slide 32.
"""

import resource


def faults():
    """Return the page faults of this process so far."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_minflt


def of_call(job, *arguments, repeats=5):
    """Return the page faults of a call in this process, all threads' own.

    The median of `repeats` calls, after one that is not counted.
    """
    job(*arguments)
    counts = []
    for _ in range(repeats):
        before = faults()
        job(*arguments)
        counts.append(faults() - before)
    return sorted(counts)[repeats // 2]
