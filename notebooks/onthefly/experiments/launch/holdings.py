"""What a parent may hold when it forks.

Each function gets memory from the system, uses it, and returns it: the
memory lives as long as what is returned.  Standard library only at import,
so that a parent holds little else.
"""

import mmap

from onthefly.experiments.launch.parents_child import counts

PAGE = mmap.PAGESIZE
MIB = 1 << 20


def every_page(mib):
    """Hold so many MiB of memory of its own, each page in use."""
    return _used(mib * MIB, PAGE)


def every_8th_page(mib):
    """Hold so many MiB, of which every eighth page is in use."""
    return _used(mib * MIB, 8 * PAGE)


def huge_pages(mib):
    """Hold so many MiB in pages of 2 MiB, where the system gives them."""
    return _used(mib * MIB, PAGE, "MADV_HUGEPAGE")


def shared(mib):
    """Hold so many MiB that children shall share: writes are seen by all."""
    return _used(mib * MIB, PAGE, kind=mmap.MAP_SHARED)


def _used(size, step, advice="MADV_NOHUGEPAGE", kind=mmap.MAP_PRIVATE):
    """Get memory, and write a byte every `step` bytes."""
    memory = mmap.mmap(-1, size, flags=kind)
    if hasattr(mmap, advice):
        memory.madvise(getattr(mmap, advice))
    memory[::step] = b"1" * (size // step)
    return memory


def pieces(count):
    """Hold so many pages, each in a stretch of memory of its own.

    Between two stands one that nobody may write: neighbours of one kind
    would become one stretch.
    """
    kept = []
    for _ in range(count):
        apart = mmap.mmap(-1, PAGE, mmap.MAP_PRIVATE, mmap.PROT_READ)
        piece = mmap.mmap(-1, PAGE, mmap.MAP_PRIVATE)
        piece[0] = 1
        kept += apart, piece
    return kept


def as_much(entries, mappings=0, apart=1):
    """Hold so much that this process has so many entries, and mappings.

    entries, mappings  as `counts` counts them, each at least
    apart              of so many pages that were got, one by chance is kept:
                       the others lie between it and the next

    Linux alone tells the counts, and takes single pages back.
    """
    import random

    missing = mappings - counts()["mappings"]
    kept = pieces(max(0, missing // 2))
    pages = entries - counts()["entries"]
    memory = _used(pages * apart * PAGE, PAGE)
    for group in range(0, pages * apart, apart):
        keep = random.randrange(apart)
        for k in range(apart):
            if k != keep:
                place = (group + k) * PAGE
                memory.madvise(mmap.MADV_DONTNEED, place, PAGE)
    return kept, memory
