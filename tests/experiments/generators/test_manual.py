"""The list of functions that need not be safe, read from a manual page."""

import gzip

import pytest

from onthefly.experiments.generators import manual

PAGE = """\
.EX
before()
.EE
.SS Thread-safe functions
All but these:
.EX
ctermid() if passed a non-NULL argument
ecvt() [POSIX.1-2001 only (function removed in POSIX.1-2008)]
gethostbyname() [POSIX.1-2001 only (function removed in
                 POSIX.1-2008)]
rand()
system() [Added in POSIX.1-2008]
.EE
.SS Others
.EX
after()
.EE
"""


@pytest.mark.parametrize("packed", [True, False])
def test_the_list_is_that_of_2008(tmp_path, packed):
    if packed:
        with gzip.open(tmp_path / "pthreads.7.gz", "wt") as file:
            file.write(PAGE)
    else:
        (tmp_path / "pthreads.7").write_text(PAGE)
    assert manual.unsafe_functions(tmp_path) == ["ctermid", "rand", "system"]


def test_without_a_page_or_a_list_there_are_none(tmp_path):
    assert manual.unsafe_functions(tmp_path / "nowhere") == []
    assert manual.unsafe_functions(tmp_path) == []
    (tmp_path / "pthreads.7").write_text("nothing of the kind")
    assert manual.unsafe_functions(tmp_path) == []
