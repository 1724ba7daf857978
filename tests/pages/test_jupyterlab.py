"""JupyterLab, as `make lab` opens it: the prose shows its numbers there."""

import contextlib
import json
import os
import subprocess
import sys
import time

import nbformat
import pytest

from commandline import ROOT
from conftest import gone
from onthefly.tools import child

pytestmark = pytest.mark.slow

PICTURE = """\
from IPython.display import HTML
headline = HTML("<figure><figcaption>A loop gains.</figcaption></figure>")
"""
LESSON = [
    """\
(a-lesson)=
# A lesson

:::{admonition} In short
:class: tip
The loop gains {eval}`gain`, says {eval}`name`.

{eval}`headline`
:::""",
    [PICTURE],
    "\n\n".join(["The page is longer than the window."] * 30),
    ["gain = 12.5\nname = 'a name'"],
    """\
| in a table |
|---|
| {eval}`gain + 2` |""",
    """\
```{exercise-start}
:label: a-lesson-own
```
What of `mine`, after {eval}`gain + 3`?
```{exercise-end}
```""",
    "```{solution-start} a-lesson-own\n:class: dropdown\n```",
    "It is solved: {eval}`gain + 4`.",
    "```{solution-end}\n```",
]
SAID = (
    "The loop gains 12.5, says a name.",
    "A loop gains.",
    "14.5",
    "What of mine, after 15.5?",
    "It is solved: 16.5.",
)
WAIT = 60_000  # milliseconds that the browser waits, at most


def write_lesson(path):
    """Write the lesson: text is prose, a list of text code."""
    path.parent.mkdir()
    cells = [
        nbformat.v4.new_markdown_cell(source)
        if isinstance(source, str)
        else nbformat.v4.new_code_cell(*source)
        for source in LESSON
    ]
    kernel = {"name": "python3", "display_name": "Python 3"}
    about = {"kernelspec": kernel, "language_info": {"name": "python"}}
    nbformat.write(
        nbformat.v4.new_notebook(cells=cells, metadata=about), path
    )


@contextlib.contextmanager
def server(folder):
    """Run a JupyterLab on the notebooks in `folder`; yield its facts.

    It takes nothing of the user's, a port that the system gives, and ends
    with this process, however that ends.
    """
    own = folder / "own"
    settings = str(ROOT / "scripts" / "jupyter")
    names = ("JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "JUPYTER_RUNTIME_DIR",
             "JUPYTERLAB_SETTINGS_DIR", "JUPYTERLAB_WORKSPACES_DIR",
             "IPYTHONDIR", "HOME")  # fmt: skip
    end, lifeline = os.pipe()
    process = subprocess.Popen(
        [sys.executable, "-m", "jupyterlab", "--no-browser", "--allow-root",
         "--ServerApp.ip=127.0.0.1", "--ServerApp.port=0",
         f"--ServerApp.root_dir={folder}"],
        env={**os.environ, **{name: str(own / name) for name in names},
             "JUPYTER_CONFIG_PATH": settings},
        cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL, start_new_session=True, pass_fds=[end],
    )  # fmt: skip
    try:
        child.end_with_parent(end, process.pid)
        yield running(own / "JUPYTER_RUNTIME_DIR", process)
    finally:
        process.terminate()  # it ends its kernels, too
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(20)
        os.close(lifeline)  # what is left of its group is killed
        os.close(end)
        process.wait(5)


def running(folder, process):
    """Return what a server writes of itself once it answers."""
    until = time.monotonic() + 60
    while time.monotonic() < until and process.poll() is None:
        with contextlib.suppress(ValueError):
            for path in folder.glob("jpserver-*.json"):
                return json.loads(path.read_text())
        time.sleep(0.1)
    pytest.fail("JupyterLab does not start")


@pytest.fixture(scope="module")
def prose(browser, tmp_path_factory):
    """The texts of a lesson's prose, after "Run All Cells" once."""
    folder = tmp_path_factory.mktemp("lab")
    write_lesson(folder / "part" / "lesson.ipynb")
    page = browser.new_page()
    with server(folder) as lab:
        place = "lab/tree/part/lesson.ipynb"
        page.goto(f"{lab['url']}{place}?token={lab['token']}", timeout=WAIT)
        cells = page.locator(".jp-MarkdownCell")
        cells.last.wait_for(timeout=WAIT)
        page.get_by_text("| Idle").wait_for(timeout=WAIT)  # the kernel is
        page.get_by_role("menuitem", name="Run", exact=True).click()
        page.get_by_text("Run All Cells", exact=True).click()
        texts = settled(cells)
        page.close()
    assert gone(lab["pid"])
    return texts


def settled(cells):
    """Return the texts of cells, once they say all, or after a while."""
    until, texts = time.monotonic() + 30, []
    while missing(texts) and time.monotonic() < until:
        time.sleep(0.2)
        texts = [" ".join(cell.inner_text().split()) for cell in cells.all()]
    return texts


def missing(texts):
    """Return what no text says."""
    return [said for said in SAID if not any(said in text for text in texts)]


def test_every_number_stands_in_the_prose(prose):
    assert missing(prose) == []


def test_no_role_or_directive_is_left_as_text(prose):
    everything = "\n".join(prose)
    for left in ("{eval}", "{exercise", "{solution", ":label:", ":::"):
        assert left not in everything
