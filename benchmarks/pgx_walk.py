"""Random games of Pgx in one compiled loop, for ``batch.py`` and ``batch_gpu.py``."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import pgx
from pgx.experimental.wrappers import auto_reset


def pgx_walk(name: str, batch: int, plies: int) -> tuple[Callable[[], int], float]:
    """Returns what makes ``plies`` in ``batch`` games, and the bytes of an environment.

    Steps are jitted and vmapped, and games that end begin again. The first call compiles.
    """
    env = pgx.make(name)  # type: ignore[arg-type]
    step = jax.vmap(auto_reset(env.step, env.init))

    def move(_: int, carry: Any) -> Any:
        state, key = carry
        key, draw, chance = jax.random.split(key, 3)
        scores = jax.random.uniform(draw, state.legal_action_mask.shape)
        actions = (scores * state.legal_action_mask).argmax(axis=1)
        return step(state, actions, jax.random.split(chance, batch)), key

    run = jax.jit(lambda state, key: jax.lax.fori_loop(0, plies, move, (state, key)))
    key = jax.random.PRNGKey(0)
    carry = [jax.jit(jax.vmap(env.init))(jax.random.split(key, batch)), key]
    size = sum(leaf.nbytes for leaf in jax.tree_util.tree_leaves(carry[0])) / batch

    def play() -> int:
        carry[:] = jax.block_until_ready(run(*carry))
        return plies * batch

    return play, size
