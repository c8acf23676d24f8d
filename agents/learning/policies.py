"""Turns policies of any library into functions: from observations and masks to probabilities.

``policy_function`` knows models of Stable-Baselines3, policies of Tianshou and modules of PyTorch;
``torch_policy``, ``torchrl_policy`` and ``rllib_policy`` say more where a module needs it. All
answer any number of positions by one forward pass, and see exactly what the environments show:
``observation_writer`` writes both. A policy is greedy here where the move must be one: the
likeliest legal action, or that of the greatest Q.
"""

from __future__ import annotations

import contextlib
import inspect
import random
import sys
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from adv_envs import Position
from adv_envs.envs.observation import observation_writer
from adv_envs.layout import smallest_dtype
from agents.agent import Agent
from agents.networks.checkpoint import softmax

PolicyFunction = Callable[[NDArray[Any], NDArray[np.bool_]], Any]
"""Probabilities or weights (n, num_actions), or actions (n,), as an array or a tensor, from
observations (n, *observation_shape), of the type that environments give, and masks (n,
num_actions), True where legal. Weights of illegal actions do not count."""


class BatchPolicy:
    """Wraps a policy as a function of observations and masks, with its ``modules``.

    ``modules`` are those of PyTorch that must not train in the meantime.
    """

    def __init__(self, function: PolicyFunction, modules: Sequence[Any] = ()) -> None:
        self.function, self.modules = function, tuple(modules)

    def __call__(self, observations: NDArray[Any], masks: NDArray[np.bool_]) -> Any:
        """Returns the probabilities or actions, see ``PolicyFunction``."""
        return self.function(observations, masks)


# ---- what environments show


def observations_of(
    start: Position, positions: Sequence[Position]
) -> tuple[NDArray[Any], NDArray[np.bool_]]:
    """Returns what the players to move see: observations (n, *observation_shape), and masks.

    They are those of the environments, of the same type.
    """
    writer, n = observation_writer(start), len(positions)
    seen = np.zeros((n, *start.observation_shape), smallest_dtype(start))
    masks = np.zeros((n, start.num_actions), np.bool_)
    for i, position in enumerate(positions):
        shown = writer.observe(position, position.to_move, True)
        seen[i], masks[i] = shown["observation"], shown["action_mask"]
    return seen, masks


def probabilities_of(
    policy: PolicyFunction, observations: NDArray[Any], masks: NDArray[np.bool_]
) -> NDArray[np.float64]:
    """Returns the weights that a policy gives to actions, (n, num_actions), 0 where illegal.

    ValueError for an answer of another shape, negative or undefined weights, illegal actions, and
    positions at which no legal action has any weight.
    """
    answer = as_array(policy(observations, masks))
    if answer.shape == masks.shape[:1] and np.issubdtype(answer.dtype, np.integer):
        rows = np.arange(len(answer))
        inside = (answer >= 0) & (answer < masks.shape[1])
        legal = inside & masks[rows, np.where(inside, answer, 0)]
        if not legal.all():
            i = int(np.argmin(legal))
            raise ValueError(
                f"the policy answers with {answer[i]}, where {np.flatnonzero(masks[i]).tolist()} "
                "are legal: it must heed the mask, as in learning"
            )
        weights = np.zeros(masks.shape)
        weights[rows, answer] = 1.0
        return weights
    if answer.shape != masks.shape:
        raise ValueError(
            f"a policy returns an array {masks.shape} of probabilities, or {masks.shape[:1]} of "
            f"actions, not {answer.shape} of {answer.dtype}"
        )
    weights = np.where(masks, np.asarray(answer, np.float64), 0.0)
    if not (weights >= 0).all() or not np.isfinite(weights).all():
        raise ValueError(
            "a policy returns probabilities, at least 0: of logits, take the softmax, or give the "
            "module itself"
        )
    if not (weights.sum(1) > 0).all():
        raise ValueError("the policy gives no probability to any legal action at some position")
    return weights


def masked(numbers: Any, masks: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Returns logits or values (n, num_actions), a tensor or an array, with -inf where illegal."""
    found = as_array(numbers)
    if found.shape != masks.shape:
        raise ValueError(f"logits or values of shape {masks.shape} are needed, not {found.shape}")
    return np.where(masks, found.astype(np.float64), -np.inf)


def as_array(numbers: Any) -> NDArray[Any]:
    """Returns a tensor or an array as an array."""
    return np.asarray(numbers.detach().cpu() if hasattr(numbers, "detach") else numbers)


def masked_softmax(logits: Any, masks: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Returns probabilities (n, num_actions) by logits, a tensor or an array; 0 where illegal."""
    return softmax(masked(logits, masks))


def greediest(values: Any, masks: NDArray[np.bool_]) -> NDArray[np.intp]:
    """Returns the legal action of the greatest value, (n,), by a tensor or array of them."""
    return np.asarray(masked(values, masks).argmax(1), np.intp)


def fit(observations: NDArray[Any], shape: tuple[int, ...]) -> NDArray[Any]:
    """Returns observations as a learner saw them: as they are, flat, or with channels first.

    ValueError for any other ``shape`` of one observation.
    """
    own = observations.shape[1:]
    if shape == own:
        return observations
    if shape == (int(np.prod(own)),):
        return observations.reshape(len(observations), -1)
    if len(own) == 3 and shape == (own[2], own[0], own[1]):
        return np.ascontiguousarray(observations.transpose(0, 3, 1, 2))
    raise ValueError(
        f"the policy wants observations of shape {shape}, and this game's are {own}, flat or with "
        "channels first: give a function of observations and masks that makes what it wants"
    )


# ---- policies of the libraries


def torch_policy(
    module: Any,
    shape: tuple[int, ...] | None = None,
    *,
    masked: bool | None = None,
    greedy: bool = False,
) -> BatchPolicy:
    """Returns the policy of a PyTorch module, whose output, or the first of it, is logits.

    Logits are (n, num_actions). It is given floats on the device of its parameters, of ``shape``
    (None: the game's own; flat or with channels first as well), and if it is ``masked`` a tensor of
    masks too (None: where its ``forward`` has a second argument that must be given). With
    ``greedy`` the outputs are no logits but values, such as Q: the greatest is played.
    """
    import torch

    needs_mask = required_arguments(module.forward) >= 2 if masked is None else masked

    def ask(observations: NDArray[Any], masks: NDArray[np.bool_]) -> Any:
        device = next((p.device for p in module.parameters()), torch.device("cpu"))
        seen = fit(observations, shape) if shape is not None else observations
        given = [torch.from_numpy(np.asarray(seen, np.float32)).to(device)]
        if needs_mask:
            given.append(torch.from_numpy(masks).to(device))
        found = module(*given)
        logits = found[0] if isinstance(found, tuple) else found
        return greediest(logits, masks) if greedy else masked_softmax(logits, masks)

    return BatchPolicy(ask, [module])


def sb3_policy(model: Any) -> BatchPolicy:
    """Returns the policy of a model of Stable-Baselines3 or sb3-contrib, its masks heeded.

    Probabilities of MaskablePPO, PPO and A2C; of DQN the action of the greatest Q. Observations are
    as the model's observation space says: the game's own, flat, with channels first, or a dict with
    "observation" and "action_mask". TypeError for other algorithms.
    """
    policy, space = model.policy, model.observation_space

    def ask(observations: NDArray[Any], masks: NDArray[np.bool_]) -> Any:
        if hasattr(space, "spaces"):
            shown: Any = {"observation": observations, "action_mask": masks.astype(np.int8)}
            seen: Any = {
                key: fit(shown[key], each.shape).astype(each.dtype)
                for key, each in space.spaces.items()
            }
        else:
            seen = fit(observations, space.shape).astype(space.dtype)
        tensor = policy.obs_to_tensor(seen)[0]
        if hasattr(policy, "q_net"):
            return greediest(policy.q_net(tensor), masks)
        return masked_softmax(policy.get_distribution(tensor).distribution.logits, masks)

    if not hasattr(policy, "q_net") and not hasattr(policy, "get_distribution"):
        raise TypeError(
            f"policies of PPO, MaskablePPO, A2C and DQN are graded, not of {type(model).__name__}: "
            "give a function of observations and masks"
        )
    return BatchPolicy(ask, [policy])


def tianshou_policy(policy: Any) -> BatchPolicy:
    """Returns a policy of Tianshou that was learnt on ``PettingZooEnv``, its masks heeded.

    Actions of the greatest Q, or probabilities where the policy has a distribution.
    """
    from tianshou.data import Batch

    def ask(observations: NDArray[Any], masks: NDArray[np.bool_]) -> Any:
        batch = Batch(obs=Batch(obs=observations, mask=masks), info=Batch())
        found = policy(batch)
        if "dist" in found.get_keys():
            return found.dist.probs
        return greediest(found.logits, masks)

    return BatchPolicy(ask, [policy])


def torchrl_policy(
    actor: Any,
    observation: Any = "observation",
    mask: Any = "action_mask",
    action: Any = "action",
    group: int | None = None,
) -> BatchPolicy:
    """Returns the policy of a module of TorchRL that writes ``action`` into a TensorDict.

    ``observation``, ``mask`` and ``action`` are the keys of the actor; the action is the likeliest
    one, as a number or one-hot. ``group`` is the number of players in the group of a multi-agent
    environment, for a tensor of shape (n, group, ...) in which all players are shown the same.
    """
    import torch
    from tensordict import TensorDict
    from torchrl.envs.utils import ExplorationType, set_exploration_type

    def shown(array: NDArray[Any], device: Any) -> Any:
        tensor = torch.from_numpy(array).to(device)
        return tensor if group is None else torch.stack([tensor] * group, 1)

    def ask(observations: NDArray[Any], masks: NDArray[np.bool_]) -> Any:
        device = next((p.device for p in actor.parameters()), torch.device("cpu"))
        data = TensorDict({}, batch_size=[len(masks)], device=device)
        data[observation], data[mask] = shown(observations, device), shown(masks, device)
        with set_exploration_type(ExplorationType.DETERMINISTIC):
            found = actor(data)[action]
        found = found if group is None else found[:, 0]
        return found.argmax(-1) if found.ndim == 2 else found

    return BatchPolicy(ask, [actor])


def rllib_policy(module: Any, observe: Callable[..., Any]) -> BatchPolicy:
    """Returns the policy of an ``RLModule`` of RLlib with PyTorch, whose outputs are logits.

    ``observe(observations, masks)`` returns the module's observations as arrays, in the form that
    its environment has: an ``ObservationForm``, or a function.
    """
    import torch

    def to_tensor(seen: Any) -> Any:
        if isinstance(seen, dict):
            return {key: to_tensor(each) for key, each in seen.items()}
        device = next((p.device for p in module.parameters()), torch.device("cpu"))
        return torch.from_numpy(np.ascontiguousarray(seen)).to(device)

    def ask(observations: NDArray[Any], masks: NDArray[np.bool_]) -> Any:
        found = module.forward_inference({"obs": to_tensor(observe(observations, masks))})
        return masked_softmax(found["action_dist_inputs"], masks)

    return BatchPolicy(ask, [module])


# ---- any policy


def required_arguments(function: Any) -> int:
    """Returns how many arguments a function must be given by position."""
    some = inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD
    given = inspect.signature(function).parameters.values()
    return sum(each.kind in some and each.default is each.empty for each in given)


LIBRARIES: tuple[tuple[str, str, Callable[[Any], BatchPolicy]], ...] = (
    ("stable_baselines3.common.base_class", "BaseAlgorithm", sb3_policy),
    ("tianshou.algorithm.algorithm_base", "Policy", tianshou_policy),
    ("tianshou.algorithm", "Algorithm", lambda algorithm: tianshou_policy(algorithm.policy)),
    ("tensordict.nn", "TensorDictModuleBase", torchrl_policy),
    ("torch.nn", "Module", torch_policy),
)
"""The classes of libraries, which need not be loaded, and what makes a function of their policies;
the first that fits counts."""


def policy_function(policy: Any) -> BatchPolicy | None:
    """Returns a policy of any library as a function of observations and masks.

    None for an agent, its spec, or a function of a position, which are asked one by one. TypeError
    for what is no policy.
    """
    if isinstance(policy, BatchPolicy):
        return policy
    if isinstance(policy, str | Agent):
        return None
    for module, name, function_of in LIBRARIES:
        found = getattr(sys.modules.get(module), name, None)
        if found is not None and isinstance(policy, found):
            return function_of(policy)
    if callable(policy) and required_arguments(policy) == 2:
        return BatchPolicy(policy)
    if callable(policy) and not isinstance(policy, type):
        return None
    raise TypeError(
        "a policy is an agent or its spec, a function of a position, a function of observations "
        f"and masks, a PyTorch module, or a model of a library, not {policy!r}"
    )


class GreedyPolicyAgent(Agent):
    """Plays a policy as an agent: the likeliest legal action, the first of equals."""

    name = "learner"

    def __init__(self, policy: PolicyFunction, start: Position) -> None:
        self.policy, self.start = policy, start

    def act(self, position: Position) -> int:
        """Returns the likeliest legal action."""
        seen, masks = observations_of(self.start, [position])
        return int(probabilities_of(self.policy, seen, masks)[0].argmax())

    def __repr__(self) -> str:
        return self.name


# ---- what an evaluation leaves as it was


def random_state() -> dict[str, Any]:
    """Returns the state of the global random numbers of PyTorch, NumPy and Python.

    Those of all CUDA devices are among it, where CUDA is in use; without PyTorch loaded, there are
    only those of NumPy and Python.
    """
    torch: Any = sys.modules.get("torch")
    version, numbers, gauss = random.getstate()
    kind, keys, *rest = np.random.get_state()  # noqa: NPY002 - libraries draw from it
    words: Any = np.array(keys, np.int64)
    python = [version, list(numbers), gauss]
    if torch is None:
        return {"numpy": [str(kind), words, *rest], "python": python}
    return {
        "torch": torch.get_rng_state(),
        "cuda": torch.cuda.get_rng_state_all() if torch.cuda.is_initialized() else [],
        "numpy": [str(kind), torch.from_numpy(words), *rest],
        "python": python,
    }


def set_random_state(state: dict[str, Any]) -> None:
    """Sets the state that ``random_state`` returned."""
    if "torch" in state:
        import torch

        torch.set_rng_state(state["torch"])
        if state.get("cuda"):
            torch.cuda.set_rng_state_all(state["cuda"])
    kind, keys, *rest = state["numpy"]
    np.random.set_state((kind, np.asarray(keys).astype(np.uint32), *rest))  # noqa: NPY002 - as above
    version, numbers, gauss = state["python"]
    random.setstate((version, tuple(numbers), gauss))


@contextlib.contextmanager
def undisturbed(*parts: Any) -> Iterator[None]:
    """Evaluates in its block: without gradients, and then everything is as it was.

    That is the global random numbers of PyTorch, NumPy and Python, and for each of ``parts`` that
    is a PyTorch module whether each of its modules trains; in the block all of them evaluate, so
    that dropout is off and batch normalisation learns nothing.
    """
    torch: Any = sys.modules.get("torch")
    modules = [part for part in parts if torch is not None and isinstance(part, torch.nn.Module)]
    modes = [(each, each.training) for module in modules for each in module.modules()]
    state = random_state()
    try:
        for module in modules:
            module.eval()
        with contextlib.nullcontext() if torch is None else torch.no_grad():
            yield
    finally:
        for each, training in modes:
            each.training = training
        set_random_state(state)
