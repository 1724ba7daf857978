"""Keep what a run has finished, at no cost to the run."""

from commandline import ROOT, shown
from keeping import commits, store
from onthefly.refused import Refused, of_system


def keeper(url):
    """Return a function that keeps a finished results file in a store.

    url  of the store; "" for none

    It takes the file's path, and returns "" or why it is not kept: a store
    that is full costs no chapter.  Raises Refused for a place that cannot be
    a store.
    """
    if not url:
        return lambda path: ""
    kept, commit = store.Store(url, create=True), commits.of_checkout(ROOT)

    def keep(path):
        try:
            kept.put(path, commit)
        except Refused as error:
            why = error
        except OSError as error:
            why = of_system(error)
        else:
            return ""
        return f"not kept: {why}; then scripts/history.py add {shown(path)}"

    return keep
