"""Pages where a library is really absent: they run on, and say what is lost.

One cheap page a library; scripts/without.py runs them all.
"""

import pytest

from conftest import script
from onthefly import claims, results
from onthefly.libraries import LIBRARIES

PAGES = {
    "dask": "dask",
    "numba": "numba-cpu",
    "tensorflow": "graphs-as-protobuf",
    "torch": "threads-and-the-gpu",
}


@pytest.mark.slow
@pytest.mark.parametrize("library", PAGES)
def test_a_page_runs_on_without_a_library(tmp_path, library):
    slug, name = PAGES[library], LIBRARIES[library].name
    done = script("without.py", library, slug, "--build", tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    assert f"{slug}: lost without {name}:" in done.stdout
    (path,) = tmp_path.glob(f"results/*/{slug}.json")
    found = results.load(path)
    assert found.finished
    lost = [  # which this machine could judge with the library
        claim
        for claim in claims.load().of(slug)
        if library in claim.needs and claim.kind != "history"
        if not claims.unmet(claim)
    ]
    for claim in lost:
        assert claim.id not in found.quantities
        assert claim.id in found.lost[name] and found.reasons[claim.id]
    executed = (tmp_path / "executed").glob("*.ipynb")
    (text,) = (path.read_text(encoding="utf-8") for path in executed)
    assert f"Lost here: {name} is missing" in text
    assert '"output_type": "error"' not in text
    assert "Traceback" not in text
    for claim in lost:  # each has its card
        assert f"Claim {claim.id}\\" in text
