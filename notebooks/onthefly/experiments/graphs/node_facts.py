"""What is known of a graph's nodes: their fields, their line, who needs them.

Source: TensorFlow and protocol buffers, an article: the nodes that it
printed.
"""

import linecache
import os
from typing import NamedTuple

from onthefly.kernels.count.counter_tensorflow import Counter
from onthefly.tools.quiet_tensorflow import tf

v1 = tf.compat.v1
DATA_TYPE = v1.AttrValue.DESCRIPTOR.fields_by_name["type"].enum_type

# What each node of the counter is for, by its operation of today.
USES = {
    "Const": "constant",
    "VariableV2": "state",
    "Assign": "changes it",
    "AddV2": "computes",
    "Identity": "computes",
    "NoOp": "order only",
}
# Why a field has another value today, by that value.
CAUSES = {"VariableV2": "scalar", "AddV2": "commutes", "true": "waited for"}


def executed(session, fetch):
    """Return the names of the graph's nodes that one run executes.

    The runtime's trace tells; nodes that it adds itself are left out.
    """
    trace = v1.RunMetadata()
    traced = v1.RunOptions(trace_level=v1.RunOptions.SOFTWARE_TRACE)
    session.run(fetch, options=traced, run_metadata=trace)
    steps = [n for d in trace.step_stats.dev_stats for n in d.node_stats]
    return {n.node_name for n in steps if not n.node_name.startswith("_")}


def executed_each(made, names):
    """Return {name: names of the nodes that a run of this one executes}.

    made   a Counter, whose initialiser is run first
    names  of the nodes to run, one after the other
    """
    with v1.Session(graph=made.graph) as session:
        session.run(made.init)
        return {
            name: executed(session, made.graph.get_operation_by_name(name))
            for name in names
        }


def initialised(made):
    """Return whether a Counter's state has a value: before `init`, after it.

    Adds the node that asks to the Counter's graph.
    """
    with made.graph.as_default():
        state = made.graph.get_tensor_by_name("counter:0")
        known = tf.raw_ops.IsVariableInitialized(ref=state)
    with v1.Session(graph=made.graph) as session:
        before = session.run(known)
        session.run(made.init)
        return bool(before), bool(session.run(known))


def source_of(name):
    """Return the name of the node that an input of a NodeDef comes from.

    An input is `node`, `node:output`, or `^node`, which is only waited for.
    """
    return name.removeprefix("^").split(":")[0]


def needed(graph_def, name):
    """Return a node's name and those of all nodes that it hangs on."""
    node = next(n for n in graph_def.node if n.name == name)
    return {name}.union(
        *(needed(graph_def, source_of(i)) for i in node.input)
    )


def made_at(operation):
    """Return the innermost frame outside of TensorFlow that made a node.

    None for a node that was loaded: no message holds its frames.
    """
    if operation.traceback is None:
        return None
    inside = f"{os.sep}tensorflow{os.sep}python{os.sep}"
    return [f for f in operation.traceback if inside not in f.filename][-1]


def line_of(operation):
    """Return the source line that made a node, or "" for a loaded one.

    The traceback names file and number only; the line is read from the file.
    """
    frame = made_at(operation)
    if frame is None:
        return ""
    return linecache.getline(frame.filename, frame.lineno).strip()


def rows(operations):
    """Return what operations are as rows of a table, one each."""
    return [
        {
            "name": n.name,
            "type": n.type,
            "inputs": ", ".join(n.node_def.input) or None,
            "output": ", ".join(o.dtype.name for o in n.outputs) or None,
            "line": f"{_made_of(n)} = …",
        }
        for n in operations
    ]


def _made_of(operation):
    """Return the name that the line which made a node gives it."""
    return line_of(operation).split(" = ")[0]


def made_in(operations, name):
    """Return the names of the nodes that the line `name = …` made."""
    return [n.name for n in operations if _made_of(n) == name]


def drawn(graph_def):
    """Return {name: label}, edges, {name: use} of the counter's message.

    An edge is (from, to), by names.
    """
    edges = [
        (source_of(name), node.name)
        for node in graph_def.node
        for name in node.input
    ]
    labels = {n.name: f"{n.name}\n{n.op}" for n in graph_def.node}
    return labels, edges, {n.name: USES[n.op] for n in graph_def.node}


def element_types(definition):
    """Return the element types that an OpDef allows, as DT_ names."""
    allowed = definition.attr[0].allowed_values.list.type
    return {type_name(number) for number in allowed}


def type_name(number):
    """Return the name of an element type in the format, as DT_INT32."""
    return DATA_TYPE.values_by_number[number].name


def facts(node):
    """Return a NodeDef as {field: text}, each attribute by its name.

    The tensor of a constant counts as two fields, its shape and its value.
    """
    fields = {"name": node.name, "op": node.op}
    if node.input:
        plural = "s" if len(node.input) > 1 else ""
        fields["input" + plural] = ", ".join(node.input)
    for name, attribute in sorted(node.attr.items()):
        kind = attribute.WhichOneof("value")
        value = getattr(attribute, kind)
        if kind == "tensor":
            fields["tensor_shape"] = _text("shape", value.tensor_shape)
            fields["int_val"] = str(value.int_val[0])
        else:
            fields[name] = _text(kind, value)
    return fields


def _text(kind, value):
    """Return the value of an attribute as the text format writes it."""
    if kind == "type":
        return type_name(value)
    if kind == "shape":
        return "{" + ", ".join(str(d.size) for d in value.dim) + "}"
    if kind == "list":
        return ", ".join(s.decode() for s in value.s)
    if kind == "s":
        return value.decode() or '""'
    return str(value).lower() if kind == "b" else str(value)


def printed(text):
    """Return {field: text} of a node as the ledger quotes it.

    text  "name Add; op Add; inputs counter/read, Const; ..."
    """
    return dict(part.split(" ", 1) for part in text.split("; "))


class Compared(NamedTuple):
    """A node as printed beside today's: `fields` in all, `others` differ."""

    fields: list
    others: list

    @property
    def same(self):
        """How many fields are as they were printed."""
        return len(self.fields) - len(self.others)


def compared(text, node):
    """Return the Compared of a node, and a row for each field that differs.

    text  the node as the ledger quotes it, as for `printed`
    node  today's NodeDef

    The fields are those that either has.
    """
    then, now = printed(text), facts(node)
    fields = list(then | now)
    others = [f for f in fields if then.get(f) != now.get(f)]
    differ = [
        {
            "node": node.name,
            "field": f,
            "2016": then.get(f),
            "today": now.get(f),
            "cause": CAUSES.get(now.get(f)),
        }
        for f in others
    ]
    return Compared(fields, others), differ


def as_printed(texts, graph_def):
    """Return a GraphDef of the nodes that the ledger quotes.

    texts      one text a node, as for `printed`
    graph_def  today's message, whose values of inputs and attributes of the
               same name are taken

    Raises ValueError where a node so made is not the one quoted.
    """
    made = v1.GraphDef()
    for text, node in zip(texts, graph_def.node, strict=True):
        known = printed(text)
        then = made.node.add(name=known["name"], op=known["op"])
        then.input.extend(node.input)
        for key in known.keys() & node.attr.keys():
            then.attr[key].CopyFrom(node.attr[key])
        if "int_val" in known:  # the tensor of a constant
            then.attr["value"].CopyFrom(node.attr["value"])
        if facts(then) != known:
            raise ValueError(f"{known['name']}: not as quoted")
    return made


def revived(graph):
    """Return the Counter of a loaded tf.Graph that holds its nodes."""
    names = ("Assign", "init")
    update, init = map(graph.get_operation_by_name, names)
    return Counter(graph, graph.get_tensor_by_name("counter:0"), update, init)
