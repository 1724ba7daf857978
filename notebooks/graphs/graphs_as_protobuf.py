"""What *TensorFlow graphs as protobuf: content, size and speed* concludes."""

from itertools import zip_longest

from IPython.display import HTML

from onthefly import figures
from onthefly.experiments.tensorflow.printed import then as published
from onthefly.measure.quantity import Quantity
from onthefly.page import answer, expect, figure, judge, table
from onthefly.page.verdicts import unmeasured


def plan_then(article, nodes):
    return nodes.graph_def(article)


def definitions_then(article, nodes):
    return nodes.definitions(article)


def _counts(states):
    said = published("counter-output").split()
    return Quantity.share_of(
        a == str(b) for a, b in zip(said, states, strict=True)
    )


@judge("counter-output")
def counter_output(article, counted):
    return _counts(article["states"]), _counts(counted)


@expect
def only_needed(ran, plan, node_facts):
    return [
        names == node_facts.needed(plan, name) for name, names in ran.items()
    ]


@judge("protobuf-graph-of-nodes")
def graph_of_nodes(old, before, after, only_needed):
    no_number = not hasattr(old.state, "numpy")
    return Quantity.share_of([no_number, after and not before, *only_needed])


@figure(alt="Eight nodes and their edges")
def graph_figure(plan, node_facts):
    """The counter's graph, drawn from its message, inputs at the top."""
    return figures.graph(*node_facts.drawn(plan))


def made(operations, node_facts):
    return len(node_facts.made_in(operations, "state"))


def _in_order(named):
    printed = published("counter-node-order").split("; ")
    return Quantity.share_of(a == b for a, b in zip_longest(printed, named))


@judge("counter-node-order")
def node_order(plan_then, operations):
    then = [f"{n.name} {n.op}" for n in plan_then.node]
    return _in_order(then), _in_order(
        f"{n.name} {n.type}" for n in operations
    )


@judge("variable-makes-four-nodes")
def four_nodes(plan_then, made):
    then = sum(n.name.split("/")[0] == "counter" for n in plan_then.node)
    return Quantity.exact(then), Quantity.exact(made)


@judge("graph-listing-api")
def listing(operations):
    look = "name type inputs control_inputs outputs node_def op_def traceback"
    return Quantity.share_of(
        all(hasattr(n, key) for n in operations) for key in look.split()
    )


def _as_said(outputs):
    references = ["counter", "counter/Assign", "Assign"]
    return Quantity.share_of(
        kind == ("int32_ref" if name in references else "int32")
        for name, kind in outputs.items()
    )


@judge("reference-dtype-tensors")
def reference_types(article, operations):
    made = {n.name: n.outputs[0].dtype.name for n in operations if n.outputs}
    return _as_said(article["outputs"]), _as_said(made)


def compared_then(texts, plan_then, node_facts):
    return [*map(node_facts.compared, texts, plan_then.node)]


def _printed(compared):
    nodes = [node for node, _ in compared]
    fields = sum(len(node.fields) for node in nodes)
    return Quantity.share(sum(node.same for node in nodes), fields)


def as_printed(compared):
    return _printed(compared)


@table
def differences(compared):
    """Fields that differ between 2016 and today."""
    return [row for _, rows in compared for row in rows]


@expect
def causes_known(as_printed, differences):
    causes = [row["cause"] is not None for row in differences]
    return as_printed.value > 0.8, causes


def _node(claim):
    """Return the function that judges what is claimed of one node."""

    @judge(claim)
    def judged(PRINTED, compared_then, compared):
        k = PRINTED.index(claim)
        return _printed([compared_then[k]]), _printed([compared[k]])

    return judged


initial_value = _node("node-counter-initial-value")
variable = _node("node-counter-variable")
first_assign = _node("node-counter-assign")
read = _node("node-counter-read")
const_one = _node("node-const-one")
addition = _node("node-add")
assign_update = _node("node-assign-update")
initialiser = _node("node-init")


@judge("op-def-of-const-missing")
def consts_undefined(article, plan_then, operations):
    defined = article["definitions"]
    then = [
        defined[n.name] is None for n in plan_then.node if n.op == "Const"
    ]
    today = [n.op_def is None for n in operations if n.type == "Const"]
    return Quantity.share_of(then), Quantity.share_of(today)


def _flags(state, assign):
    """Return how many flags and defaults are as the article prints them."""
    default = {a.name: a.default_value.b for a in assign.attr}
    flags = [state.is_stateful, state.output_arg[0].is_ref]
    flags += [assign.input_arg[0].is_ref, assign.output_arg[0].is_ref]
    flags += [assign.allows_uninitialized_input, default["validate_shape"]]
    return Quantity.share_of([*flags, default["use_locking"]])


@judge("op-def-variable-and-assign")
def variable_and_assign(definitions_then, loaded):
    state = next(d for k, d in definitions_then.items() if k[:3] == "Var")
    names = "counter", "Assign"
    today = [loaded.get_operation_by_name(name).op_def for name in names]
    return _flags(state, definitions_then["Assign"]), _flags(*today)


def add_types(definitions_then, sums, node_facts):
    adds = [definitions_then["Add"], *(add.op_def for add in sums)]
    return [Quantity.exact(len(node_facts.element_types(a))) for a in adds]


@judge("op-def-add-types")
def types_of_add(add_types):
    """AddV2, today's sum of numbers, lists {add_types[2].about}."""
    return add_types[0], add_types[1]


@judge("node-traceback-to-python")
def made_at_line(operations, node_facts, program):
    lines = ["state"] * 4 + ["one", "new_value", "update", "init"]
    return Quantity.share_of(
        node_facts.made_at(n).filename == program.__file__
        and n.name in node_facts.made_in(operations, line)
        for n, line in zip(operations, lines, strict=True)
    )


@table
def parts_of_add(by_name, wire, graph_bytes):
    """The bytes of the node Add."""
    add = by_name["Add"].node_def
    return wire.rows(graph_bytes.fixed(add), add.DESCRIPTOR)


def agreeing(same):
    return {k: alike for k, alike in same.items() if alike is not None}


@judge("protobuf-neutral-serialisation")
def neutral(agreeing):
    spoken = ("in C++",), ("by hand", "protobuf's Python")
    return Quantity.share_of(
        all(alike for k, alike in agreeing.items() if k.endswith(ends))
        for ends in spoken
    )


def board_picture(page, plan):
    if not page.seen:
        return f"The picture was not taken: {page.lack}."
    return HTML(page.figure([node.name for node in plan.node]))


@judge("graph-in-tensorboard")
def in_tensorboard(page, plan):
    found = page.seen["drawn"] if page.seen else page.names
    return Quantity.share_of(node.name in found for node in plan.node)


def weight(forms, plan):
    return {
        name: Quantity.exact(len(data) / len(plan.node))
        for name, data in forms.items()
    }


@figure(x="bytes a node")
def sizes_figure(weight):
    return weight


def gain(trips, end):
    return {k: trips.ratio(k, "protobuf", end) for k in ("JSON", "pickle")}


@figure
def reading_figure(reading):
    return reading


def parse_gain(reading):
    return reading.ratio("JSON", "protobuf")


def read_slower(reading):
    return reading.ratio("protobuf, read", "JSON, read")


def access(reading):
    return reading.ratio("protobuf, read", "protobuf")


@judge("protobuf-slowness-question")
def slowness():
    return unmeasured("needs the follow-up's result")


def pure_upb(engines):
    return engines.ratio("Python", "upb")


def then_json(engines):
    return engines.ratio("Python", "JSON")


def build_parse(stages, counts):
    return stages.ratio("build", "parse", counts[-1])


def build_write(stages, counts):
    return stages.ratio("build", "write fields", counts[-1])


def calls_to_build(calls):
    return f"{calls['build']:.0f}"


def bytes_take(stages):
    took = {k: stages.seconds(k, 100) for k in stages.names}
    in_bytes = took["serialise"] + took["parse"]
    return (in_bytes / (in_bytes + took["build"] + took["import"])).named("%")


@answer("is-protobuf-slow")
def is_it_slow(bytes_take, read_slower, parse_gain):
    """Build fewer graphs rather than change their format: when a graph of 100
    nodes is built, written, parsed and imported, protobuf takes
    {bytes_take.about} of the time. Do pass messages on whole, since parsing
    one and reading its fields from Python is {read_slower.about} slower than
    with JSON.
    """
    return bytes_take < 0.5, read_slower > 1, parse_gain > 1
