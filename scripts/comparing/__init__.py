"""Comparing two sets of runs: sides, differences, ranks, judge, words."""
