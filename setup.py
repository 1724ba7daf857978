"""What pyproject.toml cannot say: which recorded numbers a wheel ships.

`onthefly choose` answers from what machines measured for the page *Eight
problems*, `onthefly questions` from what all pages concluded.  In a checkout
that lies in book/; a wheel has a copy in the package, where
onthefly/folders.py looks for it, without what no answer needs.
"""

import json
import pathlib
import sys

from setuptools import setup
from setuptools.command.build_py import build_py

ROOT = pathlib.Path(__file__).resolve().parent
PAGE = "eight-problems.json"
# Ends of the names of groups that no answer rests on: what only the page
# shows, and what tests the predictions.
LEFT_OUT = (", because", ", unseen", "own")


class BuildWithRecorded(build_py):
    """Put the recorded numbers into what is built."""

    def run(self):
        """Build the package; an editable one reads the checkout's."""
        super().run()
        if self.editable_mode:
            return
        recorded = pathlib.Path(self.build_lib, "onthefly", "recorded")
        folder = recorded / "data"
        for path in sorted(ROOT.glob(f"book/data/*/{PAGE}")):
            copy = folder / path.parent.name / PAGE
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.write_text(shipped(path), "utf-8")
        if (ROOT / "book").is_dir():
            recorded.mkdir(parents=True, exist_ok=True)
            (recorded / "answers.json").write_text(answers(), "utf-8")


def shipped(path):
    """Return the text of a data file, less what no answer needs.

    That is some groups, from which code each was made, what was seen beside
    the clock, and indents.
    """
    suite = json.loads(path.read_text("utf-8"))
    own = suite["onthefly"]
    groups = {
        name: {**group, "key": {}}
        for name, group in own["groups"].items()
        if not name.endswith(LEFT_OUT)
    }
    benchmarks = [
        one
        for one in suite["benchmarks"]
        if one["metadata"]["series_group"] in groups
    ]
    del own["checksum"]  # of the whole
    kept = {
        **suite,
        "benchmarks": benchmarks,
        "onthefly": {**own, "groups": groups, "looks": {}},
    }
    return json.dumps(kept, ensure_ascii=False, separators=(",", ":"))


def answers():
    """Return the book's questions and its recorded answers, as JSON text."""
    sys.path.insert(0, str(ROOT / "notebooks"))
    from onthefly.questions.answers import as_json

    return as_json()


if __name__ == "__main__":  # as a build runs it
    setup(cmdclass={"build_py": BuildWithRecorded})
