"""Pages on other interpreters, at S, where this machine has none of them.

They are told from a machine whose record is of another preset.
"""

import json
import re

import pytest

from conftest import MACHINE
from onthefly.page import checkout, claims
from small_books import run_script

PAGES = [
    "threads-without-the-lock",
    "libraries-without-the-lock",
    "interpreters-that-compile",
]


@pytest.mark.slow
def test_they_are_told_from_the_record(tmp_path):
    none = {"PYENV_ROOT": tmp_path, "PATH": "/usr/bin:/bin"}
    done = run_script(
        "run.py", *PAGES, "--preset", "S", "--build", tmp_path,
        folder=tmp_path, **{k: str(v) for k, v in none.items()},
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    for page in PAGES:
        name = checkout.name_of(claims.written()[page])
        path = tmp_path / "executed" / f"{name}.ipynb"
        cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
        said = json.dumps(cells)
        assert re.search(rf"\W{MACHINE}, .* preset M", said), page
