"""Makes games of messages environments of Kaggle's, and its harness for language models play them.

For example, a language model that Kaggle's harness asks, against a search::

    import kaggle_environments
    from kaggle_environments.core_harness import create_agent_fn
    from agents.integrations.kaggle_harness import KaggleAgent, KaggleTextHarness

    env = kaggle_environments.make("adv_envs_connect_four", configuration={"seed": 1})
    model = create_agent_fn(KaggleTextHarness(), max_retries=3)
    env.run([model, KaggleAgent("alpha_beta(depth=4)")])
    print(env.state[0].reward, env.state[0].info)

An agent answers {"submission": reply}, a text, which is read here, or the number of an action.
"""

from __future__ import annotations

import html
from collections.abc import Mapping, Sequence
from numbers import Integral
from typing import Any

from adv_envs.optional import optional_library
from adv_envs.position import Position
from adv_envs.random import derived_seed
from adv_envs.registry import GAMES, position_of
from adv_envs.text import TextGame, read_reply
from agents.spec import make

from .kaggle_specification import kaggle_name, specification

NEEDS = "Kaggle's environments need", "kaggle"
kaggle = optional_library("kaggle_environments", *NEEDS)
kaggle_utils = optional_library("kaggle_environments.utils", *NEEDS)
core_harness = optional_library("kaggle_environments.core_harness", *NEEDS)

NO_MOVE = -1
"""What Kaggle's harness submits when its model has named no legal move in any attempt."""
ILLEGAL = "Final answer: none of the legal moves"
"""Stands for the number of an action that is not legal."""


# ---- the environment


def interpreter(state: list[Any], env: Any) -> list[Any]:
    """Plays the action of the player to move, or begins a game; returns the new state.

    ``env.text_game`` is the ``TextGame``. A submission that is no text names a legal move only if
    it is the number of one, an integer: True and 1.0 are none. The game ends without rewards where
    an agent has failed: by an exception, for want of time, or with an action that is no object.
    """
    if env.done:  # Kaggle resets
        env.text_game = _new_game(env)
        # At first with the usual number of agents, whatever the options say.
        return _shown(state, env) if env.text_game.start.num_players == len(state) else state
    game = getattr(env, "text_game", None)
    if game is None:
        raise ValueError(f"a copy of {env.name} cannot go on: call reset(), or make a new one")
    if (players := game.start.num_players) != len(state):
        raise ValueError(f"{env.name} has {players} players, not {len(state)}")
    seat = game.seat
    if state[seat].status == "ACTIVE" and "submission" not in (state[seat].action or {}):
        state[seat].status = "INVALID"
    if any(each.status in ("ERROR", "TIMEOUT", "INVALID") for each in state):
        return _void(state)
    game.step(_reply(state[seat].action, game))
    return _shown(state, env, seat)


def _new_game(env: Any) -> TextGame:
    """Returns a new game as the configuration says."""
    options = {**env.configuration.options}
    if not env.configuration.freeForm:
        options["retries"] = 0  # the harness has asked again by itself
    game = TextGame(env.name.removeprefix(kaggle_name("")), **options)
    # Hidden from agents, who could foresee chance.
    seed = kaggle_utils.resolve_episode_seed(env)
    game.reset(seed)
    if not hasattr(env, "text_game"):
        env.agents["random"] = KaggleAgent("random")  # not that of other environments
    env.agents["random"].seed = derived_seed(seed, "agents")
    env.agents["random"].reset()
    return game


def _reply(action: Mapping[str, Any], game: TextGame) -> str:
    """Returns the reply that an action of Kaggle's stands for."""
    submission = action["submission"]
    if isinstance(submission, str):
        return submission
    if submission is None:
        return ""
    if not isinstance(submission, Integral) or isinstance(submission, bool):
        return ILLEGAL
    position, number = game.session.position, int(submission)
    if number in position.legal_actions():  # a number, which is no name of a move
        return f"Final answer: {position.name(number)}"
    return "" if number == NO_MOVE else ILLEGAL


def _shown(state: list[Any], env: Any, acted: int | None = None) -> list[Any]:
    """Returns the state with what each player sees, and what came out."""
    game: TextGame = env.text_game
    turn = -1 if game.seat is None else game.seat
    for seat, each in enumerate(state):
        view = game.session.position.hidden(seat)
        each.observation.update(
            playerId=seat,
            currentPlayer=turn,
            isTerminal=game.over,
            messages=game.messages(seat),
            position=repr(view),
        )
        if not env.configuration.freeForm:
            legal = view.legal_actions() if seat == turn else []
            names = [view.name(action) for action in legal]
            each.observation.update(legalActions=legal, legalActionStrings=names)
        each.status = "DONE" if game.over else "ACTIVE" if seat == turn else "INACTIVE"
        each.reward = game.utilities[seat] if game.utilities else 0.0
        each.info = _info(game, seat, seat == acted, env.configuration.freeForm)
    return state


def _info(game: TextGame, seat: int, acted: bool, free_form: bool) -> dict[str, Any]:
    """Returns what a player's replies were, for the record of the game; no agent sees it.

    ``TextGame.totals``, and "outcome", of the reply if this player has just ``acted``. Turns
    without a legal move are among "failures" alone, neither "graded" nor "kept". Unless
    ``free_form``, only Kaggle's harness has seen the replies, so "illegal", "unreadable" and
    "outcome" are left out.
    """
    reading = game.info(seat)["reading"] if acted else None
    found = {
        **game.totals(seat),
        "outcome": reading.outcome if reading else None,
        "failure": game.failure,
        "truncated": game.truncated,
    }
    unknown = () if free_form else ("illegal", "unreadable", "outcome")
    return {name: each for name, each in found.items() if name not in unknown}


def _void(state: list[Any]) -> list[Any]:
    """Returns the state of a game that an agent's failure has ended, in which nobody has won."""
    for each in state:
        if each.status in ("ACTIVE", "INACTIVE"):
            each.status = "DONE"
        each.reward = None
    return state


def renderer(state: list[Any], env: Any) -> str:
    """Returns the whole position as text."""
    return str(env.text_game.session.position)


def html_renderer(env: Any) -> str:
    """Returns a page with a picture of the whole position and the moves that have led to it."""
    session = env.text_game.session
    moves = html.escape(session.text())
    title = html.escape(env.specification.title)
    return (
        f"<!doctype html><html><head><title>{title}</title></head><body style='text-align: center'>"
        f"{session.position.svg(session.last_seen(None))}<p>{moves}</p></body></html>"
    )


# ---- agents


class KaggleTextHarness:
    """Tells Kaggle's harness how to ask a language model for a move, for any game of this package.

    ``create_agent_fn`` of ``kaggle_environments.core_harness`` makes an agent of it. Where the
    environment's "freeForm" is on, whole replies are submitted; otherwise they are read here, by
    ``read_reply``, and the harness asks again.
    """

    def get_legal_moves(self, observation: Mapping[str, Any]) -> dict[int, str] | None:
        """Returns the names of legal actions by number; None where replies are submitted."""
        numbers = observation.get("legalActions")
        names = observation.get("legalActionStrings")
        return dict(zip(numbers, names, strict=True)) if numbers and names else None

    def make_prompt(
        self,
        observation: Mapping[str, Any],
        move_history: list[str],
        previous_response: str | None = None,
        previous_action: str | None = None,
    ) -> str:
        """Returns the chat as one text, and what was wrong with the last reply in this turn."""
        headings = {"system": "", "user": "", "assistant": "You answered:\n"}
        chat = [headings[each["role"]] + each["content"] for each in observation["messages"]]
        if previous_action:
            chat.append(f'"{previous_action}" is not a legal move here. Answer again.')
        elif previous_response is not None:
            chat.append("No move was found in your reply, or several. Answer again.")
        return "\n\n".join(chat)

    def parse_response(
        self,
        response: str,
        legal_action_strings: Sequence[str] | None,
        *,
        observation: Mapping[str, Any],
    ) -> Any:
        """Returns Kaggle's ``ParseResult``: the reply itself, or the legal move that it names."""
        if legal_action_strings is None:
            return core_harness.ParseResult(submission=response, raw_action=response)
        view = position_of(observation["position"])
        reading = read_reply(view, response)
        named = None if reading.action is None else view.name(reading.action)
        tried = named or (reading.answer if reading.outcome == "illegal" else None)
        return core_harness.ParseResult(legal_action=named, raw_action=tried or None)


class KaggleAgent:
    """Makes an agent of Kaggle's of a spec such as "alpha_beta(depth=4)", or of an agent.

    It sees what its player sees. The environment's seed, which would tell it of chance, is not
    known to it: ``seed`` determines its own choices. Kaggle resets no agents but those of an
    environment, so others go on from game to game, until they are reset. Errors are those of
    ``agents.make``.
    """

    def __init__(self, spec: Any, seed: int | None = None) -> None:
        self.agent, self.seed = make(spec) if isinstance(spec, str) else spec, seed
        if seed is not None:
            self.reset()

    def reset(self) -> None:
        """Begins a game with the random numbers of the seed."""
        self.agent.reset(self.seed)

    def __call__(self, observation: Any, configuration: Any) -> dict[str, Any]:
        """Returns the action at what an observation shows."""
        view: Position = position_of(observation["position"])
        return {"submission": self.agent.act(view)}


def register_kaggle(*names: str) -> None:
    """Registers games with Kaggle's ``make`` by their names, with the agent "random"."""
    for name in names:
        kaggle.register(
            kaggle_name(name),
            {
                "specification": specification(name),
                "interpreter": interpreter,
                "renderer": renderer,
                "html_renderer": html_renderer,
                "agents": {"random": KaggleAgent("random")},
            },
        )


register_kaggle(*GAMES)
