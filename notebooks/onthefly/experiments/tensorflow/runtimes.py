"""One trained model and its homes: who trains, who saves, who opens.

The trainer's process alone knows how the network is made.  A home is a
process with one runtime, which is given a file.
"""

import functools
import shutil
import tempfile
from pathlib import Path

from onthefly.experiments.tensorflow import glyphs
from onthefly.measure import clock, libraries
from onthefly.measure.quantity import Quantity
from onthefly.page import missing
from onthefly.tools.processes import ProcessError, Program

_HERE = "onthefly.experiments.tensorflow."
SAMPLE = 0.004  # seconds that a sample of calls lasts at least

# {home: (its file, who writes it, further arguments)}
FILES = {
    "SavedModel": ("served/1", "save_saved_model"),
    "SavedModel in C": ("served/1", None),
    "frozen graph in C": ("frozen.pb", "save_frozen"),
    "LiteRT": ("float32.tflite", "save_lite"),
    "LiteRT int8": ("int8.tflite", "save_lite", "int8"),
    "ONNX": ("model.onnx", "save_onnx"),
    "torch.export": ("twin.pt2", "twin"),
    "RPC": ("served/1", "serve"),
}
# Those that run the graph itself, with 32-bit numbers.
FLOAT = [k for k in FILES if k not in ("LiteRT int8", "torch.export")]


class Model:
    """A network that a process of its own trains, once it is asked for.

    seed    of images, weights and order
    count   images to learn from
    epochs  how often each is used

    `cost` says what the training took, `folder` where the files are; they
    go with the object, or at `close`.
    """

    def __init__(self, seed, count=4000, epochs=8):
        self._folder = tempfile.TemporaryDirectory(prefix="onthefly-")
        self.folder = Path(self._folder.name)
        self.seed, self._count, self._epochs = seed, count, epochs
        self._cost = None
        self._others = {}

    @functools.cached_property
    def _trainer(self):
        trainer = Program(_HERE + "training_child")
        trainer.send("train", self.seed, self._count, self._epochs)
        return trainer

    @property
    def cost(self):
        """What the training cost, as `training_child.train` tells it."""
        if self._cost is None:
            try:
                self._cost = self._trainer.receive()
            except ProcessError as error:  # nobody will answer once more
                self._cost = error
        if isinstance(self._cost, ProcessError):
            raise self._cost
        return self._cost

    def _check(self):
        """Raise what kept the network from being trained."""
        return self.cost

    def prepare(self, *modules):
        """Start the training, and programs that `save` will need."""
        assert self._trainer
        for module in modules:
            self._other(module)

    def ask(self, function, *arguments):
        """Return what a function of the trainer returns."""
        self._check()
        return self._trainer.ask(function, *arguments)

    def scores(self, images):
        """Return the scores that the network itself computes, eagerly."""
        return self.ask("scores", images)

    def examples(self, count=100, brightness=1.0):
        """Return images that stand for those to come, none of them used."""
        return glyphs.draw(count, self.seed + 2, brightness)[0]

    def held_out(self, count):
        """Return images and labels that training has not seen."""
        return glyphs.draw(count, self.seed + 1)

    def save(self, home):
        """Write what a home opens; return its path, or a server's address."""
        self._check()
        name, by, *more = FILES[home]
        path = self.folder / name
        path.parent.mkdir(exist_ok=True)
        if by == "twin":
            save = self._other("torch_child").ask
            save("save", self.ask("numbers"), self.examples(2), path)
        elif by == "serve":
            return self.serve(path.parent)
        elif by:
            more += [self.examples()] if more else []
            self.ask(by, path, *more)
        return path

    def serve(self, folder):
        """Serve the versions in a folder; return the server's address."""
        return self._other("predictor_child").ask("serve", folder)

    def train_on(self, epochs):
        """Train further, on the same images; return what that cost."""
        return self.ask("train_on", self.seed, self._count, epochs)

    def publish(self, version):
        """Put the network as it is among the versions that are served.

        It is written elsewhere and moved in whole, for a server may look at
        any moment.  Returns the path.
        """
        made = self.folder / f"made-{version}"
        path = self.folder / "served" / str(version)
        path.parent.mkdir(exist_ok=True)
        self.ask("save_saved_model", made)
        Path(f"{made}.json").rename(f"{path}.json")
        return made.rename(path)

    def withdraw(self, version):
        """Take a version from those that are served."""
        self._check()
        path = self.folder / "served" / str(version)
        shutil.rmtree(path.rename(self.folder / f"gone-{version}"))

    def lite(self, kind, examples=None, name=""):
        """Convert for LiteRT, in one of `training_child.save_lite`'s kinds.

        Returns the path.
        """
        path = self.folder / f"{name or kind}.tflite"
        self.ask("save_lite", path, kind, examples)
        return path

    def _other(self, module):
        if module not in self._others:
            self._others[module] = Program(_HERE + module)
        return self._others[module]

    def close(self):
        """End the processes, and delete the files."""
        programs = [*self._others.values()]
        if "_trainer" in vars(self):
            programs.append(self._trainer)
        for program in programs:
            program.close()
        self._folder.cleanup()


class Runtime:
    """A process with one runtime.

    name  key of FILES; the runtime is imported at once, beside others
    """

    def __init__(self, name):
        self.name, self.file = name, None
        self._program = Program(_HERE + "runtime_child")
        self._program.send("prepare", name)
        self._calls = {}

    def open(self, file):
        """Open a model; Failed, from an ImportError, where a library lacks.

        file  its path, or a server's address
        """
        if self.file is None:
            self.file = file  # also where this fails: it answers once
            self.imported = self._program.receive()
        self.file = file
        answer = self._program.ask("move_in", self.name, file)
        self.loaded, self.mapped = answer["load"], answer["mapped"]
        return self

    @property
    def size(self):
        """The bytes of its file, or of all files of its folder."""
        path = Path(self.file)
        files = path.rglob("*") if path.is_dir() else [path]
        return sum(f.stat().st_size for f in files if f.is_file())

    def scores(self, images):
        """Return the model's scores of images."""
        return self._program.ask("scores", images)

    def seconds(self, count):
        """Return the seconds of a call with so many images, by its clock."""
        if count not in self._calls:
            self._program.ask("feed", glyphs.draw(count, 0)[0])
            first = self._program.ask("seconds", count, 1)
            self._calls[count] = max(1, int(SAMPLE / first))
        return self._program.ask("seconds", count, self._calls[count])

    def processor(self, count, calls):
        """Return the processor seconds of a call with so many images."""
        self._program.ask("feed", glyphs.draw(count, 0)[0])
        return self._program.ask("processor", count, calls)

    def known(self):
        """Return what the process has loaded, as `runtime_child.known`."""
        return self._program.ask("known")

    def close(self):
        """End the process."""
        self._program.close()


def settle(model, runtimes):
    """Open a model in each of the runtimes; return {name: Runtime}.

    model  a Model
    runtimes  {name: Runtime}, made beforehand

    A home whose library is missing is left out, and a line says so.
    """
    settled, lacks = _settled(model, runtimes)
    missing.leave_out(lacks)
    return settled


def _settled(model, runtimes):
    """Return {name: Runtime} and {name of one left out: what it lacks}."""
    lacks, settled = {}, {}
    for name, home in runtimes.items():
        with libraries.spared(lacks, name):
            settled[name] = home.open(model.save(name))
    return settled, lacks


class Homes:
    """The homes of a model, which move in once they are asked.

    model  a Model
    """

    def __init__(self, model):
        self._model = model

    @functools.cached_property
    def _moved_in(self):
        # What the homes import, they import while the model learns.
        self._model.prepare("torch_child", "predictor_child")
        waiting = {name: Runtime(name) for name in FILES}
        return _settled(self._model, waiting)

    @property
    def _open(self):
        return self._moved_in[0]

    def scores(self, images):
        """Return {name: scores of the images}."""
        return {
            name: home.scores(images) for name, home in self._open.items()
        }

    def facts(self, images):
        """Return what is known of the homes, JSON-ready.

        {"homes": {name: facts}, "lacks": {name of one left out: the name of
        what is missing}, "largest": the network's largest score, beside
        which all others are put}.  Raises ValueError unless there are as
        many scores as images.
        """
        eager = self._model.scores(images)
        if len(eager) != len(images):
            raise ValueError(f"{len(eager)} scores of {len(images)} images")
        scores = self.scores(images)
        return {
            "homes": {
                name: _facts(home, scores[name], eager)
                for name, home in self._open.items()
            },
            "lacks": self._moved_in[1],
            "largest": float(abs(eager).max()),
        }

    def latency(self, sizes, **options):
        """Return the Samples of calls with so many images.

        options  of `clock.sample`
        """
        return latency(self._open, sizes, **options)

    def close(self):
        """End their processes."""
        if "_moved_in" in vars(self):
            close(*self._open.values())


def latency(homes, sizes, **options):
    """Return the Samples of calls of Runtimes, each by its own clock.

    homes    {name: Runtime}
    sizes    numbers of images in a call
    options  of `clock.sample`
    """
    samplers = {name: home.seconds for name, home in homes.items()}
    return clock.sample(samplers, sizes=sizes, **options)


def _facts(home, scores, eager):
    known = home.known()
    assert not known["training code"], home.name
    return {
        "bytes": None if home.name == "RPC" else home.size,
        "import": None if home.name.endswith("in C") else home.imported,
        "load": home.loaded,
        "memory": known["memory"],
        "TensorFlow": known["TensorFlow"],
        "gap": gap(scores, eager),
        "others": others(scores, eager),
    }


def rows(homes):
    """Return a table's rows.

    homes  {name: facts}, as of `Homes.facts`
    """
    return [
        {
            "home": name,
            "bytes": f"{one['bytes']:,}" if one["bytes"] else "at the server",
            "import": _seconds(one["import"]) or "with load",
            "load": _seconds(one["load"]),
            "peak memory": mebibytes(one["memory"]),
            "TensorFlow's Python": "yes" if one["TensorFlow"] else "no",
            "largest difference": f"{one['gap']:.2g}",
            "other classes": one["others"],
        }
        for name, one in homes.items()
    ]


def _seconds(value):
    return "" if value is None else Quantity.exact(value, "s").short


def compare(settled, eager, images):
    """Return {name: scores} and the rows of a table of runtimes.

    settled  {name: Runtime}
    eager    the network's own scores of the images

    Raises ValueError unless there are as many scores as images.
    """
    if len(eager) != len(images):
        raise ValueError(f"{len(eager)} scores of {len(images)} images")
    scores = {name: home.scores(images) for name, home in settled.items()}
    facts = {k: _facts(home, scores[k], eager) for k, home in settled.items()}
    return scores, rows(facts)


def mebibytes(count):
    """Return bytes as text in MiB; None is unknown."""
    return f"{count / 2**20:.0f} MiB" if count else "unknown"


def gap(scores, others):
    """Return the largest difference of two arrays of scores."""
    return float(abs(scores - others).max())


def others(scores, eager):
    """Return in how many images another class has the highest score."""
    return int((scores.argmax(1) != eager.argmax(1)).sum())


def close(*held):
    """End the processes of models and runtimes."""
    for one in held:
        one.close()
