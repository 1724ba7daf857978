"""A manager serves what its folder holds, and lets go after the last user."""

import threading

import pytest

from onthefly.experiments.tensorflow.serving import Manager
from onthefly.experiments.tensorflow.traffic import summary


def load(path):
    text = (path / "answer").read_text()
    return lambda images: f"{text}: {images}"


def put(folder, version, text):
    (folder / str(version)).mkdir()
    (folder / str(version) / "answer").write_text(text)


@pytest.fixture
def manager(tmp_path):
    put(tmp_path, 1, "old")
    found = Manager(tmp_path, load)
    found.refresh()
    return found


def test_the_newest_answers_and_each_by_its_number(manager, tmp_path):
    put(tmp_path, 2, "new")
    manager.refresh()
    assert manager.versions() == [1, 2]
    with manager.using() as newest, manager.using(1) as first:
        assert newest.call("x") == "new: x" and first.call("x") == "old: x"


def test_ten_is_newer_than_nine(manager, tmp_path):
    for version in 9, 10:
        put(tmp_path, version, str(version))
    manager.refresh()
    with manager.using() as newest:
        assert newest.version == 10


def test_a_broken_version_leaves_the_old_one_serving(manager, tmp_path):
    (tmp_path / "2").mkdir()
    manager.refresh()
    assert manager.versions() == [1] and "answer" in manager.failed[2]


def test_other_names_are_no_versions(manager, tmp_path):
    (tmp_path / "notes").mkdir()
    manager.refresh()
    assert manager.versions() == [1]


def test_a_version_goes_after_its_last_user(manager, tmp_path):
    put(tmp_path, 2, "new")
    manager.refresh()
    (tmp_path / "1").rename(tmp_path / "gone")
    with manager.using(1) as held:
        refresh = threading.Thread(target=manager.refresh)
        refresh.start()
        refresh.join(0.05)
        assert refresh.is_alive() and held.call("x") == "old: x"
        with pytest.raises(KeyError), manager.using(1):
            pass
    refresh.join(10)
    assert not refresh.is_alive() and manager.versions() == [2]


def test_nothing_to_serve_is_a_key_error(tmp_path):
    with pytest.raises(KeyError), Manager(tmp_path, load).using():
        pass


def test_requests_are_counted_by_who_answered_in_a_row():
    seen = [(1, 0.1), (1, 0.2), (None, 0.5), (2, 0.1)]
    assert summary(seen) == {
        "versions": [[1, 2], [None, 1], [2, 1]],
        "longest": 0.5,
    }
