"""What trainings share, whatever library learns: exact grades, and runs that go on.

- ``grade_log``: ``GradeLog``, which grades a policy at intervals in any loop: a line of JSON, a
  picture of the curve, TensorBoard. ``sb3_callback``, ``tianshou_callback``, ``torchrl_hook`` and
  ``rllib_callback`` call it from these libraries;
- ``periodic_evaluation``: ``PeriodicEvaluation``, the share of wrong moves by exact values and the
  points against search agents, always at the same positions; ``PointsEvaluation``, the points
  alone, where values are not known; ``never_loses``, a proof;
- ``exploitability``: ``ExploitabilityEvaluation``, what a perfect opponent would win from a learner
  of a game of hidden information;
- ``policies``: policies of any library as functions of observations and masks;
- ``learning_curve``: ``draw_learning_curve`` and ``draw_exploitability_curve``;
- ``training_run``: ``TrainingRun``, the loop around a learner: progress, a log, a curve, and the
  state in a file, from which the same command goes on; the options of such a command;
- ``alphazero``: ``AlphaZero``, which learns from nothing but playing itself, ``AlphaZeroSettings``
  and ``train_alphazero``, its run in a folder, as ``adv-envs train`` does it;
- ``agents.networks.league``: ``League``, opponents drawn from a learner's past selves, which are
  rated by ``DriftingRatings``;
- ``undisturbed``: what an evaluation leaves as it was.

Needs the extra ``learn``: PyTorch (its files and random numbers), tqdm, SciPy and Matplotlib, which
are imported when they are used.
"""

import importlib
from typing import TYPE_CHECKING, Any

from agents.networks.drifting_ratings import DriftingRatings
from agents.networks.league import League, LeagueError, PastSelf

from .exploitability import ExploitabilityEvaluation
from .grade_log import GradeLog
from .learning_curve import draw_exploitability_curve, draw_learning_curve
from .periodic_evaluation import (
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
)
from .seeds import mean_over_seeds, plus_minus
from .tianshou_callback import TianshouGradingCallback
from .training_run import TrainingRun, TrainingRunError, bounded, run_command, training_options
from .undisturbed import undisturbed

if TYPE_CHECKING:
    from .alphazero import AlphaZero, AlphaZeroSettings, train_alphazero
    from .rllib_callback import RLlibGradingCallback
    from .sb3_callback import SB3GradingCallback
    from .torchrl_hook import TorchRLGradingHook

__all__ = [
    "AlphaZero",
    "AlphaZeroSettings",
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
    "RLlibGradingCallback",
    "SB3GradingCallback",
    "TianshouGradingCallback",
    "TorchRLGradingHook",
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
    "train_alphazero",
    "training_options",
    "undisturbed",
]


LAZY = {
    "AlphaZero": "alphazero",
    "AlphaZeroSettings": "alphazero",
    "RLlibGradingCallback": "rllib_callback",
    "SB3GradingCallback": "sb3_callback",
    "TorchRLGradingHook": "torchrl_hook",
    "train_alphazero": "alphazero",
}
"""What needs a library as soon as it is imported, and its module."""


def __getattr__(name: str) -> Any:
    """Imports what needs a library, and the library with it, when it is asked for."""
    if name in LAZY:
        return getattr(importlib.import_module(f".{LAZY[name]}", __name__), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
