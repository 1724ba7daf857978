"""A ninth problem touches one folder, and one line of the registry."""

import json
import os
import shutil
import subprocess
import sys

from onthefly.folders import PACKAGE

FOLDER = {
    "__init__.py": '''
"""The largest difference of two neighbours."""


def data(n, seed=0):
    import numpy as np

    return (np.random.default_rng(seed).random(n),)
''',
    "problem.py": """
from onthefly.kernels.methods import KINDS, Problem

HERE = "Python", "NumPy", "Numba"
PROBLEM = Problem(
    "gap",
    "the largest step",
    "elements",
    without={name: "Not written." for name in KINDS if name not in HERE},
)
""",
    "gap_python.py": """
def gap_python(x):
    return max(abs(a - b) for a, b in zip(x, x[1:]))
""",
    "gap_numpy.py": """
import numpy as np


def gap_numpy(x):
    return np.abs(np.diff(x)).max()
""",
    "gap_numba.py": """
import numba


@numba.njit(nogil=True)
def gap_numba(x):
    most = 0.0
    for k in range(len(x) - 1):
        most = max(most, abs(x[k] - x[k + 1]))
    return most
""",
}
ASK = """
import json
from onthefly.kernels.problems import PROBLEMS

gap = PROBLEMS["gap"]
expected = gap.result("Python", 100)
print(json.dumps({
    "variants": gap.variants,
    "same": [bool(gap.same(gap.result(v, 100), expected))
             for v in gap.variants],
    "others": len(PROBLEMS),
}))
"""


def test_a_ninth_problem_is_a_folder_and_a_line(tmp_path):
    package = tmp_path / "onthefly"
    shutil.copytree(
        PACKAGE, package, ignore=shutil.ignore_patterns("__pycache__")
    )
    folder = package / "kernels/gap"
    folder.mkdir()
    for name, text in FOLDER.items():
        (folder / name).write_text(text.lstrip())
    registry = package / "kernels/problems.py"
    text = registry.read_text()
    registry.write_text(text.replace('"words",\n', '"words",\n    "gap",\n'))
    done = subprocess.run(
        [sys.executable, "-c", ASK],
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
        cwd=tmp_path,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert told["variants"] == ["Python", "NumPy", "Numba"]
    assert told["same"] == [True] * 3
    assert told["others"] == 9
