"""What was printed then, beside what is printed today."""

import pytest

from onthefly.experiments.tensorflow import printed


def test_the_order_of_parts_and_brackets_do_not_matter():
    old = "tf.Tensor([[4.]], dtype=float32, shape=(1,1))"
    new = "tf.Tensor([[4.]], shape=(1, 1), dtype=float32)"
    assert all(printed.compared(old, new).values())
    assert len(printed.compared(old, new)) == 3
    old = "[tf.Tensor(6., dtype=tf.float32))]"
    new = "[<tf.Tensor: shape=(), dtype=float32, numpy=6.0>]"
    assert printed.compared(old, new) == {
        "value 6.0": True,
        "type float32": True,
    }


@pytest.mark.parametrize(
    "new, wrong",
    [
        ("tf.Tensor(3, dtype=int32), 10", []),
        ("tf.Tensor(3.0, dtype=float64), 10.0", ["type int32"]),
        ("tf.Tensor(3, dtype=int32), 11", ["value 2: 10.0"]),
        ("tf.Tensor(3, dtype=int32)", ["value 2: 10.0"]),
        ("", ["value 1: 3.0", "value 2: 10.0", "type int32"]),
    ],
)
def test_each_part_can_fail(new, wrong):
    held = printed.compared("tf.Tensor(3, dtype=int32), 10", new)
    assert [part for part, holds in held.items() if not holds] == wrong


def test_what_is_no_number_is_a_value():
    assert printed.compared("[nan]", "tf.Tensor(nan, shape=())") == {
        "value nan": True
    }
    assert not all(printed.compared("[nan]", "[0.5]").values())


def test_the_number_of_a_tensor_is_no_value():
    old = "[<tf.Tensor: id=29, shape=(), dtype=float32, numpy=6.0>]"
    assert printed.parts(old)["value"] == ["6.0"]


def test_a_line_is_held_letter_by_letter():
    assert printed.letters("a; b", "a") == {"a": True, "b": False}
    rows = printed.rows(["a", "b"], {"one": ["a"], "two": ["a", "b"]})
    assert [row["to the letter"] for row in rows] == ["one, two", "two"]
    assert rows[1]["one"] == ""
    (row,) = printed.rows(["a"], {"one": ["b"]})
    assert row["to the letter"] == "nobody"


def test_an_error_is_held_by_its_parts():
    old = "ValueError: 7 is not in [0, 3) [Op:Gather]"
    assert all(printed.error_held(old, old, True).values())
    held = printed.error_held(old, old.replace("Op:G", "Op:V2"), False)
    assert [*held.values()] == [False, True, True, False]
