"""A model's homes give what its maker gives, and know nothing of it."""

import importlib.util

import pytest

from onthefly.experiments.tensorflow import (
    eight_bits,
    flat,
    runtimes,
)

pytestmark = pytest.mark.slow
for module in "tensorflow", "ai_edge_litert", "onnxruntime", "tf2onnx":
    if importlib.util.find_spec(module) is None:
        pytest.skip(f"{module} is missing", allow_module_level=True)


@pytest.fixture(scope="module")
def model():
    model = runtimes.Model(1, count=1000, epochs=2)
    yield model
    model.close()


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


def test_every_byte_of_a_file_is_accounted_for(model):
    for kind, path in eight_bits.converted(model, model.examples(8)).items():
        data = path.read_bytes()
        parts = flat.where_the_bytes_go(data)
        assert flat.head(data)[0] == flat.IDENTIFIER, kind
        assert sum(parts.values()) == len(data)
        assert parts["weights"] and parts["structure"] > 0
