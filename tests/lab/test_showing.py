"""What a page shows of the package's files, and of commands."""

from bs4 import BeautifulSoup

from onthefly.page import showing

SPLIT = "programs/weblog/weblog_split.py"
CSV = "programs/weblog/weblog_csv.py"


def text_of(shown):
    return BeautifulSoup(shown.data, "html.parser").get_text()


def test_a_file_is_shown_without_what_runs_it_as_a_script():
    text = text_of(showing.program(SPLIT))
    assert text.strip().startswith("def weblog_split(file):")
    assert "__main__" not in text and "import sys" not in text


def test_several_files_are_folded_under_their_names():
    page = BeautifulSoup(showing.program(SPLIT, CSV).data, "html.parser")
    names = [summary.get_text() for summary in page.find_all("summary")]
    assert names == ["weblog_split.py", "weblog_csv.py"]
    assert all("def weblog" in d.get_text() for d in page.find_all("details"))


def test_what_is_shown_has_no_blank_line_that_would_end_it_in_markdown():
    seen = {"command": "run <it>", "output": "one\n\ntwo"}
    for shown in (showing.program(CSV), showing.printed(seen)):
        assert all(line.strip() for line in shown.data.splitlines())
    assert "$ run <it>" in text_of(showing.printed(seen))
