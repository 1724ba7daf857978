"""Interpreters of Python: with the lock and without, compiling and not."""
