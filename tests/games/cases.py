"""How other programs play each game: what the laws of ``laws.py`` need to know of it."""

from random import Random
from typing import Any

import numpy as np
from games.laws import Fish, Peer, Twin, names, numbered, owners, returns, seen, tensors, told
from games.naive_amazons import NaiveAmazons
from games.naive_backgammon import NaiveBackgammon
from games.naive_breakthrough import NaiveBreakthrough
from games.naive_checkers import NaiveCheckers
from games.naive_chess import NaiveChess
from games.naive_domineering import NaiveDomineering
from games.naive_dots_and_boxes import NaiveDotsAndBoxes
from games.naive_go import NaiveGo
from games.naive_gomoku import NaiveGomoku
from games.naive_goofspiel import NaiveGoofspiel
from games.naive_kalah import NaiveKalah
from games.naive_kuhn import NaiveKuhn
from games.naive_leduc import NaiveLeduc
from games.naive_liars_dice import NaiveLiarsDice
from games.naive_nim import NaiveNim
from games.naive_othello import NaiveOthello
from games.naive_phantom import NaivePhantom, joined, three_in_a_row
from games.naive_rock_paper_scissors import NaiveRockPaperScissors
from games.naive_texas_holdem import NaiveHoldem, NaiveNoLimit
from hypothesis import strategies as st

from adv_envs import (
    CHANCE,
    Amazons,
    Backgammon,
    Breakthrough,
    Checkers,
    Chess,
    ConnectFour,
    DarkHex,
    Domineering,
    DotsAndBoxes,
    Go,
    Gomoku,
    Goofspiel,
    Hex,
    Kalah,
    Kuhn,
    Leduc,
    LiarsDice,
    Nim,
    Othello,
    PhantomTicTacToe,
    RockPaperScissors,
    TexasHoldem,
    TexasHoldemNoLimit,
    TicTacToe,
)
from adv_envs.games.amazons import MOVE
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


def liars_dice_choice(position: Any, actions: list[int], rng: Random) -> int:
    """Rather low bids, so that games are long, and sometimes the call."""
    action = rng.choice(actions[: 2 * position.sides])
    return actions[-1] if action + 1 == position.liar or rng.random() < 0.05 else action


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
    "nim": Peer(
        lambda rng: [Nim(random_digits(rng), misere=rng.random() < 0.5)],
        lambda p: spelled("nim", pile_sizes=";".join(str(p.heaps)), is_misere=bool(p.misere)),
        numbered(lambda _, action: action), nim_look,  # OpenSpiel has more numbers
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


FISH = {
    "amazons": Fish("amazons", Amazons(), whole_turns, after_turn, stride=8),
    "breakthrough": Fish("breakthrough", Breakthrough(), names, lambda p, name: p.move(name)),
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


def liars_dice_more(position: Any, naive: Any) -> None:
    for player, rolls in enumerate(naive.rolls):
        assert position.hidden(player).dice_of(player) == sorted(rolls)


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


def public_card(position: Any, naive: Any) -> Any:
    if position.is_terminal() or position.to_move != CHANCE:
        return position
    rank, suit = naive.public
    return position.play(2 * rank + suit)


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


TWINS = {
    "amazons": Twin(
        both(Amazons, naive_amazons, size=st.integers(4, 10)), cell_of, reread, examples=12,
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
    "nim": Twin(
        st.builds(nim_games, st.lists(st.integers(1, 9), min_size=1, max_size=8), st.booleans()),
        lambda p, action: (action % p.num_heaps, action // p.num_heaps + 1), nim_more,
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
    "rock_paper_scissors": Twin(
        both(RockPaperScissors, NaiveRockPaperScissors, rounds=st.integers(1, 100)),
        lambda position, action: position.name(action),
    ),
}  # fmt: skip
"""By game; poker begins after the deal."""
