"""Keep what a run has finished, at no cost to the run."""

from commandline import shown
from keeping import commits, store
from onthefly.refused import Refused, of_system


def keeper(url, labs):
    """Return a function that keeps a finished results file in a store.

    url   of the store; "" for none
    labs  folders of the labs that make such files: their checkouts' commits,
          as they are now, are noted

    It takes the file's path and its lab, and returns "" or why it is not
    kept: a store that is full costs no chapter.  Raises Refused for a place
    that cannot be a store.
    """
    if not url:
        return lambda path, lab: ""
    kept = store.Store(url, create=True)
    known = {lab: commits.of_checkout(lab) for lab in labs}

    def keep(path, lab):
        try:
            kept.put(path, known[lab])
        except Refused as error:
            why = error
        except OSError as error:
            why = of_system(error)
        else:
            return ""
        return f"not kept: {why}; then scripts/history.py add {shown(path)}"

    return keep
