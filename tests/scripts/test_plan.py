"""What a page's key is made of: edits of a small project, and run.py --plan.

The project is a copy of this one's scripts, package and ledger, with a page
of its own that uses one kernel, one C file, one program of another process
and another page's measurements, and has a module beside it.
"""

import fnmatch
import re
import shutil

import pytest

import run
from conftest import ROOT
from onthefly.measure import data, machine, records
from onthefly.measure.libraries import LIBRARIES, Library
from onthefly.page import claims, dependencies
from reading import notebooks
from running import key
from small_books import run_script, save_results, write_chapter

pytestmark = pytest.mark.slow

USES = """
from onthefly import page
from onthefly.experiments.then import environments
from onthefly.kernels import count, used
from onthefly.tools.processes import Program

book = page.Chapter("races", preset, device, seed, data)
with Program("onthefly.experiments.gil.greeting_child") as program:
    print(program.ask("greet"))
book.timings_of("indexing", "g")
"""
JUDGES = [
    f"""

@judge("{claim.id}")
def judged_{number}():
    return unresolved("not tried")
"""
    for number, claim in enumerate(claims.load().of("races"))
]
CLOSES = """
from onthefly.measure import samples

series = samples.Series("a", None, 1e-3, (1e-3, 2e-3))
book.collect("ways", lambda: samples.Samples([series], 2))
old = environments.python("numba-2018")
book.cached("of then", lambda: str(old), here=old.exists())
book.conclude(globals())
"""
MODULE = f"""
from onthefly.kernels.tank import tank_python
from onthefly.page import judge, unresolved
{"".join(JUDGES)}
"""
OF_BOOK = re.compile(r'ROOT / "(book)" / "([\w.]+)"(?: / "([\w.]+)")?')
CHILD = """
def greet():
    from onthefly.kernels import far

    return far.WORD
"""
FILES = {
    "notebooks/onthefly/kernels/used.py": "SOURCE = 'used.c'\n",
    "notebooks/onthefly/kernels/unused.py": "A = 1\n",
    "notebooks/onthefly/kernels/used.c": "int a;\n",
    "notebooks/onthefly/kernels/far.py": "WORD = 'hello'\n",
    "notebooks/onthefly/experiments/gil/greeting_child.py": CHILD,
    "book/history/a.json": "{}",
}


def command(project, *arguments):
    """Run the project's own run.py; return the finished process."""
    return run_script(
        "run.py", *arguments, folder=project, root=project,
        ONTHEFLY_BUILD=str(project / "_build"),
    )  # fmt: skip


@pytest.fixture(scope="module")
def ran(tmp_path_factory):
    """Make the project and run its chapter; return its folder."""
    project = tmp_path_factory.mktemp("plan") / "project"
    ignored = shutil.ignore_patterns("__pycache__")
    for name in ("scripts", "notebooks/onthefly"):
        shutil.copytree(ROOT / name, project / name, ignore=ignored)
    (project / "book/history").mkdir(parents=True)
    for name in ("claims.yml", "claims.schema.json", "references.bib"):
        shutil.copy(ROOT / "book" / name, project / "book" / name)
    for path in ROOT.glob("requirements*.lock"):
        shutil.copy(path, project)
    for name, text in FILES.items():
        (project / name).write_text(text)
    for chapter in ("races", "indexing", "dask"):
        save_results(project / "book" / "results", chapter, place="data")
    write_chapter(project / "notebooks", "threads/races.ipynb", USES, CLOSES)
    (project / "notebooks/threads/races.py").write_text(MODULE)
    done = command(project)
    assert done.returncode == 0, done.stdout + done.stderr
    return project


@pytest.fixture
def project(ran, tmp_path, monkeypatch):
    """Return a copy of the finished project, for a test to edit."""
    copy = tmp_path / "project"
    shutil.copytree(ran, copy)
    monkeypatch.setattr(run, "ROOT", copy)
    monkeypatch.setenv("ONTHEFLY_MACHINE", "box")
    monkeypatch.setenv("ONTHEFLY_BUILD", str(copy / "_build"))
    return copy


@pytest.fixture
def plan(project, capsys):
    """Return a function that gives what run.py --plan says."""

    def plan_(*arguments):
        folders = ["--notebooks", str(project / "notebooks")]
        folders += ["--build", str(project / "_build")]
        assert run.main(["--plan", *folders, *arguments]) == 0
        line, *groups = capsys.readouterr().out.splitlines()
        line = line.removeprefix("races: ").removeprefix("would be ")
        return ", ".join([line, *map(str.strip, groups)])

    return plan_


def edit(path, old="", new=" "):
    """Replace a text in a file; by default put a blank at its end."""
    text = path.read_text()
    path.write_text(text.replace(old, new) if old else text + new)


def test_a_plan_runs_nothing(project, plan):
    before = sorted((project / "_build").rglob("*"))
    assert plan() == "up to date"
    assert plan("--force") == "told: --force"
    assert sorted((project / "_build").rglob("*")) == before
    shutil.rmtree(project / "_build")
    assert plan() == "measured: never run, all groups: never measured"
    assert not (project / "_build").exists()


@pytest.mark.parametrize(
    ("file", "reason"),
    [
        ("notebooks/onthefly/kernels/used.py", "files kernels/used.py"),
        ("notebooks/onthefly/kernels/used.c", "files kernels/used.c"),
        ("notebooks/onthefly/kernels/far.py", "files kernels/far.py"),
        (
            "notebooks/onthefly/kernels/tank/tank_python.py",
            "files kernels/tank/tank_python.py",
        ),
        (
            "notebooks/onthefly/figures/onthefly.mplstyle",
            "files figures/onthefly.mplstyle",
        ),
        ("notebooks/onthefly/measure/samples.py", "files measure/samples.py"),
        ("notebooks/threads/races.py", "module"),
        ("book/history/a.json", "read book/history/a.json"),
        ("book/data/box/indexing.json", "recorded indexing"),
        ("book/results/box/indexing.json", "recorded indexing"),
        ("requirements.lock", "locks requirements.lock"),
    ],
)
def test_an_edit_is_named(project, plan, file, reason):
    edit(project / file)
    assert plan() == f"told: {reason}"


def test_an_edit_of_what_measures_names_the_group(project, plan):
    edit(project / "notebooks/threads/races.ipynb", "1e-3", "5e-3")
    assert plan().startswith("measured: ")
    assert ", ways: cells" in plan()


def test_a_new_version_of_the_instrument_measures_all(plan, monkeypatch):
    monkeypatch.setattr(dependencies, "INSTRUMENT", 2)
    assert plan("--force").startswith("measured: ")
    assert ", ways: instrument" in plan("--force")


@pytest.mark.parametrize(
    "file",
    [
        "notebooks/onthefly/kernels/unused.py",
        "notebooks/onthefly/kernels/pi/pi_c.c",
        "notebooks/onthefly/experiments/gil/race_standalone.py",
        "book/data/box/dask.json",
    ],
)
def test_an_edit_of_what_is_not_used_changes_nothing(project, plan, file):
    edit(project / file)
    assert plan() == "up to date"


def test_what_experiments_read_of_the_book_counts():
    named = {
        "/".join(filter(None, match.groups()))
        for path in (ROOT / "notebooks/onthefly/experiments").rglob("*.py")
        for match in OF_BOOK.finditer(path.read_text("utf-8"))
    }
    assert named
    for path in named:
        alike = path, f"{path}/a file"
        assert any(fnmatch.filter(alike, pattern) for pattern in key.READ)


def test_only_the_chapters_own_claims_count(project, plan):
    ledger = project / "book/claims.yml"
    text = ledger.read_text()
    head, *entries = text.split("  - id: ")
    of = [("chapter: races\n" in entry) for entry in entries]
    own, other = of.index(True), of.index(False)
    for number, line in ((other, "up to date"), (own, "told: claims")):
        changed = list(entries)
        changed[number] = re.sub(
            "(says: '?)", r"\1Now, ", changed[number], count=1
        )
        ledger.write_text("  - id: ".join([head, *changed]))
        assert plan() == line


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (
            ["--preset", "M"],
            "parameters preset, data, all groups: never measured",
        ),
        (
            ["-p", "seed", "1", "-p", "scale", "2"],
            "parameters scale, seed, ways: seed",
        ),
    ],
)
def test_other_parameters_are_named(plan, arguments, reason):
    assert plan(*arguments) == f"measured: {reason}"


def test_cells_count_and_their_outputs_do_not(project, plan):
    source = project / "notebooks/threads/races.ipynb"
    stream = '{"name": "stdout", "output_type": "stream", "text": "2"}'
    edit(source, '"outputs": []', f'"outputs": [{stream}]')
    assert plan() == "up to date"
    edit(source, "print(program", "str(program")
    assert plan() == "measured: cells, of then: new"  # as far as cells tell


@pytest.mark.parametrize(
    ("file", "text", "reason"),
    [
        (
            "executed/threads/races.ipynb",
            "damaged",
            "told: executed notebook",
        ),
        ("results/box/races.json", "another run's", "told: results"),
        (
            "executed/threads/races.json",
            '{"key": {"lab": 1}}',
            "measured: stamp, of then: new",
        ),
    ],
)
def test_damaged_output_is_named(project, plan, file, text, reason):
    (project / "_build" / file).write_text(text)
    assert plan() == reason


def test_software_of_then_counts_once_it_is_made(project, plan):
    python = project / "_build/old_stack/numba-2018/bin/python"
    python.parent.mkdir(parents=True)
    python.touch()
    assert plan() == "measured: then numba-2018, of then: new"


def test_what_is_the_same_everywhere_is_no_measurement(
    project, plan, monkeypatch
):
    monkeypatch.setattr(records, "RECORDED", project / "book/data")
    page = project / "notebooks/threads/races.ipynb"
    edit(page, "here=old.exists()", "anywhere=True")
    assert plan() == "measured: cells, of then: new"
    (key,) = (
        key
        for one, key in dependencies.asked(
            [
                c["source"]
                for c in notebooks.read(page)["cells"]
                if c["cell_type"] == "code"
            ],
            {"preset": "M", "device": "auto", "seed": 1},
            dependencies.Package(project / "notebooks/onthefly"),
        )
        if dependencies.is_anywhere(one)
    )
    box = data.Data("races", "M", machine=machine.record() | {"slug": "box"})
    box.look("of then", key, "")
    data.save(box, project / "book/data/box/races.json")
    assert plan() == "told: cells, recorded races"


def test_a_library_that_was_lost_counts_once_it_is_here(
    tmp_path, monkeypatch
):
    nowhere = Library("Nowhere", "nowhere_lib", ("nowhere",))
    monkeypatch.setitem(LIBRARIES, "nowhere", nowhere)
    monkeypatch.syspath_prepend(tmp_path)
    before = {"libraries": key._present()}
    assert key.changes(before, {"libraries": key._present()}) == []
    (tmp_path / "nowhere_lib.py").touch()
    after = {"libraries": key._present()}
    assert key.changes(before, after) == ["libraries Nowhere"]
