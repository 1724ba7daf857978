"""What tidy says of a page and the module beside it."""

import textwrap

import pytest

from linting import module

MODULE = '''
from onthefly.page import expect, figure, judge


def gain(times, scale=1):
    return times.ratio("a", "b")


@figure(x="x")
def gain_figure(gain):
    """It gains {gain.about} with {sizes[0]}."""
    return {"gain": gain}


@judge("a-claim")
def claim(gain):
    return gain
'''
CODE = "times = book.measure('a', {})\nsizes, scale = [1], 2"
PROSE = "It gains {eval}`gain.about`.{eval}`holds([k > 1 for k in sizes])`"


@pytest.fixture
def broken(tmp_path):
    def check(source=MODULE, code=CODE, prose=PROSE):
        path = tmp_path / "topic.py"
        path.write_text(textwrap.dedent(source))
        cells = [
            {"cell_type": kind, "source": text, "metadata": {}}
            for kind, text in (("code", code), ("markdown", prose))
        ]
        found = module.broken({"cells": cells}, path)
        return [f"{what}; {repair}" for _, what, repair in found]

    return check


def test_a_right_page_is_right(broken):
    assert broken() == []


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"prose": "{eval}`gian`"}, "gian, which {eval} asks for"),
        ({"prose": "{eval}`holds(nothing > 1)`"}, "nothing, which"),
        ({"code": "sizes, scale = [1], 2"}, "gain asks for times"),
        ({"source": MODULE.replace("{gain.", "{gian.")}, "nearest: gain"),
        ({"source": MODULE.replace("{sizes[0]}", "{")}, "double the brace"),
        ({"source": MODULE.replace("{gain.about}", "3.5×")}, '"3.5×"'),
        ({"code": CODE + "\ngain = 1"}, "gain is a name of the notebook"),
        ({"code": CODE + "\nassert gain"}, "a-claim is judged by gain"),
        ({"code": CODE + "\nassert all(gain)"}, "which is asserted"),
    ],
)
def test_what_is_wrong_is_named(broken, changed, said):
    (line,) = broken(**changed)
    assert said in line


@pytest.mark.parametrize(
    "check", ["True", "z_score(pi, gain) < 5", "all(f(n) for n in gain)"]
)
def test_another_assertion_decides_nothing(broken, check):
    assert broken(code=f"{CODE}\nassert {check}") == []
