"""The talk's π under every TensorFlow that is here: is it right?"""

import pytest

from cases import find_pi_and_take_time
from onthefly.experiments.then import programs, tensorflow

tf = pytest.importorskip("tensorflow")
pytestmark = pytest.mark.slow


@pytest.mark.parametrize("version", programs.pythons())
def test_forms_find_pi_and_take_time(version):
    find_pi_and_take_time(
        tensorflow.CHILD, version, tensorflow.FORMS[version]
    )


@pytest.mark.long
def test_todays_forms_take_turns(monkeypatch):
    monkeypatch.setattr(programs.environments, "made", lambda _: {})
    times = tensorflow.then_and_now([100], 0.1)
    assert {f"{form}, today" for form in tensorflow.FORMS["today"]} <= set(
        times.names
    )
    assert len(times.series("eager, today", 100).values) >= 6


def test_the_versions_are_named():
    versions = programs.versions()
    assert set(versions) == set(programs.pythons())
    assert versions[programs.TODAY]["TensorFlow"] == tf.__version__
    for version, found in versions.items():
        assert {"TensorFlow", "NumPy"} == set(found)
        if version != programs.TODAY:
            assert found["TensorFlow"].startswith(version)


def test_processes_of_one_version_are_copies_of_one(monkeypatch):
    made, program = [], programs.program
    monkeypatch.setattr(
        programs, "program", lambda *of: made.append(of) or program(*of)
    )
    pairs = [(programs.TODAY, way) for way in ("eager", "session")]
    with programs.started(tensorflow.CHILD, pairs) as running:
        eager = [p.ask("tf.executing_eagerly") for p in running]
    assert eager == [True, False]  # each in its own mode
    assert made == [(tensorflow.CHILD, programs.TODAY)]
