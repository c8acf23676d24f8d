"""Defines a position, a moment in a game, as an immutable value that knows its rules.

A game is one class: a named tuple of integers with a handful of plain-Python methods::

    class TakeAway(Position):
        stones: int = 7          # a parameter: what the game is played with
        left: int = -1           # the state: what changes from move to move
        ply: int = 0
        parameters = ("stones",)

Fields are declared as in a dataclass, parameters before state, every one with a default: called
without arguments, the class is the start position. A class has the fields of its base, too; it may
declare some of them anew, or define properties in their place. All parameters come first. A
parameter whose values have names is declared ``draws: Words = Words("automatic", "claimed")``, the
usual one first: it is kept as the number of a word, which the rules compare, while users write and
see the word.

Giving *every* field by position is the way the rules (and compiled code) make the next position and
is not checked; any other call converts to int and runs ``check``, so ``Hex(size=99)`` says what is
allowed.

What a game must define, and what may be asked of it:

====================== ============================================================================
``num_actions``        actions are the integers 0 .. num_actions - 1
``to_move``            player to move, 0 .. num_players - 1, or ``CHANCE``
``legal(action)``      may this action be taken now? The rule is asked only for actions below
                       num_actions; the class answers False for every other integer
``play(action)``       the next position; does not check legality, never touches its parent
``is_terminal()``      is the game over? Not terminal implies that some action is legal
``utility(player)``    what the game was worth to a player; asked only at terminal positions.
                       Two players are zero-sum: ``utility(0) == -utility(1)``; where
                       ``cooperative`` is True, all players have the same utility
``observe(player, a)`` write what a player sees into the zeroed array ``a`` of observation_shape
``observation_shape``  its shape, e.g. (height, width, 2)
====================== ============================================================================

and, where the default will not do: ``num_players`` (2), ``max_utility`` (1), ``observation_high``
(1, or one bound per element), ``probability(action)`` (where ``to_move`` is ``CHANCE``),
``set_up()``, ``check()``, ``name(action)``, ``alias(name)``, ``state_space()``, ``__str__``,
``winning_cells()``, ``ply``; for players, ``rules()`` and ``example``, ``side_names``,
``turn_text()`` and ``result_text()``. Where one pass finds all
legal actions sooner than ``legal`` one by one: ``write_legal(actions)``.

Where players do not see everything, the position still holds all of it, and says what each sees:
``hidden(player)`` is the same position with what that player does not know blanked out, such as
another's card. This view *is* the player's information set: positions look the same to a player if
their views are equal. So the fields hold the public history and each player's own choices (perfect
recall), and ``check`` accepts views. A simultaneous choice is two plies; ``hidden`` blanks
the first for the other player until the second is made. ``determinized(player, state)`` goes the
other way: from a view to a position that it may be. ``seen_after(player, action)`` says who is told
of an action, and when.

What users call is checked: ``move("b2")`` or ``move(4)``, and ``after("b2 a1")`` for a whole line.

Compiled code calls the same methods. So they are Python that Numba understands: integers, floats,
tuples, ``adv_envs.bits``, other positions and module-level functions of the same kind; the next
position is made by giving every field by position. Rules that need more run in plain Python, which
``class Tree(Position, compiled=False)`` says.

Nothing here assumes that players alternate, or that there are two: compare ``to_move``.
``adv_envs.testing.check_game`` holds a game to all of this.
"""

from __future__ import annotations

import functools
import inspect
import operator
import re
from collections import namedtuple
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import (
    TYPE_CHECKING,
    Annotated,
    Any,
    ClassVar,
    Self,
    TypeVar,
    dataclass_transform,
    get_origin,
)

from .notation import IllegalMove as IllegalMove  # noqa: PLC0414  # for games, which raise it
from .notation import play_line

CHANCE = -1
"""``to_move`` where no player chooses: the next action has ``probability(action)``."""

NEVER = -1
"""``seen_after`` of an action that a player is never told."""

Wide = Annotated[int, "board_bits"]
"""A field whose integer may need more than 63 bits: a set of up to ``board_bits`` cells.

``Annotated[int, "history_bits"]`` is a field of as many bits as the property ``history_bits`` says.
"""


class Words:
    """Declares a field whose values have names: ``draws: Words = Words("automatic", "claimed")``.

    The field is kept as a number, 0 for the first word, which is the default. What users call takes
    either.
    """

    def __init__(self, *words: str) -> None:
        """Lists the ``words`` that stand for 0, 1, ..."""
        self.words = words

    if TYPE_CHECKING:  # what type checkers are to think of the field

        def __get__(self, position: Any, cls: Any = None) -> int: ...

        def __set__(self, position: Any, value: int | str) -> None: ...


DECIMAL_BITS = 14_000
"""The longest numbers that a position writes in decimal: Python refuses more than 4,300 digits."""


P = TypeVar("P", bound="Position")


class _PositionType(type):
    """Turns the annotations of a class into the fields of a named tuple, as NamedTuple does."""

    def __new__(
        meta, name: str, bases: tuple[type, ...], body: dict[str, Any], **options: Any
    ) -> _PositionType:
        if "legal" in body and bases[0] is not tuple:
            body["legal"] = _within_range(body["legal"])
        cls = super().__new__(meta, name, bases, {"__slots__": (), **body}, **options)
        annotations = inspect.get_annotations(cls, eval_str=True) if bases[0] is not tuple else {}
        own = {f: t for f, t in annotations.items() if str(get_origin(t)) != str(ClassVar)}
        if not own:
            return cls
        missing = [f for f in own if f not in body]
        if missing:
            raise TypeError(f"every field of {name} needs a default: {', '.join(missing)}")
        fields = _with_inherited(own, cls)
        if tuple(fields)[: len(cls.parameters)] != cls.parameters:  # type: ignore[attr-defined]
            raise TypeError(f"the first fields of {name} must be its parameters, in their order")
        words = {f: w for f, w in cls.field_words.items() if f not in own}  # type: ignore[attr-defined]
        words |= {f: body[f].words for f in own if isinstance(body[f], Words)}
        given = {**cls._field_defaults, **{f: body[f] for f in own}}  # type: ignore[attr-defined]
        defaults = [0 if field in words else given[field] for field in fields]
        template = namedtuple(name, fields, defaults=defaults)  # type: ignore[misc]
        for key in (*fields, "_fields", "_field_defaults", "_make", "_replace", "_asdict"):
            setattr(cls, key, vars(template)[key])
        for key in ("__getnewargs__", "__match_args__"):
            if key not in body:
                setattr(cls, key, vars(template)[key])
        cls.declared_fields = fields  # type: ignore[attr-defined]
        cls.state_fields = tuple(fields)[len(cls.parameters) :]  # type: ignore[attr-defined]
        widths = {f: _width_of(t) for f, t in fields.items()}
        cls.wide_fields = {f: width for f, width in widths.items() if width}  # type: ignore[attr-defined]
        cls.field_widths = tuple(dict.fromkeys(cls.wide_fields.values()))  # type: ignore[attr-defined]
        cls.field_words = words  # type: ignore[attr-defined]
        kept = {f: int if widths[f] or f in words else t for f, t in fields.items()}
        cls.field_types = tuple(kept.values())  # type: ignore[attr-defined]
        if "__new__" not in body:
            cls.__new__ = _constructor(template.__new__, len(fields))  # type: ignore[method-assign]
        return cls


def _with_inherited(own: dict[str, Any], cls: Any) -> dict[str, Any]:
    """Returns a class's fields with their types: those of its base, too, and parameters first.

    What the class defines otherwise, as a property, is no field of it.
    """
    if not cls.declared_fields:
        return own
    inherited = {f: t for f, t in cls.declared_fields.items() if f in own or f not in vars(cls)}
    fields = inherited | own
    return {f: fields[f] for f in dict.fromkeys((*cls.parameters, *fields)) if f in fields}


def _width_of(field_type: Any) -> str | None:
    """Returns the property of a type that counts a field's bits; None if it is not wide."""
    return str(field_type.__metadata__[0]) if get_origin(field_type) is Annotated else None


def _constructor(new: Callable[..., Any], size: int) -> Callable[..., Any]:
    """Makes a position: all fields by position are trusted, any other call is checked."""
    make = tuple.__new__

    @functools.wraps(new)
    def construct(cls: type[Position], *args: Any, **kwargs: Any) -> Any:
        if len(args) == size and not kwargs:
            return make(cls, args)
        given = new(cls, *args, **kwargs)
        position = make(cls, map(cls.convert, cls._fields, given)).set_up()
        position.check()
        return position

    return construct


def _within_range(rule: Callable[[Any, int], bool]) -> Callable[[Any, int], bool]:
    """Returns ``legal`` for any integer. Compiled code asks for actions only, by the rule."""

    @functools.wraps(rule)
    def legal(self: Position, action: int) -> bool:
        return 0 <= action < self.num_actions and rule(self, action)

    return legal


def legal_rule(cls: type[Position]) -> Callable[[Any, int], bool]:
    """Returns ``legal`` as the game defines it, for loops over 0 .. num_actions - 1."""
    return getattr(cls.legal, "__wrapped__", cls.legal)


def choices_among(names: Sequence[str]) -> str:
    """Returns what may be played, in words: at most twenty of the ``names`` of the legal moves."""
    if not names:
        return "the game is over"
    more = f" and {len(names) - 20} more" if len(names) > 20 else ""
    return f"legal: {', '.join(names[:20])}{more}"


def winners_of(position: Position) -> list[int]:
    """Returns the players to whom a finished game was worth most: all of them in a draw."""
    utilities = [position.utility(player) for player in range(position.num_players)]
    return [player for player, utility in enumerate(utilities) if utility == max(utilities)]


def require_competitive(position: Position, what: str) -> None:
    """Raises ValueError if the players are a team; ``what`` would need opponents."""
    if position.cooperative:
        raise ValueError(
            f"{what} needs players who want different things, and in this game all players share "
            "the score; agents.match and adv-envs match tell the mean score of a team"
        )


class Example:
    """Holds a short line of play that shows the rules of a game with these ``parameters``, sizes.

    Options, that is parameters which are True, False or a word, are those of the position whose
    example it is. ``moves`` are pairs of a name and of what the move teaches, which may be nothing.
    """

    def __init__(self, lines: str, **parameters: Any) -> None:
        """Reads ``lines`` of a move's name, and after a space what it teaches."""
        words = (line.strip().partition(" ") for line in lines.splitlines() if line.strip())
        self.moves = tuple((name, comment.strip()) for name, _, comment in words)
        self.parameters = parameters


def counted(number: int, noun: str) -> str:
    """Returns a number of things in words: "1 row", "2 rows", "3 boxes"."""
    ending = "" if number == 1 else "es" if noun.endswith("x") else "s"
    return f"{number} {noun}{ending}"


def reflowed(text: str) -> str:
    """Returns Markdown with each paragraph, and each item after "- " or "1. ", on its own line.

    Paragraphs of ``text`` are separated by blank lines and may be indented; those without words
    are left out. A list is a paragraph that begins with an item.
    """
    paragraphs = []
    for part in re.split(r"\n\s*\n", text.strip()):
        is_list = re.match(r"(-|1\.) ", part.strip())
        items = re.split(r"\n\s*(?=(?:-|\d+\.) )", part.strip()) if is_list else [part]
        paragraphs.append("\n".join(" ".join(item.split()) for item in items))
    return "\n\n".join(filter(None, paragraphs))


def _as_float(field: str, value: Any) -> float:
    """Returns ``value`` as a float; ValueError if it is too large for one."""
    try:
        return float(value)
    except OverflowError:
        raise ValueError(f"{field} must be a number that a float can hold") from None


def _number_of_word(field: str, value: Any, words: tuple[str, ...]) -> int:
    """Returns the number of one of ``words``, given as either; TypeError or ValueError."""
    *most, last = map(repr, words)
    wanted = f"{field} must be {', '.join(most)} or {last}, not {value!r}"
    if isinstance(value, str):
        number = words.index(value) if value in words else -1
    elif type(value).__name__ in ("bool", "bool_") or not hasattr(value, "__index__"):
        raise TypeError(wanted)
    else:
        number = operator.index(value)
    if number not in range(len(words)):
        raise ValueError(wanted)
    return number


def require_between(name: str, value: int, low: int, high: int) -> None:
    """Raises ValueError unless ``low <= value <= high``, saying what is allowed."""
    if not low <= value <= high:
        raise ValueError(f"{name} must be {low} to {high}, not {value}")


def checked_seat(seat: Any, players: int) -> str | int:
    """Returns the seat of an environment's user: "random", "alternate" or the number of a player.

    "first" and "second" are 0 and 1. TypeError or ValueError for anything else.
    """
    number = {"first": 0, "second": 1}.get(seat, seat) if isinstance(seat, str) else seat
    if isinstance(number, str) and number in ("random", "alternate"):
        return number
    choices = f"one of first, second, random, alternate or a player, 0 .. {players - 1}"
    if isinstance(number, bool) or not hasattr(number, "__index__"):
        raise TypeError(f"seat must be {choices}, not {seat!r}")
    if not 0 <= operator.index(number) < players:
        raise ValueError(f"seat must be {choices}, not {seat!r}")
    return operator.index(number)


@dataclass_transform(frozen_default=True)
class Position(tuple[Any, ...], metaclass=_PositionType):
    """Represents a moment in a game. See the module's docstring for the contract."""

    version: ClassVar[int] = 0
    """The version of the game, N of "hex-v<N>": to be raised when its rules, actions or
    observations change, so that what was learnt or measured before is not taken for the same."""

    parameters: ClassVar[tuple[str, ...]] = ()
    """The fields that say which game is played; the others are the state. Parameters come first."""

    parameter_words: ClassVar[tuple[tuple[str, str], ...]] = ()
    """For each parameter, in their order, what people call it and what it does, in a sentence."""

    is_compiled: ClassVar[bool] = True
    """Whether kernels compile the rules: ``class Tree(Position, compiled=False)`` says no."""

    field_words: ClassVar[dict[str, tuple[str, ...]]] = {}
    """By field, the words for its values 0, 1, ..., where it is declared with ``Words``."""

    declared_fields: ClassVar[dict[str, Any]] = {}
    """The fields, each with its type as it is declared."""

    _fields: ClassVar[tuple[str, ...]]
    _field_defaults: ClassVar[dict[str, Any]] = {}
    _replace: ClassVar[Callable[..., Any]]
    """As of a named tuple: the position with other values of some fields, which are not checked."""

    lists_legal: ClassVar[bool] = False
    """Whether the game defines ``write_legal``: searches and batches then call it instead of asking
    ``legal`` about every action."""

    perfect_information: ClassVar[bool] = True
    """Whether every player sees everything: whether the game does without ``hidden``."""

    simultaneous: ClassVar[bool] = False
    """Whether the players choose at once: in every round each makes one ply, player 0 first, and
    sees the choices of the others when all have chosen. Chance acts between rounds only."""

    cooperative: ClassVar[bool] = False
    """Whether the players are a team that shares one utility, which each wants to be high."""

    state_fields: ClassVar[tuple[str, ...]]
    """The fields that are not parameters."""

    field_types: ClassVar[tuple[Any, ...]]
    """The types of the fields: int, bool, float, or what only plain Python knows."""

    wide_fields: ClassVar[dict[str, str]]
    """The names of wide fields, each with that of the property that says how many bits it needs."""

    field_widths: ClassVar[tuple[str, ...]]
    """These properties, each once."""

    def __init_subclass__(cls, *, compiled: bool | None = None, **options: Any) -> None:
        """Notes whether the rules can be compiled; by default, whether those of the base can."""
        super().__init_subclass__(**options)
        if compiled is not None:
            cls.is_compiled = compiled
        cls.lists_legal = cls.write_legal is not Position.write_legal
        cls.perfect_information = cls.hidden is Position.hidden

    @classmethod
    def convert(cls, field: str, value: Any) -> Any:
        """Returns ``value`` as kept: Python's own int, bool or float. TypeError or ValueError.

        ``field`` is the name of the field; a word of it becomes its number. NumPy's integers
        would overflow where Python's do not.
        """
        if field in cls.field_words:
            return _number_of_word(field, value, cls.field_words[field])
        field_type = cls.field_types[cls._fields.index(field)]
        truth = type(value).__name__ in ("bool", "bool_")  # Python's and NumPy's
        if field_type is bool and truth:
            return bool(value)
        if field_type is float and not truth and hasattr(value, "__float__"):
            return _as_float(field, value)
        if field_type not in (int, bool, float):
            return value
        if truth or not hasattr(value, "__index__"):
            kind = {bool: "True or False", float: "a number"}.get(field_type, "an integer")
            raise TypeError(f"{field} must be {kind}, not {value!r}")
        number = operator.index(value)
        if field_type is bool and number not in (0, 1):
            raise ValueError(f"{field} must be True or False, not {value!r}")
        return field_type(number)

    def __eq__(self, other: object) -> bool:
        """Returns the same position of the same kind of game: another class is another game."""
        return type(self) is type(other) and tuple.__eq__(self, other)

    def __ne__(self, other: object) -> bool:
        return not self == other

    __hash__ = tuple.__hash__

    @classmethod
    def written(cls, field: str, value: Any) -> Any:
        """Returns a field's ``value`` as users write it: ``convert`` reads the word of a number."""
        words = cls.field_words.get(field, ())
        return words[value] if value in range(len(words)) else value

    def __repr__(self) -> str:
        """Shows every field by name, as the class is called; only the longest are hex."""
        fields = ((f, self.written(f, v)) for f, v in zip(self._fields, self, strict=True))
        texts = (
            f"{field}={value:#x}"
            if isinstance(value, int) and value.bit_length() > DECIMAL_BITS
            else f"{field}={value!r}"
            for field, value in fields
        )
        return f"{type(self).__name__}({', '.join(texts)})"

    # ---- the rules: every game defines these

    @property
    def num_actions(self) -> int:
        """Counts actions, which are the integers 0 .. num_actions - 1."""
        raise NotImplementedError

    @property
    def to_move(self) -> int:
        """Returns the player to move, 0 .. num_players - 1, or CHANCE."""
        raise NotImplementedError

    def legal(self, action: int) -> bool:
        """Returns whether ``action`` may be taken now, unless the game is over; else False."""
        raise NotImplementedError

    def play(self, action: int) -> Self:
        """Returns the position after a legal ``action``, which is not checked; ``move`` checks."""
        raise NotImplementedError

    def is_terminal(self) -> bool:
        """Returns whether the game is over."""
        raise NotImplementedError

    def utility(self, player: int) -> float:
        """Returns what the finished game was worth to ``player``."""
        raise NotImplementedError

    @property
    def observation_shape(self) -> tuple[int, ...]:
        """Returns the shape of the array that ``observe`` fills."""
        raise NotImplementedError

    def observe(self, player: int, planes: Any) -> None:
        """Writes what ``player`` sees into ``planes``, zeroed, of shape ``observation_shape``."""
        raise NotImplementedError

    # ---- rules with a usual answer

    def hidden(self, player: int) -> Self:
        """Returns the position as ``player`` sees it: what the player does not know is blanked out.

        Of the view, as of the position, one may ask ``to_move``, ``is_terminal``, what ``player``
        observes and, where it is the player's turn, what is legal; at the end the utilities.
        """
        return self

    def determinized(self, player: int, state: int) -> Self:
        """Returns a position that ``player``, who sees no more than this view, may really be in.

        Asked of the views of unfinished games. ``state``, of a random generator as in
        ``adv_envs.random``, says which: each that can be has some chance to be the answer.
        """
        return self

    def seen_after(self, player: int, action: int) -> int:
        """Tells after how many further moves ``player`` is told that ``action`` was taken here.

        0: at once; 1: with the next move, such as the answer to a simultaneous choice; NEVER. Not
        what the player may infer, but what the rules announce: by default the player's own actions
        only, where something is hidden.
        """
        return 0 if self.perfect_information or self.to_move == player else NEVER

    def write_legal(self, actions: Any) -> int:
        """Writes the legal actions, increasing, into ``actions``; returns how many there are.

        ``actions`` is an array or list of num_actions numbers; the rest is left as it is.
        The game is not over. A game defines this where one pass over the board is quicker than
        ``legal`` for every action.
        """
        number = 0
        for action in range(self.num_actions):
            if self.legal(action):
                actions[number] = action
                number += 1
        return number

    @property
    def num_players(self) -> int:
        """Returns how many players there are."""
        return 2

    @property
    def max_utility(self) -> float:
        """Bounds the utility of every player, so a search stops where this is reached."""
        return 1

    @property
    def observation_high(self) -> int | tuple[int, ...]:
        """Bounds the observation from above: one number, or one for each element (from 0)."""
        return 1

    @property
    def board_bits(self) -> int:
        """Returns how many bits a ``Wide`` field needs."""
        return 63

    @property
    def ply(self) -> int:
        """Counts the moves made since the start; AttributeError if the game does not count."""
        raise AttributeError("this game does not count its plies")

    @property
    def has_chance(self) -> bool:
        """Returns whether chance ever moves: whether the game says how probable an action is."""
        return type(self).probability is not Position.probability

    def probability(self, action: int) -> float:
        """Returns the probability of ``action`` where ``to_move`` is CHANCE."""
        raise NotImplementedError

    def check(self) -> None:
        """Raises ValueError, saying what is allowed, unless this can be a position of the game."""

    def set_up(self) -> Self:
        """Returns the position with its stones set up, if they were not given: the start of a game.

        For games whose start depends on the parameters: their fields have a default that stands
        for "not given", such as -1. It is asked of what users make, before ``check``, and raises
        ValueError itself for parameters with which there is nothing to set up.
        """
        return self

    def state_space(self) -> int | None:
        """Counts positions that can be written down, reachable or not; None if it is not known."""
        return None

    def winning_cells(self) -> list[tuple[int, int]]:
        """Returns the (row, column) of the stones that won a finished board game, for pictures."""
        return []

    # ---- text, both ways

    @property
    def side_names(self) -> tuple[str, ...]:
        """Returns what people call the players, ("White", "Black"); they stay so in a whole game.

        A game with names of its own has them as an attribute of its class.
        """
        return tuple(f"Player {player + 1}" for player in range(self.num_players))

    def turn_text(self) -> str:
        """Returns whose turn it is in an unfinished game, for people: "White to move"."""
        player = self.to_move
        return "Chance moves" if player == CHANCE else f"{self.side_names[player]} to move"

    def result_text(self) -> str:
        """Returns how the finished game ended, for people: "Red wins", "Draw".

        Games add what decided: "Checkmate, Black wins", "Black wins, 40 to 24". Of a team nobody
        wins alone: it is told its score.
        """
        if self.cooperative:
            return f"{self.utility(0):g} of {self.max_utility:g} points"
        winners = winners_of(self)
        if len(winners) == self.num_players:
            return "Draw"
        *most, last = (self.side_names[player] for player in winners)
        return f"{', '.join(most)} and {last} win" if most else f"{last} wins"

    def rules(self) -> str:
        """Returns the rules of this game for its players, as Markdown without headings.

        They tell only what applies with these parameters: the goal, the moves, what is hidden, the
        end and what it is worth, how moves are written and boards are printed. Usually they are the
        docstring of the class. ``adv_envs.text.rules_text`` adds the ``example``.
        """
        return inspect.cleandoc(type(self).__doc__ or "The rules are not written down.")

    @property
    def example(self) -> Example | None:
        """Returns a short line of play that shows the rules, None if there is none."""
        return None

    def name(self, action: int) -> str:
        """Returns the usual name of ``action`` here, such as "b3"."""
        return str(action)

    def action(self, move: int | str) -> int:
        """Returns the legal action of a move, given by name or as an action, as Python's own int.

        A name as the game writes it comes first, then one in a second notation, then other cases,
        where only one move can be meant. IllegalMove lists the choices; TypeError for what is
        neither a name nor an action.
        """
        if not isinstance(move, str):
            return self._legal(move)
        name = move.strip()
        actions = {self.name(action): action for action in self.legal_actions()}
        if name in actions:
            return actions[name]
        other = self.alias(name)
        if other is not None and other in actions.values():
            return other
        alike = [action for known, action in actions.items() if known.lower() == name.lower()]
        if len(alike) == 1:
            return alike[0]
        raise IllegalMove(f"{name[:60]!r} is not a legal move; {self.choices()}")

    def _legal(self, action: int) -> int:
        if isinstance(action, bool) or not hasattr(action, "__index__"):
            raise TypeError(f"a move is an action or its name, not {action!r}")
        number = operator.index(action)
        if self.is_terminal() or not self.legal(number):
            raise IllegalMove(f"action {number} is not legal; {self.choices()}")
        return number

    def short_name(self, action: int) -> str:
        """Returns the name of ``action`` as people write it in a list of moves: "Nf3" for "g1f3".

        ``action`` reads it back; usually it is the ``name``.
        """
        return self.name(action)

    def alias(self, name: str) -> int | None:
        """Returns the legal action with ``name`` in a second notation, such as "Nf3"; None if none.

        IllegalMove for a name that is a move there, but not a legal one: nothing else is meant.
        """
        return None

    def choices(self) -> str:
        """Returns what may be played, in words: at most twenty moves by name."""
        return choices_among([self.name(action) for action in self.legal_actions()])

    def legal_actions(self) -> list[int]:
        """Returns every legal action in increasing order; empty when the game is over."""
        if self.is_terminal():
            return []
        if self.lists_legal:
            actions = [0] * self.num_actions
            return actions[: self.write_legal(actions)]
        legal = legal_rule(type(self))
        return [action for action in range(self.num_actions) if legal(self, action)]

    def move(self, move: int | str) -> Self:
        """Returns the position after one legal move, given by its name or as an action.

        ``ConnectFour().move("4")`` and ``ConnectFour().move(3)`` are the same: names count columns
        from 1, actions from 0. Raises IllegalMove, which says what would be legal, or TypeError.
        """
        return self.play(self.action(move))

    def after(self, moves: str | Iterable[int | str]) -> Self:
        """Returns the position after a line of ``moves``: "4455", "a1 b2 c3" or a list."""
        return play_line(self, moves)

    # ---- pictures

    def svg(self, last: int | None = None) -> str:
        """Draws the position as SVG; ``last`` is the action to mark as the latest move."""
        return _write_svg[0](self, last)

    def _repr_svg_(self) -> str:
        """Returns what Jupyter shows."""
        return self.svg()

    def start(self) -> Self:
        """Returns the start position of the same game, with the same parameters."""
        return type(self)(**{name: getattr(self, name) for name in self.parameters})


SvgWriter = Callable[[Position, int | None], str]

_write_svg: list[SvgWriter] = []


def register_svg(write: SvgWriter) -> SvgWriter:
    """Has ``write(position, last)`` answer ``Position.svg``, as positions know no pictures."""
    _write_svg[:] = [write]
    return write


class Board(Position):
    """Represents two players' stones on a grid: ``own`` (to move), ``opp`` and ``ply``.

    A game on a board declares these fields and says which bit of ``own`` and ``opp`` is the cell at
    (row, column), row 0 at the top. The observation is then (height, width, 2): the asking player's
    own stones, then the opponent's.
    """

    symbols: ClassVar[str] = "XO"
    """How the stones of player 0 and 1 are written."""

    @property
    def height(self) -> int:
        """Counts rows of the board; a field or a property of the game."""
        raise NotImplementedError

    @property
    def width(self) -> int:
        """Counts columns of the board; a field or a property of the game."""
        raise NotImplementedError

    @property
    def own(self) -> int:
        """Returns the stones of the player to move; a field of the game."""
        raise NotImplementedError

    @property
    def opp(self) -> int:
        """Returns the stones of the player who just moved; a field of the game."""
        raise NotImplementedError

    def bit(self, row: int, column: int) -> int:
        """Returns the bit of the cell at ``row`` (0 = top) and ``column``."""
        raise NotImplementedError

    def entry(self, action: int) -> int:
        """Returns the bit of the cell to be empty for ``action`` < num_stone_actions."""
        raise NotImplementedError

    @property
    def num_stone_actions(self) -> int:
        """Counts the actions that set stones; only ``legal`` knows of others (Hex: the swap)."""
        return self.num_actions

    @property
    def to_move(self) -> int:
        """Returns the player to move: players alternate, player 0 begins."""
        return self.ply % 2

    def stones(self, player: int) -> int:
        """Returns the set of cells with stones of ``player``, 0 or 1."""
        return self.own if player == self.to_move else self.opp

    @property
    def observation_shape(self) -> tuple[int, int, int]:
        """Returns (height, width, 2): own stones, the opponent's stones."""
        return self.height, self.width, 2

    def observe(self, player: int, planes: Any) -> None:
        """Writes own stones into planes[:, :, 0], the opponent's into planes[:, :, 1]."""
        own, opp = self.stones(player), self.stones(1 - player)
        for row in range(self.height):
            for column in range(self.width):
                cell = self.bit(row, column)
                planes[row, column, 0] = own >> cell & 1 != 0
                planes[row, column, 1] = opp >> cell & 1 != 0

    def cell_name(self, row: int, column: int) -> str:
        """Returns the name of a cell: column letter, row number; "a1" is the top left."""
        letters = ""
        column += 1
        while column:
            column, digit = divmod(column - 1, 26)
            letters = chr(ord("a") + digit) + letters
        return f"{letters}{row + 1}"

    def cell(self, row: int, column: int) -> int | None:
        """Returns whose stone stands at (row, column): 0, 1 or None."""
        bit = 1 << self.bit(row, column)
        for player in (0, 1):
            if self.stones(player) & bit:
                return player
        return None

    def cells_in(self, cells: int) -> list[tuple[int, int]]:
        """Returns the (row, column) of every cell of a set, row by row."""
        every = ((row, column) for row in range(self.height) for column in range(self.width))
        return [cell for cell in every if cells >> self.bit(*cell) & 1]

    def labels(self) -> tuple[list[str], list[str]]:
        """Returns the names of columns and rows, as the names of the first cells have them."""
        columns = [self.cell_name(0, i).rstrip("0123456789") for i in range(self.width)]
        return columns, [self.cell_name(i, 0)[len(columns[0]) :] for i in range(self.height)]

    def __str__(self) -> str:
        columns, names = self.labels()
        rows = zip(names, self.rows(), strict=True)
        lines = [f"{name:>2} {' '.join(cells)}" for name, cells in rows]
        return "\n".join([f"   {' '.join(columns)}", *lines])

    def rows(self) -> list[list[str]]:
        """Returns the board as characters, top row first: X, O or a dot."""
        owners = [[self.cell(r, c) for c in range(self.width)] for r in range(self.height)]
        return [["." if owner is None else self.symbols[owner] for owner in row] for row in owners]

    @classmethod
    def from_text(cls, text: str, to_move: int | None = None, **parameters: Any) -> Self:
        """Returns the position that ``text`` shows, as ``str(position)`` writes it.

        Rows of ``symbols`` and dots, top row first, with or without spaces; the names of rows and
        columns are ignored. Parameters that do not show, such as ``k``, are given by name. The
        numbers of stones tell who is to move; where they do not, as in Hex after a swap, give
        ``to_move``. Raises ValueError for rows of different lengths and for what is no position.
        """
        if to_move not in (None, 0, 1):
            raise ValueError(f"to_move must be 0 or 1, not {to_move!r}")
        rows = read_board(text, cls.symbols)
        sizes = {"height": len(rows), "width": len(rows[0]), "size": len(rows)}
        shape = {name: size for name, size in sizes.items() if name in cls.parameters}
        start = cls(**{**shape, **parameters})
        if (start.height, start.width) != (len(rows), len(rows[0])):
            raise ValueError(
                f"the board must have {start.height} rows of {start.width} cells, "
                f"not {len(rows)} of {len(rows[0])}"
            )
        stones = [0, 0]
        for row, cells in enumerate(rows):
            for column, character in enumerate(cells):
                if character in cls.symbols:
                    stones[cls.symbols.index(character)] |= 1 << start.bit(row, column)
        ply = sum(stones[i].bit_count() - start.stones(i).bit_count() for i in (0, 1))
        if to_move is not None:
            ply += ply % 2 != to_move
        return start.with_stones(stones[0], stones[1], ply)

    def with_stones(self, first: int, second: int, ply: int) -> Self:
        """Returns the position of the same game after ``ply`` plies with these stones of both.

        ``first`` and ``second`` are sets of cells, a bit for each. Raises ValueError if there is
        none.
        """
        own, opp = (first, second) if ply % 2 == 0 else (second, first)
        fields: dict[str, Any] = dict(zip(self.parameters, self, strict=False))
        return type(self)(**fields | {"own": own, "opp": opp, "ply": ply})

    def check_cells(self) -> None:
        """Raises ValueError unless all stones stand on the board, each on its own cell."""
        cells = _all_cells(type(self), self[: len(self.parameters)])
        if self.own < 0 or self.opp < 0 or (self.own | self.opp) & ~cells:
            raise ValueError("own and opp must be sets of cells of the board, given as bits")
        if self.own & self.opp:
            raise ValueError("own and opp must not share a cell")

    def check_stones(self) -> None:
        """Raises ValueError unless as many stones stand on the board as after ``ply`` plies."""
        self.check_cells()
        counts = self.own.bit_count(), self.opp.bit_count()
        if self.ply < 0 or counts != (self.ply // 2, self.ply - self.ply // 2):
            raise ValueError(
                f"after {self.ply} plies the player to move cannot have {counts[0]} stones "
                f"and the other {counts[1]}"
            )


class RowBoard(Board):
    """Represents a board whose first actions are its cells, row by row from the top left.

    The cells are bits in the same order, with one bit after each row that is always empty, so that
    no line of stones can wrap around an edge. A game that has a ``size`` has as many rows and
    columns.
    """

    @property
    def height(self) -> int:
        """Counts the rows of the board."""
        size: int = self.size  # type: ignore[attr-defined]
        return size

    @property
    def width(self) -> int:
        """Counts the columns of the board."""
        size: int = self.size  # type: ignore[attr-defined]
        return size

    @property
    def board_bits(self) -> int:
        """Returns a bit for every cell and one after every row."""
        return self.height * (self.width + 1)

    @property
    def num_actions(self) -> int:
        """Returns one action for each cell, row by row; 0 is the top left."""
        return self.height * self.width

    @property
    def num_stone_actions(self) -> int:
        """Returns the actions that are cells."""
        return self.height * self.width

    def bit(self, row: int, column: int) -> int:
        """Numbers the cells row by row, with one bit left empty after each row."""
        return row * (self.width + 1) + column

    def entry(self, action: int) -> int:
        """Returns the bit of the cell of ``action``."""
        return action + action // self.width

    def name(self, action: int) -> str:
        """Names the cell: "a1" is the top left, where ``cell_name`` says nothing else."""
        return self.cell_name(*divmod(action, self.width))


def read_board(text: str, symbols: str) -> list[str]:
    """Returns the rows of a board as text, without labels and spaces."""
    rows = []
    for line in text.splitlines():
        label, *cells = line.split() or [""]
        row = "".join(cells if label.isdigit() else [label, *cells])
        if row and not set(row) - {".", *symbols}:
            rows.append(row)
    if not rows:
        raise ValueError(f"there is no board in {text!r}: rows are written with {symbols} and dots")
    if len(set(map(len, rows))) > 1:
        raise ValueError(f"the rows of a board must be as long as each other: {', '.join(rows)}")
    return rows


def reachable(start: P, limit: int | None = None) -> Iterator[P]:
    """Yields every position that play can lead to from ``start``, each once, the nearest first.

    Chance moves as well, where an action has a probability above 0. Positions are kept in memory:
    raises ValueError when there turn out to be more than ``limit`` (None: no limit).
    """
    start = checked(start)
    found, nearest = {start}, [start]
    while nearest:
        after: list[P] = []
        for position in nearest:
            yield position
            for action in position.legal_actions():
                if position.to_move == CHANCE and position.probability(action) == 0:
                    continue
                child = position.play(action)
                if child not in found:
                    if limit is not None and len(found) >= limit:
                        raise ValueError(f"more than {limit:,} positions are reachable")
                    found.add(child)
                    after.append(child)
        nearest = after


@functools.lru_cache(maxsize=64)
def _all_cells(cls: type[Board], parameters: tuple[Any, ...]) -> int:
    """Returns the bits of all cells of a board."""
    state = [cls._field_defaults[field] for field in cls.state_fields]
    board = cls(*parameters, *state)
    rows, columns = range(board.height), range(board.width)
    return sum(1 << board.bit(row, column) for row in rows for column in columns)


def checked(position: P, like: Position | None = None, *, whole: bool = False) -> P:
    """Returns a position from outside as its game has it: every field typed and possible.

    Whatever takes positions from users calls this once and goes on with the answer, because fields
    that are given by position were never checked, and compiled code trusts them. The answer is
    ``position`` itself unless some field had to be converted, such as NumPy's integers.

    ``like``, a position that was checked itself, is one of the game that is being played. With
    ``whole``, what a player sees of a position, with parts unknown, will not do. Raises TypeError,
    saying what is wrong, for what is no position, or one of another class than ``like``; ValueError
    for what the game's ``check`` refuses, for other parameters than those of ``like``, and for what
    is not whole.
    """
    if like is not None and position is like:
        return position
    if like is not None and type(position) is not type(like):
        raise TypeError(f"position must be a {type(like).__name__}, not {position!r}")
    if not isinstance(position, Position):
        raise TypeError(
            "position must be a position: agents see positions, such as TicTacToe().after('b2') or "
            f"env.position, not an object of {type(position).__name__}"
        )
    if position is not _latest[0]:
        if tuple(map(type, position)) != position.field_types:
            values = zip(position._fields, position, strict=True)
            converted = [position.convert(field, value) for field, value in values]
            position = tuple.__new__(type(position), converted)
        for name, words in position.field_words.items():
            _number_of_word(name, getattr(position, name), words)
        position.check()
        _latest[0] = position
    if like is not None and position[: len(like.parameters)] != like[: len(like.parameters)]:
        raise ValueError(f"this environment plays {like.start()!r}, not {position!r}")
    if whole and position is not _latest[1]:
        _require_whole(position)
        _latest[1] = position
    return position


_latest: list[Position | None] = [None, None]
"""The position that was checked last, and the one that was last found to be whole. They need no
more of it as long as they are the same objects, as positions never change: an agent, its search and
a kernel ask one after another, and many games begin with one position."""


def _require_whole(position: Position) -> None:
    """Raises ValueError if ``position`` is only what a player sees of one, with parts unknown."""
    if position.perfect_information or position.is_terminal():
        return
    for player in range(position.num_players):
        if position.hidden(player) == position != position.determinized(player, 0):
            raise ValueError(
                f"{position!r} is only what player {player} sees, and a game is played with the "
                "whole position"
            )
    for player in range(position.num_players):
        view = position.hidden(player)
        if view.determinized(player, 0).hidden(player) != view:
            raise ValueError(f"{position!r} is not whole: it lacks what player {player} knows")
