"""The textbook's interface: its searches, its players, and code written for it by somebody else."""

import copy
import pickle
import random
import re
import runpy
import subprocess
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import adv_envs
import agents
from adv_envs import IllegalMove, Position, Tree, aima
from adv_envs.aima import (
    ConnectFour,
    Fig52,
    Game,
    Hex,
    Pig,
    State,
    StochasticGame,
    ThirtyOne,
    TicTacToe,
    alpha_beta_cutoff_search,
    alpha_beta_player,
    alpha_beta_search,
    alphabeta_search,
    cutoff_depth,
    expect_minmax,
    expect_minmax_player,
    expectiminimax,
    expectiminimax_search,
    games_py,
    h_alphabeta_search,
    mcts_player,
    minimax_search,
    minmax_decision,
    minmax_player,
    monte_carlo_tree_search,
    play_game,
    player,
    query_player,
    random_player,
    seeded_random_player,
)

pytestmark = pytest.mark.plain

SEARCHES = (minimax_search, alphabeta_search, h_alphabeta_search)


def reach(game, moves):
    """The state after ``moves``, indices into what is legal."""
    state = game.initial
    for move in moves:
        if not game.is_terminal(state):
            legal = game.actions(state)
            state = game.result(state, legal[move % len(legal)])
    return state


class Extra(Position, compiled=False):
    """Take 1 to 3 of the stones; who takes one moves again; who takes the last stone wins."""

    stones: int = 6
    mover: int = 0
    last: int = 0
    num_actions = 3

    @property
    def to_move(self):
        return self.mover

    def legal(self, action):
        return action < self.stones

    def play(self, action):
        after = self.mover if action == 0 else 1 - self.mover
        return Extra(self.stones - action - 1, after, self.mover)

    def is_terminal(self):
        return self.stones == 0

    def utility(self, player):
        return 1 if player == self.last else -1


class Dice(Extra):
    """A game of chance, for the refusal."""

    @property
    def to_move(self):
        return adv_envs.CHANCE

    def probability(self, action):
        return 1 / min(3, self.stones)


# ---- figure 5.2: the numbers are those of ORACLES


class CountingFig52(Fig52):
    """As a student would count."""

    def __init__(self):
        super().__init__()
        self.nodes, self.leaves = 0, []

    def is_terminal(self, state):
        self.nodes += 1
        return super().is_terminal(state)

    def utility(self, state, player):
        self.leaves.append(super().utility(state, "MAX"))
        return super().utility(state, player)


@pytest.mark.parametrize(
    ("search", "nodes", "leaves"),
    [
        (minimax_search, 13, [3, 12, 8, 2, 4, 6, 14, 5, 2]),
        (alphabeta_search, 11, [3, 12, 8, 2, 14, 5, 2]),
        (h_alphabeta_search, 11, [3, 12, 8, 2, 14, 5, 2]),
    ],
)
def test_figure_5_2_is_worth_3_by_a1(search, nodes, leaves):
    game = CountingFig52()
    assert search(game, game.initial) == (3, "a1")
    assert (game.nodes, game.leaves) == (nodes, leaves)


def test_min_finds_the_least_of_each_subtree():
    game = Fig52()
    below = [game.result(game.initial, move) for move in game.actions(game.initial)]
    for search in SEARCHES:
        assert [search(game, state) for state in below] == [(-3, "b1"), (-2, "c1"), (-2, "d3")]
    assert [game.to_move(state) for state in (game.initial, *below)] == ["MAX", *["MIN"] * 3]
    assert Fig52().play_game(minmax_player, alpha_beta_player) == 3


# ---- the searches agree


@settings(max_examples=25, deadline=None)
@given(st.lists(st.integers(0, 8), min_size=3, max_size=9))
def test_alpha_beta_is_minimax_on_tic_tac_toe(moves):
    game = TicTacToe()
    state = reach(game, moves)
    assert alphabeta_search(game, state) == minimax_search(game, state)
    assert h_alphabeta_search(game, state) == minimax_search(game, state)
    assert alpha_beta_search(state, game) == minmax_decision(state, game)


trees = st.recursive(
    st.integers(-9, 9), lambda below: st.dictionaries(st.sampled_from("abcd"), below, min_size=1)
).filter(lambda tree: isinstance(tree, dict))


def value_of(tree, sign=1):
    """What a tree of dicts and numbers is worth to MAX."""
    if not isinstance(tree, dict):
        return tree
    return sign * max(sign * value_of(below, -sign) for below in tree.values())


@settings(deadline=None)
@given(trees)
def test_every_search_finds_the_value_of_any_tree(tree):
    game = Game(Tree(tree))
    value = value_of(tree)
    first = next(move for move in tree if value_of(tree[move], -1) == value)
    assert minimax_search(game, game.initial) == (value, first)
    assert alphabeta_search(game, game.initial) == (value, first)
    assert h_alphabeta_search(game, game.initial, cutoff_depth(99)) == (value, first)


@pytest.mark.parametrize("stones", range(1, 10))
def test_a_player_may_have_two_turns_in_a_row(stones):
    def wins(left):
        """Does the player to move take the last stone?"""
        if left == 0:
            return False
        again = left == 1 or wins(left - 1)
        return again or any(not wins(left - taken) for taken in (2, 3) if taken <= left)

    game = Game(Extra(stones))
    for search in (minimax_search, alphabeta_search):
        assert search(game, game.initial)[0] == (1 if wins(stones) else -1)
    h_value, _ = h_alphabeta_search(game, game.initial, cutoff_depth(20))
    assert h_value == (1 if wins(stones) else -1)


# ---- states


def test_states_of_games_py_are_refused_with_their_place():
    board = games_py.GameState("X", 0, {(1, 1): "X"}, [])
    for game, state in ((Fig52(), "A"), (TicTacToe(), board)):
        for ask in (game.actions, game.to_move, game.is_terminal, game.display):
            with pytest.raises(TypeError, match=r"games of adv_envs\.aima\.games_py"):
                ask(state)


def test_games_the_searches_are_not_for_are_refused():
    game = ThirtyOne(num_players=3)
    for search in SEARCHES:
        with pytest.raises(ValueError, match="for two players, not 3"):
            search(game, game.initial)
        with pytest.raises(TypeError, match=r"\(game, state\)"):
            search(game.initial, game)
    with pytest.raises(ValueError, match="Dice is a game of chance: use StochasticGame"):
        Game(Dice())
    for game in (StochasticGame(Dice()), Pig()):
        for search in SEARCHES:
            with pytest.raises(ValueError, match="games without chance: use expectiminimax_search"):
                search(game, game.initial)


def test_a_finished_game_has_a_value_and_no_move():
    game = TicTacToe()
    state = reach(game, [0, 2, 0, 2, 0])  # X has the top row
    assert game.is_terminal(state)
    assert game.terminal_test(state)
    assert game.actions(state) == state.moves == []
    for search in SEARCHES:
        assert search(game, state) == (-1, None)  # O is to move
    assert (state.utility, game.utility(state, "X"), game.utility(state, "O")) == (1, 1, -1)


# ---- cutting off


def test_the_depth_of_a_cut_is_counted_from_the_state_that_is_searched():
    game, depths = TicTacToe(), set()
    start = reach(game, [0])

    def h(state, player):
        assert player == "O"
        depths.add(len(state) - len(start))
        return 0

    assert h_alphabeta_search(game, start, cutoff_depth(2), h) == (0, (1, 0))
    assert depths == {3}


def test_a_deeper_cut_sees_more():
    game = ConnectFour()
    state = game.initial
    for column in (3, 0, 3, 0, 3):
        state = game.result(state, column)  # X threatens the fourth stone in the middle column
    assert h_alphabeta_search(game, state, cutoff_depth(0)) == (0, (0, 3))
    assert h_alphabeta_search(game, state, cutoff_depth(1)) == (0, (3, 2))
    assert alpha_beta_cutoff_search(state, game, d=1) == (3, 2)


def test_the_evaluation_decides_where_the_end_is_out_of_sight():
    game = TicTacToe()

    def centre(state, player):
        return {player: 1, ".": 0}.get(state[1, 1], -1)

    assert h_alphabeta_search(game, game.initial, cutoff_depth(0), centre) == (1, (1, 1))
    for how, move in (
        ({"d": 1, "eval_fn": lambda state: centre(state, "X")}, (1, 1)),
        ({"cutoff_test": lambda state, depth: True, "eval_fn": lambda s: -len(s)}, (0, 0)),
    ):
        assert alpha_beta_cutoff_search(game.initial, game, **how) == move


def test_the_older_search_asks_the_evaluation_about_finished_games_too():
    game = Game(Tree({"win": 1, "lose": -1}))
    worth = {"leaf, worth 1 to MAX": 10, "leaf, worth -1 to MAX": 20}
    move = alpha_beta_cutoff_search(game.initial, game, eval_fn=lambda s: worth[str(s)])
    assert move == "lose"
    assert alpha_beta_cutoff_search(game.initial, game) == "win"


# ---- states: the squares of the notebook


def in_a_row(board, square, k):
    """Do k equal marks stand in a line through ``square`` of a dict {(x, y): mark}?"""
    for dx, dy in ((1, 0), (0, 1), (1, 1), (1, -1)):
        length = 1
        for sign in (1, -1):
            x, y = square[0] + sign * dx, square[1] + sign * dy
            while board.get((x, y)) == board[square]:
                length, x, y = length + 1, x + sign * dx, y + sign * dy
        if length >= k:
            return True
    return False


@pytest.mark.parametrize("falls", [False, True])
@pytest.mark.parametrize(("height", "width", "k"), [(3, 3, 3), (4, 5, 3), (6, 7, 4), (1, 4, 2)])
def test_boards_are_played_on_the_squares_of_the_notebook(falls, height, width, k):
    game = (ConnectFour if falls else TicTacToe)(height=height, width=width, k=k)
    every = {(x, y) for x in range(width) for y in range(height)}
    assert game.squares == every
    assert game.k == k
    for seed in range(10):
        dice, board, state, worth = random.Random(seed), {}, game.initial, 0
        for turn in range(height * width + 1):
            empty = every - set(board)
            if falls:
                empty = {(x, y) for x, y in empty if y == height - 1 or (x, y + 1) in board}
            over = worth != 0 or not empty
            assert game.is_terminal(state) == over
            assert set(game.actions(state)) == set(state.moves) == (set() if over else empty)
            assert (state.utility, game.utility(state, "O")) == (worth, -worth)
            assert dict(state) == state.board == board
            assert (len(state), state.width, state.height) == (turn, width, height)
            if over:
                break
            assert state.to_move == game.to_move(state) == "XO"[turn % 2]
            square = dice.choice(sorted(empty))
            board[square] = state.to_move
            if in_a_row(board, square, k):
                worth = 1 if state.to_move == "X" else -1
            state = game.result(state, square)


def test_a_board_knows_its_empty_squares_and_its_edge():
    game = TicTacToe(height=2, width=3, k=2)
    state = game.result(game.initial, (2, 1))
    assert [[state[x, y] for x in range(-1, 4)] for y in (0, 1, 2)] == [
        ["#", ".", ".", ".", "#"],
        ["#", ".", ".", "X", "#"],
        ["#"] * 5,
    ]
    assert (state.get((2, 1)), state.get((0, 0)), state.get((0, 0), ".")) == ("X", None, ".")
    assert (2, 1) in state
    assert (0, 0) not in state
    assert (9, 9) not in state
    assert "c2" not in state
    assert list(state.items()) == [((2, 1), "X")]
    assert not game.initial
    assert repr(state) == str(state.position)


def test_hex_joins_top_and_bottom_for_x():
    game = Hex(2, swap=True)
    state = game.result(game.initial, (1, 0))
    assert state.moves == [(0, 0), (0, 1), (1, 1), "swap"]
    for move in ((0, 0), (0, 1)):  # X: the right of the top row, the left of the bottom row
        state = game.result(state, move)
    assert state.board == {(1, 0): "X", (0, 1): "X", (0, 0): "O"}
    assert (game.is_terminal(state), state.utility) == (True, 1)
    swapped = game.result(game.result(game.initial, (1, 0)), "swap")
    assert (swapped.board, swapped.to_move) == ({(0, 1): "O"}, "X")


def test_a_game_without_a_board_is_played_by_names():
    game = ThirtyOne()
    assert game.actions(game.initial) == ["1", "2", "3", "4", "5", "6"]
    assert game.result(game.initial, "6").position.total == 6
    assert game.initial
    assert Fig52().actions(Fig52().initial) == ["a1", "a2", "a3"]
    three = ThirtyOne(limit=2, num_players=3)
    names = [reach(three, [0] * n).to_move for n in range(3)]
    assert names == ["A", "B", "C"]
    assert [three.utility(reach(three, [0, 0]), name) for name in names] == [0.5, 0.5, -1]
    with pytest.raises(ValueError, match="no player is called 'X'"):
        three.utility(reach(three, [0, 0]), "X")


def test_states_are_hashable_equal_by_content_and_can_be_copied():
    game = TicTacToe()
    one, other = reach(game, [0, 0, 0]), reach(game, [2, 1, 0])
    assert dict(one) == {(0, 0): "X", (1, 0): "O", (2, 0): "X"}
    assert (one, hash(one), {one: 1}[other]) == (other, hash(other), 1)
    assert one != game.initial
    assert one != dict(one)
    for state in (one, Fig52().initial):
        assert copy.deepcopy(state) == pickle.loads(pickle.dumps(state)) == state


@pytest.mark.parametrize("move", [(1, 1), "b2", " B2", 4])
def test_a_move_may_be_a_square_a_name_or_an_action_number(move):
    game = TicTacToe()
    assert game.result(game.initial, move).board == {(1, 1): "X"}


@pytest.mark.parametrize("move", [(0, 0), (3, 3), (1, -1), "a1", "d4", 0, 9, None, [1, 1], 1.5])
def test_an_illegal_move_is_refused_by_name(move):
    game = TicTacToe()
    state = game.result(game.initial, (0, 0))
    with pytest.raises(IllegalMove, match=re.escape(repr(move)) + ".* legal: .*2"):
        game.result(state, move)
    with pytest.raises(IllegalMove, match="the game is over"):
        game.result(reach(game, [0, 2, 0, 2, 0]), move)


# ---- playing


def test_alpha_beta_never_loses_to_chance_and_draws_with_minimax():
    game = TicTacToe()
    for seed in range(3):
        dice = seeded_random_player(seed)
        end = play_game(game, {"X": dice, "O": player(alphabeta_search)})
        assert game.utility(end, "O") >= 0
        assert game.play_game(alpha_beta_player, dice) >= 0
    draw = play_game(game, {"X": player(alphabeta_search), "O": player(minimax_search)})
    assert draw.utility == 0


def test_play_game_prints_what_happens_when_asked(capsys):
    strategies = {"MAX": lambda game, state: "a2", "MIN": lambda game, state: 2}
    end = play_game(Fig52(), strategies, verbose=True)
    assert end.utility == 6
    assert capsys.readouterr().out.splitlines() == [
        "Player MAX move: a2",
        "MIN to move: c1, c2, c3",
        "Player MIN move: c3",
        "leaf, worth 6 to MAX",
    ]
    play_game(Fig52(), strategies)
    assert capsys.readouterr().out == ""
    assert Fig52().play_game(*strategies.values()) == 6
    assert capsys.readouterr().out == "leaf, worth 6 to MAX\n"


class NoCentre(TicTacToe):
    """Rules of one's own on top of ours."""

    def actions(self, state):
        return [move for move in super().actions(state) if move != (1, 1)]


class Countdown(Game):
    """A game all of one's own, with states of one's own."""

    initial = ("left", 5)

    def actions(self, state):
        return [taken for taken in (1, 2) if taken <= state[1]]

    def result(self, state, move):
        return ("right" if state[0] == "left" else "left", state[1] - move)

    def to_move(self, state):
        return state[0]

    def utility(self, state, player):
        return -1 if player == state[0] else 1


def test_play_game_refuses_an_illegal_move():
    def stubborn(game, state):
        return (0, 0)

    with pytest.raises(IllegalMove, match=r"\(0, 0\) is not a legal move; legal: \(1, 0\), "):
        play_game(TicTacToe(), {"X": stubborn, "O": stubborn})
    for centre in ((1, 1), "b2", 4):
        with pytest.raises(IllegalMove, match=r"\(1, 1\) is not a legal move"):
            NoCentre().play_game(lambda game, state, move=centre: move)
    with pytest.raises(IllegalMove, match="3 is not a legal move; legal: 1, 2"):
        Countdown().play_game(lambda game, state: 3)


def test_every_player_needs_a_strategy():
    for play, who, known in (
        (lambda: play_game(TicTacToe(), {1: random_player, 2: random_player}), "X", "1, 2"),
        (lambda: Fig52().play_game(random_player), "MIN", "'MAX'"),
        (TicTacToe().play_game, "X", "nobody"),
    ):
        says = f"no strategy for '{who}', who is to move: only for {known}"
        with pytest.raises(ValueError, match=says):
            play()


def test_play_game_asks_whoever_is_to_move():
    movers = []

    def first(game, state):
        movers.append("first")
        return "0"  # one stone: move again

    def second(game, state):
        movers.append("second")
        return "1"

    assert Game(Extra(4, 0)).play_game(first, second) == 1
    assert movers == ["first"] * 4
    takers = [lambda game, state, token=token: token for token in ("2", "1", "1")]
    assert ThirtyOne(limit=4, num_players=3).play_game(*takers) == -1  # A cannot move again


def test_a_game_of_ones_own_is_searched_and_played():
    game = Countdown()
    for search in SEARCHES:
        assert search(game, game.initial) == (1, 2)
    assert game.play_game(alpha_beta_player, minmax_player) == 1
    assert play_game(game, {"left": random_player, "right": player(minimax_search)})[1] == 0


def test_the_end_of_the_game_answers_to_both_names():
    class Older(TicTacToe):
        def terminal_test(self, state):
            return len(state) == 2 or super().terminal_test(state)

    class Newer(Older):
        def is_terminal(self, state):
            return len(state) == 1 or super().is_terminal(state)

    for cls, plies in ((TicTacToe, 5), (Older, 2), (Newer, 1)):
        game = cls()
        ends = [reach(TicTacToe(), [0, 2, 0, 2, 0][:n]) for n in range(6)]
        first = min(n for n in range(6) if game.is_terminal(ends[n]))
        assert first == min(n for n in range(6) if game.terminal_test(ends[n])) == plies


def test_random_players_can_be_repeated():
    game = ConnectFour()

    def end(one, other):
        return play_game(game, {"X": seeded_random_player(one), "O": seeded_random_player(other)})

    assert end(1, 2) == end(1, 2) != end(3, 4)
    found = []
    for _ in range(2):
        random.seed(7)
        found.append(play_game(game, {"X": random_player, "O": random_player}))
        found.append(monte_carlo_tree_search(game.initial, game, 60))
    assert found[:2] == found[2:]


# ---- asking a person


@pytest.fixture
def typing(monkeypatch):
    """Enter these lines at the terminal."""

    def enter(*lines):
        rest = iter(lines)

        def read(prompt):
            try:
                return next(rest)
            except StopIteration:
                raise EOFError from None

        monkeypatch.setattr("builtins.input", read)

    return enter


@pytest.mark.parametrize("text", ["b2", " B2 ", "(1, 1)", "1,1", "1 1", "4"])
def test_a_person_may_write_a_move_in_many_ways(typing, text):
    typing(text)
    game = TicTacToe()
    assert query_player(game, game.initial) == (1, 1)


def test_a_person_is_asked_again_until_the_move_is_legal(typing, capsys):
    typing("", "hello", "a1", "9", "(7, 7)", "__import__('os').getcwd()", "c3")
    game = TicTacToe()
    state = game.result(game.initial, "a1")
    assert query_player(game, state) == (2, 2)
    out = capsys.readouterr().out
    assert out.startswith(f"{state}\nlegal moves: b1, c1, a2, b2, c2, a3, b3, c3\n")
    assert out.count("Sorry, ") == out.count("cannot be played here; legal moves: b1, c1,") == 6
    for text in ("''", "'hello'", "'a1'", "'9'", "'(7, 7)'"):
        assert f"Sorry, {text} cannot be played here" in out


def test_where_moves_are_numbers_a_number_is_a_move(typing):
    for game, lines, move in (
        (ThirtyOne(), ("0", "7", "5"), "5"),
        (ConnectFour(), ("0", "8", "4"), (3, 5)),
        (ConnectFour(), ("3 5",), (3, 5)),
        (Countdown(), ("0", "2"), 2),
        (Fig52(), ("4", "A3"), "a3"),
    ):
        typing(*lines)
        assert query_player(game, game.initial) == move


def test_a_person_may_leave(typing):
    game = TicTacToe()
    for word in ("q", " Q", "quit"):
        typing("nonsense", word)
        with pytest.raises(EOFError, match="X left the game"):
            query_player(game, game.initial)
    typing("b2")
    with pytest.raises(EOFError, match="the game is not over, but there is no more input"):
        game.play_game(query_player, query_player)
    typing("a1", "b1", "a2", "b2", "a3")
    assert game.play_game(query_player, query_player) == 1


# ---- code written for the book by somebody else, run as it is


FOURTH_EDITION = '''
import functools, math, random
from adv_envs.aima import *

def negamax_search(game, state):
    """My own search, with a table of states."""
    @functools.lru_cache(None)
    def best(state):
        me = state.to_move
        value, choice = -math.inf, None
        for move in game.actions(state):
            after = game.result(state, move)
            if game.is_terminal(after):
                score = game.utility(after, me)
            else:
                score = best(after)[0] * (1 if after.to_move == me else -1)
            if score > value:
                value, choice = score, move
        return value, choice
    result = best(state)
    global positions
    positions = best.cache_info().currsize
    return result

def corner_player(game, board):
    """My own player: a free corner, else whatever is free."""
    corners = {(0, 0), (0, board.height - 1), (board.width - 1, 0),
               (board.width - 1, board.height - 1)}
    free = [square for square in corners if board[square] == '.']
    return min(free or game.squares - set(board))

def more_lines(board, player):
    """My own evaluation: rows, columns and diagonals that are not yet blocked."""
    def lines(mark):
        rows = [[(x, y) for x in range(3)] for y in range(3)]
        columns = [[(x, y) for y in range(3)] for x in range(3)]
        diagonals = [[(i, i) for i in range(3)], [(i, 2 - i) for i in range(3)]]
        return sum(all(board[s] in (mark, '.') for s in line)
                   for line in rows + columns + diagonals)
    other = 'O' if player == 'X' else 'X'
    return (lines(player) - lines(other)) / 10

class Misere(TicTacToe):
    """My own game: three in a row loses."""
    def utility(self, board, player):
        return -super().utility(board, player)

class Columns(TicTacToe):
    """My own gravity."""
    def __init__(self): super().__init__(width=4, height=4, k=3)
    def actions(self, board):
        return {(x, y) for (x, y) in self.squares - set(board)
                if y == board.height - 1 or (x, y + 1) in board}

class Counter:
    def __init__(self, game): self.game, self.calls = game, {}
    def __getattr__(self, name):
        self.calls[name] = self.calls.get(name, 0) + 1
        return getattr(self.game, name)

game = TicTacToe()
table_value = negamax_search(game, game.initial)
misere_value = negamax_search(Misere(), Misere().initial)[0]
corners = play_game(game, dict(X=corner_player, O=player(alphabeta_search)))
draw = play_game(game, {'X': player(negamax_search), 'O': player(negamax_search)}).utility
best_first = h_alphabeta_search(game, game.initial, cutoff_depth(0), more_lines)
random.seed(1)
columns = play_game(Columns(), dict(X=player(h_alphabeta_search), O=random_player))
counted = Counter(Fig52())
counted_value = alphabeta_search(counted, counted.initial)
'''


def test_code_for_the_notebook_of_the_4th_edition(tmp_path):
    ran = run(tmp_path, FOURTH_EDITION)
    assert ran["table_value"] == (0, (0, 0))
    assert ran["misere_value"] == 0
    assert ran["draw"] == 0
    assert ran["corners"].utility <= 0
    assert ran["corners"][0, 0] == "X"
    assert ran["best_first"][1] == (1, 1)
    assert ran["columns"].utility == 1
    assert ran["counted_value"] == (3, "a1")
    assert (ran["counted"].calls["is_terminal"], ran["counted"].calls["utility"]) == (11, 7)


OLDER_EDITIONS = '''
import random
from adv_envs.aima import *

def my_decision(state, game):
    """My own search: one move ahead."""
    player = game.to_move(state)
    def worth(move):
        after = game.result(state, move)
        return game.utility(after, player) if game.terminal_test(after) else 0
    return max(game.actions(state), key=worth)

def greedy_player(game, state):
    return my_decision(state, game)

def my_random_player(game, state):
    return random.choice(game.actions(state)) if game.actions(state) else None

def shallow_player(game, state):
    def count(state):
        marks = list(state.board.values())
        return marks.count('X') - marks.count('O') + 10 * state.utility
    return alpha_beta_cutoff_search(state, game, d=2, eval_fn=count)

class Nim(Game):
    """My own game: heaps; whoever takes the last stone wins."""
    def __init__(self, heaps=(1, 2, 3)):
        self.initial = ('MAX', heaps)
    def actions(self, state):
        return [(i, n) for i, heap in enumerate(state[1]) for n in range(1, heap + 1)]
    def result(self, state, move):
        i, n = move
        heaps = tuple(heap - n * (i == j) for j, heap in enumerate(state[1]))
        return ('MIN' if state[0] == 'MAX' else 'MAX', heaps)
    def terminal_test(self, state):
        return sum(state[1]) == 0
    def to_move(self, state):
        return state[0]
    def utility(self, state, player):
        return -1 if player == state[0] else 1

random.seed(5)
ttt, fig52 = TicTacToe(3, 3, 3), Fig52Game()
never_lost = [ttt.play_game(alpha_beta_player, my_random_player) for _ in range(2)]
greedy = ttt.play_game(greedy_player, greedy_player)
shallow = ttt.play_game(shallow_player, random_player)
fig = fig52.play_game(alpha_beta_player, minmax_player)
first = minmax_decision(fig52.initial, fig52), alpha_beta_search(fig52.initial, fig52)
nim = Nim().play_game(alpha_beta_player, minmax_player), alpha_beta_search(
    ('MAX', (1, 2, 2)), Nim())
state = ttt.result(ttt.initial, ttt.actions(ttt.initial)[4])
seen = state.to_move, state.utility, len(state.moves), state.board.get((1, 1), '.')
ttt.display(state)
'''


def test_code_for_games_py_of_older_editions(tmp_path, capsys):
    ran = run(tmp_path, OLDER_EDITIONS)
    assert min(ran["never_lost"]) >= 0
    assert ran["greedy"] == 1
    assert ran["shallow"] in (-1, 0, 1)
    assert (ran["fig"], ran["first"]) == (3, ("a1", "a1"))
    assert ran["nim"] == (-1, (0, 1))
    assert ran["seen"] == ("O", 0, 8, "X")
    assert str(ran["state"]) in capsys.readouterr().out


def run(folder, code):
    """The globals of a script after it ran."""
    script = folder / "student.py"
    script.write_text(code)
    return runpy.run_path(str(script))


# ---- games of chance


def test_pig_is_a_stochastic_game():
    game = Pig(20)
    assert isinstance(game, StochasticGame)
    assert game.target == 20
    assert game.actions(game.initial) == ["roll"]
    assert [(str(c), game.probability(c)) for c in game.chances(game.initial)] == [("", 1)]
    assert game.outcome(game.initial, game.chances(game.initial)[0]) == game.initial
    rolling = game.result(game.initial, "roll")
    assert game.to_move(rolling) == "CHANCE"
    assert not game.is_terminal(rolling)
    chances = game.chances(rolling)
    assert [str(chance) for chance in chances] == list("123456")
    assert sum(map(game.probability, chances)) == pytest.approx(1)
    after = game.outcome(rolling, chances[3])
    assert after.position == adv_envs.Pig(20).after("roll 4")
    assert game.to_move(game.outcome(rolling, chances[0])) == "MIN"


class TwoDice(Position, compiled=False):
    """A throw of two dice after the bet of the first player, that their sum is at least this."""

    bet: int = -1
    first: int = -1
    second: int = -1
    num_actions = 7

    @property
    def to_move(self):
        return 0 if self.bet < 0 else adv_envs.CHANCE

    def legal(self, action):
        return action < (7 if self.bet < 0 else 3)

    def play(self, action):
        first = next(i for i in range(3) if self[i] < 0)
        return TwoDice(*(action if i == first else value for i, value in enumerate(self)))

    def is_terminal(self):
        return self.second >= 0

    def utility(self, player):
        won = self.bet if self.first + self.second >= self.bet else -1
        return won if player == 0 else -won

    def probability(self, action):
        return (0.5, 0.25, 0.25)[action]


def test_events_in_a_row_are_one():
    game = StochasticGame(TwoDice())
    thrown = game.result(game.initial, "2")
    chances = game.chances(thrown)
    assert [str(c) for c in chances] == [f"{a} {b}" for a in range(3) for b in range(3)]
    probabilities = [game.probability(chance) for chance in chances]
    assert probabilities == [0.25, 0.125, 0.125, 0.125, 0.0625, 0.0625, 0.125, 0.0625, 0.0625]
    assert all(game.is_terminal(game.outcome(thrown, chance)) for chance in chances)


def test_expectiminimax_takes_the_mean():
    game = StochasticGame(TwoDice())
    sums = {0: 4, 1: 4, 2: 5, 3: 2, 4: 1}  # how often in 16 throws
    at_least = {bet: sum(n for s, n in sums.items() if s >= bet) / 16 for bet in range(7)}
    values = {str(bet): bet * p - (1 - p) for bet, p in at_least.items()}
    value, move = expectiminimax_search(game, game.initial)
    assert value == pytest.approx(max(values.values()))
    assert values[move] == max(values.values())
    assert expect_minmax(game.initial, game) == expectiminimax(game.initial, game) == move
    assert expect_minmax_player(game, game.initial) == move
    random.seed(4)
    assert monte_carlo_tree_search(game.initial, game, 3000) == move


@pytest.mark.parametrize("depth", [1, 2, 3])
def test_expectiminimax_is_that_of_the_agents(depth):
    def lead(position):
        score = position.first - position.second
        return (score if position.mover == 0 else -score) / 40

    rules = adv_envs.Pig(12, 4)
    game = Pig(12, 4)
    agent = agents.make(f"expectiminimax(depth={depth})")
    agent.evaluate, agent.win = lead, 1
    for line in ("", "roll 4", "roll 4 hold roll 3", "roll 4 roll 4", "roll 4 roll 4 hold"):
        position = rules.after(line)
        state = State(position)

        def h(state, player):
            value = lead(state.position)
            return value if game.to_move(state) == player else -value

        value, _ = expectiminimax_search(game, state, lambda g, s, d: d >= depth, h)
        assert value == pytest.approx(agent.analyse(position).value)


def test_expectiminimax_is_minimax_without_chance():
    game = Fig52()
    assert expectiminimax_search(game, game.initial) == (3, "a1")
    game = TicTacToe()
    state = reach(game, [4, 0, 7, 0])
    deep = expectiminimax_search(game, state, cutoff_depth(9))
    assert deep == minimax_search(game, state)


def test_players_of_games_of_chance(capsys):
    random.seed(1)
    game = Pig(12)
    ends = [game.play_game(expect_minmax_player, random_player) for _ in range(12)]
    assert set(ends) <= {1, -1}
    assert sum(ends) > 0
    end = play_game(game, {"MAX": mcts_player, "MIN": random_player}, verbose=True)
    assert game.is_terminal(end)
    assert re.search(r"^Chance: [1-6]$", capsys.readouterr().out, re.MULTILINE)


BACKGAMMON_LIKE = '''
import random
from adv_envs.aima import *

class Race(StochasticGame):
    """My own game: run as far as the die says, or rest; the first at 6 wins."""
    initial = ('MAX', 0, 0, None)
    def actions(self, state): return [] if max(state[1:3]) >= 6 else ['run', 'rest']
    def result(self, state, move):
        player, a, b, die = state
        step = die if move == 'run' else 0
        return ('MIN', a + step, b, None) if player == 'MAX' else ('MAX', a, b + step, None)
    def chances(self, state): return [1, 2, 3]
    def outcome(self, state, chance): return (*state[:3], chance)
    def probability(self, chance): return 1 / 3
    def to_move(self, state): return state[0]
    def utility(self, state, player):
        won = 'MAX' if state[1] > state[2] else 'MIN'
        return 1 if player == won else -1

random.seed(3)
race = Race()
begun = race.outcome(race.initial, 3)
moves = [search(begun, race)
         for search in (expect_minmax, expectiminimax, monte_carlo_tree_search)]
always = race.play_game(lambda game, state: 'run', lambda game, state: 'rest')

def my_expectation(game, state):
    """A loop as in games.py."""
    return sum(game.probability(chance) * len(game.actions(game.outcome(state, chance)))
               for chance in game.chances(state))

pig = Pig(10)
expected = my_expectation(pig, pig.result(pig.initial, 'roll'))
'''


def test_code_for_stochastic_games_of_games_py(tmp_path):
    ran = run(tmp_path, BACKGAMMON_LIKE)
    assert ran["moves"] == ["run", "run", "run"]
    assert ran["always"] == 1
    assert ran["expected"] == pytest.approx((1 + 5 * 2) / 6)


# ---- Monte Carlo tree search


def test_mcts_finds_what_wins_and_what_does_not_lose():
    random.seed(1)
    game = TicTacToe()
    win = reach(game, [0, 2, 0, 2])  # X at a1, b1: c1 wins
    assert monte_carlo_tree_search(win, game, 300) == (2, 0)
    block = game.result(game.result(game.result(game.initial, "a1"), "b2"), "b1")
    assert monte_carlo_tree_search(block, game, 500) == (2, 0)
    assert mcts_player(Fig52(), Fig52().initial) == "a1"
    assert monte_carlo_tree_search(Countdown().initial, Countdown(), 200) == 2
    three = ThirtyOne(limit=4, num_players=3)
    assert monte_carlo_tree_search(three.initial, three, 50) in three.actions(three.initial)
    ended = reach(game, [0, 2, 0, 2, 0])
    assert monte_carlo_tree_search(ended, game, 5) is None
    with pytest.raises(TypeError, match=r"\(state, game\)"):
        monte_carlo_tree_search(game, game.initial)


def test_every_registered_game_has_a_class():
    assert len(set(aima.__all__)) == len(aima.__all__)
    assert all(hasattr(aima, name) for name in aima.__all__)
    for rules in map(adv_envs.game, adv_envs.GAMES):
        cls = getattr(aima, rules.__name__)
        assert cls is getattr(aima, rules.__name__ + "Game")
        assert issubclass(cls, StochasticGame) == rules().has_chance
        if rules.perfect_information:
            assert cls().initial.position == rules()
        else:
            with pytest.raises(ValueError, match="players do not see everything"):
                cls()
    assert Hex(3).size == 3
    with pytest.raises(TypeError, match="TicTacToe takes these parameters: height, width, k"):
        TicTacToe(3, 3, 3, 7)
    with pytest.raises(AttributeError, match="no attribute 'Shogi'"):
        _ = aima.Shogi


def test_reading_the_book_needs_no_compiler():
    code = (
        "import sys; from adv_envs.aima import *; g = Hex(2); alphabeta_search(g, g.initial); "
        "sys.exit('numba' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
