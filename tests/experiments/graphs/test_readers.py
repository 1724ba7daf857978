"""Readers of a graph's bytes, and the graphs that they are given."""

import psutil
import pytest
from google.protobuf import text_format

from onthefly.experiments.graphs import graph_bytes as graphs
from onthefly.experiments.graphs import readers, wire
from onthefly.kernels import counter_tensorflow as program
from onthefly.tools import processes


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


def test_bytes_that_are_no_graph_are_refused_there_too():
    with readers.Reader(graphs.chain(2)) as reader:
        reader._message = reader._message[0], b"\x0f"
        with pytest.raises(processes.Failed, match="DecodeError"):
            reader.facts()
        process = psutil.Process(reader.pid)
    assert not process.is_running()


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


def test_both_ways_of_reading_see_the_same():
    chain = graphs.chain(9)
    dicts = wire.plain(chain)
    assert readers.read_message(chain) == readers.read_dicts(dicts)


def test_all_readers_agree(monkeypatch):
    plan = program.counter().graph.as_graph_def()
    found = readers.compared(plan)
    assert len(found) == 5 and None not in found.values()
    assert all(found.values())

    def missing(graph):
        raise FileNotFoundError

    monkeypatch.setattr(readers, "protoc", missing)
    assert readers.compared(plan)["protoc, in C++"] is None


def test_each_engine_is_timed_beside_json():
    times = readers.engines(3, budget=0.01)
    assert times.names == ["upb", "Python", "JSON"]
    assert all(min(series.values) > 0 for series in times)
