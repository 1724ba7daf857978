"""The talks' listings, as the TensorFlow of then prints them."""

import pytest

from onthefly.experiments.tensorflow import printed
from onthefly.experiments.then import talks

OLD = pytest.mark.skipif(not talks.here(), reason="no TensorFlow of then")


@OLD
@pytest.mark.slow
def test_what_a_session_prints_is_on_the_slide():
    found = talks.printed(["product_in_session", "product_by_old_numpy"])
    slide = printed.then("session-matmul-output")
    assert set(found) == {"1.4", "1.5", "1.9"}
    for version in found:
        assert talks.text(found, version, "product_in_session") == slide
        lines = talks.lines(found, version, "product_by_old_numpy")
        assert lines[1] == "[[ 4.]]"


@OLD
@pytest.mark.slow
def test_an_eager_error_comes_from_its_line():
    found = talks.printed(["gather_in_session"], ["gather"])
    kind, message, through, _ = found["1.5"]["gather"][1]
    assert f"{kind}: {message}" == printed.then("eager-gather-error")
    assert through == ["x = tf.gather([0, 1, 2], 7)"]
    lines, (_, _, through, named) = found["1.4"]["gather_in_session"]
    assert lines == ['Tensor("Gather:0", shape=(), dtype=int32)']
    assert through == ["sess.run(x)"]
    assert "x = tf.gather([0, 1, 2], 7)" in named


@OLD
@pytest.mark.slow
def test_python_2_divided_otherwise():
    found = talks.printed(eager=["collatz", "collatz_python_2", "gradients"])
    slide = printed.then("eager-collatz-output")
    for name, alike in (("collatz", False), ("collatz_python_2", True)):
        said = talks.text(found, "1.5", name)
        assert all(printed.compared(slide, said).values()) is alike
    assert len(talks.lines(found, "1.5", "gradients")) == 3


@OLD
@pytest.mark.slow
def test_a_graph_is_built_once_and_run_often():
    assert talks.entered("1.9", 3) == {"graph": [1, 3], "eager": [3, 3]}
    assert talks.additions("1.4", [2, 5]) == [2, 5, 1]
    assert talks.draws(3) == {"graph": [4] * 3, "eager": [1] * 3}


@OLD
@pytest.mark.slow
def test_the_advantages_come_out():
    assert set(talks.advantages("1.5").values()) == {True}


def test_what_was_not_asked_says_nothing():
    assert talks.lines(None, "1.5", "product") is None
    assert talks.text(None, "1.5", "product") is None
    assert talks.columns(None, ["4"], "product") == {"today": ["4"]}


def test_lines_of_listings_that_a_version_has_not_run_are_left_out():
    found = {"1.4": {"one": [["a", "b"], None]}}
    assert talks.text(found, "1.4", "one", "other") == "a; b"
    columns = talks.columns(found, ["c"], "one")
    assert columns == {"TensorFlow 1.4": ["a", "b"], "today": ["c"]}
