"""What scripts/interpreters.py refuses, in one line."""

from small_books import assert_refused, run_script


def test_a_source_that_is_not_there(tmp_path):
    done = run_script(
        "interpreters.py",
        "--source",
        str(tmp_path / "Python-3.13.5.tar.xz"),
        folder=tmp_path,
    )
    assert_refused(done, "no such file")


def test_a_source_without_a_version(tmp_path):
    (tmp_path / "python.tar.xz").write_bytes(b"")
    done = run_script(
        "interpreters.py",
        "--source",
        str(tmp_path / "python.tar.xz"),
        folder=tmp_path,
    )
    assert_refused(done, "tells no version")


def test_a_source_that_is_no_archive(tmp_path):
    path = tmp_path / "Python-3.13.5.tar.xz"
    path.write_bytes(b"not an archive")
    done = run_script(
        "interpreters.py", "--source", str(path), folder=tmp_path,
        PYENV_ROOT=str(tmp_path),
    )  # fmt: skip
    assert_refused(done, path.name)
