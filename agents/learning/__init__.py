"""Provides what trainings by any library share: exact grades, and runs that go on.

- ``training_log``: ``TrainingLog``, the files that tell of a training: lines of JSON, a picture of
  the curve (``draw_learning_curve``, ``draw_exploitability_curve``), TensorBoard; ``GradeLog``,
  which grades a policy at intervals in any loop, and ``TianshouGradingCallback``; for other
  libraries ``sb3_callback``, ``torchrl_hook`` and ``rllib_callback`` call it;
- ``periodic_evaluation``: ``PeriodicEvaluation``, the share of wrong moves by exact values and the
  points against search agents, always at the same positions; ``PointsEvaluation``, the points
  alone, where values are not known; ``ExploitabilityEvaluation``, what a perfect opponent would win
  in a game of hidden information; ``never_loses``, a proof;
- ``policies``: policies of any library as functions of observations and masks, and what an
  evaluation leaves as it was;
- ``training_run``: ``TrainingRun``, the loop around a learner: progress, a log, a curve, and the
  state in a file, from which the same command goes on; the options of such a command;
- ``alphazero``: ``AlphaZero``, which learns from nothing but playing itself, ``AlphaZeroSettings``
  and ``train_alphazero``, its run in a folder, as ``adv-envs train`` does it;
- ``agents.networks.league``: ``League``, opponents drawn from a learner's past selves, which are
  rated by ``DriftingRatings``.

Needs the extra ``learn``: PyTorch (its files and random numbers), tqdm, SciPy and Matplotlib, which
are imported when they are used.
"""

from typing import TYPE_CHECKING

from adv_envs.lazy import importing
from agents.networks.drifting_ratings import DriftingRatings
from agents.networks.league import League, LeagueError, PastSelf

from .periodic_evaluation import (
    ExploitabilityEvaluation,
    Grade,
    PeriodicEvaluation,
    PointsEvaluation,
    PointsGrade,
    evaluation_for,
    evaluation_or_points,
    never_loses,
)
from .policies import (
    BatchPolicy,
    GreedyPolicyAgent,
    PolicyFunction,
    policy_function,
    rllib_policy,
    sb3_policy,
    tianshou_policy,
    torch_policy,
    torchrl_policy,
    undisturbed,
)
from .training_log import (
    GradeLog,
    TianshouGradingCallback,
    TrainingLog,
    draw_exploitability_curve,
    draw_learning_curve,
    mean_over_seeds,
    plus_minus,
)
from .training_run import TrainingRun, TrainingRunError, bounded, run_command, training_options

if TYPE_CHECKING:
    from .alphazero import AlphaZero as AlphaZero
    from .alphazero import AlphaZeroSettings as AlphaZeroSettings
    from .alphazero import train_alphazero as train_alphazero
    from .rllib_callback import RLlibGradingCallback as RLlibGradingCallback
    from .sb3_callback import SB3GradingCallback as SB3GradingCallback
    from .torchrl_hook import TorchRLGradingHook as TorchRLGradingHook

__all__ = [
    "BatchPolicy",
    "DriftingRatings",
    "ExploitabilityEvaluation",
    "Grade",
    "GradeLog",
    "GreedyPolicyAgent",
    "League",
    "LeagueError",
    "PastSelf",
    "PeriodicEvaluation",
    "PointsEvaluation",
    "PointsGrade",
    "PolicyFunction",
    "TianshouGradingCallback",
    "TrainingLog",
    "TrainingRun",
    "TrainingRunError",
    "bounded",
    "draw_exploitability_curve",
    "draw_learning_curve",
    "evaluation_for",
    "evaluation_or_points",
    "mean_over_seeds",
    "never_loses",
    "plus_minus",
    "policy_function",
    "rllib_policy",
    "run_command",
    "sb3_policy",
    "tianshou_policy",
    "torch_policy",
    "torchrl_policy",
    "training_options",
    "undisturbed",
]


_LAZY = {
    "AlphaZero": ".alphazero",
    "AlphaZeroSettings": ".alphazero",
    "RLlibGradingCallback": ".rllib_callback",
    "SB3GradingCallback": ".sb3_callback",
    "TorchRLGradingHook": ".torchrl_hook",
    "train_alphazero": ".alphazero",
}
"""Public names that need a library as soon as they are imported, and their modules. They are not in
``__all__``, so that ``import *`` works without the libraries."""

__getattr__ = importing(__name__, _LAZY)
