"""What makes Numba compile a cached function again."""

from onthefly.experiments.numba import cached_again


def test_a_file_is_looked_at_and_what_it_calls_is_not():
    rows = {row["what changes"]: row for row in cached_again.again()}
    compiled = {k: row["compiled again"] for k, row in rows.items()}
    assert list(compiled.values()) == [False, True, False, True, False]
    right = [row["right"] for row in rows.values()]
    assert right == [True, True, True, True, False]
