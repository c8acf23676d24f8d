"""What trainings share, whatever library learns: runs that go on where they stopped, and grades.

- ``training_run``: ``TrainingRun``, the loop around a learner: progress, a log, a curve, and the
  state in a file, from which the same command goes on; the options of such a command;
- ``periodic_evaluation``: ``PeriodicEvaluation``, the share of wrong moves by exact values and the
  points against search agents, always at the same positions; ``never_loses``, a proof; and
  ``draw_learning_curve``;
- ``exploitability``: ``ExploitabilityEvaluation``, what a perfect opponent would win from a learner
  of a game of hidden information, and ``draw_exploitability_curve``.
- ``alphazero``: ``AlphaZero``, which learns from nothing but playing itself, ``AlphaZeroSettings``
  and ``train_alphazero``, its run in a folder, as ``adv-envs train`` does it.

Needs the extra ``learn``: PyTorch (its files and random numbers), tqdm and Matplotlib, which are
imported when they are used.
"""

from typing import TYPE_CHECKING, Any

from .exploitability import ExploitabilityEvaluation, draw_exploitability_curve
from .periodic_evaluation import PeriodicEvaluation, draw_learning_curve, never_loses
from .training_run import TrainingRun, TrainingRunError, bounded, run_command, training_options

if TYPE_CHECKING:
    from .alphazero import AlphaZero, AlphaZeroSettings, train_alphazero

__all__ = [
    "AlphaZero",
    "AlphaZeroSettings",
    "ExploitabilityEvaluation",
    "PeriodicEvaluation",
    "TrainingRun",
    "TrainingRunError",
    "bounded",
    "draw_exploitability_curve",
    "draw_learning_curve",
    "never_loses",
    "run_command",
    "train_alphazero",
    "training_options",
]


def __getattr__(name: str) -> Any:
    """Imports AlphaZero, and PyTorch with it, when it is asked for."""
    if name in ("AlphaZero", "AlphaZeroSettings", "train_alphazero"):
        from . import alphazero

        return getattr(alphazero, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
