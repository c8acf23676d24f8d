"""Texts: specs, moves, positions, records of games, requests of pages."""

from __future__ import annotations

import functools
import json
import random
from typing import Any

from samples import SAMPLES
from sgf_corpus import CORPUS

from adv_envs import Board, Chess, Position
from adv_envs.formats import game_texts, pgn, sgf
from adv_envs.literals import call_of, expression, literal
from adv_envs.notation import read_line, write_line
from adv_envs.registry import GAMES, game, parameters_of, position_of, start_position
from adv_envs.testing.reading_laws import WRAPPINGS
from adv_envs.text import read_json_board, read_reply, write_board
from agents.allow_list import allowed_agent
from agents.arena.game_files import read_pgn, write_pgn
from agents.arena.game_record import GameRecord
from agents.spec import make
from agents.web.game_states import BadRequest, GameStates, read_text, shown

from .kinds import kind
from .mutations import mutated

# ---- replies of language models


def replies() -> list[str]:
    """Returns replies in all wrappings, for chess and for games of words and numbers."""
    names = "e2e4", "Nf3", "4", "8/5", "raise", "2-3"
    return [wrapping.format(name) for wrapping in WRAPPINGS for name in names]


@functools.cache
def where_replies_are_read() -> list[Position]:
    """Returns positions of several games."""
    starts = [(samples.small or samples.large)[0] for samples in SAMPLES.values()]
    return [start for start in starts if start.to_move >= 0]


@kind(replies, share=30)
def replies_of_models(reply: str) -> None:
    """Reads a reply in positions of several games: an action is legal, or there is none."""
    for position in where_replies_are_read():
        reading = read_reply(position, reply)
        assert (reading.outcome == "legal") == (reading.action is not None)
        assert reading.action is None or position.legal(reading.action)


def boards_of_json() -> list[str]:
    """Returns positions as models are shown them."""
    return [write_board(start, "json") for start in where_replies_are_read()]


@kind(boards_of_json, ValueError, share=30)
def json_boards(text: str) -> None:
    """Reads a position and writes it again."""
    position = read_json_board(text)
    assert read_json_board(write_board(position, "json")) == position


# ---- specs


def specs() -> list[str]:
    """Returns specs of agents, but of none that starts a program or asks a person."""
    return [
        "random",
        "random(seed=1)",
        "greedy(evaluate=hex.two_distance)",
        "minimax(depth=3)",
        "alpha_beta(depth=4, seconds=0.5, evaluate=hex.two_distance, order=hex.centre)",
        "alpha_beta(nodes=1000, table_mb=1)",
        "mcts(simulations=50, seed=-1)",
        "mcts(seconds=0.1, exploration=1.5, grave=50)",
        "max_n(depth=2)",
        "ismcts(simulations=100)",
        "cfr(iterations=10)",
        "retrograde(limit=1000)",
        "proof_number(nodes=100)",
        "expectiminimax(depth=2)",
        "policy(path='tic_tac_toe_ppo', temperature=0.5)",
        "perfect()",
        "strong",
    ]


@kind(specs, ValueError, TypeError, share=150)
def specs_of_agents(spec: str) -> None:
    """Asks for an agent."""
    if "engine" not in spec and "human" not in spec:
        make(spec)


@kind(specs, ValueError, share=100)
def specs_from_pages(spec: str) -> None:
    """Asks for an agent that a page may name."""
    allowed_agent(spec)


@kind(lambda: ["1", "-1.5", "[1, {'a': (2, None)}]", "'text'", "{1: {2}}"], ValueError, share=100)
def literals(text: str) -> None:
    """Reads a literal."""
    literal(text)


# ---- games, moves and positions


def parameters() -> list[str]:
    """Returns games with their usual parameters, as they are given by name."""
    found = {name: parameters_of(game(name)()) for name in GAMES}
    return [
        f"{name}({', '.join(f'{key}={value!r}' for key, value in values.items())})"
        for name, values in found.items()
    ]


@kind(parameters, ValueError, TypeError, share=60)
def parameters_of_games(text: str) -> None:
    """Makes the start of a game, and asks what is legal there."""
    try:
        name, values = call_of(expression(text))
        given = {key: literal(value) for key, value in values.items()}
    except ValueError:
        return  # the reading of literals is another kind
    start_position(name, **given).legal_actions()


@functools.cache
def positions() -> list[Position]:
    """Returns small starts of every game, and positions of random games from them."""
    rng, found = random.Random(1), list[Position]()
    for samples in SAMPLES.values():
        for start in samples.small[:2]:
            found.append(start)
            position = start
            for _ in range(rng.randrange(1, 12)):
                if position.is_terminal():
                    break
                position = position.play(rng.choice(position.legal_actions()))
            found.append(position)
    return found


def line_from(start: Position, rng: random.Random, plies: int) -> list[int]:
    """Returns some random moves."""
    actions, position = list[int](), start
    while len(actions) < plies and not position.is_terminal():
        actions.append(rng.choice(position.legal_actions()))
        position = position.play(actions[-1])
    return actions


def lines() -> list[tuple[Position, str]]:
    """Returns positions, and moves that can be played there."""
    rng = random.Random(2)
    return [(start, write_line(start, line_from(start, rng, 6))) for start in positions()]


def change_line(
    sample: tuple[Position, str], others: list[tuple[Position, str]], rng: random.Random
) -> tuple[Position, str]:
    """Changes the moves, and keeps the position."""
    return sample[0], mutated(sample[1], [rng.choice(others)[1]], rng)


@kind(lines, ValueError, share=80, change=change_line)
def moves(sample: tuple[Position, str]) -> None:
    """Plays a line, and its first word as a move."""
    position, text = sample
    read_line(position, text)
    position.move((text.split() or [""])[0])


@kind(lambda: [repr(position) for position in positions()], ValueError, share=120)
def positions_of(text: str) -> None:
    """Reads what ``repr`` writes; what is accepted has legal moves, and a picture as text."""
    position = position_of(text)
    position.legal_actions()
    str(position)


def boards() -> list[tuple[str, str]]:
    """Returns boards as text, with the names of their games."""
    return [
        (name, str(position))
        for name in GAMES
        for position in positions()
        if type(position) is game(name) and issubclass(game(name), Board)
    ]


def change_board(
    sample: tuple[str, str], others: list[tuple[str, str]], rng: random.Random
) -> tuple[str, str]:
    """Changes the board, or takes that of another game."""
    name = sample[0] if rng.random() < 0.9 else rng.choice(others)[0]
    return name, mutated(sample[1], [rng.choice(others)[1]], rng)


@kind(boards, ValueError, share=60, change=change_board)
def boards_from_text(sample: tuple[str, str]) -> None:
    """Reads a board."""
    board: Any = game(sample[0])
    board.from_text(sample[1], to_move=None if len(sample[1]) % 3 else len(sample[1]) % 2)


# ---- records


def fens() -> list[str]:
    """Returns positions of chess."""
    rng = random.Random(3)
    return [Chess().after(line_from(Chess(), rng, n)).fen() for n in (0, 1, 5, 20, 60)]


@kind(fens, ValueError, share=60)
def fens_of_chess(text: str) -> None:
    """Reads a FEN record and writes it again."""
    Chess.from_fen(text).fen()


def pgns() -> list[str]:
    """Returns games of chess, with what such files have in them."""
    rng = random.Random(4)
    games = [pgn.write(Chess(), line_from(Chess(), rng, n), White="Ann") for n in (0, 3, 12)]
    return [
        *games,
        "\n".join(games[1:]),
        "1. e4 {good} e5 (1... c5 2. Nf3 (2. c3)) 2. Nf3 $1 Nc6!? ; rest\n3. Bb5 a6 1-0",
        '[Event "x"]\n[FEN "8/8/8/8/8/k7/p7/K7 w - - 0 1"]\n[SetUp "1"]\n\n1/2-1/2',
        "1. f4 e6 2. g4 Qh4# 0-1",
    ]


@kind(pgns, ValueError, share=50)
def games_as_pgn(text: str) -> None:
    """Reads games of chess."""
    game_texts.read_game(Chess(), text)
    pgn.read(text)


def change_sgf(sample: str | bytes, others: list[str | bytes], rng: random.Random) -> str | bytes:
    """Changes a file as text or, more seldom, as bytes."""
    data = sample.encode("latin-1", "replace") if isinstance(sample, str) else sample
    other = rng.choice(others)
    text = other if isinstance(other, str) else other.decode("latin-1")
    changed = mutated(data.decode("latin-1"), [text], rng)
    return changed if rng.random() < 0.4 else changed.encode("latin-1", "replace")


@kind(lambda: [file.data for file in CORPUS.values()], sgf.SgfError, share=90, change=change_sgf)
def games_as_sgf(text: str | bytes) -> None:
    """Reads all games; what was read is written and read again."""
    for found in sgf.read_all(text):
        if isinstance(found, sgf.SgfGame):
            again = sgf.read(sgf.write(found.start, found.actions))
            assert (again.start, again.actions) == (found.start, found.actions)


def tournaments() -> list[str]:
    """Returns games of a tournament as PGN."""
    start, rng = start_position("tic_tac_toe"), random.Random(5)
    records = []
    for number in range(3):
        actions = tuple(line_from(start, rng, 9))
        record = GameRecord(
            number, ("random", "mcts"), actions[:2], actions[2:], (1.0, 0.0), (0, 1)
        )
        records.append(record)
    return [write_pgn(start, records[:n]) for n in (1, 3)]


@kind(tournaments, ValueError, share=30)
def games_of_tournaments(text: str) -> None:
    """Reads them."""
    read_pgn(text, start_position("tic_tac_toe"))


# ---- pages


def requests() -> list[str]:
    """Returns requests of pages, as JSON."""
    return [
        json.dumps(request)
        for request in (
            {"game": "hex", "parameters": {"size": 5}, "text": "a1 b2 c3"},
            {"game": "go", "parameters": {"size": 5}, "text": "(;SZ[5];B[aa];W[];B[];W[bb])"},
            {"game": "chess", "parameters": {}, "text": "1. e4 e5 2. Nf3 *"},
            {"game": "connect_four", "parameters": {"height": 4}, "line": [0, 1, 2], "people": [0]},
            {"game": "kuhn", "parameters": {}, "line": [0], "people": [], "over": True},
            {"game": "tic_tac_toe", "set_up": "", "line": [4, 0], "ply": 1, "viewer": 0},
            {"game": "chess", "set_up": "8/8/8/8/8/k7/p7/K7 w - - 0 1", "line": []},
        )
    ]


@kind(requests, BadRequest, share=60)
def requests_of_pages(text: str) -> None:
    """Reads a request as the page's server does; what is no JSON is another's affair."""
    try:
        request = json.loads(text)
    except (ValueError, RecursionError):
        return
    if isinstance(request, dict):
        if "text" in request:
            read_text(request)
        else:
            states = GameStates()
            shown(states.read(request))
