"""What Numba 0.38 needs, to work under the last releases of Python 3.6."""

kept = []  # never freed


def keep_environments():
    """Let Numba 0.38 free none of its own objects: its wheel would crash.

    The wheel was built for a 3.6 whose objects had a longer header than
    those of the last 3.6 releases.  Whoever compiles keeps the function,
    and ends its process by ``os._exit``.
    """
    try:
        from numba.lowering import Environment
    except ImportError:  # a Numba of today
        return
    make = Environment.from_fndesc.__func__

    def from_fndesc(cls, fndesc):
        kept.append(make(cls, fndesc))
        return kept[-1]

    Environment.from_fndesc = classmethod(from_fndesc)
