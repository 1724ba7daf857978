"""Bad input: one line that names the thing, the place and the repair."""


class Refused(Exception):
    """Why nothing was done: ``place: what is wrong; the repair``.

    A command prints it after its own name and ends with exit code 2; a line
    stands for each fault.
    """
