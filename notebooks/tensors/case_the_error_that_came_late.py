"""What *Why does a TensorFlow error not point at the line …?* concludes."""

from onthefly.experiments.tensorflow import printed
from onthefly.measure.quantity import Quantity
from onthefly.page import judge

SLIDE = printed.then("eager-gather-error")


def texts(then, soon):
    """Return {who: the error that it prints}."""
    errors = {
        f"TensorFlow {version}": its["gather"][1][:2]
        for version, its in then.items()
        if "gather" in its
    } | {"today": [soon.kind, soon.message]}
    return {who: ": ".join(error) for who, error in errors.items()}


def _held(text, by_the_line):
    return Quantity.share_of(
        printed.error_held(SLIDE, text, by_the_line).values()
    )


@judge("eager-gather-error")
def gather_error(then, texts, at_line):
    line_then = then["1.5"]["gather"][1][2][-1]
    return (
        _held(texts["TensorFlow 1.5"], "tf.gather" in line_then),
        _held(texts["today"], at_line.lines[-1].startswith("chosen =")),
    )


def _late_then(then):
    (seen,), (*_, through, _) = then["1.4"]["gather_in_session"]
    by_run = through[-1] == "sess.run(x)"
    past = not any("tf.gather" in line for line in through)
    return [bool(seen), seen.startswith("Tensor("), by_run, past]


@judge("tf-code-configures-a-graph")
def configures(then, late, answers):
    shown = answers["session"][0]
    today = [
        late.through("session.run"),
        "tf.Tensor" in shown and "numpy" not in shown,
        late.lines[-1].startswith("return session.run"),
        not late.through("tf.gather"),
    ]
    return Quantity.share_of(_late_then(then)), Quantity.share_of(today)


def price(times):
    return times.ratio("run eagerly", "graph", 50)
