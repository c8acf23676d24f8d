"""The same random games everywhere: of each a digest of all that the rules answer on the way."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from adv_envs import CHANCE, Position
from adv_envs.bits import num_words, pack, position_of, words_of
from adv_envs.jit import kernel

MOST_PLIES = 600
"""Plies of the longest game."""

MASK = 0xFFFFFFFF
LIKE: Any = None
"""A position of the game: the types of its fields."""


class Room(NamedTuple):
    """Arrays that ``play_game`` works on; of floats, ``bits`` are the same memory as words."""

    actions: NDArray[np.int64]
    """(num_actions,)"""
    words: NDArray[np.int64]
    """(all words of a position,)"""
    utilities: NDArray[np.float64]
    """(num_players,)"""
    bits: NDArray[np.int64]
    probability: NDArray[np.float64]
    """(1,)"""
    probability_bits: NDArray[np.int64]
    planes: NDArray[np.int32]
    """of the shape of observations"""
    flat: NDArray[np.int32]
    """the same memory"""


def room_for(start: Position) -> Room:
    """New arrays."""
    utilities, probability = np.zeros(start.num_players), np.zeros(1)
    planes = np.zeros(start.observation_shape, np.int32)
    actions = np.zeros(start.num_actions, np.int64)
    words = np.array(words_of(start), np.int64)
    views = (array.view(np.int64) for array in (utilities, probability))
    bits, of_one = views
    return Room(actions, words, utilities, bits, probability, of_one, planes, planes.reshape(-1))


def mixed(digest: int, number: int) -> int:
    """A digest with 32 bits of one more number."""
    digest = ((digest ^ (number & MASK)) * 0x9E3779B1) & MASK
    return digest ^ digest >> 15


def mixed_word(digest: int, word: int) -> int:
    """A digest with 64 bits of one more number."""
    return mixed(mixed(digest, word & MASK), word >> 32 & MASK)


def drawn_next(state: int) -> int:
    """The next random number of 32 bits, not 0: xorshift."""
    state ^= state << 13 & MASK
    state ^= state >> 17
    return state ^ (state << 5 & MASK)


def list_legal(position: Position, actions: NDArray[np.int64]) -> int:
    """Writes the legal actions, increasing; returns how many."""
    if position.lists_legal:
        return int(position.write_legal(actions))
    number = 0
    for action in range(position.num_actions):
        if position.legal(action):
            actions[number] = action
            number += 1
    return number


def words_digest(digest: int, position: Position, words: Any) -> int:
    """A digest with the words of a position; those of its parameters are there."""
    pack(position, words[len(words) - num_words(position) :])
    for i in range(len(words)):
        digest = mixed_word(digest, int(words[i]))
    return digest


def seen_digest(digest: int, position: Position, player: int, room: Room) -> int:
    """A digest with what a player observes, and with the position as that player sees it."""
    room.planes[...] = 0
    position.observe(player, room.planes)
    for i in range(len(room.flat)):
        digest = mixed(digest, int(room.flat[i]))
    if not position.perfect_information:
        digest = words_digest(digest, position.hidden(player), room.words)
    return digest


def probability_of(position: Position, action: int) -> float:
    """The probability of an action, which ``its_probability`` stands for in games of chance."""
    return 0.0


def its_probability(position: Position, action: int) -> float:
    """The probability of an action of chance."""
    return position.probability(action)


def listed_digest(digest: int, position: Position, number: int, room: Room) -> int:
    """A digest with the legal actions, and with their probabilities where chance is to move."""
    digest = mixed(digest, number)
    for i in range(number):
        action = int(room.actions[i])
        digest = mixed(digest, action)
        if position.to_move == CHANCE:
            room.probability[0] = probability_of(position, action)
            digest = mixed_word(digest, int(room.probability_bits[0]))
    return digest


@kernel
def play_game(row: NDArray[np.int64], seed: int, room: Room, out: NDArray[np.int64]) -> None:
    """Plays a random game from a position; out (2,) is a digest and the number of plies.

    The digest is of every position: its words, who is to move, the legal actions, what one of the
    players sees, each in turn; and of the utilities at the end.
    """
    position = position_of(LIKE, row)
    for i in range(len(row)):
        room.words[i] = row[i]
    digest, state, ply = seed, seed, 0
    while True:
        digest = words_digest(digest, position, room.words)
        digest = mixed(digest, position.to_move + 2)
        digest = seen_digest(digest, position, ply % position.num_players, room)
        if position.is_terminal() or ply == MOST_PLIES:
            break
        number = list_legal(position, room.actions)
        digest = listed_digest(digest, position, number, room)
        state = drawn_next(state)
        position = position.play(int(room.actions[state % number]))
        ply += 1
    if position.is_terminal():
        for player in range(position.num_players):
            room.utilities[player] = position.utility(player)
            digest = mixed_word(digest, int(room.bits[player]))
    out[0], out[1] = digest, ply


def digests(start: Position, seeds: list[int], plain: bool = False) -> list[tuple[int, int]]:
    """For each seed the digest of a game and how many plies it had."""
    bound = play_game.bind(LIKE=start)
    if start.has_chance:
        bound = bound.bind(probability_of=its_probability)
    play = bound.plain if plain else bound
    row, room, out = np.array(words_of(start), np.int64), room_for(start), np.zeros(2, np.int64)
    found = []
    for seed in seeds:
        play(row, seed, room, out)
        found.append((int(out[0]), int(out[1])))
    return found
