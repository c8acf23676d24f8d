"""How other programs play each game: what the laws of ``laws.py`` need to know of it."""

from collections import Counter
from random import Random
from typing import Any

import numpy as np
from games.laws import Fish, Peer, Twin, names, numbered, owners, returns, seen, tensors, told
from games.naive_amazons import NaiveAmazons
from games.naive_animal_shogi import NaiveAnimalShogi
from games.naive_backgammon import NaiveBackgammon
from games.naive_breakthrough import NaiveBreakthrough
from games.naive_checkers import NaiveCheckers
from games.naive_chess import NaiveChess
from games.naive_clobber import NaiveClobber
from games.naive_domineering import NaiveDomineering
from games.naive_dots_and_boxes import NaiveDotsAndBoxes
from games.naive_gin_rummy import NaiveGinRummy
from games.naive_go import NaiveGo
from games.naive_gomoku import NaiveGomoku
from games.naive_goofspiel import NaiveGoofspiel
from games.naive_hanabi import NaiveHanabi
from games.naive_havannah import NaiveHavannah
from games.naive_kalah import NaiveKalah
from games.naive_kuhn import NaiveKuhn
from games.naive_leduc import NaiveLeduc
from games.naive_liars_dice import NaiveLiarsDice
from games.naive_lines_of_action import NaiveLinesOfAction
from games.naive_nim import NaiveNim
from games.naive_nine_mens_morris import NaiveNineMensMorris
from games.naive_othello import NaiveOthello
from games.naive_phantom import NaivePhantom, joined, three_in_a_row
from games.naive_quoridor import NaiveQuoridor
from games.naive_rock_paper_scissors import NaiveRockPaperScissors
from games.naive_texas_holdem import NaiveHoldem, NaiveNoLimit
from games.naive_ultimate_tic_tac_toe import NaiveUltimateTicTacToe
from games.naive_y import NaiveY
from hypothesis import strategies as st

from adv_envs import (
    CHANCE,
    Amazons,
    AnimalShogi,
    Backgammon,
    Breakthrough,
    Checkers,
    Chess,
    Clobber,
    ConnectFour,
    DarkHex,
    Domineering,
    DotsAndBoxes,
    GameOfY,
    GinRummy,
    Go,
    Gomoku,
    Goofspiel,
    Hanabi,
    Havannah,
    Hex,
    Kalah,
    Kuhn,
    Leduc,
    LiarsDice,
    LinesOfAction,
    MiniChess,
    Nim,
    NineMensMorris,
    Othello,
    PhantomTicTacToe,
    Quoridor,
    RockPaperScissors,
    TexasHoldem,
    TexasHoldemNoLimit,
    TicTacToe,
    UltimateTicTacToe,
)
from adv_envs.games.amazons import MOVE
from adv_envs.games.animal_shogi import STEPS
from adv_envs.games.holdem import Holdem
from adv_envs.games.leduc import CALL, CHECK, FOLD, NAMES, RAISE, actions_of
from adv_envs.games.poker_hands import card_text

# ---- OpenSpiel


def spelled(name: str, **parameters: Any) -> str:
    """A game as OpenSpiel reads it."""
    return f"{name}({','.join(f'{key}={value}' for key, value in parameters.items())})"


def amazons_look(position: Any, state: Any) -> None:
    rows = position.rows()
    if position.part == MOVE:  # theirs is off the board while it moves
        row, column = divmod(position.chosen, position.size + 1)
        rows[row][column] = "."
    board = str(state).translate(str.maketrans("XO", "WB")).split()
    assert board == ["".join(row) for row in rows], state.history()


def upside_down(name: str, height: int) -> str:
    """The name of a move of breakthrough with the rows numbered from the other side."""
    return "".join(f"{name[i]}{height + 1 - int(name[i + 1])}" for i in (0, 2))


def breakthrough_actions(position: Any, state: Any) -> dict[int, int]:
    """OpenSpiel's player 0 is Black, at the top: its board is ours upside down."""
    theirs = {state.action_to_string(a).rstrip("*"): a for a in state.legal_actions()}
    ours = {upside_down(position.name(a), position.height): a for a in position.legal_actions()}
    assert theirs.keys() == ours.keys(), state.history()
    return {ours[name]: theirs[name] for name in sorted(ours)}


def breakthrough_look(position: Any, state: Any) -> None:
    board = np.reshape(state.observation_tensor(0), (3, position.height, position.width))
    planes = np.array(seen(position, 0))
    assert (board[:2] == planes[::-1, :, :2].transpose(2, 0, 1)).all(), state.history()


def checkers_number(position: Any, action: int) -> int:
    """OpenSpiel's first player sits below and moves up."""
    square, direction = 31 - action // 4, action % 4 ^ 2
    row, column = square // 4, 2 * (square % 4) + 1 - square // 4 % 2
    return ((row * 8 + column) * 4 + direction) * 2 + ("x" in position.name(action))


def checkers_look(position: Any, state: Any) -> None:
    rows = [line[1:9][::-1] for line in str(state).splitlines()[:8]][::-1]
    ours = ["".join(c for c in line if c in ".bwBW") for line in str(position).split("\n")]
    assert [row.translate(str.maketrans("o8+*", "bBwW")) for row in rows] == ours, state.history()


def checkers_returns(position: Any, state: Any) -> list[float]:
    """OpenSpiel ends a game after 40 plies without a capture, which is sooner."""
    last = state.history()[-40:]
    return [0, 0] if len(last) == 40 and not any(a % 2 for a in last) else returns(position, state)


def clobber_look(position: Any, state: Any) -> None:
    """Planes of the own stones and the others of the player who is asked, then of empty cells."""
    for player in (0, 1) if not state.is_terminal() else ():
        tensor = np.reshape(state.observation_tensor(player), (3, position.height, position.width))
        planes = np.array(seen(position, player)).transpose(2, 0, 1)
        assert (tensor[:2] == planes).all(), state.history()
        assert (tensor[2] == 1 - planes.sum(0)).all()


def go_actions(position: Any, state: Any) -> dict[int, int]:
    """In OpenSpiel a move that repeats a board is legal and draws, unless it is a simple ko.

    That rule asks for one captured stone by a stone among enemies, even where taking back captures
    more than one; where we allow a move that is forbidden there, it does.
    """
    ours, theirs = set(position.legal_actions()), set(state.legal_actions())
    for action in theirs - ours:
        child = state.child(action)
        assert child.is_terminal(), state.history()
        assert child.returns() == [0, 0]
    for action in ours - theirs:
        assert captured_by(position, action) > 1, state.history()
    return {action: action for action in sorted(ours & theirs)}


def captured_by(position: Any, action: int) -> int:
    """How many stones a move of Go takes."""
    return int(position.opp.bit_count() - position.play(action).own.bit_count())


def sparing_passes(position: Any, actions: list[int], rng: Random) -> int:
    """A random action; the pass of Go, which is the last one, in a tenth of cases."""
    return actions[-1] if len(actions) == 1 or rng.random() < 0.1 else rng.choice(actions[:-1])


def go_look(position: Any, state: Any) -> None:
    tensor = np.reshape(state.observation_tensor(0), (4, position.size, position.size))
    assert (np.array(seen(position, 0))[:, :, :2] == np.moveaxis(tensor[:2], 0, 2)).all()


def gomoku_look(position: Any, state: Any) -> None:
    theirs = np.reshape(state.observation_tensor(0), (3, position.height, position.width))[:2]
    assert (np.array(seen(position, 0)) == np.moveaxis(theirs, 0, 2)).all(), state.history()


def othello_look(position: Any, state: Any) -> None:
    for seat in (0, 1) if not state.is_terminal() else ():
        free, own, other = np.reshape(state.observation_tensor(seat), (3, 8, 8)).tolist()
        planes = np.array(seen(position, seat))
        assert planes[:, :, 0].tolist() == own, state.history()
        assert planes[:, :, 1].tolist() == other
        assert planes.sum(2).tolist() == (1 - np.array(free)).tolist()


def kalah_look(position: Any, state: Any) -> None:
    board = state.observation_tensor(0)[:14]
    if not state.is_terminal():
        assert seen(position, 0) == [*board[1:8], *board[8:], board[0]], state.history()


def nim_look(position: Any, state: Any) -> None:
    if not state.is_terminal():
        sizes = [position.size(heap) for heap in range(position.num_heaps)]
        assert str(state).split(": ")[1] == " ".join(map(str, sizes)), state.history()


def nine_mens_morris_look(position: Any, state: Any) -> None:
    board, *_, deploy, men = (
        str(state).replace("Last move formed", "\n").split("\n\n")[0],
        *[
            line.split(": ")[1]
            for line in str(state).splitlines()
            if line.startswith(("Men", "Num"))
        ],
    )
    points = [position.symbol(point) for point in range(24)]
    assert [c for c in board if c in "WB."] == points, state.history()
    hands = [position.unplaced(player) for player in (0, 1)]
    assert list(map(int, deploy.split())) == hands
    on_board = [position.stones(player).bit_count() for player in (0, 1)]
    assert [n - hand for n, hand in zip(map(int, men.split()), hands, strict=True)] == on_board


def nine_mens_morris_returns(position: Any, state: Any) -> list[float]:
    """OpenSpiel draws after 200 turns, unless the last one has decided the game."""
    turns = next(line for line in str(state).splitlines() if line.startswith("Turn number"))
    late = int(turns.split(": ")[1]) >= 200 and not position.is_terminal()
    return [0, 0] if late else returns(position, state)


def goofspiel_look(position: Any, state: Any) -> None:
    """The turn-based tensor begins with who moves and what the observer has just done."""
    for player in (0, 1) if position.to_move != CHANCE else ():
        mine, tensor = seen(position, player), state.information_state_tensor(player)
        assert mine == tensor[len(tensor) - len(mine) :], state.history()


ORDERS_OF_PRIZES = {-1: "descending", 0: "random", 1: "ascending"}
"""OpenSpiel's names of Goofspiel's orders."""


def goofspiel_game(position: Any) -> str:
    """The players take turns."""
    inner = spelled(
        "goofspiel", num_cards=position.cards, points_order=ORDERS_OF_PRIZES[position.order],
        imp_info=position.secret, num_turns=position.turns or -1,
        returns_type="point_difference" if position.margin else "win_loss",
    )  # fmt: skip
    return f"turn_based_simultaneous_game(game={inner})"


def random_goofspiel(rng: Random) -> list[Any]:
    cards = rng.randint(3, 13)
    turns = rng.choice([0, rng.randint(1, cards - 2)])
    secret, margin = rng.random() < 0.5, rng.random() < 0.5
    return [Goofspiel(cards, rng.choice([-1, 0, 1]), secret, margin, turns)]


def random_hanabi(rng: Random) -> list[Hanabi]:
    """The full game of 2 to 5, and one of other sizes."""
    players, colours, ranks = rng.randint(2, 5), rng.randint(1, 5), rng.randint(1, 5)
    most = min(5, colours * (3 if ranks == 1 else 2 * ranks) // players)
    full = Hanabi(rng.randint(2, 5))
    if most == 0:
        return [full]
    sizes = players, colours, ranks, rng.randint(1, most)
    return [full, Hanabi(*sizes, hints=rng.randint(0, 8), lives=rng.randint(1, 3))]


def hanabi_game(position: Any) -> str:
    return spelled(
        "hanabi", players=position.players, colors=position.colours, ranks=position.ranks,
        hand_size=position.held, max_information_tokens=position.hints,
        max_life_tokens=position.lives,
    )  # fmt: skip


def hanabi_look(position: Any, state: Any) -> None:
    """The observations of all players, except while cards are dealt."""
    for player in range(position.players) if position.to_move != CHANCE else ():
        assert seen(position, player) == state.observation_tensor(player), state.history()


def building_fireworks(position: Any, actions: list[int], rng: Random) -> int:
    """Plays a card that goes on a firework in half of the cases, so that games are long."""
    good = [
        action
        for action in actions
        if position.to_move != CHANCE and position.held <= action < 2 * position.held
        if position.is_playable(position.card(position.to_move, action - position.held) - 1)
    ]
    return rng.choice(good if good and rng.random() < 0.5 else actions)


def liars_dice_choice(position: Any, actions: list[int], rng: Random) -> int:
    """Rather low bids, so that games are long, and sometimes the call."""
    action = rng.choice(actions[: 2 * position.sides])
    return actions[-1] if action + 1 == position.liar or rng.random() < 0.05 else action


def lines_of_action_actions(position: Any, state: Any) -> dict[int, int]:
    """OpenSpiel numbers the rows from the side where ours begins: its board is ours upside down.

    Its moves are the names of ours with the rows as they are called there.
    """
    theirs = {state.action_to_string(action): action for action in state.legal_actions()}
    ours = {position.name(action): action for action in position.legal_actions()}
    assert theirs.keys() == ours.keys(), state.history()
    return {ours[name]: theirs[name] for name in sorted(ours)}


def lines_of_action_look(position: Any, state: Any) -> None:
    board = "".join(line[1:9] for line in str(state).splitlines()[:8])
    assert board.translate(str.maketrans("xo", "BW")) == "".join(map("".join, position.rows()))


def lines_of_action_returns(position: Any, state: Any) -> list[float]:
    """OpenSpiel draws as soon as a board comes again, with either player to move."""
    boards = [state.get_game().new_initial_state()]
    for action in state.history():
        boards.append(boards[-1].child(action))
    seen_before = Counter(str(board).split("\n\n")[0] for board in boards)
    again = seen_before[str(state).split("\n\n")[0]] > 1
    return [0, 0] if again else returns(position, state)


def poker_look(position: Any, state: Any) -> None:
    assert state.get_game().max_utility() == position.max_utility
    tensors(position, state)


LEDUC = {CALL: 1, RAISE: 2, FOLD: 0, CHECK: 1}
"""OpenSpiel's numbers of the actions of Leduc hold'em: it calls checking a call."""


def attempts_told(position: Any, state: Any) -> dict[int, Any]:
    """Of the player to move, by the tensor.

    The text has the number of all attempts in dark Hex, also where the game is asked to reveal
    nothing.
    """
    player = position.to_move
    return {player: bytes(np.array(state.information_state_tensor(player), bool))}


def stones_look(position: Any, state: Any) -> None:
    """The boards of games of stones, as OpenSpiel prints them: x is player 0."""
    board = [c for c in str(state).split("to play")[0] if c in "xo."]
    stones = {divmod(i, position.width): "xo".index(c) for i, c in enumerate(board) if c != "."}
    assert owners(position) == stones, state.history()


def hex_look(position: Any, state: Any) -> None:
    """The same edges, neighbours, coordinates and swap: b1 becomes a2."""
    stones_look(position, state)
    for action in position.legal_actions() if position.ply < 3 else ():
        assert position.name(action) == state.action_to_string(position.to_move, action)


def swapping(position: Any, actions: list[int], rng: Random) -> int:
    """Swaps in a third of the games of Hex."""
    return actions[-1] if position.ply == 1 and rng.random() < 1 / 3 else rng.choice(actions)


def ultimate_actions(position: Any, state: Any) -> dict[int, int]:
    """OpenSpiel chooses the small board in a ply of its own, where there is a choice.

    The numbers are those of ``apply_ultimate``.
    """
    forced = str(state).split("Forced board: ")[-1]
    if forced == "any":
        boards = {board: state.child(board).legal_actions() for board in state.legal_actions()}
        numbers = {(b, cell): 9 * b + cell + 9 for b, cells in boards.items() for cell in cells}
    else:
        numbers = {(int(forced), cell): cell for cell in state.legal_actions()}
    found = {action: small_board_of(action) for action in position.legal_actions()}
    assert sorted(found.values()) == sorted(numbers), state.history()
    return {action: numbers[place] for action, place in found.items()}


def apply_ultimate(state: Any, number: int) -> None:
    """Plays a cell, 0 to 8; or, from 9 on, a board and a cell."""
    if number >= 9:
        state.apply_action(number // 9 - 1)
    state.apply_action(number % 9)


def ultimate_look(position: Any, state: Any) -> None:
    board = [c for c in str(state).split("Current")[0] if c in "xo."]
    stones = {divmod(i, 9): "xo".index(c) for i, c in enumerate(board) if c != "."}
    assert owners(position) == stones, state.history()


def small_board_of(action: int) -> tuple[int, int]:
    """The number of the small board of a cell, and of the cell in it, row by row."""
    row, column = divmod(action, 9)
    return 3 * (row // 3) + column // 3, 3 * (row % 3) + column % 3


def quoridor_number(position: Any, action: int) -> int:
    """OpenSpiel's actions are the places of a grid of cells and what lies between them.

    A step is the place as far from that of cell (1, 1), and so is the jump in its direction.
    """
    wall, diameter = position.wall_of(action), 2 * position.size - 1
    if wall is None:
        place, own = (
            divmod(a, position.size) for a in (action, position.cell_of(position.to_move))
        )
        down, across = (to - start for to, start in zip(place, own, strict=True))
        if 2 in (abs(down), abs(across)):
            down, across = down // 2, across // 2
        return (2 + 2 * down) * diameter + 2 + 2 * across
    row, column, upright = wall
    return (2 * row + (not upright)) * diameter + 2 * column + upright


def quoridor_actions(position: Any, state: Any) -> dict[int, int]:
    """Two jumps over different pawns to the same cell are listed twice by OpenSpiel 2.0.2.

    It passes by an action that it reads as a step: the comparison ends there.
    """
    if position.legal_actions() == [position.cell_of(position.to_move)]:
        row, column = divmod(position.cell_of(position.to_move), position.size)
        assert state.legal_actions() == [2 * row * (2 * position.size - 1) + 2 * column]
        return {}
    found = {action: quoridor_number(position, action) for action in position.legal_actions()}
    assert sorted(found.values()) == sorted(set(state.legal_actions())), state.history()
    return found


def quoridor_seats(position: Any) -> tuple[int, ...]:
    """OpenSpiel numbers the players on opposite sides first."""
    return (0, 1) if position.players == 2 else (0, 2, 1, 3)


def quoridor_look(position: Any, state: Any) -> None:
    """The board as it is printed; planes of pawns, and of how many walls each player has left.

    The plane of walls is empty in games of two players.
    """
    players, diameter = position.players, 2 * position.size - 1
    planes = np.reshape(state.observation_tensor(0), (2 * players + 1, diameter, diameter))
    walls = np.zeros((diameter, diameter))
    for row in range(position.size - 1):
        for column in range(position.size - 1):
            point = row * position.stride + column
            if position.horizontal >> point & 1:
                walls[2 * row + 1, 2 * column : 2 * column + 3] = 1
            if position.vertical >> point & 1:
                walls[2 * row : 2 * row + 3, 2 * column + 1] = 1
    board = [line[2:] for line in str(state).splitlines()[2 : 2 + diameter]]
    shown = [[line[x // 2 * 4 + 3 * (x % 2)] in "|-+" for x in range(diameter)] for line in board]
    assert shown == walls.astype(bool).tolist(), state.history()
    for player, plane in enumerate(quoridor_seats(position)):
        row, column = divmod(position.cell_of(player), position.size)
        assert [*zip(*np.nonzero(planes[plane]), strict=True)] == [(2 * row, 2 * column)]
        assert (planes[players + 1 + plane] == position.walls_of(player)).all(), state.history()


def quoridor_returns(position: Any, state: Any) -> list[float]:
    """In OpenSpiel the last move that is allowed cannot win.

    Of four players its returns are in the order of turns, unlike its numbers of players.
    """
    over = position.is_terminal() and position.ply == position.last_ply
    return [0.0] * position.players if over else returns(position, state)


def random_quoridor(rng: Random) -> list[Any]:
    """Half of the games have few walls, so that pawns meet."""
    size, players = rng.randint(3, 9), rng.choice((2, 4))
    walls = rng.choice((rng.randint(0, 2), rng.randint(1, size)))
    return [Quoridor(size, walls, players)]


def grid_number(position: Any, action: int) -> int:
    """OpenSpiel numbers the places of the grid; its swap is to set a stone upon the first one."""
    if action == position.num_stone_actions:
        ((row, column),) = position.cells_in(position.opp)
    else:
        row, column = position.cells()[action]
    return int(row * position.width + column)


def grid_look(position: Any, state: Any) -> None:
    """The stones and, on an empty board, the names of cells."""
    for seat in (0, 1) if not state.is_terminal() else ():
        planes = np.reshape(state.observation_tensor(seat), (3, position.height, position.width))
        assert (np.array(seen(position, seat)) == np.moveaxis(planes[:2], 0, 2)).all(), seat
    for action in position.legal_actions() if position.ply == 0 else ():
        assert position.name(action) == state.action_to_string(grid_number(position, action))


def clinging(position: Any, actions: list[int], rng: Random) -> int:
    """Mostly a cell beside own stones, so that there are rings; the swap in a third of games."""
    if position.swap and position.ply == 1 and rng.random() < 1 / 3:
        return actions[-1]
    near = position.neighbours(position.own)
    stones = [a for a in actions if a < position.num_stone_actions]
    beside = [a for a in stones if near >> position.entry(a) & 1]
    return rng.choice(beside if beside and rng.random() < 0.8 else stones)


def random_digits(rng: Random) -> int:
    return int("".join(str(rng.randint(1, 9)) for _ in range(rng.randint(2, 8))))


PEERS = {
    "amazons": Peer(
        lambda rng: map(Amazons, (6, 8, 10)), lambda p: spelled("amazons", board_size=p.size),
        look=amazons_look,
    ),
    "breakthrough": Peer(
        lambda rng: [Breakthrough(), Breakthrough(6, 6), Breakthrough(5, 5, 1), Breakthrough(7, 5)],
        lambda p: spelled("breakthrough", rows=p.height, columns=p.width), breakthrough_actions,
        breakthrough_look,
    ),
    "checkers": Peer(
        lambda rng: [Checkers()], lambda p: "checkers", numbered(checkers_number), checkers_look,
        returns=checkers_returns,
    ),
    "clobber": Peer(
        lambda rng: [Clobber(rng.randint(2, 8), rng.randint(2, 8)), Clobber(), Clobber(10, 10)],
        lambda p: spelled("clobber", rows=p.height, columns=p.width), look=clobber_look,
    ),
    "connect_four": Peer(
        lambda rng: [
            ConnectFour(*size)
            for size in ((6, 7, 4), (4, 5, 3), (5, 4, 4), (7, 6, 5), (4, 4, 2))
        ],
        lambda p: spelled("connect_four", rows=p.height, columns=p.width, x_in_row=p.k),
        look=stones_look, plies=2000,
    ),
    "dark_hex": Peer(
        lambda rng: [DarkHex(size, abrupt) for size in (3, 4) for abrupt in (False, True)],
        lambda p: spelled(
            "dark_hex", num_rows=p.size, num_cols=p.size,
            gameversion="adh" if p.abrupt else "cdh", obstype="reveal-nothing",
        ),
        told=attempts_told, plies=1000,
    ),
    "dots_and_boxes": Peer(
        lambda rng: [DotsAndBoxes(rng.randint(1, 5), rng.randint(1, 5), rng.random() < 0.5)],
        lambda p: spelled(
            "dots_and_boxes", num_rows=p.rows, num_cols=p.columns,
            utility_margin=str(p.margin).lower(),
        ),
        plies=500,
    ),
    "go": Peer(
        lambda rng: [Go(size, rng.choice((0.5, 7.5))) for size in (2, 3, 4, 5, 7)],
        lambda p: spelled("go", board_size=p.size, komi=p.komi), go_actions, go_look,
        choose=sparing_passes,
    ),
    "gomoku": Peer(
        lambda rng: [Gomoku(n, n, k) for n, k in ((15, 5), (19, 5), (9, 5), (6, 4), (5, 3))],
        lambda p: spelled("gomoku", size=p.width, connect=p.k), look=gomoku_look,
    ),
    "goofspiel": Peer(random_goofspiel, goofspiel_game, look=goofspiel_look, plies=600),
    "havannah": Peer(
        lambda rng: [Havannah(size, rng.random() < 0.5) for size in (2, 3, 4, 5, 6, 8, 10)],
        lambda p: spelled("havannah", board_size=p.size, swap=bool(p.swap)),
        numbered(grid_number), grid_look, choose=clinging, plies=1000,
    ),
    "hanabi": Peer(
        random_hanabi, hanabi_game, look=hanabi_look, choose=building_fireworks,
    ),
    "hex": Peer(
        lambda rng: [Hex(size, swap) for size in (2, 3, 4, 5, 7, 8, 11) for swap in (False, True)],
        lambda p: spelled("hex", board_size=p.size, swap=bool(p.swap)), look=hex_look,
        choose=swapping, plies=1000,
    ),
    "kalah": Peer(
        lambda rng: [Kalah()], lambda p: "mancala",
        numbered(lambda p, action: action + (1, 8)[p.to_move]), kalah_look,
        returns=lambda p, state: [float(np.sign(value)) for value in returns(p, state)],
    ),
    "kuhn": Peer(
        lambda rng: map(Kuhn, (2, 3, 4)), lambda p: spelled("kuhn_poker", players=p.players),
        look=poker_look, told=told,
    ),
    "leduc": Peer(
        lambda rng: map(Leduc, (2, 3, 4, 5, 6, 10)),
        lambda p: spelled("leduc_poker", players=p.players),
        numbered(lambda p, action: action if p.to_move == CHANCE else LEDUC[action]), poker_look,
        told,
    ),
    "liars_dice": Peer(
        lambda rng: [LiarsDice(rng.randint(1, 5), rng.randint(2, 9))],
        lambda p: spelled("liars_dice", numdice=p.dice, dice_sides=p.sides), look=tensors,
        told=told, choose=liars_dice_choice, plies=600,
    ),
    "lines_of_action": Peer(
        lambda rng: [LinesOfAction(draw_moves=1000)], lambda p: "lines_of_action",
        lines_of_action_actions, lines_of_action_look, returns=lines_of_action_returns,
    ),
    "nim": Peer(
        lambda rng: [Nim(random_digits(rng), misere=rng.random() < 0.5)],
        lambda p: spelled("nim", pile_sizes=";".join(str(p.heaps)), is_misere=bool(p.misere)),
        numbered(lambda _, action: action), nim_look,  # OpenSpiel has more numbers
    ),
    "nine_mens_morris": Peer(
        lambda rng: [NineMensMorris(draw_moves=1000)], lambda p: "nine_mens_morris",
        look=nine_mens_morris_look, returns=nine_mens_morris_returns,
    ),
    "othello": Peer(lambda rng: [Othello()], lambda p: "othello", look=othello_look),
    "phantom_tic_tac_toe": Peer(
        lambda rng: [PhantomTicTacToe(abrupt) for abrupt in (False, True)],
        lambda p: spelled(
            "phantom_ttt", obstype="reveal-nothing",
            gameversion="abrupt" if p.abrupt else "classical",
        ),
        told=attempts_told, plies=1000,
    ),
    "quoridor": Peer(
        random_quoridor,
        lambda p: spelled(
            "quoridor", board_size=p.size, wall_count=p.walls, players=p.players,
        ),
        quoridor_actions, quoridor_look, returns=quoridor_returns,
        seats=quoridor_seats,
    ),
    "rock_paper_scissors": Peer(
        lambda rng: [RockPaperScissors()],
        lambda p: "turn_based_simultaneous_game(game=matrix_rps())", told=told, plies=20,
    ),
    "tic_tac_toe": Peer(
        lambda rng: [
            TicTacToe(*size) for size in ((3, 3, 3), (3, 4, 3), (5, 4, 4), (7, 7, 5), (2, 6, 2))
        ],
        lambda p: (
            "tic_tac_toe" if p == TicTacToe() else spelled("mnk", m=p.width, n=p.height, k=p.k)
        ),
        look=stones_look, plies=2000,
    ),
    "ultimate_tic_tac_toe": Peer(
        lambda rng: [UltimateTicTacToe()], lambda p: "ultimate_tic_tac_toe", ultimate_actions,
        ultimate_look, apply=apply_ultimate, plies=1000,
    ),
    "y": Peer(
        lambda rng: map(GameOfY, (2, 3, 4, 5, 7, 11, 19)),
        lambda p: spelled("y", board_size=p.size), numbered(grid_number), grid_look,
        choose=clinging, plies=1000,
    ),
}  # fmt: skip
"""By game. Whose own files say what else is compared."""


# ---- Fairy-Stockfish


def whole_turns(position: Any) -> list[str]:
    """Every whole turn of amazons as pyffish writes it, "a1b2,b2c3"."""
    return [
        f"{position.name(choice)}{(end := chosen.name(target))},{end}{moved.name(burnt)}"
        for choice in position.legal_actions()
        for chosen in [position.play(choice)]
        for target in chosen.legal_actions()
        for moved in [chosen.play(target)]
        for burnt in moved.legal_actions()
    ]


def after_turn(position: Any, turn: str) -> Any:
    move, shot = turn.split(",")
    cut = 2 + move[2:3].isdigit()
    start, end = move[:cut], move[cut:]
    return position.after([start, end, shot[len(end) :]])


def disc_name(action: int) -> str:
    """Fairy-Stockfish counts ranks from the bottom."""
    return f"P@{'abcdefgh'[action % 8]}{8 - action // 8}"


def after_disc(position: Any, name: str) -> Any:
    """Its passes have names of other moves, also where the game is over."""
    named = {disc_name(action): action for action in range(64)}
    return position.play(named.get(name, 64))


def clobber_of_fish(height: int, width: int) -> Clobber:
    """The start with White at the top left, which is another colour where the height is even."""
    start = Clobber(height, width)
    own, opp = (start.own, start.opp) if height % 2 else (start.opp, start.own)
    return Clobber(height, width, own, opp, 0)


FISH = {
    "amazons": Fish("amazons", Amazons(), whole_turns, after_turn, stride=8),
    "animal_shogi": Fish(
        "dobutsu",
        AnimalShogi(repetition="ignored", max_plies=1000),
        names,
        lambda p, name: p.move(name),
    ),
    "breakthrough": Fish("breakthrough", Breakthrough(), names, lambda p, name: p.move(name)),
    "clobber": Fish("clobber", clobber_of_fish(6, 5), names, lambda p, name: p.move(name)),
    "minichess": Fish(
        "gardner",
        MiniChess(),
        names,
        lambda p, name: p.move(name),
        drawn=MiniChess.is_drawn,
    ),
    "othello": Fish(
        "flipello",
        Othello(),
        lambda p: [disc_name(action) for action in p.legal_actions() if action < 64],
        after_disc,
        real=lambda name: "@" in name,
    ),
}


# ---- naive implementations


def both(ours: Any, naive: Any, fit: Any = lambda given: given, **parameters: Any) -> Any:
    """The two games with the same parameters, the nearest ones that ``fit``."""
    given = st.fixed_dictionaries(parameters).map(fit)
    return given.map(lambda chosen: (ours(**chosen), naive(**chosen)))


def naive_amazons(size: int) -> NaiveAmazons:
    return NaiveAmazons(size, owners(Amazons(size)))


def reread(position: Any, naive: Any) -> None:
    assert type(position).from_text(str(position)) == position


def animal_move(position: Any, action: int) -> Any:
    """Squares are (column, row), from 1 on, row 1 below; drops begin with the letter."""
    name = position.name(action).rstrip("+")
    start, end = name[:2], name[2:]
    target = "abc".index(end[0]) + 1, int(end[1])
    return start[0] if "@" in name else ("abc".index(start[0]) + 1, int(start[1])), target


def animal_more(position: Any, naive: Any) -> None:
    assert position.repeated == min(2, naive.seen[naive.key()] - 1) * naive.repetition
    bare = position._replace(history=0, repeated=0)
    parameters = {"max_plies": position.max_plies, "repetition": position.repetition}
    assert AnimalShogi.from_fen(position.fen(), **parameters) == bare
    assert AnimalShogi.from_text(str(position), **parameters) == bare


def cell_or_swap(position: Any, action: int) -> Any:
    return position.cells()[action] if action < position.num_stone_actions else "swap"


def reread_with_swap(position: Any, naive: Any) -> None:
    """Who is to move is not told by the numbers of stones after a swap."""
    read = type(position).from_text(str(position), position.to_move, swap=position.swap)
    stones = (position.own | position.opp).bit_count()
    assert read == position._replace(ply=stones + (stones % 2 != position.to_move))


def figure_more(position: Any, naive: Any) -> None:
    reread_with_swap(position, naive)
    own = {cell for cell, player in naive.stones.items() if player != naive.to_move}
    assert position.figure(position.opp) == naive.figure(own)
    if position.won:
        winning = {*position.winning_cells()}
        assert winning <= own
        assert naive.figure(winning)
        assert not any(naive.figure(winning - {cell}) for cell in winning)


def fit_breakthrough(given: Any) -> Any:
    height = min(given["height"], 64 // given["width"])
    return given | {"height": height, "men_rows": min(given["men_rows"], height // 2)}


def breakthrough_move(position: Any, action: int) -> Any:
    """Squares are (column, row), from 1 on, row 1 below."""
    row, column = divmod(action // 3, position.width)
    ahead = -1 if position.to_move == 0 else 1
    after = column + action % 3, position.height - row - ahead
    return (column + 1, position.height - row), after


def breakthrough_more(position: Any, naive: Any) -> None:
    men_rows = position.men_rows
    assert Breakthrough.from_text(str(position), men_rows=men_rows) == position
    if naive.winner is not None:
        last = (naive.height, 1)[naive.winner]
        arrived = any(row == last and who == naive.winner for (_, row), who in naive.men.items())
        assert bool(position.winning_cells()) == arrived


def backgammon_move(position: Any, action: int) -> Any:
    """The dice, or the point from which a man moves and the die, or None."""
    if position.to_move == CHANCE:
        return tuple(map(int, position.name(action)))
    return (26 - action // 6, action % 6 + 1) if action else None


def backgammon_more(position: Any, naive: Any) -> None:
    assert position.turn == (-1 if naive.turn is None else naive.turn)
    assert [position.men(player)[::-1] for player in (0, 1)] == naive.men


def clobber_move(position: Any, action: int) -> Any:
    """From where and to where, by the name of the move."""
    letters, height = "abcdefghi", position.height
    name = position.name(action)
    return tuple((height - int(name[i + 1]), letters.index(name[i])) for i in (0, 2))


def chess_more(position: Any, naive: Any) -> None:
    assert position.in_check() == naive.in_check()
    assert position.repeated == naive.seen[naive.key()] - 1


def go_lead(position: Any, naive: Any) -> None:
    assert position.lead() == naive.lead()


def fit_gomoku(given: Any) -> Any:
    longest = max(given["height"], given["width"])
    swap2 = given["swap2"] and longest >= 4
    return given | {"swap2": swap2, "k": max(min(given["k"], longest), 4 if swap2 else 1)}


def crowding(position: Any, actions: list[int], rng: Random) -> int:
    """In half of the games few cells only are taken, so that long rows come about."""
    near = (position.height + position.width + position.k) % 2
    return rng.choice(actions[: len(actions) // 4 + 1] if near else actions)


def gomoku_more(position: Any, naive: Any) -> None:
    assert set(position.winning_cells()) == naive.winning_cells()


def goofspiel_more(position: Any, naive: Any) -> None:
    assert [position.points(0), position.points(1)] == naive.points()
    assert sum(position.taken >> 4 * i & 15 > 0 for i in range(16)) == len(naive.winners())


def fit_hanabi(given: Any) -> Any:
    cards = given["colours"] * (3 if given["ranks"] == 1 else 2 * given["ranks"])
    players = min(given["players"], cards)
    return given | {"players": players, "hand_size": min(given["hand_size"], cards // players)}


def hanabi_more(position: Any, naive: Any) -> None:
    assert (position.tokens, position.lives_left) == (naive.hints, naive.lives)
    assert [position.built(i) for i in range(position.colours)] == [*naive.fireworks.values()]
    cards = sorted(f"{colour[0].upper()}{rank}" for colour, rank in naive.discards)
    assert sorted(position.discarded()) == cards
    for player, hand in enumerate(naive.hands):
        names = [position.card_name(player, place) for place in range(len(hand))]
        assert names == [f"{colour[0].upper()}{rank}" for colour, rank in hand]


def liars_dice_more(position: Any, naive: Any) -> None:
    for player, rolls in enumerate(naive.rolls):
        assert position.hidden(player).dice_of(player) == sorted(rolls)


def lines_of_action_move(position: Any, action: int) -> Any:
    """Cells are (column, row), from 1 on, row 1 below."""
    cells = (divmod(cell, position.size) for cell in (action // 8, position.end_of(action)))
    start, end = ((column + 1, position.size - row) for row, column in cells)
    return start, end


def reread_quiet(position: Any, naive: Any) -> None:
    given = {name: getattr(position, name) for name in position.parameters}
    again = type(position).from_text(str(position), **given)
    assert again._replace(quiet=position.quiet) == position


def nim_games(heaps: list[int], misere: bool) -> tuple[Nim, NaiveNim]:
    return Nim(int("".join(map(str, heaps))), misere), NaiveNim(heaps, misere)


def nim_more(position: Any, naive: Any) -> None:
    assert (position.num_heaps, position.largest) == (
        len(naive.heaps),
        max(map(int, str(position.heaps))),
    )
    for action in position.legal_actions():
        heap, number = action % position.num_heaps, action // position.num_heaps + 1
        assert position.name(action) == f"{'abcdefgh'[heap]}{number}"


def phantom_more(position: Any, naive: Any) -> None:
    for player in (0, 1):
        told = naive.told[player]
        assert position.attempts(player) == [i * naive.size + j for (i, j), _ in told]
        known = {cell: player if free else 1 - player for cell, free in told}
        assert owners(position.hidden(player)) == known


def kuhn_games(players: int) -> st.SearchStrategy[tuple[Kuhn, NaiveKuhn]]:
    deals = st.permutations(range(players + 1)).map(lambda deck: deck[:players])
    return deals.map(lambda deal: (Kuhn(players).after(deal), NaiveKuhn(deal)))


def kuhn_more(position: Any, naive: Any) -> None:
    for player in range(position.players):
        view = position.hidden(player)
        ranks = [view.card(other) for other in range(position.players)]
        cards = tuple(rank - 1 if rank else None for rank in ranks)
        assert (player, cards, tuple(view.actions_taken())) == naive.seen(player), position


def leduc_games(start: Leduc) -> st.SearchStrategy[tuple[Leduc, NaiveLeduc]]:
    deals = st.permutations(range(start.num_actions)).map(lambda deck: deck[: start.players + 1])
    return deals.map(
        lambda deal: (
            start.after(deal[:-1]), NaiveLeduc([divmod(c, 2) for c in deal], start.blinds)
        )
    )  # fmt: skip


def leduc_more(position: Any, naive: Any) -> None:
    assert [position.chips(player) for player in range(position.players)] == naive.paid
    for player in range(position.players):
        view = position.hidden(player)
        shown = [view.card(place) for place in range(position.players + 1)]
        cards = [divmod(card - 1, 2) if card else None for card in shown]
        rounds = [view.first, view.second][: 2 if cards[-1] else 1]
        said = tuple(tuple(NAMES[a] for a in actions_of(actions)) for actions in rounds)
        assert (player, tuple(cards[:-1]), cards[-1], said) == naive.seen(player), position


def quoridor_move(position: Any, action: int) -> Any:
    """Cells are (column, row), from 1 on, row 1 below; walls are known by the one at their left."""
    wall = position.wall_of(action)
    if wall is not None:
        row, column, upright = wall
        return ("wall", column + 1, position.size - 1 - row, "hv"[upright])
    row, column = divmod(action, position.size)
    own = action == position.cell_of(position.to_move)
    return ("pass",) if own else ("pawn", (column + 1, position.size - row))


def quoridor_more(position: Any, naive: Any) -> None:
    parameters = {"walls": position.walls, "max_plies": position.max_plies}
    assert Quoridor.from_text(str(position), **parameters) == position
    left = [position.walls_of(player) for player in range(position.players)]
    assert left == naive.left
    for player in range(position.players):
        distance = naive.distance(player)
        assert position.distance(player) == distance
        assert sum(way.bit_count() for way in position.path(player)) == distance


def public_card(position: Any, naive: Any) -> Any:
    if position.is_terminal() or position.to_move != CHANCE:
        return position
    rank, suit = naive.public
    return position.play(2 * rank + suit)


def ultimate_more(position: Any, naive: Any) -> None:
    reread(position, naive)
    shut = [position.small_boards >> board + board // 3 & 1 for board in range(9)]
    assert shut == [naive.is_closed(divmod(board, 3)) for board in range(9)]
    assert [position.owner(b) for b in range(9)] == [naive.winner(divmod(b, 3)) for b in range(9)]


DECKS = st.permutations([card_text(card) for card in range(52)])


def holdem_games(start: Holdem) -> st.SearchStrategy[tuple[Holdem, NaiveHoldem]]:
    """A deal of both, the naive one with the whole deck."""
    kind = NaiveHoldem if isinstance(start, TexasHoldem) else NaiveNoLimit
    chips = [start.stack_of(player) for player in range(start.players)]
    blinds = start.small_blind, start.big_blind
    every = isinstance(start, TexasHoldemNoLimit) and bool(start.amounts)
    more = start.raises, bool(start.rlcard), every
    return DECKS.map(
        lambda deck: (start.after(deck[: 2 * start.players]), kind(deck, chips, blinds, *more))
    )


def next_cards(position: Any, naive: Any) -> Any:
    """The position after the cards of all that the naive game has turned up."""
    while not position.is_terminal() and position.to_move == CHANCE:
        position = position.move(naive.deck[position.num_board])
    return position


def holdem_more(position: Any, naive: Any) -> None:
    players = range(position.players)
    assert [position.chips(player) for player in players] == naive.paid, position
    assert [position.chips_left(player) for player in players] == naive.left, position
    assert all(position.max_utility >= abs(naive.utility(p)) for p in players if naive.is_over())
    for player in players:
        view = position.hidden(player)
        shown = [tuple(view.card_words(p)) for p in players]
        hands = tuple(None if "?" in hand else hand for hand in shown)
        said = tuple(tuple(turn) for turn in view.rounds() if turn)
        assert (player, hands, tuple(view.board_words()), said) == naive.seen(player), position
        if naive.is_over():
            assert [view.utility(p) for p in players] == [naive.utility(p) for p in players]


def seldom_folds(position: Any, actions: list[int], rng: Random) -> int:
    """Any action, but folds a third as often as it could."""
    folds = [action for action in actions if position.is_fold(action)]
    others = [action for action in actions if action not in folds]
    return rng.choice(folds if folds and rng.random() < 0.1 else others)


def cell_of(position: Any, action: int) -> tuple[int, int]:
    return divmod(action, position.width)


def back_and_forth(position: Any, actions: list[int], rng: Random) -> int:
    """In half of the games lions and others go only where little happens, so that it repeats."""
    quiet = [a for a in actions if a < 96 and not position.opp >> a // 8 + STEPS[a % 8] & 1]
    calm = position.max_plies % 2 and quiet
    return rng.choice(quiet[:2] if calm else actions)


TWINS = {
    "amazons": Twin(
        both(Amazons, naive_amazons, size=st.integers(4, 10)), cell_of, reread, examples=12,
    ),
    "animal_shogi": Twin(
        both(
            AnimalShogi, lambda max_plies, repetition: NaiveAnimalShogi(max_plies, not repetition),
            max_plies=st.integers(1, 80), repetition=st.sampled_from([0, 1]),
        ),
        animal_move, animal_more, back_and_forth, often=0.3,
    ),
    "backgammon": Twin(
        both(Backgammon, NaiveBackgammon), backgammon_move, backgammon_more, examples=1,
    ),
    "breakthrough": Twin(
        both(
            Breakthrough, NaiveBreakthrough, fit_breakthrough,
            height=st.integers(2, 9), width=st.integers(2, 8), men_rows=st.integers(1, 4),
        ),
        breakthrough_move, breakthrough_more,
    ),
    "checkers": Twin(
        both(
            Checkers, NaiveCheckers,
            size=st.sampled_from([4, 6, 8, 10]), draw_moves=st.integers(1, 12),
        ),
        examples=25,
    ),
    "chess": Twin(
        st.sampled_from([
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "8/8/8/8/8/1k6/7q/K7 b - - 60 99",  # repetitions, the fifty moves and stalemates
            "4k3/8/8/8/8/8/8/R3K3 w Q - 70 1",
        ]).map(lambda fen: (Chess.from_fen(fen), NaiveChess(fen))),
        lambda position, action: position.name(action), chess_more, examples=6, plies=60,
    ),
    "clobber": Twin(
        both(Clobber, NaiveClobber, height=st.integers(1, 9), width=st.integers(1, 9)),
        clobber_move, reread, often=0.2, examples=20,
    ),
    "dark_hex": Twin(
        both(
            DarkHex, lambda size, abrupt: NaivePhantom(size, abrupt, joined(size)),
            size=st.integers(2, 5), abrupt=st.booleans(),
        ),
        cell_of, phantom_more,
    ),
    "domineering": Twin(
        both(Domineering, NaiveDomineering, height=st.integers(1, 19), width=st.integers(1, 19)),
        look=reread, often=0.1, examples=25,
    ),
    "dots_and_boxes": Twin(
        both(
            DotsAndBoxes, NaiveDotsAndBoxes,
            rows=st.integers(1, 5), columns=st.integers(1, 5), margin=st.booleans(),
        ),
    ),
    "gin_rummy": Twin(
        both(
            GinRummy, NaiveGinRummy, lambda given: given | {"ranks": max(given["ranks"], (
                2 * given["hand_size"] + 7) // 4)},
            variant=st.sampled_from(["standard", "oklahoma", "simplified"]),
            knock=st.integers(0, 15), gin_bonus=st.integers(0, 30),
            undercut_bonus=st.integers(0, 30), ranks=st.integers(3, 13),
            hand_size=st.sampled_from([1, 2, 3, 5, 7, 10]),
        ),
        lambda position, action: position.name(action), often=0.1, examples=12,
    ),
    "go": Twin(
        both(
            Go,
            lambda size, boards, **others: NaiveGo(size, size, **others),
            lambda given: given | {"boards": 2, "max_plies": 8 * given["size"] ** 2},
            size=st.sampled_from([2, 2, 3, 3, 4, 5]), komi=st.sampled_from([0, 0.5, 7.5]),
            superko=st.booleans(),
        ),
        lambda p, action: divmod(action, p.size) if action < p.num_stone_actions else None, go_lead,
        sparing_passes,
    ),
    "gomoku": Twin(
        both(
            Gomoku, NaiveGomoku, fit_gomoku, height=st.integers(1, 19), width=st.integers(1, 19),
            k=st.integers(1, 19), exact=st.booleans(), swap2=st.booleans(),
        ),
        look=gomoku_more, choose=crowding, often=0.1,
    ),
    "goofspiel": Twin(
        both(
            Goofspiel, NaiveGoofspiel,
            lambda given: given | {"turns": min(given["turns"], given["cards"])},
            cards=st.integers(2, 15), order=st.integers(-1, 1), secret=st.booleans(),
            margin=st.booleans(), turns=st.integers(0, 15),
        ),
        lambda position, action: action + 1, goofspiel_more,
    ),
    "havannah": Twin(
        both(Havannah, NaiveHavannah, size=st.integers(2, 5), swap=st.booleans()),
        cell_or_swap, figure_more, clinging, examples=12,
    ),
    "hanabi": Twin(
        both(
            Hanabi, NaiveHanabi, fit_hanabi, players=st.integers(2, 5), colours=st.integers(1, 5),
            ranks=st.integers(1, 5), hand_size=st.integers(1, 5), hints=st.integers(0, 8),
            lives=st.integers(1, 3), keep_score=st.booleans(),
        ),
        lambda position, action: position.name(action), hanabi_more, building_fireworks,
        often=0.2, examples=25,
    ),
    "kalah": Twin(
        both(
            Kalah, NaiveKalah,
            lambda given: given | {"seeds": min(given["seeds"], 255 // (2 * given["pits"]))},
            pits=st.integers(1, 6), seeds=st.integers(1, 21), empty_capture=st.booleans(),
        ),
    ),
    "kuhn": Twin(
        st.one_of(*map(kuhn_games, range(2, 11))), lambda position, action: position.name(action),
        kuhn_more,
    ),
    "leduc": Twin(
        st.one_of(*map(leduc_games, (Leduc(), Leduc(blinds=True), Leduc(3), Leduc(5), Leduc(10)))),
        lambda position, action: NAMES[action], leduc_more, settled=public_card, examples=150,
    ),
    "texas_holdem": Twin(
        st.one_of(*map(holdem_games, (
            TexasHoldem(), TexasHoldem(rlcard=True), TexasHoldem(3, stacks=20_007_015),
            TexasHoldem(4, raises=2, rlcard=True), TexasHoldem(6, stack=13),
        ))),
        lambda position, action: position.name(action), holdem_more, seldom_folds, next_cards,
        often=0.2, examples=25,
    ),
    "texas_holdem_no_limit": Twin(
        st.one_of(*map(holdem_games, (
            TexasHoldemNoLimit(), TexasHoldemNoLimit(rlcard=True),
            TexasHoldemNoLimit(3, stacks=100_050_021), TexasHoldemNoLimit(4, rlcard=True),
            TexasHoldemNoLimit(6, stacks=11_023_040_100_061_007, small_blind=2, big_blind=5),
            TexasHoldemNoLimit(3, 15, amounts="all"), TexasHoldemNoLimit(2, 30, raises=2),
        ))),
        lambda position, action: position.name(action), holdem_more, seldom_folds, next_cards,
        often=0.2, examples=35,
    ),
    "liars_dice": Twin(
        both(
            LiarsDice, NaiveLiarsDice,
            dice=st.integers(1, 4), sides=st.integers(2, 12), players=st.integers(2, 10),
        ),
        lambda position, action: position.name(action), liars_dice_more, liars_dice_choice,
    ),
    "lines_of_action": Twin(
        both(
            LinesOfAction, NaiveLinesOfAction, size=st.integers(4, 10),
            joined_both=st.integers(0, 1), draw_moves=st.integers(1, 30),
        ),
        lines_of_action_move, reread_quiet, often=0.1, examples=12, plies=150,
    ),
    "minichess": Twin(
        st.sampled_from([
            "rnbqk/ppppp/5/PPPPP/RNBQK w - - 0 1",
            "5/5/1k3/3q1/K4 b - - 90 99",  # repetitions, the fifty moves and stalemates
            "1nk2/P3P/5/p3p/K1N2 w - - 0 1",
        ]).map(lambda fen: (MiniChess.from_fen(fen), NaiveChess(fen))),
        lambda position, action: position.name(action), chess_more, examples=20, plies=60,
    ),
    "nim": Twin(
        st.builds(nim_games, st.lists(st.integers(1, 9), min_size=1, max_size=8), st.booleans()),
        lambda p, action: (action % p.num_heaps, action // p.num_heaps + 1), nim_more,
    ),
    "nine_mens_morris": Twin(
        both(
            NineMensMorris, NaiveNineMensMorris, men=st.integers(3, 9), flying=st.booleans(),
            draw_moves=st.integers(1, 30),
        ),
        look=reread_quiet, often=0.2, examples=20,
    ),
    "othello": Twin(
        both(Othello, NaiveOthello, size=st.sampled_from([4, 6, 8]), margin=st.booleans()),
        examples=30,
    ),
    "phantom_tic_tac_toe": Twin(
        both(
            PhantomTicTacToe, lambda abrupt: NaivePhantom(3, abrupt, three_in_a_row),
            abrupt=st.booleans(),
        ),
        cell_of, phantom_more,
    ),
    "quoridor": Twin(
        both(
            Quoridor, NaiveQuoridor,
            lambda given: given | {"walls": min(given["walls"], (given["size"] - 1) ** 2)},
            size=st.integers(3, 7), walls=st.integers(-1, 6), players=st.sampled_from([2, 4]),
            max_plies=st.sampled_from([0, 20]),
        ),
        quoridor_move, quoridor_more, often=0.1, examples=15, plies=60,
    ),
    "rock_paper_scissors": Twin(
        both(RockPaperScissors, NaiveRockPaperScissors, rounds=st.integers(1, 100)),
        lambda position, action: position.name(action),
    ),
    "ultimate_tic_tac_toe": Twin(
        both(UltimateTicTacToe, NaiveUltimateTicTacToe),
        lambda p, action: tuple(divmod(number, 3) for number in small_board_of(action)),
        ultimate_more, often=0.2, examples=6,
    ),
    "y": Twin(
        both(GameOfY, NaiveY, size=st.sampled_from([2, 3, 4, 5, 6, 8, 19]), swap=st.booleans()),
        cell_or_swap, reread_with_swap, clinging, often=0.3, examples=20,
    ),
}  # fmt: skip
"""By game; poker begins after the deal."""
