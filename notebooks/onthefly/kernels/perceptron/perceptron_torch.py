"""The small network trained by PyTorch, a neighbour that is eager as well."""

from onthefly.kernels.perceptron import HIDDEN, INPUTS, RATE
from onthefly.tools.quiet_torch import torch


def descend(model, x, y, rate):
    """Take one step down; x and y are one batch, tensors.

    By hand, as the eager trainer's: PyTorch's optimisers are slow to import.
    """
    torch.nn.functional.mse_loss(model(x), y).backward()
    with torch.no_grad():
        for p in model.parameters():
            p -= rate * p.grad
            p.grad = None


class Torch:
    """A trainer: see perceptron.

    weights  arrays of perceptron.SHAPES
    rate     of learning
    """

    def __init__(self, weights, rate=RATE):
        self._model = torch.nn.Sequential(
            torch.nn.Linear(INPUTS, HIDDEN),
            torch.nn.Tanh(),
            torch.nn.Linear(HIDDEN, 1),
        )
        for p, w in zip(self._model.parameters(), weights, strict=True):
            p.data = torch.tensor(w.T.copy())
        self._rate = rate

    def train(self, x, y):
        """Take a step for each batch of x and y."""
        for pair in zip(x, y, strict=True):
            batch = map(torch.from_numpy, pair)
            descend(self._model, *batch, self._rate)

    def weights(self):
        """Return the weights as arrays."""
        return [p.detach().numpy().T for p in self._model.parameters()]
