"""Keeping runs: a store of results, what it tells, and what asv reads."""
