"""What tidy says of a claim that is judged by what the page asserts."""

import pytest

from linting import judged

JUDGE = "book.judge('a-claim', Quantity.share(sum(right.values()), 4), 'why')"


def broken(*sources):
    cells = [
        {"cell_type": "code", "source": source, "metadata": {}}
        for source in sources
    ]
    return [what for _, what, _ in judged.broken({"cells": cells})]


@pytest.mark.parametrize(
    "check", ["right", "all(right)", "all(right.values())"]
)
def test_a_claim_that_an_assertion_decided_is_named(check):
    (what,) = broken(f"assert {check}", JUDGE)
    assert "'a-claim' is judged by right" in what


@pytest.mark.parametrize(
    "check", ["True", "z_score(pi, right) < 5", "all(f(n) for n in right)"]
)
def test_another_assertion_decides_nothing(check):
    assert broken(f"assert {check}", JUDGE) == []
