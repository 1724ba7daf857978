"""Readers of a graph's bytes, and the graphs that they are given."""

import pytest
from google.protobuf import text_format

from onthefly.experiments.graphs import graph_bytes as graphs
from onthefly.experiments.graphs import readers
from onthefly.kernels.count import counter_tensorflow as program


@pytest.mark.parametrize("pure", [False, True])
def test_a_process_without_tensorflow_reads_a_graph(pure):
    plan = program.counter().graph.as_graph_def()
    with readers.Reader(plan, pure) as reader:
        facts = reader.facts()
    assert facts["implementation"] == ("python" if pure else "upb")
    assert facts["tensorflow"] is False
    assert facts["nodes"] == [n.name for n in plan.node]
    assert facts["text"] == text_format.MessageToString(plan)
    assert facts["bytes"] == graphs.fixed(plan)


@pytest.mark.parametrize("nodes", [1, 2, 20])
def test_a_chain_written_is_a_chain_built(nodes):
    assert graphs.chain(nodes) == graphs.built(nodes).as_graph_def()
    again = graphs.loaded(graphs.chain(nodes)).as_graph_def()
    assert graphs.fixed(again) == graphs.fixed(graphs.chain(nodes))


def test_all_readers_agree(monkeypatch):
    plan = program.counter().graph.as_graph_def()
    verdicts = readers.compared(plan)
    assert len(verdicts) == 5 and all(verdicts.values())

    def missing(graph):
        raise FileNotFoundError

    monkeypatch.setattr(readers, "protoc", missing)
    assert readers.compared(plan)["protoc, in C++"] is None
