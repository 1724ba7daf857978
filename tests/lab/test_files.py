"""Files: whole or not at all, and one line for what does not hold."""

import os
import time

import pytest

from onthefly import files
from onthefly.errors import CorruptFile, UserError


def test_an_interrupted_write_leaves_the_old_file(tmp_path, monkeypatch):
    path = tmp_path / "a.json"
    files.write(path, "old")

    def fail(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(files.os, "replace", fail)
    with pytest.raises(KeyboardInterrupt):
        files.write(path, "new")
    assert path.read_text() == "old"
    assert [p.name for p in tmp_path.iterdir()] == ["a.json"]


def test_what_cannot_be_written_is_named_and_leaves_nothing(tmp_path):
    path = tmp_path / "a.json"
    path.mkdir()
    with pytest.raises(OSError) as caught:
        files.write(path, "new")
    assert caught.value.filename == str(path)
    assert [p.name for p in tmp_path.iterdir()] == ["a.json"]


def test_what_a_killed_writer_left_goes_with_the_next_write(tmp_path):
    left, fresh = tmp_path / ".a.json.12345678", tmp_path / ".a.json.abcdefgh"
    other = tmp_path / ".b.json.12345678"
    for path in (left, fresh, other):
        path.write_text("half")
    old = time.time() - 2 * files.STALE
    for path in (left, other):
        os.utime(path, (old, old))
    files.write(tmp_path / "a.json", b"whole")
    assert not left.exists()  # another writer may be at work on the fresh one
    assert fresh.exists() and other.exists()


@pytest.mark.parametrize(
    "text",
    [b"{", b'{"a": 1, "a": 2}', b"NaN", b"1e999", b"1" + 400 * b"0",
     9999 * b"[", rb'"\ud800"', b"\xff"],
    ids=range(8),
)  # fmt: skip
def test_json_that_is_none_is_one_line(tmp_path, text):
    path = tmp_path / "a.json"
    path.write_bytes(text)
    with pytest.raises(CorruptFile) as caught:
        files.json_data(path)
    line = str(caught.value)
    assert line.startswith(f"{path}: ") and "\n" not in line


@pytest.mark.parametrize(
    ("text", "place"),
    [
        (b"a: 1\nb:\n  c: 1\n  c: 2\n", "line 4"),
        (b"a: .nan\n", "line 1"),
        (b"a: 1.0e+999\n", "line 1"),
        (b"a: [\n", "line 2"),
        (b"? {a: 1}\n: 2\n", "line 1"),
        (b"\xff", "byte 0"),
        (3000 * b"[", ""),
        (b"a: 2026-99-99\n", ""),
    ],
    ids=range(8),
)
def test_yaml_that_is_none_is_one_line(tmp_path, text, place):
    path = tmp_path / "a.yml"
    path.write_bytes(text)
    with pytest.raises(CorruptFile) as caught:
        files.yaml_data(path)
    line = str(caught.value)
    assert line.startswith(f"{path}: {place}") and "\n" not in line


@pytest.mark.parametrize("read", [files.text, files.json_data])
def test_what_cannot_be_read_is_refused(tmp_path, read):
    for path in (tmp_path, tmp_path / "none"):
        with pytest.raises(UserError) as caught:
            read(path, "it")
        assert str(caught.value).startswith("it: ")
        assert not isinstance(caught.value, CorruptFile)


def test_a_pipe_in_the_place_of_a_file_is_refused(tmp_path):
    path = tmp_path / "data.json"
    os.mkfifo(path)
    with pytest.raises(UserError, match=r"data\.json: a pipe, .* remove it"):
        files.json_data(path)
