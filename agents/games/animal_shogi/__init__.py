"""Records what is known about animal shogi: evaluations, the table of all positions, grading.

- ``evaluations``: material, and features fitted to solved positions; captures first;
- ``numbering`` and ``table``: the whole game, solved by retrograde analysis;
- ``solver``: ``AnimalShogiSolver``, which plays by that table once it has been built.
"""

from __future__ import annotations

import re

from adv_envs import AnimalShogi
from adv_envs.games.animal_shogi import DROPS, IGNORED, SIDE_BIT
from agents.dialects import GtpGame, UciGame
from agents.knowledge import (
    ExactValues,
    Knowledge,
    NotGraded,
    SolutionText,
    by_number,
    register_knowledge,
)
from agents.spec import register
from agents.symmetries import PlayerExchange, Symmetries

from .evaluations import captured_value, decided, fitted, material
from .numbering import mirrored
from .solver import BUILD, in_plies, is_listed, kept_table, table_writer
from .solver import AnimalShogiSolver as AnimalShogiSolver

SHORT = 5
"""Plies of the longest games of which all positions are listed within a second."""
MIRRORED_DIRECTION = (2, 1, 0, 4, 3, 7, 6, 5)


def num_images(position: AnimalShogi) -> int:
    """Returns 2, or 1 where there is a past: the keys of earlier positions are not mirrored."""
    return 2 if position.history == 0 else 1


def mirror_image(position: AnimalShogi, i: int) -> AnimalShogi:
    """Returns the position, with left and right exchanged for image 1."""
    if i == 0:
        return position
    return AnimalShogi(
        position.max_plies, position.repetition, mirrored(position.own), mirrored(position.opp),
        mirrored(position.chicks), mirrored(position.elephants), mirrored(position.giraffes),
        mirrored(position.hens), position.hands, position.ply, position.repeated,
        position.history,
    )  # fmt: skip


def mirror_action(position: AnimalShogi, action: int, i: int) -> int:
    """Returns the action in an image."""
    if i == 0:
        return action
    if action >= DROPS:
        return action + 2 - 2 * (action % 3)
    cell = action // 8
    return 8 * (cell + 2 - 2 * (cell % 3)) + MIRRORED_DIRECTION[action % 8]


def same_image(position: AnimalShogi, i: int) -> int:
    """Returns i: a mirror image of a mirror image is the position."""
    return i


def exchanged(position: AnimalShogi) -> AnimalShogi | None:
    """Returns the position with the other player to move, in its past as well.

    None shortly before the longest game ends, as a ply more or less matters there.
    """
    ply = position.ply ^ 1
    if ply | 1 >= position.max_plies - SHORT:
        return None
    words = -(-position.history.bit_length() // 64)
    sides = sum(1 << 64 * i + SIDE_BIT for i in range(words))
    return position._replace(ply=ply, history=position.history ^ sides)  # type: ignore[no-any-return]


def table_key(position: AnimalShogi) -> AnimalShogi:
    """Returns the board as the player to move sees it, either player, without its past."""
    return AnimalShogi(
        1, IGNORED, position.own, position.opp, position.chicks, position.elephants,
        position.giraffes, position.hens, position.hands, 0, 0, 0,
    )  # fmt: skip


def exact_values(start: AnimalShogi) -> ExactValues:
    """Returns who wins after each move and how soon; NotGraded without the table.

    Games of a few plies are graded without it, by a list of all their positions.
    """
    from agents.grading.exact_values import ListedValues

    if start.max_plies <= SHORT:
        return ListedValues(start)
    if kept_table() is None:
        raise NotGraded(f"animal_shogi is graded by a table: {BUILD}")
    return ExactValues(start, AnimalShogiSolver(), unit="scores", quick=is_listed)


def solver_of(position: AnimalShogi) -> type[AnimalShogiSolver] | None:
    """Returns ``AnimalShogiSolver``, but for games that end after a few plies."""
    return AnimalShogiSolver if position.max_plies > SHORT else None


def progress(position: AnimalShogi) -> float:
    """Returns the share of 60 plies that have been played: few games take longer."""
    return min(1.0, position.ply / 60)


# ---- UCI, by which Fairy-Stockfish plays the game


def from_fen(start: AnimalShogi, text: str) -> AnimalShogi:
    """Returns the position of a FEN in the game of ``start``; ValueError for what is none."""
    fields = re.sub(r"\[\]", "[-]", text)
    return AnimalShogi.from_fen(fields, max_plies=start.max_plies, repetition=start.repetition)


register("animal_shogi_solver", AnimalShogiSolver)
register_knowledge(
    AnimalShogi,
    Knowledge(
        names=("doubutsu shogi", "dobutsu shogi", "let's catch the lion"),
        evaluations={"material": material, "fitted": fitted},
        default_evaluation="fitted",
        scale=1.0,  # of the logarithm of odds
        noise=captured_value,
        table_key=table_key,
        symmetries=Symmetries(
            num_images, mirror_image, mirror_action, same_image, kinds=("same", "mirrored")
        ),
        exchange=PlayerExchange(exchanged),
        decided=decided,
        solver=solver_of,
        exact_values=exact_values,
        table_writer=table_writer,
        solution=SolutionText(name="score", in_words=in_plies),
        progress=progress,
        sample_plies=lambda start: range(min(40, start.max_plies)),
        opponent=lambda start: "alpha_beta(nodes=300000, evaluate=animal_shogi.fitted)",
        analyst=lambda position: "alpha_beta(seconds=3, evaluate=animal_shogi.fitted)",
        strong=lambda start: "alpha_beta(seconds=3, evaluate=animal_shogi.fitted)",
        rungs={
            "random": "random",
            "greedy": "greedy(evaluate=animal_shogi.material)",
            **by_number("mcts %d", "mcts(simulations=%d)", 30, 300),
            **by_number(
                "depth %d", "alpha_beta(depth=%d, evaluate=animal_shogi.fitted)", 1, 2, 4, 6
            ),
            "200,000 nodes": "alpha_beta(nodes=200000, evaluate=animal_shogi.fitted)",
        },
        gtp=GtpGame(colours=("black", "white")),
        uci=UciGame(
            variant=lambda position: "dobutsu",
            fen=AnimalShogi.fen,
            from_fen=from_fen,
        ),
    ),
)
