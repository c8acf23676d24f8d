"""What an evaluation in the middle of a training must leave as it was: random numbers and modes."""

from __future__ import annotations

import contextlib
import random
import sys
from collections.abc import Iterator
from typing import Any

import numpy as np


def random_state() -> dict[str, Any]:
    """Returns the state of the global random numbers of PyTorch, NumPy and Python.

    Those of all CUDA devices are among it, where CUDA is in use.
    """
    import torch

    version, numbers, gauss = random.getstate()
    kind, keys, *rest = np.random.get_state()  # noqa: NPY002 - libraries draw from it
    devices = torch.cuda.get_rng_state_all() if torch.cuda.is_initialized() else []
    return {
        "torch": torch.get_rng_state(),
        "cuda": devices,
        "numpy": [str(kind), torch.from_numpy(np.array(keys, np.int64)), *rest],
        "python": [version, list(numbers), gauss],
    }


def set_random_state(state: dict[str, Any]) -> None:
    """Sets the state that ``random_state`` returned."""
    import torch

    torch.set_rng_state(state["torch"])
    if state.get("cuda"):
        torch.cuda.set_rng_state_all(state["cuda"])
    kind, keys, *rest = state["numpy"]
    np.random.set_state((kind, keys.numpy().astype(np.uint32), *rest))  # noqa: NPY002 - as above
    version, numbers, gauss = state["python"]
    random.setstate((version, tuple(numbers), gauss))


@contextlib.contextmanager
def undisturbed(*parts: Any) -> Iterator[None]:
    """Evaluates in its block: without gradients, and then everything is as it was.

    That is the global random numbers of PyTorch, NumPy and Python, and for each of ``parts`` that
    is a PyTorch module whether each of its modules trains; in the block all of them evaluate, so
    that dropout is off and batch normalisation learns nothing. Without PyTorch loaded, there are
    only the random numbers of NumPy and Python.
    """
    if "torch" not in sys.modules:
        python, numbers = random.getstate(), np.random.get_state()  # noqa: NPY002 - as above
        try:
            yield
        finally:
            random.setstate(python)
            np.random.set_state(numbers)  # noqa: NPY002 - as above
        return
    import torch

    modules = [part for part in parts if isinstance(part, torch.nn.Module)]
    modes = [(each, each.training) for module in modules for each in module.modules()]
    state = random_state()
    try:
        for module in modules:
            module.eval()
        with torch.no_grad():
            yield
    finally:
        for each, training in modes:
            each.training = training
        set_random_state(state)
