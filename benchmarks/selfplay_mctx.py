"""Runs self-play of mctx with Pgx, for ``selfplay.py``, which runs it in a Python that has both.

    python benchmarks/selfplay_mctx.py GAMES SIMULATIONS WIDTH BLOCKS

For each line that it reads it plays two moves in all games, with mctx's Gumbel MuZero policy, and
prints the positions per second of CPU time. One thread; the network has the layers of ours, with
batch normalisation made part of the weights, as ours has it in self-play.
"""

from __future__ import annotations

import os
import sys
import time
from typing import Any

os.environ["XLA_FLAGS"] = "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1"

try:
    import jax
    import jax.numpy as jnp
    import mctx
    import pgx
except ImportError as error:  # it runs beside no package of ours
    print(f"{error.name} is missing: pip install mctx pgx", file=sys.stderr)
    sys.exit(77)

PLIES = 2


def new_weights(key: Any, width: int, blocks: int, planes: int) -> list[Any]:
    """Returns kernels of all convolutions and matrices of all dense layers, in order."""
    shapes = [(3, 3, planes, width), *[(3, 3, width, width)] * (2 * blocks)]
    shapes += [(1, 1, width, 16), (16 * 42, 7), (1, 1, width, 8), (8 * 42, 64), (64, 1)]
    keys = jax.random.split(key, len(shapes))
    return [0.05 * jax.random.normal(k, shape) for k, shape in zip(keys, shapes, strict=True)]


def convolve(x: Any, kernel: Any) -> Any:
    """Returns a convolution with padding; images are (n, height, width, channels)."""
    return jax.lax.conv_general_dilated(
        x, kernel, (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC")
    )


def evaluate(weights: list[Any], x: Any) -> tuple[Any, Any]:
    """Maps observations to logits and values."""
    first, *blocks = weights[:-5]
    policy, to_logits, value, hidden, to_value = weights[-5:]
    x = convolve(x.astype(jnp.float32), first)
    for one, other in zip(blocks[::2], blocks[1::2], strict=True):
        x += convolve(jax.nn.relu(convolve(jax.nn.relu(x), one)), other)
    x = jax.nn.relu(x)
    logits = jax.nn.relu(convolve(x, policy)).reshape(len(x), -1) @ to_logits
    found = jax.nn.relu(convolve(x, value)).reshape(len(x), -1)
    return logits, jnp.tanh(jax.nn.relu(found @ hidden) @ to_value)[:, 0]


def masked(logits: Any, legal: Any) -> Any:
    """Returns the logits of legal actions."""
    return jnp.where(legal, logits - logits.max(-1, keepdims=True), jnp.finfo(logits.dtype).min)


def main() -> None:
    """Compiles, and plays when it is told to."""
    games, simulations, width, blocks = map(int, sys.argv[1:])
    env = pgx.make("connect_four")
    step, init = jax.vmap(env.step), jax.vmap(env.init)
    key = jax.random.PRNGKey(0)
    states = init(jax.random.split(key, games))
    weights = new_weights(key, width, blocks, states.observation.shape[-1])

    def recurrent(weights: Any, key: Any, action: Any, state: Any) -> Any:
        player = state.current_player
        state = step(state, action)
        logits, value = evaluate(weights, state.observation)
        reward = state.rewards[jnp.arange(len(action)), player]
        over = state.terminated
        return mctx.RecurrentFnOutput(
            reward=reward, discount=jnp.where(over, 0.0, -1.0),
            prior_logits=masked(logits, state.legal_action_mask), value=jnp.where(over, 0.0, value),
        ), state  # fmt: skip

    @jax.jit
    def move(weights: Any, states: Any, key: Any) -> Any:
        logits, value = evaluate(weights, states.observation)
        root = mctx.RootFnOutput(
            prior_logits=masked(logits, states.legal_action_mask), value=value, embedding=states
        )
        found = mctx.gumbel_muzero_policy(
            weights, key, root, recurrent, simulations,
            invalid_actions=~states.legal_action_mask, max_num_considered_actions=16,
        )  # fmt: skip
        states = step(states, found.action)
        fresh = init(jax.random.split(key, games))

        def pick(new: Any, old: Any) -> Any:
            return jnp.where(states.terminated.reshape(-1, *[1] * (old.ndim - 1)), new, old)

        return jax.tree_util.tree_map(pick, fresh, states), found.action_weights

    for _ in sys.stdin:
        began = time.process_time()
        for _ in range(PLIES):
            key, now = jax.random.split(key)
            states, policies = move(weights, states, now)
            policies.block_until_ready()
        print(PLIES * games / (time.process_time() - began), flush=True)


if __name__ == "__main__":
    main()
