"""The workflow of the public repository: its form, and its commands."""

import re
import subprocess
import sys

import yaml

from conftest import ROOT

WORKFLOW = ROOT / ".github/workflows/book.yml"


def commands():
    """Yield the commands of all its steps."""
    jobs = yaml.safe_load(WORKFLOW.read_text())["jobs"].values()
    for job in jobs:
        for step in job["steps"]:
            if "run" in step:
                yield step["run"]


def test_its_form_is_that_of_a_workflow():
    done = subprocess.run(
        [sys.executable, "-m", "check_jsonschema", "--builtin-schema",
         "vendor.github-workflows", WORKFLOW],
        capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr


def test_its_commands_are_the_projects_own():
    makefile = (ROOT / "Makefile").read_text()
    for line in commands():
        first, *rest = line.split()
        if first == "make":
            assert re.search(rf"^(\$\(STAMP\)|{rest[0]}):", makefile, re.M)
        else:
            scripts = [
                w for w in (first, *rest) if w.endswith((".py", "run"))
            ]
            assert scripts and all((ROOT / name).exists() for name in scripts)
