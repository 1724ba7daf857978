"""Names and counts as a sentence has them."""

import pytest

from onthefly.terminal.words import counted, listed


@pytest.mark.parametrize(
    ("names", "text"),
    [("a", "a"), ("ab", "a or b"), ("abc", "a, b or c")],
)
def test_the_last_name_has_a_word_before_it(names, text):
    assert listed(names, "or") == text


def test_one_is_singular():
    assert counted(1, "cores") == "1 core"
    assert counted(10**6, "cores") == "1,000,000 cores"
