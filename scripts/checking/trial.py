"""What a trial is, and how it is entered."""

from collections.abc import Callable
from dataclasses import dataclass

from onthefly.libraries import LIBRARIES, version


class Missing(Exception):
    """What a trial raises where something is not there; says what."""


@dataclass(frozen=True)
class Trial:
    """How one library is tried.

    use       uses it and returns what it saw
    packages  the distributions that may hold it
    kind      "required", "optional", or "gpu": tried by --gpu only
    lost      what is lost without it
    """

    use: Callable[[], str]
    packages: tuple[str, ...]
    kind: str
    lost: str

    @property
    def version(self):
        """The version of the first distribution that is installed."""
        return version(*self.packages)


def on_device(key):
    """Return the name of a library's trial on a device.

    key  of the table of libraries
    """
    return f"{key}-cuda" if LIBRARIES[key].alone else key


def entering(trials):
    """Return the decorator that enters trials into a dict, by their names.

    A trial returns what it saw working.  It raises Missing, or an import
    does, where something is not there; any other exception is a failure.
    """
    packages_of = {key: entry.packages for key, entry in LIBRARIES.items()}
    packages_of |= {
        on_device(key): entry.cuda
        for key, entry in LIBRARIES.items()
        if entry.cuda
    }

    def trial(name, *packages, lost, kind="required"):
        """Enter the decorated function.

        packages  the distributions that hold it; by default those of the
                  table of libraries, or the one of this name
        """

        def enter(use):
            named = packages or packages_of.get(name, (name,))
            trials[name] = Trial(use, named, kind, lost)
            return use

        return enter

    return trial
