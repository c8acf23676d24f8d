"""Trains magnetic mirror descent: it learns hidden games from itself, graded exactly.

    python examples/train_mmd.py
    python examples/train_mmd.py --game liars_dice --steps 4000000

Magnetic mirror descent (S. Sokota and others, A Unified Approach to Reinforcement Learning, Quantal
Response Equilibria, and Two-Player Zero-Sum Games, ICLR 2023) makes steps that are held back by two
divergences, KL(policy, before) / STEP and the weight of the entropy times KL(policy, uniform), the
magnet. Everything else is that of train_hidden.py, where PPO clips steps instead. Its iterates
themselves approach an equilibrium as the pull of the magnet weakens; no average is needed.
"""

from typing import Any

import torch
from train_hidden import PPO, ratio_of, train

from agents.learning import run_command


class MMD(PPO):
    """Learns by magnetic mirror descent in self-play."""

    NAME = "MMD"
    STEP = 10.0
    """The larger, the less a step is held back, in units of the advantages' deviation."""

    def policy_loss(self, now: Any, before: Any, action: Any, gain: Any) -> Any:
        """Returns minus the gain of a step, plus its divergence KL(now, before) / STEP."""
        legal = before > -torch.inf
        apart = torch.where(legal, now - before, 0.0)
        divergence = (now.exp() * apart).sum(1)
        return (divergence / self.STEP - ratio_of(now, before, action) * gain).mean()


def main() -> None:
    """Trains MMD."""
    train(MMD, __doc__, "mmd")


if __name__ == "__main__":
    run_command(main)
