"""Bad input: one line that names the thing, the place and the repair."""

import errno


class UserError(Exception):
    """Why nothing was done: ``place: what is wrong; the repair``.

    A command prints it after its own name and ends with exit code 2; a line
    stands for each fault.
    """


class CorruptFile(UserError):
    """A file that is there, and does not hold what it should.

    fault   ``place: what is wrong``, without the repair

    Who can make the file anew sets it aside and goes on: `files.set_aside`.
    """

    def __init__(self, fault, repair):
        super().__init__(f"{fault}; {repair}")
        self.fault = fault


_ROOM = "make room there"
_RIGHTS = "make it writable, or name another place"
_AWAY = "move away what lies there, or name another place"
_REPAIRS = {
    errno.ENOSPC: _ROOM,
    errno.EDQUOT: _ROOM,
    errno.EFBIG: "raise the limit of a file's size (ulimit -f)",
    errno.EMFILE: "raise the limit of open files (ulimit -n)",
    errno.EACCES: _RIGHTS,
    errno.EPERM: _RIGHTS,
    errno.EROFS: _RIGHTS,
    errno.EEXIST: _AWAY,
    errno.EISDIR: _AWAY,
    errno.ENOTDIR: _AWAY,
    errno.ENOTEMPTY: _AWAY,
    errno.ENOENT: "name one that is there",
    errno.ENAMETOOLONG: "give a shorter name",
}
# What has no name is what all commands write to without one.
_NAMELESS = "the standard output"


def from_system(error, place=None):
    """Return the UserError that tells of an OSError.

    place  what it is about, where the error does not say so itself
    """
    named = error.filename2 or error.filename
    place = place or named or _NAMELESS
    what = error.strerror or " ".join(str(error).split())
    repair = _REPAIRS.get(error.errno, "mend that, then start again")
    return UserError(f"{place}: {what or type(error).__name__}; {repair}")
