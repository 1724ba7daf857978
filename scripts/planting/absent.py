"""Libraries that are missing: a page that uses each, without it.

One cheap page a library; scripts/without.py runs them all.
"""

from onthefly import claims, results
from onthefly.libraries import LIBRARIES
from planting import books
from planting.registry import fault


@fault(slow=True)
def page_without_dask(folder):
    """Dask is missing."""
    return _held(folder, "dask", "dask")


@fault(slow=True)
def page_without_numba(folder):
    """Numba is missing."""
    return _held(folder, "numba", "one-decorator")


@fault(slow=True)
def page_without_tensorflow(folder):
    """TensorFlow is missing."""
    return _held(folder, "tensorflow", "graphs-as-protobuf")


@fault(slow=True)
def page_without_pytorch(folder):
    """PyTorch is missing."""
    return _held(folder, "torch", "threads-and-the-gpu")


def _held(folder, library, slug):
    """Run a page without a library; return the ended process.

    It must come to its end, and say of each claim why it is lost.
    """
    done = books.call(
        "without.py", library, slug, "--build", folder, folder=folder
    )
    assert done.returncode == 0, done.stdout + done.stderr
    name = LIBRARIES[library].name
    assert f"{slug}: lost without {name}:" in done.stdout
    (path,) = folder.glob(f"results/*/{slug}.json")
    (notebook,) = (folder / "executed").glob("*.ipynb")
    text = notebook.read_text(encoding="utf-8")
    assert f"Left out: {name} is missing" in text
    assert '"output_type": "error"' not in text and "Traceback" not in text
    _assert_lost(library, results.load(path), text)
    return done


def _assert_lost(library, found, text):
    """Assert that each claim that needs the library is lost, with a card."""
    assert found.finished
    for claim in claims.load().of(found.chapter):
        if library not in claim.needs or claim.kind == "history":
            continue
        if claims.unmet(claim):
            continue  # this machine could not judge it with the library
        assert claim.id not in found.quantities, claim.id
        assert claim.id in found.missing[LIBRARIES[library].name], claim.id
        assert found.reasons[claim.id], claim.id
        assert f"Claim {claim.id}\\" in text, claim.id
