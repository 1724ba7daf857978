"""Modes of programs under TensorFlow 1.9."""

import pytest

from onthefly.experiments.then import modes


@pytest.mark.slow
def test_each_program_has_a_mode():
    found = modes.found()
    if not found:
        pytest.skip("no TensorFlow 1.9")
    assert set(found) == set(modes.ORDERS)
    assert found["enable"] == "eager" and found[""] == "graph"


def test_eager_are_those_that_say_so_first():
    found = {"enable": "eager", "": "graph", "operate, enable": "refused"}
    assert modes.not_as_said(found) == []
    assert modes.not_as_said(found | {"": "eager"}) == [""]
    assert modes.not_as_said(found | {"enable": "graph"}) == ["enable"]


def test_without_an_environment_there_is_nothing(monkeypatch):
    monkeypatch.setattr(
        modes.programs.environments, "made", lambda prefix: {}
    )
    assert modes.found() == {}
