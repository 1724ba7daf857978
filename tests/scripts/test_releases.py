"""What a package index may answer, one of this machine in its place."""

import io
import json

import pytest

import releases
from onthefly.errors import UserError

FILES = [
    {"filename": "a-1.0-py3-none-any.whl", "upload-time": "2016-01-02T00"},
    {"filename": "a-2.0.tar.gz", "upload-time": "2020-01-02T00"},
    {"filename": "a-3.0rc1.tar.gz", "upload-time": "2021-01-02T00"},
]


@pytest.fixture
def answers(monkeypatch):
    """A function that lets the index answer a text."""

    def answer(text):
        def urlopen(*_, **__):
            return io.BytesIO(text.encode())

        monkeypatch.setattr("urllib.request.urlopen", urlopen)

    return answer


def test_the_newest_and_that_of_the_talk(answers):
    answers(json.dumps({"files": FILES}))
    release = releases.look_up("a", "http://index")
    assert (release["then"], release["now"]) == ("1.0", "2.0")
    assert (release["first"], release["last"]) == ("2016-01-02", "2020-01-02")


@pytest.mark.parametrize(
    "text", ["<html>", "{}", "[]", '{"files": []}', '{"files": [{}]}']
)
def test_what_is_no_list_of_releases_is_one_line(answers, text):
    answers(text)
    with pytest.raises(UserError, match="a: the package index lists no"):
        releases.look_up("a", "http://index")
