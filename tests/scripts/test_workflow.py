"""The workflow of the public repository: its form, and its commands."""

import dataclasses
import json
import os
import re
import subprocess
import sys
import tomllib

import numpy as np
import pytest
import yaml
from packaging.specifiers import SpecifierSet

from conftest import ROOT
from onthefly.measure import data, records
from onthefly.measure.samples import Samples

WORKFLOW = ROOT / ".github/workflows/book.yml"
# As GitHub runs a step that names no shell.
SHELL = ("bash", "--noprofile", "--norc", "-eo", "pipefail", "-c")


def steps():
    """Yield all steps of its jobs."""
    for job in yaml.safe_load(WORKFLOW.read_text())["jobs"].values():
        yield from job["steps"]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("schema", "file"),
    [
        ("github-workflows", WORKFLOW),
        ("citation-file-format", ROOT / "CITATION.cff"),
    ],
)
def test_its_form_is_that_of_its_kind(schema, file):
    done = subprocess.run(
        [sys.executable, "-m", "check_jsonschema", "--builtin-schema",
         f"vendor.{schema}", file],
        capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr


def test_a_codespace_is_built_as_binder_builds():
    folder = ROOT / ".devcontainer"
    settings = json.loads((folder / "devcontainer.json").read_text())
    file = folder / settings["build"]["dockerfile"]
    assert file.resolve() == ROOT / ".binder/Dockerfile"
    assert (folder / settings["build"]["context"]).resolve() == ROOT
    base = re.search(r"^FROM python:(\S+?)-", file.read_text(), re.M)[1]
    asked = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert base in SpecifierSet(asked["requires-python"])


def test_its_commands_are_the_projects_own():
    """What a step runs, a contributor can run."""
    makefile = (ROOT / "Makefile").read_text()
    for text in filter(None, (step.get("run") for step in steps())):
        if target := re.fullmatch(r"make (\S+).*", text):
            assert re.search(rf"^(\$\(STAMP\)|{target[1]}):", makefile, re.M)
            continue
        own = re.findall(r"scripts/\w+\.py|\.ci/run|-m pytest", text)
        own += re.findall(r"(?<=bin/)onthefly", text)
        assert own, text
        assert all(
            (ROOT / name).exists()
            for name in own
            if name not in ("-m pytest", "onthefly")
        ), text


@pytest.fixture
def checkout(tmp_path):
    """A folder in which the steps find the commands, and a build."""
    (tmp_path / ".venv").symlink_to(sys.prefix)
    (tmp_path / "scripts").symlink_to(ROOT / "scripts")
    return tmp_path


def shell(checkout, name):
    """Run a step of the workflow; return (how it ended, its summary)."""
    (text,) = [s["run"] for s in steps() if s.get("name") == name]
    summary = checkout / "summary"
    summary.write_text("")
    own = {
        "GITHUB_STEP_SUMMARY": str(summary),
        "ONTHEFLY_BUILD": str(checkout / "_build"),
    }
    done = subprocess.run(
        [*SHELL, text], cwd=checkout, env={**os.environ, **own},
        capture_output=True, text=True,
    )  # fmt: skip
    return done, summary.read_text()


def measure(checkout, factor=1.0, seed=0, runs=12):
    """Write runs of a candidate: recorded ones, with noise.

    factor  how many times as long each series of one group takes
    """
    path = records.RECORDED / "amd-epyc-2c" / "first-benchmark.json"
    rng = np.random.default_rng(seed)
    recorded = data.load(path)
    slowed = next(iter(recorded.groups))

    def noisy(one, group):
        k = np.exp(rng.normal(0, 0.01)) * (factor if group == slowed else 1)
        return dataclasses.replace(
            one, values=tuple(v * k for v in one.values)
        )

    for name, group in recorded.groups.items():
        (first,) = group.sessions
        group.sessions = [
            Samples([noisy(one, name) for one in first], first.cores)
            for _ in range(runs)
        ]
        group.times *= runs
    place = checkout / "_build/candidate/data/M/box"
    data.save(recorded, place / path.name)


@pytest.mark.slow
def test_each_outcome_of_the_comparison_ends_the_step_and_is_said(checkout):
    step = "Compare with the baseline"

    def outcome():
        done, summary = shell(checkout, step)
        # What was measured is the next baseline, whatever came out.
        assert not (checkout / "_build/candidate").exists()
        return done.returncode, summary.splitlines()[0]

    measure(checkout)
    assert outcome() == (0, "## First run of its kind: there is no baseline "
                         "yet")  # fmt: skip
    measure(checkout, seed=1)
    assert outcome() == (0, "## No regression")
    measure(checkout, factor=1.5, seed=2)
    assert outcome() == (1, "## Slower")
    measure(checkout, factor=1.5, seed=3)
    assert outcome() == (0, "## No regression")
    measure(checkout, seed=4, runs=2)
    assert outcome() == (2, "## Nothing could be compared")
