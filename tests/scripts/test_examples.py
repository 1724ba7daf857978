"""The examples: made from their laws, in date, or one line."""

import examples
from conftest import script
from onthefly import data

CHAPTER = "numba-cuda"


def test_the_examples_of_this_book_are_up_to_date():
    done = script("examples.py", "--check")
    assert (done.returncode, done.stderr) == (0, "")
    assert list((data.RECORDED / data.EXAMPLE).glob("*.json"))


def test_a_stale_example_is_named_and_rewritten(archive, capsys):
    folder = archive / "data" / data.EXAMPLE
    (folder / f"{CHAPTER}.json").write_text("{}")
    (folder / "gone.json").write_text("{}")
    command = ["--folder", str(folder)]
    assert examples.main([*command, "--check"]) == 1
    said = capsys.readouterr().err
    assert said.count("is not what laws.yml says") == 2
    assert examples.main(command) == 0
    assert examples.main([*command, "--check"]) == 0
    assert not (folder / "gone.json").exists()
