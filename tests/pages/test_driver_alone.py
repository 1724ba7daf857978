"""A page on a machine whose driver shows a GPU that no library sees."""

import pytest

from conftest import script
from onthefly.measure import data
from onthefly.measure.libraries import LIBRARIES
from onthefly.page import results

PAGE = "numba-cuda"  # it would use the device in most of its cells


@pytest.mark.long
@pytest.mark.skipif(
    LIBRARIES["numba-cuda"].for_cuda(), reason="numba-cuda is here"
)
def test_the_page_runs_as_without_a_gpu(gpus, tmp_path):
    gpus({})
    done = script("run.py", PAGE, "--build", tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    (path,) = tmp_path.glob(f"results/*-h200/{PAGE}.json")
    page = results.load(path)
    assert page.machine["gpus"][0]["after"]["sm"]
    (path,) = tmp_path.glob(f"data/S/*-h200/{PAGE}.json")
    measured = data.load(path).groups
    assert not {"ways", "launches", "precision"} & set(measured)
    assert "needs numba-cuda" in page.reasons["numba-cuda-against-python"]
