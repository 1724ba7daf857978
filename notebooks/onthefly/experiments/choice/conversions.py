"""What lies between a list and a library: conversions, for the stopwatch."""

import functools

import numpy as np

from onthefly.experiments.memory.buffers import aligned, shares
from onthefly.kernels import forms
from onthefly.kernels.methods import KINDS
from onthefly.measure.libraries import spared

LIBRARIES = ("TensorFlow", "PyTorch", "JAX")


class Lazy:
    """A library whose first use imports it.

    load  function without arguments that returns the module
    """

    def __init__(self, load):
        self._load = load

    def __getattr__(self, name):
        value = getattr(self._load(), name)
        setattr(self, name, value)
        return value


@functools.cache
def _tensorflow():
    from onthefly.tools.quiet_tensorflow import tf

    tf.config.set_visible_devices([], "GPU")
    return tf


def _torch():
    from onthefly.tools.quiet_torch import torch

    return torch


@functools.cache
def _jax():
    from onthefly.tools.quiet_jax import jax

    jax.config.update("jax_default_device", jax.devices("cpu")[0])
    return jax


def on_processor():
    """Return TensorFlow, PyTorch, JAX and its numpy, on the processor."""
    jnp = Lazy(lambda: _jax().numpy)
    return Lazy(_tensorflow), Lazy(_torch), Lazy(_jax), jnp


def _tensor(array):
    return _tensorflow().constant(array)


FORMS = forms.FORMS | {
    "TensorFlow": forms.Form(_tensor, forms.FORMS["TensorFlow"].unload)
}


def into(arrays):
    """Return {way: function of a size}, from lists and arrays to tensors.

    arrays  {size: array}

    A way whose library is missing raises ImportError when it is called.
    """
    lists = {n: array.tolist() for n, array in arrays.items()}

    def to(name):
        load = FORMS[name].load
        return lambda n: load(arrays[n])

    variants = {f"array to {name}": to(name) for name in LIBRARIES}
    return {"list to array": lambda n: np.asarray(lists[n])} | variants


def out_of(arrays):
    """Return {way: function of a size}, from tensors and arrays to lists.

    As `into`.
    """

    def out(name):
        form = FORMS[name]
        held = functools.cache(lambda n: form.load(arrays[n]))
        return lambda n: form.unload(held(n))

    variants = {f"{name} to array": out(name) for name in LIBRARIES}
    return {"array to list": lambda n: arrays[n].tolist()} | variants


class Journey:
    """A problem computed for somebody who has lists and wants lists.

    problem  a Problem whose data and result are one array
    variant      one of its variants that take it in one piece
    array    the data, float64 of shape (n,)
    """

    def __init__(self, problem, variant, array):
        self.problem, self.variant, self.array = problem, variant, array
        self.form = KINDS[variant].form
        self.list = array.tolist()

    @functools.cached_property
    def _held(self):
        return FORMS[self.form].load(self.array)

    @functools.cached_property
    def _function(self):
        return self.problem.function(self.variant)

    @functools.cached_property
    def _result(self):
        return self._function(self._held)

    def steps(self):
        """Return {step: function without arguments}, in their order.

        The steps of a form that a variant does not need are left out.  What a
        step needs is made by its first call.
        """
        form = FORMS[self.form]
        compute = {"compute": lambda: self._function(self._held)}
        if self.form == "lists":
            return compute
        way_in = {"list to array": lambda: np.asarray(self.list)}
        way_out = {"array to list": self._values().tolist}
        if self.form == "arrays":
            return way_in | compute | way_out
        load = {"array to tensor": lambda: form.load(self.array)}
        unload = {"tensor to array": lambda: form.unload(self._result)}
        return way_in | load | compute | unload | way_out

    def _values(self):
        return np.asarray(self.problem.function("Python")(self.list))

    def __call__(self):
        """Return the result as a list, of the data as a list."""
        form = FORMS[self.form]
        if self.form == "lists":
            return self._function(self.list)
        result = self._function(form.load(np.asarray(self.list)))
        return form.unload(result).tolist()


def steps(journeys):
    """Return {"variant: step": function without arguments} of all Journeys.

    journeys  {variant: Journey}
    """
    return {
        f"{variant}: {step}": call
        for variant, journey in journeys.items()
        for step, call in journey.steps().items()
    }


def parts(times, n):
    """Return {variant: {step: seconds a number}}, as Quantities.

    times  Timings of `steps`
    n      numbers of a Journey
    """
    steps_of = {}
    for label in times.names:
        variant, step = label.split(": ")
        steps_of.setdefault(variant, {})[step] = times.seconds(label) / n
    return steps_of


def arrived(journeys):
    """Return {variant: whether its list is Python's}.

    journeys  {variant: Journey}, one of them "Python"; those that lack a
              library are left out
    """
    expected, same = journeys["Python"](), {}
    for variant, journey in journeys.items():
        with spared({}, variant):
            same[variant] = bool(np.allclose(journey(), expected))
    return same


def put():
    """Return {place: function of a size} of `jax.device_put`.

    An array begins on a line of 64 bytes, or 16 bytes beside it.  The
    functions return when the tensor is there.
    """

    def of(offset):
        held = functools.cache(lambda n: aligned(n, offset, np.float64))
        return lambda n: _jax().device_put(held(n)).block_until_ready()

    return {"on a line": of(0), "beside it": of(16)}


def trials(size=1000):
    """Return {way: function} that tell who shares memory.

    Each returns what `buffers.shares` says of a way between two holders of
    so many numbers, float64, on the processor.  It raises ImportError for
    want of a library.
    """

    def into_form(name, offset):
        source = aligned(size, offset, np.float64)
        return lambda: shares(FORMS[name].load, source)

    def put(offset):
        source = aligned(size, offset, np.float64)
        return lambda: shares(lambda x: _jax().device_put(x), source)

    def out_of_form(name):
        array = np.ones(size)
        form = FORMS[name]
        return lambda: shares(form.unload, form.load(array))

    def torch_to_jax():
        tensor = _torch().from_numpy(aligned(size, 0, np.float64))
        return shares(_jax().numpy.from_dlpack, tensor)

    def jax_to_torch():
        array = FORMS["JAX"].load(np.ones(size))
        return shares(_torch().from_dlpack, array)

    return {
        "array to TensorFlow": into_form("TensorFlow", 16),
        "TensorFlow to array": out_of_form("TensorFlow"),
        "array to PyTorch": into_form("PyTorch", 16),
        "PyTorch to array": out_of_form("PyTorch"),
        "array to JAX": into_form("JAX", 16),
        "device_put to JAX, 16 bytes past a line": put(16),
        "device_put to JAX, on a line": put(0),
        "JAX to array": out_of_form("JAX"),
        "PyTorch to JAX, by DLPack": torch_to_jax,
        "JAX to PyTorch, by DLPack": jax_to_torch,
    }


def shared():
    """Return {way: what `buffers.shares` says of it}, of all `trials`.

    Those that lack a library are left out.
    """
    said = {}
    for name, trial in trials().items():
        with spared({}, name):
            said[name] = list(trial())
    return said
