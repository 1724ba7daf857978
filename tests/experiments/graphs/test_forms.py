"""Forms of control that a graph can hold."""

from onthefly.experiments.graphs import forms


def test_each_form_becomes_nodes():
    found = forms.found()
    assert all(found.values())
    assert found["loop, function"] == found["loop, statement"]
    assert found["branch, function"] == found["branch, statement"]
