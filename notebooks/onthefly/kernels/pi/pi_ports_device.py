"""The ports of `pi_ports` on a device: what had to change.

Each ``device_<way>(<library>, shots, device)`` is the port that runs on the
processor, changed so that it runs where `device` says; each
``around_<way>`` runs the port as it is.  Source: Okuda, PyCon JP 2018,
slides 28, 29 and 52.
"""

from onthefly.kernels.pi import pi_ports


def device_torch(torch, shots, device):
    """Return π by PyTorch; `device` goes into each line that creates."""
    x = torch.rand(shots, dtype=torch.float32, device=device)
    y = torch.rand(shots, dtype=torch.float32, device=device)
    r = torch.sqrt(torch.add(torch.multiply(x, x), torch.multiply(y, y)))
    one = torch.ones(shots, dtype=torch.float32, device=device)
    inside = torch.less_equal(r, one)
    hits = torch.count_nonzero(inside)
    return 4.0 * int(hits) / shots


def around_tensorflow(tf, shots, device):
    """Return π by TensorFlow; the device stands around the port."""
    with tf.device(device):
        return pi_ports.port_tensorflow(tf, shots)


def on_gpu(shots, tf=None, torch=None, cupy=None):
    """Return {library: π by its port on the GPU}, of the libraries given."""
    estimates = {}
    if tf:
        estimates["TensorFlow"] = around_tensorflow(tf, shots, "/GPU:0")
    if torch:
        estimates["PyTorch"] = device_torch(torch, shots, "cuda")
    if cupy:
        estimates["CuPy"] = pi_ports.port_cupy(cupy, shots)
    return estimates
