"""The files in book/cluster/, for clusters that are not here."""

import os
import pathlib
import shlex
import subprocess
import sys

import pytest
import yaml

from conftest import ROOT
from onthefly.provenance import pages
from small_books import environment, outputs, project, write_chapter

FOLDER = ROOT / "book" / "cluster"
JOB = FOLDER / "kubernetes_job.yaml"


def tool(name, *arguments):
    """Run a program of this environment; return the ended process."""
    path = pathlib.Path(sys.executable).with_name(name)
    return subprocess.run(
        [path, *arguments], capture_output=True, text=True, timeout=60
    )


@pytest.mark.parametrize("name", ["one_page.sh", "slurm_array.sh"])
def test_shellcheck_finds_nothing(name):
    done = tool("shellcheck", FOLDER / name)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.slow
def test_the_job_is_as_kubernetes_has_it():
    done = tool("kubernetes-validate", "--strict", JOB)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_job_has_an_index_for_each_page():
    (_, job) = yaml.safe_load_all(JOB.read_text())
    assert job["spec"]["completions"] >= len(pages())


@pytest.mark.slow
def test_dask_asks_slurm_for_a_node_alone(tmp_path):
    done = subprocess.run(
        [sys.executable, FOLDER / "slurm_dask.py", "--show", "--gpu"],
        capture_output=True, text=True, timeout=60, cwd=tmp_path,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    lines = done.stdout.strip().splitlines()
    asked = [line for line in lines if line.startswith("#SBATCH")]
    assert "#SBATCH --exclusive" in asked and "#SBATCH --mem=0" in asked
    assert not any("cpus-per-task" in line for line in asked)
    worker = shlex.split(lines[-1])
    assert worker[:3] == [sys.executable, "-m", "distributed.cli.dask_worker"]
    assert worker[worker.index("--resources") + 1] == "GPU=1"
    script = tmp_path / "job.sh"
    script.write_text(done.stdout)
    checked = tool("shellcheck", script)
    assert checked.returncode == 0, checked.stdout


@pytest.mark.slow
def test_a_task_runs_its_page_and_the_parts_come_together(tmp_path):
    root = project(tmp_path / "book")
    for stem in ("10_first", "20_second"):
        write_chapter(root / "notebooks", f"{stem}.ipynb", f"print('{stem}')")
    for number in ("0", "1", "7"):
        done = started(root, "bash", "book/cluster/slurm_array.sh", n=number)
        assert done.returncode == 0, done.stdout + done.stderr
    assert "there are 2 pages" in done.stdout
    parts = sorted((root / "_build" / "parts").iterdir())
    assert [part.name for part in parts] == ["first", "second"]
    done = started(root, sys.executable, "scripts/merge.py", *parts)
    assert done.returncode == 0, done.stderr
    second = root / "_build" / "executed" / "20_second.ipynb"
    assert outputs(second) == "20_second\n"


def started(root, *command, n="0"):
    """Run a command in a project, as Slurm does for task `n` of an array."""
    return subprocess.run(
        command, cwd=root, capture_output=True, text=True, timeout=120,
        env=environment(
            PYTHON=sys.executable,
            PYTHONPATH=str(root / "notebooks"),
            PRESET="XS",
            SLURM_SUBMIT_DIR=os.fspath(root),
            SLURM_ARRAY_TASK_ID=n,
        ),
    )  # fmt: skip
