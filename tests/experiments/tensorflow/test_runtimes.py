"""A model's homes give what its maker gives, and know nothing of it."""

import importlib.util

import numpy as np
import pytest

from onthefly.experiments.tensorflow import (
    eight_bits,
    flat,
    javascript,
    runtimes,
)
from onthefly.tools import processes

pytestmark = pytest.mark.slow
for module in "tensorflow", "ai_edge_litert", "onnxruntime", "tf2onnx":
    if importlib.util.find_spec(module) is None:
        pytest.skip(f"{module} is missing", allow_module_level=True)


@pytest.fixture(scope="module")
def model():
    found = runtimes.Model(1, count=1000, epochs=2)
    yield found
    found.close()


@pytest.fixture(scope="module")
def asked(model):
    images, _ = model.held_out(64)
    return images, model.scores(images)


@pytest.mark.parametrize("name", runtimes.FLOAT)
def test_a_home_gives_the_scores_without_the_training_code(
    model, asked, name
):
    images, eager = asked
    home = runtimes.Runtime(name)
    try:
        scores = home.open(model.save(name)).scores(images)
        known = home.known()
    finally:
        home.close()
    assert runtimes.gap(scores, eager) < 1e-4 and not known["training code"]
    assert known["TensorFlow"] == (name == "SavedModel")


def test_the_exported_twin_gives_the_scores(model, asked):
    pytest.importorskip("torch")
    images, eager = asked
    home = runtimes.Runtime("torch.export").open(model.save("torch.export"))
    assert runtimes.gap(home.scores(images), eager) < 1e-4
    assert runtimes.gap(home.scores(images[:1]), eager[:1]) < 1e-4
    home.close()


def test_javascript_gives_the_scores(model, asked):
    images, eager = asked
    try:
        found = javascript.answer(model.save("ONNX"), images)
    except javascript.NoScores as error:
        pytest.skip(str(error))
    assert runtimes.gap(found["scores"], eager) < 1e-4


def test_where_there_is_no_node_a_line_says_so(asked, monkeypatch, tmp_path):
    images, eager = asked
    monkeypatch.setenv("PATH", str(tmp_path))
    rows, lacks = javascript.compare(tmp_path / "none.onnx", images, eager)
    assert rows == [] and "no Node" in lacks


def test_what_node_cannot_read_is_said_in_a_line(asked, tmp_path):
    images, eager = asked
    broken = tmp_path / "broken.onnx"
    broken.write_bytes(b"not a graph")
    rows, lacks = javascript.compare(broken, images, eager)
    assert rows == [] and lacks and "\n" not in lacks


def test_every_byte_of_a_file_is_accounted_for(model):
    for kind, path in eight_bits.converted(model, model.examples(8)).items():
        data = path.read_bytes()
        parts = flat.where_the_bytes_go(data)
        assert flat.head(data)[0] == flat.IDENTIFIER, kind
        assert sum(parts.values()) == len(data)
        assert parts["weights"] and parts["structure"] > 0


def test_darker_examples_end_the_range_sooner(model):
    bright, dark = (
        eight_bits.ranges(model.lite("int8", model.examples(20, b), str(b)))
        for b in (1.0, 0.0)
    )
    assert dark["input"][1] < bright["input"][1]
    assert dark["scores"][1] < bright["scores"][1]


def test_a_file_that_is_no_model_is_named_by_c(model, tmp_path):
    path = model.save("frozen graph in C")
    broken = tmp_path / "broken.pb"
    broken.write_bytes(b"not a graph")
    (tmp_path / "broken.pb.json").write_text('["images", "Identity"]')
    home = runtimes.Runtime("frozen graph in C")
    with pytest.raises(processes.Failed, match="GraphDef"):
        home.open(broken)
    home.close()
    assert path.exists()


def test_a_version_is_published_whole_and_withdrawn(model):
    path = model.publish(7)
    assert (path / "saved_model.pb").exists()
    model.withdraw(7)
    assert not path.exists()


def test_a_training_that_failed_is_told_each_time():
    model = runtimes.Model(1, count=1, epochs=1)  # less than a batch
    for ask in model.save, model.scores:
        with pytest.raises(processes.Failed, match="IndexError"):
            ask("LiteRT")
    model.close()


def test_margins_are_best_less_second():
    scores = np.array([[1.0, 5.0, 3.0], [2.0, 2.0, 0.0]])
    assert eight_bits.margins(scores).tolist() == [2, 0]
