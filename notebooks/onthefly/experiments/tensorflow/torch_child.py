"""The same network in PyTorch, with the same numbers, exported."""

from onthefly.tools.quiet_torch import torch

functional = torch.nn.functional


class Twin(torch.nn.Module):
    """Digits to scores, as `small_net.Net` in TensorFlow.

    weights  {name: array} of the network; TensorFlow has the channels last,
             PyTorch first
    """

    def __init__(self, weights):
        super().__init__()
        for name, array in weights.items():
            tensor = torch.tensor(array)
            if tensor.ndim == 4:
                tensor = tensor.permute(3, 2, 0, 1).contiguous()
            setattr(self, name, torch.nn.Parameter(tensor))

    def forward(self, images):
        x = images.permute(0, 3, 1, 2)
        for k in "conv1", "conv2":
            weight, bias = getattr(self, k), getattr(self, f"{k}_bias")
            x = functional.conv2d(x, weight, bias, padding="same")
            x = functional.max_pool2d(functional.relu(x), 2)
        x = x.permute(0, 2, 3, 1).flatten(1)
        x = functional.relu(x @ self.hidden + self.hidden_bias)
        return x @ self.classes + self.classes_bias


def save(weights, images, file):
    """Export the twin for any number of images; write the file.

    weights  {name: array}
    images   an example, float32 of shape (count, 16, 16, 1)
    """
    batch = torch.export.Dim("batch", min=1, max=4096)
    program = torch.export.export(
        Twin(weights),
        (torch.from_numpy(images),),
        dynamic_shapes={"images": {0: batch}},
    )
    torch.export.save(program, str(file))
