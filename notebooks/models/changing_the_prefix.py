"""What *Changing the prefix* concludes."""

from onthefly.experiments.training import keras_code
from onthefly.measure.quantity import Quantity
from onthefly.page import expect, judge, table


def _rows(pieces, alike):
    heads = "piece", "keras.", "tf.keras.", alike
    rows = [(k, *v[:2], "yes" if v[2] else "") for k, v in pieces.items()]
    return [dict(zip(heads, row, strict=True)) for row in rows]


@table
def pieces(outcomes):
    """Pieces of Keras code under both prefixes."""
    return _rows(outcomes, "same bits")


@table
def pieces_then(of_2017):
    """Pieces of Keras code of 2017 under both prefixes, then."""
    return _rows(of_2017["pieces"], "the same")


def _counted(pieces):
    """Return how many pieces run under keras., and of these do the same."""
    ran = [bool(same) for one, _, same in pieces.values() if one == "runs"]
    share = Quantity.share_of(ran)
    return {"ran": len(ran), "alike": sum(ran), "share": share}


def today(outcomes):
    return _counted(outcomes)


def then(of_2017):
    return _counted(of_2017["pieces"])


@judge("keras-code-runs-on-tf-keras")
def most_code_runs(today, then=None):
    return then and then["share"], today["share"]


def _names(outcomes, *runs):
    found = outcomes.items()
    names = [k for k, v in found if (v[0] == "runs", v[1] == "runs") == runs]
    return ", ".join(names) or "none"


def only(outcomes):
    """Return the pieces that run under one prefix alone, or neither."""
    return {
        "old": _names(outcomes, True, False),
        "new": _names(outcomes, False, True),
        "neither": _names(outcomes, False, False),
    }


@expect
def most_then(then, of_2017):
    most = then["ran"] / 2 < then["alike"] < then["ran"]
    return most, not of_2017["shared"]


@expect
def layer_refused(of_2017):
    refused = of_2017["pieces"]["a layer of one's own"]
    _, other, same = of_2017["pieces"]["embedding and LSTM"]
    return refused[1].startswith("ValueError"), other == "runs", not same


@table
def backends(outcomes, by_backend):
    """The same code on two backends."""
    heads = "piece", "on TensorFlow", "on PyTorch"
    rows = [(k, outcomes[k][0], words) for k, words in by_backend.items()]
    return [dict(zip(heads, row, strict=True)) for row in rows]


def mixed(outcomes, by_backend):
    ran = [k for k in keras_code.MIXED if outcomes[k][0] == "runs"]
    broken = sum(by_backend[name] != "runs" for name in ran)
    return {"pieces": len(ran), "broken": broken}
