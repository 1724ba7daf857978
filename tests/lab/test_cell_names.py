"""Which names a cell reads and binds."""

import pytest

from onthefly.tools import cell_names


@pytest.mark.parametrize(
    ("source", "read", "bound"),
    [
        ("x = y + 1", {"y"}, {"x"}),
        ("x += y", {"x", "y"}, {"x"}),
        ("rows[0] = x", {"rows", "x"}, set()),
        ("rows.append(x)", {"rows", "x"}, set()),
        ("d.a = x", {"d", "x"}, set()),
        ("import a.b, c as d", set(), {"a", "d"}),
        ("from a import b, c as d", set(), {"b", "d"}),
        ("[k * n for k in rows]", {"n", "rows"}, set()),
        ("[(last := k) for k in rows]", {"rows"}, {"last"}),
        ("for k in rows:\n    print(k)", {"rows", "print"}, {"k"}),
        ("with a as b:\n    c = b", {"a"}, {"b", "c"}),
        ("x, (y, *z) = w", {"w"}, {"x", "y", "z"}),
        ("f = lambda x: x + y", {"y"}, {"f"}),
        ("@n\ndef f(x, y=z):\n    w = x\n    return f(w, v)",
         {"n", "z", "v"}, {"f"}),
        ("class A(B):\n    x = y", {"B", "y"}, {"A"}),
        ("f'{x} {y:{z}}'", {"x", "y", "z"}, set()),
        ("%timeit -n1 x", {"get_ipython"}, set()),
    ],
)  # fmt: skip
def test_the_names_of_a_statement(source, read, bound):
    assert list(cell_names.statements(source)) == [(read, bound)]


def test_statements_come_in_their_order():
    read_and_bound = list(cell_names.statements("x = y\nz = x"))
    assert read_and_bound == [({"y"}, {"x"}), ({"x"}, {"z"})]


def test_what_is_no_python_is_refused():
    with pytest.raises(SyntaxError):
        list(cell_names.statements("x ="))
