"""The prose's expressions: which they are."""

import pytest

from onthefly.page import prose

SAID = [
    ("A {eval}`gain`, {eval}`gain` of {eval}`n`.", ["gain", "n"]),
    ("| {eval}`a[1]` | {eval}``x.get('`')`` |", ["a[1]", "x.get('`')"]),
    ("{eval}`book.expect(\n'all', a > 1)`", ["book.expect( 'all', a > 1)"]),
    ("{ref}`a`, `{eval}`, ``{eval}`a` ``, \\{eval}`a`", []),
]


@pytest.mark.parametrize(("text", "expected"), SAID)
def test_the_expressions_of_a_text(text, expected):
    assert prose.expressions(text) == expected
