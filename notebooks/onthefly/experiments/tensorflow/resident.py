"""How much memory this process holds, as Linux counts it."""

from pathlib import Path


def peak_memory():
    """Return the most bytes of memory that this process has held, or None.

    Linux's VmHWM: of this program alone, while getrusage's ru_maxrss begins
    with what the parent held.  None where the system does not tell.
    """
    return size("VmHWM")


def size(what):
    """Return the bytes of a line of /proc/self/status, or None.

    what  the line's name, as "VmRSS" for the memory that is held now

    None where the system does not tell.
    """
    try:
        lines = Path("/proc/self/status").read_text().splitlines()
    except OSError:
        return None
    fields = [
        line.split()[1] for line in lines if line.startswith(f"{what}:")
    ]
    return int(fields[0]) * 1024 if fields else None


def mapped(file):
    """Tell whether a file is part of this process's memory, unread.

    Linux's maps; None where the system does not tell.
    """
    try:
        return (
            str(Path(file).resolve()) in Path("/proc/self/maps").read_text()
        )
    except OSError:
        return None
