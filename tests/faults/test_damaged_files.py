"""Files that are damaged in one place, through the real readers.

Whatever the damage, a command works or refuses in one line.  Here there are
few of each kind; `pytest --hypothesis-profile=thousand` tries a thousand.
"""

import copy
import json
import re
import shutil
from unittest import mock

import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import claims as claims_command
import record
import run
import small_books as books
import tidy
from commandline import ROOT
from conftest import call
from onthefly.errors import UserError
from onthefly.measure import records
from onthefly.measure.quantity import Quantity
from onthefly.page import claims, results
from reading import toc
from rendering import pages
from rendering.copy import Copy

MANY = settings.get_profile("thousand").max_examples
few = settings(
    max_examples=MANY if settings().max_examples == MANY else 25,
    # Each example writes its own files into the one folder.
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)

ODD = [
    None, True, 0, -1, 7, 1.5, 1e300, -1e300, 10**30, 10**400, float("nan"),
    float("-inf"), "", "x", "../x", "7", "a: b", "\n", "\0", "\u2028",
    "ä" * 300,
    [], [7], [[]], ["x"], {}, {"x": 7}, {"": None},
]  # fmt: skip


def places(data, at=()):
    """Return the paths of all values in lists and dicts, the whole first."""
    every = [at]
    pairs = enumerate(data) if isinstance(data, list) else ()
    pairs = data.items() if isinstance(data, dict) else pairs
    for key, value in pairs:
        every += places(value, (*at, key))
    return every


@st.composite
def values(draw, data):
    """Return the data, with one value dropped or replaced."""
    data = copy.deepcopy(data)
    *way, last = draw(st.sampled_from(places(data)[1:]))
    inner = data
    for key in way:
        inner = inner[key]
    if draw(st.booleans()):
        inner[last] = draw(st.sampled_from(ODD))
    elif isinstance(inner, dict) and draw(st.booleans()):
        inner[draw(st.sampled_from(["", "x", "7"]))] = inner.pop(last)
    else:
        del inner[last]
    return data


@st.composite
def texts(draw, text, key):
    """Return the bytes of a text that is damaged in one place.

    key  a pattern that finds its keys
    """
    data = text.encode()
    at = draw(st.integers(0, len(data)))
    how = draw(st.sampled_from(["cut", "byte", "brackets", "twice"]))
    if how == "cut":
        return data[:at]
    if how == "byte":
        odd = draw(st.sampled_from([b"\xff", b"\0", b"}", b"]", b":", b"\t"]))
        return data[:at] + odd + data[at + 1 :]
    if how == "brackets":
        return data[:at] + draw(st.integers(1, 5000)) * b"[" + data[at:]
    match = draw(st.sampled_from(list(re.finditer(key, text, re.M))))
    return (text[: match.start()] + match[1] + text[match.start() :]).encode()


def damaged_json(data):
    """Return a strategy: the bytes of JSON that is damaged in one place."""
    text = json.dumps(data, indent=1)
    return st.one_of(
        values(data).map(lambda d: json.dumps(d, indent=1).encode()),
        st.sampled_from(ODD).map(lambda d: json.dumps(d).encode()),
        texts(text, r'("\w+": (?:null|true|false|-?\d+|"\w*"),)'),
    )


def damaged_yaml(data):
    """Return a strategy: the bytes of YAML that is damaged in one place."""

    def dumped(value):
        text = yaml.safe_dump(value, allow_unicode=True, sort_keys=False)
        return text.encode(errors="replace")

    return st.one_of(
        values(data).map(dumped),
        st.sampled_from(ODD).map(dumped),
        texts(dumped(data).decode(), r"^( *[-\w]+: .*\n)"),
    )


def holds(main, *arguments):
    """Run a command's main: it works, or says what is wrong in one line."""
    done = call(main, *arguments)
    said = done.stderr.splitlines()
    assert done.returncode in (0, 1, 2)
    if done.returncode == 2:  # tidy's go with its findings
        assert len(said) == 1 or done.stdout, said
    else:
        assert not said, said
    assert "Traceback" not in done.stdout


PAGES = [name for name in toc.documents(ROOT) if "notebooks/" not in name]


def tried(call, *arguments):
    """Return what a reader returns, or None: it refuses in one line."""
    try:
        return call(*arguments)
    except UserError as error:
        assert len(str(error).splitlines()) == 1
        return None


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """An empty folder, which is the build's."""
    monkeypatch.setenv("ONTHEFLY_BUILD", str(tmp_path / "build"))
    monkeypatch.setenv("ONTHEFLY_MACHINE", "box")
    return tmp_path


@few
@given(data=st.data())
def test_notebooks(folder, data):
    path = books.write_chapter(folder / "notebooks", "a/a.ipynb", "1\n2")
    path.write_bytes(data.draw(damaged_json(json.loads(path.read_text()))))
    places = "--notebooks", folder / "notebooks", "--build", folder / "build"
    holds(run.main, "--plan", *places)
    holds(tidy.main, path)
    holds(tidy.main, "--fix", path)


def small_ledger():
    """Return the ledger's data, cut to one claim of each rule."""
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    data = yaml.load(claims.LEDGER.read_text(), Loader=loader)
    of = {(c.get("expect") or {}).get("rule"): c for c in data["claims"]}
    data["claims"] = list(of.values())
    return data


LEDGER = small_ledger()


@few
@given(text=damaged_yaml(LEDGER))
def test_ledgers(folder, text):
    for name in ("claims.schema.json", "references.bib"):
        shutil.copy(ROOT / "book" / name, folder)
    path = folder / "claims.yml"
    path.write_bytes(text)
    ledger = tried(claims.load.__wrapped__, path)
    for claim in ledger.claims.values() if ledger else ():
        unit = (claim.expect or {}).get("unit", "")
        if claim.expect:
            claims.judge(claim, Quantity(1.5, 1.0, 2.0, unit))


def results_data(folder):
    """Return data of results that have a bit of everything."""
    path = books.save_results(folder)
    data = json.loads(path.read_text())
    quantity = {"value": 1.0, "low": 0.9, "high": None, "unit": "×",
                "note": "", "disturbed": 0.0}  # fmt: skip
    claim = claims.load().of("first-benchmark")[0]
    data["quantities"] = {claim.id: quantity}
    data["reasons"] = {claim.id: "because"}
    data["tables"] = {"t": [{"a": 1}]}
    data["machine"]["gpus"] = [{"name": "G", "memory": 2**33}]
    return data


@pytest.fixture(scope="module")
def good_results(tmp_path_factory):
    return results_data(tmp_path_factory.mktemp("good"))


@few
@given(data=st.data())
def test_results(folder, good_results, data):
    path = folder / "build" / "results" / "box" / "first-benchmark.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data.draw(damaged_json(good_results)))
    holds(claims_command.main, "--chapter", "first-benchmark", "--json")
    stamp = {
        "chapter": "first-benchmark", "preset": "S", "device": "auto",
        "machine": "box", "duration_s": 1.0,
        "started": "2026-01-02T03:04:05+00:00",
    }  # fmt: skip
    # What is recorded is whole, and takes seconds to draw.
    with mock.patch.object(records, "RECORDED", folder / "none"):
        tried(
            pages.written, Copy({"measuring/first_benchmark": stamp}), PAGES
        )
    shutil.rmtree(folder / "recorded", ignore_errors=True)
    for _ in range(2):
        done = call(
            record.main, "--name", "box", "--preset", "S", "--machine", "box",
            "--build", folder / "build", "--to", folder / "recorded",
            "first-benchmark",
        )  # fmt: skip
        assert done.returncode in (0, 2)  # with a line a reason
    loaded = tried(results.load, path)
    if loaded:
        tried(results.save, loaded, folder / "again")
