"""The talk's π under every TensorFlow that is here: is it right?"""

import pytest

from onthefly.experiments.then import tensorflow
from onthefly.kernels import z_score

pytest.importorskip("tensorflow")
pytestmark = pytest.mark.slow
EACH = [
    (version, form)
    for version in tensorflow.pythons()
    for form in tensorflow.FORMS[version]
]


@pytest.mark.parametrize(("version", "form"), EACH)
def test_a_form_finds_pi_and_takes_time(version, form):
    with tensorflow.started(version, form) as program:
        estimate = program.ask("estimate", 1000, 100)
        assert z_score(estimate, 100_000) < 5
        assert 0 < program.ask("seconds", 100, 10) < 10


@pytest.mark.long
def test_todays_forms_take_turns(monkeypatch):
    monkeypatch.setattr(tensorflow.environments, "made", lambda _: {})
    times = tensorflow.then_and_now([100], 0.1)
    assert {f"{form}, today" for form in tensorflow.FORMS["today"]} <= set(
        times.names
    )
    assert len(times.series("eager, today", 100).values) >= 6


def test_the_versions_are_named():
    versions = tensorflow.versions()
    assert set(versions) == set(tensorflow.pythons())
    assert all({"TensorFlow", "NumPy"} <= set(v) for v in versions.values())
