"""Comparing two sets of runs."""
