"""PyTorch by numbers of threads."""

from cases import torch_or_skip


def test_threads_are_set_back():
    torch = torch_or_skip()
    from onthefly.experiments.gpu import torch_trials

    threads = torch.get_num_threads()
    torch_trials.by_threads(1000, budget=0.1)
    assert threads == torch.get_num_threads()
