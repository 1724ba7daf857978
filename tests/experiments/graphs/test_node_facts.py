"""What is known of a graph's nodes."""

import pytest

from onthefly.experiments.graphs import graph_bytes as graphs
from onthefly.experiments.graphs import node_facts
from onthefly.kernels.count import counter_tensorflow as program


def test_another_node_than_the_quoted_one_is_refused():
    plan = program.counter().graph.as_graph_def()
    texts = ["; ".join(f"{k} {v}" for k, v in node_facts.facts(n).items())
             for n in plan.node]  # fmt: skip
    assert node_facts.as_printed(texts, plan).node == plan.node
    texts[0] = texts[0].replace("int_val 0", "int_val 1")
    with pytest.raises(ValueError, match="initial_value: not as quoted"):
        node_facts.as_printed(texts, plan)


def test_a_run_executes_what_its_fetch_needs():
    made = program.counter()
    plan = made.graph.as_graph_def()
    with program.v1.Session(graph=made.graph) as session:
        session.run(made.init)
        ran = node_facts.executed(session, made.update)
    assert ran == node_facts.needed(plan, "Assign")
    assert "init" not in ran and "Add" in ran


def test_a_node_knows_its_line_until_it_is_bytes():
    made = program.counter()
    node = made.graph.get_operation_by_name("Add")
    assert node_facts.line_of(node) == "new_value = tf.add(state, one)"
    loaded = graphs.loaded(made.graph.as_graph_def())
    assert node_facts.line_of(loaded.get_operation_by_name("Add")) == ""


def test_a_field_that_differs_is_a_row():
    made = program.counter()
    (node,) = (n for n in made.graph.as_graph_def().node if n.name == "Add")
    text = "name Add; op Add; inputs counter/read, Const; T DT_INT32"
    fields, rows = node_facts.compared(text, node)
    assert (fields.same, fields.others) == (3, ["op"])
    (row,) = rows
    assert (row["2016"], row["today"]) == ("Add", "AddV2")
    assert row["cause"] == "commutes"
