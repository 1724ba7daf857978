"""A copy of the pages in which one kernel does a tenth more work."""

import shutil

from commandline import ROOT
from onthefly import files

PAGE = "cost-of-a-call"
SERIES = ("Python", "loop alone")  # the series that time the kernel
KERNEL = "kernels/pi_python.py"
WORK = 0.1  # as a share of the kernel's own
END = "    return 4.0 * hits / shots\n"
# More points, thrown and looked at as the others are, and not counted.
MORE = """\
    for _ in range(shots // 10):
        x = draw()
        y = draw()
        if x * x + y * y <= 1.0:
            pass
"""


def inject(folder):
    """Copy the pages and the lab, and slow the kernel; return the copy.

    folder  becomes a checkout: notebooks/ and a link to book/; what is there
            is made anew
    """
    copy = folder / "notebooks"
    shutil.rmtree(copy, ignore_errors=True)
    leave = shutil.ignore_patterns("__pycache__", ".ipynb_checkpoints")
    shutil.copytree(ROOT / "notebooks", copy, ignore=leave)
    link = folder / "book"  # the ledger and the recorded results
    if not link.is_symlink():
        link.symlink_to(ROOT / "book", target_is_directory=True)
    kernel = copy / "onthefly" / KERNEL
    source = files.text(kernel)
    assert source.count(END) == 1, f"{kernel}: its end is another one"
    files.write(kernel, source.replace(END, MORE + END))
    return copy
