r"""Finds the move in the reply of a language model, or says that there is none.

Three outcomes are kept apart. A reply is *legal*, which names one legal action; *illegal*, which
answers with a move that is not legal here or with what is no move; or *unreadable*, which gives no
answer, or several that differ. Thoughts, ``<think>...</think>``, are left out first. Then the first
of these that is there counts:

1. the whole reply, if it is a move;
2. an explicit answer, the last one: JSON such as ``{"move": "e4"}``, tool calls included,
   ``<answer>e4</answer>``, ``\boxed{e4}``, ``play("e4")``, "Final answer: e4", "My move is e4";
   or else the last phrase such as "I play e4";
3. a marked move, in the last paragraph that has one: ``[e4]``, in bold, as code, or alone on its
   line; if different ones are marked there, the reply is unreadable;
4. the only move that the prose names, if its name is none of an ordinary word or number, and
   nothing is denied.

Numbers are names of moves, never indices of actions, and nothing is guessed: what names no legal
move is never read as one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Literal, NamedTuple

from adv_envs.position import Position, checked

from .explicit_answers import LABEL, PHRASE, STATEMENT, FoundAnswer, explicit_answers
from .spelling import Spellings, plain, spellings_of

Outcome = Literal["legal", "illegal", "unreadable"]

LONGEST_REPLY = 20_000
"""Characters of a reply that are read: the last ones, after its thoughts."""


class Reading(NamedTuple):
    """Records what a reply was read as."""

    outcome: Outcome
    action: int | None = None
    """The action, where it is legal."""
    answer: str = ""
    """The answer as it was found, where there is one; several, separated by " or "."""


NOTHING = Reading("unreadable")

THOUGHTS = re.compile(
    r"<(think|thinking|thought|thoughts|reasoning|scratchpad)>.*?(?:</\1>|\Z)", re.S | re.I
)
END_OF_THOUGHTS = re.compile(r"\A.*</(?:think|thinking|thought|thoughts|reasoning)>", re.S | re.I)
"""Thoughts whose beginning was in the prompt."""

DENIAL = re.compile(
    r"\b(?:not|never|no|cannot|avoid|avoids|avoiding|except|instead|rather|illegal|bad|nor|neither|"
    r"without|unless|if|[a-z]+n't)\b",
    re.I,
)
CLAUSE = re.compile(
    r"[,;\n]|\s\((?!\d+\))|\s-+\s(?![0-9])|(?<!^\d)(?<!^\d\d)(?<!^\d\d\d)[.!?:]+(?=\s|$)"
    r"|\s+(?:to|with|for)\b(?!\s+\S*[0-9])|\s+in\s+order\b"
    r"|\s(?:because|since|as|which|so|would|is|looks|seems|here|now|next|again|threatens)\b",
    re.I,
)
"""What ends the part of a sentence that names a move."""
NUMBER = re.compile(r"[0-9]+(?=\.\s+[A-Za-z]{2,}\b)")
"""A number at the end of a sentence, before the next one."""
WORD = re.compile(r"[^\s,;:\uff1a]+")
MARKED = re.compile(
    r"(?<![\w\]])\[(?P<bracket>\S(?:[^\[\]\n]{0,40}\S)?)\](?!\()"
    r"|(?P<bold>\*\*\*[^*\n]+\*\*\*|\*\*[^*\n]+\*\*|__[^_\n]+__|(?<!\w)\*[^*\s][^*\n]*\*(?!\w))"
    r"|(?P<code>``[^`\n]+``|`[^`\n]+`)|\$(?P<formula>[^$\n]+)\$"
)
AFTER_A_MARK = re.compile(r"\s*(?:[.,;:!?)\n]|$|(?:is|looks|seems|because|since|as|here)\b)")
"""What follows a move that is marked in a sentence, and not a number of things."""


def read_reply(position: Position, reply: str) -> Reading:
    """Returns what ``reply`` says, where a player is to move in ``position``.

    The position may be what that player sees. Raises TypeError if the reply is no text, and
    ValueError where no player chooses a move: the game is over, or chance is to move; both for what
    is no position.
    """
    position = checked(position)
    if not isinstance(reply, str):
        raise TypeError(f"a reply is text, not {reply!r}")
    moves = spellings_of(position)
    text = without_thoughts(reply)[-LONGEST_REPLY:]
    if (action := moves.action(text)) is not None:
        return Reading("legal", action, text.strip())
    text = re.sub(r"^[ \t]*(?:```|~~~)[\w-]*[ \t]*$", "", text, flags=re.M)
    return (
        _explicit_reading(moves, text)
        or _marked_reading(moves, text)
        or _bare_reading(moves, text)
        or _prose_reading(moves, text)
        or NOTHING
    )


def without_thoughts(reply: str) -> str:
    """Returns ``reply`` without what is thought in it, also where that does not end."""
    return END_OF_THOUGHTS.sub("", THOUGHTS.sub("", reply))


# ---- explicit answers


def _explicit_reading(moves: Spellings, text: str) -> Reading | None:
    """Returns the reading of the last explicit answer; None if there is none."""
    for answer in sorted(explicit_answers(text), reverse=True):
        reading = _answer_reading(moves, answer)
        if reading is not None:
            return reading
    return None


def _answer_reading(moves: Spellings, answer: FoundAnswer) -> Reading | None:
    """Returns the reading of an explicit answer; None if it says nothing."""
    text = answer.text.strip()
    while label := LABEL.match(text) or STATEMENT.match(text) or PHRASE.match(text):
        text = text[label.end() :].strip()
    if not text.strip("*_`:.#> \t\r\n"):
        return None
    if answer.certain and "\n" in text and (inner := _marked_reading(moves, text)):
        return inner
    head = CLAUSE.split(text, maxsplit=1)[0]
    number = NUMBER.match(text)
    for part in (text, number[0] if number else head):
        action = moves.action_after_fillers(part)
        if action is not None:
            if text[len(part) :].startswith("?"):
                return NOTHING  # a question, and not the answer
            others = _names(moves, text[len(part) :][:LONGEST_SPAN], action)
            return several(others) if len(others) > 1 else Reading("legal", action, part.strip())
    if not answer.certain:
        return Reading("illegal", None, head) if moves.has_form(head) else None
    inner = _marked_reading(moves, text) if MARKED.search(text) else None
    return inner or _reading_of(moves, text, DENIAL.search(text) is not None)


LONGEST_SPAN = 40
"""Characters after an answer in which another one makes it doubtful."""


def _names(moves: Spellings, text: str, action: int) -> dict[int | str, str]:
    """Returns ``action`` and the move that follows at once in ``text``, if there is one."""
    found: dict[int | str, str] = {action: moves.position.name(action)}
    rest = re.sub(r"^(?:[\s,;/|(]|\b(?:or|and|then)\b)+", "", text, flags=re.I)
    following = WORD.match(rest)
    if following is not None and rest != text:
        other = moves.action(following[0])
        if other is not None:
            found[other] = following[0]
    return found


def _reading_of(moves: Spellings, text: str, denied: bool) -> Reading:
    """Returns the reading of a certain answer in which other words stand than a move."""
    names = named_moves(moves, WORD.findall(text))
    if len(names) > 1:
        return several(names)
    for key, word in names.items():
        if isinstance(key, int) and not denied and is_distinct(moves, word):
            return Reading("legal", key, word)
    if names and denied:
        return NOTHING
    return Reading("illegal", None, next(iter(names.values()), text[:LONGEST_SPAN]))


def named_moves(moves: Spellings, words: Iterable[str]) -> dict[int | str, str]:
    """Returns those of ``words`` that are moves, by their actions, or by themselves if illegal."""
    names = dict[int | str, str]()
    for word in words:
        action = moves.action(word)
        if action is not None or moves.has_form(word):
            names.setdefault(word if action is None else action, word)
    return names


def several(names: dict[int | str, str]) -> Reading:
    """Returns the reading of a reply with answers that differ."""
    return Reading("unreadable", None, " or ".join(list(names.values())[:4]))


# ---- marked and bare moves


def _marked_reading(moves: Spellings, text: str) -> Reading | None:
    """Returns the reading of the marked moves in the last paragraph that has any; else None."""
    for paragraph in reversed(re.split(r"\n\s*\n", text)):
        names, answers = dict[int | str, str](), 0
        for marked, answers_alone in _marked(paragraph):
            action = moves.action_after_fillers(marked)
            if action is not None or (moves.has_form(marked) and has_both(marked)):
                names.setdefault(plain(marked) if action is None else action, marked)
                answers += answers_alone
        if answers and len(names) > 1:
            return several(names)
        for key, name in names.items() if answers else ():
            known = isinstance(key, int)
            return Reading("legal", int(key), name) if known else Reading("illegal", None, name)
    return None


def _marked(paragraph: str) -> Iterator[tuple[str, bool]]:
    """Yields the lines of ``paragraph`` and what is marked in it, and whether that is an answer.

    A number or a word in the middle of a sentence is none, but makes another answer doubtful.
    """
    for line in paragraph.split("\n"):
        yield re.sub(r"(?<=\S)\s+\((?!\d+\))[^()]*\)\s*$", "", line), True
        for found in MARKED.finditer(line):
            content = found["bracket"] or found["bold"] or found["code"] or found["formula"]
            is_word = len(content) > 6 and content.strip("*_`").isalpha()
            ends = AFTER_A_MARK.match(line, found.end()) is not None
            yield content, bool(found["bracket"] or has_both(content) or is_word or ends)


def _bare_reading(moves: Spellings, text: str) -> Reading | None:
    """Returns the reading of a reply of one word that is like a move, but not legal; else None.

    It has digits, or it is a word where all moves are words.
    """
    word = text.strip()
    if not WORD.fullmatch(word):
        return None
    words = all(map(str.isalpha, moves.names)) and any(map(str.isalpha, word))
    like_a_move = words or any(map(str.isdigit, word))
    return Reading("illegal", None, word) if like_a_move or moves.has_form(word) else None


# ---- prose


def _prose_reading(moves: Spellings, text: str) -> Reading | None:
    """Returns the reading of prose that names one move; None if it names none."""
    names = named_moves(moves, (word for word in WORD.findall(text) if may_name(moves, word)))
    if len(names) > 1:
        return several(names)
    for key, word in names.items():
        if not isinstance(key, int):
            return Reading("illegal", None, word)
        if is_distinct(moves, word) and not DENIAL.search(text.translate({0x2019: "'"})):
            return Reading("legal", key, word)
    return None


def may_name(moves: Spellings, word: str) -> bool:
    """Returns whether a word of prose may be meant as a move, legal or not."""
    is_name = word.strip(".!?\"'").lower() in moves.lower_names and len(word) > 2
    return (has_both(word) or is_name) and len(word) <= LONGEST_SPAN


def has_both(text: str) -> bool:
    """Returns whether ``text`` has letters and digits: it is no word, and no number."""
    return any(map(str.isalpha, text)) and any(map(str.isdigit, text))


def is_distinct(moves: Spellings, word: str) -> bool:
    """Returns whether ``word`` is a move among other words.

    It is so as a name of the game itself that is no word or number, or as one in a second notation
    that is longer than a cell: of "knight to f3" the end would be another move.
    """
    name = plain(word).strip("*_`[]().,;:!?\"'").lower()
    if name in moves.lower_names:
        return has_both(name) or len(re.findall(r"[0-9]+", name)) > 1
    return has_both(name) and len(name) > 2
