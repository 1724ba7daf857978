"""Who shares memory with whom, by address."""

from cases import needs_gpu
from onthefly.experiments.memory import sharing

CUDA = needs_gpu("torch")


def test_addresses_show_who_shares():
    ways = sharing.on_the_host()
    shared = {name: sharing.shared(*case) for name, case in ways.items()}
    assert shared["torch.from_dlpack(array)"] == "yes"
    assert shared["torch.tensor(array)"] == "no"
    assert shared["np.from_dlpack(tensor, copy=True)"] == "no"
    gradient = shared["np.from_dlpack(tensor with gradient)"]
    assert gradient.startswith("refused")


@CUDA
def test_the_device_shares_too():
    ways = sharing.on_the_device()
    shared = {name: sharing.shared(*case) for name, case in ways.items()}
    assert shared.pop("np.from_dlpack(CUDA tensor)") != "yes"
    assert set(shared.values()) == {"yes"}
