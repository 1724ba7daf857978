"""Threads, races and the GIL."""
