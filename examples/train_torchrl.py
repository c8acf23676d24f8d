"""Trains PPO of TorchRL with action masks on tic-tac-toe, both sides of our AEC environment.

``PettingZooWrapper(use_mask=True)`` tells both players of every move: "mask" says who moves, and
rewards are there for the loser too. So each player's row of time is a whole decision process of its
own, moves of the other included: advantages are taken along it, values are learnt at every step,
and the policy only where "mask" is set. Leave the mask out, and it learns from moves not made.

The same command goes on where it was stopped, and to the same weights as if it had not been.

    python examples/train_torchrl.py
"""

import warnings
from typing import Any

import torch
from tensordict import TensorDict
from tensordict.nn import TensorDictModule
from torch import nn
from torchrl.envs.libs.pettingzoo import PettingZooWrapper
from torchrl.modules import MaskedCategorical, ProbabilisticActor
from torchrl.objectives import ClipPPOLoss
from torchrl.objectives.value import GAE

import adv_envs
from adv_envs import TicTacToe
from agents.learning import PeriodicEvaluation, TrainingRun, run_command, training_options

GAMES, EPOCHS = 60, 6  # in an update
BOARD = ("players", "observation", "observation")
KEYS = {
    name: ("players", name)
    for name in ("action", "reward", "done", "terminated", "advantage", "value_target")
}


class Body(nn.Module):
    """Maps a board (..., 3, 3, 2) to ``outputs`` numbers."""

    def __init__(self, outputs: int) -> None:
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(18, 128), nn.Tanh(), nn.Linear(128, outputs))

    def forward(self, board: torch.Tensor) -> Any:
        """Returns the numbers, of shape (..., outputs)."""
        return self.layers(board.float().flatten(-3))


def environment(seed: int = 0) -> PettingZooWrapper:
    """Returns our AEC environment as TorchRL sees it, both players in one group."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "PettingZoo in TorchRL is tested using")
        players = {"players": ["player_0", "player_1"]}
        return PettingZooWrapper(
            adv_envs.env("tic_tac_toe"), use_mask=True, group_map=players, seed=seed
        )


def learn(body: Body, run: TrainingRun, seed: int = 0) -> None:
    """Plays moves of both sides, and learns from them on the way."""
    env = environment(seed)
    actor = ProbabilisticActor(
        TensorDictModule(body, [BOARD], [("players", "logits")]),
        in_keys={"logits": ("players", "logits"), "mask": ("players", "action_mask")},
        out_keys=[("players", "action")],
        distribution_class=MaskedCategorical,
        return_log_prob=True,
        log_prob_key=("players", "log_prob"),
    )
    critic = TensorDictModule(Body(1), [BOARD], [("players", "state_value")])
    gae = GAE(gamma=1.0, lmbda=0.95, value_network=critic)
    value = ("players", "state_value")
    gae.set_keys(value=value, **{key: KEYS[key] for key in KEYS if key != "action"})
    ppo = ClipPPOLoss(actor, critic, entropy_coeff=0.01, normalize_advantage=True)
    ppo.set_keys(value=value, sample_log_prob=("players", "log_prob"), **KEYS)
    optimizer = torch.optim.Adam(ppo.parameters(), lr=2e-3)
    if state := run.restore():
        ppo.load_state_dict(state["ppo"])
        optimizer.load_state_dict(state["optimizer"])
    while run.continues(
        body, lambda: {"ppo": ppo.state_dict(), "optimizer": optimizer.state_dict()}
    ):
        with torch.no_grad():
            games = [gae(env.rollout(10, actor)) for _ in range(GAMES)]
        rows = torch.cat([game.get("players").reshape(-1) for game in games])
        everywhere = TensorDict({"players": rows}, rows.batch_size)
        moved = everywhere[rows["mask"]]
        for _ in range(EPOCHS):
            told = ppo(moved)
            loss = told["loss_objective"] + told["loss_entropy"]
            loss = loss + ppo(everywhere)["loss_critic"]
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        run.advance(len(moved), loss=loss.item(), moves_a_game=len(moved) / GAMES)


def main() -> None:
    """Trains, graded before, at intervals, and after."""
    options = training_options(__doc__, "torchrl", 30_000).parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(options.seed)
    kind = f"TorchRL, tic-tac-toe, seed {options.seed}"
    evaluation = PeriodicEvaluation(TicTacToe())
    run = TrainingRun(options.out, kind, evaluation, options.steps, options.every)
    learn(Body(9), run, options.seed)


if __name__ == "__main__":
    run_command(main)
