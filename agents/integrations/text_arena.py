"""Makes games of messages environments of TextArena, found by its ``make``.

For example::

    import textarena
    import agents.integrations.text_arena

    env = textarena.make("adv_envs/ConnectFour-v0")
    env.reset(num_players=2, seed=1)
    done = False
    while not done:
        player, observation = env.get_observation()
        done, info = env.step(action=model(observation))
    rewards, game_info = env.close()

The ids are those that Gymnasium knows the games by. An observation is all that the player has been
told and has answered, or the last turns of it, with ``memory``; with "-train" at the end of the id,
the rules and the present turn; with "-raw", a list of messages, each once.
"""

from __future__ import annotations

from typing import Any

from adv_envs.optional import optional_library
from adv_envs.position import Position
from adv_envs.registry import GAMES, gymnasium_id
from adv_envs.text import TextEnv, TextGame

textarena = optional_library("textarena", "TextArenaEnv needs", "textarena")
registration = textarena.envs.registration
wrappers = textarena.wrappers
Kind = textarena.ObservationType

ENTRY_POINT = f"{__name__}:TextArenaEnv"


class TextArenaEnv(textarena.Env):  # type: ignore[name-defined]  # may be missing
    """Plays ``game`` by messages, by every player or by one of them against opponents.

    ``reset(num_players=n)`` with the number of the game's players lets all of them be models; with
    1, the only player, number 0, has the seat of ``seat``, and ``opponent`` plays the others. These
    two and the other ``options`` are those of ``text_env``, and the parameters of ``game``.

    - A player's observation has what that player sees, and its own replies, which the others do not
      see. ``info`` is that of ``TextGame.info`` for the player who has replied.
    - Replies that name no legal move are answered, and counted, by ``TextGame``; its ``retries``
      and ``on_failure`` say what follows, not TextArena's allowance for errors.
    - Rewards are utilities. ``game_info`` has "reason", "invalid_move" (whether this player has
      forfeited), "turn_count", "truncated" and ``TextGame.totals``: "legal", "illegal" and
      "unreadable" count replies, "failures" turns without a legal move, which are neither in
      "graded" nor in "kept".
    - Where the game is over before a player's turn, one step ends it, whatever the reply is.
    - "-raw" gives each message once, so what ``memory`` says is for its user to do.
    - The same seed and replies give the same game. TextArena's own states seed Python's global
      generator, which others may draw from; this one neither seeds it nor draws from it.

    ``game`` is the ``TextGame``. ValueError for another number of players.
    """

    def __init__(
        self,
        game: str | Position,
        *,
        seat: str | int = "random",
        opponent: Any = "random",
        **options: Any,
    ) -> None:
        self._alone = TextEnv(game, seat=seat, opponent=opponent, **options)
        options.pop("reward", None)
        self._together = TextGame(game, **options)
        self.game = self._together
        self.seats: list[int] = []
        """The seat of each of TextArena's players."""
        self._playing = False

    def reset(self, num_players: int, seed: int | None = None) -> None:
        """Begins a game of ``num_players`` models: 1, or all players of the game."""
        players = self._together.start.num_players
        whole = hasattr(num_players, "__index__") and not isinstance(num_players, bool)
        if not whole or num_players not in (1, players):
            raise ValueError(
                f"num_players must be {players}, a model for each player, or 1, against opponents, "
                f"not {num_players!r}"
            )
        if num_players == players:
            self.game = self._together
            self.game.reset(seed)
            self.seats = [*range(players)]
        else:
            self.game = self._alone.game
            self._alone.reset(seed)
            self.seats = [self._alone.seat]
        self._told = [0] * num_players
        self._playing = True
        # Given a seed, the state would seed the global generator.
        self.state = textarena.MinimalMultiPlayerState(num_players=num_players, seed=None)
        self.state.reset(game_state={}, player_prompt_function=self._prompt)
        self._go_on()

    def _prompt(self, player_id: int, game_state: dict[str, Any]) -> str:
        return self.game.conversations[self.seats[player_id]].introduction()

    def step(self, action: str) -> tuple[bool, dict[str, Any]]:
        """Reads the reply of the player to move; returns whether the game is over, and the info."""
        if not self._playing:
            raise ValueError("no game is being played: call reset() before step()")
        if not isinstance(action, str):
            raise TypeError(f"an action is a text, the reply of a model, not {action!r}")
        player = self.state.current_player_id
        # Only its author sees a reply: it may tell what others must not know.
        self.state.add_observation(action, Kind.PLAYER_ACTION, player, to_id=player)
        if len(self.seats) == 1:
            self._alone.step(action)
        elif not self.game.over:
            self.game.step(action)
        info = self.game.info(self.seats[player])
        self.state.made_invalid_move = info["action"] is None
        self.state.step()
        self._go_on()
        self._playing = not self.state.done
        return self.state.done, info

    def get_observation(self) -> tuple[int, Any]:
        """Returns the player to move and what it was told since it was last asked."""
        if not self.seats:
            raise ValueError("no game is being played: call reset() before get_observation()")
        return super().get_observation()  # type: ignore[no-any-return]

    def _go_on(self) -> None:
        """Tells the player to move what it must know, or all players how the game has ended."""
        if not self.game.over:
            assert self.game.seat is not None
            self.state.manually_set_current_player_id(self.seats.index(self.game.seat), force=True)
            self._tell(self.state.current_player_id)
            return
        for player in range(len(self.seats)):
            self._tell(player)
        self._end()

    def _tell(self, player: int) -> None:
        """Adds to a player's observation what the game has said since the last time."""
        seat = self.seats[player]
        self.game.messages(seat)
        said = [
            (message["content"], number == 0 and (turn == 0 or not self.game.over))
            for turn, messages in enumerate(self.game.conversations[seat].turns)
            for number, message in enumerate(messages)
            if message["role"] == "user"
        ]
        for content, is_board in said[self._told[player] :]:
            kind = Kind.GAME_BOARD if is_board else Kind.GAME_ADMIN
            self.state.add_observation(content, kind, to_id=player)
        self._told[player] = len(said)

    def _end(self) -> None:
        """Sets rewards and the info of the game."""
        assert self.game.utilities is not None
        utilities = [self.game.utilities[seat] for seat in self.seats]
        for player, seat in enumerate(self.seats):
            found, turn = self.state.game_info[player], self.game.conversations[seat].turns[-1]
            found |= {**self.game.totals(seat), "seat": seat, "truncated": self.game.truncated}
            found["invalid_move"] = self.game.info(seat)["failure"] == "forfeit"
            found["ending"] = turn[-1]["content"].rpartition("\n")[2]
        self.state.set_game_outcome(dict(enumerate(utilities)), "")
        for player in range(len(self.seats)):
            found = self.state.game_info[player]
            found["reason"] = found.pop("ending")

    def get_board_str(self) -> str:
        """Returns the whole position as text, for those who look on."""
        return str(self.game.session.position)


class _Forgetting:
    """Lets a wrapper of observations forget the last game when the next one begins.

    Those of TextArena 0.7.4 keep all games of an environment in ``full_observations``.
    """

    def reset(self, num_players: int, seed: int | None = None) -> Any:
        """Begins a game."""
        self.full_observations: dict[int, Any] = {}
        return super().reset(num_players=num_players, seed=seed)  # type: ignore[misc]


class WholeChat(_Forgetting, wrappers.LLMObservationWrapper):  # type: ignore[name-defined]
    """Shows a player the rules, and the turns of this game that ``memory`` keeps, with replies."""

    def observation(self, player_id: int, observation: Any) -> Any:
        """Returns the text for a player."""
        told = self.full_observations.setdefault(player_id, [])
        told.extend(observation or [])
        memory = self.env.game.conversations[0].memory
        turns = [i for i, (_, _, kind) in enumerate(told) if kind is Kind.GAME_BOARD]
        if memory is not None and len(turns) > memory + 1:
            del told[1 : turns[-1 - memory]]
        return super().observation(player_id, None)


class CurrentTurn(
    _Forgetting,
    wrappers.GameMessagesAndCurrentBoardObservationWrapper,  # type: ignore[name-defined]
):
    """Shows a player the rules and the beginning of its present turn."""


def register_text_arena(*names: str) -> None:
    """Registers games with TextArena by their names; those that it has already stay.

    TextArena's usual wrapper of actions, which puts a whole reply into brackets, is left out.
    """
    for name in names:
        if (key := gymnasium_id(name)) not in registration.ENV_REGISTRY:
            versions = {"default": [WholeChat], "-train": [CurrentTurn]}
            registration.register_with_versions(key, ENTRY_POINT, wrappers=versions, game=name)


register_text_arena(*GAMES)
