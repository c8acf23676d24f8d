"""Runs the searches of those who analyse: the value of every move, a review of a whole game.

Values are exact where the game has a solver, or is small enough to be solved at once; elsewhere
they are those of the agent, and the page says so.

What is thrown away of winning chances (``agents.move_values``) has a name (``severity``):

- where both values are exact and the game has neither chance nor amounts: a "blunder" turns a win
  into a loss, a "mistake" a win into a draw or a draw into a loss, and an "inaccuracy" is a slower
  win or a faster loss;
- elsewhere a blunder loses 0.3 of winning chances, a mistake 0.2, an inaccuracy 0.1. These
  are the limits of lichess (lila, modules/analyse/src/main/Advice.scala).
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from adv_envs import CHANCE, Position
from adv_envs.notation import write_line
from agents.agent import Agent, SearchAgent, SearchResult
from agents.describe import signed, solution_text, speed
from agents.knowledge import ExactValues, MoveValue, NotGraded, knowledge_of
from agents.move_values import (
    FoundValue,
    MovesBelow,
    in_parts,
    move_values,
    on_one_scale,
    scale_of,
    searching_agent,
    values_in,
    winning_of,
)

from .game_states import GameState, Message, board

SEARCHING, VALUING, FOLLOWING = 0.5, 0.15, 0.08
"""Shares of the time: the search, the values of moves, and the play after each other line.

The rest is for what lies between the searches: each is told to the page."""
FEW, MANY = 5, 9
"""Moves whose values stand on the board at first, where there are more than ``MANY``."""
LINES = 3
"""Best moves that are shown with the play that follows."""
SECONDS_OF_REVIEW = 0.2
"""Time for a search in a review, if the page does not say."""
LEAST, MOST = 0.05, 600.0
"""Seconds that a page can ask for."""
LIMITS = (("blunder", 0.3), ("mistake", 0.2), ("inaccuracy", 0.1))
"""Winning chances that are lost, where values are not exact."""
NOISE = 1e-9


class Searchers(Protocol):
    """Gives a job those who search for it: agents of Python, or engines of the page."""

    def agent(self) -> Agent:
        """Returns the agent of the request; ValueError if a page may not name it."""

    def exact(self, start: Position) -> ExactValues:
        """Returns the exact values of the game of ``start``; NotGraded where they take long."""


def analyse(
    state: GameState, options: Mapping[str, Any], searchers: Searchers
) -> Iterator[Message]:
    """Yields a search as it goes on: {"row": ...} for each depth, and {"values": ...} of the moves.

    Options are "agent", a spec, and "seconds" for agents that have such a limit. Exact values come
    first, before the rows; others come after them. {"lines": ...} are the best moves with the play
    that follows.
    """
    agent, view = analyst(searchers.agent(), options), state.view
    known = exact_moves(state, searchers, quick=False)
    if known is not None:
        valued, by = known
        yield {"values": value_table(state, valued, by, exact=True)}
    apart = known is None and "depth" in agent.limits()  # others value moves while they search
    found = None
    for found in with_share(agent, SEARCHING + VALUING * (not apart)).analysis(view):
        yield {"row": row(state, agent, found)}
    assert found is not None
    if known is None:
        values = move_values(with_share(agent, VALUING), view, found)
        valued = ranked(agent_moves(agent, view, values), found)
        yield {"values": value_table(state, valued, spec_of(agent, options), exact=False)}
    if view.perfect_information and view.num_players == 2 and valued:
        yield {"lines": list(lines(with_share(agent, FOLLOWING), view, found, valued))}


def review(state: GameState, options: Mapping[str, Any], searchers: Searchers) -> Iterator[Message]:
    """Yields a game ply by ply: the value before each move, of the move, and of the best one.

    Messages are {"ply": its number, from 0, "player", "move" and "best": names, "text" and
    "best_text": their values, "before" and "after": winning chances of player 0, "severity": see
    ``severity``, "exact"}; moves of chance are left out. {"sorry": why} where there is no
    review. Options are those of ``analyse``, with "seconds" for each search, and "ply" where one
    move only is to be reviewed.
    """
    why = without_review(state)
    if why:
        yield {"sorry": why}
        return
    options = {"seconds": SECONDS_OF_REVIEW, **options}
    agent = analyst(searchers.agent(), options, only_time=False)
    for ply, action in enumerate(state.actions):
        if options.get("ply", ply) != ply:
            continue
        here = GameState(state.start, state.actions[:ply], state.people)
        if here.position.to_move != CHANCE:
            yield {"ply": ply, **reviewed(here, action, agent, searchers)}


def reviewed(here: GameState, action: int, agent: SearchAgent, searchers: Searchers) -> Message:
    """Returns the review of one move."""
    position = here.position
    known = exact_moves(here, searchers, quick=True)
    if known is None:
        found = agent.analyse(position)
        below, best = MovesBelow(agent, position, found), found.action
        values = {each: below.value(each) for each in (best, action)}
        valued = agent_moves(agent, position, {**values_in(found), **values})
    else:
        valued = known[0]
        best = max(valued, key=lambda a: (valued[a].winning, valued[a].score))
    played, better = valued[action], valued[best]
    return {
        "player": position.to_move,
        "move": played.name,
        "best": better.name,
        "text": played.text,
        "best_text": better.text,
        "before": for_first(position, better.winning),
        "after": for_first(position, played.winning),
        "severity": severity(better, played, position.has_chance),
        "exact": known is not None or (better.proven and played.proven),
    }


def without_review(state: GameState) -> str:
    """Returns why there is no review, in a sentence; "" if there is one."""
    start = state.start
    if not start.perfect_information:
        return (
            "There is no review of games in which players do not see everything: whether a move "
            "was good depends on what the other may have had."
        )
    if start.num_players != 2:
        return f"Reviews are of games of two players; this one has {start.num_players}."
    return "" if state.actions else "There is no move yet that could be reviewed."


# ---- agents and what they find


def analyst(agent: Agent, options: Mapping[str, Any], only_time: bool = True) -> SearchAgent:
    """Returns an agent with the time of a request; ValueError for agents that do not search."""
    seconds = options.get("seconds")
    limit = None
    if isinstance(seconds, int | float) and not isinstance(seconds, bool):
        limit = float(min(max(seconds, LEAST), MOST))
    found = searching_agent(agent, limit, only_time)
    found.reset(0)
    return found


def with_share(agent: SearchAgent, share: float) -> SearchAgent:
    """Returns the agent with a share of its time, if that is limited."""
    seconds = agent.limits().get("seconds")
    return agent if seconds is None else agent.limited(seconds=seconds * share)


def spec_of(agent: SearchAgent, options: Mapping[str, Any]) -> str:
    """Returns the spec of an agent as a page may see it: with its time, without paths of files."""
    return repr(agent) if "seconds" in agent.limits() else str(options["agent"])


def row(state: GameState, agent: SearchAgent, found: SearchResult) -> Message:
    """Returns what a search has found so far."""
    view = state.view
    chances = winning_of(view, found.value, found.proven, scale_of(agent, view))
    return {
        "depth": found.depth,
        "value": found.value,
        "text": text_of(agent, view, FoundValue(found.value, found.proven)),
        "winning": for_first(view, chances) if view.num_players == 2 else None,
        "proven": found.proven,
        "nodes": found.nodes,
        "rate": speed(found),
        "seconds": found.seconds,
        "best": found.action,
        "line": write_line(view, found.principal_variation),
        "moves": named_moves(view, found.principal_variation),
        "values": {a: v.value for a, v in values_in(found).items()},
        "visits": dict(found.visits),
    }


def lines(
    agent: SearchAgent, view: Position, found: SearchResult, valued: Valued
) -> Iterator[Message]:
    """Yields the best moves with the play that follows, as far as the agent sees it.

    A turn of several moves that can be made in another order stands there once.
    """
    part = agent if "seconds" in agent.limits() else in_parts(agent, LINES)
    ends = set[Position]()
    for action in best_first(valued)[: 2 * LINES]:
        actions: tuple[int, ...] = (action,)
        child = view.play(action)
        if action == found.action and found.principal_variation:
            actions = found.principal_variation
        elif not child.is_terminal() and child.to_move != CHANCE:
            actions += part.analyse(child).principal_variation
        end = end_of_turn(view, actions)
        if end not in ends:
            ends.add(end)
            yield {"text": valued[action].text, "moves": named_moves(view, actions)}
        if len(ends) == LINES:
            return


def end_of_turn(position: Position, actions: tuple[int, ...]) -> Position:
    """Returns the position after those of the actions that the player to move makes in a row."""
    player = position.to_move
    for action in actions:
        if position.to_move != player:
            break
        position = position.play(action)
    return position


def named_moves(position: Position, actions: tuple[int, ...]) -> list[list[Any]]:
    """Returns [action, name, player] of each move."""
    found = []
    for action in actions:
        found.append([action, position.short_name(action), position.to_move])
        position = position.play(action)
    return found


def agent_moves(agent: SearchAgent, position: Position, values: Mapping[int, FoundValue]) -> Valued:
    """Returns the moves with the values that an agent has found."""
    scale = scale_of(agent, position)
    shown = on_one_scale(values) if scale else {a: v.value for a, v in values.items()}
    return {
        action: ValuedMove(
            position.short_name(action),
            winning_of(position, each.value, each.proven, scale),
            shown[action],
            text_of(agent, position, each),
            each.proven,
        )
        for action, each in values.items()
    }


def text_of(agent: SearchAgent, position: Position, found: FoundValue) -> str:
    """Returns a value in words where it is proven, else the number, from whose view players do."""
    if found.proven:
        return solution_text(position, agent).in_words(position, found.value)
    if knowledge_of(position).first_view:
        return f"{for_first(position, found.value):+.2f}"
    return signed(round(found.value, 2), 3)


def for_first(position: Position, winning: float) -> float:
    """Returns winning chances, or a value, of the player to move as those of player 0."""
    return winning if position.to_move <= 0 else 0.0 - winning


# ---- winning chances


@dataclass(frozen=True)
class ValuedMove:
    """Describes a move with its value for the player who makes it."""

    name: str
    winning: float
    """Winning chances."""
    shown: float
    """The number that is drawn on the board; among proven wins, larger for quicker ones."""
    text: str
    """The value in words or numbers."""
    proven: bool
    score: float = 0.0
    """Among moves of the same exact value, larger for quicker wins and slower losses."""

    rank: float = 0.0
    """How much a search prefers it, whatever the values; 0 where values alone decide."""


Valued = dict[int, ValuedMove]


def ranked(valued: Valued, found: SearchResult) -> Valued:
    """Returns the moves with the search's own first, and of one that samples the most visited.

    Values of moves that were hardly tried say little.
    """
    ranks = {action: float(found.visits.get(action, 0)) for action in valued}
    ranks[found.action] = math.inf
    return {a: dataclasses.replace(move, rank=ranks.get(a, 0.0)) for a, move in valued.items()}


def best_first(valued: Valued) -> list[int]:
    """Returns the actions, the best first."""
    order = {a: (-m.rank, -m.winning, -m.score, -m.shown) for a, m in valued.items()}
    return sorted(order, key=order.__getitem__)


def severity(best: ValuedMove, played: ValuedMove, chance: bool) -> str:
    """Returns what a move throws away: "blunder", "mistake", "inaccuracy", or "" for none."""
    lost = best.winning - played.winning
    decided = all(move.proven and move.winning in (-1, 0, 1) for move in (best, played))
    if decided and not chance:
        if lost >= 1:
            return "blunder" if lost == 2 else "mistake"
        return "inaccuracy" if played.score < best.score else ""
    return next((name for name, limit in LIMITS if lost >= limit - NOISE), "")


# ---- exact values


def exact_moves(state: GameState, searchers: Searchers, quick: bool) -> tuple[Valued, str] | None:
    """Returns the exact values of the moves and where they come from; None if they are not known.

    With ``quick`` they are asked for only if that takes a second at most.
    """
    position = state.position
    try:
        exact = searchers.exact(state.start.start())
    except NotGraded:
        return None
    if position.is_terminal() or position.to_move == CHANCE:
        return None
    if exact.of_start and state.start != state.start.start():
        return None
    if not (exact.is_quick(position) if quick else exact.is_feasible(position)):
        return None
    values = exact.move_values(position)
    return {a: exact_move(exact, position, a, v) for a, v in values.items()}, exact.source


def exact_move(exact: ExactValues, position: Position, action: int, value: MoveValue) -> ValuedMove:
    """Returns a move with its exact value, in words."""
    name = position.short_name(action)
    if not exact.in_points:
        winning = winning_of(position, value.value, True, None)
        return ValuedMove(name, winning, value.value, signed(value.value), True, value.score)
    winning = 2 * value.value - 1
    if winning in (-1, 0, 1):
        text = {1: "win", 0: "draw", -1: "loss"}[int(winning)]
        if exact.has_scores and value.score:
            text += f" ({signed(value.score)})"
    else:
        text = f"{100 * value.value:.1f} %"
    shown = value.score if exact.has_scores else winning
    return ValuedMove(name, winning, shown, text, True, value.score)


def value_table(state: GameState, valued: Valued, by: str, exact: bool) -> Message:
    """Returns the values of the moves for a page, best first, with the board they stand on.

    Of many moves only the best stand there; on the board "full" all do.
    """
    position, order = state.view, best_first(valued)
    best = valued[order[0]].winning if order else None
    two = position.num_players == 2 and best is not None
    shown = {action: valued[action].shown for action in order}
    few = dict([*shown.items()][: FEW if len(shown) > MANY else MANY])
    first_view = not exact and knowledge_of(position).first_view
    return {
        "moves": [
            {
                "action": a,
                "name": valued[a].name,
                "text": valued[a].text,
                "proven": valued[a].proven,
            }
            for a in order
        ],
        "by": by,
        "exact": exact,
        "view": position.side_names[0] if first_view else "",
        "winning": for_first(position, best) if two and best is not None else None,
        "board": board(state, few) if shown else None,
        "full": board(state, shown) if len(shown) > len(few) else None,
    }
