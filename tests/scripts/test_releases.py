"""What a package index may answer, one of this machine in its place."""

import http.server
import json
import threading

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
    """A function that lets an index answer a text, and says where it is."""

    class Handler(http.server.BaseHTTPRequestHandler):
        text = ""

        def do_GET(self):
            self.send_response(200)
            self.end_headers()
            self.wfile.write(self.text.encode())

        def log_message(self, *_):
            """Say nothing."""

    with http.server.HTTPServer(("127.0.0.1", 0), Handler) as server:
        monkeypatch.setenv("no_proxy", "127.0.0.1")
        thread = threading.Thread(target=server.serve_forever, args=[0.01])
        thread.start()
        address = f"http://127.0.0.1:{server.server_port}/simple"

        def answer(text):
            Handler.text = text
            return address

        yield answer
        server.shutdown()
        thread.join()


def test_the_newest_and_that_of_the_talk(answers):
    index = answers(json.dumps({"files": FILES}))
    release = releases.look_up("a", index)
    assert (release["then"], release["now"]) == ("1.0", "2.0")
    assert (release["first"], release["last"]) == ("2016-01-02", "2020-01-02")


@pytest.mark.parametrize(
    "text", ["<html>", "{}", "[]", '{"files": []}', '{"files": [{}]}']
)
def test_what_is_no_list_of_releases_is_one_line(answers, text):
    index = answers(text)
    with pytest.raises(UserError, match="a: the package index lists no"):
        releases.look_up("a", index)
