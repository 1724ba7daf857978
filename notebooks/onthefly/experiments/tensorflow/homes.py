"""The homes of one model, which move in when they are first asked."""

import functools

from onthefly.experiments.tensorflow import flat, runtimes


class Homes:
    """Some homes of a model, a process each.

    model  a runtimes.Model
    names  keys of runtimes.FILES
    """

    def __init__(self, model, names):
        self._model, self._names = model, names

    @functools.cached_property
    def _settled(self):
        # What the homes import, they import while the model learns.
        waiting = {name: runtimes.Runtime(name) for name in self._names}
        return runtimes.settle(self._model, waiting)

    def __getitem__(self, name):
        return self._settled[name]

    def facts(self, images):
        """Return {name: what is known of a home that has scored images}.

        Its "memory" in bytes, None where unknown; whether it has loaded
        "TensorFlow" in Python; whether its file is "mapped", None where the
        system does not tell.
        """
        runtimes.compare(self._settled, self._model.scores(images), images)
        return {
            name: {
                "memory": home.known()["memory"],
                "TensorFlow": home.known()["TensorFlow"],
                "mapped": home.mapped,
            }
            for name, home in self._settled.items()
        }

    def close(self):
        """End the processes, and those of the model."""
        if "_settled" in vars(self):
            runtimes.close(*self._settled.values())
        self._model.close()


def flatbuffers(model):
    """Return {what should hold of a model's files: whether it does}."""
    lites = [
        _written(model, home).read_bytes()
        for home in ("LiteRT", "LiteRT int8")
    ]
    saved = _written(model, "SavedModel") / "saved_model.pb"
    return {
        "the float32 file names the schema": _named(lites[0]),
        "the int8 file names the schema": _named(lites[1]),
        "the schema reads the float32 file": _read(lites[0]),
        "the schema reads the int8 file": _read(lites[1]),
        "the SavedModel does not name it": not _named(saved.read_bytes()),
    }


def _written(model, home):
    """Return the path of a home's file, which may be there already."""
    path = model.folder / runtimes.FILES[home][0]
    return path if path.exists() else model.save(home)


def _named(data):
    return flat.head(data)[0] == flat.IDENTIFIER


def _read(data):
    return flat.model(data).SubgraphsLength() == 1
