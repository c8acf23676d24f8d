"""Checks by ``check_game`` random games under the contract of ``position.py``, also compiled.

The docstring of each function under "the laws" is the law that it holds a position to.
"""

from __future__ import annotations

import copy
import math
import pickle
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from random import Random
from typing import Any, TypeVar

import numpy as np

from adv_envs.bits import num_wide_words, num_words, pack
from adv_envs.jit import disabled, kernel
from adv_envs.notation import IllegalMove, read_line, write_line
from adv_envs.position import CHANCE, Position, checked, winners_of
from adv_envs.random import chance_action, scattered

if not __debug__:
    raise ImportError("the laws are assertions, and python -O switches assertions off")

P = TypeVar("P", bound=Position)
WATCHED = 500
"""How many plies of a random game are held to the laws, besides its end."""
LONGEST = 10_000
"""After how many plies a random game is given up."""


def check_game(position: Position, games: int = 20, seed: int = 0) -> None:
    """Plays ``games`` random games from ``position``; AssertionError names the law it breaks.

    Everything that ``position.py`` asks of a game is asked at every position met, in plain Python
    and, unless it says ``compiled=False`` or the compiler is switched off, compiled. TypeError for
    what is no position.
    """
    if not isinstance(position, Position):
        raise TypeError(f"check_game checks a position, such as TicTacToe(), not {position!r}")
    rng = Random(seed)
    with law(start.__doc__, position):
        start(position)
    laws: list[Callable[[Any, Random], None]] = [*LAWS]
    if not position.is_compiled:
        name = type(position).__name__
        print(f"hint: {name} says compiled=False, so searches run it as plain Python")
    elif not disabled():
        laws.append(same_answers_compiled)
    known: dict[Any, Past] = {}
    ended = [_check_line(position, laws, rng, known) for _ in range(games)]
    if games and not any(ended):
        raise AssertionError(
            f"no random game from {position!r} ended within {LONGEST} plies: is_terminal() is "
            "never true, or begin nearer to the end"
        )


def _check_line(
    position: Any,
    laws: list[Callable[[Any, Random], None]],
    rng: Random,
    known: dict[Any, Past],
) -> bool:
    """Holds every position of one random game to ``laws``; whether the game ended."""
    first = position
    actions: list[int] = []
    pasts: list[Past] = [()] * position.num_players
    while len(actions) < LONGEST:
        over = position.is_terminal()
        for each in laws if over or len(actions) < WATCHED else ():
            with law(each.__doc__, position):
                each(position, rng)
        with law(perfect_recall.__doc__, position):
            perfect_recall(position, pasts, known)
        if over:
            break
        if len(actions) < 9:
            with law(words.__doc__, position):
                words(first, actions, position, rng)
        actions.append(random_action(position, rng))
        if position.to_move != CHANCE:
            seen = position.hidden(position.to_move), actions[-1]
            pasts[position.to_move] = (*pasts[position.to_move], seen)
        position = position.play(actions[-1])
    with law(lines.__doc__, first):
        lines(first, actions[:WATCHED])
    return len(actions) < LONGEST


# ---- what every law needs


@contextmanager
def law(text: str | None, where: object) -> Iterator[None]:
    """Turns what is raised inside into a breach of the law ``text`` begins with, at ``where``."""
    try:
        yield
    except Exception as error:
        kind = "" if isinstance(error, AssertionError) else f"{type(error).__name__}: "
        name = (text or "").strip().partition("\n")[0]
        raise AssertionError(f"{kind}{error}\n  the law: {name}\n  broken by {where!r}") from error


def random_action(position: Position, rng: Random) -> int:
    """Returns a legal action of an unfinished position; where chance moves, one that may happen."""
    if position.to_move == CHANCE:
        return chance_action(position, rng.random())
    return rng.choice(position.legal_actions())


def some(choices: list[Any], rng: Random, count: int = 4) -> list[Any]:
    """Returns a few of ``choices``, or all where there are few."""
    return choices if len(choices) <= count else rng.sample(choices, count)


# ---- the laws


def start(position: Any) -> None:
    """The start is the beginning of the same game: the same parameters and nothing else."""
    begin = position.start()
    assert type(begin) is type(position), f"start() is a {type(begin).__name__}"
    for name in position.parameters:
        same = getattr(begin, name) == getattr(position, name)
        assert same, f"start() has another {name}: start() must keep every parameter"
    assert begin.start() == begin, "start().start() is another position than start()"
    assert not begin.is_terminal() or position.is_terminal(), "start() is terminal"
    begin.check()


def constants(position: Any, rng: Random) -> None:
    """What depends on the game and not on the moment is the same in all its positions."""
    begin = position.start()
    start(position)
    for name in ("num_players", "num_actions", "board_bits"):
        value = getattr(position, name)
        assert type(value) is int, f"{name} is {value!r}: it must be an int"
        assert value >= 1, f"{name} is {value}: it must be at least 1"
    for name in ("num_players", "num_actions", "board_bits", "observation_shape", "max_utility"):
        found, first = getattr(position, name), getattr(begin, name)
        assert found == first, f"{name} is {found} here and {first} at the start"
    same = np.array_equal(position.observation_high, begin.observation_high)
    assert same, "observation_high is another one here than at the start"
    space = position.state_space()
    assert space is None or (type(space) is int and space > 0), f"state_space() is {space!r}"


def value(position: Any, rng: Random) -> None:
    """A position is a value: hashable, equal by content, copied and pickled without loss."""
    cls = type(position)
    for field, kind in zip(cls._fields, cls.field_types, strict=True):
        found = getattr(position, field)
        right = kind not in (int, bool, float) or type(found) is kind
        assert right, f"{field} is {found!r}: it is declared to be {kind.__name__}"
    again = {
        "hash and rebuild": cls(*position),
        "rebuild by keyword": cls(**position._asdict()),
        "copy.copy": copy.copy(position),
        "copy.deepcopy": copy.deepcopy(position),
        "pickle": pickle.loads(pickle.dumps(position)),
    }
    for how, other in again.items():
        assert type(other) is cls, f"{how} gives a {type(other).__name__}"
        assert other == position, f"{how} gives another position, {other!r}"
        assert hash(other) == hash(position), f"{how} gives another hash"


def moves(position: Any, rng: Random) -> None:
    """Somebody is to move; legal() and is_terminal() are bools; unfinished, a move is legal."""
    to_move, over = position.to_move, position.is_terminal()
    assert type(to_move) is int, f"to_move is {to_move!r}: it must be an int"
    inside = to_move == CHANCE or 0 <= to_move < position.num_players
    assert inside, f"to_move is {to_move}: it must be CHANCE or 0 .. {position.num_players - 1}"
    assert type(over) is bool, f"is_terminal() is {over!r}: it must be True or False"
    legal = [position.legal(action) for action in range(position.num_actions)]
    for action, answer in enumerate(legal):
        assert type(answer) is bool, f"legal({action}) is {answer!r}: it must be True or False"
    assert over or any(legal), "no action is legal: then is_terminal() must be True"
    expected = [] if over else [action for action, yes in enumerate(legal) if yes]
    found = position.legal_actions()
    assert found == expected, f"legal_actions() is {found}, and legal() says {expected}"
    if position.lists_legal and not over:
        actions = [-1] * position.num_actions
        number = position.write_legal(actions)
        right = type(number) is int and actions[number:] == [-1] * (len(actions) - number)
        assert right, f"write_legal() returns {number!r}, and writes {actions}"


def immutable(position: Any, rng: Random) -> None:
    """play() gives a new position of the same game, always the same, and changes nothing else."""
    before = _answers(position)
    for action in some(position.legal_actions(), rng, 2):
        child = position.play(action)
        assert type(child) is type(position), f"play({action}) is {child!r}"
        kept = all(getattr(child, n) == getattr(position, n) for n in position.parameters)
        assert kept, f"play({action}) changes a parameter: {child!r}"
        same = child.start() == position.start()
        assert same, f"after play({action}) start() is another position, {child.start()!r}"
        first = _answers(child)
        assert position.play(action) == child, f"play({action}) gives another position each time"
        for further in some(child.legal_actions(), rng, 1):
            child.play(further)
        assert _answers(child) == first, f"play() changed {child!r}: make a new position"
    assert _answers(position) == before, "play() changed its parent: make a new position"


def _answers(position: Any) -> tuple[Any, ...]:
    """Returns what can be seen of a position, as a value that does not share anything with it."""
    legal = [position.legal(action) for action in range(position.num_actions)]
    seen = [_observed(position, player).tolist() for player in range(position.num_players)]
    return copy.deepcopy(tuple(position)), position.to_move, position.is_terminal(), legal, seen


def ending(position: Any, rng: Random) -> None:
    """A finished game is worth a number to each; of two, one wins what the other loses.

    A team shares one utility.
    """
    if not position.is_terminal():
        return
    utilities = [position.utility(player) for player in range(position.num_players)]
    for player, utility in enumerate(utilities):
        number = isinstance(utility, int | float) and math.isfinite(utility)
        assert number, f"utility({player}) is {utility!r}: it must be a finite number"
        most = position.max_utility
        assert utility <= most, f"utility({player}) is {utility}, more than max_utility, {most}"
    if position.cooperative:
        assert len(set(utilities)) == 1, f"utilities are {utilities}: a team has the same for all"
        return
    zero_sum = len(utilities) != 2 or utilities[0] == -utilities[1]
    assert zero_sum, f"utilities are {utilities}: of two players, utility(0) == -utility(1)"


def chance(position: Any, rng: Random) -> None:
    """Where chance moves, the probabilities of the legal actions add up to 1."""
    if position.to_move != CHANCE or position.is_terminal():
        return
    total = 0.0
    for action in range(position.num_actions):
        probability = position.probability(action)
        right = 0 <= probability <= 1
        assert right, f"probability({action}) is {probability!r}: it must be 0 to 1"
        right = position.legal(action) or probability == 0
        assert right, f"probability({action}) is {probability}, and the action is illegal"
        total += probability
    assert abs(total - 1) < 1e-9, f"the probabilities add up to {total}, not 1"


def observation(position: Any, rng: Random) -> None:
    """observe() fills an array of observation_shape with whole numbers, 0 to observation_high."""
    for player in range(position.num_players):
        seen = _observed(position, player)
        high = np.broadcast_to(position.observation_high, seen.shape)
        whole = np.isfinite(seen).all() and (seen == np.floor(seen)).all()
        assert whole, f"observe({player}) writes numbers that are not whole: {seen.tolist()}"
        inside = (seen >= 0).all() and (seen <= high).all()
        assert inside, f"observe({player}) leaves 0 .. observation_high: {seen.tolist()}"
        same = np.array_equal(seen, _observed(position, player))
        assert same, f"observe({player}) writes something else the second time"


def _observed(position: Any, player: int) -> Any:
    planes = np.zeros(position.observation_shape)
    position.observe(player, planes)
    return planes


def views(position: Any, rng: Random) -> None:
    """What a player sees, hidden(player), is a position that answers the player as the true one."""
    if position.perfect_information:
        return
    for player in range(position.num_players):
        view = position.hidden(player)
        checked(position, whole=True)
        assert type(view) is type(position), f"hidden({player}) is {view!r}"
        again = view.hidden(player)
        assert again == view, f"hidden({player}) of {view!r} is another position, {again!r}"
        view.check()
        assert str(view).strip(), f"str() of {view!r} is empty"
        assert view.start() == position.start(), f"hidden({player}) changes a parameter: {view!r}"
        for name in ("to_move", "is_terminal"):
            found, true = getattr(view, name), getattr(position, name)
            same = found() == true() if callable(found) else found == true
            assert same, f"{name} is another in {view!r}: everybody must see it"
        seen, true = _observed(view, player), _observed(position, player)
        same = np.array_equal(seen, true)
        assert same, f"observe({player}) tells more than {view!r}: {true.tolist()}"
        if position.is_terminal():
            found, true = view.utility(player), position.utility(player)
            assert found == true, f"utility({player}) is {true}, and in {view!r} it is {found}"
        else:
            _own_turn(position, player, view, rng)


def _own_turn(position: Any, player: int, view: Any, rng: Random) -> None:
    """Checks what holds of an unfinished position and of the view that ``player`` has of it."""
    guess = view.determinized(player, scattered(rng.getrandbits(62)))
    guess.check()
    same = guess.hidden(player) == view
    assert same, f"determinized({player}) of {view!r} is {guess!r}, which looks different"
    if position.to_move != player:
        for action in some(position.legal_actions(), rng, 2):
            _told(position, action, player, guess, rng)
        return
    legal = position.legal_actions()
    assert view.legal_actions() == legal, f"legal are {legal}, and in {view!r} others"
    assert guess.legal_actions() == legal, f"legal are {legal}, and in {guess!r} others"
    after = [position.play(action).hidden(player) for action in legal]
    assert len(set(after)) == len(legal), f"player {player} cannot tell two own actions apart"


def _told(position: Any, action: int, player: int, guess: Any, rng: Random) -> None:
    """What ``player`` is told of another's ``action``: no other action explains what is seen."""
    later, line, here = position.seen_after(player, action), [action], position.play(action)
    while len(line) <= later and not here.is_terminal():
        line.append(rng.choice(here.legal_actions()))
        here = here.play(line[-1])
    if not 0 <= later < len(line):
        return
    seen = _views(position, line, player)
    for possible in (position, guess):
        for other in possible.legal_actions():
            alike = other != action and _views(possible, [other, *line[1:]], player) == seen
            assert not alike, (
                f"seen_after({player}, {action}) is {later} at {position!r}, and {other} at "
                f"{possible!r} looks the same to the player"
            )


def _views(position: Any, line: list[int], player: int) -> list[Any]:
    """Returns what ``player`` sees after each action of a line, as far as it is legal."""
    seen = []
    for action in line:
        if position.is_terminal() or not position.legal(action):
            break
        position = position.play(action)
        seen.append(position.hidden(player))
    return seen


def names(position: Any, rng: Random) -> None:
    """Legal actions have different names, in upper or lower case, that action() reads back."""
    legal = position.legal_actions()
    named: dict[str, int] = {}
    for action in legal:
        name = position.name(action)
        right = isinstance(name, str) and name and not any(c.isspace() or c == "," for c in name)
        assert right, f"name({action}) is {name!r}: names have no spaces or commas"
        other = named.setdefault(name.lower(), action)
        assert other == action, f"{name!r} is the name of {other} and of {action}"
    for name, action in some(sorted(named.items()), rng):
        for spelt in (name, name.upper(), f" {position.name(action)} "):
            read = position.action(spelt)
            assert type(read) is int, f"action({spelt!r}) is {read!r}: it must be an int"
            assert read == action, f"action({spelt!r}) is {read}, not {action}"


def text(position: Any, rng: Random) -> None:
    """str() and repr() show the position; check() accepts it, as every position one can reach."""
    assert str(position).strip(), "str() is empty: draw the position"
    assert repr(position).strip(), "repr() is empty"
    position.check()


def sides(position: Any, rng: Random) -> None:
    """Each player has a name for people, and the result in words names the only one who won."""
    called = position.side_names
    assert called == position.start().side_names, f"the sides change their names to {called}"
    different = {name.strip().lower() for name in called} - {""}
    right = len(called) == len(different) == position.num_players
    assert right, f"side_names are {called!r}: there must be one for each player"
    for view in {position, *(position.hidden(player) for player in range(position.num_players))}:
        if not position.is_terminal():
            assert view.turn_text().strip(), "turn_text() is empty"
            continue
        winners, said = winners_of(view), view.result_text()
        if position.cooperative:
            score = f"{view.utility(0):g}"
            assert score in said, f"result_text() is {said!r}, without the score, {score}"
        elif len(winners) == len(called):
            assert said.startswith("Draw"), f"result_text() is {said!r}, and it is a draw"
        elif len(winners) == 1:
            assert f"{called[winners[0]]} " in said, f"result_text() names no winner: {said!r}"


def impossible(position: Any, rng: Random) -> None:
    """check() refuses what the rules cannot answer: compiled code asks, and trusts the answer.

    A field of the state is changed at random. A game without a ``check`` of its own is not asked.
    """
    cls, state = type(position), len(position.parameters)
    if cls.check is Position.check or len(position) == state:
        return
    fields = list(position)
    at = rng.randrange(state, len(fields))
    if isinstance(fields[at], int):
        fields[at] ^= rng.choice((-1, 1, 1 << rng.randrange(fields[at].bit_length() + 2)))
    try:
        changed = checked(cls(*fields))
    except (TypeError, ValueError):
        return
    try:
        answers(changed)
    except Exception as error:
        raise AssertionError(f"check() accepts {changed!r}, of which {error!r}") from error


def answers(position: Any) -> None:
    """Asks a position, or a view of one, whatever compiled code and pictures ask."""
    _answers(position)
    for name, kind in zip(position._fields, position.field_types, strict=True):
        bits = getattr(position, position.wide_fields.get(name, ""), 63)
        room = 64 * num_wide_words(bits) or 63
        fits = kind is not int or getattr(position, name).bit_length() <= room
        assert fits, f"{name} does not fit into the {room} bits that compiled code has for it"
    for player in range(position.num_players):
        if position.is_terminal():
            position.utility(player)
    for action in position.legal_actions():
        position.name(action)
    position.winning_cells()
    position.svg()
    assert str(position).strip(), "str() is empty"
    if is_whole(position) and position.to_move != CHANCE:
        for action in position.legal_actions()[:4]:
            _answers(position.play(action))


def is_whole(position: Any) -> bool:
    """Returns whether a position is more than what a player sees of one."""
    try:
        checked(position, whole=True)
    except ValueError:
        return False
    return True


Past = tuple[tuple[Any, int], ...]
"""What a player has seen at the own turns of a game, and what the player did there."""


def perfect_recall(position: Any, pasts: list[Past], known: dict[Any, Past]) -> None:
    """What a player sees tells what the player has seen and done at every own turn before."""
    if position.perfect_information:
        return
    for player, past in enumerate(pasts):
        view = position.hidden(player)
        other = known.setdefault((player, view), past)
        assert other == past, f"{view!r} comes to player {player} after {past} and after {other}"


def lines(first: Any, actions: list[int]) -> None:
    """A line of play is read back as it was written, in upper or lower case, or as a list."""
    line = write_line(first, actions)
    for spelt in (line, line.upper(), line.lower(), actions):
        assert read_line(first, spelt) == actions, f"{spelt!r} is not read as {actions}"


def words(first: Any, actions: list[int], position: Any, rng: Random) -> None:
    """A word is one move or none: what action() refuses is not read as two moves."""
    legal, begin = position.legal_actions(), position.start()
    short = [position.name(action) for action in some(legal, rng, 3)]
    longer = [begin.name(action) for action in some(begin.legal_actions(), rng, 3)]
    for word in (*longer, *(a + b for a in short for b in short)):
        try:
            position.action(word)
        except IllegalMove:
            line = [*actions, word]
            assert refuses(first, line), f"{line} is read, though {word!r} is no move"


def refuses(first: Any, line: Any) -> bool:
    """Returns whether read_line() says that a move of the line is illegal."""
    try:
        read_line(first, line)
    except IllegalMove:
        return True
    return False


LAWS = [
    constants, value, moves, immutable, ending, chance, observation, views, names, text, sides,
    impossible,
]  # fmt: skip


# ---- the law of the compiler


@kernel
def look(position: Any, numbers: Any, utilities: Any, planes: Any, words: Any) -> None:
    """Writes down all that a position answers.

    numbers (6 + 2 * num_actions,), utilities (num_players,), planes (num_players, *shape), words
    (num_words,).
    """
    numbers[0] = position.num_players
    numbers[1] = position.num_actions
    numbers[2] = position.to_move
    numbers[3] = position.is_terminal()
    numbers[4] = num_words(position)
    for action in range(position.num_actions):
        numbers[6 + action] = position.legal(action)
    if not position.is_terminal():
        numbers[5] = position.write_legal(numbers[6 + position.num_actions :])
    for player in range(position.num_players):
        position.observe(player, planes[player])
        if position.is_terminal():
            utilities[player] = position.utility(player)
    pack(position, words)


@kernel
def look_at_chance(position: Any, probabilities: Any) -> None:
    """Writes down the probability of every action."""
    for action in range(position.num_actions):
        probabilities[action] = position.probability(action)


@kernel
def hidden(position: Any, player: int) -> Any:
    """Returns what ``player`` sees."""
    return position.hidden(player)


@kernel
def determinized(position: Any, player: int, state: int) -> Any:
    """Returns a position that the view of ``player`` may be."""
    return position.determinized(player, state)


@kernel
def play(position: Any, action: int) -> Any:
    """Returns the position after ``action``."""
    return position.play(action)


def same_answers_compiled(position: Any, rng: Random) -> None:
    """Compiled or in plain Python, a position gives the same answers."""
    if not position.perfect_information:
        _same_views_compiled(position, rng)
    answers, expected = _look(look, position), _look(look.plain, position)
    for name, found in answers.items():
        same = np.array_equal(found, expected[name])
        assert same, f"{name}: {found.tolist()} compiled, {expected[name].tolist()} plain"
    if position.is_terminal():
        return
    if position.to_move == CHANCE:
        found, plain = np.zeros((2, position.num_actions))
        look_at_chance(position, found)
        look_at_chance.plain(position, plain)
        assert np.array_equal(found, plain), f"probability: {found} compiled, {plain} plain"
    for action in some(position.legal_actions(), rng):
        child, other = play(position, action), play.plain(position, action)
        same = child == other and type(child) is type(other)
        assert same, f"play({action}) is {child!r} compiled, {other!r} plain"


def _same_views_compiled(position: Any, rng: Random) -> None:
    for player in range(position.num_players):
        found, view = hidden(position, player), position.hidden(player)
        assert found == view, f"hidden({player}) is {found!r} compiled, {view!r} plain"
        if not position.is_terminal():
            state = scattered(rng.getrandbits(62))
            found, guess = determinized(view, player, state), view.determinized(player, state)
            same = found == guess
            assert same, f"determinized({player}) is {found!r} compiled, {guess!r} plain"


def _look(how: Any, position: Any) -> dict[str, Any]:
    numbers = "num_players, num_actions, to_move, is_terminal, num_words, legal, write_legal"
    answers = {
        numbers: np.zeros(6 + 2 * position.num_actions, np.int64),
        "utility": np.zeros(position.num_players),
        "observe": np.zeros((position.num_players, *position.observation_shape), np.int32),
        "pack": np.zeros(num_words(position), np.int64),
    }
    how(position, *answers.values())
    return answers
