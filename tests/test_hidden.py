"""What players see of games of hidden information, wherever a position is shown, and what not."""

import copy
import pickle
import random
import re
from dataclasses import dataclass, field
from typing import ClassVar

import gymnasium
import numpy as np
import pytest
from typer.testing import CliRunner

import adv_envs
import agents
from adv_envs import Kuhn, TicTacToe, kuhn_v0
from adv_envs.aima import StochasticGame
from adv_envs.envs.opponents import BatchOpponent
from adv_envs.position import CHANCE, checked, reachable
from adv_envs.testing import check_agent, check_game
from agents.cli.app import app
from agents.faults import CannotPlay
from agents.match_loop import match, play_game

DEALT = Kuhn().after("Q K")
"""Player 0 has the queen and is to move."""


@dataclass(repr=False)
class Spy(agents.Agent):
    """Plays at random, and remembers the positions that it was asked about."""

    asked: list[adv_envs.Position] = field(default_factory=list, repr=False, compare=False)
    name: ClassVar[str] = "spy"

    def act(self, position):
        """Remember the position."""
        self.asked.append(position)
        if position.is_terminal():
            raise ValueError("the game is over")
        return random.Random(len(self.asked)).choice(position.legal_actions())


def is_view(position):
    """Whether nothing is left in ``position`` that the player to move does not see."""
    return position == position.hidden(position.to_move)


# ---- the contract


def test_perfect_information_is_the_default():
    board = TicTacToe().after("b2")
    assert board.perfect_information
    assert board.hidden(0) is board
    assert board.determinized(1, 5) is board
    assert not Kuhn.perfect_information


def test_a_view_is_the_information_set():
    views = {p.hidden(0) for p in reachable(Kuhn()) if p.to_move == 0 and not p.is_terminal()}
    assert len(views) == 6  # three cards, at the first action and after pass and bet
    assert Kuhn().after("Q K").hidden(0) == Kuhn().after("Q J").hidden(0)


def test_a_view_is_not_played_on():
    view = DEALT.hidden(0)
    checked(DEALT, whole=True)
    with pytest.raises(ValueError, match="only what player 0 sees"):
        checked(view, whole=True)
    env = kuhn_v0.env()
    with pytest.raises(ValueError, match="only what player 0 sees"):
        env.reset(options={"position": view})


class Leaky(Kuhn, compiled=False):
    """Shows everybody's card to everybody."""

    def observe(self, player, planes):
        planes[0] = self.card(1 - player) == 1

    def play(self, action):
        return type(self)(*super().play(action))

    def hidden(self, player):
        return type(self)(*super().hidden(player))

    def determinized(self, player, state):
        return type(self)(*super().determinized(player, state))


class Forgetful(Leaky):
    """Players forget what was bet: it is blanked out as long as somebody has to answer."""

    def observe(self, player, planes):
        pass

    def hidden(self, player):
        view = super().hidden(player)
        return view if self.is_terminal() else view._replace(bets=0)


class Announced(Leaky):
    """Cards are dealt aloud, though views do not show them."""

    def observe(self, player, planes):
        pass

    def seen_after(self, player, action):
        return 0  # at once


@pytest.mark.parametrize(
    ("cls", "message"),
    [
        (Leaky, "tells more than"),
        (Forgetful, "cannot tell two own actions"),
        (Announced, "seen_after.* looks the same"),
    ],
)
def test_the_laws_find_leaks_and_forgetting(cls, message):
    with pytest.raises(AssertionError, match=message):
        check_game(cls())


# ---- environments


def test_the_aec_environment_shows_the_view_of_the_agent_to_act():
    env = kuhn_v0.env(render_mode="ansi")
    env.reset(options={"position": DEALT})
    assert env.position == DEALT.hidden(0)
    assert env.whole_position == env.view("all") == DEALT
    assert env.view(1) == DEALT.hidden(1)
    assert env.render() == str(DEALT.hidden(0))
    assert env.render(view=1) == str(DEALT.hidden(1))
    assert env.render(view=None) == env.render() == str(DEALT.hidden(0))
    assert env.render(view="all") == str(DEALT)
    env.render_view = "all"
    assert env.render() == str(DEALT)
    env.step(0)
    assert env.position == DEALT.play(0).hidden(1)
    assert all(not info for info in env.infos.values())
    for again in (copy.deepcopy(env), pickle.loads(pickle.dumps(env))):
        assert again.whole_position == env.whole_position
        assert again.position == env.position


def test_the_pixels_do_not_depend_on_what_is_hidden():
    shown = []
    for deal in ("Q K", "Q J"):
        env = kuhn_v0.env(render_mode="rgb_array")
        env.reset(options={"position": Kuhn().after(deal)})
        shown.append((env.render(), env.render(view="all")))
    assert np.array_equal(shown[0][0], shown[1][0])
    assert not np.array_equal(shown[0][1], shown[1][1])


@pytest.mark.parametrize("view", [2, -1, True, "player_0", 0.0])
def test_a_view_must_be_that_of_a_player(view):
    env = kuhn_v0.env(render_mode="ansi")
    env.reset(seed=1)
    with pytest.raises((TypeError, ValueError), match=r"players are 0|a view is that of"):
        env.render(view=view)


def test_a_cheat_sees_only_its_view_in_the_gymnasium_environment():
    spy = Spy()
    env = gymnasium.make("adv_envs/Kuhn-v0", opponent=spy, seat="random").unwrapped
    for seed in range(20):
        _, info = env.reset(seed=seed)
        over = False
        while not over:
            assert env.position == env.whole_position.hidden(env.seat)
            legal = np.flatnonzero(info["action_mask"])
            *_, over, _, info = env.step(int(legal[0]))
            assert set(info) == {"action_mask", "seat"}
    assert len(spy.asked) > 10
    assert all(map(is_view, spy.asked))


def test_a_cheat_sees_only_its_view_in_the_vector_environment():
    asked = []

    def batch(positions):
        asked.extend(positions)
        return [position.legal_actions()[0] for position in positions]

    for opponent in (BatchOpponent(batch), lambda position: batch([position])[0]):
        env = gymnasium.make_vec("adv_envs/Kuhn-v0", num_envs=8, opponent=opponent)
        _, info = env.reset(seed=3)
        for _ in range(10):
            *_, info = env.step(info["action_mask"].argmax(axis=1))
        env.close()
    assert len(asked) > 50
    assert all(map(is_view, asked))


def test_compiled_greed_is_refused():
    for opponent in ("greedy", "greedy()", ["random", "greedy"]):
        with pytest.raises(ValueError, match="players do not see everything"):  # noqa: PT012
            envs = gymnasium.make_vec("adv_envs/Kuhn-v0", num_envs=2, opponent=opponent)
            for seed in range(9):
                envs.reset(seed=seed)


def test_pictures_of_the_vector_environment_show_views():
    envs = gymnasium.make_vec(
        "adv_envs/Kuhn-v0", num_envs=2, opponent="random", seat=0, render_mode="ansi"
    )
    envs.reset(seed=1, options={"position": DEALT})
    assert envs.render() == (str(DEALT.hidden(0)),) * 2
    with pytest.raises(ValueError, match="only what player 0 sees"):
        envs.reset(options={"position": DEALT.hidden(0)})
    envs.close()


def test_the_textbook_refuses_hidden_information():
    with pytest.raises(ValueError, match="perfect information"):
        StochasticGame(DEALT)


# ---- agents


def test_a_cheat_sees_only_its_view_in_a_match():
    spy = Spy()
    seen = []
    match(Kuhn(), spy, "random", pairs=20)
    play_game(Kuhn(3), [spy] * 3, seed=5, on_move=lambda position, _: seen.append(position))
    assert all(map(is_view, spy.asked))
    assert not all(map(is_view, seen[2:]))  # the caller sees all


@pytest.mark.parametrize(
    "spec",
    [
        *("minimax", "alpha_beta", "greedy", "mcts", "expectiminimax", "retrograde"),
        *("proof_number", "max_n", "paranoid"),
    ],
)
def test_agents_that_need_perfect_information_refuse(spec):
    players = 3 if spec in ("max_n", "paranoid") else 2
    with pytest.raises(CannotPlay, match="needs perfect information"):
        match(Kuhn(players), spec, *["random"] * (players - 1), pairs=1)


# ---- information set Monte Carlo tree search


def search(**parameters):
    return agents.InformationSetMCTS(**{"simulations": 2000, "seed": 1, **parameters})


@pytest.mark.parametrize("start", [Kuhn(), Kuhn(3)])
@pytest.mark.parametrize("mixed", [False, True])
def test_it_keeps_the_laws_of_agents(start, mixed):
    check_agent(search(simulations=100, mixed=mixed), start, make=agents.make)


def test_it_uses_only_what_the_player_sees():
    whole = [search().analyse(Kuhn().after(deal)) for deal in ("Q K", "Q J")]
    view = search().analyse(DEALT.hidden(0))
    assert whole[0].visits == whole[1].visits == view.visits


@pytest.mark.parametrize(
    ("line", "best"),
    [("K Q bet", None), ("K J pass bet", "bet"), ("J Q pass bet", "pass"), ("Q K bet", "bet")],
)
def test_it_calls_with_the_best_card_and_folds_with_the_worst(line, best):
    position = Kuhn().after(line)
    found = search().analyse(position)
    assert found.nodes == 2000
    assert sum(found.visits.values()) == 2000
    if best is not None:
        assert position.name(found.action) == best


def test_it_is_the_same_in_plain_python():
    fast, slow = search(simulations=300), search(simulations=300)
    slow._kernel = lambda view: search()._kernel(view).plain
    found = fast.analyse(DEALT)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("agents.mcts.information_set.prepared", lambda kernel, *_: kernel)
        assert slow.analyse(DEALT).visits == found.visits


def test_mixed_play_draws_from_the_visits():
    agent = search(mixed=True, simulations=500)
    shares = agent.probabilities(DEALT)
    assert sum(shares.values()) == pytest.approx(1)
    assert search(simulations=500).probabilities(DEALT)[search(simulations=500).act(DEALT)] == 1


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("simulations", 0),
        ("seconds", -1),
        ("exploration", "much"),
        ("exploration", float("nan")),
        ("table_mb", 0),
    ],
)
def test_it_says_what_is_allowed(name, value):
    with pytest.raises(TypeError if value == "much" else ValueError, match=name):
        agents.InformationSetMCTS(**{name: value})


def test_it_refuses_the_deal_and_the_end():
    with pytest.raises(ValueError, match="chance is to move"):
        search().act(Kuhn())
    with pytest.raises(ValueError, match="the game is over"):
        search().act(Kuhn().after("Q K pass pass"))
    assert Kuhn().to_move == CHANCE


def test_it_stops_in_time_and_in_little_memory():
    found = search(simulations=None, seconds=0.05, table_mb=0.001).analyse(DEALT)
    assert found.nodes >= 1


# ---- the command line


def played(*arguments, typed):
    """What ``adv-envs play`` prints while somebody types these lines."""
    lines = "".join(f"{line}\n" for line in typed)
    found = CliRunner().invoke(app, ["play", *arguments], input=lines, prog_name="adv-envs")
    assert found.exit_code == 0, found.output
    return found.stdout


def test_two_people_at_one_screen_do_not_read_what_the_other_chose():
    text = played("rock_paper_scissors", "--opponent", "human", typed=["rock", "paper"])
    before = text.split("Your move, Player 1: rock")[1].split("Your move, Player 2")[0]
    assert "Player 1 (human) plays ?" in before
    assert "rock" not in before
    assert "Player 2 (human) plays paper" in text


def test_cards_that_are_dealt_are_no_part_of_a_move():
    line = ["--moves", "Jh Kh raise"]
    text = played("leduc", *line, "--opponent", "human", typed=["raise", "call", "quit"])
    assert re.search(r"plays call\nchance plays [JQK][sh]\n", text)
    text = played("leduc", "--moves", "Jh Kh check raise", "--opponent", "random", typed=["call"])
    assert re.search(r"Your move, Player 1: call\nchance plays [JQK][sh]\n", text)
    assert "You call" not in text


def test_moves_may_be_one_word():
    for command in ("solve", "show"):
        found = CliRunner().invoke(app, [command, "kuhn", "Q K"], prog_name="adv-envs")
        assert found.exit_code == 0, found.output


def test_every_picture_of_finished_games_can_be_drawn():
    rng = random.Random(1)
    names = ["kuhn", "leduc", "liars_dice", "goofspiel", "rock_paper_scissors"]
    for name in [*names, "phantom_tic_tac_toe", "dark_hex"]:
        for _ in range(5):
            position = adv_envs.registry.start_position(name)
            while not position.is_terminal():
                position = position.play(rng.choice(position.legal_actions()))
            for shown in (position, position.hidden(0), position.hidden(1)):
                assert shown.svg().startswith("<svg")
            if name == "dark_hex":
                owners = {position.cell(*cell) for cell in position.winning_cells()}
                assert owners == {position.winner}
