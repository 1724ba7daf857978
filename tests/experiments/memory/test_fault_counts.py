"""Page faults of calls in this process."""

import mmap

from onthefly.experiments.memory import faults


def test_page_faults_of_a_call_are_counted():
    size = 8 * 2**20  # mapped anew at each call, and touched page by page

    def touch():
        with mmap.mmap(-1, size) as memory:
            if hasattr(mmap, "MADV_NOHUGEPAGE"):
                memory.madvise(mmap.MADV_NOHUGEPAGE)
            for place in range(0, size, mmap.PAGESIZE):
                memory[place] = 1

    pages = size // mmap.PAGESIZE
    assert pages <= faults.of_call(touch) < 1.2 * pages
    assert faults.of_call(int) < 10
