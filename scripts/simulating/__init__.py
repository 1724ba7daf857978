"""Runs with a known truth, judged as measured ones are."""
