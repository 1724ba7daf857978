"""The worked programs: a folder a program, a file a version.

``<program>_<version>`` is a function of the module of that name; all versions
of a program take the same arguments and return the same.  A version runs as a
script, too, so that a profiler can be set on it.
"""
