"""Readers of a graph's bytes, and the graphs that they are given."""

import pytest
from google.protobuf import text_format

from onthefly.experiments.graphs import graph_bytes as graphs
from onthefly.experiments.graphs import readers
from onthefly.kernels import counter_tensorflow as program


@pytest.mark.parametrize("pure", [False, True])
def test_a_process_without_tensorflow_reads_a_graph(pure):
    plan = program.counter().graph.as_graph_def()
    with readers.Reader(plan, pure) as reader:
        found = reader.facts()
        assert reader.seconds(2) > 0
    assert found["implementation"] == ("python" if pure else "upb")
    assert found["tensorflow"] is False
    assert found["nodes"] == [n.name for n in plan.node]
    assert found["text"] == text_format.MessageToString(plan)
    assert found["bytes"] == graphs.fixed(plan)


def test_protoc_reads_a_graph():
    plan = program.counter().graph.as_graph_def()
    assert readers.protoc(plan) == text_format.MessageToString(plan)
    for message in (graphs.caller(), graphs.chain(30)):
        back = text_format.Parse(readers.protoc(message), graphs.GraphDef())
        assert graphs.fixed(back) == graphs.fixed(message)


def test_every_way_parses_and_reads_the_same():
    ways = readers.readings(5)
    found = [ways[f"{way}, read"]() for way in ("protobuf", "JSON", "pickle")]
    assert found[0] == found[1] == found[2]
    assert len(found[0]) == 5


@pytest.mark.parametrize("nodes", [1, 2, 20])
def test_a_chain_written_is_a_chain_built(nodes):
    assert graphs.chain(nodes) == graphs.built(nodes).as_graph_def()
    again = graphs.loaded(graphs.chain(nodes)).as_graph_def()
    assert graphs.fixed(again) == graphs.fixed(graphs.chain(nodes))


def test_all_readers_agree(monkeypatch):
    plan = program.counter().graph.as_graph_def()
    found = readers.compared(plan)
    assert len(found) == 5 and None not in found.values()
    assert all(found.values())

    def missing(graph):
        raise FileNotFoundError

    monkeypatch.setattr(readers, "protoc", missing)
    assert readers.compared(plan)["protoc, in C++"] is None
